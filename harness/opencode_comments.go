package harness

import (
	"bytes"
	"fmt"
	"strings"

	"example.com/ambit/internal/span"
	"example.com/ambit/internal/span/jsonspan"
)

// edit makes splices of the plain text in the source. No comment may be lost: a splice that would remove one is refused,
// but for one that only puts text into an empty container, which then goes behind the comment.
func (c *config) edit(splices []span.Splice, changed ...any) (*config, error) {
	if len(splices) == 0 {
		return c, nil
	}
	out := c.behindComments(splices)
	for i, s := range out {
		if bytes.Equal(s.Of(c.source), s.Of(c.plain.Source)) || string(s.Of(c.source)) == "," {
			continue
		}
		if len(bytes.TrimSpace(s.Of(c.plain.Source))) > 0 {
			line, col := span.Position(c.source, s.Start)
			return nil, &Error{File: c.name, Line: line, Col: col, Code: CodeComment, Err: fmt.Errorf("a comment stands where ambit would write: %w", ErrRefused), Hint: "move the comment to a line outside of permission.bash"}
		}
		out[i].Start = s.End
	}
	edited, err := span.Apply(c.source, out...)
	if err != nil {
		return nil, err
	}
	next, err := openConfig(c.name, edited)
	if err != nil {
		return nil, err
	}
	_, err = c.plain.Check(next.plain.Source, changed)
	return next, err
}

// behindComments moves what is put behind an entry of the user's behind the comments of the same line as well: they are
// about that entry, and must not come to stand beside one of ours. Only the comma stays.
func (c *config) behindComments(splices []span.Splice) []span.Splice {
	var joined, out []span.Splice
	for _, s := range splices {
		if i := len(joined) - 1; i >= 0 && s.Len() == 0 && joined[i].Span == s.Span {
			joined[i].Text += s.Text
			continue
		}
		joined = append(joined, s)
	}
	for _, s := range joined {
		rest, next := strings.CutPrefix(s.Text, ",")
		at, comma := c.lineTail(s.Start)
		if s.Len() > 0 || !next || at == s.Start || !strings.HasPrefix(strings.TrimLeft(rest, " \t\r"), "\n") {
			out = append(out, s)
			continue
		}
		if comma {
			rest += ","
		} else {
			out = append(out, span.Splice{Span: s.Span, Text: ","})
		}
		out = append(out, span.Splice{Span: span.Span{Start: at, End: at}, Text: rest})
	}
	return out
}

// lineTail gives the end of the last comment behind a value that begins on the value's line, the value's own end where
// there is none, and whether a comma stands before it.
func (c *config) lineTail(from int) (end int, comma bool) {
	end = from
	seen := false
	for at := from; at < len(c.source); at++ {
		n := commentLen(c.source[at:])
		switch {
		case n > 0:
			at += n - 1
			end, comma = at+1, seen
		case c.source[at] == ',' && !seen:
			seen = true
		case c.source[at] != ' ' && c.source[at] != '\t':
			return end, comma
		}
	}
	return end, comma
}

// commentLen gives the length of the comment at the beginning of a text, without the line break that ends it; 0 where
// there is none.
func commentLen(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		end, _ := span.LineEnd(text, 0)
		return end
	case bytes.HasPrefix(text, []byte("/*")):
		if end := bytes.Index(text[2:], []byte("*/")); end >= 0 {
			return end + len("/**/")
		}
	}
	return 0
}

// remove takes keys out of permission.bash, each with one comma and the blanks that laid it out. A comment between two
// entries stays.
func (c *config) remove(drop map[string]bool) (*config, error) {
	for {
		var f jsonspan.Found
		found := false
		for _, e := range c.rules() {
			if drop[e.key] {
				f, found = c.plain.Locate("permission", "bash", e.key)
				break
			}
		}
		if !found {
			return c, nil
		}
		splices := c.plain.Delete(f)
		if !bytes.Equal(splices[0].Of(c.source), splices[0].Of(c.plain.Source)) {
			splices = c.cut(f.Entry())
		}
		next, err := c.edit(splices, "permission", "bash")
		if err != nil {
			return nil, err
		}
		c = next
	}
}

// cut removes an entry beside a comment: with the comma behind it, or else the one before it, and with its line where
// nothing else stands there.
func (c *config) cut(e span.Span) []span.Splice {
	src := c.source
	splices := []span.Splice{{Span: e}}
	comma, behind := c.comma(e.End)
	if behind {
		splices = append(splices, span.Splice{Span: span.Span{Start: comma, End: comma + 1}})
	} else if i := bytes.LastIndexByte(c.plain.Source[:e.Start], ','); i >= 0 && blank(c.plain.Source[i+1:e.Start]) {
		splices = append(splices, span.Splice{Span: span.Span{Start: i, End: i + 1}})
	}
	tail := e.End
	if behind && blank(src[e.End:comma]) {
		tail = comma + 1
	}
	start := span.LineStart(src, e.Start)
	end, _ := span.LineEnd(src, tail)
	if start == 0 || !blank(src[start:e.Start]) || !blank(src[tail:end]) {
		return splices
	}
	before, _ := span.LineEnd(src, start-1)
	splices = append(splices, span.Splice{Span: span.Span{Start: before, End: e.Start}}, span.Splice{Span: span.Span{Start: tail, End: end}})
	if tail > e.End {
		splices = append(splices, span.Splice{Span: span.Span{Start: e.End, End: tail - 1}})
	}
	return splices
}

func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// comma finds the comma behind a value, also a trailing one, which the plain text does not have.
func (c *config) comma(from int) (at int, ok bool) {
	for at = from; at < len(c.source); at++ {
		n := commentLen(c.source[at:])
		switch {
		case n > 0:
			at += n - 1
		case c.source[at] == ',':
			return at, true
		case !blank(c.source[at : at+1]):
			return 0, false
		}
	}
	return 0, false
}
