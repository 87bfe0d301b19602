package jsonspan

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/span"
)

// defaultIndent is one level's indent in a document that does not show its own.
const defaultIndent = "  "

// ErrKind says that a value is not of the kind that the edit needs.
var ErrKind = errors.New("the value is of another kind")

// Replace gives the splice that puts a new value in the place of one, laid out as the document is.
func (d *Document) Replace(f Found, value canonjson.Node) []span.Splice {
	return d.change(Span(f.Value), d.render(value, d.multiline(f.Value), d.lineIndent(Span(f.Value).Start)))
}

// SetItems gives the splices that make these the items of an array, each laid out as the array's own items are: on
// one line, or on lines of their own with their indent and line ends. A value that was parsed from this document keeps
// its spelling. Where the items are the same already there is no splice.
func (d *Document) SetItems(f Found, items []canonjson.Node) ([]span.Splice, error) {
	if !f.Value.Is(canonjson.KindArray) {
		return nil, ErrKind
	}
	l := d.layoutOf(f)
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = d.render(item, l.lines, l.indent)
	}
	var were []string
	for item := range f.Value.Items() {
		were = append(were, item.Raw())
	}
	switch {
	case slices.Equal(texts, were):
		return nil, nil
	case len(texts) == 0:
		return d.change(l.inside, ""), nil
	}
	return d.change(l.inside, l.lead+strings.Join(texts, l.between)+l.tail), nil
}

// Insert gives the splice that adds a member behind the last one of an object, laid out as the others are, its key not
// being there.
func (d *Document) Insert(f Found, key string, value canonjson.Node) ([]span.Splice, error) {
	if !f.Value.Is(canonjson.KindObject) || f.Value.Get(key).Exists() {
		return nil, ErrKind
	}
	l := d.layoutOf(f)
	text := string(canonjson.Compact(canonjson.String(key))) + l.colon + d.render(value, l.lines, l.indent)
	if f.Value.Empty() {
		return d.change(l.inside, l.lead+text+l.tail), nil
	}
	end := l.last.End
	return []span.Splice{{Span: span.Span{Start: end, End: end}, Text: l.between + text}}, nil
}

// Delete gives the splice that removes a member or an item, with one comma. The root has none.
func (d *Document) Delete(f Found) []span.Splice {
	e := f.Entry()
	switch {
	case !f.Parent.Exists():
		return nil
	case f.next.Len() > 0:
		e.End = f.next.Start
	case f.prev.Len() > 0:
		e.Start = f.prev.End
	default:
		e = inside(f.Parent)
	}
	return []span.Splice{{Span: e}}
}

func (d *Document) change(s span.Span, text string) []span.Splice {
	if string(s.Of(d.Source)) == text {
		return nil
	}
	return []span.Splice{{Span: s, Text: text}}
}

func inside(v canonjson.Value) span.Span {
	s := Span(v)
	return span.Span{Start: s.Start + 1, End: s.End - 1}
}

// layout is how the entries of a container stand in it.
type layout struct {
	lead, between, tail string // before the first entry, between two with the comma, after the last
	colon               string // with the blanks around it
	indent              string // of the lines of the entries
	lines               bool   // each entry has its own line
	inside, last        span.Span
}

// layoutOf reads the layout off what stands in the container; an empty one is laid out as the document is.
func (d *Document) layoutOf(f Found) layout {
	l := layout{inside: inside(f.Value), colon: d.colon()}
	var list []entry
	for e := range f.entries() {
		list = append(list, e)
	}
	if len(list) == 0 {
		return d.emptyLayout(f, l)
	}
	first, last := list[0], list[len(list)-1]
	l.last = last.span
	l.lead = string(d.Source[l.inside.Start:first.span.Start])
	l.tail = string(d.Source[last.span.End:l.inside.End])
	if first.key.Exists() {
		l.colon = string(d.Source[Span(first.key).End:Span(first.value).Start])
	}
	switch i := strings.LastIndexByte(l.lead, '\n'); {
	case i >= 0:
		l.lines = true
		l.indent = l.lead[i+1:]
		// One line break, also where a blank line stands before the first.
		l.between = "," + d.brk(first.span.Start) + l.indent
	case len(list) > 1:
		l.between = string(d.Source[first.span.End:list[1].span.Start])
		l.indent = d.lineIndent(first.span.Start)
	default:
		l.between = "," + d.blank()
		l.indent = d.lineIndent(first.span.Start)
	}
	return l
}

func (d *Document) emptyLayout(f Found, l layout) layout {
	l.between = "," + d.blank()
	outer := d.lineIndent(l.inside.Start)
	alone := f.depth == 0 && len(bytes.TrimSpace(d.Source)) <= len("{}")
	own := bytes.IndexByte(l.inside.Of(d.Source), '\n') >= 0
	if !alone && !own && !d.ownLine(f) {
		l.indent = outer
		return l
	}
	brk := span.Break(d.Source, l.inside.Start)
	l.lines = true
	l.indent = outer + d.unit()
	l.lead, l.between, l.tail = brk+l.indent, ","+brk+l.indent, brk+outer
	if own { // the closing bracket stays where it is
		text := string(l.inside.Of(d.Source))
		l.tail = brk + text[strings.LastIndexByte(text, '\n')+1:]
	}
	return l
}

// ownLine reports whether the member or item begins its line.
func (d *Document) ownLine(f Found) bool {
	start := f.Entry().Start
	line := span.LineStart(d.Source, start)
	return line > 0 && len(bytes.TrimLeft(d.Source[line:start], " \t")) == 0
}

// lineIndent gives the blanks at the beginning of the line that holds off.
func (d *Document) lineIndent(off int) string {
	line := d.Source[span.LineStart(d.Source, off):off]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// brk gives the line break before the line that holds off.
func (d *Document) brk(off int) string {
	if start := span.LineStart(d.Source, off); start > 0 {
		_, brk := span.LineEnd(d.Source, start-1)
		return brk
	}
	return span.Break(d.Source, off)
}

// unit gives one level's indent: that of the first member or item of the root.
func (d *Document) unit() string {
	for e := range (Found{Value: d.Root}).entries() {
		if start := span.LineStart(d.Source, e.span.Start); start > Span(d.Root).Start {
			if unit := strings.TrimPrefix(d.lineIndent(e.span.Start), d.lineIndent(Span(d.Root).Start)); unit != "" {
				return unit
			}
		}
		break
	}
	return defaultIndent
}

// colon gives what stands between the first key and its value.
func (d *Document) colon() string {
	for key, value := range d.Root.Members() {
		if text := string(d.Source[Span(key).End:Span(value).Start]); !strings.ContainsAny(text, "\r\n") {
			return text
		}
		break
	}
	return ": "
}

// blank gives what stands behind a comma on one line: nothing in a document without any blanks.
func (d *Document) blank() string {
	if d.Root.Is(canonjson.KindObject) && d.colon() == ":" {
		return ""
	}
	return " "
}

// multiline reports whether a container's entries have their own lines, as those of the new one shall.
func (d *Document) multiline(v canonjson.Value) bool {
	if !v.Empty() {
		return bytes.IndexByte(Span(v).Of(d.Source), '\n') >= 0
	}
	return slices.Contains(d.Source, '\n') && bytes.IndexByte(bytes.TrimSpace(d.Source), '\n') >= 0
}

// render writes a value: on lines, its closing bracket indented by indent, or on one line. A value of this document is
// copied as it is spelled.
func (d *Document) render(n canonjson.Node, lines bool, indent string) string {
	if v, ok := n.(canonjson.Value); ok && d.holds(v) {
		return v.Raw()
	}
	text := string(canonjson.Append(nil, n, canonjson.Format{Indent: "\t"})) // no string holds a raw tab or line break
	brk := span.Break(d.Source, 0)
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\n' {
			b.WriteByte(text[i])
			continue
		}
		level := 0
		for i+1 < len(text) && text[i+1] == '\t' {
			level++
			i++
		}
		switch {
		case lines:
			b.WriteString(brk + indent + strings.Repeat(d.unit(), level))
		case text[i-level-1] == ',':
			b.WriteString(d.blank())
		}
	}
	return b.String()
}

func (d *Document) holds(v canonjson.Value) bool {
	s := Span(v)
	return s.End <= len(d.Source) && s.Len() > 0 && string(s.Of(d.Source)) == v.Raw()
}
