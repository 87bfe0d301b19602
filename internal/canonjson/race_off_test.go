//go:build !race

package canonjson_test

const slow = 1
