package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sampleSource = `package x

import "fmt"

var words = []string{"a", "b"}

func judge(n int, ok bool) bool {
	bits := 0
	if n > 3 && !ok {
		return false
	}
	switch {
	case n == 1:
		bits |= 2
	}
	return fmt.Sprint("n"+"m") != "" || bits == 0
}

func (v verdict) String() string { return names[v+1] }
`

func TestMutants(t *testing.T) {
	all, err := mutants("x.go", []byte(sampleSource))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		got = append(got, strings.TrimPrefix(m.String(), "x.go:"))
		if text := string(m.apply([]byte(sampleSource))); text == sampleSource {
			t.Errorf("%s changes nothing", m)
		}
	}
	want := []string{
		"5 drop `\"a\",` -> nothing", "5 drop `\"b\"` -> nothing",
		"8 boundary `0` -> `1`",
		"9 negate `n > 3 && !ok` -> `!(n > 3 && !ok)`", "9 flip `>` -> `>=`", "9 boundary `3` -> `4`", "9 flip `&&` -> `||`", "9 negate `!` -> nothing",
		"10 swap `false` -> `true`",
		"13 negate `n == 1` -> `!(n == 1)`", "13 flip `==` -> `!=`", "13 boundary `1` -> `2`",
		"14 drop `bits |= 2` -> `_ = 0`", "14 boundary `2` -> `3`",
		"16 flip `||` -> `&&`", "16 flip `==` -> `!=`", "16 boundary `0` -> `1`",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if _, err := mutants("x.go", []byte("package")); err == nil {
		t.Error("what is no Go has mutants")
	}
}

func TestSpread(t *testing.T) {
	all := make([]mutant, 10)
	for i := range all {
		all[i].line = i
	}
	var lines []int
	for _, m := range spread(all, 4) {
		lines = append(lines, m.line)
	}
	if d := cmp.Diff([]int{0, 2, 5, 7}, lines); d != "" {
		t.Error(d)
	}
	if len(spread(all, 0)) != 10 || len(spread(all, 20)) != 10 {
		t.Error("all are not all")
	}
}

// TestVerdictFilesHaveMutants holds that the files are there, and that there are at least 150 changes to try.
func TestVerdictFilesHaveMutants(t *testing.T) {
	total := 0
	for _, file := range verdictFiles {
		src, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
		if err != nil {
			t.Error(err)
			continue
		}
		found, err := mutants(file, src)
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %d, %v", file, len(found), err)
		}
		total += len(spread(found, 16))
	}
	if total < 150 {
		t.Errorf("only %d changes", total)
	}
}

// TestReasonsAreAboutMutants holds that every reason is about a change that can still be made.
func TestReasonsAreAboutMutants(t *testing.T) {
	known := map[reason]bool{}
	for _, file := range verdictFiles {
		src, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		found, err := mutants(file, src)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range found {
			known[reason{m.file, m.source, m.change(), m.why()}] = true
		}
	}
	for _, r := range reasons {
		if r.why == "" || !known[r] {
			t.Errorf("%s: %s: %s: there is no such change, or another reason stands before this one", r.file, r.source, r.change)
		}
	}
}
