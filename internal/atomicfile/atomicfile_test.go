package atomicfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/atomicfile"
)

const limit = 1 << 20

func ExampleUpdate() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "count")
	for range 2 {
		changed, err := atomicfile.Update(dir, path, 100, 0, func(old []byte, exists bool) ([]byte, error) {
			return append(old, 'x'), nil
		})
		fmt.Println(changed, err)
	}
	data, _, err := atomicfile.Read(dir, path, 100)
	fmt.Println(string(data), err)
	// Output:
	// true <nil>
	// true <nil>
	// xx <nil>
}

func ExamplePrepare() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	unlock, err := atomicfile.Lock(dir, time.Second)
	if err != nil {
		panic(err)
	}
	defer unlock()
	var all []*atomicfile.Pending
	for _, name := range []string{"a", "b"} {
		p, err := atomicfile.Prepare(dir, filepath.Join(dir, name), 100, 0o644, func([]byte, bool) ([]byte, error) {
			return []byte(name), nil
		})
		if err != nil {
			panic(err)
		}
		defer p.Discard()
		all = append(all, p)
	}
	for _, p := range all {
		fmt.Println(p.Commit())
	}
	// Output:
	// <nil>
	// <nil>
}

func put(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// names gives what lies in a folder.
func names(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func replaceBy(s string) atomicfile.Edit {
	return func([]byte, bool) ([]byte, error) { return []byte(s), nil }
}

func TestUpdate(t *testing.T) {
	boom := errors.New("boom")
	for _, tt := range []struct {
		name    string
		old     string // "-" is no file
		edit    atomicfile.Edit
		changed bool
		err     error
		want    string
	}{
		{"new bytes", "a", replaceBy("b"), true, nil, "b"},
		{"shorter", "a long text", replaceBy("b"), true, nil, "b"},
		{"empty result empties", "a", replaceBy(""), true, nil, ""},
		{"nil result empties what exists", "a", func([]byte, bool) ([]byte, error) { return nil, nil }, true, nil, ""},
		{"same bytes", "a", replaceBy("a"), false, nil, "a"},
		{"edit in place", "a", func(b []byte, _ bool) ([]byte, error) { b[0] = 'z'; return b, nil }, true, nil, "z"},
		{"made", "-", replaceBy("b"), true, nil, "b"},
		{"made empty", "-", replaceBy(""), true, nil, ""},
		{"nil makes none", "-", func([]byte, bool) ([]byte, error) { return nil, nil }, false, nil, "-"},
		{"error leaves it", "a", func([]byte, bool) ([]byte, error) { return []byte("b"), boom }, false, boom, "a"},
		{"error makes none", "-", func([]byte, bool) ([]byte, error) { return []byte("b"), boom }, false, boom, "-"},
		{"exists is told", "a", func(_ []byte, exists bool) ([]byte, error) {
			if !exists {
				return nil, boom
			}
			return []byte("b"), nil
		}, true, nil, "b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "f")
			if tt.old != "-" {
				put(t, path, tt.old, 0o640)
			}
			changed, err := atomicfile.Update(dir, path, limit, time.Second, tt.edit)
			if changed != tt.changed || !errors.Is(err, tt.err) {
				t.Errorf("Update = %v, %v, want %v, %v", changed, err, tt.changed, tt.err)
			}
			if tt.want == "-" {
				if got := names(t, dir); got != "" {
					t.Errorf("the folder holds %q", got)
				}
				return
			}
			if got := text(t, path); got != tt.want {
				t.Errorf("the file is %q, want %q", got, tt.want)
			}
			if got := names(t, dir); got != "f" {
				t.Errorf("the folder holds %q", got)
			}
		})
	}
}

func TestSameBytesAreNotWritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	put(t, path, "a", 0o644)
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, long, long); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(path)
	if err := atomicfile.Write(dir, path, []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	after, _ := os.Stat(path)
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("the file was written")
	}
}

func TestMode(t *testing.T) {
	dir := t.TempDir()
	for _, mode := range []fs.FileMode{0o644, 0o600, 0o755, 0o444, 0o666} {
		path := filepath.Join(dir, mode.String())
		put(t, path, "a", mode)
		if err := atomicfile.Write(dir, path, []byte("b"), 0o600); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != mode {
			t.Errorf("mode %v became %v", mode, info.Mode())
		}
	}
	made := filepath.Join(dir, "made")
	if err := atomicfile.Write(dir, made, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(made); err != nil || info.Mode() != 0o600 || info.Size() != 0 {
		t.Errorf("a new file: %v, %v", info, err)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	put(t, path, "12345", 0o644)
	for _, tt := range []struct {
		limit int64
		err   error
	}{{5, nil}, {6, nil}, {4, atomicfile.ErrTooLarge}, {0, atomicfile.ErrTooLarge}} {
		data, info, err := atomicfile.Read("", path, tt.limit)
		if !errors.Is(err, tt.err) {
			t.Errorf("limit %d: %v, want %v", tt.limit, err, tt.err)
		}
		if err == nil && (string(data) != "12345" || info.Size() != 5) {
			t.Errorf("limit %d: %q, %v", tt.limit, data, info)
		}
	}
	if _, _, err := atomicfile.Read(dir, filepath.Join(dir, "none"), 5); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, _, err := atomicfile.Read(dir, filepath.Join(dir, "none", "f"), 5); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if _, _, err := atomicfile.Read(filepath.Join(dir, "none"), path, 5); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no root: %v", err)
	}
	if _, _, err := atomicfile.Read(dir, dir, 5); !errors.Is(err, atomicfile.ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
}

// TestCreate: of many at once exactly one makes the file, and it is whole.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	errs := make(chan error)
	for i := range 20 {
		go func() { errs <- atomicfile.Create(dir, path, bytes.Repeat([]byte{byte('a' + i)}, 1000), 0o644) }()
	}
	won := 0
	for range 20 {
		switch err := <-errs; {
		case err == nil:
			won++
		case !errors.Is(err, fs.ErrExist):
			t.Error(err)
		}
	}
	data := text(t, path)
	if won != 1 || len(data) != 1000 || strings.Trim(data, data[:1]) != "" || names(t, dir) != "f" {
		t.Errorf("%d won, %d bytes, folder %q", won, len(data), names(t, dir))
	}
	if err := atomicfile.Create(dir, filepath.Join(dir, "empty"), nil, 0o644); err != nil || names(t, dir) != "empty f" {
		t.Errorf("an empty file: %v, folder %q", err, names(t, dir))
	}
	if err := atomicfile.Create(dir, filepath.Join(dir, "no", "f"), nil, 0o644); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

func TestPendingCommitAndUndo(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	put(t, path, "old", 0o640)
	made := filepath.Join(dir, "made")
	prepare := func(path, s string) *atomicfile.Pending {
		t.Helper()
		p, err := atomicfile.Prepare(dir, path, limit, 0o644, replaceBy(s))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.Discard() })
		return p
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	p, q := prepare(path, "new"), prepare(made, "new")
	ok(p.Undo()) // nothing to take back
	if text(t, path) != "old" || names(t, dir) != ".f.atomic-tmp .made.atomic-tmp f" {
		t.Errorf("prepared: %q, folder %q", text(t, path), names(t, dir))
	}
	ok(p.Commit())
	ok(q.Commit())
	ok(p.Commit()) // once more is nothing
	if text(t, path) != "new" || text(t, made) != "new" || names(t, dir) != "f made" {
		t.Errorf("committed: %q, folder %q", text(t, path), names(t, dir))
	}
	ok(p.Undo())
	ok(q.Undo())
	info, err := os.Stat(path)
	ok(err)
	if text(t, path) != "old" || info.Mode() != 0o640 || names(t, dir) != "f" {
		t.Errorf("undone: %q, %v, folder %q", text(t, path), info.Mode(), names(t, dir))
	}
	ok(p.Discard())
	ok(p.Discard())

	d := prepare(path, "other")
	ok(d.Discard())
	if text(t, path) != "old" || names(t, dir) != "f" {
		t.Errorf("discarded: %q, folder %q", text(t, path), names(t, dir))
	}

	// Somebody else writes between: neither Commit nor Undo runs over it.
	for _, tt := range []struct {
		name string
		path string
		do   func()
	}{
		{"changed", path, func() { put(t, path, "theirs", 0o644) }},
		{"removed", path, func() { ok(os.Remove(path)) }},
		{"grown", path, func() { put(t, path, strings.Repeat("x", limit+1), 0o644) }},
		{"a folder", path, func() { ok(os.Remove(path)); ok(os.Mkdir(path, 0o755)) }},
		{"appeared", made, func() { put(t, made, "theirs", 0o644) }},
		{"the temporary replaced", path, func() { ok(os.Rename(path, filepath.Join(dir, ".f.atomic-tmp"))); put(t, path, "old", 0o644) }},
	} {
		ok(os.RemoveAll(path))
		ok(os.RemoveAll(made))
		put(t, path, "old", 0o644)
		p := prepare(tt.path, "new")
		tt.do()
		if err := p.Commit(); !errors.Is(err, atomicfile.ErrChanged) {
			t.Errorf("%s: Commit = %v", tt.name, err)
		}
		ok(p.Discard())
	}
	ok(os.RemoveAll(path))
	put(t, path, "old", 0o644)
	p = prepare(path, "new")
	ok(p.Commit())
	put(t, path, "theirs", 0o644)
	if err := p.Undo(); !errors.Is(err, atomicfile.ErrChanged) || text(t, path) != "theirs" {
		t.Errorf("Undo over another's write: %v, %q", err, text(t, path))
	}
}

// TestUpdateStartsOverOnce: an editor that takes no lock saves while edit runs.
func TestUpdateStartsOverOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	put(t, path, "0", 0o644)
	for _, tt := range []struct {
		interfere int
		want      string
		err       error
	}{{1, "1+", nil}, {2, "2", atomicfile.ErrChanged}} {
		n := 0
		_, err := atomicfile.Update(dir, path, limit, time.Second, func(old []byte, _ bool) ([]byte, error) {
			if n < tt.interfere {
				n++
				put(t, path, fmt.Sprint(n), 0o644)
			}
			return append(old, '+'), nil
		})
		if !errors.Is(err, tt.err) || text(t, path) != tt.want {
			t.Errorf("%d: %v, %q", tt.interfere, err, text(t, path))
		}
		if got := names(t, dir); got != "f" {
			t.Errorf("the folder holds %q", got)
		}
	}
}

func TestMkdirAll(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "root")
	for _, d := range []string{"root/real", "out"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, dest := range map[string]string{"in": filepath.Join(root, "real"), "leave": "../out", "dangling": "nowhere"} {
		if err := os.Symlink(dest, filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, tt := range []struct {
		path string
		want string // the folder that then exists
		err  error
	}{
		{"a/b/c", "a/b/c", nil},
		{"a/b/c", "a/b/c", nil},
		{"in/x/y", "real/x/y", nil},
		{".", ".", nil},
		{"leave/x", "", atomicfile.ErrOutsideRoot},
		{"../x", "", atomicfile.ErrOutsideRoot},
		{"dangling/x", "", fs.ErrNotExist},
	} {
		err := atomicfile.MkdirAll(root, filepath.Join(root, tt.path), 0o755)
		if !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, want %v", tt.path, err, tt.err)
		}
		if tt.err == nil {
			if info, err := os.Stat(filepath.Join(root, tt.want)); err != nil || !info.IsDir() {
				t.Errorf("%s: %v", tt.path, err)
			}
		}
	}
	if got := names(t, filepath.Join(dir, "out")); got != "" {
		t.Errorf("outside the root: %q", got)
	}
	if err := atomicfile.MkdirAll("", filepath.Join(dir, "free", "x"), 0o755); err != nil {
		t.Error(err)
	}
}
