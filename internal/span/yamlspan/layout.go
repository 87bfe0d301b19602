package yamlspan

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"example.com/ambit/internal/span"
)

// Place says where a node stands.
type Place struct {
	Whole span.Span // with its anchor and tag; empty, right after the colon or dash, when nothing is written
	Value span.Span // without them
	// Entry is, of a key and of a value, the whole entry, from the key or its question mark to the end of the value; of
	// an item, from its dash in a block sequence; of the root, the same as Whole. Comments do not belong to it, except
	// those inside.
	Entry span.Span
	After int // just after the colon or dash before the node; -1 where none is written
}

// ErrUnknownPlace says that a node's bytes could not be found: its text is not as its parsed value says. No edit is
// possible then. No text is known for which it happens.
var ErrUnknownPlace = errors.New("the bytes of a value cannot be told")

// Place gives the place of a node of the document. The error wraps ErrUnknownPlace.
func (d *Document) Place(n *yaml.Node) (Place, error) {
	if d.places == nil {
		d.places = map[*yaml.Node]Place{}
		if d.Root != nil {
			l := layout{d: d, src: d.Source}
			end := l.node(d.Root, l.head(), -1, -1)
			d.mark(d.Root, func(p *Place) { p.Entry = p.Whole })
			if rest := l.skip(end); l.err == nil && rest < len(d.Source) && !d.marker(rest) {
				l.lost(rest)
			}
			d.err = l.err
		}
	}
	if d.err != nil {
		return Place{}, d.err
	}
	p, ok := d.places[n]
	if !ok {
		return Place{}, fmt.Errorf("%w: it is not of this document", ErrUnknownPlace)
	}
	return p, nil
}

func (d *Document) mark(n *yaml.Node, f func(*Place)) {
	p := d.places[n]
	f(&p)
	d.places[n] = p
}

// marker reports whether a line "..." or "---" begins at off.
func (d *Document) marker(off int) bool {
	rest := d.Source[off:]
	return (off == d.base || span.LineStart(d.Source, off) == off) && (bytes.HasPrefix(rest, []byte("...")) || bytes.HasPrefix(rest, []byte("---"))) &&
		(len(rest) == 3 || blank(rest[3]))
}

// layout walks the nodes and the text side by side. Nodes say where values begin and what they hold, so the text need
// not be parsed again: between two values stand only blanks, comments and indicators, and a value's own bytes are told
// by its style. The first disagreement stops it.
type layout struct {
	d   *Document
	src []byte
	err error
}

func (l *layout) lost(off int) int {
	if l.err == nil {
		line, col := span.Position(l.src, off)
		l.err = fmt.Errorf("%w: line %d, column %d", ErrUnknownPlace, line, col)
	}
	return off
}

// head passes directives and the line that begins the document.
func (l *layout) head() int {
	off := l.skip(l.d.base)
	for l.at(off) == '%' {
		off, _ = span.LineEnd(l.src, off)
		off = l.skip(off)
	}
	if l.at(off) == '-' && l.d.marker(off) {
		off += 3
	}
	return off
}

// at gives the byte at off, 0 past the end.
func (l *layout) at(off int) byte {
	if off < len(l.src) {
		return l.src[off]
	}
	return 0
}

// skip passes blanks, line breaks and comments.
func (l *layout) skip(off int) int {
	for off < len(l.src) {
		switch c := l.src[off]; {
		case blank(c):
			off++
		case c == '#': // between values yaml.v3 takes it for a comment without a blank before it, too
			off, _ = span.LineEnd(l.src, off)
		default:
			return off
		}
	}
	return off
}

// unwritten reports whether nothing at all is written for a node; yaml.v3's position of such a node is not used.
// (A tag that is only "!" leaves no trace in the node.)
func unwritten(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 && n.Anchor == ""
}

// node finds a node that begins at or after from, where nothing but blanks and comments stand before it. after is the
// end of the colon or dash, or -1. indent is the column, from 0, of the block collection around it, -1 at the root.
func (l *layout) node(n *yaml.Node, from, after, indent int) (end int) {
	if l.err != nil {
		return from
	}
	start := l.skip(from)
	p := start
	if unwritten(n) && !(l.at(p) == '!' && l.d.offset(n) == p) {
		return l.nothing(n, from, after)
	}
	if off := l.d.offset(n); off != start && len(n.Content) == 0 {
		return l.lost(off)
	}
	p, props := l.properties(n, start)
	if props > start && n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&^yaml.TaggedStyle == 0 {
		p, end = props, props // a tag or an anchor and nothing else
	} else {
		end = l.value(n, p, indent)
	}
	if l.err == nil {
		l.d.places[n] = Place{Whole: span.Span{Start: start, End: end}, Value: span.Span{Start: p, End: end}, After: after}
	}
	return end
}

// nothing records a value of which not a byte is written.
func (l *layout) nothing(n *yaml.Node, off, after int) int {
	at := span.Span{Start: off, End: off}
	l.d.places[n] = Place{Whole: at, Value: at, After: after}
	return off
}

// properties passes the node's anchor and tag, and gives where its value begins and where the last property ends.
func (l *layout) properties(n *yaml.Node, off int) (value, end int) {
	limit := len(l.src)
	if len(n.Content) > 0 && !unwritten(n.Content[0]) {
		limit = l.d.offset(n.Content[0]) // of a block mapping: a property there is its first key's
	}
	end = off
	for value = off; value < limit && (l.at(value) == '&' || l.at(value) == '!'); value = l.skip(end) {
		end = value + 1
		for end < len(l.src) && !blank(l.src[end]) && (l.src[value] == '!' || word(l.src[end])) {
			end++
		}
	}
	return value, end
}

// word reports whether an anchor's name may hold the byte.
func word(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-'
}

func (l *layout) value(n *yaml.Node, off, indent int) (end int) {
	switch n.Kind {
	case yaml.AliasNode:
		if l.at(off) != '*' {
			return l.lost(off)
		}
		return l.expect(off+1, n.Value)
	case yaml.MappingNode:
		if n.Style&yaml.FlowStyle == 0 {
			return l.blockMapping(n, off)
		}
		return l.flow(n, off, '{', '}')
	case yaml.SequenceNode:
		if n.Style&yaml.FlowStyle == 0 {
			return l.blockSequence(n, off)
		}
		return l.flow(n, off, '[', ']')
	}
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return l.quoted(off, '"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		return l.quoted(off, '\'')
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return l.blockScalar(off, indent)
	}
	return l.plain(n, off)
}

func (l *layout) expect(off int, text string) int {
	if !bytes.HasPrefix(l.src[min(off, len(l.src)):], []byte(text)) {
		return l.lost(off)
	}
	return off + len(text)
}

// column gives the column from 0, in characters, of an offset.
func (l *layout) column(off int) int {
	start := span.LineStart(l.src, off)
	if start == 0 {
		start = l.d.base
	}
	return utf8.RuneCount(l.src[start:off])
}

func (l *layout) entry(start, end int, nodes ...*yaml.Node) {
	for _, n := range nodes {
		l.d.mark(n, func(p *Place) { p.Entry = span.Span{Start: start, End: end} })
	}
}

// pair finds a key and its value; in a block mapping indent is its column.
func (l *layout) pair(key, value *yaml.Node, off, indent int) (end int) {
	from := off
	if l.at(off) == '?' && (off+1 == len(l.src) || blank(l.src[off+1])) {
		from++
	}
	end = l.node(key, from, -1, indent)
	if colon := l.skip(end); l.at(colon) == ':' {
		end = l.node(value, colon+1, colon+1, indent)
	} else if unwritten(value) {
		l.nothing(value, end, -1)
	} else {
		return l.lost(end)
	}
	l.entry(off, end, key, value)
	return end
}

func (l *layout) blockMapping(n *yaml.Node, off int) (end int) {
	indent := l.column(off)
	end = off
	for i := 0; i+1 < len(n.Content) && l.err == nil; i += 2 {
		end = l.pair(n.Content[i], n.Content[i+1], l.skip(end), indent)
	}
	return end
}

func (l *layout) blockSequence(n *yaml.Node, off int) (end int) {
	indent := l.column(off)
	end = off
	for _, item := range n.Content {
		dash := l.skip(end)
		if l.at(dash) != '-' {
			return l.lost(dash)
		}
		end = l.node(item, dash+1, dash+1, indent)
		l.entry(dash, end, item)
	}
	return end
}

// flow finds a collection in brackets, and the single pair inside a flow sequence, which has none.
func (l *layout) flow(n *yaml.Node, off int, open, closing byte) (end int) {
	bare := n.Kind == yaml.MappingNode && len(n.Content) == 2 &&
		(l.at(off) != open || (!unwritten(n.Content[0]) && l.d.offset(n.Content[0]) == off))
	end = off
	if !bare {
		if l.at(off) != open {
			return l.lost(off)
		}
		end++
	}
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	for i := 0; i+step <= len(n.Content) && l.err == nil; i += step {
		next := l.skip(end)
		if i > 0 {
			if l.at(next) != ',' {
				return l.lost(next)
			}
			next = l.skip(next + 1)
		}
		if step == 2 {
			end = l.pair(n.Content[i], n.Content[i+1], next, -1)
		} else {
			end = l.node(n.Content[i], next, -1, -1)
			l.entry(next, end, n.Content[i])
		}
	}
	if bare || l.err != nil {
		return end
	}
	if end = l.skip(end); l.at(end) == ',' {
		end = l.skip(end + 1)
	}
	if l.at(end) != closing {
		return l.lost(end)
	}
	return end + 1
}
