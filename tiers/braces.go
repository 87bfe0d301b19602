package tiers

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxBraces bounds the words that one word's braces are expanded to; beyond it the word is one that is not known.
const maxBraces = 64

// words expands a word to the words that its braces stand for, where they are plain text; otherwise it is one word,
// which may not be known.
func (r *walker) words(w *syntax.Word, sc *scope) []arg {
	a := r.word(w, sc)
	if !a.brace || len(w.Parts) != 1 {
		return []arg{a}
	}
	lit := w.Lit()
	if lit == "" || strings.ContainsAny(lit, `\*?[~`) {
		return []arg{a}
	}
	texts, ok := expandBraces(lit)
	if !ok {
		return []arg{a}
	}
	out := make([]arg, len(texts))
	for i, t := range texts {
		out[i] = arg{word: word{text: t}, start: a.start, end: a.end}
	}
	return out
}

// expandBraces gives the words of plain text with braces, as bash would. ok is false when the braces are not all of
// the two plain kinds, {a,b} and {1..3}, or when there are too many words.
func expandBraces(s string) (out []string, ok bool) {
	open := strings.IndexByte(s, '{')
	if open < 0 {
		return []string{s}, !strings.ContainsAny(s, "}")
	}
	depth, last := 0, open+1
	var items []string
	closed := -1
	for i := open; i < len(s) && closed < 0; i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				items = append(items, s[last:i])
				closed = i
			}
		case ',':
			if depth == 1 {
				items = append(items, s[last:i])
				last = i + 1
			}
		}
	}
	if closed < 0 {
		return nil, false
	}
	var middle []string
	if len(items) == 1 {
		if middle, ok = braceRange(items[0]); !ok {
			return nil, false
		}
	} else {
		for _, it := range items {
			m, ok := expandBraces(it)
			if !ok || len(middle) > maxBraces {
				return nil, false
			}
			middle = append(middle, m...)
		}
	}
	rest, ok := expandBraces(s[closed+1:])
	if !ok || len(middle)*len(rest) > maxBraces {
		return nil, false
	}
	for _, m := range middle {
		for _, r := range rest {
			if t := s[:open] + m + r; t != "" { // an empty unquoted word is none
				out = append(out, t)
			}
		}
	}
	return out, true
}

// braceRange gives the integers of FIRST..LAST, without leading zeros.
func braceRange(s string) (out []string, ok bool) {
	from, to, ok := strings.Cut(s, "..")
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if !ok || err1 != nil || err2 != nil || strconv.Itoa(a) != from || strconv.Itoa(b) != to || max(a-b, b-a) >= maxBraces {
		return nil, false
	}
	step := 1
	if b < a {
		step = -1
	}
	for n := a; ; n += step {
		out = append(out, strconv.Itoa(n))
		if n == b {
			return out, true
		}
	}
}
