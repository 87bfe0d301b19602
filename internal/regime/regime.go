// Package regime says how much work a slow test does: a tenth with -short, a bounded share by default, everything with
// AMBIT_LONG=1.
package regime

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// Long reports whether AMBIT_LONG=1 asks for the full regimes.
func Long() bool { return os.Getenv("AMBIT_LONG") == "1" }

// Cases picks how many cases a test runs: with -short a tenth of usual, by default usual, with AMBIT_SHARE=N N times as
// many, with AMBIT_LONG=1 long.
// What ran is logged, so that a report can name it.
func Cases(t testing.TB, usual, long int) int {
	t.Helper()
	n := usual
	switch share, _ := strconv.Atoi(os.Getenv("AMBIT_SHARE")); {
	case Long():
		n = long
	case share > 1:
		n = min(usual*share, long)
	case testing.Short():
		n = max(1, usual/10)
	}
	t.Logf("regime: %s runs %d of %d cases", t.Name(), n, long)
	return n
}

// Rapid makes the rapid checks of this test run that many cases, of which rapid itself leaves only a fifth with -short, and
// restores the flags afterwards. A usual run draws the
// same cases every time, so that a change is what makes it fail; AMBIT_LONG=1, or a seed of one's own, draws others. The
// test must not be parallel, and its binary must import rapid.
func Rapid(t testing.TB, usual, long int) {
	t.Helper()
	set(t, "rapid.checks", strconv.Itoa(Cases(t, usual, long)))
	if seed := flag.Lookup("rapid.seed"); !Long() && seed != nil && seed.Value.String() == "0" {
		set(t, "rapid.seed", "20260705")
	}
}

func set(t testing.TB, name, value string) {
	t.Helper()
	f := flag.Lookup(name)
	if f == nil {
		t.Fatalf("regime: no flag %s; does the test binary import rapid?", name)
	}
	was := f.Value.String()
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(was) })
}
