package harness

import (
	"bytes"
	"encoding/json"
	"testing"

	"example.com/ambit/tiers"
)

func fuzzSets(f *testing.F, tool string) setsOf {
	p, err := tiers.Parse("p", []byte(`{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["git log *","ls"]},"tier3_blocking":{"shell_patterns":["git push *"]}},
		"tools":{"claude":{"derived_from_tiers":["tier1_silent"]},"opencode":{"derived_from_tiers":["tier1_silent"]}}}`))
	if err != nil {
		f.Fatal(err)
	}
	t, _ := p.Tool(tool)
	return newSets(p, t)
}

// FuzzMerge merges into any text: it is refused, or the result is proved, reads back, and a second merge changes nothing.
func FuzzMerge(f *testing.F) {
	sets := map[Target]setsOf{ClaudeSettings: fuzzSets(f, "claude"), OpenCodeConfig: fuzzSets(f, "opencode")}
	for _, seed := range []string{
		`{}`, `{ }`, `{"permissions":{"allow":["Bash(git push:*)","Read",5]}}`, "{\r\n\t\"a\": 1e400\r\n}", "{\"permission\": {\"bash\": { // c\n \"git push *\": \"ask\", /* d */ },},}",
		`{"permission": "ask"}`, `[`, "{\"permission\": {\"bash\": {\"x\": \"allow\" /* e */ , \"git log *\": \"allow\"}}}", `{"permission": {"bash": {"*": {}}}}`,
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, claude bool) {
		target := OpenCodeConfig
		if claude {
			target = ClaudeSettings
		}
		s := sets[target]
		in := input{name: "f", old: []byte(text), exists: true, sets: s}
		d, err := target.row().draft(in)
		if err != nil {
			return
		}
		if claude && !json.Valid(d.data) {
			t.Fatalf("no JSON: %s", d.data)
		}
		if err := prove(target, "f", d.data, d.generated, s); err != nil {
			t.Fatalf("%v\n%s", err, d.data)
		}
		if n := bytes.Count([]byte(text), []byte("/*")); bytes.Count(d.data, []byte("/*")) < n && !bytes.Contains([]byte(text), []byte("*/*")) && !bytes.ContainsRune([]byte(text), '"') {
			t.Fatalf("a comment is lost: %s\n->\n%s", text, d.data)
		}
		in.old, in.was = d.data, &record{Ours: d.ours, Theirs: d.theirs, Replaced: d.replaced}
		again, err := target.row().draft(in)
		if err != nil || !bytes.Equal(again.data, d.data) {
			t.Fatalf("the second merge: %v\n%s\n->\n%s", err, d.data, again.data)
		}
	})
}

// FuzzCodexRules reads any text: what is taken is written by this package's own hand and reads back the same.
func FuzzCodexRules(f *testing.F) {
	for _, seed := range []string{`prefix_rule(pattern=["git","push"],decision="forbidden",justification="x")`, "# c\n", `prefix_rule(pattern=[["a","b"],'c'])`, `host_executable(name="g",paths=["/g"])`, `prefix_rule(`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := ReadCodexRules("f", []byte(text))
		if err != nil {
			return
		}
		for _, r := range rules {
			var tokens []string
			for _, alternatives := range r.Pattern {
				tokens = append(tokens, alternatives[0])
			}
			again, err := ReadCodexRules("f", []byte(codexRuleText(tokens, r.Decision, "j")))
			if err != nil || len(again) != 1 || !again[0].Matches(tokens) || again[0].Decision != r.Decision || !r.Matches(tokens) {
				t.Fatalf("%q: %v %+v", tokens, err, again)
			}
		}
	})
}
