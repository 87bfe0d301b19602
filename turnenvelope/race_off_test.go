//go:build !race

package turnenvelope_test

const slow = 1
