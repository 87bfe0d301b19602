package systempolicy_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEditShapes holds the edits in testdata/edits.txt byte for byte: what people's YAML looks like, before and after. There,
// ␉ is a tab, ␍ a carriage return, ␀ a byte order mark, and ∅ at the end says that the last line has no line end.
func TestEditShapes(t *testing.T) {
	data, err := os.ReadFile("testdata/edits.txt")
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.NewReplacer("␉", "\t", "␍", "\r", "␀", "\ufeff", "∅\n", "")
	cases := strings.Split(strings.TrimPrefix(string(data), "== "), "\n== ")
	for _, c := range cases {
		argv, rest, _ := strings.Cut(strings.TrimSuffix(c, "\n")+"\n", "\n")
		in, want, ok := strings.Cut(rest, "---->\n")
		if !ok {
			t.Fatalf("no arrow: %q", c)
		}
		in, want = plain.Replace(in), plain.Replace(want)
		t.Run(argv, func(t *testing.T) {
			got, err := edit(strings.Split(argv, " "), []byte(in))
			if want == "refused\n" {
				if err == nil {
					t.Fatalf("not refused:\n%s", got.Data)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if want == "unchanged\n" {
				want = in
			}
			if diff := cmp.Diff(want, string(got.Data)); diff != "" || got.Changed != (in != want) {
				t.Errorf("changed %v, of\n%s(-want +got):\n%s", got.Changed, in, diff)
			}
			if again, err := edit(strings.Split(argv, " "), got.Data); err != nil || again.Changed {
				t.Errorf("a second time: %v\n%s", err, again.Data)
			}
		})
	}
	t.Logf("%d edits", len(cases))
}
