package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// TestColour holds that output is coloured on a terminal alone, and never with NO_COLOR or a terminal that is dumb; and
// that colour moves no column.
func TestColour(t *testing.T) {
	args := []string{"check", "--", "git status && git push"}
	_, plain, _ := run(t, "", nil, args...)
	if strings.Contains(plain, "\x1b") {
		t.Errorf("a pipe gets %q", plain)
	}
	for _, env := range [][]string{{"NO_COLOR=1"}, {"TERM=dumb"}} {
		if got := onTerminal(t, env, args...); got != plain {
			t.Errorf("%v: %q, want %q", env, got, plain)
		}
	}
	got := onTerminal(t, nil, args...)
	if !strings.HasPrefix(got, "\x1b[1;31mblock\x1b[0m: ") {
		t.Errorf("a terminal gets %q", got)
	}
	if bare := withoutColour(got); bare != plain {
		t.Errorf("%q, want %q", bare, plain)
	}
	if got := onTerminal(t, nil, append([]string{"--format", "json"}, args...)...); strings.Contains(got, "\x1b") || !strings.HasPrefix(got, "{") {
		t.Errorf("JSON on a terminal: %q", got)
	}
	if got := onTerminal(t, []string{"NO_COLOR="}, args...); !strings.Contains(got, "\x1b") {
		t.Error("an empty NO_COLOR counts as one")
	}
}

// TestColouredTable holds that what is painted takes no columns.
func TestColouredTable(t *testing.T) {
	var b strings.Builder
	writeTable(&b, [][]string{{"\x1b[32mab\x1b[0m", "x"}, {"abcd", "y"}, {"é", "z"}})
	if got, want := withoutColour(b.String()), "ab    x\nabcd  y\né     z\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func withoutColour(s string) string {
	for {
		before, rest, more := strings.Cut(s, "\x1b[")
		if !more {
			return s
		}
		_, rest, _ = strings.Cut(rest, "m")
		s = before + rest
	}
}

// onTerminal gives what the command prints on a terminal of 80 columns.
func onTerminal(t *testing.T, env []string, args ...string) string {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminal: %v", err)
	}
	defer keyboard.Close()
	var number, unlocked int32
	var size = [4]uint16{24, 80}
	control := func(f *os.File, request uintptr, p unsafe.Pointer) {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(p)); errno != 0 {
			t.Skipf("no terminal: %v", errno)
		}
	}
	control(keyboard, syscall.TIOCSPTLCK, unsafe.Pointer(&unlocked))
	control(keyboard, syscall.TIOCGPTN, unsafe.Pointer(&number))
	screen, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal: %v", err)
	}
	control(screen, syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	Main(args, strings.NewReader(""), screen, screen, append([]string{"TERM=xterm"}, env...))
	if _, err := screen.WriteString("\x04"); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	buffer := make([]byte, 4096)
	for deadline := time.Now().Add(10 * time.Second); !strings.HasSuffix(out.String(), "\x04") && time.Now().Before(deadline); {
		n, err := keyboard.Read(buffer)
		out.Write(buffer[:n])
		if err != nil {
			t.Fatal(err)
		}
	}
	screen.Close()
	return strings.ReplaceAll(strings.TrimSuffix(out.String(), "\x04"), "\r\n", "\n")
}
