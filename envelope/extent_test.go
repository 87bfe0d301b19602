package envelope

import (
	"testing"

	"gopkg.in/yaml.v3"
)

// Where the bytes are not what the parser is said to have read, the extent is not known.
func TestExtentsThatCannotBe(t *testing.T) {
	for src, find := range map[string]func([]byte) (int, bool){
		`x`:      func(b []byte) (int, bool) { return endOfDoubleQuoted(b, 0) },
		`"x\"`:   func(b []byte) (int, bool) { return endOfDoubleQuoted(b, 0) },
		`"`:      func(b []byte) (int, bool) { return endOfDoubleQuoted(b, 0) },
		"x ":     func(b []byte) (int, bool) { return endOfSingleQuoted(b, 0) },
		`'x''`:   func(b []byte) (int, bool) { return endOfSingleQuoted(b, 0) },
		"abc":    func(b []byte) (int, bool) { return endOfPlain(b, 0, "abd") },
		"ab":     func(b []byte) (int, bool) { return endOfPlain(b, 0, "abc") },
		"a\nb":   func(b []byte) (int, bool) { return endOfPlain(b, 0, "axb") },
		"a\n\nb": func(b []byte) (int, bool) { return endOfPlain(b, 0, "a\nx") },
		"a \n ":  func(b []byte) (int, bool) { return endOfPlain(b, 0, "a b") },
		"-":      func(b []byte) (int, bool) { return endOfBlock(b, 0, '|', 0) },
		"":       func(b []byte) (int, bool) { return endOfBlock(b, 0, '|', 0) },
	} {
		if end, ok := find([]byte(src)); ok {
			t.Errorf("%q ends at %d", src, end)
		}
	}
	if end, ok := endOfBlock([]byte("|\n"), 0, '|', 0); !ok || end != 1 {
		t.Errorf("an empty literal ends at %d, %v", end, ok)
	}
}

// A tree whose positions are not those of the bytes is refused, not trusted.
func TestPositionsThatCannotBe(t *testing.T) {
	data := []byte("---\na: 'b'\nc: [d]\n---\n")
	f, _ := findFront(data)
	var doc yaml.Node
	if err := yaml.Unmarshal(data[f.start:f.stop], &doc); err != nil {
		t.Fatal(err)
	}
	for _, spoil := range []func(*yaml.Node){
		func(b *yaml.Node) { b.Line = 99 },
		func(b *yaml.Node) { b.Column = 99 },
		func(b *yaml.Node) { b.Column++ },
		func(b *yaml.Node) { b.Style = yaml.DoubleQuotedStyle },
		func(b *yaml.Node) { b.Style = yaml.LiteralStyle },
		func(b *yaml.Node) { b.Style = yaml.FoldedStyle },
		func(b *yaml.Node) { b.Style = 0 },
	} {
		root := *doc.Content[0]
		b := *root.Content[1]
		root.Content = []*yaml.Node{root.Content[0], &b}
		spoil(&b)
		p := &parser{data: data, f: f, lines: []int{4, 11}}
		if p.node(&root, "", -1, 1); len(p.problems) == 0 {
			t.Errorf("trusted: line %d, column %d, style %d", b.Line, b.Column, b.Style)
		}
	}
	p := &parser{data: []byte("[a"), f: front{stop: 2}}
	if p.closing(&node{end: 2}); len(p.problems) != 1 {
		t.Error("a bracket that is not closed is trusted")
	}
}
