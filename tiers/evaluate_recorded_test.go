package tiers

import (
	"encoding/json"
	"testing"

	"example.com/ambit/internal/conformance"
)

// generous is the tier1 that the recorded evasions are tried against, with its tier3.
var (
	generous = []string{
		"cat *", "ls *", "head *", "tail *", "wc *", "grep *", "rg *", "find *", "sort *", "uniq *", "sed *", "awk *",
		"printf *", "echo *", "test *", "cd *", "tee *", "xargs *",
		"git status", "git log *", "git diff *", "git show *", "git grep *",
	}
	irreversible = []string{"git push *", "npm publish *", "rm -rf *"}
)

// protocolOf makes a protocol of shell patterns.
func protocolOf(t testing.TB, tier1, tier2, tier3 []string, writePaths ...string) *Protocol {
	t.Helper()
	list := func(l []string) map[string]any {
		if l == nil {
			l = []string{}
		}
		return map[string]any{"shell_patterns": l}
	}
	second := list(tier2)
	if len(writePaths) > 0 {
		second["write_paths"] = writePaths
	}
	data, err := json.Marshal(map[string]any{
		"version": "1.1",
		"tiers":   map[string]any{"tier1_silent": list(tier1), "tier2_notified": second, "tier3_blocking": list(tier3)},
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse("test.json", data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRecordedEvasions(t *testing.T) {
	type row struct {
		ID, Cmd, Category, Effect string
		AtLeast                   string `json:"at_least"`
	}
	e := Evaluator{Protocol: protocolOf(t, generous, nil, irreversible), Root: "/repo"}
	for _, file := range []struct {
		name       string
		min        int
		wantBlocks float64
	}{{"tiers/evasions.jsonl", 128, 0.55}, {"tiers/evasions2.jsonl", 400, 0.80}} {
		blocked, of := 0, 0
		conformance.Run(t, file.name, file.min, func(r row) string { return r.ID }, func(t *testing.T, r row) {
			v := e.Evaluate(r.Cmd)
			if v.Allows() && r.Category != "unicode-nonbypass" {
				t.Errorf("%s: %q\n%s", v.Decision, r.Cmd, v.Explain())
			}
			if r.AtLeast == "block" || r.AtLeast == "" {
				of++
				if v.Decision == Block {
					blocked++
				} else if r.AtLeast == "block" {
					t.Logf("not blocked: %q %v", r.Cmd, v.Reasons())
				}
			}
		})
		share := float64(blocked) / float64(max(of, 1))
		t.Logf("%s: %d of %d block (%.0f%%)", file.name, blocked, of, 100*share)
		if share < file.wantBlocks {
			t.Errorf("%s: %.0f%% block, want %.0f%%", file.name, 100*share, 100*file.wantBlocks)
		}
	}
}

// plainly are the patterns that a careful operator lists for the recorded benign lines.
var plainly = []string{
	"git help *", "gitpush *", "git config --get *", "git remote get-url *", "ls *", "sed *", "rg *", "git push --help",
	"npm view *", "npm run build", "git log *", "head *", "jq *",
}

func TestRecordedBenign(t *testing.T) {
	type row struct {
		ID, Cmd, Why, Expected string
		Allow                  []string
	}
	asked := 0
	conformance.Run(t, "tiers/benign.jsonl", 20, func(r row) string { return r.ID }, func(t *testing.T, r row) {
		v := Evaluator{Protocol: protocolOf(t, plainly, nil, irreversible), Root: "/repo"}.Evaluate(r.Cmd)
		switch v.Decision {
		case Block:
			t.Errorf("block: %q\n%s", r.Cmd, v.Explain())
		case Ask:
			asked++
			t.Logf("ask: %q %v", r.Cmd, v.Reasons())
		}
	})
	if asked > 2 {
		t.Errorf("%d of the benign lines ask, want at most 2", asked)
	}
	silent, of := 0, 0
	conformance.Run(t, "tiers/benign2.jsonl", 81, func(r row) string { return r.ID }, func(t *testing.T, r row) {
		v := Evaluator{Protocol: protocolOf(t, r.Allow, nil, irreversible), Root: "/repo"}.Evaluate(r.Cmd)
		if v.Decision == Block {
			t.Errorf("block: %q\n%s", r.Cmd, v.Explain())
		}
		if r.Expected == "silent" {
			of++
			if v.Decision == Silent {
				silent++
			} else {
				t.Logf("%s: %q (%s)\n%s", v.Decision, r.Cmd, r.Why, v.Explain())
			}
		}
	})
	if silent*100 < of*95 {
		t.Errorf("%d of %d everyday lines are silent, want 95%%", silent, of)
	}
}
