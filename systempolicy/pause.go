package systempolicy

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.com/ambit/internal/span"
	"example.com/ambit/internal/span/yamlspan"
	"gopkg.in/yaml.v3"
)

// Pause writes autonomy.paused: true at the top level of a system.yaml and moves no other byte (E6). It is the emergency
// stop: the file need not be valid, as long as it is YAML and there is a safe place for the key (E8). A file that is
// paused already is not changed.
func Pause(name string, data []byte) (Edited, error) { return editPaused(name, data, true) }

// Resume writes false in the place of autonomy.paused; it never deletes the key, since who paused often stands in the
// comment beside it. Where it is absent there is nothing to do. The file must be valid. (E6)
func Resume(name string, data []byte) (Edited, error) {
	if _, err := Parse(name, data); err != nil {
		return Edited{}, err
	}
	return editPaused(name, data, false)
}

func editPaused(name string, data []byte, pause bool) (Edited, error) {
	doc, err := document(name, data)
	if err != nil {
		return Edited{}, err
	}
	e := editor{doc: doc}
	splices, changed, err := e.paused(pause)
	if err != nil {
		return Edited{}, refused(name, "", err)
	}
	if len(splices) == 0 {
		if now, _ := Parse(name, data); now.Paused() && !pause { // by a merge key
			return Edited{}, refused(name, "", fmt.Errorf("%w: autonomy.paused", ErrShared))
		}
		return Edited{Data: data}, nil
	}
	out, err := span.Apply(data, splices...)
	if err != nil {
		return Edited{}, refused(name, "", err)
	}
	if _, err := doc.Check(out, changed); err != nil {
		return Edited{}, refused(name, "", fmt.Errorf("%w: %w", ErrUnplaced, err))
	}
	if after, _ := Parse(name, out); after.Paused() != pause {
		return Edited{}, refused(name, "", fmt.Errorf("%w: the edited file does not say what was asked for", ErrUnplaced))
	}
	return Edited{Data: out, Changed: true}, nil
}

// paused gives the splices that set the pause, and the path that they change.
func (e *editor) paused(pause bool) (splices []span.Splice, changed []any, err error) {
	text := fmt.Sprint(pause)
	if root := e.doc.Root; root != nil && root.Kind != yaml.MappingNode {
		return nil, nil, fmt.Errorf("%w: the file holds no mapping", ErrUnplaced)
	}
	if twice(e.doc.Root, "autonomy") {
		return nil, nil, fmt.Errorf("%w: autonomy is there twice", ErrUnplaced)
	}
	top, ok := e.doc.Locate("autonomy")
	if !ok {
		if !pause {
			return nil, nil, nil
		}
		top.Value = e.doc.Root
		if top.Value != nil {
			top.Chain = []*yaml.Node{e.doc.Root}
		}
		key := style{quoted: top.Value != nil && e.doc.Quoted(top)}.key("paused")
		line := yamlspan.Entry{Key: "autonomy", Value: "{" + key + ": " + text + "}"}
		if splices, err = e.doc.Append(line); err != nil {
			if first, ok := e.first(line); ok {
				splices, err = first, nil
			}
		}
		return splices, []any{"autonomy"}, unplaced(err)
	}
	if top, err = e.find("autonomy"); err != nil {
		return nil, nil, err
	}
	if twice(top.Value, "paused") {
		return nil, nil, fmt.Errorf("%w: autonomy.paused is there twice", ErrUnplaced)
	}
	flag, err := e.find("autonomy", "paused")
	switch {
	case err != nil:
		return nil, nil, err
	case flag.Value == nil && !pause:
		return nil, nil, nil
	case flag.Value == nil && top.Value.Kind == yaml.ScalarNode && top.Value.Style&yaml.TaggedStyle != 0: // "autonomy: !!null"
		p, err := e.doc.Place(top.Value)
		return []span.Splice{{Span: p.Whole, Text: "{paused: " + text + "}"}}, []any{"autonomy"}, unplaced(err)
	case flag.Value == nil:
		splices, err = e.doc.Insert(top, yamlspan.Entry{Key: "paused", Value: text})
		return splices, []any{"autonomy", "paused"}, unplaced(err)
	}
	if v, ok := read(flag.Value); ok && v.kind == kindBool && v.isTrue() == pause {
		return nil, nil, nil
	}
	if e.lends(flag.Value) {
		return nil, nil, fmt.Errorf("%w: autonomy.paused", ErrShared)
	}
	if splices, err = e.doc.Replace(flag, text); err == nil {
		p, _ := e.doc.Place(flag.Value)
		tag := e.doc.Source[p.Whole.Start:p.Value.Start]
		if bytes.Contains(tag, []byte("!")) && !bytes.Contains(tag, []byte("!!bool")) {
			splices = []span.Splice{{Span: p.Whole, Text: text}} // with such a tag it would be no boolean
		}
	}
	return splices, []any{"autonomy", "paused"}, unplaced(err)
}

// first gives the splices that put a line before the first entry of a block mapping at the root, for where the end of the
// document has no place for one: stopping must not fail for the want of a line break.
func (e *editor) first(line yamlspan.Entry) ([]span.Splice, bool) {
	root := e.doc.Root
	if root == nil || root.Style&yaml.FlowStyle != 0 || len(root.Content) == 0 {
		return nil, false
	}
	p, err := e.doc.Place(root.Content[0])
	if err != nil {
		return nil, false
	}
	src := e.doc.Source
	start := max(span.LineStart(src, p.Entry.Start), len(src)-len(bytes.TrimPrefix(src, []byte("\ufeff"))))
	indent := string(src[start:p.Entry.Start])
	if strings.Trim(indent, " ") != "" {
		return nil, false
	}
	brk := span.Break(src, start)
	return []span.Splice{{Span: span.Span{Start: p.Entry.Start, End: p.Entry.Start}, Text: line.Key + ": " + line.Value + brk + indent}}, true
}

func unplaced(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrUnplaced, err)
}

// twice reports whether a mapping has a key more than once.
func twice(n *yaml.Node, name string) bool {
	if n == nil || n.Kind != yaml.MappingNode {
		return false
	}
	var names []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		names = append(names, follow(n.Content[i]).Value)
	}
	i := slices.Index(names, name)
	return i >= 0 && slices.Contains(names[i+1:], name)
}
