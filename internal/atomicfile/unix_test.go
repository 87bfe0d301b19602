//go:build unix

package atomicfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/ambit/internal/atomicfile"
)

func link(t *testing.T, dest, path string) {
	t.Helper()
	if err := os.Symlink(dest, path); err != nil {
		t.Fatal(err)
	}
}

// TestLinks holds where a write goes, and that a read agrees with it.
func TestLinks(t *testing.T) {
	for _, tt := range []struct {
		name    string
		dest    string // of the link root/agent/f; ROOT stands for the root's path
		target  string // the file that is written, from the folder of the root; "" when it is refused
		readErr error
		err     error
	}{
		{"beside", "g", "root/agent/g", nil, nil},
		{"elsewhere in the root", "../other/g", "root/other/g", nil, nil},
		{"absolute, in the root", "ROOT/other/g", "root/other/g", nil, nil},
		{"through a linked folder", "../linked/g", "root/other/g", nil, nil},
		{"up from a linked folder", "../deep/../g2", "root/other/g2", nil, nil},
		{"a link to a link", "../chain", "root/other/g", nil, nil},
		{"out and in again", "../../root/other/g", "root/other/g", nil, nil},
		{"dangling", "new", "root/agent/new", fs.ErrNotExist, nil},
		{"dangling through a linked folder", "../deep/../new", "root/other/new", fs.ErrNotExist, nil},
		{"out", "../../out/g", "", atomicfile.ErrOutsideRoot, atomicfile.ErrOutsideRoot},
		{"out, absolute", "/etc/hostname", "", atomicfile.ErrOutsideRoot, atomicfile.ErrOutsideRoot},
		{"out by a folder", "../leave/g", "", atomicfile.ErrOutsideRoot, atomicfile.ErrOutsideRoot},
		{"out, dangling", "../../out/new", "", atomicfile.ErrOutsideRoot, atomicfile.ErrOutsideRoot},
		{"a sibling whose name begins alike", "../../root2/g", "", atomicfile.ErrOutsideRoot, atomicfile.ErrOutsideRoot},
		{"to a folder", "../other", "", atomicfile.ErrNotRegular, atomicfile.ErrNotRegular},
		{"to a FIFO", "../fifo", "", atomicfile.ErrNotRegular, atomicfile.ErrNotRegular},
		{"to itself", "f", "", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			top, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			root := filepath.Join(top, "root")
			for _, d := range []string{"root/agent", "root/other/sub", "out", "root2"} {
				if err := os.MkdirAll(filepath.Join(top, d), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for _, f := range []string{"root/agent/g", "root/other/g", "root/other/g2", "root/g2", "out/g", "root2/g"} {
				put(t, filepath.Join(top, f), "old", 0o644)
			}
			link(t, "other", filepath.Join(root, "linked"))
			link(t, "other/sub", filepath.Join(root, "deep"))
			link(t, "other/g", filepath.Join(root, "chain"))
			link(t, "../out", filepath.Join(root, "leave"))
			if err := syscall.Mkfifo(filepath.Join(root, "fifo"), 0o644); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(root, "agent", "f")
			link(t, strings.ReplaceAll(tt.dest, "ROOT", root), path)

			_, _, rerr := atomicfile.Read(root, path, limit)
			werr := atomicfile.Write(root, path, []byte("new"), 0o644)
			if tt.name == "to itself" {
				if rerr == nil || werr == nil {
					t.Fatalf("a circle: read %v, write %v", rerr, werr)
				}
				return
			}
			if !errors.Is(rerr, tt.readErr) || !errors.Is(werr, tt.err) {
				t.Errorf("read %v, want %v; write %v, want %v", rerr, tt.readErr, werr, tt.err)
			}
			if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
				t.Errorf("the link is no link any more: %v, %v", info, err)
			}
			if cerr := atomicfile.Create(root, path, nil, 0o644); !errors.Is(cerr, fs.ErrExist) {
				t.Errorf("Create at the link: %v", cerr)
			}
			for _, f := range []string{"root/agent/g", "root/other/g", "root/other/g2", "root/g2", "out/g", "root2/g"} {
				want := "old"
				if f == tt.target {
					want = "new"
				}
				if got := text(t, filepath.Join(top, f)); got != want {
					t.Errorf("%s is %q, want %q", f, got, want)
				}
			}
			if tt.target != "" {
				if got := text(t, filepath.Join(top, tt.target)); got != "new" {
					t.Errorf("%s is %q", tt.target, got)
				}
			}
		})
	}
}

func TestDanglingCircle(t *testing.T) {
	dir := t.TempDir()
	link(t, "none/../b", filepath.Join(dir, "a"))
	if err := atomicfile.Write(dir, filepath.Join(dir, "a"), []byte("x"), 0o644); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("through a folder that is not there: %v", err)
	}
}

// TestNotRegular: nothing here may block, so the test's own deadline is the assertion.
func TestNotRegular(t *testing.T) {
	dir := t.TempDir()
	fifo, folder, socket := filepath.Join(dir, "fifo"), filepath.Join(dir, "folder"), filepath.Join(dir, "socket")
	if err := syscall.Mkfifo(fifo, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: socket}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{fifo, folder, socket, "/dev/null", "/dev/tty"} {
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		start := time.Now()
		if _, _, err := atomicfile.Read("", path, limit); !errors.Is(err, atomicfile.ErrNotRegular) {
			t.Errorf("Read(%s): %v", path, err)
		}
		if strings.HasPrefix(path, dir) {
			if err := atomicfile.Write(dir, path, []byte("x"), 0o644); !errors.Is(err, atomicfile.ErrNotRegular) {
				t.Errorf("Write(%s): %v", path, err)
			}
			if err := atomicfile.Create(dir, path, nil, 0o644); !errors.Is(err, fs.ErrExist) {
				t.Errorf("Create(%s): %v", path, err)
			}
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s took %v", path, d)
		}
	}
}

// TestPlantedTemporary: whatever stands at the temporary's name is neither followed nor written into.
func TestPlantedTemporary(t *testing.T) {
	for _, kind := range []string{"file", "link", "dangling link", "fifo", "empty folder", "full folder"} {
		t.Run(kind, func(t *testing.T) {
			top := t.TempDir()
			dir := filepath.Join(top, "d")
			victim := filepath.Join(top, "victim")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			put(t, victim, "theirs", 0o600)
			path := filepath.Join(dir, "f")
			put(t, path, "old", 0o644)
			temp := filepath.Join(dir, atomicfile.TempName("f"))
			switch kind {
			case "file":
				put(t, temp, "torn", 0o666)
			case "link":
				link(t, victim, temp)
			case "dangling link":
				link(t, filepath.Join(top, "nowhere"), temp)
			case "fifo":
				if err := syscall.Mkfifo(temp, 0o666); err != nil {
					t.Fatal(err)
				}
			default:
				if err := os.Mkdir(temp, 0o755); err != nil {
					t.Fatal(err)
				}
				if kind == "full folder" {
					put(t, filepath.Join(temp, "x"), "theirs", 0o644)
				}
			}
			// A call that has nothing to write removes what a crash left, and does not fail if it cannot.
			same, err := atomicfile.Update(dir, path, limit, 0, replaceBy("old"))
			if same || err != nil {
				t.Errorf("Update to the same = %v, %v", same, err)
			}
			err = atomicfile.Write(dir, path, []byte("new"), 0o644)
			if kind == "full folder" {
				if err == nil || text(t, path) != "old" || text(t, filepath.Join(temp, "x")) != "theirs" {
					t.Errorf("%v, %q", err, text(t, path))
				}
				return
			}
			if err != nil || text(t, path) != "new" || names(t, dir) != "f" || names(t, top) != "d victim" {
				t.Errorf("%v, %q, folder %q, above %q", err, text(t, path), names(t, dir), names(t, top))
			}
			if text(t, victim) != "theirs" {
				t.Error("the link was followed")
			}
		})
	}
}

func TestLockDeadline(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	put(t, path, "old", 0o644)
	unlock, err := atomicfile.Lock(dir, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for _, wait := range []time.Duration{-1, 50 * time.Millisecond} {
		start := time.Now()
		if _, err := atomicfile.Lock(dir, wait); !errors.Is(err, atomicfile.ErrLocked) {
			t.Errorf("wait %v: %v", wait, err)
		}
		if took := time.Since(start); took < wait || took > wait+2*time.Second {
			t.Errorf("wait %v took %v", wait, took)
		}
	}
	if _, err := atomicfile.Update(dir, path, limit, -1, replaceBy("new")); !errors.Is(err, atomicfile.ErrLocked) {
		t.Errorf("Update under another's lock: %v", err)
	}
	if _, _, err := atomicfile.Read(dir, path, limit); err != nil {
		t.Errorf("a reader takes no lock: %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if _, err := atomicfile.Update(dir, path, limit, -1, replaceBy("new")); err != nil {
		t.Error(err)
	}
	if got := names(t, dir); got != "f" {
		t.Errorf("the lock left %q", got)
	}
	if _, err := atomicfile.Lock(filepath.Join(dir, "none"), 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

// TestFolderReplacedWhileWaiting: the lock that was waited for is that of a folder which the path no longer names.
func TestFolderReplacedWhileWaiting(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "d")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "f"), "old", 0o644)
	unlock, err := atomicfile.Lock(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := atomicfile.Update(top, filepath.Join(dir, "f"), limit, 0, func(old []byte, _ bool) ([]byte, error) {
			return append(old, '+'), nil
		})
		done <- err
	}()
	time.Sleep(20 * time.Millisecond)
	if err := os.Rename(dir, filepath.Join(top, "away")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "f"), "fresh", 0o644)
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil || text(t, filepath.Join(dir, "f")) != "fresh+" || text(t, filepath.Join(top, "away", "f")) != "old" {
		t.Errorf("%v, %q, %q", err, text(t, filepath.Join(dir, "f")), text(t, filepath.Join(top, "away", "f")))
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write into a read-only folder")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	put(t, path, "old", 0o644)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	if err := atomicfile.Write(dir, path, []byte("new"), 0o644); !errors.Is(err, fs.ErrPermission) || text(t, path) != "old" {
		t.Errorf("%v, %q", err, text(t, path))
	}
}
