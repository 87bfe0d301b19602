//go:build race

package turnenvelope_test

const slow = 20 // how much slower the race detector makes things
