package yamlspan

import (
	"bytes"
	"strings"

	"example.com/ambit/internal/span"
	"gopkg.in/yaml.v3"
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

// Delete gives the splices that remove an entry of a mapping or an item of a sequence: its whole lines, with a comment
// behind it, where it stands alone on them; else from its first byte to that of the next. In flow style one comma goes
// with it. The only entry of a block collection is refused, since what would stay is null.
func (d *Document) Delete(f Found) ([]span.Splice, error) {
	if f.Parent == nil {
		return nil, d.refuse(d.base, "the root cannot be deleted")
	}
	p, err := d.Place(f.Value)
	if err != nil {
		return nil, err
	}
	before, prev, next, err := d.neighbours(f)
	if err != nil {
		return nil, err
	}
	cut := func(start, end int) ([]span.Splice, error) {
		return []span.Splice{{Span: span.Span{Start: start, End: end}}}, nil
	}
	if f.Parent.Style&yaml.FlowStyle != 0 {
		around, err := d.Place(f.Parent)
		switch {
		case err != nil:
			return nil, err
		case around.Value.Start == p.Entry.Start:
			return nil, d.refuse(p.Entry.Start, "a pair without braces")
		case next != nil:
			return cut(p.Entry.Start, next.Entry.Start)
		case prev != nil && d.openColon(before, prev.Entry.End):
			return []span.Splice{{Span: span.Span{Start: prev.Entry.End, End: p.Entry.End}, Text: " "}}, nil
		case prev != nil:
			return cut(prev.Entry.End, p.Entry.End)
		}
		return cut(around.Value.Start+1, around.Value.End-1)
	}
	if prev == nil && next == nil {
		return nil, d.refuse(p.Entry.Start, "the only entry")
	}
	end, err := d.rest(p.Entry.End)
	if err != nil {
		return nil, err
	}
	start, alone := d.alone(p.Entry.Start)
	switch _, brk := span.LineEnd(d.Source, end); {
	case d.absorbs(before, end+len(brk)):
		return nil, d.refuse(p.Entry.Start, "the block scalar above would take in the lines below")
	case !alone && next != nil:
		return cut(p.Entry.Start, next.Entry.Start)
	case brk == "" && start > d.base && lastBlockScalar(before) == nil: // the last line has no break, and shall have none
		start--
		if start > 0 && d.Source[start-1] == '\r' {
			start--
		}
		return cut(start, end)
	default:
		return cut(start, end+len(brk))
	}
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

// absorbs reports whether the lines from off on, coming right below a value, would become part of its block scalar: an
// indented comment, blanks, and empty ones, if it keeps them.
func (d *Document) absorbs(n *yaml.Node, off int) bool {
	scalar := lastBlockScalar(n)
	if scalar == nil {
		return false
	}
	start := d.places[scalar].Value.Start
	end, _ := span.LineEnd(d.Source, start)
	header, _, _ := bytes.Cut(d.Source[start:end], []byte(" "))
	for off < len(d.Source) {
		end, brk := span.LineEnd(d.Source, off)
		if line := d.Source[off:end]; len(bytes.TrimLeft(line, " \t")) > 0 {
			return line[0] == ' '
		} else if len(line) > 0 || bytes.Contains(header, []byte("+")) {
			return true
		}
		off = end + len(brk)
	}
	return false
}

// neighbours gives the value of the entry before, and the places of the entries before and after, nil where there is none.
func (d *Document) neighbours(f Found) (before *yaml.Node, prev, next *Place, err error) {
	step := 1
	if f.Parent.Kind == yaml.MappingNode {
		step = 2
	}
	place := func(i int) *Place {
		if i < 0 || i >= len(f.Parent.Content) || err != nil {
			return nil
		}
		var p Place
		p, err = d.Place(f.Parent.Content[i])
		return &p
	}
	for i, n := range f.Parent.Content {
		if n == f.Value {
			if i >= step {
				before = f.Parent.Content[i-step]
			}
			return before, place(i - step), place(i + step), err
		}
	}
	return nil, nil, nil, err
}
