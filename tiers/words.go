package tiers

import "strings"

// anyRun stands, inside a word's text, for a run of characters that is not known: a star of a pattern, an expansion of a
// command. It is NUL, which no command can hold.
const anyRun = "\x00"

// word is one word of a pattern or of a command. Both are sets of texts, so one algebra serves matching (is this
// command in that pattern?), coverage (is this pattern inside that one?) and overlap (can a command be in both?).
type word struct {
	text string // anyRun marks what is not known
	many bool   // any number of words, none included: a star that stands alone, an expansion that bash may split
}

// known reports whether the word is exactly one literal word.
func (w word) known() bool { return !w.many && strings.IndexByte(w.text, 0) < 0 }

// prefix gives the literal text before the first unknown run. Of a split expansion only the first word begins so.
func (w word) prefix() string {
	p, _, _ := strings.Cut(w.text, anyRun)
	return p
}

// mayBeOption reports whether the word can expand to something that begins with a dash.
func (w word) mayBeOption() bool {
	p := w.prefix()
	return strings.HasPrefix(p, "-") || p == "" && !w.known()
}

func knownWords(texts ...string) []word {
	ws := make([]word, len(texts))
	for i, t := range texts {
		ws[i] = word{text: t}
	}
	return ws
}

// covers reports whether every text that w stands for is one that the pattern text p stands for. An unknown run of w is
// covered only by a star of p: it is treated as a letter that occurs nowhere else, which is exact over an open alphabet.
func covers(p, w string) bool {
	if p == w {
		return true
	}
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(w) {
		switch {
		case i < len(p) && p[i] == 0:
			star, mark = i, j
			i++
		case i < len(p) && p[i] == w[j] && w[j] != 0:
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == 0 {
		i++
	}
	return i == len(p)
}

// meets reports whether some text is in both a and b.
func meets(a, b string) bool {
	if strings.IndexByte(b, 0) < 0 {
		return covers(a, b)
	}
	if strings.IndexByte(a, 0) < 0 {
		return covers(b, a)
	}
	// Both hold unknown runs: what stands before the first run of each, and after the last of each, must agree; anything
	// between can be made equal.
	pa, sa := ends(a)
	pb, sb := ends(b)
	return (strings.HasPrefix(pa, pb) || strings.HasPrefix(pb, pa)) &&
		(strings.HasSuffix(sa, sb) || strings.HasSuffix(sb, sa))
}

func ends(s string) (prefix, suffix string) {
	return s[:strings.IndexByte(s, 0)], s[strings.LastIndexByte(s, 0)+1:]
}

// relation says how a command stands to a pattern.
type relation uint8

const (
	never  relation = iota // no completion of the command matches
	maybe                  // some completion matches
	always                 // every completion matches
)

// seqCovers reports whether every word list that cmd stands for matches the pattern pat, word by word and in order.
func seqCovers(pat, cmd []word) bool {
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(cmd) {
		switch {
		case i < len(pat) && pat[i].many:
			star, mark = i, j
			i++
		case i < len(pat) && !cmd[j].many && covers(pat[i].text, cmd[j].text):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(pat) && pat[i].many {
		i++
	}
	return i == len(pat)
}
