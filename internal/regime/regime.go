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

// Cases picks how many cases a test runs: with -short a tenth of usual, by default usual, with AMBIT_LONG=1 long.
// What ran is logged, so that a report can name it.
func Cases(t testing.TB, usual, long int) int {
	t.Helper()
	n := usual
	switch {
	case Long():
		n = long
	case testing.Short():
		n = max(1, usual/10)
	}
	t.Logf("regime: %s runs %d of %d cases", t.Name(), n, long)
	return n
}

// Rapid makes the rapid checks of this test run that many cases, and restores the flag afterwards. The test must not
// be parallel, and its binary must import rapid.
func Rapid(t testing.TB, usual, long int) {
	t.Helper()
	f := flag.Lookup("rapid.checks")
	if f == nil {
		t.Fatal("regime: the test binary does not import rapid")
	}
	was := f.Value.String()
	if err := f.Value.Set(strconv.Itoa(Cases(t, usual, long))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(was) })
}
