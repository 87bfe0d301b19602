package span_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"example.com/ambit/internal/span"
)

func ExampleApply() {
	out, err := span.Apply([]byte("level: act # why"), span.Splice{Span: span.Span{Start: 7, End: 10}, Text: "propose"})
	fmt.Printf("%s %v", out, err)
	// Output: level: propose # why <nil>
}

func at(start, end int, text string) span.Splice {
	return span.Splice{Span: span.Span{Start: start, End: end}, Text: text}
}

func TestApply(t *testing.T) {
	for _, tt := range []struct {
		name    string
		splices []span.Splice
		want    string // "" is an error
	}{
		{"none", nil, "abcdef"},
		{"unsorted", []span.Splice{at(4, 6, "Z"), at(0, 1, "")}, "bcdZ"},
		{"insertions keep their order", []span.Splice{at(2, 2, "1"), at(2, 2, "2")}, "ab12cdef"},
		{"an insertion comes before a replacement", []span.Splice{at(2, 3, "X"), at(2, 2, "1")}, "ab1Xdef"},
		{"neighbours", []span.Splice{at(0, 2, "x"), at(2, 4, "y")}, "xyef"},
		{"at the end", []span.Splice{at(6, 6, "!")}, "abcdef!"},
		{"overlap", []span.Splice{at(0, 3, "x"), at(2, 4, "y")}, ""},
		{"inside another", []span.Splice{at(0, 4, "x"), at(2, 2, "y")}, ""},
		{"past the end", []span.Splice{at(5, 7, "")}, ""},
		{"before the beginning", []span.Splice{at(-1, 0, "")}, ""},
		{"backwards", []span.Splice{at(3, 2, "")}, ""},
	} {
		got, err := span.Apply([]byte("abcdef"), tt.splices...)
		if (err == nil) != (tt.want != "") || string(got) != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}

// TestApplyAndBack: what a splice put there can be put back.
func TestApplyAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(rapid.StringN(0, 40, -1).Draw(t, "src"))
		start := rapid.IntRange(0, len(src)).Draw(t, "start")
		end := rapid.IntRange(start, len(src)).Draw(t, "end")
		text := rapid.StringN(0, 10, -1).Draw(t, "text")
		there, err := span.Apply(src, at(start, end, text))
		if err != nil {
			t.Fatal(err)
		}
		back, err := span.Apply(there, at(start, start+len(text), string(src[start:end])))
		if err != nil || string(back) != string(src) {
			t.Fatalf("%q became %q and then %q, %v", src, there, back, err)
		}
	})
}

func TestLines(t *testing.T) {
	const src = span.BOM + "ab\r\n\ncd"
	for _, tt := range []struct {
		off, line, col, start, end int
		brk, next                  string
	}{
		{3, 1, 1, 0, 5, "\r\n", "\r\n"},
		{5, 1, 3, 0, 5, "\r\n", "\r\n"},
		{6, 1, 4, 0, 5, "\r\n", "\r\n"},
		{7, 2, 1, 7, 7, "\n", "\n"},
		{8, 3, 1, 8, 10, "", "\r\n"},
		{10, 3, 3, 8, 10, "", "\r\n"},
	} {
		line, col := span.Position([]byte(src), tt.off)
		end, brk := span.LineEnd([]byte(src), tt.off)
		if line != tt.line || col != tt.col || end != tt.end || brk != tt.brk || span.LineStart([]byte(src), tt.off) != tt.start || span.Break([]byte(src), tt.off) != tt.next {
			t.Errorf("offset %d: %d:%d, from %d to %d, break %q, next %q", tt.off, line, col, span.LineStart([]byte(src), tt.off), end, brk, span.Break([]byte(src), tt.off))
		}
	}
	if line, col := span.Position([]byte("a\nb"), 99); line != 2 || col != 2 {
		t.Errorf("past the end: %d:%d", line, col)
	}
	if got := span.Break([]byte("a"), 0); got != "\n" {
		t.Errorf("no break at all: %q", got)
	}
	if s := (span.Span{Start: 1, End: 3}); !s.Contains(span.Span{Start: 3, End: 3}) || s.Contains(span.Span{Start: 2, End: 4}) || s.Len() != 2 {
		t.Error("Contains, Len")
	}
	if got := string((span.Span{Start: 3, End: 5}).Of([]byte(src))); got != "ab" {
		t.Errorf("Of: %q", got)
	}
}

func TestPaths(t *testing.T) {
	set := span.Paths([][]any{{"a", 0, "b.c"}, {}})
	if len(set) != 2 || !set[`."a"[0]."b.c"`] || !set[""] || set[span.PathOf("a", "0", "b.c")] {
		t.Errorf("%v", set)
	}
}
