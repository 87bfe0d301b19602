package envelope

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var later = time.Date(2026, 8, 1, 10, 0, 0, 0, time.UTC)

func note(s string) *string { return &s }

// front gives the frontmatter of a file between the list's key and the closing line.
func listOf(data []byte) string {
	_, rest, _ := strings.Cut(string(data), "taskTypes:")
	list, _, _ := strings.Cut(rest, "\n---\n")
	return "taskTypes:" + list
}

const since = "    state: fullyApproved\n    stateSince: 2026-07-05T14:30:00Z"

// TestListEdits holds what Set does to the list in the frontmatter, in every style that people write.
func TestListEdits(t *testing.T) {
	const stamp = "2026-08-01T10:00:00Z"
	down := Change{Task: "x", State: NeedsFullSupervision}
	withNote := Change{Task: "x", State: NeedsFullSupervision, Note: note("Why: so")}
	review := Change{Task: "x", State: FullyApproved, Note: note("ok")}
	add := Change{Task: "new", State: CheckBeforeCommitting, Note: note("ok")}
	added := func(dash, key string) string {
		return dash + "id: new\n" + key + "label: new\n" + key + "state: checkBeforeCommitting\n" + key + "stateSince: " + stamp + "\n" + key + "operatorNote: ok"
	}
	flow := "taskTypes:\n  - {id: x, state: fullyApproved, stateSince: 2026-07-05T14:30:00Z"
	flowDown := "taskTypes:\n  - {id: x, state: needsFullSupervision, stateSince: " + stamp
	tests := []struct {
		name   string
		list   string
		change Change
		want   string // "" is refused
	}{
		{"a note below stateSince, quoted", "taskTypes:\n  - id: x\n" + since, withNote,
			"taskTypes:\n  - id: x\n    state: needsFullSupervision\n    stateSince: " + stamp + "\n    operatorNote: \"Why: so\""},
		{"a comment on the line before a new note stays there", "taskTypes:\n  - id: x\n" + since + " # c", review,
			"taskTypes:\n  - id: x\n" + since + " # c\n    operatorNote: ok"},
		{"single quotes stay", "taskTypes:\n  - id: x\n    state: 'fullyApproved'\n    stateSince: '2026-07-05T14:30:00Z'", down,
			"taskTypes:\n  - id: x\n    state: 'needsFullSupervision'\n    stateSince: '" + stamp + "'"},
		{"escapes give way", "taskTypes:\n  - id: x\n    state: \"fullyApprove\\x64\"\n    stateSince: \"2026-07-05T14:30:00\\\n      Z\"", down,
			"taskTypes:\n  - id: x\n    state: \"needsFullSupervision\"\n    stateSince: \"" + stamp + "\""},
		{"a state in a folded scalar", "taskTypes:\n  - id: x\n    state: >- # c\n      fullyApproved\n    stateSince: |-\n      2026-07-05T14:30:00Z", down,
			"taskTypes:\n  - id: x\n    state: needsFullSupervision # c\n    stateSince: " + stamp},
		{"a comment right behind the mark", "taskTypes:\n  - id: x\n" + since + "\n    operatorNote: >#c\n      n", review,
			"taskTypes:\n  - id: x\n" + since + "\n    operatorNote: ok #c"},
		{"a plain note over lines", "taskTypes:\n  - id: x\n" + since + "\n    operatorNote: one\n\n      two\n      three # c\n    k: v", review,
			"taskTypes:\n  - id: x\n" + since + "\n    operatorNote: ok # c\n    k: v"},
		{"a note in single quotes becomes plain", "taskTypes:\n  - id: x\n" + since + "\n    operatorNote: 'it''s'  # c", review,
			"taskTypes:\n  - id: x\n" + since + "\n    operatorNote: ok  # c"},
		{"a literal note with a comment, blank lines after it stay", "taskTypes:\n  - id: x\n" + since + "\n    operatorNote: |2- # c\n        deep\n\n      flat\n\n    k: v", review,
			"taskTypes:\n  - id: x\n" + since + "\n    operatorNote: ok # c\n\n    k: v"},
		{"a literal note that keeps its blank lines has them", "taskTypes:\n  - id: x\n" + since + "\n    operatorNote: |+\n      text\n\n    k: v", review,
			"taskTypes:\n  - id: x\n" + since + "\n    operatorNote: ok\n    k: v"},
		{"a literal note with nothing in it is no note", "taskTypes:\n  - id: x\n    operatorNote: >\n" + since, review,
			"taskTypes:\n  - id: x\n    operatorNote: ok\n" + since},
		{"a note that is null in words", "taskTypes:\n  - id: x\n    operatorNote: ~ # c\n" + since, review,
			"taskTypes:\n  - id: x\n    operatorNote: ok # c\n" + since},
		{"a note without value, behind a comment", "taskTypes:\n  - id: x\n    operatorNote: # c\n" + since, review,
			"taskTypes:\n  - id: x\n    operatorNote: ok # c\n" + since},
		{"a removed note takes its comment along", "taskTypes:\n  - id: x\n    operatorNote: n # c\n    # d\n" + since, down,
			"taskTypes:\n  - id: x\n    # d\n    state: needsFullSupervision\n    stateSince: " + stamp},
		{"a removed note beside the dash", "taskTypes:\n  - operatorNote: n # c\n    id: x\n" + since, down,
			"taskTypes:\n  - id: x\n    state: needsFullSupervision\n    stateSince: " + stamp},
		{"a removed literal note beside the dash", "taskTypes:\n  - operatorNote: |\n      n\n      m\n    id: x\n" + since, down,
			"taskTypes:\n  - id: x\n    state: needsFullSupervision\n    stateSince: " + stamp},
		{"a removed note below a dash on its own line", "taskTypes:\n  -\n    operatorNote: n\n    id: x\n" + since, down,
			"taskTypes:\n  -\n    id: x\n    state: needsFullSupervision\n    stateSince: " + stamp},
		{"a note with an explicit key", "taskTypes:\n  - id: x\n    ? operatorNote\n    : n\n" + since, down,
			"taskTypes:\n  - id: x\n    state: needsFullSupervision\n    stateSince: " + stamp},
		{"a key without value stays", "taskTypes:\n  - id: x\n    operatorNote:\n" + since, down,
			"taskTypes:\n  - id: x\n    operatorNote:\n    state: needsFullSupervision\n    stateSince: " + stamp},

		{"added below a list at the key's depth", "taskTypes:\n- id: x\n  state: fullyApproved\n  stateSince: 2026-07-05T14:30:00Z\nz: y", add,
			"taskTypes:\n- id: x\n  state: fullyApproved\n  stateSince: 2026-07-05T14:30:00Z\n" + added("- ", "  ") + "\nz: y"},
		{"added below a literal note and a deeper comment, above the rest", "taskTypes:\n  - id: x\n" + since + "\n    operatorNote: |\n      a\n      # not a comment\n   # deeper\n  # as deep\n", add,
			"taskTypes:\n  - id: x\n" + since + "\n    operatorNote: |\n      a\n      # not a comment\n   # deeper\n" + added("  - ", "    ") + "\n  # as deep\n"},
		{"added below a nested value", "taskTypes:\n  - id: x\n" + since + "\n    k:\n      - {a: [b,\n         c] } # d\n", add,
			"taskTypes:\n  - id: x\n" + since + "\n    k:\n      - {a: [b,\n         c] } # d\n" + added("  - ", "    ") + "\n"},
		{"added as below a dash on its own line", "taskTypes:\n -\n    id: x\n" + since, add,
			"taskTypes:\n -\n    id: x\n" + since + "\n" + added(" -  ", "    ")},
		{"the first, at null", "taskTypes: ~ # none", add, "taskTypes: # none\n" + added("  - ", "    ")},
		{"the first, at nothing", "taskTypes:\n# c", add, "taskTypes:\n" + added("  - ", "    ") + "\n# c"},
		{"the first, at an empty list over lines", "taskTypes:   [\n  ]", add, "taskTypes:\n" + added("  - ", "    ")},
		{"the first, at an empty list on its own line", "taskTypes:\n  []\nz: y", add, "taskTypes:\n" + added("  - ", "    ") + "\nz: y"},
		{"the first, at an empty list with a comment inside", "taskTypes: [ # c\n  ]", add, ""},

		{"flow: a demotion is always possible", flow + "}", down, flowDown + "}"},
		{"flow: a new note needs an insertion", flow + "}", withNote, ""},
		{"flow: an added entry needs an insertion", flow + "}", add, ""},
		{"flow: an added entry in a flow list", "taskTypes: [{id: x, state: fullyApproved, stateSince: 2026-07-05T14:30:00Z}]", add, ""},
		{"flow: a note is replaced in double quotes", flow + ", operatorNote: n}", withNote, flowDown + ", operatorNote: \"Why: so\"}"},
		{"flow: a word is replaced in double quotes", flow + ", operatorNote: 'n' }", review, flow + ", operatorNote: \"ok\" }"},
		{"flow: a note without value is filled", flow + ", operatorNote: }", review, flow + ", operatorNote: \"ok\" }"},
		{"flow: a note without colon is refused", flow + ", operatorNote}", review, ""},
		{"flow: the last note is removed with the comma before it", flow + ", operatorNote: n}", down, flowDown + "}"},
		{"flow: with a comma behind it", flow + ", operatorNote: n, }", down, flowDown + ", }"},
		{"flow: a note in the middle", "taskTypes:\n  - {id: x, operatorNote: \"a, b\", state: fullyApproved, stateSince: 2026-07-05T14:30:00Z}", down,
			"taskTypes:\n  - {id: x, state: needsFullSupervision, stateSince: " + stamp + "}"},
		{"flow: the first note", "taskTypes:\n  - {operatorNote: n , id: x, state: fullyApproved, stateSince: 2026-07-05T14:30:00Z}", down,
			"taskTypes:\n  - {id: x, state: needsFullSupervision, stateSince: " + stamp + "}"},
		{"flow: comments beside a removed note stay", "taskTypes:\n  - {id: x, # a, b\n     operatorNote: n, # c\n     state: fullyApproved, stateSince: 2026-07-05T14:30:00Z}", down,
			"taskTypes:\n  - {id: x # a, b\n     , # c\n     state: needsFullSupervision, stateSince: " + stamp + "}"},
		{"flow: comments behind the first note stay", "taskTypes:\n  - {operatorNote: n # a,\n     , # c\n     id: x, state: fullyApproved, stateSince: 2026-07-05T14:30:00Z}", down,
			"taskTypes:\n  - { # a,\n      # c\n     id: x, state: needsFullSupervision, stateSince: " + stamp + "}"},
		{"flow: an explicit key", "taskTypes:\n  - {? operatorNote : n, id: x, state: fullyApproved, stateSince: 2026-07-05T14:30:00Z}", down,
			"taskTypes:\n  - {id: x, state: needsFullSupervision, stateSince: " + stamp + "}"},
		{"flow: a whole list", "taskTypes: [{id: x, state: fullyApproved, stateSince: 2026-07-05T14:30:00Z}, {id: z, state: fullyApproved, stateSince: 2026-07-05T14:30:00Z}] # c", down,
			"taskTypes: [{id: x, state: needsFullSupervision, stateSince: " + stamp + "}, {id: z, state: fullyApproved, stateSince: 2026-07-05T14:30:00Z}] # c"},
		{"flow: a list with block entries after all", "taskTypes:\n  - {id: z, state: fullyApproved, stateSince: 2026-07-05T14:30:00Z}\n  - id: x\n" + since, add,
			"taskTypes:\n  - {id: z, state: fullyApproved, stateSince: 2026-07-05T14:30:00Z}\n  - id: x\n" + since + "\n" + added("  - ", "    ")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, ending := range []string{"\n", "\r\n"} {
				data := strings.ReplaceAll("---\nagent: dave\nowner: barry\nupdated: 2026-07-05T14:30:00Z\n"+tt.list+"\n---\n", "\n", ending)
				d := parse(t, data)
				tt.change.Now = later
				_, err := d.Set(tt.change)
				if tt.want == "" {
					var e *Error
					if !errors.As(err, &e) || e.Code != CodeYAMLFeature || e.Line < 5 || e.Hint == "" || string(d.Bytes()) != data {
						t.Fatalf("it was not refused as it should: %v\n%s", err, d.Bytes())
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				got := d.Bytes()
				if strings.Count(string(got), ending) != strings.Count(string(got), "\n") {
					t.Errorf("line endings are mixed: %q", got)
				}
				if diff := cmp.Diff(tt.want, listOf([]byte(strings.ReplaceAll(string(got), "\r\n", "\n")))); diff != "" {
					t.Errorf("the list (-want +got):\n%s", diff)
				}
				if w := d.Warnings(); len(w) > 0 && w[0].Code == WarnTableDrift {
					t.Errorf("warnings after a set: %v", w)
				}
			}
		})
	}
}

// A frontmatter in braces: values are replaced, nothing is inserted.
func TestFlowRoot(t *testing.T) {
	const data = "---\n{agent: dave, owner: barry, updated: 2026-07-05T14:30:00Z, taskTypes: [{id: x, state: fullyApproved, stateSince: 2026-07-05T14:30:00Z}]}\n---\n"
	d := parse(t, data)
	if _, err := d.Set(Change{Task: "x", Now: later}); err != nil || !strings.HasPrefix(string(d.Bytes()), "---\n{agent: dave, owner: barry, updated: 2026-08-01T10:00:00Z, taskTypes: [{id: x, state: needsFullSupervision, stateSince: 2026-08-01T10:00:00Z}]}\n---\n\n## Current state\n") {
		t.Errorf("%v\n%s", err, d.Bytes())
	}
	for _, empty := range []string{"[]", ""} {
		d := parse(t, "---\n{agent: dave, owner: barry, updated: 2026-07-05T14:30:00Z, taskTypes: "+empty+"}\n---\n")
		if _, err := d.Set(Change{Task: "x", Now: later}); err == nil {
			t.Errorf("inserted into braces:\n%s", d.Bytes())
		}
	}
	d = parse(t, "---\n  agent: dave\n  owner: barry\n  updated: 2026-07-05T14:30:00Z\n  taskTypes: []\n---\n")
	if _, err := d.Set(Change{Task: "x", Now: later}); err != nil || !strings.Contains(string(d.Bytes()), "\n  taskTypes:\n    - id: x\n      label: x\n") {
		t.Errorf("an indented frontmatter: %v\n%s", err, d.Bytes())
	}
}

// TestBodyEdits holds where the table and the history entry go.
func TestBodyEdits(t *testing.T) {
	const head = "---\nagent: dave\nowner: barry\nupdated: 2026-07-05T14:30:00Z\ntaskTypes:\n  - id: x\n" + since + "\n---\n"
	const newHead = "---\nagent: dave\nowner: barry\nupdated: 2026-08-01T10:00:00Z\ntaskTypes:\n  - id: x\n    state: needsFullSupervision\n    stateSince: 2026-08-01T10:00:00Z\n---\n"
	const oldTable = "| Task type | State | Since | Note |\n|---|---|---|---|\n| x | fullyApproved | 2026-07-05 |; |\n"
	const table = "| Task type | State | Since | Note |\n|---|---|---|---|\n| x | needsFullSupervision | 2026-08-01 |; |\n"
	const state = "## Current state\n\n" + table
	const act = "### 2026-08-01T10:00:00Z; x demoted to needsFullSupervision\nOperator note: none.\n"
	const old = "### 2026-07-05T14:30:00Z; x promoted to fullyApproved\nOperator note: none.\n"
	tests := []struct{ name, body, want string }{
		{"no body", "", "\n" + state + "\n## History\n\n" + act},
		{"a body that ends with a blank line", "\ntext\n\n", "\ntext\n\n" + state + "\n## History\n\n" + act},
		{"a body without final newline", "\ntext", "\ntext\n\n" + state + "\n## History\n\n" + act},
		{"only blanks without ending", "\ntext\n  ", "\ntext\n  \n" + state + "\n## History\n\n" + act},
		{"only History", "\n## History\n\n" + old, "\n" + state + "\n## History\n\n" + act + "\n" + old},
		{"History below text", "\ntext\n## History\n" + old, "\ntext\n" + state + "\n## History\n" + act + "\n" + old},
		{"only the state, the table at the end without newline", "\n## Current state\n\n" + strings.TrimSuffix(oldTable, "\n"), "\n" + state + "\n## History\n\n" + act},
		{"no table, text right below", "\n## Current state\ntext\n\n## History\n", "\n" + state + "\ntext\n\n## History\n\n" + act},
		{"no table, blank lines", "\n## Current state\n\n\ntext\n\n## History\n", "\n" + state + "\ntext\n\n## History\n\n" + act},
		{"no table, the next section right below", "\n## Current state\n## History\n", "\n" + state + "\n## History\n\n" + act},
		{"no table, at the end without newline", "\n## History\n\n" + old + "\n## Current state", "\n## History\n\n" + act + "\n" + old + "\n" + state},
		{"no table, blanks at the end without newline", "\n## History\n\n" + old + "\n## Current state\n  ", "\n## History\n\n" + act + "\n" + old + "\n## Current state\n  \n" + table},
		{"other order, a table at the end", "\n## History\n\n" + old + "\n## Current state\n\n" + strings.TrimSuffix(oldTable, "\n"), "\n## History\n\n" + act + "\n" + old + "\n" + strings.TrimSuffix(state, "\n")},
		{"a table with blanks before it, and a padded one", "\n## Current state\n\n   |Task|x|\n |:--|:-:|\n  | x |\n\n## History\n", "\n" + state + "\n## History\n\n" + act},
		{"bars that are no table", "\n## Current state\n\n| text\n\n" + oldTable + "\n## History\n", "\n## Current state\n\n| text\n\n" + table + "\n## History\n\n" + act},
		{"the first table only", "\n## Current state\n\n" + oldTable + "\n" + oldTable + "\n## History\n", "\n" + state + "\n" + oldTable + "\n## History\n\n" + act},
		{"text in History, no entry", "\n## Current state\n\n" + oldTable + "\n## History\n\nSince May.\n\n\n## More\n", "\n" + state + "\n## History\n\nSince May.\n\n" + act + "\n\n## More\n"},
		{"an entry at the end without newline", "\n## Current state\n\n" + oldTable + "\n## History\n\n" + strings.TrimSuffix(old, "\n"), "\n" + state + "\n## History\n\n" + act + "\n" + strings.TrimSuffix(old, "\n")},
		{"History at the end without newline", "\n## Current state\n\n" + oldTable + "\n## History", "\n" + state + "\n## History\n\n" + act},
		{"closing hashes, three blanks, a heading of level 1 ends", "\n   ## Current state ##\n\n" + oldTable + "\n##  History\t#\n\n# End\n", "\n   ## Current state ##\n\n" + table + "\n##  History\t#\n\n" + act + "\n# End\n"},
		{"headings that are none", "\n## Current State\n##Current state\n## Current state#\n### Current state\n    ## Current state\n\t## History\n<!-- x\n## History\n--> ## History\n<!-- y -->\n## Current state\n\n" + oldTable + "\n~~~ x\n## History\n``` \n~~\n~~~~ \n## History\n",
			"\n## Current State\n##Current state\n## Current state#\n### Current state\n    ## Current state\n\t## History\n<!-- x\n## History\n--> ## History\n<!-- y -->\n" + state + "\n~~~ x\n## History\n``` \n~~\n~~~~ \n## History\n\n" + act},
		{"ticks with ticks in their info are no fence", "\n``` a`b\n## Current state\n\n" + oldTable + "\n## History\n", "\n``` a`b\n" + state + "\n## History\n\n" + act},
		{"a heading of level 3 in a fence is no entry", "\n## Current state\n\n" + oldTable + "\n## History\n\n```\n### x\n```\n" + old, "\n" + state + "\n## History\n\n```\n### x\n```\n" + act + "\n" + old},
		// Below a fence or a comment that never ends nothing is read: a demotion is recorded above it, and never refused.
		{"a fence that never ends", "\ntext\n```\nnever closed\n", "\ntext\n\n" + state + "\n## History\n\n" + act + "\n```\nnever closed\n"},
		{"one that is all there is", "```", "\n" + state + "\n## History\n\n" + act + "\n```"},
		{"a comment that never ends", "\n~~~\nx\n~~~\n<!-- never closed\n## History\n", "\n~~~\nx\n~~~\n\n" + state + "\n## History\n\n" + act + "\n<!-- never closed\n## History\n"},
		{"a fence that never ends, in History", "\n## Current state\n\n" + oldTable + "\n## History\nSince May.\n~~~\n### x\n", "\n" + state + "\n## History\nSince May.\n\n" + act + "\n~~~\n### x\n"},
		{"a fence that never ends, below the entries", "\n## Current state\n\n" + oldTable + "\n## History\n\n" + old + "\n~~~\n### x\n", "\n" + state + "\n## History\n\n" + act + "\n" + old + "\n~~~\n### x\n"},
		{"setext headings do not count", "\nHistory\n-------\n\n## Current state\n\n" + oldTable + "\n## History\n", "\nHistory\n-------\n\n" + state + "\n## History\n\n" + act},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, ending := range []string{"\n", "\r\n"} {
				d := parse(t, strings.ReplaceAll(head+tt.body, "\n", ending))
				if _, err := d.Set(Change{Task: "x", State: NeedsFullSupervision, Now: later}); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(strings.ReplaceAll(newHead+tt.want, "\n", ending), string(d.Bytes())); diff != "" {
					t.Errorf("the file (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestLastGuard damages the result of an edit in every way that the guard must see. // W13
func TestLastGuard(t *testing.T) {
	replace := func(old, new string) func([]byte) []byte {
		return func(data []byte) []byte { return []byte(strings.Replace(string(data), old, new, 1)) }
	}
	for name, spoil := range map[string]func([]byte) []byte{
		"nothing":               func([]byte) []byte { return nil },
		"another state":         replace("state: needsFullSupervision", "state: fullyApproved"),
		"another entry":         replace("state: fullyApproved", "state: checkBeforeCommitting"),
		"another owner":         replace("barry", "mallory"),
		"an unknown key":        replace("owner:", "x: y\nowner:"),
		"the time":              replace("updated: 2026-08", "updated: 2026-09"),
		"the table":             replace("| needsFullSupervision |", "| fullyApproved |"),
		"the entry":             replace("li-comment-draft demoted to needsFullSupervision", "li-comment-draft demoted to fullyApproved"),
		"no entry":              replace("### 2026-08", "#### 2026-08"),
		"an older entry":        replace("code-dispatch promoted", "code-inline promoted"),
		"not UTF-8":             replace("History", "\xff"),
		"no section":            replace("## History", "## Story"),
		"an older entry's time": replace("### 2026-07-04", "### 2026-07-03"),
	} {
		d := parse(t, sample)
		d.spoil = spoil
		_, err := d.Set(Change{Task: "li-comment-draft", State: NeedsFullSupervision, Now: later})
		if err == nil || string(d.Bytes()) != sample || d.Envelope().StateOf("li-comment-draft") != CheckBeforeCommitting {
			t.Errorf("%s: the guard did not hold: %v", name, err)
		}
	}
	d := parse(t, strings.Replace(sample, "| fullyApproved |", "| x |", 1))
	d.spoil = func([]byte) []byte { return nil }
	if changed, err := d.Render(); changed || err == nil {
		t.Errorf("the guard of Render did not hold: %v %v", changed, err)
	}
	d.spoil = func(b []byte) []byte { return b }
	if _, err := d.Set(Change{Task: "x", Now: later}); err != nil {
		t.Error(err)
	}
}

// An edit that would make the frontmatter larger than what is read is refused: nobody could read it again.
func TestSetKeepsWithinTheLimits(t *testing.T) {
	data := strings.Replace(sample, "---\n", "---\n"+strings.Repeat("#\n", maxFrontLines-14), 1)
	d := parse(t, data)
	if _, err := d.Set(Change{Task: "x", State: FullyApproved, Now: later}); err == nil || !strings.Contains(err.Error(), "too large") || string(d.Bytes()) != data {
		t.Errorf("%v", err)
	}
	if _, err := d.Set(Change{Task: "code-dispatch", Now: later}); err != nil {
		t.Errorf("a demotion: %v", err)
	}
}

func TestSetRefuses(t *testing.T) {
	far := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []Change{{Task: "X", Now: later}, {Task: "x", Note: note("a\nb"), Now: later}, {Task: "x", Now: far}} {
		d := parse(t, sample)
		if _, err := d.Set(c); err == nil || string(d.Bytes()) != sample {
			t.Errorf("%+v: %v", c, err)
		}
	}
	conflicted := strings.Replace(sample, "## History", "<<<<<<< a\n=======\n>>>>>>> b\n## History", 1)
	d := parse(t, conflicted)
	if _, err := d.Set(Change{Task: "x", Now: later}); err == nil || allProblems(err)[0].Code != CodeConflict || allProblems(err)[0].Line != 26 {
		t.Errorf("a conflict: %v", err)
	}
	if r, err := d.Set(Change{Task: "code-dispatch", State: FullyApproved, Now: later}); err != nil || r.Changed {
		t.Errorf("nothing to do, in a conflict: %v %v", r, err)
	}
	if _, err := d.Render(); err != nil {
		t.Errorf("nothing to render, in a conflict: %v", err)
	}
	d = parse(t, strings.Replace(conflicted, "| fullyApproved |", "| x |", 1))
	if _, err := d.Render(); err == nil {
		t.Error("rendered between conflict markers")
	}
	fenced := strings.Replace(sample, "## History", "```\n<<<<<<< a\n```\n## History", 1)
	if w := parse(t, fenced).Warnings(); len(w) != 0 {
		t.Errorf("a conflict in a fence: %v", w)
	}
}

// TestWords holds the words and the effects of every step between states, recorded or not.
func TestWords(t *testing.T) {
	none := map[State]string{NeedsFullSupervision: "set to", CheckBeforeCommitting: "promoted to", FullyApproved: "promoted to"}
	for to, want := range none {
		d := parse(t, sample)
		r, err := d.Set(Change{Task: "new", State: to, Now: later})
		if err != nil || !r.Created || !r.Changed || r.From != NeedsFullSupervision || r.To != to || !r.Updated.Equal(later) || r.Warnings == nil {
			t.Errorf("new, %s: %+v %v", to, r, err)
		}
		if !strings.Contains(string(d.Bytes()), "\n### 2026-08-01T10:00:00Z; new "+want+" "+to.String()+"\nOperator note: none.\n") {
			t.Errorf("new, %s:\n%s", to, d.Bytes())
		}
	}
	for from := range State(3) {
		for to := range State(3) {
			d := parse(t, strings.Replace(sample, "state: fullyApproved", "state: "+from.String(), 1))
			want := map[bool]string{true: "promoted to", false: "demoted to"}[to > from]
			if to == from {
				want = "kept at"
			}
			r, err := d.Set(Change{Task: "code-dispatch", State: to, Note: note(" Because; x. "), Now: later})
			if err != nil || r.Created || !r.Changed || r.From != from || r.To != to {
				t.Errorf("%s to %s: %+v %v", from, to, r, err)
			}
			tt, _ := d.Envelope().Find("code-dispatch")
			if tt.State != to || tt.Note != "Because; x." || tt.Since.Equal(later) == (from == to) {
				t.Errorf("%s to %s: %+v", from, to, tt)
			}
			if !strings.Contains(string(d.Bytes()), "; code-dispatch "+want+" "+to.String()+"\nOperator note: Because; x.\n") {
				t.Errorf("%s to %s:\n%s", from, to, d.Bytes())
			}
		}
	}
	d := parse(t, sample)
	if r, err := d.Set(Change{Task: "code-dispatch", State: State(9), Now: later}); err != nil || r.To != NeedsFullSupervision {
		t.Errorf("a value that is no state: %+v %v", r, err)
	}
}

// The same act a second time, without a note or with an empty one, changes not one byte; with a note it is one more
// entry. A note is cleared once.
func TestSetTwice(t *testing.T) {
	d := parse(t, sample)
	set := func(c Change) Result {
		t.Helper()
		c.Now = later
		r, err := d.Set(c)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	c := Change{Task: "li-comment-draft", State: FullyApproved}
	set(c)
	once := string(d.Bytes())
	for _, n := range []*string{nil, note(""), note("  ")} {
		if c.Note = n; set(c).Changed || string(d.Bytes()) != once {
			t.Error("the same act again changed something")
		}
	}
	c.Note = note("Said.")
	for i := range 3 {
		if !set(c).Changed || strings.Count(string(d.Bytes()), "kept at") != i+1 {
			t.Errorf("said %d times:\n%s", i+1, d.Bytes())
		}
	}
	c.Note = note("")
	if !set(c).Changed || set(c).Changed || strings.Contains(string(d.Bytes()), "operatorNote: Said.") {
		t.Errorf("clearing the note:\n%s", d.Bytes())
	}
}

func TestClockBehind(t *testing.T) {
	d := parse(t, sample)
	early := time.Date(2026, 7, 1, 0, 0, 0, 999, time.UTC)
	r, err := d.Set(Change{Task: "x", State: FullyApproved, Now: early})
	if err != nil || len(r.Warnings) != 1 || r.Warnings[0].Code != WarnClockBehind || !d.Envelope().Updated.Equal(early.Truncate(time.Second)) {
		t.Errorf("%+v %v", r, err)
	}
	// The history knows of a later act than updated does.
	if r, err = d.Set(Change{Task: "x", Now: early.Add(time.Hour)}); err != nil || len(r.Warnings) != 1 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestRender(t *testing.T) {
	broken := strings.Replace(sample, "| LinkedIn comment draft | check", "| LinkedIn  draft | needs", 1)
	d := parse(t, broken)
	if changed, err := d.Render(); !changed || err != nil || string(d.Bytes()) != sample {
		t.Errorf("%v %v\n%s", changed, err, d.Bytes())
	}
	d = parse(t, strings.Replace(sample, "mid-draft. |", "mid-draft, says he. |", 1)) // the note is no drift, and is rendered
	if changed, err := d.Render(); !changed || err != nil || string(d.Bytes()) != sample {
		t.Errorf("%v %v\n%s", changed, err, d.Bytes())
	}
	const bare = "---\nagent: a\nowner: b\nupdated: 2026-07-05T14:30:00Z\ntaskTypes: []\n---\n"
	d = parse(t, bare)
	if changed, err := d.Render(); changed || err != nil || string(d.Bytes()) != bare {
		t.Errorf("a table of nothing was made: %v %v\n%s", changed, err, d.Bytes())
	}
}
