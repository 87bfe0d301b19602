package yamlspan_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"example.com/ambit/internal/span/yamlspan"
)

// bareTag is the tag "!" alone: yaml.v3's nodes do not show it, so an edit beside it cannot be checked, and is refused.
var bareTag = regexp.MustCompile(`(^|[\s\[{,:-])!([\s\]},]|$)`)

// FuzzEdit: of any text that parses, every value has a place, and an edit changes that value and nothing else. Where a key
// is spelled with a question mark and has no text, the place may be refused: edits then refuse as well.
func FuzzEdit(f *testing.F) {
	for _, seed := range []string{
		"a: b # c\nd:\n  - e\n  - f: g\n    h: |\n      i\n# j\n",
		"{a: [b, c: d, {e}], \"f\":1,}",
		"? a\n: &x !!str b\nc: *x\n",
		"- - a\n  - >+2\n    b\n\n-\n",
		"\uFEFF---\r\na: 'b''c'\r\n...\r\n",
		"é: \"ü\\\"\n  x\" # y\n",
	} {
		d, err := yamlspan.Parse([]byte(seed), yamlspan.Limits{})
		if err != nil || !checkPlaces(f, d) || len(reachable(d)) < 2 {
			f.Fatalf("the seed %q does not do: %v", seed, err)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		d, err := yamlspan.Parse([]byte(src), yamlspan.Limits{Bytes: 1 << 12, Depth: 20})
		if err != nil || bareTag.MatchString(src) {
			return
		}
		if !checkPlaces(t, d) {
			if errors.Is(errOf(d), yamlspan.ErrUnknownPlace) && strings.Contains(src, "?") {
				return
			}
			t.Fatalf("%q: %v", src, errOf(d))
		}
		all := reachable(d)
		for i, r := range all {
			if i > 20 || strings.Contains(src, "newkey") {
				break
			}
			checkReplace(t, d, r, `"new text"`, "new text")
			checkEntries(t, d, r)
		}
	})
}
