package eventlog_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ambit/tiers"
	"example.com/ambit/tiers/eventlog"
	"github.com/google/go-cmp/cmp"
)

var at = time.Date(2026, 7, 5, 14, 30, 0, 123_456_789, time.FixedZone("", 3600))

// clock ticks a second at each look.
func clock() func() time.Time {
	now := at
	return func() time.Time { now = now.Add(time.Second); return now }
}

func newLog(t testing.TB) eventlog.Log {
	return eventlog.Log{File: filepath.Join(t.TempDir(), "events 100%#?.sqlite"), Now: clock(), Timeout: 10 * time.Second}
}

func note(level tiers.Level, topic, message string) tiers.Notification {
	return tiers.Notification{Level: level, Topic: topic, Message: message}
}

func record(t testing.TB, l eventlog.Log, n tiers.Notification, agent string, meta string) {
	t.Helper()
	var raw json.RawMessage
	if meta != "" {
		raw = json.RawMessage(meta)
	}
	if err := l.Record(t.Context(), n, agent, raw); err != nil {
		t.Fatal(err)
	}
}

func TestRecordAndQuery(t *testing.T) {
	l := newLog(t)
	if events, err := l.Query(t.Context(), eventlog.Filter{}); err != nil || events != nil {
		t.Fatalf("an absent log gives %v, %v", events, err)
	}
	record(t, l, note(tiers.LevelBlock, "git", "first is typed too\n(H31)"), "dev", `{"command":"git push"}`)
	record(t, l, note(tiers.LevelInfo, "memory", "two"), "", "")
	record(t, l, note(tiers.LevelWarn, "git", "three"), "Agent_9.x-", "")
	record(t, l, note(tiers.LevelInfo, "git", "four"), "dev", "")

	first := eventlog.Event{ID: 1, Type: "notify_block", Level: tiers.LevelBlock, Topic: "git", Message: "first is typed too\n(H31)", Agent: "dev",
		Meta: json.RawMessage(`{"command":"git push"}`), CreatedAt: time.Date(2026, 7, 5, 13, 30, 1, 123_000_000, time.UTC)}
	got, err := l.Query(t.Context(), eventlog.Filter{Level: new(tiers.Level)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]eventlog.Event{first}, got); diff != "" {
		t.Errorf("only blocks (-want +got):\n%s", diff)
	}
	info := tiers.LevelInfo
	for _, tt := range []struct {
		name   string
		filter eventlog.Filter
		want   string
	}{
		{"all, oldest first", eventlog.Filter{}, "1 2 3 4"},
		{"newest two", eventlog.Filter{Limit: 2}, "3 4"},
		{"more than there are", eventlog.Filter{Limit: 99}, "1 2 3 4"},
		{"topic", eventlog.Filter{Topic: "git"}, "1 3 4"},
		{"agent", eventlog.Filter{Agent: "dev"}, "1 4"},
		{"level and topic", eventlog.Filter{Level: &info, Topic: "git"}, "4"},
		{"since, inclusive", eventlog.Filter{Since: first.CreatedAt.Add(2 * time.Second)}, "3 4"},
		{"since in another zone", eventlog.Filter{Since: first.CreatedAt.Add(3 * time.Second).In(time.FixedZone("", -7200))}, "4"},
		{"no such topic", eventlog.Filter{Topic: "' OR 1=1 --"}, ""},
		{"newest of a topic", eventlog.Filter{Topic: "git", Limit: 1}, "4"},
	} {
		events, err := l.Query(t.Context(), tt.filter)
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(events); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func ids(events []eventlog.Event) string {
	var out []string
	for _, e := range events {
		out = append(out, fmt.Sprint(e.ID))
	}
	return strings.Join(out, " ")
}

func TestSchema(t *testing.T) {
	l := newLog(t)
	record(t, l, note(tiers.LevelInfo, "", "x"), "", "")
	db := open(t, l.File)
	for query, want := range map[string]string{
		"PRAGMA journal_mode": "wal",
		"PRAGMA user_version": "1",
		"SELECT group_concat(name, ' ') FROM pragma_table_info('events')": "id event_type level topic message agent meta created_at",
		"SELECT typeof(meta) || ' ' || created_at FROM events":            "null 2026-07-05T13:30:01.123Z",
		"SELECT count(*) FROM sqlite_schema WHERE type = 'index'":         "2",
	} {
		var got string
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", query, got, err, want)
		}
	}
}

func TestRecordRefuses(t *testing.T) {
	l := newLog(t)
	good := note(tiers.LevelInfo, "", "x")
	for _, agent := range []string{"../../../.claude/settings", "a/b", "a b", "é", strings.Repeat("x", 65), "a\n", ".\x00"} {
		if err := l.Record(t.Context(), good, agent, nil); !errors.Is(err, eventlog.ErrAgentName) {
			t.Errorf("agent %q: %v, want ErrAgentName (H29)", agent, err)
		}
	}
	if err := l.Record(t.Context(), note(tiers.LevelInfo, "t", " "), "", nil); !errors.Is(err, tiers.ErrEmptyMessage) {
		t.Errorf("empty message: %v", err)
	}
	if err := l.Record(t.Context(), good, "", json.RawMessage("{")); err == nil {
		t.Error("meta that is not JSON was taken")
	}
	if _, err := os.Stat(l.File); err == nil {
		t.Error("a refused event made the file")
	}
	l.File = filepath.Join(t.TempDir(), "no", "such", "folder", "x.sqlite")
	if err := l.Record(t.Context(), good, "", nil); err == nil {
		t.Error("a log without a folder was written")
	}
}

func TestForeignFiles(t *testing.T) {
	good := note(tiers.LevelInfo, "", "x")
	t.Run("another program's database", func(t *testing.T) {
		l := newLog(t)
		if _, err := open(t, l.File).Exec("CREATE TABLE agent_events(id)"); err != nil {
			t.Fatal(err)
		}
		_, err := l.Query(t.Context(), eventlog.Filter{})
		if rec := l.Record(t.Context(), good, "", nil); !errors.Is(rec, eventlog.ErrForeign) || !errors.Is(err, eventlog.ErrForeign) {
			t.Errorf("record %v, query %v", rec, err)
		}
	})
	t.Run("a newer version", func(t *testing.T) {
		l := newLog(t)
		if _, err := open(t, l.File).Exec("PRAGMA user_version = 2"); err != nil {
			t.Fatal(err)
		}
		_, err := l.Query(t.Context(), eventlog.Filter{})
		if rec := l.Record(t.Context(), good, "", nil); !errors.Is(rec, eventlog.ErrNewer) || !errors.Is(err, eventlog.ErrNewer) {
			t.Errorf("record %v, query %v", rec, err)
		}
	})
	t.Run("no database at all", func(t *testing.T) {
		l := newLog(t)
		if err := os.WriteFile(l.File, []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := l.Query(t.Context(), eventlog.Filter{})
		if rec := l.Record(t.Context(), good, "", nil); rec == nil || err == nil {
			t.Errorf("record %v, query %v", rec, err)
		}
	})
	t.Run("an empty file", func(t *testing.T) {
		l := newLog(t)
		if err := os.WriteFile(l.File, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if events, err := l.Query(t.Context(), eventlog.Filter{}); err != nil || len(events) != 0 {
			t.Errorf("%v, %v", events, err)
		}
		record(t, l, good, "", "")
	})
	t.Run("a folder", func(t *testing.T) {
		l := eventlog.Log{File: t.TempDir()}
		_, err := l.Query(t.Context(), eventlog.Filter{})
		if rec := l.Record(t.Context(), good, "", nil); !errors.Is(rec, eventlog.ErrNotFile) || !errors.Is(err, eventlog.ErrNotFile) {
			t.Errorf("record %v, query %v", rec, err)
		}
	})
	t.Run("a link out of the project", func(t *testing.T) {
		l := newLog(t)
		target := filepath.Join(t.TempDir(), "target")
		if err := os.Symlink(target, l.File); err != nil {
			t.Skip(err)
		}
		if err := l.Record(t.Context(), good, "", nil); !errors.Is(err, eventlog.ErrNotFile) {
			t.Errorf("%v", err)
		}
		if _, err := os.Stat(target); err == nil {
			t.Error("the link was followed")
		}
	})
	t.Run("rows changed by hand", func(t *testing.T) {
		for _, change := range []string{"UPDATE events SET level = 'loud'", "UPDATE events SET created_at = 'noon'", "UPDATE events SET id = NULL, meta = 1"} {
			l := newLog(t)
			record(t, l, good, "", "")
			_, changed := open(t, l.File).Exec(change)
			if _, err := l.Query(t.Context(), eventlog.Filter{}); (err == nil) != strings.Contains(change, "NULL") {
				t.Errorf("%s: %v (%v)", change, err, changed)
			}
		}
	})
}

func TestLocked(t *testing.T) {
	l := newLog(t)
	record(t, l, note(tiers.LevelInfo, "", "before"), "", "")
	holder := open(t, l.File)
	tx, err := holder.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec("UPDATE events SET topic = topic"); err != nil {
		t.Fatal(err)
	}
	short := l
	short.Timeout = 100 * time.Millisecond
	if err := short.Record(t.Context(), note(tiers.LevelInfo, "", "lost"), "", nil); err == nil {
		t.Error("wrote past another's lock")
	}
	cancelled, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	if err := l.Record(cancelled, note(tiers.LevelInfo, "", "lost"), "", nil); err == nil {
		t.Error("a cancelled call wrote")
	}
	if events, err := short.Query(t.Context(), eventlog.Filter{}); err != nil || len(events) != 1 {
		t.Errorf("a writer hides the log from readers: %v, %v", events, err)
	}
	done := make(chan error)
	go func() { done <- l.Record(context.Background(), note(tiers.LevelInfo, "", "waited"), "", nil) }()
	time.Sleep(50 * time.Millisecond)
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("waited in vain: %v", err)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("as root, permissions do not bind; the reading path is still walked")
	}
	l := newLog(t)
	record(t, l, note(tiers.LevelWarn, "", "x"), "", "")
	dir := filepath.Dir(l.File)
	for _, mode := range []os.FileMode{0o500, 0o700} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if events, err := l.Query(t.Context(), eventlog.Filter{}); err != nil || len(events) != 1 {
			t.Errorf("mode %o: %v, %v", mode, events, err)
		}
	}
}

func open(t testing.TB, file string) *sql.DB {
	t.Helper()
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	// A name that needs no escaping, so that the test does not repeat the package's own.
	plain := filepath.Join(t.TempDir(), "l")
	if err := os.Symlink(file, plain); err != nil {
		t.Skip(err)
	}
	db, err := sql.Open("sqlite", plain)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func ExampleLog_Record() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	log := eventlog.Log{File: filepath.Join(dir, "events.sqlite")}
	n := tiers.Notification{Level: tiers.LevelBlock, Topic: "git", Message: "push by hand"}
	fmt.Println(n.Line())
	if err := log.Record(context.Background(), n, "dev", nil); err != nil {
		fmt.Fprintln(os.Stderr, err) // never changes the line or the exit code
	}
	events, _ := log.Query(context.Background(), eventlog.Filter{Limit: 10})
	fmt.Println(len(events), events[0].Type)
	// Output:
	// ⛔ [git] push by hand
	// 1 notify_block
}

func ExampleLog_Query() {
	events, err := eventlog.Log{File: "no-such.sqlite"}.Query(context.Background(), eventlog.Filter{Topic: "git"})
	fmt.Println(len(events), err)
	// Output: 0 <nil>
}

func ExampleCheckAgent() {
	fmt.Println(eventlog.CheckAgent("../../.claude/settings"))
	// Output: "../../.claude/settings": an agent's name has 1 to 64 letters, digits, dots, underscores and dashes
}

func BenchmarkRecord(b *testing.B) {
	l := newLog(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := l.Record(b.Context(), note(tiers.LevelInfo, "t", "m"), "a", nil); err != nil {
			b.Fatal(err)
		}
	}
}
