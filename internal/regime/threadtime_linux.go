package regime

import (
	"syscall"
	"time"
)

// threadTime gives the processor time that this thread has used.
func threadTime() time.Duration {
	const rusageThread = 1
	var used syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &used); err != nil {
		panic(err) // only a wrong argument fails
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
