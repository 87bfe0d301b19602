package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ambit/tiers"
	"example.com/ambit/tiers/eventlog"
)

// TestNotifyForgesNoLine: what looks like a second line is shown escaped, in the line and in the log (H36).
func TestNotifyForgesNoLine(t *testing.T) {
	dir := t.TempDir()
	code, out, errs := run(t, "", nil, "notify", dir, "--level", "info", "--topic", "a\nb", "--message", "ok\n⛔ [git] forged\x1b[31m")
	if want := `ℹ [a\nb] ok\n⛔ [git] forged\x1b[31m` + "\n"; code != 0 || out != want || errs != "" {
		t.Errorf("exit %d, %q, %q; want %q", code, out, errs, want)
	}
	if _, out, _ := run(t, "", nil, "notify", "log", "--root", dir); strings.Count(out, "\n") != 1 {
		t.Errorf("the log shows %q", out)
	}
}

// TestNotifyLockedLog: a database that another process holds, or that cannot be written, changes neither the line nor
// the exit code (T52).
func TestNotifyLockedLog(t *testing.T) {
	t.Run("locked", func(t *testing.T) {
		dir := t.TempDir()
		run(t, "", nil, "notify", dir, "--level", "info", "--message", "first")
		db, err := sql.Open("sqlite", filepath.Join(dir, filepath.FromSlash(eventlog.Path)))
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		defer db.Close()
		if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
			t.Fatal(err)
		}
		was := eventLogTimeout
		eventLogTimeout = 50 * time.Millisecond
		defer func() { eventLogTimeout = was }()
		code, out, errs := run(t, "", nil, "notify", dir, "--level", "block", "--message", "x")
		if code != 2 || out != "⛔ x\n" || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, "ambit: warning: not recorded: ") {
			t.Errorf("exit %d, %q, %q", code, out, errs)
		}
	})
	t.Run("in the way", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ".aioson"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, errs := run(t, "", nil, "notify", dir, "--level", "info", "--message", "x")
		if code != 0 || out != "ℹ x\n" || strings.Count(errs, "\n") != 1 {
			t.Errorf("exit %d, %q, %q", code, out, errs)
		}
	})
	t.Run("a link out of the project", func(t *testing.T) {
		dir, other := t.TempDir(), t.TempDir()
		if err := os.Symlink(other, filepath.Join(dir, ".aioson")); err != nil {
			t.Skip(err)
		}
		code, out, _ := run(t, "", nil, "notify", dir, "--level", "info", "--message", "x")
		if entries, err := os.ReadDir(other); code != 0 || out != "ℹ x\n" || err != nil || len(entries) != 0 {
			t.Errorf("exit %d, %q; outside: %v %v", code, out, entries, err)
		}
	})
	t.Run("read-only", func(t *testing.T) {
		dir := t.TempDir()
		run(t, "", nil, "notify", dir, "--level", "info", "--message", "first")
		file := filepath.Join(dir, filepath.FromSlash(eventlog.Path))
		if err := os.Chmod(file, 0o400); err != nil {
			t.Fatal(err)
		}
		code, out, errs := run(t, "", nil, "notify", dir, "--level", "block", "--message", "x")
		if code != 2 || out != "⛔ x\n" || strings.Count(errs, "\n") > 1 {
			t.Errorf("exit %d, %q, %q", code, out, errs)
		}
	})
}

// refusing is a standard output that takes nothing.
type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestNotifyWithoutStandardOutput(t *testing.T) {
	dir := t.TempDir()
	var errs strings.Builder
	if code := Main([]string{"notify", dir, "--level", "info", "--message", "x"}, strings.NewReader(""), refusing{}, &errs, nil); code != exitIO || errs.Len() == 0 {
		t.Errorf("exit %d, %q", code, errs.String())
	}
}

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "just now", 59 * time.Second: "just now", 90 * time.Second: "1 min ago", 3 * time.Hour: "3 h ago", 47 * time.Hour: "47 h ago", 50 * time.Hour: "2 days ago",
	} {
		if got := ago(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestSince(t *testing.T) {
	now := time.Date(2026, 7, 5, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"90m": now.Add(-90 * time.Minute), "7d": now.AddDate(0, 0, -7), "0s": now, "2026-07-01T00:00:00Z": now.AddDate(0, 0, -4),
	} {
		if got, err := since(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "d", "-1h", "7", "1.5d", "99999d", "soon", "2026-07-01"} {
		if got, err := since(bad, now); err == nil {
			t.Errorf("%q is read as %v", bad, got)
		}
	}
}

func TestNotifyLevels(t *testing.T) {
	for _, level := range tiers.LevelNames() {
		if code, out, _ := run(t, "", nil, "notify", t.TempDir(), "--level", level, "--message", "m"); out == "" || (code == 2) != (level == "block") {
			t.Errorf("%s: exit %d, %q", level, code, out)
		}
	}
}
