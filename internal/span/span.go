// Package span answers: which bytes change, and what stands there afterwards? Everything else stays as it is.
//
// The packages yamlspan and jsonspan find the spans of values and say the splices of an edit; Apply makes the edit.
package span

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Span is the bytes from Start up to and without End.
type Span struct{ Start, End int }

// Len gives the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// Contains reports whether t lies inside s; an empty span at an edge does.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Of gives the bytes.
func (s Span) Of(src []byte) []byte { return src[s.Start:s.End] }

// Splice puts Text in the place of a span; an empty span inserts, an empty text deletes.
type Splice struct {
	Span
	Text string
}

// Apply gives src with the splices made. They are sorted first; insertions at one place keep their order, and come
// before a replacement that starts there. Spans that overlap or lie outside src are an error.
func Apply(src []byte, splices ...Splice) ([]byte, error) {
	sorted := slices.Clone(splices)
	slices.SortStableFunc(sorted, func(a, b Splice) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(min(a.Len(), 1), min(b.Len(), 1)))
	})
	size, at := len(src), 0
	for _, s := range sorted {
		if s.Start < at || s.End < s.Start || s.End > len(src) {
			return nil, fmt.Errorf("splice [%d,%d) overlaps another or lies outside the %d bytes", s.Start, s.End, len(src))
		}
		at = s.End
		size += len(s.Text) - s.Len()
	}
	out := make([]byte, 0, size)
	at = 0
	for _, s := range sorted {
		out = append(out, src[at:s.Start]...)
		out = append(out, s.Text...)
		at = s.End
	}
	return append(out, src[at:]...), nil
}

// BOM is the byte order mark that some editors put before a UTF-8 text.
const BOM = "\uFEFF"

// Position gives the line and column of an offset, both from 1, the column in bytes; a byte order mark at the
// beginning does not count.
func Position(src []byte, off int) (line, col int) {
	before := src[:min(max(off, 0), len(src))]
	line = 1 + bytes.Count(before, []byte("\n"))
	start := bytes.LastIndexByte(before, '\n') + 1
	if start == 0 && bytes.HasPrefix(before, []byte(BOM)) {
		start = len(BOM)
	}
	return line, len(before) - start + 1
}

// LineEnd gives the offset of the end of the line that holds off, its line break not included, and that line break:
// "\r\n", "\n", or "" at the end of the text.
func LineEnd(src []byte, off int) (end int, brk string) {
	i := bytes.IndexByte(src[off:], '\n')
	if i < 0 {
		return len(src), ""
	}
	if end = off + i; end > 0 && src[end-1] == '\r' {
		return end - 1, "\r\n"
	}
	return end, "\n"
}

// LineStart gives the offset at which the line that holds off begins.
func LineStart(src []byte, off int) int { return bytes.LastIndexByte(src[:off], '\n') + 1 }

// Break gives the line break for a line that is put after the one that holds off: that line's own, or, when it has
// none, that of the first line, or "\n".
func Break(src []byte, off int) string {
	if _, brk := LineEnd(src, off); brk != "" {
		return brk
	}
	if _, brk := LineEnd(src, 0); brk != "" {
		return brk
	}
	return "\n"
}

// PathOf spells a path of keys and indices so that no two paths are spelled alike; "" is the whole.
func PathOf(steps ...any) string {
	var b strings.Builder
	for _, step := range steps {
		if i, ok := step.(int); ok {
			fmt.Fprintf(&b, "[%d]", i)
		} else {
			b.WriteString("." + strconv.Quote(step.(string)))
		}
	}
	return b.String()
}

// Paths is a set of paths, as PathOf spells them.
func Paths(paths [][]any) map[string]bool {
	set := make(map[string]bool, len(paths))
	for _, p := range paths {
		set[PathOf(p...)] = true
	}
	return set
}
