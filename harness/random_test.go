package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/ambit/internal/regime"
	"example.com/ambit/tiers"
	"gopkg.in/yaml.v3"
)

// pick takes one of the texts.
func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

var (
	programs = []string{"git", "npm", "ls", "rm", "curl", "env", "aioson", "a", "timeout 5", "/usr/bin/git", "npx"}
	seconds  = []string{"push", "log", "publish", "-rf", "x", "*", "p*", "-C . push", "push --force", "status", "git push", "genome:publish"}
	ends     = []string{"", " *", " *", " main", "*", " * main"}
	named    = []string{"preflight", "genome:publish", "cloud:publish:*", "memory:*", "agent:done"}
)

func randomEntry(r *rand.Rand) string {
	s := pick(r, programs)
	if r.IntN(4) > 0 {
		s += " " + pick(r, seconds)
	}
	return s + pick(r, ends)
}

func randomEntries(r *rand.Rand, most int) []string {
	out := make([]string, r.IntN(most+1))
	for i := range out {
		out[i] = randomEntry(r)
	}
	return out
}

func randomProtocol(r *rand.Rand) string {
	names := func() []string {
		out := []string{}
		for range r.IntN(3) {
			out = append(out, pick(r, named))
		}
		return out
	}
	tier := func(most int) map[string]any {
		return map[string]any{"shell_patterns": randomEntries(r, most), "aioson_commands": names()}
	}
	tool := func() map[string]any {
		t := map[string]any{"mode": pick(r, []string{"guarded", "trusted"})}
		if r.IntN(5) > 0 {
			t["derived_from_tiers"] = []string{"tier1_silent", "tier2_notified", "tier3_blocking"}[:1+r.IntN(3)]
		} else {
			t["shell_whitelist"] = randomEntries(r, 3)
			t["shell_blacklist"] = randomEntries(r, 2)
		}
		return t
	}
	data, err := json.Marshal(map[string]any{
		"version": "1.1",
		"tiers":   map[string]any{"tier1_silent": tier(3), "tier2_notified": tier(2), "tier3_blocking": tier(3)},
		"tools":   map[string]any{"claude": tool(), "codex": tool(), "opencode": tool()},
	})
	if err != nil {
		panic(err)
	}
	return string(data)
}

func randomRule(r *rand.Rand) string {
	switch r.IntN(8) {
	case 0:
		return pick(r, []string{"Bash", "Bash(*)", "Read", "Bash(git:*)", "Edit(src/**)", "*"})
	case 1, 2:
		return "Bash(" + strings.TrimSuffix(randomEntry(r), " *") + ":*)"
	}
	return "Bash(" + randomEntry(r) + ")"
}

func randomRules(r *rand.Rand) []string {
	out := make([]string, r.IntN(4))
	for i := range out {
		out[i] = randomRule(r)
	}
	return out
}

// randomLive makes the file that stands where a target is to be written; "" is none.
func randomLive(r *rand.Rand, t Target) string {
	if r.IntN(4) == 0 {
		return ""
	}
	var v any
	switch t {
	case ClaudeSettings:
		v = map[string]any{"permissions": map[string]any{"allow": randomRules(r), "deny": randomRules(r)}}
	case OpenCodeConfig:
		bash := map[string]string{}
		for range r.IntN(4) {
			bash[randomEntry(r)] = pick(r, []string{"allow", "ask", "deny"})
		}
		v = map[string]any{"permission": map[string]any{"bash": bash}}
	default:
		return ""
	}
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// samples gives commands that a text with stars stands for: each star as nothing, one word, two.
func samples(text string) []string {
	out := []string{strings.Join(strings.Fields(strings.ReplaceAll(text, "*", "")), " ")}
	for _, with := range []string{"z", "z y"} {
		out = append(out, strings.ReplaceAll(text, "*", with))
	}
	return out
}

// sampleMatches is a plain matcher of words, of its own: a star word is any words, a star in a word any characters of it.
func sampleMatches(pattern, command []string) bool {
	switch {
	case len(pattern) == 0:
		return len(command) == 0
	case pattern[0] == "*":
		return sampleMatches(pattern[1:], command) || len(command) > 0 && sampleMatches(pattern, command[1:])
	case len(command) == 0:
		return false
	}
	return sampleGlob(pattern[0], command[0]) && sampleMatches(pattern[1:], command[1:])
}

func sampleGlob(glob, s string) bool {
	prefix, rest, star := strings.Cut(glob, "*")
	if !star {
		return glob == s
	}
	if !strings.HasPrefix(s, prefix) {
		return false
	}
	for i := len(prefix); i <= len(s); i++ {
		if sampleGlob(rest, s[i:]) {
			return true
		}
	}
	return false
}

// TestTier3IsInNoAllowList materializes random protocols over random files, in memory, and looks at every allow list
// with a model of its own. A case is one protocol with one live file.
func TestTier3IsInNoAllowList(t *testing.T) {
	n := regime.Cases(t, 20_000, 1_000_000)
	r := rand.New(rand.NewPCG(3, uint64(n)))
	written, refused := 0, 0
	for pairs := 0; pairs < n; {
		text := randomProtocol(r)
		p, err := tiers.Parse("p", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		o := Options{Strict: r.IntN(4) == 0, CodexAllow: true, Tier3Ask: r.IntN(4) == 0}
		for tool := range p.Tools() {
			s := newSets(p, tool)
			for _, target := range [...]Target{ClaudeSettings, ClaudeSettings, ClaudeSettings, CodexPermissions, OpenCodePermissions, CodexRules, OpenCodeConfig, OpenCodeConfig} {
				if target.Tool().String() != tool.Name {
					continue
				}
				pairs++
				live := randomLive(r, target)
				d, err := target.row().draft(input{name: "f", old: []byte(live), exists: live != "", sets: s, options: o})
				if err == nil {
					err = prove(target, "f", d.data, d.generated, s)
				}
				if err != nil {
					refused++
					if !errors.Is(err, ErrTier3) && !errors.Is(err, ErrStrict) {
						t.Fatalf("%v: %v\n%s\n%s", target, err, text, live)
					}
					continue
				}
				written++
				if bad := tier3In(target, d.data, s); bad != "" {
					t.Fatalf("%v: %s\n%s\nlive %s\nwritten %s", target, bad, text, live, d.data)
				}
			}
		}
	}
	t.Logf("%d files written, %d refused", written, refused)
	if written < n/2 {
		t.Error("hardly anything was written")
	}
}

// tier3In reads a finished file with plain readers and looks for an allow rule whose every sample is a tier3 command.
func tier3In(target Target, data []byte, s setsOf) string {
	var allows []string
	switch target {
	case ClaudeSettings:
		var v struct{ Permissions struct{ Allow []string } }
		if err := json.Unmarshal(data, &v); err != nil {
			return err.Error()
		}
		for _, a := range v.Permissions.Allow {
			if content, ok := strings.CutPrefix(a, "Bash("); ok {
				content = strings.TrimSuffix(content, ")")
				if prefix, ok := strings.CutSuffix(content, ":*"); ok {
					content = prefix + " *"
				}
				allows = append(allows, content)
			}
		}
	case OpenCodeConfig:
		var v struct {
			Permission struct{ Bash map[string]string }
		}
		if err := json.Unmarshal(data, &v); err != nil {
			return err.Error()
		}
		for key, effect := range v.Permission.Bash {
			if effect == "allow" {
				allows = append(allows, key)
			}
		}
	case CodexRules:
		rules, err := ReadCodexRules("f", data)
		if err != nil {
			return err.Error()
		}
		for _, rule := range rules {
			if rule.Decision == "allow" {
				allows = append(allows, rule.Text()+" *")
			}
		}
	default:
		var v struct {
			Shell []string `json:"shell_allowed" yaml:"shell_allowed"`
			Named []string `json:"aioson_allowed" yaml:"aioson_allowed"`
		}
		if err := yaml.Unmarshal(data, &v); err != nil {
			return err.Error()
		}
		allows = v.Shell
		for _, name := range v.Named {
			allows = append(allows, "aioson "+name+" *")
		}
	}
	for _, a := range allows {
		for _, e := range s.Deny {
			q := e.Text
			if e.Kind == tiers.KindCommand {
				q = "aioson " + q + " *"
			}
			if q == a || !slices.ContainsFunc(samples(a), func(c string) bool { return !sampleMatches(strings.Fields(q), strings.Fields(c)) }) {
				return fmt.Sprintf("%q is tier3 (%s)", a, q)
			}
		}
	}
	return ""
}
