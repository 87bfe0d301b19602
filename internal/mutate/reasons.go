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
