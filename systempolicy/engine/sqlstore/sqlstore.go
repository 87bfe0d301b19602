// Package sqlstore answers: how is an engine's run store kept in a database? It is the SQL that the packages
// sqlstore/sqlite and sqlstore/postgres share; they open one.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/ambit/systempolicy/engine"
)

// Dialect is what differs between databases.
type Dialect struct {
	Name     string // for messages
	Numbered bool   // placeholders are $1, $2, ... and not ?
	Begin    string // run first in the transaction that lays the schema, so that only one process does
	// Isolation is that of every transaction; the row lock of an environment is what orders them, so read committed is enough.
	Isolation sql.IsolationLevel
}

// Store is an engine.Store over a database.
type Store struct {
	db *sql.DB
	d  Dialect
}

var _ engine.Store = (*Store)(nil)

// New lays the schema where it is missing and gives the store. It owns db from then on.
func New(ctx context.Context, db *sql.DB, d Dialect) (*Store, error) {
	s := &Store{db: db, d: d}
	err := s.tx(ctx, func(q queries) error {
		if d.Begin != "" {
			if _, err := q.exec(d.Begin); err != nil {
				return err
			}
		}
		for _, statement := range schema {
			if _, err := q.exec(statement); err != nil {
				return err
			}
		}
		var version int
		err := q.row("SELECT version FROM ambit_schema", nil, &version)
		if errors.Is(err, sql.ErrNoRows) {
			_, err = q.exec("INSERT INTO ambit_schema (version) VALUES (?)", schemaVersion)
			return err
		}
		if err == nil && version != schemaVersion {
			err = fmt.Errorf("the store has schema %d, this program knows %d", version, schemaVersion)
		}
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("run store: %w", err), db.Close())
	}
	return s, nil
}

const schemaVersion = 1

// Times are nanoseconds since 1970, UTC; 0 is none.
var schema = []string{
	`CREATE TABLE IF NOT EXISTS ambit_schema (version INTEGER NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS scopes (system TEXT NOT NULL, environment TEXT NOT NULL, turn BIGINT NOT NULL,
		PRIMARY KEY (system, environment))`,
	`CREATE TABLE IF NOT EXISTS leases (id TEXT PRIMARY KEY, system TEXT NOT NULL, environment TEXT NOT NULL, kind TEXT NOT NULL,
		day TEXT NOT NULL, head TEXT NOT NULL, holder TEXT NOT NULL, at BIGINT NOT NULL, expires BIGINT NOT NULL,
		state TEXT NOT NULL, main TEXT NOT NULL, settled BIGINT NOT NULL, token TEXT NOT NULL)`,
	`CREATE INDEX IF NOT EXISTS leases_by_day ON leases (system, environment, day)`,
	`CREATE INDEX IF NOT EXISTS leases_by_state ON leases (system, state)`,
	`CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, system TEXT NOT NULL, environment TEXT NOT NULL, component TEXT NOT NULL,
		issue TEXT NOT NULL, started BIGINT NOT NULL, ended BIGINT NOT NULL, level TEXT NOT NULL, commit_sha TEXT NOT NULL,
		outcome TEXT NOT NULL, minutes DOUBLE PRECISION NOT NULL, invocations BIGINT NOT NULL, reruns BIGINT NOT NULL, cost DOUBLE PRECISION NOT NULL)`,
	`CREATE INDEX IF NOT EXISTS runs_by_start ON runs (system, started)`,
	`CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, at BIGINT NOT NULL, system TEXT NOT NULL, environment TEXT NOT NULL,
		component TEXT NOT NULL, action TEXT NOT NULL, level TEXT NOT NULL, commit_sha TEXT NOT NULL, from_version TEXT NOT NULL,
		to_version TEXT NOT NULL, run TEXT NOT NULL, pr TEXT NOT NULL, undone_by TEXT NOT NULL, undone_at BIGINT NOT NULL, undone_pr TEXT NOT NULL)`,
	`CREATE INDEX IF NOT EXISTS events_by_time ON events (system, at)`,
	`CREATE TABLE IF NOT EXISTS signals (system TEXT NOT NULL, environment TEXT NOT NULL, state TEXT NOT NULL,
		PRIMARY KEY (system, environment))`,
}

// Close releases the database.
func (s *Store) Close() error { return s.db.Close() }

// queries runs statements written with ? inside or outside a transaction.
type queries struct {
	ctx context.Context
	d   Dialect
	on  interface {
		ExecContext(context.Context, string, ...any) (sql.Result, error)
		QueryContext(context.Context, string, ...any) (*sql.Rows, error)
		QueryRowContext(context.Context, string, ...any) *sql.Row
	}
}

func (q queries) exec(text string, args ...any) (int64, error) {
	r, err := q.on.ExecContext(q.ctx, q.d.placeholders(text), args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (q queries) row(text string, args []any, into ...any) error {
	return q.on.QueryRowContext(q.ctx, q.d.placeholders(text), args...).Scan(into...)
}

// all calls scan for every row.
func (q queries) all(text string, args []any, scan func(scanner) error) error {
	rows, err := q.on.QueryContext(q.ctx, q.d.placeholders(text), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

type scanner interface{ Scan(...any) error }

func (s *Store) plain(ctx context.Context) queries { return queries{ctx, s.d, s.db} }

// tx runs f in one transaction.
func (s *Store) tx(ctx context.Context, f func(queries) error) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: s.d.Isolation})
	if err != nil {
		return err
	}
	if err := f(queries{ctx, s.d, tx}); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

// scoped is tx with the environment locked: no other scoped transaction of the same environment runs beside it, in any
// process. The row's lock does it where the database has row locks, the whole file's where it has not.
func (s *Store) scoped(ctx context.Context, system, environment string, f func(queries) error) error {
	return s.tx(ctx, func(q queries) error {
		if _, err := q.exec(`INSERT INTO scopes (system, environment, turn) VALUES (?, ?, 1)
			ON CONFLICT (system, environment) DO UPDATE SET turn = scopes.turn + 1`, system, environment); err != nil {
			return err
		}
		return f(q)
	})
}

// placeholders writes ? as $1, $2, ... where the database wants that. No statement here holds a ? of another meaning.
func (d Dialect) placeholders(text string) string {
	if !d.Numbered {
		return text
	}
	var b strings.Builder
	n := 0
	for {
		before, after, found := strings.Cut(text, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		n++
		b.WriteString("$" + strconv.Itoa(n))
		text = after
	}
}

func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func instant(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
