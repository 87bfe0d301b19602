//go:build unix

package envelope

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A FIFO is refused and not waited for.
func TestFIFO(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, Folder, "dave", FileName)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), syscall.Mkfifo(file, 0o644)); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	d := at(root, later)
	_, get := d.Get("dave")
	_, set := d.Set("dave", Change{Task: "x"})
	for _, err := range []error{get, set, rows(t, d)[0].Err} {
		if codeOf(err) != CodeNotRegular {
			t.Error(err)
		}
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

// Files that may not be read are errors of the disk, and the list goes on.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	root := t.TempDir()
	if err := os.Chmod(place(t, root, "dave", sample), 0); err != nil {
		t.Fatal(err)
	}
	d := at(root, later)
	if _, err := d.Get("dave"); codeOf(err) != CodeIO {
		t.Error(err)
	}
	if l := rows(t, d); len(l) != 1 || codeOf(l[0].Err) != CodeIO {
		t.Errorf("%+v", l)
	}
}

// A lock that is held is waited for.
func TestSetWaitsForTheLock(t *testing.T) {
	root := t.TempDir()
	file := place(t, root, "dave", sample)
	folder, err := os.Open(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := at(root, later).Set("dave", Change{Task: "x", State: FullyApproved})
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	if read(t, file) != sample {
		t.Error("it wrote without the lock")
	}
	if _, err := at(root, later).Get("dave"); err != nil {
		t.Errorf("a reader waits for no lock: %v", err)
	}
	if err := folder.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
