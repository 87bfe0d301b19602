package envelope

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample is the published sample file.
const sample = `---
agent: dave
owner: barry
updated: 2026-07-05T14:30:00Z
taskTypes:
  - id: li-comment-draft
    label: LinkedIn comment draft
    state: checkBeforeCommitting
    stateSince: 2026-07-04T09:00:00Z
    operatorNote: Voice restarts are cheap mid-draft; post-publication corrections are expensive.
  - id: code-dispatch
    label: Code implementation dispatch
    state: fullyApproved
    stateSince: 2026-07-05T14:30:00Z
---

# Autonomy envelope; dave

## Current state

| Task type | State | Since | Note |
|---|---|---|---|
| LinkedIn comment draft | checkBeforeCommitting | 2026-07-04 | Voice restarts are cheap mid-draft. |
| Code implementation dispatch | fullyApproved | 2026-07-05 |; |

## History

### 2026-07-05T14:30:00Z; code-dispatch promoted to fullyApproved
Operator note: none.

### 2026-07-04T09:00:00Z; li-comment-draft demoted to checkBeforeCommitting
Operator note: Voice restarts are cheap mid-draft; post-publication corrections are expensive.
`

func parse(t testing.TB, data string) *Document {
	t.Helper()
	d, err := ParseDocument("x.md", "", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// What holds no frontmatter worth the name is said to be so, also where it is empty: a reader looks for the plain word.
func TestFrontmatterIsNamed(t *testing.T) {
	for _, data := range []string{"", "# x\n", "---\n", "---\n---\n", "---\n# x\n---\n", "---\n{}\n---\n", "---\n~\n---\n", "---\n[]\n---\n", "---\nx\n---\n", "---\nx: y\n---\n", "---\na: [\n---\n"} {
		_, err := ParseDocument("x.md", "", []byte(data))
		if err == nil || !strings.Contains(err.Error(), "frontmatter") {
			t.Errorf("%q: %v", data, err)
		}
	}
}

// The frontmatter of the sample, rendered, is the sample's table, byte for byte; and the sample has no warnings.
func TestSampleTable(t *testing.T) {
	d := parse(t, sample)
	_, rest, _ := strings.Cut(sample, "## Current state\n\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	if diff := cmp.Diff(table, strings.Join(renderTable(d.Envelope()), "\n")); diff != "" {
		t.Errorf("the table (-want +got):\n%s", diff)
	}
	if w := d.Warnings(); len(w) != 0 {
		t.Errorf("warnings: %v", w)
	}
	if changed, err := d.Render(); changed || err != nil {
		t.Errorf("rendering what is rendered: %v, %v", changed, err)
	}
}

// What a document gives out is the caller's, and does not lead back into it.
func TestDocumentKeepsToItself(t *testing.T) {
	data := []byte(sample)
	d, err := ParseDocument("x.md", "dave", data)
	if err != nil {
		t.Fatal(err)
	}
	clear(data)
	clear(d.Bytes())
	d.Envelope().TaskTypes[0].State = FullyApproved
	if string(d.Bytes()) != sample || d.Envelope().StateOf("li-comment-draft") != CheckBeforeCommitting {
		t.Error("the document changed from outside")
	}
}

// A document that is not there answers as one that records nothing.
func TestNoDocument(t *testing.T) {
	d, err := Dir{Root: t.TempDir()}.Get("nobody")
	if err == nil || d != nil {
		t.Fatalf("got %v, %v", d, err)
	}
	if got := d.Envelope().StateOf("deploy"); got != NeedsFullSupervision {
		t.Errorf("got %s", got)
	}
}

// TestProblems holds code, position and key of every rule of the reader.
func TestProblems(t *testing.T) {
	long := strings.Repeat("x", 201)
	tests := []struct{ name, data, want string }{
		{"every required key", "---\nx: y\n---\n", "2:1 missing-key agent|2:1 missing-key owner|2:1 missing-key updated|2:1 missing-key taskTypes"},
		{"required keys of an entry", listed("  - label: x"), "6:5 missing-key taskTypes[0].id|6:5 missing-key taskTypes[0].state|6:5 missing-key taskTypes[0].stateSince"},
		{"no mapping", "---\njust text\n---\n", "2:1 wrong-type "},
		{"types of the top", "---\nagent: [a]\nowner: {a: b}\nupdated: ~\ntaskTypes: text\n---\n", "2:8 wrong-type agent|3:8 wrong-type owner|4:10 wrong-type updated|5:12 wrong-type taskTypes"},
		{"values of the top", "---\nagent: Dave\nowner: ''\nupdated: 2026-07-05\ntaskTypes: []\n---\n", "2:8 bad-value agent|3:8 bad-value owner|4:10 bad-value updated"},
		{"a device's name", "---\nagent: con\nowner: \"a\\nb\"\nupdated: 2026-02-30T00:00:00Z\ntaskTypes: []\n---\n", "2:8 bad-value agent|3:8 bad-value owner|4:10 bad-value updated"},
		{"a long owner", "---\nagent: a\nowner: " + long + "\nupdated: 2026-02-03T00:00:00Z\ntaskTypes: []\n---\n", "3:8 bad-value owner"},
		{"an entry that is no mapping", listed("  - x"), "6:5 wrong-type taskTypes[0]"},
		{"values of an entry", listed("  - id: A b\n    label: " + long + "\n    state: FullyApproved\n    stateSince: today"),
			"6:9 bad-value taskTypes[0].id|7:12 bad-value taskTypes[0].label|8:12 bad-value taskTypes[0].state|9:17 bad-value taskTypes[0].stateSince"},
		{"types of an entry", listed("  - id:\n    label: []\n    state:\n    stateSince: {}\n    operatorNote: [x]"),
			"6:8 wrong-type taskTypes[0].id|7:12 wrong-type taskTypes[0].label|8:11 wrong-type taskTypes[0].state|9:17 wrong-type taskTypes[0].stateSince|10:19 wrong-type taskTypes[0].operatorNote"},
		{"a long note", listed(good + "    operatorNote: " + strings.Repeat("x", 8001)), "9:19 bad-value taskTypes[0].operatorNote"},
		{"duplicate id", listed(good + good), "9:9 duplicate-id taskTypes[1].id"},
		{"duplicate key", listed(good + "    state: fullyApproved"), "9:5 duplicate-key taskTypes[0].state"},
		{"duplicate key deep in an unknown one", listed(good) + "x: {a: {b: 1, 'b': 2}}\n---\n", "9:15 duplicate-key x.a.b"},
		{"the column counts bytes", listed(good) + "é: {é: 1, é: 2}\n---\n", "9:13 duplicate-key é.é"},
		{"the byte order mark is not counted", "\ufeff--\n", "1:1 no-frontmatter "},
		{"a byte order mark and no end", "\ufeff---\nx: y mark", "1:1 no-frontmatter "},
		{"yaml", listed(good + "    operatorNote: a: b"), "9:0 yaml "},
		{"yaml without a line", "---\nagent: \"\\q\"\n---\n", "2:0 yaml "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := tt.data
			if !strings.HasSuffix(data, "---\n") && !strings.Contains(tt.name, "mark") {
				data += "\n---\n"
			}
			_, err := ParseDocument("x.md", "", []byte(data))
			var got []string
			for _, e := range allProblems(err) {
				got = append(got, fmt.Sprintf("%d:%d %s %s", e.Line, e.Col, e.Code, e.Key))
			}
			if diff := cmp.Diff(strings.Split(tt.want, "|"), got); diff != "" {
				t.Errorf("problems (-want +got):\n%s\n%v", diff, err)
			}
		})
	}
}

// good is a sound entry.
const good = "  - id: x\n    state: fullyApproved\n    stateSince: 2026-07-05T14:30:00Z\n"

// listed is the beginning of a file, up to the entries of its list.
func listed(list string) string {
	return "---\nagent: dave\nowner: barry\nupdated: 2026-07-05T14:30:00Z\ntaskTypes:\n" + strings.TrimSuffix(list, "\n") + "\n"
}

func TestHints(t *testing.T) {
	for data, want := range map[string]string{
		"---\nagent: a\nowner: b\nupdated: 2026-07-05T14:30:00Z\nTaskTypes: []\n---\n":                  `is "TaskTypes" meant to be taskTypes?`,
		"---\nagent: a\nownr: b\nupdated: 2026-07-05T14:30:00Z\ntaskTypes: []\n---\n":                   `is "ownr" meant to be owner?`,
		listed(strings.Replace(good, "fullyApproved", "fullyAproved", 1)) + "---\n":                     "did you mean fullyApproved?",
		listed(strings.Replace(good, "stateSince", "statesince", 1)) + "---\n":                          `is "statesince" meant to be stateSince?`,
		listed(strings.Replace(good, "state: fullyApproved", "state: \"fullyApproved \"", 1)) + "---\n": "did you mean fullyApproved?",
	} {
		_, err := ParseDocument("x.md", "", []byte(data))
		if all := allProblems(err); len(all) != 1 || all[0].Hint != want {
			t.Errorf("%v\nhints: %v, want %q", err, all, want)
		}
	}
}

// Texts are taken as they stand, whatever type YAML would give them. // R59, R64, R5
func TestTexts(t *testing.T) {
	d := parse(t, `---
agent: dave
owner: no
updated: "2026-07-05T14:30:00Z"
taskTypes:
  - {id: "on", label: 404, state: 'fullyApproved', stateSince: 2026-07-05T14:30:00Z, operatorNote: 010}
  - id: b
    label: Null
    state: >-
      needsFullSupervision
    stateSince: 2026-07-05T14:30:00Z
    operatorNote: ""
  - id: c
    label: ~
    state: "fully\
      Approved"
    stateSince: |-
      2026-07-05T14:30:00Z
    operatorNote: |
      two
      lines
    other: {x: [1, 2, {}]}
---
`)
	e := d.Envelope()
	since := e.Updated
	want := &Envelope{Agent: "dave", Owner: "no", Updated: since, TaskTypes: []TaskType{
		{ID: "on", Label: "404", State: FullyApproved, Since: since, Note: "010"},
		{ID: "b", Label: "Null", State: NeedsFullSupervision, Since: since},
		{ID: "c", Label: "c", State: FullyApproved, Since: since, Note: "two\nlines\n"},
	}}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("the record (-want +got):\n%s", diff)
	}
	front, err := Frontmatter("x.md", d.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	third := front.(map[string]any)["taskTypes"].([]any)[2].(map[string]any)
	if diff := cmp.Diff(map[string]any{"id": "c", "label": nil, "state": "fullyApproved", "stateSince": "2026-07-05T14:30:00Z",
		"operatorNote": "two\nlines\n", "other": map[string]any{"x": []any{"1", "2", map[string]any{}}}}, third); diff != "" {
		t.Errorf("the frontmatter for the schema (-want +got):\n%s", diff)
	}
}

func TestFrontmatterRefuses(t *testing.T) {
	for _, data := range []string{"", "---\na: \xff\n---\n", "---\na: b: c\n---\n", "---\na: *b\n---\n"} {
		if _, err := Frontmatter("x.md", []byte(data)); err == nil || !strings.Contains(err.Error(), "x.md") {
			t.Errorf("%q: %v", data, err)
		}
	}
	if _, err := ParseDocument("x.md", "erin", []byte(sample)); err == nil || allProblems(err)[0].Code != CodeAgentMismatch {
		t.Errorf("the envelope of another: %v", err)
	}
}
