package nesting

import (
	"strings"
	"testing"
)

func TestDepth(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 0, "[]": 1, "[{}]": 2, "[][]": 1, "[[]{}]": 2, "]": 0, "}}}[{": 2, "// ]]]]\n[[[": 3, "[\"[\"]": 2,
		strings.Repeat("]", 1000) + strings.Repeat("[", 1000): 1000,
	} {
		if got := Depth([]byte(text)); got != want {
			t.Errorf("%.40q is %d deep, want %d", text, got, want)
		}
	}
}
