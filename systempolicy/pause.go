package systempolicy

import (
	"fmt"
	"slices"

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
	doc, err := yamlspan.Parse(data, yamlspan.Limits{Bytes: MaxBytes, Depth: MaxDepth, Aliases: MaxAliases})
	if err != nil {
		return Edited{}, named(name, err)
	}
	e := editor{doc: doc}
	splices, changed, err := e.paused(pause)
	if err != nil {
		return Edited{}, refused(name, "", err)
	}
	if len(splices) == 0 {
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
		splices, err = e.doc.Append(yamlspan.Entry{Key: "autonomy", Value: "{" + key + ": " + text + "}"})
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
	case flag.Value == nil:
		splices, err = e.doc.Insert(top, yamlspan.Entry{Key: "paused", Value: text})
		return splices, []any{"autonomy", "paused"}, unplaced(err)
	}
	if v, ok := read(flag.Value); ok && v.kind == kindBool && v.isTrue() == pause {
		return nil, nil, nil
	}
	splices, err = e.doc.Replace(flag, text)
	return splices, []any{"autonomy", "paused"}, unplaced(err)
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
