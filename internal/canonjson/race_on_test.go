//go:build race

package canonjson_test

const slow = 20 // how much slower the race detector makes things
