package envelope

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
)

// around puts lines into an otherwise sound frontmatter, from line 5 on.
func around(lines string) []byte {
	return []byte("---\nagent: dave\nowner: barry\nupdated: 2026-07-05T14:30:00Z\n" + lines + "\n---\n")
}

// entryWith is a sound list with one entry, and more keys from line 9 on.
func entryWith(lines string) []byte {
	return around("taskTypes:\n  - id: x\n    state: fullyApproved\n    stateSince: 2026-07-05T14:30:00Z\n" + lines)
}

// TestHostileInput holds that every attack gets a typed error with its code and its line, and soon.
func TestHostileInput(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'i'; c++ {
		bomb += fmt.Sprintf("%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", c, c, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1)
	}
	var keys, flowKeys strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
		fmt.Fprintf(&flowKeys, "k%d: 1, ", i)
	}
	var deeper strings.Builder
	for i := range 600 {
		deeper.WriteString(strings.Repeat(" ", i+1) + "x:\n")
	}
	tests := []struct {
		name string
		data []byte
		code string
		line int
	}{
		{"alias bomb", around(bomb + "taskTypes: []"), CodeYAMLFeature, 5},
		{"40,000 keys", around(keys.String() + "taskTypes: []"), CodeTooLarge, 4098},
		{"40,000 keys on a line", around("x: {" + flowKeys.String() + "}\ntaskTypes: []"), CodeTooLarge, 5},
		{"a line of 1 MB", around("taskTypes: []\nx: " + strings.Repeat("x", 1<<20)), CodeTooLarge, 6},
		{"a file of 17 MB", append(around("taskTypes: []"), make([]byte, 17<<20)...), CodeTooLarge, 1},
		{"NUL in the frontmatter", around("x: a\x00b\ntaskTypes: []"), CodeBadChar, 5},
		{"NUL in the body", append(around("taskTypes: []"), "\n\nx\x00"...), CodeBadChar, 9},
		{"bad UTF-8", around("x: a\xffb\ntaskTypes: []"), CodeNotUTF8, 5},
		{"bad UTF-8 in the body", append(around("taskTypes: []"), "\xc3\x28"...), CodeNotUTF8, 7},
		{"U+2028", around("x: a\u2028taskTypes: []\ntaskTypes: []"), CodeBadChar, 5},
		{"U+0085 in a comment", around("# a\u0085taskTypes: []"), CodeBadChar, 5},
		{"U+FEFF at a line's start", around("\ufefftaskTypes: []"), CodeBadChar, 5},
		{"ESC", around("x: \x1b[31m\ntaskTypes: []"), CodeBadChar, 5},
		{"a bare CR", around("x: a\rtaskTypes: []"), CodeBadChar, 5},
		{"a comment behind a marker", around("--- #\ntaskTypes: []"), CodeYAMLFeature, 5},
		{"a second document", around("...x\ntaskTypes: []"), CodeYAMLFeature, 5},
		{"a directive", around("%YAML 1.2\ntaskTypes: []"), CodeYAMLFeature, 5},
		{"a tag that hides", entryWith("    x: ! y"), CodeYAMLFeature, 9},
		{"a tag on the state", around("taskTypes:\n  - id: x\n    state: ! fullyApproved\n    stateSince: 2026-07-05T14:30:00Z"), CodeYAMLFeature, 7},
		{"a tag on the list", around("taskTypes: !!seq []"), CodeYAMLFeature, 5},
		{"a tag on a key", around("!!str taskTypes: []"), CodeYAMLFeature, 5},
		{"an anchor on nothing", around("x: &a\ntaskTypes: []"), CodeYAMLFeature, 5},
		{"an alias as a key", around("x: &a y\n*a : z\ntaskTypes: []"), CodeYAMLFeature, 5},
		{"an alias without anchor", entryWith("    x: *nothing"), CodeYAMLFeature, 9},
		{"a merge key", around("<<: {x: y}\ntaskTypes: []"), CodeYAMLFeature, 5},
		{"brackets 100,000 deep", around("x: " + strings.Repeat("[", 100_000) + "\ntaskTypes: []"), CodeYAML, 1},
		{"braces 100,000 deep", around("x: " + strings.Repeat("{", 100_000) + "\ntaskTypes: []"), CodeYAML, 1},
		{"dashes 100,000 deep", around("x:\n" + strings.Repeat("- ", 100_000) + "\ntaskTypes: []"), CodeYAML, 1},
		{"question marks 100,000 deep", around(strings.Repeat("? ", 100_000) + "\ntaskTypes: []"), CodeYAML, 1},
		{"brackets 100 deep", around("x: " + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "\ntaskTypes: []"), CodeTooLarge, 5},
		{"a long line of many texts", around("x: [" + strings.Repeat("a, ", 4000) + strings.Repeat("b", 240_000) + ", {a: b, a: c}]\ntaskTypes: []"), CodeDuplicateKey, 5},
		{"deeper with every line", around("x:\n" + deeper.String() + "taskTypes: []"), CodeTooLarge, 1},
		{"quotes that do not close", around(strings.Repeat("\"a\": \"", 30_000) + "\ntaskTypes: []"), CodeYAML, 5},
		{"a list as a key", around("[a]: b\ntaskTypes: []"), CodeWrongType, 5},
		{"merge conflict", around("taskTypes: []\n<<<<<<< ours"), CodeConflict, 6},
		{"half a merge conflict", around("taskTypes: []\n======="), CodeConflict, 6},
		{"an image", []byte("\x89PNG\r\n\x1a\n\x00\x01"), CodeNotUTF8, 1},
		{"nothing", nil, CodeNoFrontmatter, 1},
		{"only the first line", []byte("---"), CodeNoFrontmatter, 1},
		{"only comments", []byte("---\n# x\n---\n"), CodeMissingKey, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var d *Document
			var err error
			regime.Within(t, 50*time.Millisecond, func() { d, err = ParseDocument("x.md", "", tt.data) })
			if d != nil || err == nil {
				t.Fatal("it was accepted")
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%T is no *Error", err)
			}
			for _, e := range allProblems(err) {
				if e.Code == tt.code && (e.Line == tt.line || tt.line == 1) && e.File == "x.md" && e.Line > 0 {
					return
				}
			}
			t.Errorf("%.300v: no problem with code %s on line %d", err, tt.code, tt.line)
		})
	}
}

func allProblems(err error) []*Error {
	var out []*Error
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range many.Unwrap() {
			out = append(out, allProblems(err)...)
		}
	}
	var e *Error
	if len(out) == 0 && errors.As(err, &e) {
		out = append(out, e)
	}
	return out
}

// A body as long as a file may be, made of whatever costs most to keep, costs no memory but its own.
func TestHostileBodies(t *testing.T) {
	size := maxFile / 16
	if regime.Long() {
		size = maxFile
	}
	for name, l := range map[string]string{"line ends": "\n", "headings": "#\n", "level 2": "## x\n", "level 3": "### a; b fullyApproved\n", "bars": "|\n", "fences": "~~~\n", "comments": "<!--\n"} {
		head := listed(good) + "---\n\n## Current state\n\n|a|\n|-|\n"
		data := []byte(head + strings.Repeat(l, (size-len(head)-1000)/len(l)))
		start := time.Now()
		d, err := ParseDocument("x.md", "", data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d.Warnings()
		runtime.ReadMemStats(&after)
		if used := int64(after.TotalAlloc - before.TotalAlloc); used > int64(8*size) {
			t.Errorf("%s: warnings take %d MiB", name, used>>20)
		}
		read := time.Since(start)
		_, err = d.Set(Change{Task: "x", Now: later})
		t.Logf("%s: read and looked at in %v with %d MiB, set in %v: %.60v", name, read, (after.TotalAlloc-before.TotalAlloc)>>20, time.Since(start)-read, err)
	}
}
