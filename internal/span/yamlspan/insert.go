package yamlspan

import (
	"bytes"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ambit/internal/span"
)

// Entry is a key to insert, with its value: YAML on one line, written for the place by the caller; or, when Children
// is not nil, a mapping of these, in block style where the place is in block style.
type Entry struct {
	Key      string
	Value    string
	Children []Entry
}

// defaultStep is how much deeper a nested block is, in a file that does not show its own step.
const defaultStep = 2

// Insert gives the splices that add entries at the end of a mapping, or of the root's mapping for a document that
// holds nothing. In block style each is a line of its own below the last entry's last line, before blank lines and
// comments, indented as the others; in flow style it stands before the closing brace, on a line of its own where the
// last one has one. A null value becomes a mapping. Keys are double-quoted where Quoted says so.
func (d *Document) Insert(f Found, entries ...Entry) ([]span.Splice, error) {
	if f.Value == nil && d.Root == nil {
		return d.Append(entries...)
	}
	p, err := d.Place(f.Value)
	if err != nil {
		return nil, err
	}
	n := f.Value
	switch {
	case n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle != 0:
		return d.intoFlow(f, p, d.flowEntries(f, entries))
	case n.Kind == yaml.MappingNode:
		last, err := d.Place(n.Content[len(n.Content)-1])
		if err != nil {
			return nil, err
		}
		return d.below(last.Entry.End, d.blockEntries(d.columnOf(n), d.step(f), entries))
	case !IsNull(n):
		return nil, d.refuse(p.Whole.Start, "not a mapping")
	case f.InFlow() || f.Parent == nil:
		return d.Replace(f, "{"+strings.Join(d.flowEntries(f, entries), ", ")+"}")
	}
	column := d.column(p.Entry.Start) + d.step(f)
	if f.Key == nil {
		column = d.column(p.Entry.Start) + defaultStep
	}
	return d.underNull(p, d.blockEntries(column, d.step(f), entries))
}

// Append gives the splices that add entries as the last lines of the document, below all comments and blank lines and
// before its end marker. A root in flow style takes them inside.
func (d *Document) Append(entries ...Entry) ([]span.Splice, error) {
	end, column := (&layout{d: d, src: d.Source}).head(), 0
	if d.Root != nil {
		f, _ := d.Locate()
		p, err := d.Place(d.Root)
		switch {
		case err != nil:
			return nil, err
		case d.Root.Kind != yaml.MappingNode, d.Root.Style&yaml.FlowStyle != 0:
			return d.Insert(f, entries...)
		}
		if end, err = d.rest(p.Whole.End); err != nil {
			return nil, err
		}
		column = d.columnOf(d.Root)
	}
	lines := d.blockEntries(column, d.step(Found{Value: d.Root, Chain: []*yaml.Node{d.Root}}), entries)
	for off := end; ; {
		e, brk := span.LineEnd(d.Source, off)
		off = e + len(brk)
		if brk == "" {
			end = len(d.Source)
			break
		}
		if d.marker(off) {
			end = off
			break
		}
	}
	if end == len(d.Source) && end > d.base && d.Source[end-1] != '\n' { // it has no final newline, and gets none
		return d.below(end, lines)
	}
	brk := span.Break(d.Source, max(end-1, 0))
	return []span.Splice{{Span: span.Span{Start: end, End: end}, Text: strings.Join(lines, brk) + brk}}, nil
}

// below puts lines under the line on which something ends at off.
func (d *Document) below(off int, lines []string) ([]span.Splice, error) {
	end, err := d.rest(off)
	if err != nil {
		return nil, err
	}
	if _, brk := span.LineEnd(d.Source, end); brk == "" && lastBlockScalar(d.Root) != nil {
		return nil, d.refuse(end, "the block scalar at the end would get the line break that it lacks")
	}
	brk := span.Break(d.Source, end)
	return []span.Splice{{Span: span.Span{Start: end, End: end}, Text: brk + strings.Join(lines, brk)}}, nil
}

// underNull removes what is written for null or an empty collection, with the blanks before it, and puts lines below.
func (d *Document) underNull(p Place, lines []string) ([]span.Splice, error) {
	line, _ := span.LineEnd(d.Source, max(p.After, 0))
	if p.After < 0 || p.Value.End > line {
		return nil, d.refuse(p.Whole.Start, "the value does not stand on its key's line")
	}
	splices, err := d.below(p.Value.End, lines)
	if err == nil && p.Value.Len() > 0 {
		start := p.Value.Start
		for start > p.After && blank(d.Source[start-1]) {
			start--
		}
		splices = append(splices, span.Splice{Span: span.Span{Start: start, End: p.Value.End}})
	}
	return splices, err
}

func (d *Document) blockEntries(column, step int, entries []Entry) []string {
	var lines []string
	for _, e := range entries {
		line := strings.Repeat(" ", column) + e.Key + ":"
		if e.Children == nil && e.Value != "" {
			line += " " + e.Value
		}
		lines = append(lines, line)
		lines = append(lines, d.blockEntries(column+step, step, e.Children)...)
	}
	return lines
}

func (d *Document) flowEntries(f Found, entries []Entry) []string {
	quoted := d.Quoted(f)
	var texts func([]Entry) []string
	texts = func(entries []Entry) []string {
		var out []string
		for _, e := range entries {
			text := e.Key + ":"
			if quoted {
				text = strconv.Quote(e.Key) + ":"
			}
			switch {
			case e.Children != nil:
				text += " {" + strings.Join(texts(e.Children), ", ") + "}"
			case e.Value != "":
				text += " " + e.Value
			}
			out = append(out, text)
		}
		return out
	}
	return texts(entries)
}

// intoFlow puts texts before the closing bracket.
func (d *Document) intoFlow(f Found, p Place, texts []string) ([]span.Splice, error) {
	n := f.Value
	inside := span.Span{Start: p.Value.Start + 1, End: p.Value.End - 1}
	if len(n.Content) == 0 {
		text := strings.Join(texts, ", ")
		if len(bytes.TrimSpace(inside.Of(d.Source))) > 0 { // a comment
			return []span.Splice{{Span: span.Span{Start: inside.Start, End: inside.Start}, Text: text}}, nil
		}
		return []span.Splice{{Span: inside, Text: text}}, nil
	}
	last, err := d.Place(n.Content[len(n.Content)-1])
	if err != nil {
		return nil, err
	}
	if last.Entry.Start == p.Value.Start {
		return nil, d.refuse(p.Value.Start, "a pair without braces")
	}
	end, comma := last.Entry.End, ","
	if d.openColon(n.Content[len(n.Content)-1], end) {
		comma = " ,"
	}
	start, own := d.alone(last.Entry.Start)
	line, _ := span.LineEnd(d.Source, end)
	next := (&layout{d: d, src: d.Source}).skip(end)
	trailing := d.Source[next] == ','
	if trailing && next >= line { // a comma at the beginning of the next line
		line, _ = span.LineEnd(d.Source, next)
	}
	if !own || line >= p.Value.End { // on one line
		return []span.Splice{{Span: span.Span{Start: end, End: end}, Text: comma + " " + strings.Join(texts, ", ")}}, nil
	}
	brk := span.Break(d.Source, line) + string(d.Source[start:last.Entry.Start])
	text := brk + strings.Join(texts, ","+brk)
	if trailing {
		return []span.Splice{{Span: span.Span{Start: line, End: line}, Text: text + ","}}, nil
	}
	return []span.Splice{
		{Span: span.Span{Start: end, End: end}, Text: comma},
		{Span: span.Span{Start: line, End: line}, Text: text},
	}, nil
}

// column gives the column from 0, in characters, of an offset.
func (d *Document) column(off int) int { return (&layout{d: d, src: d.Source}).column(off) }

// columnOf gives the column of the first entry of a block collection; the spans are computed.
func (d *Document) columnOf(n *yaml.Node) int { return d.column(d.places[n].Value.Start) }

// step gives by how much a block mapping inside the value is indented more than the value's own entries: as much as
// the nearest block mapping upwards is more than the one around it, else as the first of the document.
func (d *Document) step(f Found) int {
	isBlock := func(n *yaml.Node) bool {
		return n != nil && n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0
	}
	for i := len(f.Chain) - 1; i > 0; i-- {
		if isBlock(f.Chain[i]) && isBlock(f.Chain[i-1]) {
			if s := d.columnOf(f.Chain[i]) - d.columnOf(f.Chain[i-1]); s > 0 {
				return s
			}
		}
	}
	step := 0
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		for i := 1; isBlock(n) && i < len(n.Content) && step == 0; i += 2 {
			if isBlock(n.Content[i]) {
				step = d.columnOf(n.Content[i]) - d.columnOf(n)
			}
			walk(n.Content[i])
		}
	}
	if d.Root != nil {
		walk(d.Root)
	}
	if step <= 0 {
		return defaultStep
	}
	return step
}
