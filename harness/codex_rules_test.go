package harness_test

import (
	"errors"
	"strings"
	"testing"

	"example.com/ambit/harness"
	"github.com/google/go-cmp/cmp"
)

func TestReadCodexRules(t *testing.T) {
	got, err := harness.ReadCodexRules("x.rules", []byte("# c\nprefix_rule(pattern = [\"git\", ['push', \"a\\\"\\\\\\n\"]], decision=\"forbidden\", # c\n  justification='no', match=[\"git push x\", ['git','push']], not_match=[\"git pull\"],)\n"+
		"host_executable(name = \"git\", paths = [\"/usr/bin/git\"])\nprefix_rule(pattern=[\"ls\"])"))
	if err != nil {
		t.Fatal(err)
	}
	want := []harness.PrefixRule{
		{Pattern: [][]string{{"git"}, {"push", "a\"\\\n"}}, Decision: "forbidden", Justification: "no", Match: [][]string{{"git", "push", "x"}, {"git", "push"}}, NotMatch: [][]string{{"git", "pull"}}, Line: 2},
		{Pattern: [][]string{{"ls"}}, Decision: "allow", Line: 5},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got[0].Text() != "git push|a\"\\\n" {
		t.Errorf("%q", got[0].Text())
	}
	for text, at := range map[string][2]int{
		`prefix_rule(pattern=["a"], justification=" ")`: {1, 1}, `prefix_rule(pattern=[])`: {1, 1}, `prefix_rule()`: {1, 1}, `prefix_rule(pattern="a")`: {1, 1},
		`prefix_rule(pattern=[["a", []]])`: {1, 1}, `prefix_rule(pattern=[[]])`: {1, 1}, `prefix_rule(pattern=["a"], decision="no")`: {1, 1}, `prefix_rule(pattern=["a"], decision=["no"])`: {1, 1},
		`prefix_rule(pattern=["a"], match=["b"])`: {1, 1}, "\n prefix_rule(pattern=[\"a\"], not_match=[[\"a\", \"b\"]])": {2, 2}, `prefix_rule(pattern=["a"], x="b")`: {1, 1},
		`prefix_rule(pattern=["a"], match="a")`: {1, 1}, `prefix_rule(pattern=["a"], match=["'a'"])`: {1, 1}, `prefix_rule(pattern=["a"], match=[["a", ["b"]]])`: {1, 1},
		`prefix_rule(pattern=["a"], match=["a"], match=["a"])`: {1, 41}, `prefix_rule(pattern=["a")`: {1, 25}, `prefix_rule(pattern=["a"`: {1, 25}, `prefix_rule(pattern=a)`: {1, 21}, `prefix_rule pattern`: {1, 13},
		`prefix_rule(pattern "a")`: {1, 21}, `other(pattern=["a"])`: {1, 1}, `"a"`: {1, 1}, `prefix_rule(pattern=["a])`: {1, 22}, "prefix_rule(pattern=[\"a\n\"])": {1, 22}, `prefix_rule(pattern=["\x41"])`: {1, 23},
		`prefix_rule(pattern=["""a"""])`: {1, 22}, `prefix_rule(pattern=["\`: {1, 23}, `prefix_rule(pattern=[` + strings.Repeat("[", 100) + `])`: {1, 85}, `# c` + "\n" + `x`: {2, 2},
		`prefix_rule(pattern=["a"], justification=["b"])`: {1, 1}, `prefix_rule(pattern=["a"] decision="allow")`: {1, 27},
	} {
		_, err := harness.ReadCodexRules("x.rules", []byte(text))
		var e *harness.Error
		if !errors.Is(err, harness.ErrFormat) || !errors.As(err, &e) || e.File != "x.rules" || e.Code != harness.CodeRules || e.Line != at[0] || e.Col != at[1] {
			t.Errorf("%s: %v, want %v", text, err, at)
		}
	}
	if rules, err := harness.ReadCodexRules("x", []byte("# nothing")); err != nil || len(rules) != 0 {
		t.Errorf("%v, %v", rules, err)
	}
}

// TestCodexRulesAreWhatIsMeant writes rules and reads them back, whatever the words.
func TestCodexRulesAreWhatIsMeant(t *testing.T) {
	text := `{"version": "1.1", "tiers": {"tier1_silent": {"shell_patterns": ["ls *", "git status", "cat src/*", "find *"], "aioson_commands": ["preflight"]},
		"tier3_blocking": {"shell_patterns": ["git push *", "'a \"b' \\\\ *", "npm * publish", "*"], "aioson_commands": ["x:*", "genome:publish"]}},
		"tools": {"codex": {"derived_from_tiers": ["tier1_silent"]}}}`
	text = strings.Replace(text, `, "*"]`, `]`, 1)
	root := folder(t, nil)
	r := materialize(t, root, protocol(t, text), harness.Options{Native: true, CodexAllow: true})
	rules, err := harness.ReadCodexRules("x", []byte(tree(t, root)[".codex/rules/ambit.rules"]))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, rule := range rules {
		got = append(got, rule.Decision+" "+rule.Text())
	}
	if d := cmp.Diff([]string{"forbidden git push", "forbidden a \"b \\", "forbidden aioson genome:publish", "allow ls", "allow find", "allow aioson preflight"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"not_read .codex/permissions.json", "inexpressible npm * publish", "inexpressible x:*", "inexpressible git status", "inexpressible cat src/*", "native_wider find *"}, codes(r.Notices)); d != "" {
		t.Errorf("notices (-want +got):\n%s", d)
	}
	materialize(t, root, protocol(t, text), harness.Options{Native: true, CodexAllow: true, Strict: true})
	if got := tree(t, root)[".codex/rules/ambit.rules"]; strings.Contains(got, "find") {
		t.Errorf("strict: %s", got)
	}
	materialize(t, root, protocol(t, text), harness.Options{Native: true})
	if got := tree(t, root)[".codex/rules/ambit.rules"]; strings.Contains(got, `"allow"`) {
		t.Errorf("allow rules without being asked: %s", got)
	}
}

func TestLintFile(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		".claude/settings.json": {`{"permissions": {"allow": ["Bash(node:*)", 5], "ask": ["Bash(a | b)"]}}`, "interpreter_allow dead_rule"},
		"x.rules":               {`prefix_rule(pattern=["npx"]) prefix_rule(pattern=["git", "*"], decision="forbidden") prefix_rule(pattern=["a*"], decision="prompt")`, "interpreter_allow dead_rule dead_rule"},
		"opencode.json":         {`{"permission": {"bash": {"git push": "deny", "*": "allow"}}}`, "shadowed_rule broad_allow"},
		"opencode.jsonc":        {`{"permission": /* all */ "allow"}`, "broad_allow"},
		"a.jsonc":               {`{"permission": {"bash": "allow"}}`, "broad_allow"},
	} {
		findings, err := harness.LintFile(name, []byte(tt.text))
		var got []string
		for _, f := range findings {
			got = append(got, string(f.Code))
		}
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v %v, want %s", name, got, err, tt.want)
		}
		if _, err := harness.LintFile(name, []byte("{,")); !errors.Is(err, harness.ErrFormat) {
			t.Errorf("%s: broken: %v", name, err)
		}
	}
	if _, err := harness.LintFile("x.toml", nil); !errors.Is(err, harness.ErrUnknown) {
		t.Errorf("%v", err)
	}
	root := folder(t, map[string]string{".claude/settings.local.json": "{}", ".codex/rules/b.rules": "", ".codex/rules/c.txt": "", "opencode.jsonc": "{}"})
	if got := harness.LintPaths(root); len(got) != 3 {
		t.Errorf("%v", got)
	}
}
