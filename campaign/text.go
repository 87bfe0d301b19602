package campaign

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxText is the longest gap id, in code points: a name that a person reads, not a body.
const MaxText = 128

// usableText says what is wrong with a text that must name something, "" when it is usable: 1 to MaxText code points,
// none of them a control or invisible character, and no blank at either end. // P3
func usableText(s string) string {
	switch n := utf8.RuneCountInString(s); {
	case n == 0:
		return "it is empty"
	case n > MaxText:
		return "it is longer than 128 characters"
	case strings.TrimFunc(s, blank) != s:
		return "it begins or ends with a blank"
	case strings.ContainsFunc(s, invisible):
		return "it holds a control or invisible character"
	}
	return ""
}

func blank(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Zs, r) }

// invisible reports what shows nothing, or something else than it is: controls, formats, private and unassigned code
// points, variation selectors, fillers.
func invisible(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return !unicode.IsGraphic(r) || r == utf8.RuneError || r == 0x2800 ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// fold reduces a name to its letters, so that case, blanks, hyphens, underscores, camel case, full width and zero width
// variants of one word are the same word; "*" stays.
func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z' || r == '*':
			b.WriteByte(byte(r))
			continue
		case r >= 'A' && r <= 'Z':
			b.WriteByte(byte(r) + 'a' - 'A')
			continue
		case r < 0x80:
			continue
		}
		if r >= 0xff01 && r <= 0xff5e {
			r -= 0xff01 - '!'
		}
		if r == '*' || unicode.IsLetter(r) && !invisible(r) {
			b.WriteRune(unicode.ToLower(unicode.ToUpper(r))) // by way of the capital, so that ſ is s and ı is i
		}
	}
	return b.String()
}

// cleanPath gives a path as it may be printed: on one line, what shows nothing escaped, at most 512 bytes of it.
func cleanPath(p string) string {
	var b strings.Builder
	for _, r := range p {
		if invisible(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	if s := b.String(); len(s) <= 512 {
		return s
	}
	return "sha256:" + hexOf([]byte(p))
}
