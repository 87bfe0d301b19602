package tiers

import "strings"

// PatternWord is one word of a pattern, as the set of texts that it stands for.
type PatternWord struct {
	Parts []string // literal texts with any run of characters between two of them; one part is a literal word
	Many  bool     // any number of words, none included; Parts is empty then
}

// Spellings gives the word lists of a simple pattern: the pattern's own, and for a command entry also those through the
// fetchers of T22. A pipeline or a redirect has none. A writer of native rules starts from here (K3).
func (p Pattern) Spellings() [][]PatternWord {
	var out [][]PatternWord
	for _, ws := range p.spellings() {
		list := make([]PatternWord, len(ws))
		for i, w := range ws {
			if w.many {
				list[i] = PatternWord{Many: true}
			} else {
				list[i] = PatternWord{Parts: strings.Split(w.text, anyRun)}
			}
		}
		out = append(out, list)
	}
	return out
}
