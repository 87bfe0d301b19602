//go:build unix

package atomicfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/ambit/internal/atomicfile"
	"example.com/ambit/internal/regime"
)

// The test binary is also the child that the tests kill and race: ATOMICFILE_CHILD says what it does.
func TestMain(m *testing.M) {
	dir := os.Getenv("ATOMICFILE_DIR")
	path := filepath.Join(dir, "f")
	switch os.Getenv("ATOMICFILE_CHILD") {
	case "write": // versions, one after the other, for ever
		n, _ := strconv.Atoi(os.Getenv("ATOMICFILE_FROM"))
		fmt.Println("ready")
		for ; ; n++ {
			if err := atomicfile.Write(dir, path, version(n), 0o644); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
	case "count":
		n, _ := strconv.Atoi(os.Getenv("ATOMICFILE_FROM"))
		for range n {
			if _, err := atomicfile.Update(dir, path, limit, time.Minute, increment); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	case "lock":
		if _, err := atomicfile.Lock(dir, 0); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("ready")
		select {}
	}
	os.Exit(m.Run())
}

func increment(old []byte, _ bool) ([]byte, error) {
	n, err := strconv.Atoi(string(old))
	return []byte(strconv.Itoa(n + 1)), err
}

// version is a content that shows its number and whether it is whole; its length differs from its neighbours'.
func version(n int) []byte {
	return bytes.Repeat(fmt.Appendf(nil, "%08d\n", n), 1+n%7*400)
}

func versionOf(data []byte) (int, bool) {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	n, err := strconv.Atoi(string(first))
	return n, err == nil && bytes.Equal(data, version(n))
}

func child(t *testing.T, what, dir string, from int) (*exec.Cmd, io.Reader) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "ATOMICFILE_CHILD="+what, "ATOMICFILE_DIR="+dir, "ATOMICFILE_FROM="+strconv.Itoa(from), "GORACE=atexit_sleep_ms=0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

func awaitReady(t *testing.T, out io.Reader) {
	t.Helper()
	buf := make([]byte, len("ready\n"))
	if _, err := io.ReadFull(out, buf); err != nil || string(buf) != "ready\n" {
		rest, _ := io.ReadAll(out)
		t.Fatalf("the child says %q: %v", string(buf)+string(rest), err)
	}
}

// TestKilled: whenever the writer is killed, the file is one of the versions, whole, and never an older one than
// before; at most the one temporary lies beside it, and the next write removes that.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	at := 0
	put(t, path, string(version(0)), 0o644)
	left, moved := 0, 0
	for i := range regime.Cases(t, 60, 1000) {
		cmd, out := child(t, "write", dir, at+1)
		awaitReady(t, out)
		time.Sleep(rand.N(6 * time.Millisecond))
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		rest, _ := io.ReadAll(out)
		_ = cmd.Wait()
		n, whole := versionOf([]byte(text(t, path)))
		if len(rest) > 0 || !whole || n < at {
			t.Fatalf("kill %d: version %d after %d, whole: %v; the child says %q", i, n, at, whole, rest)
		}
		if n > at {
			moved++
		}
		at = n
		switch got := names(t, dir); got {
		case "f":
		case atomicfile.TempName("f") + " f":
			left++
		default:
			t.Fatalf("kill %d: the folder holds %q", i, got)
		}
		if i%5 == 0 { // not always: the next child must cope with what was left as well
			at++
			if err := atomicfile.Write(dir, path, version(at), 0o644); err != nil {
				t.Fatal(err)
			}
			if got := names(t, dir); got != "f" {
				t.Fatalf("kill %d: after the next write the folder holds %q", i, got)
			}
		}
	}
	t.Logf("killed: %d left the temporary, %d had moved on", left, moved)
}

// TestLockDiesWithItsHolder: a killed process does not lock anybody out.
func TestLockDiesWithItsHolder(t *testing.T) {
	dir := t.TempDir()
	cmd, out := child(t, "lock", dir, 0)
	awaitReady(t, out)
	if _, err := atomicfile.Lock(dir, -1); !errors.Is(err, atomicfile.ErrLocked) {
		t.Errorf("while it lives: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	unlock, err := atomicfile.Lock(dir, -1)
	if err != nil {
		t.Fatalf("after its death: %v", err)
	}
	_ = unlock()
}

// TestManyProcesses: each adds one many times over to the same file; none is lost, and a reader never sees a torn file.
func TestManyProcesses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	put(t, path, "0", 0o644)
	const processes = 8
	each := regime.Cases(t, 40, 1000)
	var cmds []*exec.Cmd
	var outs []io.Reader
	for range processes {
		cmd, out := child(t, "count", dir, each)
		cmds, outs = append(cmds, cmd), append(outs, out)
	}
	stop := make(chan struct{})
	readers := make(chan error, 1)
	go func() {
		defer close(readers)
		last := 0
		for {
			select {
			case <-stop:
				return
			default:
			}
			data, _, err := atomicfile.Read(dir, path, limit)
			n, aerr := strconv.Atoi(string(data))
			if err != nil || aerr != nil || n < last {
				readers <- fmt.Errorf("read %q after %d: %v", data, last, err)
				return
			}
			last = n
			time.Sleep(time.Millisecond)
		}
	}()
	for i, cmd := range cmds {
		said, _ := io.ReadAll(outs[i])
		if err := cmd.Wait(); err != nil {
			t.Errorf("child %d: %v: %s", i, err, said)
		}
	}
	close(stop)
	if err := <-readers; err != nil {
		t.Error(err)
	}
	if got, want := text(t, path), strconv.Itoa(processes*each); got != want {
		t.Errorf("%s of %s increments", got, want)
	}
	if got := names(t, dir); got != "f" {
		t.Errorf("the folder holds %q", got)
	}
}

// TestFullDisk: a write that does not fit leaves the old file and no temporary.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no small file system can be mounted here: %v: %s", err, strings.TrimSpace(string(out)))
	}
	defer func() {
		if err := exec.Command("umount", dir).Run(); err != nil {
			t.Error(err)
		}
	}()
	path := filepath.Join(dir, "f")
	put(t, path, "old", 0o640)
	err := atomicfile.Write(dir, path, make([]byte, 1<<20), 0o644)
	if !errors.Is(err, syscall.ENOSPC) || text(t, path) != "old" || names(t, dir) != "f" {
		t.Errorf("%v, %q, folder %q", err, text(t, path), names(t, dir))
	}
	if err := atomicfile.Create(dir, filepath.Join(dir, "g"), make([]byte, 1<<20), 0o644); !errors.Is(err, syscall.ENOSPC) || names(t, dir) != "f" {
		t.Errorf("%v, folder %q", err, names(t, dir))
	}
	if err := atomicfile.Write(dir, path, []byte("fits"), 0o644); err != nil || text(t, path) != "fits" {
		t.Errorf("afterwards: %v, %q", err, text(t, path))
	}
}
