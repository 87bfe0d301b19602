package tiers_test

import (
	"fmt"

	"example.com/ambit/tiers"
)

func ExampleVerdict_Allows() {
	for _, line := range []string{"git status", "make all", "git push"} {
		v := tiers.Evaluate(line)
		fmt.Println(line, v.Allows(), v.Decision)
	}
	// Output:
	// git status true silent
	// make all false ask
	// git push false block
}

// Every closed set can be listed, for a flag or a form.
func ExampleTierNames() {
	fmt.Println(tiers.TierNames())
	fmt.Println(tiers.ModeNames())
	fmt.Println(tiers.LevelNames())
	fmt.Println(tiers.Reasons()[:5])
	// Output:
	// [tier1_silent tier2_notified tier3_blocking]
	// [guarded trusted headless]
	// [info warn block]
	// [unlisted tier1 tier2 tier3 blacklist]
}

// A protocol of one's own begins as a copy of the default one.
func ExampleDefaultSource() {
	p, err := tiers.Parse("autonomy-protocol.json", tiers.DefaultSource())
	fmt.Println(p.Version(), err)
	for tool := range p.Tools() {
		fmt.Println(tool.Name, tool.Mode)
	}
	deny := p.Resolve("claude").Deny
	fmt.Println(tiers.DenyTexts(deny, tiers.KindCommand))
	// Output:
	// 1.1 <nil>
	// claude guarded
	// codex guarded
	// opencode guarded
	// [cloud:publish:* genome:publish]
}
