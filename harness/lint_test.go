package harness_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/ambit/harness"
	"example.com/ambit/internal/regime"
	"github.com/google/go-cmp/cmp"
)

func TestLint(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  harness.RuleSet
		want []string // code list rule other
	}{
		{"separators", harness.RuleSet{Deny: []string{"Bash(curl * | sh)", "Bash(a && b)"}},
			[]string{"dead_rule deny Bash(curl * | sh) ", "dead_rule deny Bash(a && b) "}},
		{"colon outside", harness.RuleSet{Allow: []string{"Edit:*", "Write:*", "Bash:*", "mcp__a__b"}},
			[]string{"dead_rule allow Edit:* ", "dead_rule allow Write:* ", "dead_rule allow Bash:* "}},
		{"colon star in the middle", harness.RuleSet{Deny: []string{"Bash(git:*push*)"}}, []string{"dead_rule deny Bash(git:*push*) "}},
		{"mixed stars", harness.RuleSet{Allow: []string{"Bash(git -C * show:*)"}}, []string{"dead_rule allow Bash(git -C * show:*) "}},
		{"two suffixes", harness.RuleSet{Deny: []string{"Bash(aioson cloud:publish:*:*)"}}, []string{"dead_rule deny Bash(aioson cloud:publish:*:*) "}},
		{"exact where a prefix was meant", harness.RuleSet{Deny: []string{"Bash(git)"}}, []string{"dead_rule deny Bash(git) "}},
		{"option behind a colon", harness.RuleSet{Deny: []string{"Bash(rm:-f*)"}}, []string{"dead_rule deny Bash(rm:-f*) "}},
		{"a path nobody reads", harness.RuleSet{Deny: []string{"Write(src/**)", "Edit(src/**)"}}, []string{"dead_rule deny Write(src/**) "}},
		{"unreachable allow", harness.RuleSet{Allow: []string{"Bash(aws * describe-*)"}, Deny: []string{"Bash(aws:*)"}},
			[]string{"shadowed_rule allow Bash(aws * describe-*) Bash(aws:*)"}},
		{"covered by a wildcard", harness.RuleSet{Allow: []string{"Bash(ls -l)", "Bash(ls:*)", "Bash(ls:*)"}},
			[]string{"shadowed_rule allow Bash(ls -l) Bash(ls:*)", "duplicate_rule allow Bash(ls:*) Bash(ls:*)"}},
		{"broad", harness.RuleSet{Allow: []string{"Bash", "Read", "Bash(git *)", "Bash(* main)"}},
			[]string{"broad_allow allow Bash ", "broad_allow allow Bash(git *) ", "shadowed_rule allow Bash(git *) Bash",
				"broad_allow allow Bash(* main) ", "shadowed_rule allow Bash(* main) Bash"}},
		{"interpreters", harness.RuleSet{Allow: []string{"Bash(node:*)", "Bash(/usr/bin/python3 *)", "Bash(node --version)"}},
			[]string{"interpreter_allow allow Bash(node:*) ", "interpreter_allow allow Bash(/usr/bin/python3 *) ", "shadowed_rule allow Bash(node --version) Bash(node:*)"}},
		{"codex stars", harness.RuleSet{Harness: harness.Codex, Deny: []string{"git push *"}, Allow: []string{"npx", "cargo build"}},
			[]string{"interpreter_allow allow npx ", "dead_rule deny git push * "}},
		{"opencode order", harness.RuleSet{Harness: harness.OpenCode, Ordered: []harness.OrderRule{{Key: "git push *", Effect: "deny"}, {Key: "git * main", Effect: "ask"}, {Key: "*", Effect: "allow"}}},
			[]string{"order_dependent deny git push * git * main", "shadowed_rule deny git push * *", "shadowed_rule ask git * main *", "broad_allow allow * "}},
		{"clean", harness.RuleSet{Allow: []string{"Bash(git status)", "Bash(git log:*)"}, Deny: []string{"Bash(git push:*)"}}, nil},
	} {
		var got []string
		for _, f := range harness.Lint(tt.set) {
			got = append(got, fmt.Sprintf("%s %s %s %s", f.Code, f.List, f.Rule, f.Other))
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// TestLintOfManyRules holds that rules which begin otherwise cost next to nothing beside each other.
func TestLintOfManyRules(t *testing.T) {
	claude, openCode := harness.RuleSet{Harness: harness.Claude}, harness.RuleSet{Harness: harness.OpenCode}
	for i := range 300 {
		claude.Allow = append(claude.Allow, fmt.Sprintf("Bash(tool%d run:*)", i))
		claude.Deny = append(claude.Deny, fmt.Sprintf("Bash(other%d run *)", i))
		openCode.Ordered = append(openCode.Ordered, harness.OrderRule{Key: fmt.Sprintf("tool%d run *", i), Effect: "allow"})
	}
	claude.Allow = append(claude.Allow, "Bash(other7 run x)")
	var found, ordered []harness.Finding
	regime.Within(t, 250*time.Millisecond, func() { found, ordered = harness.Lint(claude), harness.Lint(openCode) })
	if len(found) != 1 || found[0].Other != "Bash(other7 run *)" || len(ordered) != 0 {
		t.Errorf("%+v, %+v", found, ordered)
	}
}
