//go:build unix

package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"example.com/ambit/internal/pgtest"
	"example.com/ambit/systempolicy/engine"
)

// TestConnectionDropped ends the server's side of a connection in the middle of a change, and holds its row: what was not
// committed is not there, the caller is told, and the next call finds its way.
func TestConnectionDropped(t *testing.T) {
	server.once.Do(func() { server.url, server.stop, server.err = pgtest.Start() })
	pgtest.Require(t, server.err)
	place := pgtest.Database(t, server.url)
	s, err := open(place)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	admin, err := sql.Open("pgx", place)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	pause := func(between func() error) func(engine.Signals) (engine.Signals, error) {
		return func(state engine.Signals) (engine.Signals, error) {
			state.Pause = &engine.Accepted{Signal: engine.Signal{ID: "p", Kind: engine.Pause}}
			return state, between()
		}
	}
	nothing := func() error { return nil }
	paused := func() bool {
		t.Helper()
		state, err := s.Signals(t.Context(), "shop", "dev")
		if err != nil {
			t.Fatal(err)
		}
		return state.Paused()
	}

	var ended int
	err = s.ChangeSignals(t.Context(), "shop", "dev", pause(func() error {
		return admin.QueryRow(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE state = 'idle in transaction' AND pid <> pg_backend_pid()`).Scan(&ended)
	}))
	if err == nil || ended == 0 {
		t.Fatalf("%d connections ended: %v", ended, err)
	}
	if paused() {
		t.Error("what was not committed is there")
	}

	tx, err := admin.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec("INSERT INTO scopes (system, environment, turn) VALUES ('shop', 'dev', 1)"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := s.ChangeSignals(ctx, "shop", "dev", pause(nothing)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while another holds the environment: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := s.ChangeSignals(t.Context(), "shop", "dev", pause(nothing)); err != nil || !paused() {
		t.Errorf("afterwards: %v", err)
	}
}
