//go:build !linux

package regime

import "time"

var start = time.Now()

// threadTime gives the time that passes, since nothing finer is asked here.
func threadTime() time.Duration { return time.Since(start) }
