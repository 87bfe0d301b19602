// Package oneline shows texts of unknown origin to people: on one line, no longer than wanted, and so that nothing in them
// can forge a second line, colour the terminal or move what stands beside them.
package oneline

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Show escapes, as Go writes it, what would not stand on the line as it is: line ends, tabs, controls, bytes that are no
// UTF-8, and what is [Misleading]. A text that needs none of it is given back as it is.
func Show(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, Escaped) {
		return s
	}
	var b strings.Builder
	for i, w := 0, 0; i < len(s); i += w {
		var r rune
		r, w = utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && w == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80 && unicode.IsControl(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case Escaped(r) && r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		case Escaped(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+w])
		}
	}
	return b.String()
}

// Escaped reports whether Show escapes a character.
func Escaped(r rune) bool { return unicode.IsControl(r) || Misleading(r) }

// Misleading reports characters that have no shape of their own but move, reverse or hide the text around them.
func Misleading(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r == '\u200d': // joins emoji; alone it is harmless
		return false
	case r == '\u2028', r == '\u2029':
		return true
	case r >= 0xe0000 && r <= 0xe0fff: // tags: invisible letters
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point) // the latter: letters and marks without shape
}

// Cut keeps a text from filling a screen: of one with more than most characters it gives the first most and a mark.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// Quote is Cut in quotes, with Go's escapes.
func Quote(s string, most int) string { return strconv.Quote(Cut(s, most)) }

// Fit is Cut by columns: what it gives, mark included, takes at most width of them, which is at least 1.
func Fit(s string, width int) string {
	used, cut := 0, 0 // cut is where the text still leaves room for the mark
	for i, r := range s {
		if used <= width-1 {
			cut = i
		}
		if used += runeColumns(r); used > width {
			return s[:cut] + "…"
		}
	}
	return s
}

// Columns is how wide a terminal shows a text.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// wide are the blocks whose letters take two columns: CJK, Hangul, full-width forms, emoji.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{{0x1100, 0x115f, 1}, {0x2e80, 0xa4cf, 1}, {0xac00, 0xd7a3, 1}, {0xf900, 0xfaff, 1}, {0xfe30, 0xfe6f, 1}, {0xff00, 0xff60, 1}, {0xffe0, 0xffe6, 1}},
	R32: []unicode.Range32{{0x1f300, 0x1faff, 1}, {0x20000, 0x3fffd, 1}},
}

func runeColumns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}
