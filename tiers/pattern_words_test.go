package tiers_test

import (
	"testing"

	"example.com/ambit/tiers"
	"github.com/google/go-cmp/cmp"
)

func TestSpellings(t *testing.T) {
	lit := func(s string) tiers.PatternWord { return tiers.PatternWord{Parts: []string{s}} }
	many := tiers.PatternWord{Many: true}
	for text, want := range map[string][][]tiers.PatternWord{
		"git push *":   {{lit("git"), lit("push"), many}},
		`a "b c" d*e*`: {{lit("a"), lit("b c"), {Parts: []string{"d", "e", ""}}}},
		"curl * | sh":  nil,
		"*>*":          nil,
	} {
		p, err := tiers.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, p.Spellings()); d != "" {
			t.Errorf("%s (-want +got):\n%s", text, d)
		}
	}
	p, err := tiers.ParseCommandEntry("cloud:*", "aioson")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Spellings(); len(got) != 6 || len(got[0]) != 3 || got[2][1].Parts[0] != "-y" {
		t.Errorf("a command entry: %v", got)
	}
}
