package jsonspan_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/regime"
	"example.com/ambit/internal/span"
	"example.com/ambit/internal/span/jsonspan"
	"pgregory.net/rapid"
)

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

// reachable lists the paths of all values, parents first.
func reachable(v canonjson.Value, path []any) [][]any {
	out := [][]any{path}
	i := 0
	for item := range v.Items() {
		out = append(out, reachable(item, append(path[:len(path):len(path)], i))...)
		i++
	}
	for key, value := range v.Members() {
		out = append(out, reachable(value, append(path[:len(path):len(path)], key.Text()))...)
	}
	return out
}

// check holds one place of a document to all that edits promise.
func check(t failer, d *jsonspan.Document, path []any) {
	t.Helper()
	f, ok := d.Locate(path...)
	if !ok {
		t.Fatalf("%q: no %v", d.Source, path)
	}
	if f.Parent.Exists() && !jsonspan.Span(f.Parent).Contains(f.Entry()) {
		t.Fatalf("%q: %v is not inside its parent", d.Source, path)
	}
	apply := func(d *jsonspan.Document, splices []span.Splice, changed []any) *jsonspan.Document {
		t.Helper()
		edited, err := span.Apply(d.Source, splices...)
		if err != nil {
			t.Fatalf("%q: %v", d.Source, err)
		}
		now, err := d.Check(edited, changed)
		if err != nil {
			t.Fatalf("%q at %v became %q: %v", d.Source, path, edited, err)
		}
		return now
	}
	at := func(d *jsonspan.Document, path ...any) jsonspan.Found {
		t.Helper()
		f, ok := d.Locate(path...)
		if !ok {
			t.Fatalf("%q: no %v", d.Source, path)
		}
		return f
	}
	child := func(step any) []any { return append(path[:len(path):len(path)], step) }

	// Its own bytes are no change; another value and then the old one again give the input.
	if s := d.Replace(f, f.Value); len(s) != 0 {
		t.Fatalf("%q: replacing %v by itself is %+v", d.Source, path, s)
	}
	other := apply(d, d.Replace(f, canonjson.String("new")), path)
	if got := at(other, path...); got.Value.Text() != "new" {
		t.Fatalf("%q: %v is %q", other.Source, path, got.Value.Raw())
	}
	back, err := span.Apply(other.Source, span.Splice{Span: jsonspan.Span(at(other, path...).Value), Text: f.Value.Raw()})
	if err != nil || string(back) != string(d.Source) {
		t.Fatalf("%q and back: %q, %v", d.Source, back, err)
	}

	switch {
	case f.Value.Is(canonjson.KindObject) && !f.Value.Get("newkey").Exists():
		value := canonjson.Object{{Key: "list", Value: canonjson.Strings([]string{"x", "y"})}}
		splices, err := d.Insert(f, "newkey", value)
		if err != nil {
			t.Fatalf("%q: %v", d.Source, err)
		}
		more := apply(d, splices, child("newkey"))
		if got := at(more, child("newkey")...); canonjson.Hash(got.Value) != canonjson.Hash(value) {
			t.Fatalf("%q: inserted %q", more.Source, got.Value.Raw())
		}
		less := apply(more, more.Delete(at(more, child("newkey")...)), child("newkey"))
		if !f.Value.Empty() && string(less.Source) != string(d.Source) {
			t.Fatalf("%q: inserted and deleted: %q", d.Source, less.Source)
		}
	case f.Value.Is(canonjson.KindArray):
		var items canonjson.Array
		for item := range f.Value.Items() {
			items = append(items, item)
		}
		splices, err := d.SetItems(f, append(items, canonjson.String("new")))
		if err != nil {
			t.Fatalf("%q: %v", d.Source, err)
		}
		more := apply(d, splices, path)
		g := at(more, path...)
		for i, item := range items {
			if got := g.Value.Index(i).Raw(); got != item.(canonjson.Value).Raw() {
				t.Fatalf("%q: item %d is %q", more.Source, i, got)
			}
		}
		if g.Value.Len() != len(items)+1 || g.Value.Index(len(items)).Text() != "new" {
			t.Fatalf("%q became %q", d.Source, more.Source)
		}
		var same canonjson.Array
		for item := range g.Value.Items() {
			same = append(same, item)
		}
		if splices, err = more.SetItems(g, same); err != nil || len(splices) != 0 {
			t.Fatalf("%q: a second time: %+v, %v", more.Source, splices, err)
		}
		apply(more, more.Delete(at(more, child(len(items))...)), child(len(items)))
	}
	if f.Key.Exists() {
		less := apply(d, d.Delete(f), path)
		if _, ok := less.Locate(path...); ok {
			t.Fatalf("%q: %v is still in %q", d.Source, path, less.Source)
		}
	}
	for _, brk := range []string{"\r\n", "\n"} { // a file that has one kind of line break keeps that
		if n := strings.Count(string(d.Source), "\n"); n > 0 && n == strings.Count(string(d.Source), brk) && brk == "\r\n" {
			if s := string(other.Source); strings.Count(s, "\n") != strings.Count(s, "\r\n") {
				t.Fatalf("%q became %q", d.Source, s)
			}
		}
	}
}

func TestRandomDocuments(t *testing.T) {
	regime.Rapid(t, 1000, 50000)
	rapid.Check(t, func(t *rapid.T) {
		w := &writer{t: t, brk: rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "break"), unit: rapid.SampledFrom([]string{"  ", "\t", "    "}).Draw(t, "unit")}
		w.mess = w.int(3) == 0
		w.value(0, w.brk)
		d := parse(t, w.pick("", "", " ", span.BOM)+w.b.String()+w.pick("", w.brk))
		all := reachable(d.Root, nil)
		for range min(3, len(all)) {
			check(t, d, rapid.SampledFrom(all).Draw(t, "edited"))
		}
	})
}

// writer writes a random document, each container on one line, on lines, or with blanks anywhere.
type writer struct {
	t    *rapid.T
	b    strings.Builder
	brk  string
	unit string
	mess bool
}

func (w *writer) int(n int) int            { return rapid.IntRange(0, n-1).Draw(w.t, "n") }
func (w *writer) pick(of ...string) string { return of[w.int(len(of))] }

func (w *writer) blank() string {
	if !w.mess {
		return ""
	}
	return w.pick("", " ", "\t", w.brk, w.brk+"  ", "  ")
}

func (w *writer) value(depth int, line string) {
	kind := w.int(4)
	if depth == 0 {
		kind = 2 + w.int(2)
	}
	if depth > 4 || kind < 2 {
		w.b.WriteString(w.pick("1", "-0", "1e400", "1.50", "12345678901234567890123", "null", "true", `"text, ]"`, `"\"é\\"`, `"\u0041"`, `"🟢"`, `""`))
		return
	}
	open, shut := "[", "]"
	if kind == 3 {
		open, shut = "{", "}"
	}
	n := w.int(4)
	inner, sep, end := "", w.pick(",", ", "), ""
	if w.int(3) > 0 && n > 0 {
		inner = line + w.unit
		sep, end = ","+inner, line
	}
	w.b.WriteString(open + w.blank() + inner)
	deeper := line + w.unit
	for i := range n {
		if i > 0 {
			w.b.WriteString(w.blank() + sep)
		}
		if kind == 3 {
			w.b.WriteString(fmt.Sprintf(`"%s%d"`, w.pick("key", "é", `\"`, "newkey"), i) + w.blank() + w.pick(":", ": ") + w.blank())
		}
		w.value(depth+1, deeper)
	}
	w.b.WriteString(end + w.blank() + shut)
}

// FuzzEdit holds every place of any text that parses to what edits promise.
func FuzzEdit(f *testing.F) {
	for _, seed := range []string{
		"{\n  \"a\": [1e400, {\"b\": []}],\n  \"c\": {}\n}\n",
		"{\"a\":[ ],\"b\":{ }}",
		"[\r\n\t[1,\r\n2],\r\n\r\n\t\"\\u0041\" , {\"x\" : {}}\r\n]",
		"{}", "[]", " \"x\"\n",
	} {
		d, err := jsonspan.Parse("", []byte(seed), canonjson.Limits{})
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range reachable(d.Root, nil) {
			check(f, d, path)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		d, err := jsonspan.Parse("", []byte(src), canonjson.Limits{AllowBOM: true, MaxBytes: 4096})
		if err != nil {
			return
		}
		for i, path := range reachable(d.Root, nil) {
			if i > 30 {
				break
			}
			check(t, d, path)
		}
	})
}
