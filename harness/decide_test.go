package harness_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ambit/harness"
	"example.com/ambit/tiers"
	"github.com/google/go-cmp/cmp"
)

const decideProtocol = `{"version":"1.1","tiers":{
	"tier1_silent": {"shell_patterns": ["git status", "ls *"]},
	"tier2_notified": {"shell_patterns": ["git add *"], "write_paths": ["src/**"]},
	"tier3_blocking": {"shell_patterns": ["git push *"]}}}`

// TestDecisions states whole answers: what is said, why, and whether it may fall back to the agent's own rules.
func TestDecisions(t *testing.T) {
	p, err := tiers.Parse("protocol", []byte(decideProtocol))
	if err != nil {
		t.Fatal(err)
	}
	const (
		supervised = "this task is supervised: "
		signOff    = "what changes something needs a sign-off in this task"
		everyStep  = "every step of this task is supervised"
		uncovered  = "make out: unlisted"
	)
	ask := func(firm bool, why string) harness.Decision {
		return harness.Decision{Answer: harness.Ask, Firm: firm, Reason: "ambit: ask: " + why}
	}
	noOpinion := harness.Decision{Answer: harness.NoOpinion}
	silent := harness.Decision{Answer: harness.Allow, Reason: `ambit: silent: git status: tier1 "git status"`}
	notify := harness.Decision{Answer: harness.Allow, Reason: `ambit: notify: git add a: tier2 "git add *"`, Message: "ℹ [Bash] git add a"}
	deny := harness.Decision{Answer: harness.Deny, Reason: `⛔ [Bash] git push (git push: tier3 "git push *")`}
	pushWhy, statusWhy, addWhy := `git push: tier3 "git push *"`, `git status: tier1 "git status"`, `git add a: tier2 "git add *"`

	shell := func(text string) harness.Event {
		return harness.Event{Harness: harness.Claude, Kind: harness.PreToolUse, Tool: "Bash", Class: harness.Shell, Command: text, Dir: "/r", Root: "/r"}
	}
	other := harness.Event{Harness: harness.Claude, Kind: harness.PreToolUse, Tool: "WebFetch", Class: harness.Other, Dir: "/r"}
	after := shell("git push")
	after.Kind = harness.PostToolUse
	python := harness.Event{Harness: harness.Claude, Kind: harness.PreToolUse, Tool: "Python", Dir: "/r"}
	write := func(paths ...string) harness.Event {
		return harness.Event{Harness: harness.Claude, Kind: harness.PreToolUse, Tool: "Write", Class: harness.Writer, Paths: paths, Dir: "/r", Root: "/r"}
	}
	for _, tt := range []struct {
		name                   string
		event                  harness.Event
		escalate, signOff, act harness.Decision
	}{
		{"silent", shell("git status"), ask(true, supervised+statusWhy), silent, silent},
		{"notify", shell("git add a"), ask(true, supervised+addWhy), ask(true, supervised+addWhy), notify},
		{"unlisted", shell("make out"), ask(true, uncovered), ask(true, uncovered), ask(false, uncovered)},
		{"block", shell("git push"), deny, deny, deny},
		{"a tool that is not judged", other, ask(true, everyStep), noOpinion, noOpinion},
		{"after the fact", after, noOpinion, noOpinion, noOpinion},
		{"another shell", python, ask(true, "a shell that is not judged here"), ask(true, "a shell that is not judged here"), ask(false, "a shell that is not judged here")},
		{"a write that no rule speaks of", write("/r/lib/a"), ask(true, signOff), ask(true, signOff), noOpinion},
		{"no file", write(), ask(true, "it writes a file that is not named"), ask(true, "it writes a file that is not named"), ask(false, "it writes a file that is not named")},
	} {
		for s, want := range map[harness.Supervision]harness.Decision{harness.Escalate: tt.escalate, harness.SignOff: tt.signOff, harness.Act: tt.act, harness.Act + 1: tt.escalate, 255: tt.escalate} {
			h := harness.Hook{Protocol: p, Supervision: s}
			if d := cmp.Diff(want, h.Decide(tt.event)); d != "" {
				t.Errorf("%s, %v (-want +got):\n%s", tt.name, s, d)
			}
			if want.Answer == harness.Ask && !want.Firm {
				want = noOpinion // the agent's own rules decide
			}
			h.AskNative = true
			if d := cmp.Diff(want, h.Decide(tt.event)); d != "" {
				t.Errorf("%s, %v, left to the agent (-want +got):\n%s", tt.name, s, d)
			}
			h.Tier3Ask = true
			if want.Answer == harness.Deny {
				want = ask(true, pushWhy)
			}
			if d := cmp.Diff(want, h.Decide(tt.event)); d != "" {
				t.Errorf("%s, %v, tier3 asks (-want +got):\n%s", tt.name, s, d)
			}
		}
	}
}

// TestReasonsOfDecisions states what a reason names: at most four parts, each with what is known of it.
func TestReasonsOfDecisions(t *testing.T) {
	p, err := tiers.Parse("protocol", []byte(decideProtocol))
	if err != nil {
		t.Fatal(err)
	}
	h := harness.Hook{Protocol: p, Supervision: harness.Act}
	for text, want := range map[string]string{
		"a; b; c; d":    "ambit: ask: a: unlisted; b: unlisted; c: unlisted; d: unlisted",
		"a; b; c; d; e": "ambit: ask: a: unlisted; b: unlisted; c: unlisted; d: unlisted; and more",
		"a; git push":   `⛔ [Bash] a; git push (git push: tier3 "git push *")`,
		"eval $x":       "ambit: ask: eval $x: dynamic_command (a text for eval that is not known)",
	} {
		got := h.Decide(harness.Event{Kind: harness.PreToolUse, Tool: "Bash", Class: harness.Shell, Command: text, Dir: "/r"})
		if got.Reason != want {
			t.Errorf("%s:\n%s, want\n%s", text, got.Reason, want)
		}
	}
	also := harness.Event{Kind: harness.PreToolUse, Tool: "shell", Class: harness.Shell, Command: "a", Also: []string{"b"}, Dir: "/r"}
	if got := h.Decide(also).Reason; got != "ambit: ask: a: unlisted" {
		t.Errorf("of two texts that ask alike, the first is named, not %s", got)
	}
	for n, want := range map[int]string{300: strings.Repeat("é", 291), 301: strings.Repeat("é", 291) + "…"} {
		text := "git push " + strings.Repeat("é", n-9)
		got := h.Decide(harness.Event{Kind: harness.PreToolUse, Tool: "Bash", Class: harness.Shell, Command: text, Dir: "/r"})
		if line, _, _ := strings.Cut(got.Reason, " ("); line != "⛔ [Bash] git push "+want {
			t.Errorf("a command of %d characters is quoted as %s", n, line)
		}
	}
}

// TestWritesOfDecisions states which of several files, and which of two paths of a file, an answer is about: the
// strictest, of equals the first.
func TestWritesOfDecisions(t *testing.T) {
	p, err := tiers.Parse("protocol", []byte(decideProtocol))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for link, target := range map[string]string{"src/in": "more", "src/out": "../lib", "src/git": "../.git"} {
		if err := os.MkdirAll(filepath.Join(root, "src", filepath.FromSlash(target)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(root, filepath.FromSlash(link))); err != nil {
			t.Skip(err)
		}
	}
	h := harness.Hook{Protocol: p, Supervision: harness.Act, Root: root}
	for _, tt := range []struct {
		paths  []string
		answer harness.Answer
		holds  string // in the reason
	}{
		{[]string{"src/a"}, harness.Allow, "src/a: writes_file"},
		{[]string{"src/a", "src/b"}, harness.Allow, "src/a"},
		{[]string{"src/a", "lib/b"}, harness.NoOpinion, ""},
		{[]string{"lib/b", "src/a"}, harness.NoOpinion, ""},
		{[]string{"lib/b", ".git/config", ".git/hooks/x"}, harness.Ask, ".git/config"},
		{[]string{".git/hooks/x", "lib/b", ".git/config"}, harness.Ask, ".git/hooks/x"},
		{[]string{".git/config", ".claude/settings.json", ".codex/config.toml"}, harness.Deny, ".claude/settings.json"},
		{[]string{"src/in/a"}, harness.Allow, "src/in/a"},
		{[]string{"src/out/a"}, harness.NoOpinion, ""},
		{[]string{"src/git/config"}, harness.Ask, "/.git/config"},
	} {
		got := h.Decide(harness.Event{Kind: harness.PreToolUse, Tool: "Write", Class: harness.Writer, Paths: tt.paths, Dir: root})
		if got.Answer != tt.answer || !strings.Contains(got.Reason, tt.holds) {
			t.Errorf("%v: %v, %s", tt.paths, got.Answer, got.Reason)
		}
	}
}

// TestProjectOfDecisions states whose word on the project counts: the hook's, then the event's, then the folder that it
// comes from.
func TestProjectOfDecisions(t *testing.T) {
	p, err := tiers.Parse("protocol", []byte(decideProtocol))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		hook, root, dir string
		want            harness.Answer // to a write of /p/src/a
	}{
		{"/p", "/x", "/y", harness.Allow},
		{"/x", "/p", "/p", harness.NoOpinion},
		{"", "/p", "/x", harness.Allow},
		{"", "/x", "/p", harness.NoOpinion},
		{"", "", "/p", harness.Allow},
		{"", "", "/x", harness.NoOpinion},
		{"", "", "", harness.NoOpinion},
	} {
		h := harness.Hook{Protocol: p, Supervision: harness.Act, Root: tt.hook}
		got := h.Decide(harness.Event{Kind: harness.PreToolUse, Tool: "Write", Class: harness.Writer, Paths: []string{"/p/src/a"}, Root: tt.root, Dir: tt.dir})
		if got.Answer != tt.want {
			t.Errorf("%+v: %v, %s", tt, got.Answer, got.Reason)
		}
	}
}
