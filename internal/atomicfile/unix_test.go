//go:build unix

package atomicfile_test

import (
	"errors"
	"fmt"
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
		t.Logf("without a socket: %v", err) // where temporary folders have long names
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

// TestSmallCauses: what the system refuses comes back as its own error, with the path, and nothing is left.
func TestSmallCauses(t *testing.T) {
	dir := t.TempDir()
	long := filepath.Join(dir, strings.Repeat("n", 250)) // its temporary's name is too long
	if err := atomicfile.Write(dir, long, []byte("x"), 0o644); !errors.Is(err, syscall.ENAMETOOLONG) {
		t.Errorf("a long name: %v", err)
	}
	for i := range 50 {
		link(t, fmt.Sprint("l", i+1), filepath.Join(dir, fmt.Sprint("l", i)))
	}
	if err := atomicfile.Write(dir, filepath.Join(dir, "l0"), []byte("x"), 0o644); err == nil || !strings.Contains(err.Error(), "too many links") {
		t.Errorf("a long chain: %v", err)
	}
	if err := atomicfile.Write(dir, filepath.Join(dir, "l20"), []byte("x"), 0o644); err != nil || text(t, filepath.Join(dir, "l50")) != "x" {
		t.Errorf("a chain: %v", err)
	}
	never := func([]byte, bool) ([]byte, error) { t.Error("edit ran"); return nil, nil }
	if _, err := atomicfile.Prepare(dir, filepath.Join(dir, "none", "f"), limit, 0o644, never); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if _, err := atomicfile.Update(filepath.Join(dir, "none"), filepath.Join(dir, "f"), limit, 0, never); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no root: %v", err)
	}
	boom := errors.New("boom")
	if _, err := atomicfile.Prepare(dir, filepath.Join(dir, "f"), limit, 0o644, func([]byte, bool) ([]byte, error) { return nil, boom }); !errors.Is(err, boom) {
		t.Errorf("edit's error: %v", err)
	}
	if err := atomicfile.MkdirAll(filepath.Join(dir, "none"), filepath.Join(dir, "none", "x"), 0o755); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("MkdirAll below no root: %v", err)
	}
	put(t, filepath.Join(dir, "plain"), "", 0o644)
	if err := atomicfile.MkdirAll(dir, filepath.Join(dir, "plain", "x"), 0o755); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("MkdirAll below a file: %v", err)
	}
	for _, path := range []string{filepath.Join(dir, "f"), dir} {
		if pe := (*fs.PathError)(nil); !errors.As(atomicfile.Create(dir, path+"/none/x", nil, 0o644), &pe) || !strings.HasPrefix(pe.Path, dir) {
			t.Errorf("the path is lost: %v", pe)
		}
	}
}

// TestSizeThatLies: files of /proc say that they are empty, and are not.
func TestSizeThatLies(t *testing.T) {
	const path = "/proc/self/status"
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Skip("no such file here")
	}
	if data, _, err := atomicfile.Read("", path, limit); err != nil || len(data) < 100 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if _, _, err := atomicfile.Read("", path, 50); !errors.Is(err, atomicfile.ErrTooLarge) {
		t.Errorf("over the limit: %v", err)
	}
}

func TestOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may give files away")
	}
	path := filepath.Join(t.TempDir(), "f")
	put(t, path, "old", 0o640)
	if err := os.Chown(path, 1234, 4321); err != nil {
		t.Skip(err)
	}
	if err := atomicfile.Write("", path, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 1234 || s.Gid != 4321 || info.Mode() != 0o640 {
		t.Errorf("owner %d:%d, mode %v", s.Uid, s.Gid, info.Mode())
	}
}

func TestUndoBehindAPlantedFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	put(t, path, "old", 0o644)
	p, err := atomicfile.Prepare(dir, path, limit, 0o644, replaceBy("new"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, atomicfile.TempName("f"), "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := p.Undo(); err == nil || text(t, path) != "new" {
		t.Errorf("Undo = %v, %q", err, text(t, path))
	}
	if err := p.Discard(); err != nil {
		t.Error(err)
	}
}

// TestNoCurrentFolder: a relative path means nothing when the current folder is gone.
func TestNoCurrentFolder(t *testing.T) {
	real := t.TempDir()
	gone := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(gone, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(real, "f"), "x", 0o644)
	t.Chdir(gone)
	if err := os.Remove(gone); err != nil {
		t.Skip(err)
	}
	if _, err := os.Getwd(); err == nil {
		t.Skip("this system still knows it")
	}
	if _, _, err := atomicfile.Read("", "f", limit); err == nil {
		t.Error("Read of a relative path")
	}
	if _, _, err := atomicfile.Read(".", filepath.Join(real, "f"), limit); err == nil {
		t.Error("Read below a relative root")
	}
	if err := atomicfile.MkdirAll(real, "x", 0o755); err == nil {
		t.Error("MkdirAll of a relative path")
	}
}
