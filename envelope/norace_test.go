//go:build !race

package envelope

const (
	raceEnabled = false
	slowdown    = 1
)
