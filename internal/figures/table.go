package main

// The benches, each one process: what is compared is measured in the same run.
var (
	outside    = bench{"systempolicy", "BenchmarkOutside", "1s"}
	render     = bench{"systempolicy", "BenchmarkParseRender", "1s"}
	project    = bench{"turnenvelope", "BenchmarkBesideFloor", "2000x"}
	evaluate   = bench{"tiers", "BenchmarkEvaluate", "2s"}
	hostile    = bench{"tiers", "BenchmarkHostile", "20x"}
	campaignEv = bench{"campaign", "BenchmarkEvaluate", "1s"}
	tree       = bench{"campaign", "BenchmarkTree", "10x"}
	list       = bench{"envelope", "BenchmarkList", "20x"}
	hook       = bench{"examples/hook", "BenchmarkProcess", "100x"}
	start      = bench{"cmd/ambit", "BenchmarkStart", "100x"}
)

// worst is the slowest of the sub-benchmarks of Hostile.
const worst = "Hostile/* ns/op"

// figures is every promise about speed and memory.
func figures() []figure {
	return []figure{
		{name: "Outside, inside every guardrail", of: outside, value: "Outside/inside ns/op", atMost: 100, unit: "ns"},
		{name: "Outside, outside all", of: outside, value: "Outside/outside ns/op", atMost: 100, unit: "ns"},
		{name: "Outside, allocations", of: outside, value: "Outside/inside allocs/op", atMost: 0, unit: "allocs"},
		{name: "system.yaml, 3,000 lines, against yaml.v3's nodes", of: render, value: "ParseRender/3000-lines x-yaml", atMost: 1.6, unit: "x"},
		{name: "system.yaml, ten times the lines", of: render, value: "ParseRender/30000-lines ns/op", floor: "ParseRender/3000-lines ns/op", atMost: 15, unit: "ns"},
		{name: "turn envelope: project a decision of 16 KB", of: project, value: "BesideFloor project-ns", floor: "BesideFloor floor-ns", atMost: 1.5, unit: "ns"},
		{name: "tiers: ordinary commands", of: evaluate, value: "Evaluate commands/s", atLeast: 50_000, unit: "/s"},
		{name: "tiers: the worst text below the limits", of: hostile, value: worst, atMost: 10e6, unit: "ns"},
		{name: "campaign: judge loaded documents", of: campaignEv, value: "Evaluate ns/op", atMost: 50e3, unit: "ns"},
		{name: "campaign: digest of 10,000 files of 8 KiB", of: tree, value: "Tree/tree ns/op", floor: "Tree/floor ns/op", atMost: 1.3, unit: "ns"},
		{name: "envelope: list, against reading every file", of: list, value: "List x-floor", atMost: 1.5, unit: "x"},
		{name: "envelope: list, against grep", of: list, value: "List x-grep", atMost: 1, unit: "x"},
		{name: "hook example: whole event", of: hook, value: "Process hook-ms", floor: "Process empty-ms", atMost: 3, unit: "ms"},
		{name: "ambit hook: whole event", of: hook, value: "Process ambit-ms", floor: "Process empty-ms", atMost: 6, unit: "ms"},
		{name: "ambit hook: whole event, absolute", of: hook, value: "Process ambit-ms", atMost: 10, unit: "ms"},
		{name: "ambit: start to the first byte of help", of: start, value: "Start help-ms", floor: "Start empty-ms", atMost: 4, unit: "ms"},
	}
}
