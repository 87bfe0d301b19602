package nearest_test

import (
	"strings"
	"testing"

	"example.com/ambit/internal/nearest"
)

func TestOf(t *testing.T) {
	words := []string{"tier1_silent", "tier2_notified", "tier3_blocking", "get", "set"}
	for in, want := range map[string]string{
		"tier1_silnet": "tier1_silent", "tier3_block": "tier3_blocking", "tire2_notified": "tier2_notified",
		"gte": "get", "": "", "zzz": "", "completely-else": "", "set": "set", "bet": "get",
	} {
		if got := nearest.Of(in, words); got != want {
			t.Errorf("Of(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestHint(t *testing.T) {
	words := []string{"get", "set"}
	for in, want := range map[string]string{"bet": "did you mean get?", "zzz": "", strings.Repeat("set", 1<<20): ""} {
		if got := nearest.Hint(in, words); got != want {
			t.Errorf("Hint(%.9q) = %q, want %q", in, got, want)
		}
	}
}
