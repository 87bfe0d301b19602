package regime_test

import (
	"crypto/sha256"
	"slices"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
	"pgregory.net/rapid"
)

func TestCases(t *testing.T) {
	t.Setenv("AMBIT_LONG", "1")
	if got := regime.Cases(t, 50, 900); got != 900 {
		t.Errorf("long: %d cases, want 900", got)
	}
	t.Setenv("AMBIT_LONG", "")
	for share, want := range map[string]int{"3": 150, "100": 900} {
		t.Setenv("AMBIT_SHARE", share)
		if got := regime.Cases(t, 50, 900); got != want {
			t.Errorf("share %s: %d cases, want %d", share, got, want)
		}
	}
	t.Setenv("AMBIT_SHARE", "")
	want := 50
	if testing.Short() {
		want = 5
	}
	if got := regime.Cases(t, 50, 900); got != want {
		t.Errorf("usual: %d cases, want %d", got, want)
	}
}

func TestRapidRunsThatMany(t *testing.T) {
	t.Setenv("AMBIT_LONG", "")
	regime.Rapid(t, 370, 10000)
	var ran int
	drawn := [2][]int{}
	for i := range drawn {
		rapid.Check(t, func(rt *rapid.T) { drawn[i] = append(drawn[i], rapid.Int().Draw(rt, "n")) })
	}
	ran = len(drawn[0])
	if !slices.Equal(drawn[0], drawn[1]) {
		t.Error("a usual run draws other cases the second time")
	}
	want := 370
	if testing.Short() {
		want = 37 / 5
	}
	if ran < want {
		t.Errorf("%d checks ran, want %d", ran, want)
	}
}

type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Helper()               {}
func (f *failing) Errorf(string, ...any) { f.failed = true }

func TestWithin(t *testing.T) {
	digest := make([]byte, 1<<20)
	work := func(n int) { // about as many milliseconds of a processor, however busy the machine is
		for range n {
			sum := sha256.Sum256(digest)
			copy(digest, sum[:])
		}
	}
	tries := 0
	f := &failing{TB: t}
	regime.Within(f, time.Millisecond, func() {
		if tries++; tries < 3 {
			work(100) // slow at first: also for the race detector's limit
		}
	})
	if f.failed || tries != 3 {
		t.Errorf("failed %v after %d tries, want a pass at the third", f.failed, tries)
	}
	regime.Within(f, time.Microsecond, func() { work(5) })
	if !f.failed {
		t.Error("what is always too slow passes")
	}
}
