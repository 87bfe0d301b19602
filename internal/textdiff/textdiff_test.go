package textdiff_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ambit/internal/textdiff"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestUnified(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"equal", "a\n", "a\n", ""},
		{"one line", "a\nb\nc\n", "a\nB\nc\n", "--- o\n+++ n\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"from nothing", "", "a\n", "--- o\n+++ n\n@@ -0,0 +1 @@\n+a\n"},
		{"no final newline", "a", "a\n", "--- o\n+++ n\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"two hunks", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n",
			"--- o\n+++ n\n@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n"},
	} {
		if d := cmp.Diff(tt.want, textdiff.Unified("o", "n", []byte(tt.old), []byte(tt.new))); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
	if got := textdiff.Unified("", "n", nil, []byte("a\n")); !strings.HasPrefix(got, "--- /dev/null\n+++ n\n") {
		t.Errorf("a new file: %q", got)
	}
}

// TestPatchAgrees lets the patch program apply the diff: the result must be the new text.
func TestPatchAgrees(t *testing.T) {
	if _, err := exec.LookPath("patch"); err != nil {
		t.Skip("no patch program")
	}
	dir := t.TempDir()
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "d\n", "\n"}), 1, 30).Draw(t, "lines"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		old, new := text.Draw(t, "old"), text.Draw(t, "new")
		diff := textdiff.Unified("f", "f", []byte(old), []byte(new))
		if diff == "" {
			return
		}
		path := filepath.Join(dir, "f")
		if err := os.WriteFile(path, []byte(old), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("patch", "-s", "-u", path)
		cmd.Stdin = strings.NewReader(diff)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("patch: %v\n%s\n%s", err, out, diff)
		}
		got, _ := os.ReadFile(path)
		if string(got) != new {
			t.Fatalf("patched to %q, want %q", got, new)
		}
	})
}
