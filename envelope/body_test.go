package envelope

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func codes(warnings []Warning) string {
	var all []string
	for _, w := range warnings {
		all = append(all, w.Code)
	}
	return strings.Join(all, " ")
}

// TestWarnings holds when a body is said not to agree with the record.
func TestWarnings(t *testing.T) {
	change := func(pairs ...string) string {
		out := sample
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(out, pairs[i]) {
				t.Fatalf("%q is not there", pairs[i])
			}
			out = strings.Replace(out, pairs[i], pairs[i+1], 1)
		}
		return out
	}
	const row = "| LinkedIn comment draft | checkBeforeCommitting | 2026-07-04 | Voice restarts are cheap mid-draft. |\n"
	const row2 = "| Code implementation dispatch | fullyApproved | 2026-07-05 |; |\n"
	const top = "### 2026-07-05T14:30:00Z; code-dispatch promoted to fullyApproved"
	for _, tt := range []struct{ name, data, want string }{
		{"the sample", sample, ""},
		{"another note in the table", change("mid-draft. |", "mid-draft says she |"), ""},
		{"padding", change(row, "|LinkedIn  comment draft|checkBeforeCommitting   |  2026-07-04|\n"), ""},
		{"another state in the table", change("| fullyApproved |", "| checkBeforeCommitting |"), WarnTableDrift},
		{"another date", change("| 2026-07-05 |", "| 2026-07-06 |"), WarnTableDrift},
		{"another label", change("| Code imp", "| code imp"), WarnTableDrift},
		{"another order", change(row+row2, row2+row), WarnTableDrift},
		{"a row less", change(row2, ""), WarnTableDrift},
		{"a row more", change(row2, row2+"| x |\n"), WarnTableDrift},
		{"no rule, so no table", change("|---|---|---|---|\n", ""), WarnTableDrift},
		{"no section", change("## Current state", "## State"), WarnTableDrift},
		{"an escaped label", change("label: Code implementation dispatch", `label: 'a | b \ c'`, "| Code implementation dispatch |", `| a \| b \\ c |`), ""},
		{"a backslash alone in the table", change("label: Code implementation dispatch", `label: 'a \ c'`, "| Code implementation dispatch |", `| a \ c |`), ""},
		{"a label of blanks reads as the id in the table", change("label: Code implementation dispatch", `label: "  "`, "| Code implementation dispatch |", `| code-dispatch |`), ""},
		{"a state that no entry names", change("state: fullyApproved", "state: needsFullSupervision", "| fullyApproved |", "| needsFullSupervision |"), WarnHistoryDrift},
		{"a state above the default without any entry", change(top, "### x"), WarnNoHistory},
		{"the default without any entry", change(top, "### x", "state: fullyApproved", "state: needsFullSupervision", "| fullyApproved |", "| needsFullSupervision |"), ""},
		{"no history at all", change("## History", "## Story"), WarnNoHistory + " " + WarnNoHistory},
		{"both", change(top, "### x", "draft demoted to checkBeforeCommitting", "draft demoted to fullyApproved"), WarnHistoryDrift + " " + WarnNoHistory},
		{"the latest entry below, the topmost of another state", change(top, "### 2026-07-01T00:00:00Z; code-dispatch demoted to needsFullSupervision\n\n"+top), ""},
		{"the topmost of the state, a later one below of another", change(top, top+"\n\n### 2026-07-09T00:00:00Z; code-dispatch demoted to needsFullSupervision"), ""},
		{"the latest and the topmost of another", change(top, "### 2026-07-09T00:00:00Z; code-dispatch demoted to needsFullSupervision\n\n"+top), WarnHistoryDrift},
		{"an entry without a time counts as topmost", change(top, "### yesterday; code-dispatch promoted to fullyApproved"), ""},
		{"a dash in the heading", change("Z; code", "Z — code", "Z; li", "Z - li"), ""},
		{"other words in the heading", change("promoted to fully", "is now, at last, fully"), ""},
		{"a heading that says nothing", change(top, top+"\n\n### 2026-07-09T00:00:00Z; code-dispatch"), ""},
		{"a heading that names no state", change(top, "### 2026-07-09T00:00:00Z; code-dispatch went to rest"), WarnNoHistory},
		{"an entry in a fence", change(top, "```\n"+top, "Operator note: none.", "```"), WarnNoHistory},
		{"conflict markers", change("## History", "<<<<<<< ours\n## History"), WarnConflict},
		{"the closing marker alone", change("## History", ">>>>>>>\n## History"), WarnConflict},
		{"the base marker", change("## History", "||||||| 1234\n## History"), WarnConflict},
		{"markers that are none", change("## History", "=======\n<<<<<<<x\n <<<<<<< x\n<<<<<<\n## History"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := parse(t, tt.data).Warnings()
			if diff := cmp.Diff(tt.want, codes(w)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s\n%v", diff, w)
			}
			if w == nil {
				t.Error("no list")
			}
		})
	}
}

func TestNoteCell(t *testing.T) {
	for note, want := range map[string]string{
		"":                "",
		"fine by me":      "fine by me",
		"One. Two.":       "One.",
		"One; two":        "One.",
		"Why? Because":    "Why?",
		"Use v1.2! Then":  "Use v1.2!",
		"e.g. x":          "e.g.",
		"a.b;c":           "a.b;c",
		"ends;":           "ends.",
		"ends.":           "ends.",
		" two\n lines.\n": "two lines.",
		"a\t \u00a0b":     "a b",
		".":               ".",
		"x\x00y":          "x\ufffdy",
	} {
		if got := noteCell(note); got != want {
			t.Errorf("%q: %q, want %q", note, got, want)
		}
	}
}

func TestHeading(t *testing.T) {
	for text, want := range map[string]struct {
		level int
		title string
	}{
		"# a": {1, "a"}, "###### a": {6, "a"}, "####### a": {0, ""}, "#a": {0, ""}, "#": {1, ""}, "## ": {2, ""}, "##\ta": {2, "a"},
		"## a ##": {2, "a"}, "## a ##  ": {2, "a"}, "## a#": {2, "a#"}, "## a #b": {2, "a #b"}, "## #": {2, ""}, "## ##": {2, ""}, "a": {0, ""}, "": {0, ""},
	} {
		if level, title := heading([]byte(text)); level != want.level || string(title) != want.title {
			t.Errorf("%q: %d %q, want %d %q", text, level, title, want.level, want.title)
		}
	}
}

// What is escaped in a cell reads back, whatever it is.
func TestCellsReadBack(t *testing.T) {
	for _, label := range []string{"a|b", `a\b`, `a\|b`, `\`, `|`, `\\|`, "x  y"} {
		tt := TaskType{ID: "x", Label: label}
		if cells := splitRow(renderRow(tt)); cells[0] != oneLine(label) || cells[1] != "needsFullSupervision" {
			t.Errorf("%q reads as %q", label, cells)
		}
	}
	if cells := splitRow("| a | b"); len(cells) != 2 || cells[1] != "b" {
		t.Errorf("a row without its last bar: %q", cells)
	}
}
