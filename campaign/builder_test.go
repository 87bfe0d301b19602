//go:build unix

package campaign

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary stand in for a campaign builder: as the interpreter of a script whose lines are the
// steps below.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[2] == "--check" && os.Args[3] == "--report" {
		syscall.Exit(builderMain(os.Args[1])) // not os.Exit, which under -cover has something to say
	}
	if len(os.Args) == 4 && os.Args[1] == "observe" {
		os.Exit(observeMain(os.Args[0], os.Args[2], os.Args[3]))
	}
	os.Exit(m.Run())
}

// observeMain watches a builder and prints what came of it and the most memory that this process ever had, in KiB.
func observeMain(self, builder, root string) int {
	o := Builder{Path: builder, Interpreter: self, Root: root}.Observe(context.Background(), 3)
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 1
	}
	kib := used.Maxrss
	if runtime.GOOS == "darwin" {
		kib /= 1024
	}
	fmt.Println(o.ErrorCode, kib)
	return 0
}

const goodReport = goodReportText

// builderMain runs a script. A step that fails goes on, and is told on standard error as "denied: <step>".
func builderMain(script string) int {
	data, err := os.ReadFile(script)
	if err != nil {
		return 9
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		arg := func(i int) string { return append(f, "", "", "")[i] }
		var err error
		switch f[0] {
		case "create":
			err = os.WriteFile(arg(1), []byte("new\n"), 0o644)
		case "append":
			var h *os.File
			if h, err = os.OpenFile(arg(1), os.O_APPEND|os.O_WRONLY, 0); err == nil {
				_, err = h.WriteString("more\n")
				_ = h.Close()
			}
		case "chmod":
			err = os.Chmod(arg(1), 0o777)
		case "link":
			if err = os.Remove(arg(1)); err == nil {
				err = os.Symlink("elsewhere", arg(1))
			}
		case "symlink":
			err = os.Symlink("elsewhere", arg(1))
		case "remove":
			err = os.Remove(arg(1))
		case "mkdir":
			err = os.Mkdir(arg(1), 0o755)
		case "scratch":
			err = os.WriteFile(filepath.Join(os.Getenv("HOME"), "f"), nil, 0o644)
		case "devnull":
			err = os.WriteFile("/dev/null", []byte("x"), 0)
		case "stubborn":
			signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		case "sleep":
			d, _ := time.ParseDuration(arg(1))
			time.Sleep(d)
		case "flood":
			out := os.Stdout
			if arg(1) == "stderr" {
				out = os.Stderr
			}
			w := bufio.NewWriterSize(out, 1<<20)
			block := bytes.Repeat([]byte("x"), 1<<16)
			for range 4 << 30 / len(block) {
				_, _ = w.Write(block)
			}
		case "child": // child <group|setsid|hidden> <seconds> <file>: writes the file after a while
			cmd := exec.Command("/bin/sh", "-c", "sleep "+arg(2)+"; echo late > "+arg(3))
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: arg(1) != "group"}
			if arg(1) == "hidden" {
				cmd.Env = []string{"PATH=/usr/bin:/bin"}
			}
			err = cmd.Start()
		case "print":
			fmt.Println(strings.TrimPrefix(line, "print "))
		case "complain":
			fmt.Fprintln(os.Stderr, strings.TrimPrefix(line, "complain "))
		case "env":
			fmt.Fprintln(os.Stderr, strings.Join(os.Environ(), "\n"))
		case "stdin":
			var b [1]byte
			if n, _ := os.Stdin.Read(b[:]); n != 0 {
				fmt.Fprintln(os.Stderr, "stdin is not empty")
			}
		case "args":
			fmt.Fprintln(os.Stderr, "args", os.Args[2:])
		case "die":
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			time.Sleep(time.Second)
		case "exit":
			return int(arg(1)[0] - '0')
		case "good":
			fmt.Println(goodReport)
		default:
			return 8
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "denied:", f[0])
		}
	}
	return 0
}

// repo is a work tree with a builder below it, laid out for a test.
type repo struct {
	dir  string // the work tree
	root string // a folder below it: the builder's root
}

func newRepo(t testing.TB) repo {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := repo{dir, filepath.Join(dir, "root")}
	for name, text := range map[string]string{
		"README": "read me\n", "root/source.go": "package source\n", "root/deep/er/x": "x\n",
		".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": strings.Repeat("a", 40) + "\n", ".git/index": "DIRC",
		".git/config": "[core]\n", ".git/objects/ab/cdef": "blob",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("source.go", filepath.Join(r.root, "link")); err != nil {
		t.Fatal(err)
	}
	return r
}

// builder gives a builder with a script of steps.
func (r repo) builder(t testing.TB, steps ...string) Builder {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(r.root, "builder.steps")
	if err := os.WriteFile(path, []byte(strings.Join(steps, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return Builder{Path: path, Interpreter: self, Root: r.root, Timeout: 20 * time.Second}
}
