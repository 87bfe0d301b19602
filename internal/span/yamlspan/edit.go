package yamlspan

import (
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
	switch {
	case p.Value.Len() == 0 && p.Whole.Len() == 0 && p.After < 0:
		return d.announce(f, p, text)
	case p.Value.Len() == 0:
		return []span.Splice{{Span: p.Value, Text: " " + text}}, nil
	case !block:
		return []span.Splice{{Span: p.Value, Text: text}}, nil
	}
	// What stands on the first line: the header of a scalar, or nothing, or the beginning of a collection.
	first, _ := span.LineEnd(d.Source, p.Value.Start)
	if n.Kind == yaml.ScalarNode {
		head := p.Value.Start
		for head < first && !blank(d.Source[head]) {
			head++
		}
		cut := []span.Splice{{Span: span.Span{Start: p.Value.Start, End: head}, Text: text}}
		if p.Value.End > first {
			cut = append(cut, span.Splice{Span: span.Span{Start: first, End: p.Value.End}})
		}
		return cut, nil
	}
	before := p.After // the end of what announces the collection
	if p.Whole.Start < p.Value.Start {
		_, before = (&layout{d: d, src: d.Source}).properties(n, p.Whole.Start)
	}
	if before < 0 {
		return []span.Splice{{Span: p.Value, Text: text}}, nil
	}
	line, _ := span.LineEnd(d.Source, before)
	if p.Value.Start <= line { // "- - a"
		return []span.Splice{{Span: p.Value, Text: text}}, nil
	}
	return []span.Splice{
		{Span: span.Span{Start: before, End: before}, Text: " " + text},
		{Span: span.Span{Start: line, End: p.Value.End}},
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
	prev, next, err := d.neighbours(f)
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
	case !alone && next == nil:
		return nil, d.refuse(p.Entry.Start, "something else stands before it on the line")
	case !alone:
		return cut(p.Entry.Start, next.Entry.Start)
	case brk == "" && start > d.base: // the last line has no break, and shall have none
		before := start - 1
		if before > 0 && d.Source[before-1] == '\r' {
			before--
		}
		return cut(before, end)
	default:
		return cut(start, end+len(brk))
	}
}

// neighbours gives the places of the entries before and after, nil where there is none.
func (d *Document) neighbours(f Found) (prev, next *Place, err error) {
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
			return place(i - step), place(i + step), err
		}
	}
	return nil, nil, err
}
