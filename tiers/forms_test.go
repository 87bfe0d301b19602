package tiers

import (
	"os"
	"strings"
	"testing"
)

// readForms gives the lines of a file of testdata, without comments; see the file's head for what backslashes mean.
func readForms(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for l := range strings.Lines(string(data)) {
		if l = strings.TrimSuffix(l, "\n"); l != "" && !strings.HasPrefix(l, "# ") {
			out = append(out, strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\u00a0`, "\u00a0").Replace(l))
		}
	}
	return out
}

// TestForms states that no form that runs code runs unasked.
func TestForms(t *testing.T) {
	e := Evaluator{Protocol: protocolOf(t, generous, nil, irreversible), Root: "/repo"}
	forms := readForms(t, "forms.txt")
	if len(forms) < 200 {
		t.Errorf("%d forms, want at least 200", len(forms))
	}
	for _, line := range forms {
		if v := e.Evaluate(line); v.Allows() {
			t.Errorf("%s: %q\n%s", v.Decision, line, v.Explain())
		}
	}
	t.Logf("%d forms", len(forms))
}
