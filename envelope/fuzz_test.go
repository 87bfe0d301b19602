package envelope

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/internal/span"
)

// seeds are the texts that the fuzz targets begin with: the sample, its variants in every style, and the recorded files
// where they are.
func seeds() []string {
	return []string{
		sample,
		"\ufeff" + sample,
		"---\r\nagent: a\r\nowner: b\r\nupdated: 2026-07-05T14:30:00Z\r\ntaskTypes:\r\n- {id: x, state: fullyApproved, stateSince: 2026-07-05T14:30:00Z, operatorNote: 'it''s'}\r\n...\r\n",
		"---\nagent: a\nowner: >-\n  b\n\n  c\nupdated: \"2026-07-05T14:30:00+02:00\"\ntaskTypes:\n  - ? id\n    : x\n    state: |\n      x\n    k: [a, {b: c, ? d}, 'e', \"f\\\n  g\"]\n---\n",
		"---\nagent: a\nowner: b\n c\n\n d # e\nupdated: 2026-07-05T14:30:00Z\ntaskTypes: []\nx: |+2\n    y\n\n\n---\n",
		listed(good+"    operatorNote: |2- # c\n      deep\n     flat\n") + "---\n## History\n\n### x\n",
	}
}

// leaves gives every located scalar with its extent.
func (n *node) leaves(out []*node) []*node {
	if n.kind == kindScalar {
		return append(out, n)
	}
	for _, k := range n.keys {
		out = k.leaves(out)
	}
	for _, v := range n.values {
		out = v.leaves(out)
	}
	return out
}

// checkSpans holds what must be true of the located values of any file whose YAML is read: every value lies in the
// frontmatter, no two overlap, replacing one by its own bytes gives the file, and what a value is replaced by and then
// restored gives the file.
func checkSpans(t fataler, data []byte) *node {
	t.Helper()
	f, problems := findFront(data)
	if len(problems) > 0 {
		return nil
	}
	root, problems := parseTree(data, f)
	if len(problems) > 0 {
		return nil
	}
	all := root.leaves(nil)
	slices.SortStableFunc(all, func(a, b *node) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return a.end - b.end
	})
	for i, n := range all {
		if n.start < f.start || n.end < n.start || n.end > f.stop {
			t.Fatalf("%q: %q lies at %d to %d, outside the frontmatter", data, n.text, n.start, n.end)
		}
		if i > 0 && n.start < all[i-1].end {
			t.Fatalf("%q: %q at %d overlaps %q at %d to %d", data, n.text, n.start, all[i-1].text, all[i-1].start, all[i-1].end)
		}
		own := string(data[n.start:n.end])
		if same := apply(data, cut(n.start, n.end, own)); !bytes.Equal(same, data) {
			t.Fatalf("%q: replacing %q by its own bytes gives %q", data, n.text, same)
		}
		other := apply(data, cut(n.start, n.end, "other"))
		if back := apply(other, cut(n.start, n.start+len("other"), own)); !bytes.Equal(back, data) {
			t.Fatalf("%q: replacing and restoring %q gives %q", data, n.text, back)
		}
	}
	return root
}

// checkReplaced holds that the extents are the parser's: with its value replaced by a word, the file reads as before
// but for that value. Only values of mappings in block style can be replaced by any word.
func checkReplaced(t testing.TB, data []byte, root *node) {
	t.Helper()
	for i, v := range root.values {
		if root.flow || v.kind != kindScalar || v.start == v.end || root.keys[i].quote == '|' || root.keys[i].quote == '>' {
			continue
		}
		// The parser takes a literal's mark at the depth of its key, where no word can stand: there the last guard refuses.
		if first := span.LineStart(data, v.start); v.quote == '|' || v.quote == '>' {
			if isBlank(data[first:v.start]) {
				continue
			}
		}
		d := &Document{data: data}
		edits, err := d.replaceNote(v, "word", false)
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		changed := apply(data, edits...)
		f, problems := findFront(changed)
		if len(problems) > 0 {
			t.Fatalf("%q: replacing %q gives %q: %v", data, v.text, changed, problems)
		}
		again, problems := parseTree(changed, f)
		if len(problems) > 0 {
			t.Fatalf("%q: replacing %q gives %q: %v", data, v.text, changed, problems)
		}
		want, got := root.plain().(map[string]any), again.plain().(map[string]any)
		want[root.keys[i].text] = "word"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: replacing %q gives %q (-want +got):\n%s", data, v.text, changed, diff)
		}
	}
}

// FuzzDocument holds that reading is the identity, that the located values are where they are said to be, and that the
// fast path never differs from the full one.
func FuzzDocument(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if d, err := ParseDocument("x.md", "", data); err == nil && !bytes.Equal(d.Bytes(), data) {
			t.Fatalf("not the identity on %q", data)
		}
		if root := checkSpans(t, data); root != nil && root.kind == kindMapping && len(encodingProblems(data)) == 0 {
			checkReplaced(t, data, root)
		}
		checkFast(t, data)
	})
}

// checkFast holds that whatever the fast path accepts, the full one accepts, and reads the same.
func checkFast(t fataler, data []byte) (accepted bool) {
	t.Helper()
	for _, agent := range []string{"a", "dave"} {
		fast, ok := fastFront(agent, data)
		if !ok {
			continue
		}
		accepted = true
		full, err := readHeadOnly("x.md", agent, data)
		if err != nil {
			t.Fatalf("the fast path accepts %q: %v", data, err)
		}
		if diff := cmp.Diff(full, fast); diff != "" {
			t.Fatalf("the fast path reads %q differently (-full +fast):\n%s", data, diff)
		}
	}
	return accepted
}

// FuzzSet holds that an edit that succeeds reads back, and that one that fails changes nothing.
func FuzzSet(f *testing.F) {
	for i, s := range seeds() {
		f.Add([]byte(s), "x", uint8(i), "a: note", i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, data []byte, task string, state uint8, text string, noted bool) {
		d, err := ParseDocument("x.md", "", data)
		if err != nil {
			t.Skip()
		}
		c := Change{Task: task, State: State(state % 3), Now: later}
		if noted {
			c.Note = &text
		}
		checkSet(t, d, c)
	})
}

// checkSet does one change and holds what must be true of every one.
func checkSet(t fataler, d *Document, c Change) (Result, bool) {
	t.Helper()
	before, envelope := d.Bytes(), d.Envelope()
	r, err := d.Set(c)
	if err != nil {
		if !bytes.Equal(d.Bytes(), before) || !cmp.Equal(d.Envelope(), envelope) {
			t.Fatalf("a refused edit changed %q: %v", before, err)
		}
		return r, false
	}
	again, err := ParseDocument("x.md", "", d.Bytes())
	if err != nil {
		t.Fatalf("%+v on %q makes %q: %v", c, before, d.Bytes(), err)
	}
	if again.Envelope().StateOf(c.Task) != c.State {
		t.Fatalf("%+v on %q: the state is %s", c, before, again.Envelope().StateOf(c.Task))
	}
	if !r.Changed {
		if !bytes.Equal(d.Bytes(), before) {
			t.Fatalf("%+v is said to change nothing, and made %q of %q", c, d.Bytes(), before)
		}
		return r, true
	}
	if got, want := len(again.body().history()), len((body{before, mustFront(before).body}).history())+1; got != want {
		t.Fatalf("%+v on %q: %d history entries, want %d", c, before, got, want)
	}
	// Everything outside what the change is about is as it was.
	for _, tt := range envelope.TaskTypes {
		if now, ok := again.Envelope().Find(tt.ID); !ok || tt.ID != c.Task && now != tt {
			t.Fatalf("%+v on %q changed %s", c, before, tt.ID)
		}
	}
	c.Note = nil
	after := d.Bytes()
	if r, err := d.Set(c); err != nil || r.Changed || !bytes.Equal(d.Bytes(), after) {
		t.Fatalf("%+v a second time: %+v %v", c, r, err)
	}
	return r, true
}

func mustFront(data []byte) front { f, _ := findFront(data); return f }

// Every recorded file is tried for the same properties, and the same set twice.
func TestRecordedFilesHoldTheProperties(t *testing.T) {
	fast := 0
	eachRecorded(t, func(t *testing.T, r recorded) {
		x, data := r.expect(t), r.input()
		if len(encodingProblems(data)) == 0 {
			if root := checkSpans(t, data); root != nil && root.kind == kindMapping {
				checkReplaced(t, data, root)
			}
		}
		if checkFast(t, data) {
			fast++
		}
		d, err := ParseDocument(FileName, x.Agent, data)
		if err != nil || x.Set == nil {
			return
		}
		c := Change{Task: x.Set.Task, Note: x.Set.Note, Now: later}
		if err := c.State.UnmarshalText([]byte(x.Set.State)); err != nil {
			t.Fatal(err)
		}
		_, changed := checkSet(t, d, c)
		if !changed {
			return
		}
		once := d.Bytes()
		for _, text := range []*string{nil, c.Note, note("Reviewed.")} {
			if text == nil || *text == "" {
				again := Change{Task: c.Task, State: c.State, Note: text, Now: later.Add(1)}
				if r, err := d.Set(again); err != nil || r.Changed || !bytes.Equal(d.Bytes(), once) {
					t.Errorf("the same set a second time: %+v %v", r, err)
				}
			}
		}
		// With a note it is exactly one entry more. Only flow style may refuse to take it.
		n := bytes.Count(once, []byte(" kept at "))
		r2, err := d.Set(Change{Task: c.Task, State: c.State, Note: note("Reviewed."), Now: later})
		if err != nil && codeOf(err) != CodeYAMLFeature || err == nil && (!r2.Changed || bytes.Count(d.Bytes(), []byte(" kept at ")) != n+1) {
			t.Errorf("a review: %+v %v", r2, err)
		}
	})
	t.Logf("the fast path took %d of the recorded files", fast)
}

// fataler is what the checks need of a test, so that rapid's tests can use them too.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}
