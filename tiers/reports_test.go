package tiers

import (
	"slices"
	"strings"
	"testing"

	"example.com/ambit/internal/conformance"
)

// patternsOf translates a rule of another tool's into patterns of ours: `Bash(x:*)`, `shell(x)` and `commandPrefix x`
// are `x *`; a star that is glued to the last word covers both that word and what follows it.
func patternsOf(rule string) []string {
	inner, prefix := rule, false
	if rest, ok := strings.CutPrefix(rule, "commandPrefix "); ok {
		inner, prefix = rest, true
	} else if name, rest, ok := strings.Cut(rule, "("); ok && strings.HasSuffix(rest, ")") {
		inner = strings.TrimSuffix(rest, ")")
		prefix = name == "shell" || name == "ShellTool"
	} else if rule == "Bash" {
		return []string{"*"}
	}
	if rest, ok := strings.CutSuffix(inner, ":*"); ok {
		inner, prefix = rest, true
	}
	if prefix || !strings.Contains(inner, " ") && !strings.Contains(inner, "*") {
		return []string{inner + " *"}
	}
	if strings.HasSuffix(inner, "*") && !strings.HasSuffix(inner, " *") {
		return []string{inner, inner + " *"}
	}
	return []string{inner}
}

// TestPublicReports tries the public reports about shell matching: allow rules are tier1, deny rules tier3, and an ask
// rule takes what it matches out of tier1. Rows that expect a lint are another package's matter.
func TestPublicReports(t *testing.T) {
	type row struct {
		ID    string
		Input struct {
			Type, Harness, Command string
			Allow, Deny, Ask       []string
			Ordered                [][]string `json:"rules_ordered"`
			Rewrites               string     `json:"hook_rewrites_to"`
		}
		Expected, Why string
	}
	right, of := 0, 0
	var exceptions []string
	conformance.Run(t, "harness/reports.jsonl", 40, func(r row) string { return r.ID }, func(t *testing.T, r row) {
		if r.Input.Type != "shell" || strings.HasPrefix(r.Expected, "lint") {
			t.Skip("not about shell matching")
		}
		allow, deny, ask := r.Input.Allow, r.Input.Deny, r.Input.Ask
		for _, o := range r.Input.Ordered {
			switch o[1] {
			case "allow":
				allow = append(allow, o[0])
			case "deny":
				deny = append(deny, o[0])
			default:
				ask = append(ask, o[0])
			}
		}
		translate := func(rules []string) (out []string) {
			for _, rule := range rules {
				out = append(out, patternsOf(rule)...)
			}
			return out
		}
		p := Default()
		if len(allow)+len(deny)+len(ask) > 0 {
			p = protocolOf(t, translate(allow), nil, translate(deny))
		}
		v := Evaluator{Protocol: p, Root: "/repo"}.Evaluate(r.Input.Command)
		if len(ask) > 0 {
			// What an ask rule matches is no longer allowed: judged as a deny, it must be seen.
			asks := Evaluator{Protocol: protocolOf(t, translate(allow), nil, translate(ask)), Root: "/repo"}.Evaluate(r.Input.Command)
			if asks.Decision == Block && v.Allows() {
				v.Decision = Ask
			}
		}
		want := []Decision{Ask}
		switch first, _, _ := strings.Cut(r.Expected, " "); strings.TrimRight(first, ":,") {
		case "allow":
			want = []Decision{Silent, Notify}
			if len(allow) == 0 {
				want = append(want, Ask) // nothing lists it: not to be blocked is all that can be asked
			}
		case "deny":
			want = []Decision{Block}
			if strings.HasPrefix(r.Expected, "deny or ask") {
				want = append(want, Ask)
			}
		case "no":
			want = []Decision{Block}
		}
		of++
		if slices.Contains(want, v.Decision) {
			right++
			return
		}
		exceptions = append(exceptions, r.ID)
		t.Logf("%s: %s, want %s (%s) allow %q deny %q ask %q\n%s", r.ID, v.Decision, r.Expected, r.Why, allow, deny, ask, v.Explain())
	})
	t.Logf("%d of %d reports; exceptions %q", right, of, exceptions)
	if right*100 < of*90 {
		t.Errorf("%d of %d reports are right, want 90%%", right, of)
	}
}
