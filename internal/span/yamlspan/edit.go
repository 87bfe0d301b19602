package yamlspan

import (
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ambit/internal/span"
)

// Replace gives the splices that put text, YAML on one line that suits the place, in the place of a value. Its anchor
// and tag, and a comment on its first line, stay. A value that is not written comes to be right after its colon; a
// block collection or block scalar gives way to one line, with the comments inside it.
func (d *Document) Replace(f Found, text string) ([]span.Splice, error) {
	p, err := d.Place(f.Value)
	if err != nil {
		return nil, err
	}
	n := f.Value
	block := n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 ||
		(n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) && n.Style&yaml.FlowStyle == 0
	if p.Whole.Start < p.Value.Start && p.Value.Len() > 0 && !blank(d.Source[p.Value.Start-1]) {
		text = " " + text // "&a:b" is the anchor a and the text ":b"
	}
	switch {
	case p.Value.Len() == 0 && p.Whole.Len() == 0 && p.After < 0:
		return d.announce(f, p, text)
	case p.Value.Len() == 0:
		return []span.Splice{{Span: p.Value, Text: " " + text}}, nil
	case !block:
		return []span.Splice{{Span: p.Value, Text: text}}, nil
	}
	before := p.After // the end of what announces the value
	if p.Whole.Start < p.Value.Start {
		_, before = (&layout{d: d, src: d.Source}).properties(n, p.Whole.Start)
	}
	if before >= 0 {
		if line, _ := span.LineEnd(d.Source, before); p.Value.Start > line { // it begins further below
			return []span.Splice{
				{Span: span.Span{Start: before, End: before}, Text: " " + text},
				{Span: span.Span{Start: line, End: p.Value.End}},
			}, nil
		}
	}
	first, _ := span.LineEnd(d.Source, p.Value.Start)
	if n.Kind != yaml.ScalarNode {
		return []span.Splice{{Span: p.Value, Text: text}}, nil
	}
	// The header of a block scalar gives way, a comment behind it stays, and the lines go.
	head := p.Value.Start
	for head < first && strings.IndexByte("|>+-0123456789", d.Source[head]) >= 0 {
		head++
	}
	if head < first && d.Source[head] == '#' { // yaml.v3 takes that for a comment
		text += " "
	}
	return []span.Splice{
		{Span: span.Span{Start: p.Value.Start, End: head}, Text: text},
		{Span: span.Span{Start: first, End: max(first, p.Value.End)}},
	}, nil
}

// announce writes the colon too, after a key that has none.
func (d *Document) announce(f Found, p Place, text string) ([]span.Splice, error) {
	if f.Key == nil || !f.InFlow() || p.Entry.Len() == 0 || d.Source[p.Entry.Start] == '?' {
		return nil, d.refuse(p.Whole.Start, "the key has no colon")
	}
	return []span.Splice{{Span: p.Whole, Text: ": " + text}}, nil
}

// openColon reports whether a value ends, at off, in a colon with nothing behind it. In flow style a blank must follow
// that: yaml.v3 reads "a:," as a text that ends in a colon.
func (d *Document) openColon(n *yaml.Node, off int) bool {
	for len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	p := d.places[n]
	return unwritten(n) && p.After == off && p.Whole.End == off
}

// lastBlockScalar gives the scalar that ends a value, when it is literal or folded, else nil.
func lastBlockScalar(n *yaml.Node) *yaml.Node {
	for n != nil && len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	if n == nil || n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		return nil
	}
	return n
}
