//go:build race

package regime

// Race is whether the race detector is built in: speed figures mean nothing then, and processes start slowly.
const Race = true
