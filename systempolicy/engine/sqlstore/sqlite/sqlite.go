// Package sqlite answers: where does one engine on one machine keep its run store? In one SQLite file, in WAL mode,
// safe for several processes of that machine.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"

	"example.com/ambit/systempolicy/engine/sqlstore"
)

// Open opens the store at path and creates it where it is missing, readable by its owner alone. The folder must exist.
// A caller that finds another process writing waits up to 30 s.
func Open(ctx context.Context, path string) (*sqlstore.Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("run store: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("run store: %w", err)
	}
	slashed := filepath.ToSlash(path)
	if slashed[0] != '/' {
		slashed = "/" + slashed // file:///C:/...
	}
	dsn := (&url.URL{Scheme: "file", Path: slashed}).String() +
		"?_pragma=busy_timeout(30000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate"
	deadline := time.Now().Add(30 * time.Second)
	for {
		db, err := sql.Open("sqlite", dsn)
		if err != nil {
			return nil, fmt.Errorf("run store: %w", err)
		}
		db.SetMaxOpenConns(1) // one writer at a time is all that SQLite has
		s, err := sqlstore.New(ctx, db, sqlstore.Dialect{Name: "sqlite"})
		if err == nil {
			return s, nil
		}
		if !busy(err) || time.Now().After(deadline) || ctx.Err() != nil {
			return nil, err
		}
		time.Sleep(10 * time.Millisecond) // changing the journal mode does not wait for busy_timeout
	}
}

// busy reports SQLITE_BUSY (5) and SQLITE_LOCKED (6), also in their extended forms.
func busy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code()&0xff == 5 || e.Code()&0xff == 6)
}
