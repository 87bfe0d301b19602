package eventlog

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

// busyError makes SQLite say that the database is locked, without waiting.
func busyError(t *testing.T) error {
	file := filepath.Join(t.TempDir(), "x")
	var dbs [2]*sql.DB
	for i := range dbs {
		db, err := sql.Open("sqlite", file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		db.SetMaxOpenConns(1)
		dbs[i] = db
	}
	if _, err := dbs[0].Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	_, err := dbs[1].Exec("BEGIN EXCLUSIVE")
	if !busy(err) {
		t.Fatalf("%v is not seen as busy", err)
	}
	return err
}

func TestRetry(t *testing.T) {
	locked := busyError(t)
	calls := 0
	err := Log{Timeout: time.Minute}.withRetry(t.Context(), func() error {
		if calls++; calls < 5 {
			return locked
		}
		return nil
	})
	if err != nil || calls != 5 {
		t.Errorf("%v after %d calls, want success after 5", err, calls)
	}
	if err := (Log{Timeout: 20 * time.Millisecond}).withRetry(t.Context(), func() error { return locked }); err != locked {
		t.Errorf("after the deadline: %v, want SQLite's own error", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (Log{}).withRetry(ctx, func() error { return locked }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	other := errors.New("other")
	if err := (Log{}).withRetry(t.Context(), func() error { return other }); err != other {
		t.Errorf("another error is not repeated: %v", err)
	}
	if unwritable(locked) || unwritable(nil) || busy(other) {
		t.Error("codes are mixed up")
	}
}
