package envelope

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/ambit/internal/regime"
)

// writer makes up files that people might write: every style, with foreign lines everywhere, each of which holds a
// token of its own.
type writer struct {
	*rapid.T
	b      strings.Builder
	tokens int
	ids    []string
	gap    string // between a dash and its entry
}

func (w *writer) chance(percent int) bool { return rapid.IntRange(0, 99).Draw(w.T, "chance") < percent }

func (w *writer) pick(of ...string) string { return rapid.SampledFrom(of).Draw(w.T, "pick") }

func (w *writer) token() string { w.tokens++; return fmt.Sprintf("keep-%d", w.tokens) }

// foreign writes a line that no edit may touch.
func (w *writer) foreign(percent int, format string) {
	if w.chance(percent) {
		fmt.Fprintf(&w.b, format+"\n", w.token())
	}
}

func (w *writer) comment() string {
	if w.chance(20) {
		return w.pick(" # ", "  # ", "\t# ") + w.token()
	}
	return ""
}

func (w *writer) quote(word string) string {
	return w.pick(word, word, word, "'"+word+"'", `"`+word+`"`)
}

// note writes the note of an entry, in some style, at some indentation.
func (w *writer) note(indent string) string {
	deep := "\n" + indent + w.pick("  ", " ", "    ")
	drop := w.pick("", "", " # drop")
	return w.pick("operatorNote:"+drop, "operatorNote: ~"+drop, "operatorNote: plain note"+drop, "operatorNote: 'it''s # not a comment'"+drop,
		`operatorNote: "a \"b\" \\ c: d"`+drop, "operatorNote: over"+deep+"two lines"+drop, "operatorNote: |"+deep+"literal: x"+deep+"- y",
		"operatorNote: >-"+drop+deep+"folded"+deep+"text", "operatorNote: |+"+deep+"kept", `operatorNote: "over`+deep+`two"`+drop, "operatorNote: ''"+drop)
}

func (w *writer) entries() {
	dash, gap := w.pick("", "  ", "    "), w.pick(" ", " ", "   ")
	w.gap = gap
	n := rapid.IntRange(0, 4).Draw(w.T, "entries")
	if n == 0 {
		w.b.WriteString(w.pick("taskTypes: []", "taskTypes:", "taskTypes: ~", "taskTypes: [ ]", "taskTypes: null") + w.comment() + "\n")
		return
	}
	w.b.WriteString("taskTypes:" + w.comment() + "\n")
	all := rapid.Permutation([]string{"alpha", "b-2", "no", "state", "x.y"}).Draw(w.T, "ids")
	for _, id := range all[:n] {
		w.ids = append(w.ids, id)
		w.foreign(15, dash+"# %s")
		state, since := State(rapid.IntRange(0, 2).Draw(w.T, "state")).String(), w.pick("2026-07-05T14:30:00Z", "2026-07-04T09:00:00.5+02:00")
		if w.chance(20) {
			tail := w.pick("", ", operatorNote: n", ", operatorNote: 'a, b'", ", operatorNote: ")
			fmt.Fprintf(&w.b, "%s-%s{%s}%s\n", dash, gap, w.pick("id: "+w.scalar(id)+", state: "+w.quote(state)+", stateSince: "+since+tail,
				"stateSince: \""+since+"\", id: '"+id+"'"+tail+", state: "+state), w.comment())
			continue
		}
		indent := dash + " " + gap
		pairs := []string{"id: " + w.scalar(id) + w.comment(), "state: " + w.quote(state) + w.comment(), "stateSince: " + w.quote(since) + w.comment()}
		if w.chance(60) {
			pairs = append(pairs, "label: "+w.pick("Some label", "'a | b'", "~", `"tab\tand \\ bar"`)+w.comment())
		}
		if w.chance(50) {
			pairs = append(pairs, w.note(indent))
		}
		if w.chance(20) {
			pairs = append(pairs, "extra: "+w.pick("["+w.token()+", {a: b}]", "|\n"+indent+"  "+w.token(), w.token()))
		}
		if w.chance(40) {
			pairs = rapid.Permutation(pairs).Draw(w.T, "order")
		}
		for i, p := range pairs {
			if i == 0 {
				w.b.WriteString(dash + "-" + gap + p + "\n")
				continue
			}
			if strings.HasPrefix(pairs[i-1], "operatorNote: |+") {
				w.b.WriteString(w.pick("", "\n"))
			}
			// Behind a text of more lines it could be a part of it; behind a note beside the dash it goes with the note (W9).
			if !strings.Contains(pairs[i-1], "\n") && (i > 1 || !strings.HasPrefix(pairs[0], "operatorNote")) {
				w.foreign(10, indent+"# %s")
			}
			w.b.WriteString(indent + p + "\n")
		}
	}
}

func (w *writer) scalar(s string) string {
	if s == "no" {
		return `"no"`
	}
	return s
}

func (w *writer) body() {
	w.foreign(30, "\n# Autonomy envelope; %s")
	w.foreign(30, "\n%s\ntext")
	state := func() {
		w.b.WriteString("\n## Current state\n" + w.pick("", "\n", "\n\n"))
		w.foreign(20, "%s\n")
		if w.chance(80) {
			w.b.WriteString("| Task type | State | Since | Note |\n|---|---|---|---|\n" + w.pick("", "| x | y | z |; |\n", "| a \\| b | fullyApproved |\n|\n"))
		}
		w.foreign(30, "\n%s")
	}
	history := func() {
		w.b.WriteString("\n## History\n" + w.pick("", "\n"))
		w.foreign(20, "%s\n\n```\n### in a fence\n```\n")
		for range rapid.IntRange(0, 3).Draw(w.T, "history") {
			w.b.WriteString("### 2026-07-0" + w.pick("1", "2", "3") + "T00:00:00Z" + w.pick("; ", " — ", " - ") + w.pick("alpha", "b-2", "other") + " moved to fullyApproved\nOperator note: " + w.token() + "\n\n")
		}
	}
	parts := [][]func(){{state, history}, {history, state}, {state}, {history}, {}}[rapid.IntRange(0, 4).Draw(w.T, "parts")]
	for _, p := range parts {
		p()
		w.foreign(20, "\n<!-- %s\n## History\n-->")
		w.foreign(20, "\n# Part %s")
	}
}

func (w *writer) file() string {
	w.b.WriteString("---" + w.pick("", "", " \t") + "\n")
	head := []func(){
		func() { w.b.WriteString("agent: dave" + w.comment() + "\n") },
		func() { w.b.WriteString("owner: " + w.pick("barry", "no", `"Zoë: ops"`, "a\n  b") + "\n") },
		func() { w.b.WriteString("updated: " + w.quote("2026-07-05T14:30:00Z") + w.comment() + "\n") },
		func() { w.entries() },
		func() { w.foreign(40, "%s: {x: [1, \"2\"]}") },
		func() { w.foreign(40, "# %s") },
	}
	for _, part := range rapid.Permutation(head).Draw(w.T, "head") {
		part()
	}
	w.b.WriteString(w.pick("---", "---", "...") + w.pick("", " ") + "\n")
	w.body()
	text := w.b.String()
	if w.chance(20) {
		text = strings.TrimSuffix(text, "\n")
	}
	if w.chance(25) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return w.pick("", "", "\ufeff") + text
}

var tokenPattern = regexp.MustCompile(`keep-[0-9]+`)

// TestRandomEdits makes up files and edits, and holds for each that the edit does what it says and nothing else: every
// foreign line is there afterwards, in its order and with its bytes, and everything else parses equal.
func TestRandomEdits(t *testing.T) {
	regime.Rapid(t, 500, 50_000)
	refused := 0
	edits := 0
	rapid.Check(t, func(t *rapid.T) {
		w := &writer{T: t}
		data := w.file()
		d, err := ParseDocument("x.md", "dave", []byte(data))
		if err != nil {
			t.Fatalf("%q is not sound: %v", data, err)
		}
		checkSpans(t, []byte(data))
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			c := Change{Task: rapid.SampledFrom(append(w.ids, "new", "null")).Draw(t, "task"), State: State(rapid.IntRange(0, 2).Draw(t, "to")),
				Now: later.Add(time.Duration(edits%7) * time.Hour)}
			if rapid.Bool().Draw(t, "noted") {
				text := rapid.SampledFrom([]string{"", "Fine.", "Scope: x #1", "yes", `"q" \`, "Prêt ✅", "- a", "e.g. v1.2; then"}).Draw(t, "note")
				c.Note = &text
			}
			before := string(d.Bytes())
			edits++
			_, ok := checkSet(t, d, c)
			if !ok {
				refused++
				if _, err := d.Set(c); codeOf(err) != CodeYAMLFeature || !strings.Contains(data, "-"+w.gap+"{") {
					t.Fatalf("%+v on %q is refused: %v", c, data, err)
				}
				c.Note = nil // without anything to insert it must be possible
				if _, recorded := d.Envelope().Find(c.Task); recorded {
					if _, ok := checkSet(t, d, c); !ok {
						_, err := d.Set(c)
						t.Fatalf("%+v on %q is refused: %v", c, data, err)
					}
				}
				continue
			}
			after := string(d.Bytes())
			if was, is := tokenPattern.FindAllString(before, -1), tokenPattern.FindAllString(after, -1); !slices.Equal(was, is) {
				t.Fatalf("%+v made of\n%s\nthis\n%s\nforeign text %v, then %v", c, before, after, was, is)
			}
			for _, l := range foreignLines(before) {
				if !strings.Contains(after, l) {
					t.Fatalf("%+v made of\n%s\nthis\n%s\nwhere %q is not there", c, before, after, l)
				}
			}
			if strings.Contains(data, "\r\n") && strings.Count(after, "\n") != strings.Count(after, "\r\n") {
				t.Fatalf("%+v mixed the line endings of %q: %q", c, before, after)
			}
		}
	})
	t.Logf("%d edits, %d refused", edits, refused)
}

// foreignLines gives the lines that hold nothing of the record.
func foreignLines(text string) []string {
	var out []string
	for l := range strings.Lines(text) {
		if bare := strings.TrimLeft(l, " "); strings.HasPrefix(bare, "# keep") || strings.HasPrefix(bare, "keep") || strings.HasPrefix(bare, "Operator note: keep") {
			out = append(out, l)
		}
	}
	return out
}
