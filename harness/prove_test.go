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
	text := "git " + strings.Repeat("*a?b", 4000)
	if r := Relate(OpenCode, text, p); !r.Inside || !r.Covers || !r.Touches {
		t.Errorf("%+v", r)
	}
}
