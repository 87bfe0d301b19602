package harness_test

import (
	"strings"
	"testing"

	"example.com/ambit/harness"
	"example.com/ambit/internal/regime"
	"example.com/ambit/tiers"
	"pgregory.net/rapid"
)

func pattern(t interface{ Fatal(...any) }, text string) tiers.Pattern {
	p, err := tiers.ParsePattern(text)
	if err != nil {
		t.Fatal(text, err)
	}
	return p
}

func TestRelate(t *testing.T) {
	for _, tt := range []struct {
		n           harness.Name
		rule, tier3 string
		want        string // i inside, c covers, t touches
	}{
		{harness.Claude, "Bash", "git push *", "ct"},
		{harness.Claude, "Bash(*)", "git push *", "ct"},
		{harness.Claude, "Bash(git:*)", "git push *", "ct"},
		{harness.Claude, "Bash(git *)", "git push *", "ct"},
		{harness.Claude, "Bash(git*)", "git push *", "ct"},
		{harness.Claude, "Bash(git p*)", "git push *", "ct"},
		{harness.Claude, "Bash(git push:*)", "git push *", "ict"},
		{harness.Claude, "Bash(git push origin:*)", "git push *", "it"},
		{harness.Claude, "Bash(git push)", "git push *", "it"},
		{harness.Claude, "Bash(* main)", "git push *", "t"},
		{harness.Claude, "Bash(git * main)", "git push *", "t"},
		{harness.Claude, "Bash(git status)", "git push *", ""},
		{harness.Claude, "Bash(git pushy:*)", "git push *", ""},
		{harness.Claude, "Read(./x)", "git push *", ""},
		{harness.Claude, "Bash(curl:*)", "curl * | sh", ""},
		{harness.Claude, "Bash(git:* push)", "git push *", ""},
		{harness.Codex, "git", "git push *", "ct"},
		{harness.Codex, "git push", "git push *", "ict"},
		{harness.Codex, "git push origin", "git push *", "it"},
		{harness.Codex, "git *", "git push *", ""},
		{harness.OpenCode, "*", "git push *", "ct"},
		{harness.OpenCode, "git push*", "git push *", "t"},
		{harness.OpenCode, "git push *", "git push *", "it"},
		{harness.OpenCode, "git p?sh", "git push *", "t"},
	} {
		r := harness.Relate(tt.n, tt.rule, pattern(t, tt.tier3))
		got := ""
		for _, x := range []struct {
			is   bool
			name string
		}{{r.Inside, "i"}, {r.Covers, "c"}, {r.Touches, "t"}} {
			if x.is {
				got += x.name
			}
		}
		if got != tt.want {
			t.Errorf("%v: %s against %s: %q, want %q (%+v)", tt.n, tt.rule, tt.tier3, got, tt.want, r)
		}
	}
}

func TestOpensByMeaning(t *testing.T) {
	push := pattern(t, "git push *")
	for _, rule := range []string{"Bash(git -C . push:*)", "Bash(env git push:*)", "Bash(/usr/bin/git push:*)", "Bash(git push --force)", "Bash(timeout 5 git push:*)"} {
		if r := harness.Opens(harness.Claude, rule, push); !r.Inside && !r.Touches {
			t.Errorf("%s opens %s: %+v", rule, push, r)
		}
	}
	for _, rule := range []string{"Bash(git status)", "Bash(git log:*)", "Bash(echo git push)"} {
		if r := harness.Opens(harness.Claude, rule, push); r.Inside || r.Touches {
			t.Errorf("%s does not open %s: %+v", rule, push, r)
		}
	}
}

// claudeMatches, openCodeMatches and codexMatches are the documented matchers, written plainly: the peers of the proof.
func claudeMatches(rule, command string) bool {
	content := strings.TrimSuffix(strings.TrimPrefix(rule, "Bash("), ")")
	command = strings.Join(strings.Fields(command), " ")
	content = strings.Join(strings.Fields(content), " ")
	if content == "*" || content == "" {
		return true
	}
	for _, suffix := range []string{":*", " *"} {
		if prefix, ok := strings.CutSuffix(content, suffix); ok {
			return starMatches(prefix, command, false) || starMatches(prefix+" *", command, false)
		}
	}
	return starMatches(content, command, false)
}

func openCodeMatches(key, command string) bool {
	if prefix, ok := strings.CutSuffix(key, " *"); ok && starMatches(prefix, command, true) {
		return true
	}
	return starMatches(key, command, true)
}

func codexMatches(rule, command string) bool {
	tokens, words := strings.Fields(rule), strings.Fields(command)
	return len(words) >= len(tokens) && strings.Join(words[:len(tokens)], " ") == strings.Join(tokens, " ")
}

func starMatches(glob, s string, question bool) bool {
	if glob == "" {
		return s == ""
	}
	if glob[0] == '*' {
		return starMatches(glob[1:], s, question) || s != "" && starMatches(glob, s[1:], question)
	}
	return s != "" && (glob[0] == s[0] || question && glob[0] == '?') && starMatches(glob[1:], s[1:], question)
}

// patternMatches matches words against a pattern of plain words and stars.
func patternMatches(pattern, command string) bool {
	return wordsMatch(strings.Fields(pattern), strings.Fields(command))
}

func wordsMatch(ps, ws []string) bool {
	switch {
	case len(ps) == 0:
		return len(ws) == 0
	case strings.Trim(ps[0], "*") == "":
		return wordsMatch(ps[1:], ws) || len(ws) > 0 && wordsMatch(ps, ws[1:])
	case len(ws) == 0:
		return false
	}
	return starMatches(ps[0], ws[0], false) && wordsMatch(ps[1:], ws[1:])
}

// TestRelateAgainstAllShortCommands compares every decision with all texts up to length 7 over {a, b, blank}.
func TestRelateAgainstAllShortCommands(t *testing.T) {
	texts := []string{""}
	for i := 0; i < len(texts); i++ {
		if len(texts[i]) < 7 {
			texts = append(texts, texts[i]+"a", texts[i]+"b", texts[i]+" ")
		}
	}
	regime.Rapid(t, 400, 20_000)
	word := rapid.SampledFrom([]string{"a", "b", "ab", "ba", "*", "a*", "*b"})
	line := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(word, 1, 4).Draw(t, "words"), " ") })
	matchers := map[harness.Name]func(rule, command string) bool{
		harness.Claude: claudeMatches, harness.Codex: codexMatches, harness.OpenCode: openCodeMatches,
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]harness.Name{harness.Claude, harness.Codex, harness.OpenCode}).Draw(t, "harness")
		rule, tier3 := line.Draw(t, "rule"), line.Draw(t, "tier3")
		if n == harness.Claude {
			rule = "Bash(" + rule + rapid.SampledFrom([]string{"", ":*"}).Draw(t, "suffix") + ")"
		}
		q, err := tiers.ParsePattern(tier3)
		if err != nil {
			t.Skip(err)
		}
		r := harness.Relate(n, rule, q)
		inRule := func(s string) bool { return matchers[n](rule, s) }
		inTier3 := func(s string) bool { return patternMatches(tier3, s) }
		if r.Touches && (!inRule(r.Touch) || !inTier3(r.Touch)) {
			t.Fatalf("touch witness %q: %v %v", r.Touch, inRule(r.Touch), inTier3(r.Touch))
		}
		if !r.Inside && (!inRule(r.Outside) || inTier3(r.Outside)) {
			t.Fatalf("outside witness %q: %v %v", r.Outside, inRule(r.Outside), inTier3(r.Outside))
		}
		if !r.Covers && (inRule(r.NotCovered) || !inTier3(r.NotCovered)) {
			t.Fatalf("not covered witness %q: %v %v", r.NotCovered, inRule(r.NotCovered), inTier3(r.NotCovered))
		}
		for _, s := range texts {
			if strings.TrimSpace(s) == "" {
				continue // no command
			}
			p, q := inRule(s), inTier3(s)
			if r.Inside && p && !q || r.Covers && q && !p || !r.Touches && p && q {
				t.Fatalf("%v %s against %s: %+v, but %q: rule %v, tier3 %v", n, rule, tier3, r, s, p, q)
			}
		}
	})
}
