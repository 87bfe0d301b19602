package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const sampleOutput = `goos: linux
BenchmarkTree/floor-2    	10	 2000000 ns/op
BenchmarkTree/tree-2     	10	 2400000 ns/op	 8 B/op	 1 allocs/op
BenchmarkOutside/inside-2	10	 0.5 ns/op	 0 allocs/op
PASS
`

func TestReport(t *testing.T) {
	b, broken := bench{"a", "B", "1x"}, bench{"a", "C", "1x"}
	figs := []figure{
		{name: "held", of: b, value: "Tree/tree ns/op", floor: "Tree/floor ns/op", atMost: 1.3, unit: "ns"},
		{name: "missed", of: b, value: "Tree/tree ns/op", floor: "Tree/floor ns/op", atMost: 1.1, unit: "ns"},
		{name: "worst", of: b, value: "Tree/* ns/op", atMost: 2.4e6, unit: "ns"},
		{name: "zero", of: b, value: "Outside/inside allocs/op", atMost: 0, unit: "allocs"},
		{name: "slow", of: b, value: "Tree/tree ns/op", atLeast: 3e6, unit: "ns"},
		{name: "absent", of: broken, value: "X ns/op", atMost: 1},
		{name: "no floor", of: b, value: "Tree/tree ns/op", floor: "X ns/op", atMost: 1},
	}
	runs := 0
	measured := measure(figs, "", func(b bench) (string, error) {
		runs++
		if b == broken {
			return "", errors.New("it does not build")
		}
		return sampleOutput, nil
	})
	var out strings.Builder
	if report(&out, figs, measured) || runs != 2 {
		t.Errorf("%d runs, and all held:\n%s", runs, out.String())
	}
	for i, want := range []string{"figure", "held .*1.20x .*ok$", "missed .*MISSED$", "worst .*2.4 ms .*ok$", "zero .*ok$", "slow .*MISSED$", "absent .*not measured$", "no floor .*not measured$"} {
		if line := strings.Split(out.String(), "\n")[i]; !regexp.MustCompile(want).MatchString(line) {
			t.Errorf("%q, want %s", line, want)
		}
	}
	if !report(&out, figs[:1], measured) || report(&out, nil, measured) {
		t.Error("one that holds is not all, or none is")
	}
}

// TestBenchmarksExist holds that every bench of the table is there to be run.
func TestBenchmarksExist(t *testing.T) {
	names := regexp.MustCompile(`(?m)^func (Benchmark\w+)\(`)
	for _, f := range figures() {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(f.of.pkg), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range names.FindAllStringSubmatch(string(data), -1) {
				name := strings.TrimPrefix(m[1], "Benchmark")
				if regexp.MustCompile("^"+f.of.bench+"$").MatchString(m[1]) && (strings.HasPrefix(f.value, name+" ") || strings.HasPrefix(f.value, name+"/")) {
					found = true
				}
			}
		}
		if !found {
			t.Errorf("%s: %s has no %s that gives %q", f.name, f.of.pkg, f.of.bench, f.value)
		}
	}
}
