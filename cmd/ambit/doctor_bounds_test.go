package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/harness"
	"example.com/ambit/internal/regime"
)

// TestDoctorBounds gives doctor files that are made to take long or to exhaust a stack: each is named and left.
func TestDoctorBounds(t *testing.T) {
	many := func(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	var words []string
	for i := range 16 {
		words = append(words, fmt.Sprintf(`"git%d"`, i))
	}
	alternatives := "[" + strings.Join(words, ",") + "]"
	for _, tt := range []struct{ name, file, text, want string }{
		{"rules", claudeSettings, `{"permissions": {"allow": [` + many(100_000, `"Bash(a b:*)"`) + `]}}`, "warning .claude/settings.json:1 too_many_rules"},
		{"a long rule", claudeSettings, `{"permissions": {"allow": ["Bash(` + strings.Repeat("a*", 50_000) + `)"]}}`, "warning .claude/settings.json:1 too_long_rule"},
		{"nesting", "opencode.json", strings.Repeat("[", 1_000_000), "error opencode.json too_deep"},
		{"nesting of keys", "opencode.json", strings.Repeat(`{"a":`, 500_000), "error opencode.json too_deep"},
		{"rules of Codex", ".codex/rules/mine.rules", strings.Repeat("prefix_rule(pattern=[\"a\"])\n", 20_000), "warning .codex/rules/mine.rules too_many_rules"},
		{"alternatives of Codex", ".codex/rules/mine.rules", strings.Repeat(`prefix_rule(pattern=[`+alternatives+`, `+alternatives+`, "x"])`+"\n", 60), "warning .codex/rules/mine.rules:8 too_many_rules"},
		{"TOML", codexConfig, strings.Repeat("a.", 200_000), "warning .codex/config.toml too_long"},
		{"tables of TOML", codexConfig, "a" + strings.Repeat(".a", 30_000) + " = 1", "error .codex/config.toml too_deep"},
		{"brackets of TOML", codexConfig, "a = " + strings.Repeat("[", 60_000), "error .codex/config.toml too_deep"},
		{"hooks", claudeLocal, `{"hooks": {"PreToolUse": [` + many(20_000, `{"hooks": []}`) + `]}}`, "warning .claude/settings.local.json:1 too_many_hooks"},
		{"a hook's command", claudeLocal, userHook(strings.Repeat("(", 30_000)), "error .claude/settings.local.json:1 hook_unrunnable"},
		{"YAML", ".opencode/agent/a.md", "---\na: " + strings.Repeat("[", 200_000) + "\n---\n", "error .opencode/agent/a.md yaml"},
		{"a link to itself", claudeLocal, "", "error .claude/settings.local.json unreadable"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, env := doctorFolder(t, "clean", true)
			if tt.text == "" {
				folder{t, root}.link(tt.file, "settings.local.json")
			} else {
				folder{t, root}.put(tt.file, tt.text)
			}
			start := time.Now()
			_, found := diagnose(t, root, env)
			if !slices.Contains(found, tt.want) {
				t.Errorf("%q is not among %.2000q", tt.want, found)
			}
			if took := time.Since(start); took > 10*time.Second && !regime.Race {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestDoctorBoundsAll spreads rules over many files, each of which is small enough.
func TestDoctorBoundsAll(t *testing.T) {
	if testing.Short() || regime.Race {
		t.Skip("looks at as many rules as are looked at")
	}
	root, env := doctorFolder(t, "clean", true)
	f := folder{t, root}
	var rules strings.Builder
	for i := range 100 {
		fmt.Fprintf(&rules, "    \"cmd%d x*\": allow\n", i)
	}
	for i := range 200 {
		f.put(fmt.Sprintf(".opencode/agent/a%d.md", i), "---\npermission:\n  bash:\n"+rules.String()+"---\n")
	}
	start := time.Now()
	_, found := diagnose(t, root, env)
	said := 0
	for _, s := range found {
		if strings.HasSuffix(s, " too_many_rules") {
			said++
		}
	}
	if said != 1 {
		t.Errorf("said %d times: %.2000q", said, found)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestLintNear holds that looking at near rules only finds what looking at all of them does.
func TestLintNear(t *testing.T) {
	for _, set := range []harness.RuleSet{
		{Harness: harness.Claude, Allow: []string{"Bash(npm run a:*)", "Bash(npm run a b)", "Bash(npm run *)", "Bash(npm run a b)", "Bash(git log:*)", "Read(x)", "Bash(* --version)", "Bash(curl * | sh)"}, Ask: []string{"Bash(npm run a *)"}, Deny: []string{"Bash(git:*)", "Bash(git log)", "Bash(rm*)"}},
		{Harness: harness.Claude, Allow: []string{"Bash", "Bash(ls)", "Bash(python:*)"}, Deny: []string{"Bash(ls)", "WebFetch"}},
		{Harness: harness.Codex, Allow: []string{"git push", "git fetch|push", "git", "gh pr view"}, Deny: []string{"git push", "curl *", "gh pr|issue"}},
	} {
		key := func(f harness.Finding) string { return f.List + " " + f.Rule + " " + string(f.Code) }
		var want, got []string
		for _, f := range harness.Lint(set) {
			want = append(want, key(f))
		}
		for _, f := range lintNear(set) {
			got = append(got, key(f))
		}
		slices.Sort(want)
		slices.Sort(got)
		if d := cmp.Diff(slices.Compact(want), slices.Compact(got)); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
}
