package envelope

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/ambit/internal/regime"
)

// fastFile is a frontmatter as Set writes it.
func fastFile(owner, label, text string) string {
	return "---\nagent: dave\nowner: " + owner + "\nupdated: 2026-07-05T14:30:00Z\ntaskTypes:\n  - id: x\n    label: " + label +
		"\n    state: fullyApproved\n    stateSince: 2026-07-05T14:30:00Z\n    operatorNote: " + text + "\n---\nbody"
}

// The fast path takes what this package writes; everything else it leaves, and never reads differently.
func TestFastPath(t *testing.T) {
	fresh, err := New("dave", "Zoë: ops", later)
	if err != nil {
		t.Fatal(err)
	}
	takes := []string{sample, string(fresh), fastFile("barry", "Label", "A note, with: colon"[:6]), fastFile(`"a: b"`, `"\\ and \""`, `"x # y"`), fastFile("Zoë", `"404"`, "Prêt ✅")}
	for _, data := range takes {
		if !checkFast(t, []byte(data)) {
			t.Errorf("not taken: %q", data)
		}
	}
	leaves := []string{
		"", "---\n", "\ufeff" + sample, strings.ReplaceAll(sample, "\n", "\r\n"), strings.Replace(sample, "\n---\n", "\n--- \n", 1),
		sampleOf("erin"), strings.Replace(sample, "agent: dave", "agent: 'dave'", 1), strings.Replace(sample, "owner: barry", "owner:  barry", 1),
		strings.Replace(sample, "barry", "barry # c", 1), strings.Replace(sample, "updated: 2026", "updated: \"2026", 1),
		strings.Replace(sample, "14:30:00Z", "14:30:00.0Z", 1), strings.Replace(sample, "taskTypes:\n", "# c\ntaskTypes:\n", 1),
		"---\nagent: dave\nowner: barry\nupdated: 2026-07-05T14:30:00Z\ntaskTypes:\n---\n",
		strings.Replace(sample, "fullyApproved", "fullyapproved", 1), strings.Replace(sample, "stateSince: 2026-07-04", "stateSince: 2026-02-30", 1),
		strings.Replace(sample, "code-dispatch", "li-comment-draft", 1), strings.Replace(sample, "id: code-dispatch", "id: Code", 1),
		fastFile("no", "x", "y"), fastFile("barry ", "x", "y"), fastFile("a\tb", "x", "y"), fastFile("a\x7f", "x", "y"), fastFile("barry", "404", "x"),
		fastFile("barry", "''", "x"), fastFile("barry", `""`, "x"), fastFile("barry", `"a"b"`, "x"), fastFile("barry", `"a\n"`, "x"), fastFile("barry", `"\\"b"`, "x"),
		fastFile("barry", `"a\"`, "x"), fastFile("barry", `"a\\b"c"`, "x"), fastFile("barry", "a: b", "x"), fastFile("barry", "a:", "x"), fastFile("barry", "a\u2028b", "x"),
		fastFile("barry", "a\u0085b", "x"), fastFile("barry", "a\xffb", "x"), fastFile("barry", strings.Repeat("é", 201), "x"), fastFile("barry", "x", strings.Repeat("x", 8001)),
		fastFile("barry", "x", strings.Repeat("x", fastHead)), fastFile("barry", "x", "y\n    other: z"), fastFile("barry", "x", "y\n    operatorNote: z"), fastFile("barry", "|\n      x", "y"),
	}
	for _, data := range leaves {
		if checkFast(t, []byte(data)) {
			t.Errorf("taken: %q", data)
		}
	}
	many := "---\nagent: dave\nowner: barry\nupdated: 2026-07-05T14:30:00Z\ntaskTypes:\n"
	for i := range fastTypes + 1 {
		if taken := checkFast(t, []byte(many+"---\n")); taken != (i > 0) {
			t.Errorf("%d task types: taken %v", i, taken)
		}
		many += fmt.Sprintf("  - id: x%d\n    label: x\n    state: fullyApproved\n    stateSince: 2026-07-05T14:30:00Z\n", i)
	}
	if checkFast(t, []byte(many+"---\n")) {
		t.Error("more task types than the simple way is fast for")
	}
}

// Whatever Set writes, the fast path takes.
func TestFastPathTakesWhatSetWrites(t *testing.T) {
	regime.Rapid(t, 100, 5000)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~é✅]{0,40}`)
		owner := text.Draw(t, "owner")
		data, err := New("dave", owner, later)
		if err != nil {
			return
		}
		d, err := ParseDocument("x.md", "dave", data)
		if err != nil {
			t.Fatalf("New(%q) makes %q: %v", owner, data, err)
		}
		for range rapid.IntRange(0, 4).Draw(t, "sets") {
			text := text.Draw(t, "note")
			checkSet(t, d, Change{Task: rapid.SampledFrom([]string{"x", "no", "a.b"}).Draw(t, "task"), State: State(rapid.IntRange(0, 2).Draw(t, "state")), Note: &text, Now: later})
		}
		if _, ok := fastFront("dave", d.Bytes()); !ok {
			t.Fatalf("not taken: %q", d.Bytes())
		}
	})
}
