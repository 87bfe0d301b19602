package yamlspan

import (
	"errors"
	"fmt"

	"example.com/ambit/internal/span"
	"gopkg.in/yaml.v3"
)

// Found is a value that a path leads to.
type Found struct {
	Key    *yaml.Node   // nil for an item and for the root
	Value  *yaml.Node   // may be an alias, which Locate does not follow
	Parent *yaml.Node   // the mapping or sequence; nil for the root
	Chain  []*yaml.Node // from the root to Value, both included
	Path   []any        // as given to Locate
}

// Locate follows a path of keys (string) and indexes (int) from the root; no step is the root itself. Keys are
// compared by their text, the first of equal ones counts. It passes neither aliases nor merge keys.
func (d *Document) Locate(path ...any) (Found, bool) {
	f := Found{Value: d.Root, Chain: []*yaml.Node{d.Root}, Path: path}
	if d.Root == nil {
		return Found{}, false
	}
	for _, step := range path {
		key, value := Child(f.Value, step)
		if value == nil {
			return Found{}, false
		}
		f.Key, f.Value, f.Parent = key, value, f.Value
		f.Chain = append(f.Chain, value)
	}
	return f, true
}

// Child gives the key and the value that one step of a path leads to, nil where there is none. An item has no key.
func Child(n *yaml.Node, step any) (key, value *yaml.Node) {
	switch step := step.(type) {
	case string:
		if n.Kind == yaml.MappingNode {
			for i := 0; i+1 < len(n.Content); i += 2 {
				if k := n.Content[i]; k.Kind == yaml.ScalarNode && k.Value == step {
					return k, n.Content[i+1]
				}
			}
		}
	case int:
		if n.Kind == yaml.SequenceNode && step >= 0 && step < len(n.Content) {
			return nil, n.Content[step]
		}
	}
	return nil, nil
}

// Aliased reports whether an alias somewhere in the document stands for this node, so that an edit of the node, or of
// anything inside it, would change what stands there too.
func (d *Document) Aliased(n *yaml.Node) bool {
	if d.aliased == nil {
		d.aliased = map[*yaml.Node]bool{}
		var walk func(*yaml.Node)
		walk = func(n *yaml.Node) {
			if n.Kind == yaml.AliasNode {
				d.aliased[n.Alias] = true
			}
			for _, c := range n.Content {
				walk(c)
			}
		}
		if d.Root != nil {
			walk(d.Root)
		}
	}
	return d.aliased[n]
}

// IsNull reports whether a node is null, written or not.
func IsNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// Quoted reports whether new keys and texts at this place are double-quoted, so that JSON stays JSON: the innermost
// mapping that has keys, from the value upwards, is in flow style and all its keys are double-quoted. A document that is
// {} alone is JSON too.
func (d *Document) Quoted(f Found) bool {
	for i := len(f.Chain) - 1; i >= 0; i-- {
		n := f.Chain[i]
		if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
			continue
		}
		if n.Style&yaml.FlowStyle == 0 {
			return false
		}
		for k := 0; k < len(n.Content); k += 2 {
			if n.Content[k].Style&yaml.DoubleQuotedStyle == 0 {
				return false
			}
		}
		return true
	}
	return len(f.Chain) > 0 && f.Chain[0].Kind == yaml.MappingNode && f.Chain[0].Style&yaml.FlowStyle != 0
}

// InFlow reports whether the value, or a collection around it, is in flow style.
func (f Found) InFlow() bool {
	for _, n := range f.Chain {
		if n.Style&yaml.FlowStyle != 0 {
			return true
		}
	}
	return false
}

// ErrRefused is wrapped by the errors of edits that cannot be made without rewriting what was not asked for.
var ErrRefused = errors.New("cannot be edited in place")

func (d *Document) refuse(off int, why string) error {
	line, _ := span.Position(d.Source, off)
	return fmt.Errorf("line %d: %w: %s", line, ErrRefused, why)
}

// rest gives the end of the line on which something ends at off; only blanks and a comment may follow it there.
func (d *Document) rest(off int) (end int, err error) {
	end, _ = span.LineEnd(d.Source, off)
	for i := off; i < end; i++ {
		switch c := d.Source[i]; {
		case c == '#' && i > off:
			return end, nil
		case !blank(c):
			return 0, d.refuse(off, "something else follows on the line")
		}
	}
	return end, nil
}

// alone gives the beginning of the line of off, when only blanks stand before it there.
func (d *Document) alone(off int) (start int, ok bool) {
	start = max(span.LineStart(d.Source, off), 0)
	if start == 0 {
		start = d.base
	}
	for i := start; i < off; i++ {
		if d.Source[i] != ' ' && d.Source[i] != '\t' {
			return start, false
		}
	}
	return start, true
}
