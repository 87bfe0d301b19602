package regime

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime gives the processor time that this thread has used.
func threadTime() time.Duration {
	var used unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &used); err != nil {
		panic(err) // only a wrong argument fails
	}
	return time.Duration(used.Nano())
}
