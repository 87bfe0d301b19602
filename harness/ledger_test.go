package harness

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"example.com/ambit/tiers"
	"github.com/google/go-cmp/cmp"
)

// TestStanding holds which record fits a file after a run that was killed (K11).
func TestStanding(t *testing.T) {
	old, next, edited := []byte("old"), []byte("new"), []byte("edited")
	hook := &hookRecord{At: 1}
	r := &record{SHA256: hash(old), Ours: map[string][]string{"allow": {"a", "b"}}, Replaced: map[string]string{"k": "1"}, Hook: hook,
		Pending: &record{SHA256: hash(next), Ours: map[string][]string{"allow": {"b", "c"}}, Replaced: map[string]string{"l": "2"}}}
	if got := r.standing(next); got != r.Pending {
		t.Errorf("the new file: %+v", got)
	}
	if got := r.standing(old); got.Pending != nil || !slices.Equal(got.owned("allow"), []string{"a", "b"}) {
		t.Errorf("the old file: %+v", got)
	}
	got := r.standing(edited)
	if d := cmp.Diff(map[string][]string{"allow": {"a", "b", "c"}}, got.Ours); d != "" {
		t.Errorf("an edited file (-want +got):\n%s", d)
	}
	if len(got.Replaced) != 2 || got.Hook != hook {
		t.Errorf("an edited file: %+v", got)
	}
	if !r.written(old) || !r.written(next) || r.written(edited) {
		t.Error("what was written")
	}
	var none *record
	if none.standing(old) != nil || none.written(old) || none.owned("allow") != nil {
		t.Error("no record")
	}
}

// TestProofLooksAtTheBytes proves files that no draft of this package made (K15).
func TestProofLooksAtTheBytes(t *testing.T) {
	p, err := tiers.Parse("p", []byte(`{"version":"1.1","tiers":{"tier3_blocking":{"shell_patterns":["git push *","curl * | sh"],"aioson_commands":["genome:publish"]}},"tools":{"claude":{},"codex":{},"opencode":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		target    Target
		data      string
		generated []string
		bad       bool
	}{
		{ClaudeSettings, `{"permissions":{"allow":["Bash(git push)"]}}`, nil, true},
		{ClaudeSettings, `{"permissions":{"allow":["Bash(/usr/bin/git push:*)"]}}`, nil, true},
		{ClaudeSettings, `{"permissions":{"allow":["Bash(git:*)",{}]}}`, nil, false},
		{ClaudeSettings, `{"permissions":{"allow":["Bash(git:*)"]}}`, []string{"Bash(git:*)"}, true},
		{ClaudeSettings, `{"permissions":{"allow":["Bash(aioson:*)"]}}`, []string{"Bash(aioson:*)"}, true},
		{ClaudeSettings, `{"permissions":{"allow":["Bash(aioson genome:publish now)"]}}`, nil, true},
		{ClaudeSettings, `{"permissions":{"allow":["Read(git push)"]}}`, nil, false},
		{ClaudeSettings, `{"permissions":{"allow":[`, nil, true},
		{CodexPermissions, `{"shell_allowed":["git push origin"]}`, nil, true},
		{CodexPermissions, `{"shell_allowed":["ls","'","a | b"],"aioson_allowed":["preflight"]}`, nil, false},
		{CodexPermissions, `{"aioson_allowed":["genome:publish"]}`, nil, true},
		{CodexPermissions, `{"shell_allowed":"git push"}`, nil, true},
		{CodexPermissions, `{`, nil, true},
		{OpenCodePermissions, "shell_allowed: [git push]", nil, true},
		{OpenCodePermissions, "shell_allowed: [git *]", []string{"shell git *"}, true},
		{OpenCodePermissions, "shell_allowed: {", nil, true},
		{CodexRules, `prefix_rule(pattern=["git",["status","push"]])`, nil, true},
		{CodexRules, `prefix_rule(pattern=["git"])`, nil, false},
		{CodexRules, `prefix_rule(pattern=["git"])`, []string{`"git"`}, true},
		{CodexRules, `prefix_rule(pattern=["env","git","push"])`, nil, true},
		{CodexRules, `prefix_rule(pattern=["git","push"],decision="forbidden")`, nil, false},
		{CodexRules, `prefix_rule(pattern=[` + strings.Repeat(`["a","b"],`, 9) + `])`, nil, true}, // too many to judge
		{CodexRules, `prefix_rule(`, nil, true},
		{OpenCodeConfig, `{"permission":{"bash":{"git push origin":"allow"}}}`, nil, true},
		{OpenCodeConfig, `{"permission":"allow"}`, nil, false}, // the user's, and broad: it covers
		{OpenCodeConfig, `{"permission":"allow"}`, []string{"*"}, true},
		{OpenCodeConfig, `{"permission":{"bash":{"git pus?":"allow"}}}`, nil, false},
		{OpenCodeConfig, `{`, nil, true},
	} {
		tool, _ := p.Tool(tt.target.Tool().String())
		err := prove(tt.target, "f", []byte(tt.data), tt.generated, newSets(p, tool))
		if (err != nil) != tt.bad {
			t.Errorf("%v %s: %v", tt.target, tt.data, err)
		}
		var e *Error
		if err != nil && !errors.Is(err, ErrTier3) && !errors.As(err, &e) {
			t.Errorf("%v %s: %v is neither", tt.target, tt.data, err)
		}
	}
}

// TestApartIsExact holds the prefilter against the relation: what it calls apart has nothing in common.
func TestApartIsExact(t *testing.T) {
	texts := []string{"a", "ab", "a b", "ab b", "* a", "a*", "a *", "b * a", "a  b", "?", "a?", "b a *"}
	for _, n := range []Name{Claude, Codex, OpenCode} {
		for _, x := range texts {
			for _, y := range texts {
				q, err := tiers.ParsePattern(y)
				if err != nil {
					continue
				}
				text := x
				if n == Claude {
					text = "Bash(" + x + ")"
				}
				r, g := newRule(n, text), newGuard(y, q)
				if r.apart(g.prefix) && Relate(n, text, q).Touches {
					t.Errorf("%v: %q and %q are not apart", n, x, y)
				}
				rel := Relate(n, text, q)
				if Opens(n, text, q).Inside != r.inside(*g) || r.covers(*g) != rel.Covers {
					t.Errorf("%v: %q and %q: the proof and the relation differ", n, x, y)
				}
			}
		}
	}
	if newGuard("a | b", mustPattern(t, "a | b")) != nil {
		t.Error("a pipeline has no guard")
	}
}

func mustPattern(t *testing.T, text string) tiers.Pattern {
	p, err := tiers.ParsePattern(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestNamesOfEnums(t *testing.T) {
	for _, x := range []interface {
		MarshalText() ([]byte, error)
		String() string
	}{Refuse, Remove, Action(9), Unknown, Edited, State(9), ClaudeSettings, OpenCodeConfig, Target(9), Claude, Cursor, Name(9)} {
		b, err := x.MarshalText()
		if err != nil || string(b) != x.String() || x.String() == "" {
			t.Errorf("%q, %v, %v", b, x, err)
		}
	}
	for _, want := range Targets() {
		var got Target
		if err := got.UnmarshalText([]byte(want.String())); err != nil || got != want {
			t.Errorf("%v: %v, %v", want, got, err)
		}
	}
	var x Target
	if err := json.Unmarshal([]byte(`"zed"`), &x); err == nil {
		t.Error("an unknown target")
	}
	if Target(9).Path() != "" || Action(9).String() != "refuse" || State(9).String() != "unknown" {
		t.Error("beyond the set")
	}
}
