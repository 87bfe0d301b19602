// Package unicode14 answers: what is this character to Python 3.11?
//
// Its tables are Unicode 14.0, white space and printability as Python's str methods see them. The standard library's
// are of another version, its notion of white space differs, and it has no full case folding.
package unicode14

import (
	"slices"
	"strings"
	"unicode/utf8"
)

//go:generate python3 ../../scripts/unicode14.py

type span struct{ first, last rune }

type fold struct{ first, last, step, delta rune }

type expansion struct {
	char rune
	text string
}

func in(table []span, r rune) bool {
	_, found := slices.BinarySearchFunc(table, r, func(s span, r rune) int {
		switch {
		case s.last < r:
			return -1
		case s.first > r:
			return 1
		}
		return 0
	})
	return found
}

// IsSpace reports whether r is one of the 29 white-space characters of str.isspace.
func IsSpace(r rune) bool {
	if r < 0x80 {
		return r == ' ' || r >= 0x09 && r <= 0x0d || r >= 0x1c && r <= 0x1f
	}
	return in(spaces[:], r)
}

// IsPrint reports whether repr shows r as it is (str.isprintable).
func IsPrint(r rune) bool {
	if r < 0x80 {
		return r >= ' ' && r < 0x7f
	}
	return !in(unprintables[:], r)
}

// IsWord reports whether r is a letter, a number or the underscore (\w of a regular expression). Marks are none.
func IsWord(r rune) bool {
	if r < 0x80 {
		return r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	}
	return in(words[:], r)
}

// Digit gives the value of a decimal digit (category Nd), and -1 for any other character.
func Digit(r rune) int {
	i, found := slices.BinarySearch(zeros[:], r)
	if found {
		return 0
	}
	if i > 0 && r-zeros[i-1] <= 9 {
		return int(r - zeros[i-1])
	}
	return -1
}

// Fold gives the full case folding of a text (str.casefold), which may be longer.
func Fold(s string) string {
	if i := strings.IndexFunc(s, changes); i >= 0 {
		var b strings.Builder
		b.Grow(len(s) + 8)
		b.WriteString(s[:i])
		for _, r := range s[i:] {
			writeFold(&b, r)
		}
		return b.String()
	}
	return s
}

func changes(r rune) bool { return r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf }

func writeFold(b *strings.Builder, r rune) {
	if r < utf8.RuneSelf {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		b.WriteByte(byte(r))
		return
	}
	i, found := slices.BinarySearchFunc(folds[:], r, func(f fold, r rune) int { return int(f.last - r) })
	if !found && i < len(folds) && folds[i].first <= r && (r-folds[i].first)%folds[i].step == 0 {
		found = true
	}
	if found {
		b.WriteRune(r + folds[i].delta)
		return
	}
	i, found = slices.BinarySearchFunc(expansions[:], r, func(e expansion, r rune) int { return int(e.char - r) })
	if found {
		b.WriteString(expansions[i].text)
		return
	}
	b.WriteRune(r)
}
