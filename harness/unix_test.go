//go:build unix

package harness_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.com/ambit/harness"
	"example.com/ambit/internal/atomicfile"
	"github.com/google/go-cmp/cmp"
)

// TestOddFilesAreRefused puts what is no plain file below the root in the place of one (K17, H19, H25).
func TestOddFilesAreRefused(t *testing.T) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name string
		make func(root, outside string)
	}{
		{"a link out of the root", func(root, outside string) {
			put(t, root, ".codex/x", "")
			must(os.Symlink(filepath.Join(outside, "file"), filepath.Join(root, ".codex/permissions.json")))
		}},
		{"a dangling link out of the root", func(root, outside string) {
			put(t, root, ".codex/x", "")
			must(os.Symlink(filepath.Join(outside, "new"), filepath.Join(root, ".codex/permissions.json")))
		}},
		{"a folder that is a link out of the root", func(root, outside string) {
			must(os.Symlink(outside, filepath.Join(root, ".claude")))
		}},
		{"a folder that is a dangling link", func(root, outside string) {
			must(os.Symlink(filepath.Join(outside, "gone"), filepath.Join(root, ".opencode")))
		}},
		{"a chain of links that ends outside", func(root, outside string) {
			put(t, root, ".claude/x", "")
			must(os.Symlink(filepath.Join(outside, "file"), filepath.Join(root, "second")))
			must(os.Symlink("../second", filepath.Join(root, ".claude/settings.json")))
		}},
		{"a FIFO", func(root, _ string) {
			put(t, root, ".opencode/x", "")
			must(syscall.Mkfifo(filepath.Join(root, ".opencode/permissions.yaml"), 0o644))
		}},
		{"a folder", func(root, _ string) { put(t, root, ".claude/settings.json/x", "") }},
		{"a file where a folder belongs", func(root, _ string) { put(t, root, ".codex", "") }},
		{"a ledger that leaves the root", func(root, outside string) { must(os.Symlink(outside, filepath.Join(root, ".ambit"))) }},
	} {
		outside := folder(t, map[string]string{"file": "theirs"})
		root := folder(t, map[string]string{".claude/settings.local.json": "{}"})
		if tt.name == "a folder that is a link out of the root" {
			must(os.RemoveAll(filepath.Join(root, ".claude")))
		}
		tt.make(root, outside)
		before := tree(t, root)
		c, err := harness.Plan(root, protocol(t, small), harness.Options{Now: clock})
		if err == nil {
			_, err = harness.Apply(c)
		}
		var e *harness.Error
		if !errors.As(err, &e) || e.Code != harness.CodeFile {
			t.Errorf("%s: %v", tt.name, err)
		}
		if d := cmp.Diff(before, tree(t, root)); d != "" {
			t.Errorf("%s: refused, and yet (-before +after):\n%s", tt.name, d)
		}
		if d := cmp.Diff(map[string]string{"file": "theirs"}, tree(t, outside)); d != "" {
			t.Errorf("%s: outside (-before +after):\n%s", tt.name, d)
		}
	}
}

// TestLinksInsideTheRootStay follows a link that stays below the root: its target is replaced, the link stays.
func TestLinksInsideTheRootStay(t *testing.T) {
	root := folder(t, map[string]string{"dotfiles/settings.json": `{"permissions": {}}`, ".claude/x": ""})
	if err := os.Symlink("../dotfiles/settings.json", filepath.Join(root, ".claude/settings.json")); err != nil {
		t.Fatal(err)
	}
	materialize(t, root, protocol(t, small), harness.Options{})
	if info, err := os.Lstat(filepath.Join(root, ".claude/settings.json")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if got := tree(t, root)["dotfiles/settings.json"]; !strings.Contains(got, "Bash(git push:*)") {
		t.Errorf("the target: %s", got)
	}
}

// mounted puts a small file system at a folder; the test is skipped where that is not allowed.
func mounted(t *testing.T, dir, options string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no mount: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
}

// TestReadOnlyFolder: the last of the files cannot be written, so none is.
func TestReadOnlyFolder(t *testing.T) {
	root := folder(t, livedFiles)
	mounted(t, filepath.Join(root, ".opencode"), "ro,size=64k")
	before := tree(t, root)
	c, err := harness.Plan(root, protocol(t, small), harness.Options{Native: true, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := harness.Apply(c); !errors.Is(err, syscall.EROFS) {
		t.Errorf("%v", err)
	}
	if d := cmp.Diff(before, tree(t, root)); d != "" {
		t.Errorf("(-before +after):\n%s", d)
	}
}

// TestFullDisk fills the disk to every degree: nothing is lost and nothing is left half (H23).
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("not one of the quick tests")
	}
	root := filepath.Join(t.TempDir(), "full")
	mounted(t, root, "size=256k")
	for path, text := range livedFiles {
		put(t, root, path, text)
	}
	materialize(t, root, protocol(t, firstLife), harness.Options{Native: true})
	long := strings.Replace(secondLife, `"ls", `, `"ls", "`+strings.Repeat("x", 9000)+`", `, 1)
	failed, done := 0, 0
	for size := 240 << 10; size > 0; size -= 8 << 10 {
		if err := os.WriteFile(filepath.Join(root, "filler"), make([]byte, size), 0o644); err != nil {
			continue
		}
		before := tree(t, root)
		c, err := harness.Plan(root, protocol(t, long), harness.Options{Native: true, Now: clock})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = harness.Apply(c); err == nil {
			done++
			break
		}
		failed++
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("with %d bytes of filler: %v", size, err)
		}
		if d := cmp.Diff(before, tree(t, root)); d != "" {
			t.Fatalf("with %d bytes of filler (-before +after):\n%.2000s", size, d)
		}
	}
	if failed == 0 || done == 0 {
		t.Errorf("%d failed, %d done", failed, done)
	}
	t.Logf("%d runs met a full disk, then one passed", failed)
}

// TestLockedRoot waits no longer than it was told.
func TestLockedRoot(t *testing.T) {
	root := folder(t, nil)
	unlock, err := atomicfile.Lock(root, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unlock() }()
	c, err := harness.Plan(root, protocol(t, small), harness.Options{Wait: -1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := harness.Apply(c); !errors.Is(err, atomicfile.ErrLocked) {
		t.Errorf("%v", err)
	}
}
