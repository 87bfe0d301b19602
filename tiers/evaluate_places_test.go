package tiers

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRootSpellings states that a project is the same folder however its path is spelled, and that without one no
// absolute path is inside (T34).
func TestRootSpellings(t *testing.T) {
	p := protocolOf(t, []string{"echo *"}, nil, nil, "src/**")
	for _, c := range []struct {
		root, line string
		allows     bool
	}{
		{"/repo", "echo a > /repo/src/f", true},
		{"/repo/", "echo a > /repo/src/f", true},
		{"/x/../repo/.", "echo a > /repo/src/f", true},
		{`/x\..\repo`, "echo a > /repo/src/f", true},
		{"/repo", "echo a > src/f", true},
		{"/", "echo a > /src/f", true},
		{"/repo", "echo a > /other/src/f", false},
		{"/repo", "echo a > /repository/src/f", false},
		{"", "echo a > /repo/src/f", false},
		{"", "echo a > /src/f", false},
		{"", "echo a > src/f", true},
	} {
		v := Evaluator{Protocol: p, Root: c.root}.Evaluate(c.line)
		if v.Allows() != c.allows {
			t.Errorf("root %q: %s: %s %v", c.root, c.line, v.Decision, v.Reasons())
		}
	}
}

// TestPlacesOfWhatIsNoCommand states where the parts stand that no command is: the whole text that cannot be judged, or the character.
func TestPlacesOfWhatIsNoCommand(t *testing.T) {
	deep := "ls"
	for range MaxReparsed + 1 {
		deep = "eval " + ansiQuoted(deep)
	}
	for _, c := range []struct {
		line string
		want Part
	}{
		{"ls )", Part{Text: "ls )", End: 4, Reason: ReasonUnparsable}},
		{"ls a\u202eb", Part{Text: "\u202e", Start: 4, End: 7, Reason: ReasonSuspiciousText}},
		{"\u202els", Part{Text: "\u202e", End: 3, Reason: ReasonSuspiciousText}},
		{"eval 'ls )'", Part{Text: "ls )", Start: 5, End: 11, Via: []string{"eval"}, Reason: ReasonUnparsable}},
		{deep, Part{Text: "ls", Start: 5, End: len(deep), Reason: ReasonTooDeep, Via: slices.Repeat([]string{"eval"}, MaxReparsed+1)}},
	} {
		parts := Evaluate(c.line).Parts
		for i := range parts {
			parts[i].Detail = ""
		}
		if !slices.ContainsFunc(parts, func(p Part) bool { return cmp.Equal(p, c.want) }) {
			t.Errorf("%.60q has no part %+v, but %+v", c.line, c.want, parts)
		}
	}
}

// TestBoundOfWork states that the last unit of work within the bound is done and the first beyond it asks, once, for the
// whole text.
func TestBoundOfWork(t *testing.T) {
	w := &walker{judge: &judge{}, source: source{text: "ls -l"}}
	if !w.spend(maxSteps) || len(w.parts) != 0 {
		t.Errorf("work within the bound is not done: %+v", w.parts)
	}
	for range 2 {
		if w.spend(1) {
			t.Error("work beyond the bound is done")
		}
	}
	want := []Part{{Text: "ls -l", End: 5, Reason: ReasonTooMany, Detail: "too much to judge"}}
	if d := cmp.Diff(want, w.parts); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func ansiQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// TestWritePathsElsewhere states that a write path of the project covers nothing outside of it, whatever its stars would
// match there, and that an absolute one is what it says (T34).
func TestWritePathsElsewhere(t *testing.T) {
	for _, c := range []struct {
		glob, root, line string
		allows           bool
	}{
		{"**", "/repo", "echo a > /etc/passwd", false},
		{"**/*.md", "/repo", "echo a > /etc/a.md", false},
		{"*/**", "/repo", "echo a > /repo2/a", false},
		{"**", "", "echo a > /etc/a", false},
		{"**", `C:\repo`, "echo a > D:/a", false},
		{"**", `C:\repo`, "echo a > /cygdrivex/a", false},
		{"**", `C:\repo`, "echo a > C:a", false},
		{"**", "/repo", "echo a > https://../.claude/settings.json", false},
		{"**", "/repo", "echo a > a", true},
		{"**", "/repo", "echo a > /repo/sub/a", true},
		{"**", `C:\repo`, `echo a > 'C:\repo\a'`, true},
		{`C:\repo\**`, `C:\repo`, "echo a > a", true},
		{"/**", "/repo", "echo a > /etc/a", true},
		{"/tmp/**", "/repo", "echo a > /tmp/a", true},
		{"/tmp/**", "/repo", "echo a > tmp/a", false},
	} {
		v := Evaluator{Protocol: protocolOf(t, []string{"echo *"}, nil, nil, c.glob), Root: c.root}.Evaluate(c.line)
		if v.Allows() != c.allows {
			t.Errorf("%s in %q: %s: %s %v", c.glob, c.root, c.line, v.Decision, v.Reasons())
		}
	}
}
