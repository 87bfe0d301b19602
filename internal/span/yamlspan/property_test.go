package yamlspan_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"example.com/ambit/internal/regime"
	"example.com/ambit/internal/span"
	"example.com/ambit/internal/span/yamlspan"
)

// reach is a node that a path leads to.
type reach struct {
	path []any
	node *yaml.Node
}

// reachable lists the nodes that Locate finds, parents first.
func reachable(d *yamlspan.Document) []reach {
	var out []reach
	var walk func(n *yaml.Node, path []any)
	walk = func(n *yaml.Node, path []any) {
		out = append(out, reach{path, n})
		seen := map[string]bool{}
		for i, c := range n.Content {
			switch {
			case n.Kind == yaml.SequenceNode:
				walk(c, append(path[:len(path):len(path)], i))
			case i%2 == 1 && n.Content[i-1].Kind == yaml.ScalarNode && !seen[n.Content[i-1].Value]:
				seen[n.Content[i-1].Value] = true
				walk(c, append(path[:len(path):len(path)], n.Content[i-1].Value))
			}
		}
	}
	if d.Root != nil {
		walk(d.Root, nil)
	}
	return out
}

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

// checkPlaces: every value has a place; children lie inside their parents and after their elder siblings; an entry
// holds its key and value; and parsing the bytes of a value alone gives the value, where its style allows that.
func checkPlaces(t failer, d *yamlspan.Document) bool {
	t.Helper()
	if d.Root == nil {
		return true
	}
	if _, err := d.Place(d.Root); err != nil {
		return false
	}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		p, err := d.Place(n)
		if err != nil {
			t.Fatalf("%q: %v", d.Source, err)
		}
		if !p.Whole.Contains(p.Value) || !p.Entry.Contains(p.Whole) || p.Value.End != p.Whole.End || p.Entry.End > len(d.Source) {
			t.Fatalf("%q: value, whole, entry do not hold each other: %+v", d.Source, p)
		}
		at := p.Value.Start
		for i, c := range n.Content {
			cp, err := d.Place(c)
			if err != nil {
				t.Fatalf("%q: %v", d.Source, err)
			}
			if !p.Value.Contains(cp.Entry) {
				t.Fatalf("%q: %+v is not inside %+v", d.Source, cp, p)
			}
			if cp.Whole.Start < at {
				t.Fatalf("%q: %+v begins before %d", d.Source, cp, at)
			}
			at = cp.Whole.End
			if n.Kind == yaml.SequenceNode || i%2 == 0 {
				if cp.Entry.Start < p.Value.Start || i > 0 && cp.Entry.Start < mustPlace(t, d, n.Content[i-1]).Entry.End {
					t.Fatalf("%q: the entries overlap at %+v", d.Source, cp)
				}
			}
			walk(c)
		}
		if one := string(p.Value.Of(d.Source)); n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 && !strings.ContainsAny(one, "\n") {
			var back yaml.Node
			if err := yaml.Unmarshal([]byte(one), &back); err != nil || back.Content[0].Value != n.Value {
				t.Fatalf("%q: the bytes %q do not hold %q: %v", d.Source, one, n.Value, err)
			}
		}
	}
	walk(d.Root)
	return true
}

func mustPlace(t failer, d *yamlspan.Document, n *yaml.Node) yamlspan.Place {
	t.Helper()
	p, err := d.Place(n)
	if err != nil {
		t.Fatalf("%q: %v", d.Source, err)
	}
	return p
}

// checkReplace: replacing a value changes it and nothing else, outside the spliced bytes too; its own bytes put back
// give the input. It reports whether the edit was made.
func checkReplace(t failer, d *yamlspan.Document, r reach, text, value string) bool {
	t.Helper()
	f, ok := d.Locate(r.path...)
	if !ok || f.Value != r.node {
		t.Fatalf("%q: %v leads elsewhere", d.Source, r.path)
	}
	p := mustPlace(t, d, f.Value)
	same, err := span.Apply(d.Source, span.Splice{Span: p.Whole, Text: string(p.Whole.Of(d.Source))})
	if err != nil || string(same) != string(d.Source) {
		t.Fatalf("%q: its own bytes give %q, %v", d.Source, same, err)
	}
	for _, n := range f.Chain {
		if d.Aliased(n) { // an alias would lose what it stands for, or change with it
			return false
		}
	}
	if aliasedInside(d, f.Value) {
		return false
	}
	splices, err := d.Replace(f, text)
	if err != nil {
		if !errors.Is(err, yamlspan.ErrRefused) {
			t.Fatalf("%q %v: %v", d.Source, r.path, err)
		}
		return false
	}
	edited := applied(t, d, splices)
	now, err := d.Check(edited, r.path)
	if err != nil {
		t.Fatalf("%q %v became %q: %v", d.Source, r.path, edited, err)
	}
	g, ok := now.Locate(r.path...)
	if !ok || g.Value.Value != value || g.Value.Anchor != f.Value.Anchor && f.Value.Kind != yaml.AliasNode {
		t.Fatalf("%q %v became %q: the value is not %q", d.Source, r.path, edited, value)
	}
	return true
}

// applied makes the edit and undoes it again.
func applied(t failer, d *yamlspan.Document, splices []span.Splice) []byte {
	t.Helper()
	edited, err := span.Apply(d.Source, splices...)
	if err != nil {
		t.Fatalf("%q: %+v: %v", d.Source, splices, err)
	}
	sorted := slices.Clone(splices)
	slices.SortStableFunc(sorted, func(a, b span.Splice) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var back []span.Splice
	moved := 0
	for _, s := range sorted {
		at := s.Start + moved
		back = append(back, span.Splice{Span: span.Span{Start: at, End: at + len(s.Text)}, Text: string(s.Span.Of(d.Source))})
		moved += len(s.Text) - s.Len()
	}
	if restored, err := span.Apply(edited, back...); err != nil || string(restored) != string(d.Source) {
		t.Fatalf("%q became %q and then %q, %v", d.Source, edited, restored, err)
	}
	return edited
}

// checkEntries: inserting changes one entry and nothing else, or is refused.
func checkEntries(t failer, d *yamlspan.Document, r reach) (made int) {
	t.Helper()
	f, _ := d.Locate(r.path...)
	for _, n := range f.Chain {
		if d.Aliased(n) {
			return 0
		}
	}
	try := func(splices []span.Splice, err error, changed []any) {
		t.Helper()
		if err != nil {
			if !errors.Is(err, yamlspan.ErrRefused) {
				t.Fatalf("%q: Insert at %v: %v", d.Source, r.path, err)
			}
			return
		}
		edited := applied(t, d, splices)
		now, err := d.Check(edited, changed)
		if err != nil {
			t.Fatalf("%q: Insert at %v became %q: %v", d.Source, r.path, edited, err)
		}
		if _, ok := now.Locate(changed...); !ok {
			t.Fatalf("%q: Insert at %v became %q: it is not there", d.Source, r.path, edited)
		}
		made++
	}
	entry := yamlspan.Entry{Key: "newkey", Value: `"v"`}
	if _, v := yamlspan.Child(f.Value, "newkey"); v == nil && (f.Value.Kind == yaml.MappingNode || yamlspan.IsNull(f.Value)) {
		nested := yamlspan.Entry{Key: "newkey", Children: []yamlspan.Entry{entry, {Key: "other", Value: "[1, 2]"}}}
		for _, e := range []yamlspan.Entry{entry, nested} {
			splices, err := d.Insert(f, e)
			try(splices, err, append(r.path[:len(r.path):len(r.path)], "newkey"))
		}
	}
	return made
}

// TestRandomDocuments makes documents in every style, and edits in every place of them.
func TestRandomDocuments(t *testing.T) {
	regime.Rapid(t, 1000, 20000)
	edits, places := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		src := document(t)
		d, err := yamlspan.Parse([]byte(src), yamlspan.Limits{})
		if err != nil {
			t.Fatalf("the generator made what does not parse: %q: %v", src, err)
		}
		if !checkPlaces(t, d) {
			t.Fatalf("%q: %v", src, errOf(d))
		}
		all := reachable(d)
		places += len(all)
		for range min(3, len(all)) {
			r := rapid.SampledFrom(all).Draw(t, "edited")
			if checkReplace(t, d, r, `"new text"`, "new text") {
				edits++
			}
			edits += checkEntries(t, d, r)
		}
		if d.Root != nil && d.Root.Kind == yaml.MappingNode {
			if _, v := yamlspan.Child(d.Root, "newkey"); v == nil {
				splices, err := d.Append(yamlspan.Entry{Key: "newkey", Value: "{a: b}"})
				if errors.Is(err, yamlspan.ErrRefused) {
					return
				}
				if err != nil {
					t.Fatalf("%q: %v", src, err)
				}
				if _, err := d.Check(applied(t, d, splices), []any{"newkey"}); err != nil {
					t.Fatalf("%q: %v", src, err)
				}
			}
		}
	})
	t.Logf("%d edits were made, of documents with %d values", edits, places)
}

func errOf(d *yamlspan.Document) error {
	_, err := d.Place(d.Root)
	return err
}

// writer writes a random document. It follows the grammar, so that what it writes parses.
type writer struct {
	t       *rapid.T
	b       strings.Builder
	brk     string
	anchors int
}

func document(t *rapid.T) string {
	w := &writer{t: t, brk: rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "break")}
	head := w.pick("", "", "", span.BOM, "---\n", "# head\n", "%YAML 1.1\n---\n", span.BOM+"# é\n--- # x\n")
	w.b.WriteString(strings.ReplaceAll(head, "\n", w.brk))
	switch w.int(6) {
	case 0:
		w.flow(0)
		w.line()
	case 1:
		w.block(0, 0, false)
	default:
		w.block(0, 0, true)
	}
	tail := w.pick("", "", "", "# end\n", "\n\n", "...\n", "\n  # odd\n")
	text := w.b.String() + strings.ReplaceAll(tail, "\n", w.brk)
	if w.int(4) == 0 {
		text = strings.TrimSuffix(text, w.brk)
	}
	return text
}

func (w *writer) int(n int) int            { return rapid.IntRange(0, n-1).Draw(w.t, "n") }
func (w *writer) pick(of ...string) string { return of[w.int(len(of))] }

// line ends a line, perhaps with a comment, and perhaps puts blank and comment lines below.
func (w *writer) line() {
	w.b.WriteString(w.pick("", "", "", " ", " # note: x", "   # é [", "  # {"))
	w.b.WriteString(w.brk)
	for w.int(8) == 0 {
		w.b.WriteString(w.pick("", "  ", "# comment", "      # deep: 1") + w.brk)
	}
}

func (w *writer) key(i int) string {
	name := w.pick("a", "key", "with space", "ключ", "🟢", "n-1", "x.y") + fmt.Sprint(i)
	switch w.int(6) {
	case 0:
		return `"` + name + `"`
	case 1:
		return "'" + name + "'"
	}
	return name
}

func (w *writer) props() string {
	switch w.int(12) {
	case 0:
		w.anchors++
		return fmt.Sprintf("&a%d ", w.anchors)
	case 1:
		return "!!str "
	}
	return ""
}

func (w *writer) scalar() string {
	return w.pick("b", "1", "true", "http://x/y#z", "two  words", "вода 🟢", "-x", `"q # \" {"`, `'it''s [ '`, `""`, "''", "null", "~")
}

// block writes a mapping or a sequence, each of whose lines is indented by indent; the first one is where the text is.
func (w *writer) block(indent, depth int, mapping bool) {
	pad := strings.Repeat(" ", indent)
	for i := range 1 + w.int(3) {
		if i > 0 {
			w.b.WriteString(pad)
		}
		if mapping {
			if w.int(15) == 0 {
				w.b.WriteString("? " + w.key(i) + w.brk + pad + ":")
			} else {
				w.b.WriteString(w.key(i) + w.pick("", "", "", " ") + ":")
			}
		} else {
			w.b.WriteString("-")
		}
		w.value(indent, depth, mapping)
	}
}

func (w *writer) value(indent, depth int, mapping bool) {
	kind := w.int(10)
	if depth > 3 && kind >= 6 {
		kind -= 6
	}
	switch kind {
	case 0: // nothing
		w.line()
	case 1, 2:
		w.b.WriteString(w.pick(" ", " ", "   ") + w.props() + w.scalar())
		w.line()
	case 3: // over several lines
		deep := w.brk + strings.Repeat(" ", indent+1+w.int(3))
		w.b.WriteString(" " + w.pick("a"+deep+"b", "a"+w.brk+deep+"b", `"x`+deep+`y # z"`, "'x"+deep+"y'", `"x\`+deep+`y"`))
		w.line()
	case 4: // a block scalar
		step := 1 + w.int(3)
		deep := strings.Repeat(" ", indent+step)
		head := w.pick("|", ">", "|-", ">-", "|+", ">+", fmt.Sprintf("|%d", step), fmt.Sprintf(">%d-", step))
		w.b.WriteString(" " + head + w.pick("", "", " # c") + w.brk)
		for range 1 + w.int(3) {
			w.b.WriteString(deep + w.pick("text", "# no comment", "a: b", "é") + w.brk + w.pick("", "", w.brk))
		}
	case 5, 6:
		w.b.WriteString(w.pick(" ", "  "))
		w.flow(depth)
		w.line()
	case 7: // on the same line, after a dash
		if mapping {
			w.b.WriteString(" " + w.scalar())
			w.line()
			return
		}
		gap := 1 + w.int(3)
		w.b.WriteString(strings.Repeat(" ", gap))
		w.block(indent+1+gap, depth+1, w.int(3) > 0)
	default:
		inner := w.int(2) == 0
		w.b.WriteString(w.pick("", "", "", " &b"+fmt.Sprint(depth)+"x"))
		w.line()
		step := w.int(5)
		if step == 0 && (inner || !mapping) {
			step = 2
		}
		w.b.WriteString(strings.Repeat(" ", indent+step))
		w.block(indent+step, depth+1, inner)
	}
}

// flow writes a collection in brackets, or a scalar.
func (w *writer) flow(depth int) {
	if depth > 4 {
		w.b.WriteString(w.pick("1", `"x"`, "y z"))
		return
	}
	gap := func() string { return w.pick("", "", " ", w.brk+"      ", " # c"+w.brk+"        ") }
	n := w.int(4)
	comma := func(i int) {
		if i < n-1 || w.int(5) == 0 {
			w.b.WriteString(gap() + "," + w.pick(" ", " ", gap()+" "))
		}
	}
	if w.int(2) == 0 {
		w.b.WriteString("[" + gap())
		for i := range n {
			switch w.int(6) {
			case 0:
				w.flow(depth + 1)
			case 1:
				w.b.WriteString("k: v")
			default:
				w.b.WriteString(w.pick("1", `"x, ]"`, "'y'", "z z"))
			}
			comma(i)
		}
		w.b.WriteString(gap() + "]")
		return
	}
	w.b.WriteString("{" + gap())
	for i := range n {
		switch w.int(6) {
		case 0:
			w.b.WriteString(fmt.Sprintf(`"k%d":`, i))
			w.flow(depth + 1)
		case 1:
			w.b.WriteString(fmt.Sprintf("k%d", i))
		case 2:
			w.b.WriteString(fmt.Sprintf("k%d: ", i))
		case 3:
			w.b.WriteString(fmt.Sprintf("k%d: ", i) + gap() + w.props() + "v")
		default:
			w.b.WriteString(fmt.Sprintf("k%d: ", i))
			w.flow(depth + 1)
		}
		comma(i)
	}
	w.b.WriteString(gap() + "}")
}

func aliasedInside(d *yamlspan.Document, n *yaml.Node) bool {
	for _, c := range n.Content {
		if d.Aliased(c) || aliasedInside(d, c) {
			return true
		}
	}
	return false
}
