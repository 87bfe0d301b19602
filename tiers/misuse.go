package tiers

import "path"

// Misusable reports whether a star of the pattern lets options or operands through that make its program run, write or
// change something (T23). The evaluator looks at them; a native rule of an agent, which only compares texts, does not.
// A program that no table knows counts as harmless here: nothing is known of its options.
func (p Pattern) Misusable() bool {
	// Through the fetchers of T22 everything can be reached, but no rule is written for those.
	return p.kind == patternSimple && defaultKnowledge().misusable(p.stages[0])
}

func (k *Knowledge) misusable(words []word) bool {
	star := false
	for _, w := range words {
		star = star || !w.known()
	}
	if !star || !words[0].known() {
		return star // a star in the program's place is any program
	}
	// Options of the program itself stand before the subcommand, where a pattern that names one has no room.
	_, row, _ := k.lookup(path.Base(words[0].text), words)
	if row == nil {
		return false
	}
	for _, d := range dangers(row) {
		if d.set != nil {
			return true
		}
	}
	return row.runner != "" || row.shell || row.script > 0 || row.writes > 0 || row.stdin || row.procedure != "" || len(row.acts) > 0
}
