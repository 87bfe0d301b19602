package systempolicy_test

import (
	"strings"
	"testing"

	"example.com/ambit/internal/fault"
	"example.com/ambit/systempolicy"
)

// TestHints holds the advice on what was probably meant; "" is none. What is advised is taken.
func TestHints(t *testing.T) {
	for _, tt := range []struct{ path, value, want string }{
		{"level", "Act", "act"}, {"level", "obsrve", "observe"}, {"level", `" act "`, "act"}, {"level", "full", ""}, {"level", "3", ""}, {"level", "[act]", ""}, {"level", "", ""},
		{"autoMerge.maxCriticality", "HIGH", "high"}, {"autoMerge.maxCriticality", "mediun", "medium"}, {"autoMerge.maxCriticality", "critical", ""},
		{"autoMerge.routes", "fix", "[fix]"}, {"autoMerge.routes", "[Fix]", "[fix]"}, {"autoMerge.routes", "[fix, spec]", ""}, {"autoMerge.routes", "spec", ""},
		{"riskGate.maxFiles", `"5"`, "5"}, {"riskGate.maxFiles", "5.0", "5"}, {"riskGate.maxLines", "1_000", "1000"}, {"riskGate.maxLines", "010", "10"}, {"riskGate.maxFiles", "0", ""},
		{"riskGate.maxFiles", "9007199254740992", ""}, {"riskGate.maxFiles", "five", ""}, {"riskGate.maxFiles", "5.5", ""}, {"riskGate.maxFiles", "-1", ""},
		{"riskGate.maxFiles", `"1.05"`, ""}, {"riskGate.maxFiles", `"1,5"`, ""}, {"riskGate.maxFiles", `"1.000"`, ""}, {"riskGate.maxLines", `"1,000"`, "1000"}, {"riskGate.maxLines", `"1,00"`, ""}, {"riskGate.maxLines", `"1 000"`, "1000"}, {"riskGate.maxLines", "5.00", "5"},
		{"budget.perRun.cost", `"1.05"`, "1.05"}, {"budget.perRun.cost", `"0.5"`, "0.5"}, {"budget.perRun.cost", `"1,5"`, ""}, {"budget.perRun.cost", `"1,500"`, ""}, {"budget.perRun.minutes", `"60"`, "60"}, {"budget.perRun.minutes", "0", ""},
		{"riskGate.secondReview", "yes", "true"}, {"riskGate.secondReview", "Off", "false"}, {"riskGate.secondReview", `"false"`, "false"}, {"riskGate.secondReview", "1", "true"}, {"riskGate.secondReview", "maybe", ""},
		{"window.days", "mon", "[mon]"}, {"window.days", "mon,Tue", "[mon, tue]"}, {"window.days", "[Monday, sunday]", "[mon, sun]"}, {"window.days", "[mon, mon]", "[mon]"}, {"window.days", "[mon-fri]", ""}, {"window.days", "[]", ""}, {"window.days", "[today]", ""},
		{"window.from", `"9:00"`, `"09:00"`}, {"window.to", "18", `"18:00"`}, {"window.to", "1080", `"18:00"`}, {"window.from", `"24:00"`, `"00:00"`}, {"window.from", "0:30", `"00:30"`},
		{"window.from", `"25:00"`, ""}, {"window.from", `"09:60"`, ""}, {"window.from", `"9:5"`, ""}, {"window.from", "noon", ""}, {"window.from", "1440", ""}, {"window.from", `"12:00:00"`, ""},
		{"window.timezone", "europe/berlin", "Europe/Berlin"}, {"window.timezone", "Berlin", "Europe/Berlin"}, {"window.timezone", "new york", "America/New_York"}, {"window.timezone", "utc", "UTC"}, {"window.timezone", "Z", "UTC"},
		{"window.timezone", "CEST", ""}, {"window.timezone", "Factory", ""}, {"window.timezone", "Europe", ""}, {"window.timezone", `""`, ""}, {"window.timezone", "[UTC]", ""},
		{"engine", "ai-ops.example.com", "https://ai-ops.example.com"}, {"engine", "HTTPS://a", "https://a"}, {"engine", "none", ""}, {"engine", "ftp://a", ""}, {"engine", "https://u@a", ""},
		{"undoWindow", "24", "24h"}, {"undoWindow", "24H", "24h"}, {"undoWindow", `"24 h"`, "24h"}, {"undoWindow", "1w", "7d"}, {"undoWindow", "0h", ""}, {"undoWindow", "1h30m", ""}, {"undoWindow", "xw", ""},
	} {
		_, err := systempolicy.Parse("system.yaml", []byte(declare("dev", tt.path, tt.value)))
		all := fault.All(err)
		if len(all) != 1 {
			t.Errorf("%s: %s: %v", tt.path, tt.value, err)
			continue
		}
		want := tt.want
		if want != "" {
			want = "did you mean " + want + "?"
			if _, err := systempolicy.Parse("system.yaml", []byte(declare("dev", tt.path, tt.want))); err != nil {
				t.Errorf("%s: advised %s: %v", tt.path, tt.want, err)
			}
		}
		if all[0].Hint != want {
			t.Errorf("%s: %s: %q, want %q", tt.path, tt.value, all[0].Hint, want)
		}
	}
	const policy = "environments.<env>.autonomy"
	for yaml, want := range map[string]string{
		"environments: {dev: {autonomy: {lvel: act}}}":                               "did you mean level?",
		"environments: {dev: {autonomy: {maxfiles: 1}}}":                             "maxFiles belongs in " + policy + ".riskGate",
		"environments: {dev: {autonomy: {cost: 1}}}":                                 "cost belongs in " + policy + ".budget.perRun",
		"environments: {dev: {autonomy: {perRun: {}}}}":                              "perRun belongs in " + policy + ".budget",
		"environments: {dev: {autonomy: {riskGate: {window: {}}}}}":                  "window belongs in " + policy,
		"environments: {dev: {autonomy: {max: act}}}":                                "max belongs in components.<c>.instances.<env>.autonomy",
		"environments: {dev: {autonomy: {paused: true}}}":                            "paused belongs in the top-level autonomy",
		"autonomy: {level: act}":                                                     "level belongs in " + policy,
		"components: {a: {instances: {dev: {autonomy: {level: act}}}}}":              "level belongs in " + policy,
		"autonomy: {paused: yes}":                                                    "did you mean true?",
		"components: {a: {instances: {dev: {autonomy: {max: Propose}}}}}":            "did you mean propose?",
		"components: {a: {instances: {dev: {autonomy: {max: [act]}}}}}":              "",
		"environments: {dev: {autonomy: {enabled: true}}}":                           "",
		"environments: {dev: {autonomy: {" + strings.Repeat("x", 5000) + ": true}}}": "",
	} {
		_, err := systempolicy.Parse("system.yaml", []byte(yaml))
		if all := fault.All(err); len(all) != 1 || all[0].Hint != want {
			t.Errorf("%s: %v, want %q", yaml[:min(len(yaml), 80)], all, want)
		}
	}
}
