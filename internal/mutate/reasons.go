package main

// reason says why no test notices a change: nothing that can be seen changes.
type reason struct {
	file, source, change string // as of the mutant
	why                  string
}

var reasons = []reason{
	{"systempolicy/compare.go", "return 1", "boundary `1` -> `2`", "any number above that of false compares alike"},
	{"systempolicy/comparewindow.go", "horizonEnd   = time.Date(2036, 1, 1, 0, 0, 0, 0, time.UTC)", "boundary `0` -> `1`", "a second or less more: windows are of whole minutes"},
	{"systempolicy/comparewindow.go", "if end.Sub(start) < weekMinutes*time.Minute {", "flip `<` -> `<=`", "of exactly a week all minutes count either way"},
	{"systempolicy/comparewindow.go", "if w.Timezone() != windows[0].Timezone() {", "negate `w.Timezone() != windows[0].Timezone()` -> `!(w.Timezone() != windows[0].Timezone())`", sameZoneWhy},
	{"systempolicy/comparewindow.go", "if w.Timezone() != windows[0].Timezone() {", "flip `!=` -> `==`", sameZoneWhy},
	{"systempolicy/comparewindow.go", "if w.Timezone() != windows[0].Timezone() {", "boundary `0` -> `1`", "windows that all have the zone of the second have that of the first"},
	{"systempolicy/comparewindow.go", "return true", "swap `true` -> `false`", sameZoneWhy},
	{"systempolicy/comparewindow.go", "offset := 0", "boundary `0` -> `1`", "a window without a zone is never open, whatever the offset"},
	{"tiers/evaluate.go", "if p.Decision.Strictness() > v.Decision.Strictness() {", "flip `>` -> `>=`", "no two decisions are equally strict"},
	{"tiers/evaluate.go", "const maxSteps = 20000", "boundary `20000` -> `20001`", "a bound on work, not a rule"},
	{"tiers/resolve.go", "return -1, overlaps", "boundary `1` -> `2`", "every number below 0 says none"},
	{"tiers/deny.go", "one := rows[0] != nil && rows[0].onedash || strings.HasPrefix(name, \"--\") || len(name) == 2", "boundary `0` -> `1`", "where the subcommand's row is none, the program's is none too"},
	{"tiers/deny.go", "if i := rows[0].valueEnds(text); i > 0 {", "boundary `0` -> `1`", "a value begins behind a dash and a letter"},
	{"tiers/deny_match.go", "arityUnknown = 1 << iota // not worked out yet when 0", "boundary `1` -> `2`", "other bits"},
	{"tiers/deny_match.go", "now, skip := make([]relation, n+1), make([]relation, n+1)", "boundary `1` -> `2`", "room for a state that no word leads to"},
	{"tiers/deny_match.go", "next, nextSkip := make([]relation, n+1), make([]relation, n+1)", "boundary `1` -> `2`", "room for a state that no word leads to"},
	{"tiers/deny_match.go", "if n > 0 && r.words[n-1].many && now[n-1] == always {", "boundary `0` -> `1`", "a star at the end stays, so that leaving early only saves time"},
	{"tiers/deny_match.go", "alive := false", "swap `false` -> `true`", "without a state nothing follows, so that leaving early only saves time"},
	{"tiers/deny_match.go", "if rel > set[i] {", "flip `>` -> `>=`", "the same is set once more"},
	{"tiers/deny_match.go", "if w.many && set[i] > set[i+1] {", "flip `>` -> `>=`", "the same is set once more"},
	{"harness/decide.go", "if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) {", "flip `&&` -> `||`", "what leads out of the project by one path leads out by the other"},
	{"envelope/state.go", "NeedsFullSupervision:  {Commit: Escalate, Draft: Escalate, Explore: Escalate},", "drop `NeedsFullSupervision: {Commit: Escalate, Draft: Es…` -> nothing", "the zero row is the strictest, and stands there to be read"},
}

const sameZoneWhy = "within one zone the comparison by instants says the same, and takes longer"

// why gives the reason for which a mutant survives, "" when none is known.
func (m mutant) why() string {
	for _, r := range reasons {
		if r.file == m.file && r.source == m.source && r.change == m.change() {
			return r.why
		}
	}
	return ""
}
