package tiers

import (
	"fmt"
	"strings"
	"testing"
)

// TestManyFoldersAndFiles: a file that a function writes is looked at in every folder that the shell goes to; more of
// both than can be looked at one by one ask, once for all.
func TestManyFoldersAndFiles(t *testing.T) {
	p, err := Parse("p", []byte(`{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["cat *"]},
		"tier2_notified":{"write_paths":["**"]},"tier3_blocking":{"shell_patterns":["git push *"]}},"tools":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	text := func(files, folders int, last string) string {
		var b strings.Builder
		b.WriteString("f() { ")
		for i := range files {
			fmt.Fprintf(&b, "cat a > f%d; ", i)
		}
		b.WriteString("cat a > settings.json; }; ")
		for i := range folders {
			fmt.Fprintf(&b, "(cd d%d; f); ", i)
		}
		return b.String() + "(cd " + last + "; f)"
	}
	steers := func(v Verdict) (blocks, asks int) {
		for _, x := range v.Parts {
			switch {
			case x.Reason == ReasonControlFile && x.Decision == Block:
				blocks++
			case x.Reason == ReasonControlFile:
				asks++
			}
		}
		return blocks, asks
	}
	for _, tt := range []struct {
		files, folders int
		last           string
		blocks, asks   int
	}{
		{3, 3, "d", 0, 0},
		{3, 3, ".claude", 1, 0},
		{40, 40, "d", 0, 1},
		{40, 40, ".claude", 0, 1},
	} {
		v := Evaluator{Protocol: p, Root: "/r", Dir: "/r"}.Evaluate(text(tt.files, tt.folders, tt.last))
		if blocks, asks := steers(v); blocks != tt.blocks || asks != tt.asks || v.Allows() {
			t.Errorf("%d files, %d folders, then %s: %v, %d parts block and %d ask, want %d and %d", tt.files, tt.folders, tt.last, v.Decision, blocks, asks, tt.blocks, tt.asks)
		}
	}
	if got := (Evaluator{Protocol: p, Root: "/r", Dir: "/r"}).Evaluate("cat a > f").Explain(); !strings.Contains(got, "writes a file below a write path") {
		t.Errorf("a write inside the write paths explains itself as %q", got)
	}
	if got := (Verdict{Decision: Ask}).Explain(); !strings.Contains(got, "nothing was judged") {
		t.Errorf("the zero verdict explains itself as %q", got)
	}
}
