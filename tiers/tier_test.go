package tiers_test

import (
	"fmt"
	"testing"

	"example.com/ambit/tiers"
)

func TestTierText(t *testing.T) {
	for want, tier := range []tiers.Tier{tiers.TierNone, tiers.Tier1Silent, tiers.Tier2Notified, tiers.Tier3Blocking} {
		if int(tier) != want {
			t.Errorf("%v is %d, want %d", tier, tier, want)
		}
		text, err := tier.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back tiers.Tier
		if err := back.UnmarshalText(text); err != nil || back != tier {
			t.Errorf("%q reads back as %v, %v", text, back, err)
		}
	}
	if got := tiers.Tier(9).String(); got != "none" {
		t.Errorf("a number beyond the set is %q, want none", got)
	}
	names := tiers.TierNames()
	names[0] = "x"
	if tiers.TierNames()[0] != "tier1_silent" {
		t.Error("TierNames hands out its own slice")
	}
}

func ExampleTier_UnmarshalText() {
	var t tiers.Tier
	fmt.Println(t.UnmarshalText([]byte("tier3")))
	// Output: "tier3" is not a tier; allowed: none, tier1_silent, tier2_notified, tier3_blocking
}
