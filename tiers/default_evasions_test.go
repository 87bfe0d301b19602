package tiers_test

import (
	"testing"

	"example.com/ambit/internal/conformance"
	"example.com/ambit/tiers"
)

// TestDefaultStopsEvasions: no recorded line that really pushed, published or deleted runs unasked by the default
// protocol, whichever tool runs it.
func TestDefaultStopsEvasions(t *testing.T) {
	type row struct{ Cmd, Category string }
	for file, minimum := range map[string]int{"tiers/evasions.jsonl": 128, "tiers/evasions2.jsonl": 400} {
		conformance.Run(t, file, minimum, func(row) string { return "" }, func(t *testing.T, r row) {
			for _, tool := range []string{"", "claude"} {
				v := tiers.Evaluator{Protocol: tiers.Default(), Tool: tool, Root: "/project"}.Evaluate(r.Cmd)
				if v.Allows() && r.Category != "unicode-nonbypass" {
					t.Errorf("%q runs unasked\n%s", r.Cmd, v.Explain())
				}
			}
		})
	}
}
