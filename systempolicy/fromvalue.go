package systempolicy

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"
)

// FromValue gives the policy of already parsed data, the mapping below autonomy, with the defaults filled in. It never
// fails: a key that cannot be told closes the guardrail that needs it, and a level that cannot is observe. Integers from
// 60 to 1439 are times, as YAML 1.1 reads 17:00 (W8); a whole float64 is an integer, as encoding/json gives it. A nil
// map is an empty one: all defaults.
func FromValue(m map[string]any) Policy {
	r := &reader{}
	p, _ := r.policy(nodeOf(m, 0), "autonomy", Default(), false)
	return p
}

// nodeOf makes the node that a value would have been read from. Line 0 marks it as already parsed.
func nodeOf(v any, depth int) *yaml.Node {
	if depth > MaxDepth {
		return foreign("!deep")
	}
	plain := func(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: text} }
	switch v := v.(type) {
	case nil:
		return plain("null")
	case bool:
		return plain(strconv.FormatBool(v))
	case string:
		return &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: v}
	case json.Number:
		return plain(v.String())
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return plain(fmt.Sprint(v))
	case float32:
		return nodeOf(float64(v), depth)
	case float64:
		return plain(floatText(v))
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range v {
			n.Content = append(n.Content, nodeOf(item, depth+1))
		}
		return n
	case []string:
		items := make([]any, len(v))
		for i, s := range v {
			items[i] = s
		}
		return nodeOf(items, depth)
	case map[string]any:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			n.Content = append(n.Content, nodeOf(k, depth), nodeOf(v[k], depth+1))
		}
		return n
	case map[any]any:
		m := make(map[string]any, len(v))
		for k, item := range v {
			if s, ok := k.(string); ok {
				m[s] = item
			} else {
				m[fmt.Sprint(k)+" "] = item // no known key, so it closes what it stands in
			}
		}
		return nodeOf(m, depth)
	}
	return foreign(fmt.Sprintf("!%T", v))
}

// foreign is a value that no key takes.
func foreign(tag string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.TaggedStyle, Tag: tag}
}

// floatText writes a float as YAML reads it back: a whole one as an integer.
func floatText(f float64) string {
	switch {
	case math.IsNaN(f):
		return ".nan"
	case math.IsInf(f, 1):
		return ".inf"
	case math.IsInf(f, -1):
		return "-.inf"
	case f == math.Trunc(f) && math.Abs(f) <= maxInteger:
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'e', -1, 64)
}
