package harness_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/ambit/harness"
	"example.com/ambit/tiers"
	"github.com/google/go-cmp/cmp"
)

// TestToolIsGivenUp: what a run allowed does not stay in force when the protocol declares the tool no more, what the user
// wrote does (K14, K18).
func TestToolIsGivenUp(t *testing.T) {
	settings := `{"permissions": {"allow": ["Bash(make:*)"]}}` + "\n"
	root := folder(t, map[string]string{".claude/settings.json": settings})
	materialize(t, root, protocol(t, small), harness.Options{Native: true})
	before, after, _ := strings.Cut(small, `"tools": {`)
	_, after, _ = strings.Cut(after, "\n  }")
	none := protocol(t, before+`"tools": {"gemini": {}}`+after)

	states, err := harness.Check(root, none)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states {
		if want := map[bool]harness.State{true: harness.InSync, false: harness.Drifted}[s.Target == harness.CodexRules]; s.State != want {
			t.Errorf("%s: %v, want %v", s.Path, s.State, want)
		}
	}
	if len(states) != 5 {
		t.Errorf("%d files are compared, want 5", len(states))
	}
	c, err := harness.Plan(root, none, harness.Options{Tools: []harness.Name{harness.Claude}})
	if err == nil {
		t.Errorf("a tool that is not declared was asked for by name: %v", c.Files)
	}
	r := materialize(t, root, none, harness.Options{})
	notices := 0
	for _, n := range r.Notices {
		if n.Code == harness.NoticeUndeclared {
			notices++
		}
	}
	if notices != 5 {
		t.Errorf("%d notices of what is undeclared, want 5", notices)
	}
	got := tree(t, root)
	if d := cmp.Diff(`{"permissions": {"allow": ["Bash(make:*)"], "deny": ["Bash(git push:*)", "Bash(aioson cloud:publish*)"]}}`+"\n", got[".claude/settings.json"]); d != "" {
		t.Errorf("claude (-want +got):\n%s", d)
	}
	if strings.Contains(got["opencode.json"], "allow") || strings.Contains(got[".codex/permissions.json"], "git status") || strings.Contains(got[".opencode/permissions.yaml"], "git status") {
		t.Errorf("what was allowed still is: %v", got)
	}
	if states, err = harness.Check(root, none); err != nil || harness.InStep(states) != nil {
		t.Errorf("after it: %v %v", err, harness.InStep(states))
	}
	if materialize(t, root, none, harness.Options{}); cmp.Diff(got, tree(t, root)) != "" {
		t.Error("the second run wrote")
	}
}

// TestToolIsGivenUpOverAUsersRule: a rule of the user's that tier3 replaced comes back when tier3 lets it go, also when the
// tool is declared no more (K5).
func TestToolIsGivenUpOverAUsersRule(t *testing.T) {
	tools := func(tier3, tools string) *tiers.Protocol {
		return protocol(t, `{"version":"1.1","tiers":{"tier1_silent":{},"tier3_blocking":{"shell_patterns":[`+tier3+`]}},"tools":{`+tools+`}}`)
	}
	first := `{"permission":{"bash":{"git push *":"ask"}}}`
	root := folder(t, map[string]string{"opencode.json": first})
	materialize(t, root, tools(`"git push *"`, `"opencode":{"derived_from_tiers":["tier1_silent"]}`), harness.Options{Native: true})
	if got := tree(t, root)["opencode.json"]; got == first {
		t.Fatal("nothing was written")
	}
	materialize(t, root, tools("", ""), harness.Options{})
	if d := cmp.Diff(first, tree(t, root)["opencode.json"]); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestToolThatWasNeverWritten: an undeclared tool whose file holds nothing of ours is left alone.
func TestToolThatWasNeverWritten(t *testing.T) {
	none := protocol(t, `{"version":"1.1","tiers":{"tier3_blocking":{"shell_patterns":["git push *"]}},"tools":{}}`)
	root := folder(t, map[string]string{".claude/settings.json": `{"permissions": {"allow": ["Bash(make:*)"]}}`})
	c, err := harness.PlanHook(root, harness.Claude, true, harness.Options{Now: clock})
	if err == nil {
		_, err = harness.Apply(c)
	}
	if err != nil {
		t.Fatal(err)
	}
	if r := materialize(t, root, none, harness.Options{}); len(r.Files) != 0 {
		t.Errorf("touched: %v", r.Files)
	}
}

// TestRestoreBringsOwnershipBack: after a backup was put back a rule is ours exactly where it was ours then (K14, K16).
func TestRestoreBringsOwnershipBack(t *testing.T) {
	without := strings.Replace(small, `"git status", "git log *"`, `"git status"`, 1)
	const mine = `{"permissions": {"allow": ["Bash(make:*)"]}}`
	for _, tt := range []struct {
		name      string
		protocols []string // of the runs; the backup of the last is put back
		edit      string   // what the user then makes of the file; "" leaves it
		next      string   // the protocol of the run after
		want      []string
	}{
		{"a rule that the user adds to the first file is the user's", []string{small}, `{"permissions": {"allow": ["Bash(make:*)", "Bash(git log:*)"]}}`, without,
			[]string{"Bash(git log:*)", "Bash(make:*)"}},
		{"a rule of ours that comes back with a file is ours", []string{small, without}, "", without, []string{"Bash(make:*)"}},
	} {
		root := folder(t, map[string]string{".claude/settings.json": mine})
		stamp := ""
		for _, text := range tt.protocols {
			stamp = materialize(t, root, protocol(t, text), harness.Options{}).Stamp
		}
		c, err := harness.PlanRestore(root, protocol(t, tt.next), stamp, harness.Options{Now: clock})
		if err == nil {
			_, err = harness.Apply(c)
		}
		if err != nil {
			t.Fatal(tt.name, err)
		}
		if tt.edit != "" {
			put(t, root, ".claude/settings.json", tt.edit)
		}
		materialize(t, root, protocol(t, tt.next), harness.Options{})
		s, err := harness.ReadRules("settings.json", []byte(tree(t, root)[".claude/settings.json"]))
		if err != nil {
			t.Fatal(tt.name, err)
		}
		var theirs []string
		for _, rule := range s.Allow {
			if rule == "Bash(git log:*)" || rule == "Bash(make:*)" {
				theirs = append(theirs, rule)
			}
		}
		slices.Sort(theirs)
		if d := cmp.Diff(tt.want, theirs); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// TestUserChangesTheEffect: a rule of ours whose effect the user changed is the user's (K5, K14): a deny is never
// loosened again, an allow does not open tier3, and the value of before does not come back over it.
func TestUserChangesTheEffect(t *testing.T) {
	empty := `{"version":"1.1","tiers":{"tier3_blocking":{}},"tools":{"opencode":{"derived_from_tiers":[]}}}`
	for _, tt := range []struct {
		name, first string // opencode.json before the first run
		from, to    string // the user's edit of what was written
		next        string
		want        string
	}{
		{"our allow denied, same protocol", "", `"git log *": "allow"`, `"git log *": "deny"`, small, `"git log *": "deny"`},
		{"our allow denied, protocol gone", "", `"git log *": "allow"`, `"git log *": "deny"`, empty, `"git log *": "deny"`},
		{"our deny allowed", "", `"git push *": "deny"`, `"git push *": "allow"`, small, `"git push *": "deny"`},
		{"a replaced value, changed to ask", `{"permission":{"bash":{"git push *":"allow"}}}`, `"git push *":"deny"`, `"git push *":"ask"`, empty, `"git push *":"ask"`},
		{"a replaced value, untouched", `{"permission":{"bash":{"git push *":"ask"}}}`, "", "", empty, `"git push *":"ask"`},
	} {
		root := folder(t, nil)
		if tt.first != "" {
			put(t, root, "opencode.json", tt.first)
		}
		materialize(t, root, protocol(t, small), harness.Options{Native: true})
		text := tree(t, root)["opencode.json"]
		if !strings.Contains(text, tt.from) {
			t.Fatalf("%s: no %s in\n%s", tt.name, tt.from, text)
		}
		put(t, root, "opencode.json", strings.Replace(text, tt.from, tt.to, 1))
		materialize(t, root, protocol(t, tt.next), harness.Options{Native: true})
		if got := tree(t, root)["opencode.json"]; strings.Count(strings.ReplaceAll(got, ": ", ":"), strings.ReplaceAll(tt.want, ": ", ":")) != 1 {
			t.Errorf("%s: want %s once in\n%s", tt.name, tt.want, got)
		}
	}
}

// TestCheckKnowsTheOptionsOfEachFile: runs for one tool, with other options, leave what was written for the others as it
// was, and the comparison with it (K18, K19).
func TestCheckKnowsTheOptionsOfEachFile(t *testing.T) {
	p := protocol(t, small)
	only := func(n harness.Name, o harness.Options) harness.Options { o.Tools = []harness.Name{n}; return o }
	native := harness.Options{Native: true}
	for name, runs := range map[string][]harness.Options{
		"asks in one":       {native, only(harness.Codex, harness.Options{Tier3Ask: true})},
		"denies in one":     {{Native: true, Tier3Ask: true}, only(harness.Claude, harness.Options{})},
		"allows in one":     {native, only(harness.Codex, harness.Options{CodexAllow: true}), only(harness.Claude, harness.Options{})},
		"strict but in one": {{Native: true, Strict: true}, only(harness.Codex, harness.Options{})},
	} {
		root := folder(t, nil)
		for _, o := range runs {
			materialize(t, root, p, o)
		}
		states, err := harness.Check(root, p)
		if err != nil {
			t.Fatal(err)
		}
		if err := harness.InStep(states); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
