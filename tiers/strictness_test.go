package tiers_test

import (
	"testing"

	"example.com/ambit/tiers"
)

// TestStrictnessIsTotal holds that a value that is no decision is as strict as asking.
func TestStrictnessIsTotal(t *testing.T) {
	for d := range 256 {
		want := tiers.Ask.Strictness()
		switch tiers.Decision(d) {
		case tiers.Silent, tiers.Notify, tiers.Block:
			want = map[tiers.Decision]int{tiers.Silent: 0, tiers.Notify: 1, tiers.Block: 3}[tiers.Decision(d)]
		}
		if got := tiers.Decision(d).Strictness(); got != want {
			t.Errorf("decision %d: %d, want %d", d, got, want)
		}
	}
}

// TestPartsOfTheWholeText holds where the parts of a text stand that is refused as a whole, or for one character.
func TestPartsOfTheWholeText(t *testing.T) {
	for text, want := range map[string][2]int{"git status (": {0, len("git status (")}, "ls \u202ea": {3, 6}} {
		found := false
		for _, p := range tiers.Evaluate(text).Deciding() {
			found = found || p.Start == want[0] && p.End == want[1]
		}
		if !found {
			t.Errorf("%q: no part from %d to %d: %+v", text, want[0], want[1], tiers.Evaluate(text).Parts)
		}
	}
}
