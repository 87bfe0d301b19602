package eventlog

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"example.com/ambit/tiers"
)

// Filter narrows a query. The zero value takes everything.
type Filter struct {
	Since time.Time    // only events at or after it; zero is no bound
	Level *tiers.Level // nil is every level
	Topic string       // exactly; "" is every topic
	Agent string       // exactly; "" is every agent
	Limit int          // the newest so many; 0 is all
}

// Query gives the matching events, oldest first (T53). A log that does not exist yet has no events.
func (l Log) Query(ctx context.Context, f Filter) ([]Event, error) {
	if _, err := os.Lstat(l.File); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err := regularOrAbsent(l.File); err != nil {
		return nil, err
	}
	var events []Event
	read := func(more ...string) error {
		return l.withRetry(ctx, func() (err error) {
			events, err = l.query(ctx, f, more)
			return err
		})
	}
	err := read()
	if unwritable(err) {
		// In a folder that cannot be written, a log in WAL mode opens only as a file that nobody changes.
		err = read("immutable")
	}
	return events, err
}

func (l Log) query(ctx context.Context, f Filter, more []string) ([]Event, error) {
	db, err := l.open("ro", more...)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	switch version, err := checkVersion(ctx, conn); {
	case err != nil:
		return nil, err
	case version == 0:
		return nil, nil // an empty file: its maker was interrupted
	}
	text, args := f.sql()
	rows, err := conn.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var events []Event
	for rows.Next() {
		e, err := scan(rows)
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	slices.Reverse(events)
	return events, rows.Err()
}

// sql gives the filter as a query, newest first so that a limit keeps the newest.
func (f Filter) sql() (text string, args []any) {
	var where []string
	add := func(condition string, arg any) {
		where, args = append(where, condition), append(args, arg)
	}
	if !f.Since.IsZero() {
		add("created_at >= ?", f.Since.UTC().Format(stamp))
	}
	if f.Level != nil {
		add("event_type = ?", "notify_"+f.Level.String())
	}
	if f.Topic != "" {
		add("topic = ?", f.Topic)
	}
	if f.Agent != "" {
		add("agent = ?", f.Agent)
	}
	text = "SELECT id, event_type, level, topic, message, agent, meta, created_at FROM events"
	if len(where) > 0 {
		text += " WHERE " + strings.Join(where, " AND ")
	}
	text += " ORDER BY id DESC"
	if f.Limit > 0 {
		text, args = text+" LIMIT ?", append(args, f.Limit)
	}
	return text, args
}

func scan(rows *sql.Rows) (Event, error) {
	var e Event
	var level, created string
	var meta sql.NullString
	if err := rows.Scan(&e.ID, &e.Type, &level, &e.Topic, &e.Message, &e.Agent, &meta, &created); err != nil {
		return e, err
	}
	if err := e.Level.UnmarshalText([]byte(level)); err != nil {
		return e, fmt.Errorf("event %d: %w", e.ID, err)
	}
	if meta.Valid {
		e.Meta = json.RawMessage(meta.String)
	}
	var err error
	if e.CreatedAt, err = time.Parse(stamp, created); err != nil {
		return e, fmt.Errorf("event %d: %w", e.ID, err)
	}
	return e, nil
}
