package tiers

import (
	"strings"
	"testing"
)

// TestListedLines states how lines are judged by patterns of their own: `decision patterns => line`, where patterns are
// parted by two semicolons, and one that begins with an exclamation mark is in the deny set.
func TestListedLines(t *testing.T) {
	lines := readForms(t, "listed.txt")
	if len(lines) < 100 {
		t.Errorf("%d lines, want at least 100", len(lines))
	}
	for _, line := range lines {
		want, rest, _ := strings.Cut(line, " ")
		patterns, text, ok := strings.Cut(rest, " => ")
		if !ok {
			t.Fatalf("%q is not `decision patterns => line`", line)
		}
		var tier1 []string
		tier3 := []string{"git push *", "npm publish *", "rm -rf *"}
		for p := range strings.SplitSeq(patterns, ";;") {
			if p == "!!" {
				tier3 = nil // none but those that follow
			} else if deny, ok := strings.CutPrefix(p, "!"); ok {
				tier3 = append(tier3, deny)
			} else {
				tier1 = append(tier1, p)
			}
		}
		v := Evaluator{Protocol: protocolOf(t, tier1, nil, tier3), Root: "/repo"}.Evaluate(text)
		if v.Decision.String() != want {
			t.Errorf("%s, want %s: %q by %s\n%s", v.Decision, want, text, patterns, v.Explain())
		}
	}
}
