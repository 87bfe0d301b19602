package main

import (
	"strings"
	"testing"
)

const run = `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"conformance: a.jsonl ran 7 of 9\n"}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":0.1}
{"Action":"pass","Package":"p","Elapsed":0.2}
`

const broken = `{"Action":"output","Package":"q","Test":"TestB","Output":"    b_test.go:3: wrong\n"}
{"Action":"fail","Package":"q","Test":"TestB"}
{"Action":"fail","Package":"q"}
{"Action":"build-output","ImportPath":"r","Output":"r.go:1: syntax error\n"}
{"Action":"fail","Package":"r"}
`

func TestSum(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		minimum  int
		good     bool
		last     string
	}{
		{"good", run, 7, true, "1 passed, 0 failed"},
		{"too few recorded cases", run, 8, false, "1 passed, 1 failed"},
		{"a failed test and a broken package", run + broken, 0, false, "1 passed, 2 failed"},
		{"nothing ran", "", 0, false, "0 passed, 0 failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			good := sum(strings.NewReader(tt.in), &out, tt.minimum)
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			if good != tt.good || lines[len(lines)-1] != tt.last {
				t.Errorf("good %v, want %v; last line %q, want %q\n%s", good, tt.good, lines[len(lines)-1], tt.last, &out)
			}
		})
	}
	var out strings.Builder
	sum(strings.NewReader(run+broken), &out, 0)
	for _, want := range []string{"b_test.go:3: wrong", "r.go:1: syntax error", "fail q"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report does not hold %q:\n%s", want, &out)
		}
	}
}
