package systempolicy

import (
	"errors"
	"fmt"
	"sort"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
	"gopkg.in/yaml.v3"
)

// LoadRendered reads an autonomy.json; name is for messages. The System is never nil and judges as the system.yaml that
// it was rendered from. What cannot be told acts as observe where it stands: the whole file when it cannot be read or has
// an unknown version, an environment that lacks a key, an unknown level (A-render-3). The error then says so. A missing
// file is observe everywhere, which is what a nil System judges.
func LoadRendered(name string, data []byte) (*System, error) {
	s := &System{envs: map[string]*environment{}, components: map[string]*component{}, declared: true, invalid: true, broken: true, paused: true}
	v, err := canonjson.Parse(name, data, canonjson.Limits{MaxBytes: MaxRenderedBytes, MaxDepth: MaxDepth})
	if err != nil {
		return s, err
	}
	l := loader{data: data}
	l.reader = &reader{at: l.at}
	if n, ok := v.Get("version").Int64(); !ok || n != Version {
		l.complain(v.Get("version"), "version", CodeNotAllowed, "the version is unknown", fmt.Sprint(Version))
		return s, l.list(name)
	}
	s.broken = false
	s.paused = l.paused(v.Get("paused"))
	for k, e := range l.object(v.Get("environments"), "environments", &s.broken) {
		s.envs[k] = l.environment(e, join("environments", k), k == "prod")
	}
	for c, component := range l.object(v.Get("components"), "components", &s.broken) {
		s.components[c] = l.component(component.Get("instances"), join(join("components", c), "instances"))
	}
	s.invalid = len(l.problems) > 0
	if !s.invalid {
		l.effective(s, v)
		s.invalid = len(l.problems) > 0
	}
	return s, l.list(name)
}

// MaxRenderedBytes bounds an autonomy.json: the defaults filled in make it larger than its system.yaml.
const MaxRenderedBytes = 16 << 20

// loader reads an autonomy.json through the reader of policies.
type loader struct {
	*reader
	data  []byte
	lines []int // offsets of the line starts
}

// at gives the place of a node, whose Line holds its offset plus one.
func (l *loader) at(n *yaml.Node) (line, col int) {
	if l.lines == nil {
		l.lines = []int{0}
		for i, c := range l.data {
			if c == '\n' {
				l.lines = append(l.lines, i+1)
			}
		}
	}
	offset := n.Line - 1
	line = sort.SearchInts(l.lines, offset+1)
	return line, offset - l.lines[line-1] + 1
}

func (l *loader) list(name string) error {
	var list fault.List
	for _, p := range l.problems {
		p.File = name
		list.Add(p)
	}
	return list.Err()
}

func (l *loader) complain(v canonjson.Value, key, code, sentence string, allowed ...string) {
	if !v.Exists() {
		l.problems = append(l.problems, &Error{Key: key, Code: CodeMissing, Err: errors.New("the key is missing"), Allowed: allowed})
		return
	}
	l.problem(l.node(v), key, code, sentence, allowed...)
}

// CodeMissing is the code of an Error for a key that an autonomy.json must have.
const CodeMissing = "missing"

// node makes a value the node that it would be in YAML.
func (l *loader) node(v canonjson.Value) *yaml.Node {
	start, _ := v.Span()
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: start + 1}
	switch v.Kind() {
	case canonjson.KindObject:
		n.Kind = yaml.MappingNode
		for k, item := range v.Members() {
			n.Content = append(n.Content, l.node(k), l.node(item))
		}
	case canonjson.KindArray:
		n.Kind = yaml.SequenceNode
		for item := range v.Items() {
			n.Content = append(n.Content, l.node(item))
		}
	case canonjson.KindString:
		n.Style, n.Value = yaml.DoubleQuotedStyle, v.Text()
	default:
		n.Value = v.Raw()
	}
	return n
}

// object walks the members of what must be an object; otherwise broken is set.
func (l *loader) object(v canonjson.Value, key string, broken *bool) func(yield func(string, canonjson.Value) bool) {
	if !v.Is(canonjson.KindObject) {
		l.complain(v, key, CodeWrongType, "this is no object", allowedMapping...)
		*broken = true
	}
	return func(yield func(string, canonjson.Value) bool) {
		for k, item := range v.Members() {
			if !yield(k.Text(), item) {
				return
			}
		}
	}
}

// paused reads a pause; one that cannot be told is a pause.
func (l *loader) paused(v canonjson.Value) bool {
	if !v.Is(canonjson.KindBool) {
		l.complain(v, "paused", CodeWrongType, "a pause is true or false", allowedBool...)
		return true
	}
	return v.True()
}

// environment reads one environment's policy, every key of which must be there.
func (l *loader) environment(v canonjson.Value, path string, prod bool) *environment {
	before := len(l.problems)
	n := l.node(v)
	n.Content = without(n.Content, func(k, val *yaml.Node) bool {
		return k.Value == "effective" || k.Value == "engine" && val.Value == "null" && val.Style == 0
	})
	p, w := l.policy(n, path, Default(), prod)
	if missing := allKeys &^ w.keys &^ w.bad; missing&^(1<<KeyEngine) != 0 || !v.Get("engine").Exists() {
		for k := range missing.All() {
			if k != KeyEngine || !v.Get("engine").Exists() {
				l.complain(canonjson.Value{}, join(path, k.String()), CodeMissing, "")
			}
		}
	}
	env := &environment{policy: p, declared: true, written: allKeys, invalid: len(l.problems) > before}
	if env.invalid {
		env.policy.judged = 0
	}
	return env
}

func without(content []*yaml.Node, drop func(k, v *yaml.Node) bool) (out []*yaml.Node) {
	for i := 0; i+1 < len(content); i += 2 {
		if !drop(content[i], content[i+1]) {
			out = append(out, content[i], content[i+1])
		}
	}
	return out
}

func (l *loader) component(v canonjson.Value, path string) *component {
	c := &component{instances: map[string]*instance{}}
	for env, i := range l.object(v, path, &c.broken) {
		max := i.Get("max")
		in := &instance{capped: !max.Is(canonjson.KindNull)}
		if level, err := ParseLevel(max.Text()); err == nil {
			in.max = level
		} else if in.capped {
			l.complain(max, join(join(path, env), "max"), CodeNotAllowed, fmt.Sprintf("%s is no level", max.Raw()), allowedLevels...)
		}
		c.instances[env] = in
	}
	return c
}

// effective compares the levels that the file says with those that follow from the rest of it: a file in which they
// differ was not rendered, and acts as observe there.
func (l *loader) effective(s *System, v canonjson.Value) {
	for env, e := range v.Get("environments").Members() {
		want := s.Effective(env.Text(), "", Signals{})
		if got := e.Get("effective"); got.Text() != want.String() {
			l.complain(got, "environments."+env.Text()+".effective", CodeNotAllowed, fmt.Sprintf("%s does not follow from the rest of the file", got.Raw()), want.String())
			s.envs[env.Text()].invalid = true
		}
	}
	for c, component := range v.Get("components").Members() {
		for env, i := range component.Get("instances").Members() {
			want := s.Effective(env.Text(), c.Text(), Signals{})
			if got := i.Get("effective"); got.Text() != want.String() && !(s.Has(env.Text()) && s.envs[env.Text()].invalid) {
				l.complain(got, "components."+c.Text()+".instances."+env.Text()+".effective", CodeNotAllowed, fmt.Sprintf("%s does not follow from the rest of the file", got.Raw()), want.String())
				*s.components[c.Text()].instances[env.Text()] = instance{capped: true}
			}
		}
	}
}
