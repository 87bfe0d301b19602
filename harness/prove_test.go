package harness

import (
	"strings"
	"testing"

	"example.com/ambit/tiers"
)

// TestRuleAgreesWithOpens holds the rules that are made ready for many questions against the plain way of asking each:
// every answer of a rule's text and meaning is the same, also where the beginnings alone decide.
func TestRuleAgreesWithOpens(t *testing.T) {
	texts := map[Name][]string{
		Claude: {"Bash", "Bash(*)", "Bash(git:*)", "Bash(git push:*)", "Bash(git push origin:*)", "Bash(git pusher)", "Bash(git pus)", "Bash(* main)", "Bash(*push*)",
			"Bash(g*)", "Bash(git -C . push:*)", "Bash(/usr/bin/git push:*)", "Bash(git  push)", "Bash(npm:*)", "Bash(ls)", "Read(./x)", "WebFetch", "Bash(git push *a*b)", "Bash(x:* y)"},
		Codex:    {"git", "git push", "git push origin", "git pusher", "npm publish", "env git push", "ls -l"},
		OpenCode: {"*", "* main", "*push*", "?it push", "git *", "git push*", "git push *", "git p?sh", "git  push", "git pusher", "ls", "npm *"},
	}
	guards := []string{"git push *", "git push", "npm publish *", "git * --force *", "git push* origin", "rm -rf *", "g* push"}
	for n, list := range texts {
		for _, text := range list {
			r := newRule(n, text)
			for _, tier3 := range guards {
				p, err := tiers.ParsePattern(tier3)
				if err != nil {
					t.Fatal(err)
				}
				g, want, plain := newGuard(tier3, p), Opens(n, text, p), Relate(n, text, p)
				if got := r.inside(*g); got != want.Inside {
					t.Errorf("%v %s inside %s: %v, want %v", n, text, tier3, got, want.Inside)
				}
				if got := r.touches(*g); got != want.Touches {
					t.Errorf("%v %s touches %s: %v, want %v", n, text, tier3, got, want.Touches)
				}
				if got := r.covers(*g); got != plain.Covers {
					t.Errorf("%v %s covers %s: %v, want %v", n, text, tier3, got, plain.Covers)
				}
			}
		}
	}
}

// TestTooLargeToCompareOpens holds that what cannot be compared within the limits counts as opening everything.
func TestTooLargeToCompareOpens(t *testing.T) {
	p, err := tiers.ParsePattern("git *a *b *c *d")
	if err != nil {
		t.Fatal(err)
	}
	text := "git " + strings.Repeat("*a?b", 2000)
	if r := Relate(OpenCode, text, p); !r.Inside || !r.Covers || !r.Touches {
		t.Errorf("%+v", r)
	}
}

// TestBeginnings states what every command of a tier3 pattern, and of a rule, begins with: too much of it would hide that
// the two touch.
func TestBeginnings(t *testing.T) {
	for text, want := range map[string]string{
		"git push": "git push", "git push *": "git push", "git  'a b' *": "git a b", "g* push": "g", "git p*h origin": "git p", "git * push": "git", "* push": "",
	} {
		p, err := tiers.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := newGuard(text, p).prefix; got != want {
			t.Errorf("what %s matches begins with %q, want %q", text, got, want)
		}
	}
	for _, c := range []struct {
		n          Name
		text, want string
	}{
		{Claude, "Bash(git push:*)", "git push"}, {Claude, "Bash(git push *)", "git push"}, {Claude, "Bash(git p*h x)", "git p"}, {Claude, "Bash(git  push)", "git push"},
		{Claude, "Bash(*)", ""}, {Claude, "Bash", ""}, {Claude, "Bash()", ""}, {Claude, "Bash(* push)", ""},
		{Codex, "git  push", "git push"},
		{OpenCode, "git push *", "git push"}, {OpenCode, "git p?sh", "git p"}, {OpenCode, "git pu* x", "git pu"}, {OpenCode, "git push", "git push"}, {OpenCode, "*", ""},
	} {
		if got := newRule(c.n, c.text).prefix; got != c.want {
			t.Errorf("%v: what %s matches begins with %q, want %q", c.n, c.text, got, c.want)
		}
	}
}
