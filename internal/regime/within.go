package regime

import (
	"runtime"
	"testing"
	"time"
)

// Within fails the test when f takes longer than limit in each of several tries: the fastest counts. Where the system
// tells, the processor time of f's thread is measured, so that a machine that is busy with other things changes nothing;
// elsewhere, time that passes. What f starts elsewhere and does not wait for is not seen; a sleep is seen only elsewhere.
// Under the race detector the limit is ten times as long.
func Within(t testing.TB, limit time.Duration, f func()) {
	t.Helper()
	if Race {
		limit *= 10
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fastest := time.Duration(0)
	for try := range 8 {
		start := threadTime()
		f()
		if took := threadTime() - start; try == 0 || took < fastest {
			fastest = took
		}
		if fastest <= limit {
			return
		}
	}
	t.Errorf("it took %v at best, at most %v is allowed", fastest, limit)
}
