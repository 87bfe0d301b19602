package systempolicy_test

import (
	"fmt"
	"slices"
	"time"

	"example.com/ambit/systempolicy"
)

// An engine reads the autonomy.json that was rendered, and judges as the system.yaml would.
func ExampleLoadRendered() {
	sys, err := systempolicy.Parse("system.yaml", []byte(shop))
	if err != nil {
		fmt.Println(err)
		return
	}
	rendered, err := sys.Render()
	if err != nil {
		fmt.Println(err)
		return
	}
	read, err := systempolicy.LoadRendered("autonomy.json", rendered)
	fmt.Println(read.Policy("dev").Level(), read.Policy("dev").MaxFiles(), err)

	read, err = systempolicy.LoadRendered("autonomy.json", []byte(`{"version": 2}`))
	fmt.Println(read.Effective("dev", "", systempolicy.Signals{}), err != nil)
	// Output:
	// act 5 <nil>
	// observe true
}

func ExampleSystem_Effective() {
	sys, _ := systempolicy.Parse("system.yaml", []byte(shop))
	for env := range sys.Environments() {
		fmt.Println(env, sys.Effective(env, "", systempolicy.Signals{}))
	}
	fmt.Println("shop-api in prod:", sys.Effective("prod", "shop-api", systempolicy.Signals{}))
	signals, err := systempolicy.ParseSignals("signals.json", []byte(`{"environments": {"dev": {"level": "advise"}}}`))
	fmt.Println("dev, told to be careful:", sys.Effective("dev", "", signals), err)
	// Output:
	// dev act
	// shop-api in prod: observe
	// dev, told to be careful: advise <nil>
}

// The emergency stop writes one key, also into a file that is not valid, and moves no other byte.
func ExamplePause() {
	paused, err := systempolicy.Pause("system.yaml", []byte(shop))
	fmt.Println(systempolicy.NameOf(paused.Data), paused.Changed, err)
	sys, _ := systempolicy.Parse("system.yaml", paused.Data)
	fmt.Println(sys.Paused(), sys.Effective("dev", "", systempolicy.Signals{}))

	resumed, err := systempolicy.Resume("system.yaml", paused.Data)
	sys, _ = systempolicy.Parse("system.yaml", resumed.Data)
	fmt.Println(sys.Paused(), err)
	// Output:
	// shop true <nil>
	// true observe
	// false <nil>
}

// What is missing, or of another type, is not known, and what is not known is outside.
func ExampleParseFacts() {
	facts, err := systempolicy.ParseFacts("facts.json", []byte(`{"route": "fix", "files": 3, "adds": "12", "secondReview": true}`))
	files, known := facts.Files.Value()
	fmt.Println(files, known, err)
	_, known = facts.Adds.Value()
	fmt.Println(known, facts.SecondReview, facts.RegressionTest, systempolicy.Is(true))
	// Output:
	// 3 true <nil>
	// false yes unknown yes
}

func ExampleParsePatch() {
	patch, err := systempolicy.ParsePatch("signal", []byte(`{"riskGate": {"maxFiles": 2}}`))
	fmt.Println(patch.Keys(), patch.Apply(systempolicy.Default()).MaxFiles(), err)

	level := systempolicy.PatchOf(systempolicy.Default(), patch.Keys())
	fmt.Println(level.Keys(), level.Apply(systempolicy.Default()).MaxFiles())
	// Output:
	// riskGate.maxFiles 2 <nil>
	// riskGate.maxFiles 5
}

func ExampleParseEngineURL() {
	e, err := systempolicy.ParseEngineURL("https://ai-ops.dev.example.com/shop/")
	fmt.Println(e.Signals(), e.KeychainAccount(), e.TLS, err)
	_, err = systempolicy.ParseEngineURL("ai-ops.dev.example.com")
	fmt.Println(err)
	// Output:
	// https://ai-ops.dev.example.com/shop/v1/signals engine:ai-ops.dev.example.com true <nil>
	// "ai-ops.dev.example.com" is not an engine's address: it does not begin with http:// or https://; allowed: http:// or https:// URL
}

// The words of a file are read exactly as they are spelled.
func ExampleParseLevel() {
	level, err := systempolicy.ParseLevel("propose")
	fmt.Println(level, level < systempolicy.Act, err)
	_, err = systempolicy.ParseCriticality("Low")
	fmt.Println(err)
	key, err := systempolicy.ParseKey("riskGate.maxFiles")
	fmt.Println(key, err)
	window, err := systempolicy.ParseUndoWindow("2d")
	fmt.Println(window, window.Duration(), err)
	// Output:
	// propose true <nil>
	// "Low" is not a criticality; allowed: low, medium, high
	// riskGate.maxFiles <nil>
	// 2d 48h0m0s <nil>
}

// Budgets count per UTC day; a stamp that cannot be read counts, since a clock is wrong then.
func ExampleUsedToday() {
	now := time.Date(2026, 7, 22, 0, 30, 0, 0, time.UTC)
	stamps := []string{"2026-07-21T23:59:59Z", "2026-07-22T00:10:00Z", "2026-07-22T01:00:00+02:00", "soon"}
	fmt.Println(systempolicy.UsedToday(stamps, now))
	// Output:
	// 2
}

func ExamplePolicy_NextChange() {
	p := systempolicy.FromValue(map[string]any{"level": "act", "window": map[string]any{"timezone": "Europe/Berlin"}})
	friday := time.Date(2026, 7, 24, 16, 0, 0, 0, time.UTC)
	at, opens, _ := p.NextChange(friday)
	fmt.Println(p.Open(friday), at.Format(time.RFC3339), opens)
	fmt.Println(p.Windows(), slices.Collect(systempolicy.Outside(p, systempolicy.Facts{}, friday).All())[0])
	// Output:
	// false 2026-07-27T07:00:00Z true
	// [mon-fri 09:00-17:00 Europe/Berlin] autoMerge.routes
}

// Without a system at hand: the effective level and the policy come from elsewhere, as a signal's engine holds them.
func ExampleDecide() {
	facts := systempolicy.Facts{
		Route: "fix", Criticality: "low", Files: systempolicy.Known(2), Adds: systempolicy.Known(10), Deletes: systempolicy.Known(1),
		RegressionTest: systempolicy.Yes, SecondReview: systempolicy.Yes, MergesToday: systempolicy.Known(0), RunsToday: systempolicy.Known(0),
	}
	p := systempolicy.FromValue(map[string]any{"level": "act", "engine": "https://ai-ops.dev.example.com"})
	now := time.Date(2026, 7, 22, 12, 0, 0, 0, time.UTC)
	fmt.Println(systempolicy.Decide(systempolicy.Act, p, facts, now).Merge)
	fmt.Println(systempolicy.Decide(systempolicy.Propose, p, facts, now).Reasons())
	fmt.Println(systempolicy.Decide(systempolicy.Act, systempolicy.Default(), facts, now).Reasons())
	// Output:
	// true
	// [level]
	// [engine]
}
