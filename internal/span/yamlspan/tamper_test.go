package yamlspan_test

import (
	"errors"
	"testing"

	"gopkg.in/yaml.v3"

	"example.com/ambit/internal/span/yamlspan"
)

// TestTamperedNodes: where the text is not as the nodes say, there is no place and no edit, rather than a wrong one.
func TestTamperedNodes(t *testing.T) {
	value := func(s string) func(*yaml.Node) { return func(n *yaml.Node) { n.Value = s } }
	style := func(s yaml.Style) func(*yaml.Node) { return func(n *yaml.Node) { n.Style = s } }
	column := func(c int) func(*yaml.Node) { return func(n *yaml.Node) { n.Column = c } }
	more := func(n *yaml.Node) {
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "x", Line: 99})
	}
	less := func(n *yaml.Node) { n.Content = n.Content[:len(n.Content)-1] }
	for _, tt := range []struct {
		name, src, path string
		tamper          func(*yaml.Node)
	}{
		{"another text", "a: b\n", "a", value("c")},
		{"a longer text", "a: b\n", "a", value("b c")},
		{"words that stand together", "a: bc\n", "a", value("b c")},
		{"a shorter text", "a: b c\n", "a", value("b")},
		{"another column", "a: b\n", "a", column(2)},
		{"not double-quoted", "a: b\n", "a", style(yaml.DoubleQuotedStyle)},
		{"not single-quoted", "a: \"b\"\n", "a", style(yaml.SingleQuotedStyle)},
		{"not literal", "a: b\n", "a", style(yaml.LiteralStyle)},
		{"never closed", "a: 'b'\nc: d\"\n", "c", func(n *yaml.Node) { n.Style, n.Column = yaml.DoubleQuotedStyle, 5 }},
		{"an alias of another name", "a: &x 1\nb: *x\n", "b", value("y")},
		{"not an alias", "a: &x 1\nb: x\n", "b", func(n *yaml.Node) { n.Kind = yaml.AliasNode }},
		{"not a flow sequence", "a: {b: c}\n", "a", func(n *yaml.Node) { n.Kind = yaml.SequenceNode }},
		{"not a block sequence", "a: [b]\n", "a", style(0)},
		{"not a flow mapping", "a: [b, c, d, e]\n", "a", func(n *yaml.Node) { n.Kind = yaml.MappingNode }},
		{"one item more", "a: [b]\n", "a", more},
		{"one item less", "a: [b, c]\n", "a", less},
		{"one block item more", "- a\n", "", more},
		{"a value that nothing announces", "{a, b: c}", "a", value("x")},
		{"something behind it all", "- a\n- b\n", "", less},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := parse(t, tt.src)
			f := locate(t, d, tt.path)
			tt.tamper(f.Value)
			if _, err := d.Place(d.Root); !errors.Is(err, yamlspan.ErrUnknownPlace) {
				t.Fatalf("Place: %v", err)
			}
			entry := yamlspan.Entry{Key: "k"}
			_, insert := d.Insert(f, entry)
			_, replace := d.Replace(f, "x")
			_, add := d.Append(entry)
			for name, err := range map[string]error{"Insert": insert, "Replace": replace, "Append": add} {
				if !errors.Is(err, yamlspan.ErrUnknownPlace) {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}
