package tiers_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/ambit/internal/conformance"
	"example.com/ambit/tiers"
)

// report is one public report about shell matching in some agent's rules, with the behaviour that would have been right.
type report struct {
	ID       string
	Kind     string
	Expected string
	Why      string
	Input    struct {
		Type, Harness, Command string
		Allow, Deny, Ask       []string
		Ordered                [][2]string `json:"rules_ordered"`
	}
}

// reportExceptions are reports whose right behaviour is not the verdict here, each with its reason.
var reportExceptions = map[string]string{
	"bug-022": "ssh is a runner that always asks, whatever lists it (T31)",
	"bug-151": "a guard that only denies lets through what no rule names; here what no pattern lists asks",
	"bug-168": "the same: its only rule is a deny, and the line writes a file",
	"bug-170": "the same: gh pr comment is in no tier of the default protocol",
}

// TestReports translates each report's rules and compares the verdict: allow is tier1, deny is tier3, and what an ask
// rule matches, as widely as a deny, is taken out of the allow matches. Reports without rules are judged by the default
// protocol. Reports that expect a lint are another package's.
func TestReports(t *testing.T) {
	_, standard := conformance.Dir(t)
	judged, right := 0, 0
	conformance.Run(t, "harness/reports.jsonl", 43, func(r report) string { return r.ID }, func(t *testing.T, r report) {
		if r.Input.Type != "shell" || strings.HasPrefix(r.Expected, "lint") {
			t.SkipNow()
		}
		judged++
		got := judgeReport(t, r)
		if reportHolds(r.Expected, got) {
			right++
			if why, ok := reportExceptions[r.ID]; ok {
				t.Errorf("no exception any more: %s", why)
			}
			return
		}
		if why, ok := reportExceptions[r.ID]; ok {
			t.Logf("exception: %s", why)
			return
		}
		complain := t.Errorf
		if !standard && !got.Allows() {
			complain = t.Logf // of other reports it is known only that none may run what should have been stopped
		}
		complain("%v, want %s (%s)\nallow %q deny %q ask %q %q\n%s", got.Decision, r.Expected, r.Why, r.Input.Allow, r.Input.Deny, r.Input.Ask, r.Input.Ordered, got.Explain())
	})
	t.Logf("%d of %d reports as they should be (%d%%)", right, judged, 100*right/max(judged, 1))
	if standard && 10*right < 9*judged {
		t.Errorf("only %d of %d reports are judged as they should be", right, judged)
	}
}

func judgeReport(t *testing.T, r report) tiers.Verdict {
	in := r.Input
	for _, rule := range in.Ordered {
		list := map[string]*[]string{"allow": &in.Allow, "deny": &in.Deny, "ask": &in.Ask}[rule[1]]
		*list = append(*list, rule[0])
	}
	if len(in.Allow)+len(in.Deny)+len(in.Ask) == 0 {
		return tiers.Evaluate(in.Command)
	}
	v := tiers.Evaluator{Protocol: reportProtocol(t, in.Harness, in.Allow, in.Deny)}.Evaluate(in.Command)
	asks := tiers.Evaluator{Protocol: reportProtocol(t, in.Harness, nil, in.Ask)}.Evaluate(in.Command)
	if asks.Decision == tiers.Block && v.Allows() {
		v.Decision = tiers.Ask
	}
	return v
}

func reportProtocol(t *testing.T, harness string, allow, deny []string) *tiers.Protocol {
	list := func(rules []string) string {
		out := []string{}
		for _, r := range rules {
			out = append(out, translate(harness, r))
		}
		text, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return parse(t, fmt.Sprintf(`{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":%s},"tier3_blocking":{"shell_patterns":%s}}}`, list(allow), list(deny)))
}

// translate gives the pattern that says what a rule of a harness is meant to say.
func translate(harness, rule string) string {
	name, inner, called := strings.Cut(strings.TrimSuffix(rule, ")"), "(")
	prefix, isPrefix := strings.CutPrefix(rule, "commandPrefix ")
	switch {
	case rule == "Bash":
		return "*"
	case isPrefix:
		return prefix + " *"
	case called && slices.Contains([]string{"shell", "ShellTool"}, name):
		return inner + " *"
	case called:
		if head, ok := strings.CutSuffix(inner, ":*"); ok {
			return head + " *"
		}
		return inner
	case harness == "cursor":
		return rule + " *"
	}
	return rule
}

// reportHolds compares a verdict with what a report says would have been right, in words.
func reportHolds(expected string, v tiers.Verdict) bool {
	switch {
	case strings.HasPrefix(expected, "deny or ask"):
		return !v.Allows()
	case strings.HasPrefix(expected, "deny"):
		return v.Decision == tiers.Block
	case strings.HasPrefix(expected, "ask"):
		return v.Decision == tiers.Ask
	case strings.HasPrefix(expected, "allow"):
		return v.Allows()
	case strings.HasPrefix(expected, "no force verdict"):
		return v.Decision == tiers.Block && v.Deciding()[0].Pattern == "git push *"
	}
	return false
}
