package harness_test

import (
	"strings"
	"testing"

	"example.com/ambit/harness"
	"github.com/google/go-cmp/cmp"
)

// TestCommentsStayWithTheirRule: a comment stands beside the user's rule that it is about, with our rules behind it and
// after they went again (K5, K12).
func TestCommentsStayWithTheirRule(t *testing.T) {
	empty := protocol(t, `{"version":"1.1","tiers":{"tier3_blocking":{}},"tools":{"opencode":{"derived_from_tiers":[]}}}`)
	p := protocol(t, `{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["git status"]},"tier3_blocking":{"shell_patterns":["git push *"]}},"tools":{"opencode":{"derived_from_tiers":["tier1_silent"]}}}`)
	open, end := "{\n  \"permission\": {\n    \"bash\": {\n", "    }\n  }\n}\n"
	for _, tt := range []struct{ name, in, want string }{
		{"line comment, no comma", "      \"make *\": \"allow\" // why\n", "      \"make *\": \"allow\", // why\n@\n"},
		{"line comment behind a comma", "      \"make *\": \"allow\", // why\n", "      \"make *\": \"allow\", // why\n@,\n"},
		{"block comment", "      \"make *\": \"allow\" /* why */\n", "      \"make *\": \"allow\", /* why */\n@\n"},
		{"block comment before a comma", "      \"make *\": \"allow\" /* why */,\n", "      \"make *\": \"allow\", /* why */\n@,\n"},
		{"two comments", "      \"make *\": \"allow\", /* why */ // and when\n", "      \"make *\": \"allow\", /* why */ // and when\n@,\n"},
		{"a comment of two lines", "      \"make *\": \"allow\" /* why\n         and when */\n", "      \"make *\": \"allow\", /* why\n         and when */\n@\n"},
		{"comments on lines of their own", "      // for make\n      \"make *\": \"allow\" // why\n      // end, with a \", comma\n", "      // for make\n      \"make *\": \"allow\", // why\n@\n      // end, with a \", comma\n"},
		{"nothing to move", "      \"make *\": \"allow\", // why\n      \"ls\": \"ask\"\n", "      \"make *\": \"allow\", // why\n      \"ls\": \"ask\",\n@\n"},
	} {
		for _, brk := range []string{"\n", "\r\n"} {
			lines := func(text string) string { return strings.ReplaceAll(open+text+end, "\n", brk) }
			root := folder(t, map[string]string{"opencode.json": lines(tt.in)})
			materialize(t, root, p, harness.Options{Native: true})
			ours := "      \"git status\": \"allow\",\n      \"git push *\": \"deny\""
			if d := cmp.Diff(lines(strings.Replace(tt.want, "@", ours, 1)), tree(t, root)["opencode.json"]); d != "" {
				t.Errorf("%s, written (-want +got):\n%s", tt.name, d)
			}
			materialize(t, root, empty, harness.Options{Native: true})
			got := strings.NewReplacer(" /* why */,", ", /* why */").Replace(tree(t, root)["opencode.json"])
			if d := cmp.Diff(strings.NewReplacer(" /* why */,", ", /* why */").Replace(lines(tt.in)), got); d != "" {
				t.Errorf("%s, taken out again (-want +got):\n%s", tt.name, d)
			}
		}
	}
}
