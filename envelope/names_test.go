package envelope

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNames(t *testing.T) {
	long := strings.Repeat("a", 64)
	for _, tt := range []struct {
		name        string
		agent, task bool
	}{
		{"dave", true, true}, {"d", true, true}, {"li-comment-draft", true, true}, {"a_b", true, true}, {"a1-2", true, true},
		{long, true, true}, {long + "a", false, false}, {"", false, false}, {"1a", false, false}, {"Dave", false, false},
		{"a.b", false, true}, {"..", false, false}, {"a..b", false, false}, {"a--b", false, false}, {"a-", false, false},
		{"-a", false, false}, {"a b", false, false}, {"a/b", false, false}, {"a\n", false, false}, {"é", false, false},
		{"con", false, true}, {"aux", false, true}, {"nul", false, true}, {"prn", false, true}, {"com1", false, true},
		{"lpt0", false, true}, {"com10", true, true}, {"comx", true, true}, {"con-sole", true, true}, {"xpt0", true, true},
	} {
		if got := CheckAgent(tt.name) == nil; got != tt.agent {
			t.Errorf("agent %q: %v, want %v", tt.name, got, tt.agent)
		}
		if got := CheckTask(tt.name) == nil; got != tt.task {
			t.Errorf("task %q: %v, want %v", tt.name, got, tt.task)
		}
	}
}

// The hand-written matcher and the schema's patterns are one rule.
func TestNamesAreThePatterns(t *testing.T) {
	agent := regexp.MustCompile(`^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$`)
	task := regexp.MustCompile(`^[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)*$`)
	for _, p := range []*regexp.Regexp{agent, task} {
		if !strings.Contains(schema, strings.ReplaceAll(p.String(), `\`, `\\`)) {
			t.Errorf("the schema does not hold %s", p)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[a-c0-1._\-A ]{0,8}`).Draw(t, "name")
		if isName(s, agentJoints) != agent.MatchString(s) || isName(s, taskJoints) != task.MatchString(s) {
			t.Fatalf("%q is judged differently", s)
		}
	})
}

func TestNotesAndOwners(t *testing.T) {
	long := strings.Repeat("é", 2000)
	for _, tt := range []struct {
		text        string
		note, owner bool
	}{
		{"fine", true, true}, {"", true, false}, {"   ", true, false}, {long, true, false}, {"  " + long + " ", true, false},
		{long + "x", false, false}, {strings.Repeat("é", 200), true, true}, {strings.Repeat("é", 201), true, false},
		{"a\nb", false, false}, {"a\n", false, false}, {"a\tb", false, false}, {"\x1b[31m", false, false}, {"a\x7f", false, false},
		{"a\u0085", false, false}, {"a\u009b", false, false}, {"a\u2028b", false, false}, {"a\u2029b", false, false}, {"\ufeffa", false, false},
		{"a\u202eb", false, false}, {"a\u2066b", false, false}, {"a\uffffb", false, false}, {"a\xffb", false, false}, {"مريم 記事 ✅", true, true},
	} {
		if got := CheckNote(tt.text) == nil; got != tt.note {
			t.Errorf("note %.20q: %v, want %v", tt.text, got, tt.note)
		}
		if got := CheckOwner(tt.text) == nil; got != tt.owner {
			t.Errorf("owner %.20q: %v, want %v", tt.text, got, tt.owner)
		}
	}
}
