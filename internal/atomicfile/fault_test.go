package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestFaults: whatever step of a commit fails, the old file stays and no temporary is left; only a sync that fails
// comes too late, and says so.
func TestFaults(t *testing.T) {
	boom := errors.New("boom")
	for _, tt := range []struct {
		name  string
		old   string // "" is no file
		steps map[string]error
		want  string
		err   error
	}{
		{"rename", "old", map[string]error{"rename": boom}, "old", boom},
		{"sync", "old", map[string]error{"sync": boom}, "new", ErrNotDurable},
		{"no links here", "", map[string]error{"link": boom}, "new", nil},
		{"no links here, and the rename fails", "", map[string]error{"link": boom, "rename": boom}, "", boom},
		{"sync of a new file", "", map[string]error{"sync": boom}, "new", ErrNotDurable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "f")
			if tt.old != "" {
				if err := os.WriteFile(path, []byte(tt.old), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			p, err := Prepare(dir, path, 100, 0o644, func([]byte, bool) ([]byte, error) { return []byte("new"), nil })
			if err != nil {
				t.Fatal(err)
			}
			p.fault = func(step string) error { return tt.steps[step] }
			if err := p.Commit(); !errors.Is(err, tt.err) {
				t.Errorf("Commit = %v, want %v", err, tt.err)
			}
			if err := p.Discard(); err != nil {
				t.Error(err)
			}
			got, err := os.ReadFile(path)
			if string(got) != tt.want || (tt.want == "") != errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the file is %q, %v", got, err)
			}
			left, err := os.ReadDir(dir)
			if err != nil || len(left) > 1 {
				t.Errorf("left: %v, %v", left, err)
			}
		})
	}
}

// TestNoLinksAndTheFileAppears: the reservation does not run over a file that came between.
func TestNoLinksAndTheFileAppears(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	p, err := Prepare(dir, path, 100, 0o644, func([]byte, bool) ([]byte, error) { return []byte("new"), nil })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Discard() }()
	for _, link := range []error{nil, errors.ErrUnsupported} {
		p.fault = func(step string) error {
			if step != "link" {
				return nil
			}
			if err := os.WriteFile(path, []byte("theirs"), 0o600); err != nil {
				t.Fatal(err)
			}
			return link
		}
		if err := p.Commit(); !errors.Is(err, fs.ErrExist) {
			t.Errorf("Commit = %v", err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != "theirs" {
			t.Errorf("the file is %q, %v", got, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// TestUndoFails: an undo that cannot be made says so and leaves the committed file.
func TestUndoFails(t *testing.T) {
	boom := errors.New("boom")
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(dir, path, 100, 0o644, func([]byte, bool) ([]byte, error) { return []byte("new"), nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	p.fault = func(step string) error { return boom }
	if err := p.Undo(); !errors.Is(err, boom) {
		t.Errorf("Undo = %v", err)
	}
	if err := p.Discard(); err != nil {
		t.Error(err)
	}
	got, err := os.ReadFile(path)
	left, _ := os.ReadDir(dir)
	if err != nil || string(got) != "new" || len(left) != 1 {
		t.Errorf("the file is %q, %v, left %v", got, err, left)
	}
}

func TestCause(t *testing.T) {
	if got := Cause(&os.LinkError{Op: "link", Old: "a", New: "b", Err: fs.ErrExist}); got != fs.ErrExist {
		t.Errorf("%v", got)
	}
}
