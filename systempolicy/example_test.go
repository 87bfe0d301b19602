package systempolicy_test

import (
	"fmt"
	"time"

	"example.com/ambit/systempolicy"
)

const shop = `name: shop
environments:
  dev:
    autonomy:
      level: act        # since May
      engine: https://ai-ops.dev.example.com
      riskGate: {maxFiles: 5}
components:
  shop-api:
    instances:
      dev: {}
      prod: {autonomy: {max: propose}}
`

// An engine asks one question before it merges.
func ExampleSystem_Decide() {
	sys, err := systempolicy.Parse("system.yaml", []byte(shop))
	if err != nil {
		fmt.Println(err)
		return
	}
	facts := systempolicy.Facts{
		Route: "fix", Criticality: "low", Files: systempolicy.Known(9), Adds: systempolicy.Known(40), Deletes: systempolicy.Known(2),
		RegressionTest: systempolicy.Yes, SecondReview: systempolicy.Yes, MergesToday: systempolicy.Known(0), RunsToday: systempolicy.Known(1),
	}
	now := time.Date(2026, 7, 22, 12, 0, 0, 0, time.UTC)
	d := sys.Decide("dev", "shop-api", systempolicy.Signals{}, facts, now)
	fmt.Println(d.Merge, d.Effective, d.Reasons())
	// Output: false act [riskGate.maxFiles]
}

func ExampleOutside() {
	facts := systempolicy.Facts{Route: "fix", Criticality: "low"} // nothing else is known
	for g := range systempolicy.Outside(systempolicy.Default(), facts, time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC)).All() {
		fmt.Println(g)
	}
	// Output:
	// riskGate.maxFiles
	// riskGate.maxLines
	// riskGate.regressionTest
	// riskGate.secondReview
	// budget.mergesPerDay
	// budget.runsPerDay
	// window
}

func ExampleExplain() {
	facts := systempolicy.Facts{}
	now := time.Date(2026, 7, 24, 18, 30, 0, 0, time.UTC)
	reasons := systempolicy.Explain(systempolicy.Default(), facts, now)
	fmt.Println(reasons[len(reasons)-1].Message)
	// Output: fri 18:30 (UTC) is outside the window mon-fri 09:00-17:00 UTC; it opens mon 09:00 (2026-07-27T09:00:00Z)
}

func ExampleParse() {
	_, err := systempolicy.Parse("system.yaml", []byte("environments:\n  prod:\n    autonomy: {level: improve, undoWindow: 1w}\n"))
	fmt.Println(err)
	// Output:
	// system.yaml:3:23: environments.prod.autonomy.level: prod is at most at act; allowed: observe, advise, propose, act
	// system.yaml:3:44: environments.prod.autonomy.undoWindow: "1w" is no duration of 1 minute to 106751 days; allowed: <n>m, <n>h or <n>d
}

func ExampleCompare() {
	merged := systempolicy.FromValue(map[string]any{"level": "act", "riskGate": map[string]any{"maxFiles": 5}})
	proposed := systempolicy.FromValue(map[string]any{"level": "propose", "riskGate": map[string]any{"maxFiles": 9}})
	fmt.Println(systempolicy.Compare(merged, proposed))
	fmt.Println(systempolicy.Compare(merged, systempolicy.Meet(merged, proposed)).Verdict)
	// Output:
	// tighter: level; looser: riskGate.maxFiles
	// tighter
}

func ExampleEdit() {
	patch, err := systempolicy.Patch{}.With(systempolicy.KeyLevel, "propose")
	if err == nil {
		patch, err = patch.With(systempolicy.KeyMaxFiles, "3")
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	edited, err := systempolicy.Edit("system.yaml", []byte(shop), "dev", patch)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(edited.Data))
	// Output:
	// name: shop
	// environments:
	//   dev:
	//     autonomy:
	//       level: propose        # since May
	//       engine: https://ai-ops.dev.example.com
	//       riskGate: {maxFiles: 3}
	// components:
	//   shop-api:
	//     instances:
	//       dev: {}
	//       prod: {autonomy: {max: propose}}
}

func ExampleSplit() {
	merged := systempolicy.FromValue(map[string]any{"level": "act"})
	next := systempolicy.FromValue(map[string]any{"level": "propose", "riskGate": map[string]any{"maxFiles": 9}})
	plan := systempolicy.Split(merged, next)
	signal, err := plan.Signal.MarshalJSON()
	fmt.Println("at once:", plan.AtOnce, "after the merge:", plan.AfterMerge, string(signal), err)
	// Output: at once: level after the merge: riskGate.maxFiles {"level": "propose"} <nil>
}

func ExampleUndo() {
	event := systempolicy.Event{ID: "ev-1", Environment: "dev", Component: "shop-api", Level: "act",
		At: time.Date(2026, 7, 22, 10, 0, 0, 0, time.UTC), From: "v1.4.1", To: "v1.4.2", Undone: systempolicy.No}
	pins := systempolicy.Pins{Before: []string{"v1.4.0", "v1.4.1"}, Current: "v1.4.2"}
	d := systempolicy.Undo(event, systempolicy.Default().UndoWindow(), pins, "", event.At.Add(25*time.Hour))
	fmt.Println(d.Allowed, d.Refusals)
	// Output: false [window]
}

func ExampleHeld_Accept() {
	merged := systempolicy.FromValue(map[string]any{"level": "act"})
	now := time.Date(2026, 7, 22, 12, 0, 0, 0, time.UTC)
	loosening, _ := systempolicy.ParsePatch("signal", []byte(`{"riskGate": {"maxFiles": 50}}`))
	_, answer := systempolicy.Held{}.Accept(systempolicy.Signal{ID: "1", Kind: systempolicy.SetSignal, At: now, Policy: loosening}, merged, now)
	fmt.Println(answer.Accepted(), answer.Loosens)
	// Output: false riskGate.maxFiles
}
