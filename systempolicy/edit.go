package systempolicy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/span"
	"example.com/ambit/internal/span/yamlspan"
	"gopkg.in/yaml.v3"
)

// Why an edit is refused; the file is then not to be written.
var (
	ErrUnknownEnvironment = errors.New("no such environment")                                        // S15
	ErrShared             = errors.New("the bytes are shared by an anchor, an alias or a merge key") // E4
	ErrUnplaced           = errors.New("there is no safe place for the change")                      // the file is written in a way that leaves no place for the key
)

// Edited is a system.yaml after an edit.
type Edited struct {
	Data    []byte // the whole file; the bytes given, when nothing changed
	Changed bool   // false when the file says so already
	Keys    Keys   // the keys that were written
}

// Edit sets keys of one environment's autonomy and moves no other byte: an existing value's token is replaced, a missing
// key is added after the last entry of its mapping (section 8). It never makes an environment and never touches another
// or a component (S15). A key that already renders as asked is not written; an absent key is, also when it asks for the
// default (E9). The file must be valid before and after; the result is read again and held against what was asked for.
// The error holds the problems of the file, or wraps one of the sentinels.
func Edit(name string, data []byte, env string, patch Patch) (Edited, error) {
	sys, err := Parse(name, data)
	if err != nil {
		return Edited{}, err
	}
	doc, err := document(name, data)
	if err != nil {
		return Edited{}, err
	}
	if doc.Root == nil {
		return Edited{}, refused(name, env, ErrUnknownEnvironment)
	}
	e := editor{doc: doc, patch: patch, path: []any{"environments", env}}
	if err := e.set(sys); err != nil {
		return Edited{}, refused(name, env, err)
	}
	if e.keys.Empty() {
		return Edited{Data: data}, nil
	}
	out, err := span.Apply(data, e.splices...)
	if err != nil {
		return Edited{}, refused(name, env, err)
	}
	if _, err := doc.Check(out, e.changed...); err != nil {
		return Edited{}, refused(name, env, fmt.Errorf("%w: %w", ErrUnplaced, err))
	}
	after, err := Parse(name, out)
	if err != nil {
		return Edited{}, err
	}
	want := patch.Apply(before(sys, env))
	if got := after.Policy(env); Compare(want, got).Verdict != Equal || !patch.rendered(got) || after.Written(env) != sys.Written(env)|patch.keys {
		return Edited{}, refused(name, env, fmt.Errorf("%w: the edited file does not say what was asked for", ErrUnplaced))
	}
	return Edited{Data: out, Changed: true, Keys: e.keys}, nil
}

// before is an environment's policy before an edit; in a file that declares nothing all are at their defaults.
func before(sys *System, env string) Policy {
	if !sys.Declared() {
		return Default()
	}
	return sys.Policy(env)
}

// rendered reports whether a policy renders every key of the patch as it asks for it.
func (p Patch) rendered(by Policy) bool {
	for k := range p.keys.All() {
		if !p.sameText(k, by) {
			return false
		}
	}
	return true
}

// refused is an error of an edit, with the file and the key.
func refused(name, env string, err error) error {
	key := "autonomy"
	if env != "" {
		key = "environments." + env + ".autonomy"
	}
	return fault.List{{File: name, Key: key, Code: CodeRefused, Err: err}}.Err()
}

// CodeRefused is the code of an Error for an edit that was not made.
const CodeRefused = "refused"

// document reads a file for an edit. What is no YAML is said as Parse says it.
func document(name string, data []byte) (*yamlspan.Document, error) {
	if _, err := parseYAML(name, data); err != nil {
		return nil, err
	}
	doc, err := yamlspan.Parse(data, yamlspan.Limits{Bytes: MaxBytes, Depth: MaxDepth, Aliases: MaxAliases})
	for _, e := range fault.All(err) {
		e.File = name
	}
	return doc, err
}

// editor gathers the splices of one edit.
type editor struct {
	doc     *yamlspan.Document
	patch   Patch
	path    []any // of the environment
	splices []span.Splice
	changed [][]any
	keys    Keys
}

func (e *editor) set(sys *System) error {
	env, err := e.find(e.path...)
	if err != nil {
		return err
	}
	if env.Value == nil {
		return fmt.Errorf("%w: %v", ErrUnknownEnvironment, e.path[1])
	}
	todo := e.patch.keys
	for k := range todo.All() {
		if sys.Written(e.path[1].(string)).Has(k) && e.patch.sameText(k, sys.Policy(e.path[1].(string))) {
			todo &^= 1 << k
		}
	}
	if todo.Empty() {
		return nil
	}
	e.keys = todo
	return e.mapping(append(e.path, "autonomy"), policyEntries, todo, env)
}

// find follows a path as far as its text is the environment's own; the zero Found when it leads to nothing. (E4)
func (e *editor) find(path ...any) (yamlspan.Found, error) {
	f, ok := e.doc.Locate(path...)
	if ok {
		for _, n := range f.Chain {
			if n.Kind == yaml.AliasNode || e.doc.Aliased(n) {
				return f, fmt.Errorf("%w: %s", ErrShared, spelled(path))
			}
		}
		return f, nil
	}
	n := e.doc.Root
	for _, step := range path {
		if n = child(follow(n), step.(string)); n == nil {
			return yamlspan.Found{}, nil
		}
	}
	return f, fmt.Errorf("%w: %s", ErrShared, spelled(path))
}

// lends reports whether something inside a value is what an alias elsewhere stands for: it would go with the value. (E4)
func (e *editor) lends(n *yaml.Node) bool {
	return slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return e.doc.Aliased(c) || e.lends(c) })
}

func spelled(path []any) string {
	words := make([]string, len(path))
	for i, p := range path {
		words[i] = fmt.Sprint(p)
	}
	return strings.Join(words, ".")
}

// mapping writes keys below a mapping at path, which may be missing; its parent is there.
func (e *editor) mapping(path []any, entries []entry, todo Keys, parent yamlspan.Found) error {
	f, err := e.find(path...)
	if err != nil {
		return err
	}
	if f.Value == nil {
		if n := parent.Value; n.Kind == yaml.ScalarNode && n.Style&yaml.TaggedStyle != 0 {
			return fmt.Errorf("%w: %s has the tag %s", ErrUnplaced, spelled(path[:len(path)-1]), n.Tag)
		}
		return e.insert(parent, path, yamlspan.Entry{Key: path[len(path)-1].(string), Children: e.entries(entries, todo, e.style(parent))})
	}
	var missing []yamlspan.Entry
	for _, en := range entries {
		at := append(path[:len(path):len(path)], en.name)
		child, err := e.find(at...)
		switch {
		case todo&keysOf([]entry{en}) == 0:
			continue
		case err != nil:
			return err
		case child.Value == nil:
			missing = append(missing, e.entries([]entry{en}, todo, e.style(f))...)
			e.changed = append(e.changed, at)
			continue
		case en.under != nil:
			err = e.mapping(at, en.under, todo, f)
		default:
			err = e.replace(child, en.key)
		}
		if err != nil {
			return err
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return e.insert(f, nil, missing...)
}

func (e *editor) insert(f yamlspan.Found, changed []any, entries ...yamlspan.Entry) error {
	splices, err := e.doc.Insert(f, entries...)
	if err != nil {
		return unplaced(err)
	}
	e.splices = append(e.splices, splices...)
	if changed != nil {
		e.changed = append(e.changed, changed)
	}
	return nil
}

// style is how new text is written at a place.
type style struct{ flow, quoted bool }

func (e *editor) style(f yamlspan.Found) style { return style{f.InFlow(), e.doc.Quoted(f)} }

// entries gives new keys in the key table's order. A nested mapping is in flow style on one line. (E2, E3)
func (e *editor) entries(entries []entry, todo Keys, s style) []yamlspan.Entry {
	var out []yamlspan.Entry
	for _, en := range entries {
		switch {
		case todo&keysOf([]entry{en}) == 0:
		case en.under != nil:
			inner := style{flow: true, quoted: s.quoted}
			var parts []string
			for _, c := range e.entries(en.under, todo, inner) {
				parts = append(parts, inner.key(c.Key)+": "+c.Value)
			}
			out = append(out, yamlspan.Entry{Key: en.name, Value: "{" + strings.Join(parts, ", ") + "}"})
		default:
			out = append(out, yamlspan.Entry{Key: en.name, Value: s.text(e.patch, en.key)})
		}
	}
	return out
}

func (s style) key(name string) string {
	if s.quoted {
		return doubleQuoted(name)
	}
	return name
}

// text gives a new value: words plain, times in double quotes, and everything in quotes where JSON is to stay JSON.
func (s style) text(p Patch, k Key) string {
	text := p.text(k)
	switch keyForm[k] {
	case formBare:
		return text
	case formList:
		if s.quoted && text != "[]" {
			return `["` + strings.ReplaceAll(text[1:len(text)-1], ", ", `", "`) + `"]`
		}
		return text
	case formTime:
		return doubleQuoted(text)
	}
	if s.quoted || strings.HasSuffix(text, ":") || s.flow && strings.ContainsAny(text, ",[]{}") {
		return doubleQuoted(text)
	}
	return text
}

// form is how a key's value is written.
type form uint8

const (
	formWord form = iota // text, plain where it can be
	formTime             // text, always in quotes
	formBare             // a number or a boolean, never in quotes
	formList
)

var keyForm = [keys]form{
	KeyRoutes: formList, KeyMaxFiles: formBare, KeyMaxLines: formBare, KeyRegressionTest: formBare,
	KeySecondReview: formBare, KeyRunsPerDay: formBare, KeyMergesPerDay: formBare, KeyMinutes: formBare,
	KeyInvocations: formBare, KeyReruns: formBare, KeyCost: formBare, KeyDays: formList, KeyFrom: formTime, KeyTo: formTime,
}

// doubleQuoted quotes a word, in which nothing but a quote needs escaping: a URL has no backslash.
func doubleQuoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

// replace puts a key's new value in the place of its old one, in the quotes that this has. (E1)
func (e *editor) replace(f yamlspan.Found, k Key) error {
	text := e.style(f).text(e.patch, k)
	if form := keyForm[k]; form == formWord || form == formTime {
		switch {
		case f.Value.Style&yaml.DoubleQuotedStyle != 0:
			text = doubleQuoted(e.patch.text(k))
		case f.Value.Style&yaml.SingleQuotedStyle != 0:
			text = "'" + strings.ReplaceAll(e.patch.text(k), "'", "''") + "'"
		}
	}
	if e.lends(f.Value) {
		return fmt.Errorf("%w: %s", ErrShared, spelled(f.Path))
	}
	splices, err := e.doc.Replace(f, text)
	if err != nil {
		return unplaced(err)
	}
	if f.Value.Kind == yaml.SequenceNode && f.Value.Style&yaml.FlowStyle == 0 { // the comment behind its last item is the list's
		last := &splices[len(splices)-1]
		last.End, _ = span.LineEnd(e.doc.Source, last.End)
	}
	e.splices = append(e.splices, splices...)
	e.changed = append(e.changed, f.Path)
	return nil
}
