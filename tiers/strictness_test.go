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
