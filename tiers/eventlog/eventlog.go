// Package eventlog answers: what was a person told, by whom, and when?
//
// It keeps notifications in one SQLite file, one row a call, each in a transaction of its own (T50, T51). Processes
// may record at the same time; none loses a row. It is a package of its own so that only those who record link SQLite.
//
// A caller prints first and records after: a log that cannot be written is a warning, never a changed line or exit
// code (T52).
package eventlog

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"example.com/ambit/tiers"
	"modernc.org/sqlite" // the driver, in pure Go
)

// Path is where a project keeps its log, below its root; slash-separated.
const Path = ".aioson/runtime/ambit-events.sqlite"

// BusyTimeout is how long a call waits for other processes by default. With 5 s, 64 writers at once lose rows.
const BusyTimeout = 30 * time.Second

// Errors that callers tell apart.
var (
	ErrAgentName = errors.New("an agent's name has 1 to 64 letters, digits, dots, underscores and dashes") // of CheckAgent and Record
	ErrForeign   = errors.New("the file is not an event log of this program")                              // another SQLite file; it is left as it is
	ErrNewer     = errors.New("the event log was made by a newer version")                                 // it is left as it is
	ErrNotFile   = errors.New("the event log's place is taken by something that is no regular file")       // a folder, device or pipe
)

// agentName is T52's: no path can be built from it (H29).
var agentName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`) })

// CheckAgent gives ErrAgentName, wrapped with the name, unless it is a valid agent's name.
func CheckAgent(name string) error {
	if !agentName().MatchString(name) {
		return fmt.Errorf("%q: %w", name, ErrAgentName)
	}
	return nil
}

// Log is a place where events are kept. It opens the file for each call and leaves nothing open, so it needs no Close,
// and is safe for concurrent use by goroutines and processes.
type Log struct {
	File    string           // the SQLite file; Record makes it, but not its folder
	Now     func() time.Time // nil is time.Now
	Timeout time.Duration    // how long a call waits for others; 0 is BusyTimeout
}

// Event is one recorded notification.
type Event struct {
	ID        int64           // rising
	Type      string          // notify_info, notify_warn or notify_block (T51)
	Level     tiers.Level     // the notification's
	Topic     string          // as given, not escaped
	Message   string          // as given, not escaped
	Agent     string          // "" when the caller named none
	Meta      json.RawMessage // nil when there is none
	CreatedAt time.Time       // UTC, to the millisecond
}

// Record appends one event. agent is "" or passes CheckAgent; meta is nil or one JSON value. The event's type is
// notify_<level>, from the first event on (H31).
func (l Log) Record(ctx context.Context, n tiers.Notification, agent string, meta json.RawMessage) error {
	if err := n.Validate(); err != nil {
		return err
	}
	if agent != "" {
		if err := CheckAgent(agent); err != nil {
			return err
		}
	}
	var metaText any
	if meta != nil {
		if !json.Valid(meta) {
			return errors.New("meta is not JSON")
		}
		metaText = string(meta)
	}
	if err := regularOrAbsent(l.File); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Dir(l.File)); err != nil {
		return err
	}
	now := time.Now
	if l.Now != nil {
		now = l.Now
	}
	return l.withRetry(ctx, func() error {
		db, err := l.open("rwc")
		if err != nil {
			return err
		}
		defer db.Close()
		conn, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
		if err := migrate(ctx, conn); err != nil {
			return err
		}
		_, err = conn.ExecContext(ctx, `INSERT INTO events(event_type, level, topic, message, agent, meta, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			"notify_"+n.Level.String(), n.Level.String(), n.Topic, n.Message, agent, metaText, now().UTC().Format(stamp))
		return err
	})
}

// stamp is how times are stored: fixed width, so that text order is time order.
const stamp = "2006-01-02T15:04:05.000Z"

func (l Log) timeout() time.Duration {
	if l.Timeout > 0 {
		return l.Timeout
	}
	return BusyTimeout
}

// open prepares a handle of one connection. mode is SQLite's: ro, rw or rwc.
func (l Log) open(mode string, more ...string) (*sql.DB, error) {
	abs, err := filepath.Abs(l.File)
	if err != nil {
		return nil, err
	}
	path := filepath.ToSlash(abs)
	if path[0] != '/' {
		path = "/" + path
	}
	q := url.Values{"mode": {mode}, "_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", l.timeout().Milliseconds()), "synchronous(FULL)"}}
	for _, kv := range more {
		q.Set(kv, "1")
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// withRetry repeats what SQLite refused although another process merely was quicker: the change to WAL and the recovery
// of a log answer "busy" without asking the busy timeout.
func (l Log) withRetry(ctx context.Context, f func() error) error {
	deadline := time.Now().Add(l.timeout())
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		err := f()
		if !busy(err) || time.Now().After(deadline) {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
	}
}

// SQLite's primary result codes that matter here.
const (
	codeBusy     = 5
	codeLocked   = 6
	codeReadOnly = 8
	codeCantOpen = 14
)

func busy(err error) bool       { return hasCode(err, codeBusy, codeLocked) }
func unwritable(err error) bool { return hasCode(err, codeReadOnly, codeCantOpen) }

// hasCode looks at the primary part of SQLite's extended code.
func hasCode(err error, codes ...int) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && slices.Contains(codes, e.Code()&0xff)
}

// regularOrAbsent refuses links, folders and pipes: SQLite would follow the first and hang on the last (H19, H25).
func regularOrAbsent(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w", path, ErrNotFile)
	}
	return nil
}
