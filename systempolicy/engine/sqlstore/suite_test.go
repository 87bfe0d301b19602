//go:build unix

package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/internal/pgtest"
	"example.com/ambit/systempolicy/engine"
	"example.com/ambit/systempolicy/engine/sqlstore/postgres"
	"example.com/ambit/systempolicy/engine/sqlstore/sqlite"
)

var server struct {
	once sync.Once
	url  string
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	if os.Getenv("AMBIT_TEST_WORKER") != "" {
		os.Exit(worker())
	}
	code := m.Run()
	if server.stop != nil {
		server.stop()
	}
	os.Exit(code)
}

// open opens the store that a place names: a postgres URL, or a path.
func open(place string) (engine.Store, error) {
	if strings.HasPrefix(place, "postgres://") {
		return postgres.Open(context.Background(), place)
	}
	return sqlite.Open(context.Background(), place)
}

// places gives the two databases under test; f runs on each with a fresh place.
func places(t *testing.T, f func(t *testing.T, place string)) {
	t.Run("sqlite", func(t *testing.T) { f(t, filepath.Join(t.TempDir(), "run store?#%.db")) })
	t.Run("postgres", func(t *testing.T) {
		server.once.Do(func() { server.url, server.stop, server.err = pgtest.Start() })
		pgtest.Require(t, server.err)
		f(t, pgtest.Database(t, server.url))
	})
}

func stores(t *testing.T, f func(t *testing.T, s engine.Store)) {
	places(t, func(t *testing.T, place string) {
		s, err := open(place)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}()
		f(t, s)
	})
}

var noon = time.Date(2026, 7, 22, 12, 0, 0, 0, time.UTC)

func merge(at time.Time, limit int64, head string) engine.Reservation {
	return engine.Reservation{System: "shop", Environment: "dev", Kind: engine.Merge, Limit: limit, At: at, Head: head, Holder: "test"}
}

func reserve(t *testing.T, s engine.Store, r engine.Reservation, want bool) engine.Lease {
	t.Helper()
	l, ok, err := s.Reserve(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if ok != want {
		t.Fatalf("Reserve(%+v) = %v, want %v", r, ok, want)
	}
	return l
}

func used(t *testing.T, s engine.Store, day string, except ...string) engine.Usage {
	t.Helper()
	u, err := s.Used(t.Context(), "shop", "dev", day, except...)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestReserve(t *testing.T) {
	stores(t, func(t *testing.T, s engine.Store) {
		reserve(t, s, merge(noon, 0, "h0"), false) // F8: 0 is used up from the start
		reserve(t, s, merge(noon, -1, "h0"), false)
		a := reserve(t, s, merge(noon, 2, "h1"), true)
		b := reserve(t, s, merge(noon, 2, "h2"), true)
		reserve(t, s, merge(noon, 2, "h3"), false)

		if a.Token == "" || a.Token == b.Token || a.ID == b.ID {
			t.Errorf("leases share an id or a token: %+v %+v", a, b)
		}
		want := engine.Lease{ID: a.ID, System: "shop", Environment: "dev", Kind: engine.Merge, Day: "2026-07-22", Head: "h1", Holder: "test",
			At: noon, Expires: noon.Add(engine.DefaultTTL), State: engine.Held, Token: a.Token}
		if diff := cmp.Diff(want, a); diff != "" {
			t.Error(diff)
		}

		// Runs, other environments and other systems have budgets of their own.
		run := merge(noon, 1, "")
		run.Kind = engine.RunOf
		reserve(t, s, run, true)
		reserve(t, s, run, false)
		prod := merge(noon, 1, "h1")
		prod.Environment = "prod"
		reserve(t, s, prod, true)

		if diff := cmp.Diff(engine.Usage{Day: "2026-07-22", Runs: 1, Merges: 2}, used(t, s, "2026-07-22")); diff != "" {
			t.Error(diff)
		}
		// mergesToday does not count one's own reservation.
		if diff := cmp.Diff(engine.Usage{Day: "2026-07-22", Runs: 1, Merges: 1}, used(t, s, "2026-07-22", a.ID)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestReserveAgain(t *testing.T) {
	stores(t, func(t *testing.T, s engine.Store) {
		r := merge(noon, 1, "h1")
		r.ID = "once"
		a := reserve(t, s, r, true)
		if diff := cmp.Diff(a, reserve(t, s, r, true)); diff != "" {
			t.Errorf("the same id is another lease: %s", diff)
		}
		other := r
		other.Head = "h2"
		if _, _, err := s.Reserve(t.Context(), other); !errors.Is(err, engine.ErrConflict) {
			t.Errorf("another head under the same id: %v", err)
		}
		late := r
		late.At = a.Expires.Add(time.Second)
		reserve(t, s, late, false) // an expired lease is not handed out again, and still counts
		if u := used(t, s, "2026-07-22"); u.Merges != 1 {
			t.Errorf("used %d", u.Merges)
		}
	})
}

func TestReserveRefusesWhatItCannotJudge(t *testing.T) {
	stores(t, func(t *testing.T, s engine.Store) {
		for name, spoil := range map[string]func(*engine.Reservation){
			"no clock":       func(r *engine.Reservation) { r.At = time.Time{} },
			"no system":      func(r *engine.Reservation) { r.System = "" },
			"no environment": func(r *engine.Reservation) { r.Environment = "" },
			"no head":        func(r *engine.Reservation) { r.Head = "" },
			"kind":           func(r *engine.Reservation) { r.Kind = "promotion" },
			"ttl":            func(r *engine.Reservation) { r.TTL = -1 },
			"far future":     func(r *engine.Reservation) { r.At = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
		} {
			r := merge(noon, 5, "h")
			spoil(&r)
			if _, ok, err := s.Reserve(t.Context(), r); err == nil || ok {
				t.Errorf("%s: granted %v, error %v", name, ok, err)
			}
		}
		if u := used(t, s, "2026-07-22"); u.Merges != 0 {
			t.Errorf("used %d", u.Merges)
		}
	})
}

// TestDays holds the day to the UTC calendar, whatever zone the clock is written in, across midnight and clock changes.
func TestDays(t *testing.T) {
	at := func(s string) time.Time {
		when, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	for _, c := range []struct {
		name, first, second string
		same                bool // both are charged to one budget
	}{
		{"before and after midnight", "2026-07-21T23:59:59.999999999Z", "2026-07-22T00:00:00Z", false},
		{"one UTC day, two local days", "2026-07-21T23:30:00Z", "2026-07-21T00:30:00Z", true},
		{"offset that hides midnight", "2026-07-22T23:00:00Z", "2026-07-23T00:30:00+02:00", true},
		{"Apia, one office day", "2026-07-22T09:00:00+13:00", "2026-07-22T14:00:00+13:00", false},
		{"Berlin, 23-hour day", "2026-03-29T00:30:00+01:00", "2026-03-29T23:30:00+02:00", false},
		{"Berlin, 25-hour day", "2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00", true},
		{"a later day counts: a clock is wrong", "2026-07-25T00:00:00Z", "2026-07-22T12:00:00Z", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			stores(t, func(t *testing.T, s engine.Store) {
				reserve(t, s, merge(at(c.first), 1, "h1"), true)
				reserve(t, s, merge(at(c.second), 1, "h2"), !c.same)
			})
		})
	}
}

func TestSettle(t *testing.T) {
	if testing.Short() {
		t.Skip("not one of the quick tests")
	}
	late := noon.Add(engine.DefaultTTL + engine.Grace + time.Second)
	for _, c := range []struct {
		name   string
		kind   engine.Kind
		holder bool
		e      engine.Evidence
		want   engine.LeaseState
		err    error
	}{
		{"holder merged", engine.Merge, true, engine.Evidence{Merged: true, Main: "m1", At: noon}, engine.Used, nil},
		{"holder did not", engine.Merge, true, engine.Evidence{Main: "m1", At: noon}, engine.Free, nil},
		{"holder did not, but where did it look", engine.Merge, true, engine.Evidence{At: noon}, "", engine.ErrNoProof},
		{"other, merged, at once", engine.Merge, false, engine.Evidence{Merged: true, Main: "m1", At: noon}, engine.Used, nil},
		{"other, not merged, too early", engine.Merge, false, engine.Evidence{Main: "m1", At: noon.Add(engine.DefaultTTL)}, "", engine.ErrLeaseHeld},
		{"other, not merged, exactly at the end", engine.Merge, false, engine.Evidence{Main: "m1", At: late.Add(-time.Second)}, "", engine.ErrLeaseHeld},
		{"other, not merged, late", engine.Merge, false, engine.Evidence{Main: "m1", At: late}, engine.Free, nil},
		{"other, not merged, no main", engine.Merge, false, engine.Evidence{At: late}, "", engine.ErrNoProof},
		{"other, not merged, no clock", engine.Merge, false, engine.Evidence{Main: "m1"}, "", engine.ErrNoProof},
		{"a run by its holder", engine.RunOf, true, engine.Evidence{At: noon}, engine.Free, nil},
		{"a run by another", engine.RunOf, false, engine.Evidence{Main: "m1", At: late}, "", engine.ErrNoProof},
	} {
		t.Run(c.name, func(t *testing.T) {
			stores(t, func(t *testing.T, s engine.Store) {
				r := merge(noon, 1, "h1")
				if r.Kind = c.kind; c.kind == engine.RunOf {
					r.Head = ""
				}
				l := reserve(t, s, r, true)
				shown := l
				if !c.holder {
					shown.Token = ""
				}
				got, err := s.Settle(t.Context(), shown, c.e)
				if !errors.Is(err, c.err) || got.State != c.want || got.Token != "" {
					t.Fatalf("Settle = %+v, %v", got, err)
				}
				reserve(t, s, r, c.want == engine.Free)
				open, err := s.OpenLeases(t.Context(), "shop")
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range open {
					if o.Token != "" {
						t.Error("OpenLeases shows a token")
					}
				}
				// Merged evidence counts, whatever was thought before, and nothing takes it back.
				if _, err := s.Settle(t.Context(), l, engine.Evidence{Merged: true, Main: "m2", At: late}); err != nil {
					t.Fatal(err)
				}
				after, err := s.Settle(t.Context(), l, engine.Evidence{Main: "m3", At: late})
				if err != nil || after.State != engine.Used {
					t.Errorf("a merge was taken back: %+v, %v", after, err)
				}
			})
		})
	}
	stores(t, func(t *testing.T, s engine.Store) {
		if _, err := s.Settle(t.Context(), engine.Lease{ID: "none", System: "shop", Environment: "dev"}, engine.Evidence{Merged: true}); !errors.Is(err, engine.ErrNoLease) {
			t.Errorf("unknown lease: %v", err)
		}
	})
}

func TestSettleExpired(t *testing.T) {
	stores(t, func(t *testing.T, s engine.Store) {
		merged, lost := reserve(t, s, merge(noon, 9, "merged"), true), reserve(t, s, merge(noon, 9, "lost"), true)
		unknown := reserve(t, s, merge(noon, 9, "unknown"), true)
		fresh := reserve(t, s, merge(noon.Add(time.Hour), 9, "fresh"), true)
		err := engine.SettleExpired(t.Context(), s, "shop", noon.Add(time.Hour), func(_ context.Context, l engine.Lease) (string, bool, error) {
			switch l.Head {
			case "unknown":
				return "", false, errors.New("the forge is down")
			case "fresh":
				t.Error("asked for a lease that is still held")
			}
			return "main1", l.Head == "merged", nil
		})
		if err == nil || !strings.Contains(err.Error(), unknown.ID) || !strings.Contains(err.Error(), "the forge is down") {
			t.Errorf("error %v", err)
		}
		open, err := s.OpenLeases(t.Context(), "shop")
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, l := range open {
			ids = append(ids, l.ID)
		}
		if diff := cmp.Diff([]string{unknown.ID, fresh.ID}, ids); diff != "" {
			t.Error(diff)
		}
		if u := used(t, s, "2026-07-22"); u.Merges != 3 {
			t.Errorf("used %d, want merged, unknown and fresh; %v was lost", u.Merges, lost.ID)
		}
		_ = merged
	})
}

func TestRecords(t *testing.T) {
	stores(t, func(t *testing.T, s engine.Store) {
		ctx := t.Context()
		run := engine.Run{ID: "r1", System: "shop", Environment: "dev", Component: "shop-api", Issue: "acme/shop#7", Started: noon, Level: "act", Commit: "c1"}
		if err := s.RecordRun(ctx, run); err != nil {
			t.Fatal(err)
		}
		run.Ended, run.Outcome, run.Minutes, run.Invocations, run.Reruns, run.Cost = noon.Add(time.Minute), "merged", 1.5, 3, 1, 0.25
		if err := s.RecordRun(ctx, run); err != nil {
			t.Fatal(err)
		}
		other := engine.Run{ID: "r0", System: "shop", Environment: "prod", Started: noon.Add(-48 * time.Hour)}
		if err := s.RecordRun(ctx, other); err != nil {
			t.Fatal(err)
		}
		runs, err := s.Runs(ctx, "shop", "", time.Time{})
		if diff := cmp.Diff([]engine.Run{other, run}, runs); err != nil || diff != "" {
			t.Error(err, diff)
		}
		runs, err = s.Runs(ctx, "shop", "dev", noon)
		if diff := cmp.Diff([]engine.Run{run}, runs); err != nil || diff != "" {
			t.Error(err, diff)
		}

		ev := engine.Event{ID: "ev-1", At: noon, System: "shop", Environment: "dev", Component: "shop-api", Action: "merge", Level: "act",
			Commit: "c1", From: "v1.4.1", To: "v1.4.2", Run: "r1", PR: "acme/shop#8"}
		for range 2 {
			if err := s.RecordEvent(ctx, ev); err != nil {
				t.Fatal(err)
			}
		}
		changed := ev
		changed.To = "v1.4.3"
		if err := s.RecordEvent(ctx, changed); !errors.Is(err, engine.ErrConflict) {
			t.Errorf("another event under the same id: %v", err)
		}
		got, err := s.Event(ctx, "ev-1")
		if diff := cmp.Diff(ev, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
		if _, err := s.Event(ctx, "ev-2"); !errors.Is(err, engine.ErrNoEvent) {
			t.Errorf("unknown event: %v", err)
		}
		for _, c := range []struct {
			system, env string
			since       time.Time
			n           int
		}{{"shop", "", noon, 1}, {"shop", "dev", noon, 1}, {"shop", "prod", noon, 0}, {"other", "", noon, 0}, {"shop", "", noon.Add(1), 0}} {
			if events, err := s.Events(ctx, c.system, c.env, c.since); err != nil || len(events) != c.n {
				t.Errorf("Events(%+v) = %d, %v", c, len(events), err)
			}
		}
		if err := s.RecordRun(ctx, engine.Run{}); err == nil {
			t.Error("a run without an id was recorded")
		}
		if err := s.RecordEvent(ctx, engine.Event{ID: "x"}); err == nil {
			t.Error("an event without a time was recorded")
		}
	})
}

func TestUndoOnce(t *testing.T) {
	places(t, func(t *testing.T, place string) {
		s, err := open(place)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		ctx := t.Context()
		ev := engine.Event{ID: "ev-1", At: noon, System: "shop", Environment: "dev", Level: "act", From: "a", To: "b"}
		if err := s.RecordEvent(ctx, ev); err != nil {
			t.Fatal(err)
		}
		if err := s.ClaimUndo(ctx, "ev-9", engine.Undo{By: "ana", At: noon}); !errors.Is(err, engine.ErrNoEvent) {
			t.Errorf("unknown event: %v", err)
		}
		if err := s.ClaimUndo(ctx, "ev-1", engine.Undo{}); err == nil {
			t.Error("an undo of nobody")
		}
		// Many connections at once: one wins.
		var wg sync.WaitGroup
		results := make([]error, 8)
		for i := range results {
			wg.Go(func() {
				own, err := open(place)
				if err != nil {
					results[i] = err
					return
				}
				defer own.Close()
				results[i] = own.ClaimUndo(ctx, "ev-1", engine.Undo{By: fmt.Sprint("p", i), At: noon})
			})
		}
		wg.Wait()
		winner := -1
		for i, err := range results {
			switch {
			case err == nil && winner < 0:
				winner = i
			case !errors.Is(err, engine.ErrUndone):
				t.Errorf("claim %d: %v", i, err)
			}
		}
		if winner < 0 {
			t.Fatal("nobody won")
		}
		won := engine.Undo{By: fmt.Sprint("p", winner), At: noon}
		if err := s.ReleaseUndo(ctx, "ev-1", engine.Undo{By: "nobody", At: noon}); !errors.Is(err, engine.ErrUndone) {
			t.Errorf("release by another: %v", err)
		}
		if err := s.ReleaseUndo(ctx, "ev-1", won); err != nil {
			t.Error(err)
		}
		if err := s.ClaimUndo(ctx, "ev-1", won); err != nil {
			t.Error(err)
		}
		won.PR = "acme/shop#9"
		if err := s.FinishUndo(ctx, "ev-1", won); err != nil {
			t.Error(err)
		}
		if err := s.ReleaseUndo(ctx, "ev-1", won); !errors.Is(err, engine.ErrUndone) {
			t.Errorf("release after the pull request is open: %v", err)
		}
		if got, err := s.Event(ctx, "ev-1"); err != nil || got.Undone != won {
			t.Errorf("event %+v, %v", got, err)
		}
		// What became of an event since does not make recording it again a conflict.
		if err := s.RecordEvent(ctx, ev); err != nil {
			t.Error(err)
		}
	})
}

func TestSignalsAreDurable(t *testing.T) {
	places(t, func(t *testing.T, place string) {
		s, err := open(place)
		if err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		if state, err := s.Signals(ctx, "shop", "dev"); err != nil || state.Pause != nil {
			t.Fatalf("fresh state %+v, %v", state, err)
		}
		pause := engine.Signal{Version: 1, ID: "p1", System: "shop", Environment: "dev", Kind: engine.Pause, By: "ana", At: noon}
		err = s.ChangeSignals(ctx, "shop", "dev", func(engine.Signals) (engine.Signals, error) {
			return engine.Signals{Pause: &engine.Accepted{Signal: pause, Order: noon}, Seen: []string{"pause p1"}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		refused := errors.New("refused")
		if err := s.ChangeSignals(ctx, "shop", "dev", func(engine.Signals) (engine.Signals, error) { return engine.Signals{}, refused }); !errors.Is(err, refused) {
			t.Errorf("refusal: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err = open(place); err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		state, err := s.Signals(ctx, "shop", "dev")
		if err != nil || !state.Paused() || state.Pause.ID != "p1" || !state.Pause.Order.Equal(noon) {
			t.Errorf("after a restart: %+v, %v", state, err)
		}
		// Lost updates: 8 writers, none forgotten.
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				own, err := open(place)
				if err != nil {
					t.Error(err)
					return
				}
				defer own.Close()
				for j := range 10 {
					if err := own.ChangeSignals(ctx, "shop", "prod", func(s engine.Signals) (engine.Signals, error) {
						s.Seen = append(s.Seen, fmt.Sprint(i, j))
						return s, nil
					}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if state, err := s.Signals(ctx, "shop", "prod"); err != nil || len(state.Seen) != 80 {
			t.Errorf("%d of 80 updates kept, %v", len(state.Seen), err)
		}
	})
}

func TestOpenErrors(t *testing.T) {
	if _, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "no", "folder.db")); err == nil {
		t.Error("a missing folder was accepted")
	}
	garbage := filepath.Join(t.TempDir(), "garbage.db")
	if err := os.WriteFile(garbage, []byte(strings.Repeat("not a database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), garbage); err == nil {
		t.Error("garbage was accepted")
	}
	_, err := postgres.Open(t.Context(), "postgres://u:se%zzcret@host/db")
	if err == nil || strings.Contains(err.Error(), "cret") {
		t.Errorf("a bad URL: %v", err)
	}
	_, err = postgres.Open(t.Context(), "postgres://u:secret@/db?host="+t.TempDir())
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("no server: %v", err)
	}
}

// TestBrokenStore: what cannot be read is an error of every method, never an empty answer.
func TestBrokenStore(t *testing.T) {
	places(t, func(t *testing.T, place string) {
		s, err := open(place)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.ChangeSignals(t.Context(), "shop", "dev", func(s engine.Signals) (engine.Signals, error) { return s, nil }); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		for name, do := range map[string]func() error{
			"Reserve":    func() error { _, _, err := s.Reserve(ctx, merge(noon, 1, "h")); return err },
			"Settle":     func() error { _, err := s.Settle(ctx, engine.Lease{ID: "x"}, engine.Evidence{}); return err },
			"OpenLeases": func() error { _, err := s.OpenLeases(ctx, "shop"); return err },
			"Used":       func() error { _, err := s.Used(ctx, "shop", "dev", "2026-07-22"); return err },
			"RecordRun": func() error {
				return s.RecordRun(ctx, engine.Run{ID: "r", System: "shop", Environment: "dev", Started: noon})
			},
			"Runs": func() error { _, err := s.Runs(ctx, "shop", "", noon); return err },
			"RecordEvent": func() error {
				return s.RecordEvent(ctx, engine.Event{ID: "e", System: "shop", Environment: "dev", At: noon})
			},
			"Event":         func() error { _, err := s.Event(ctx, "e"); return err },
			"Events":        func() error { _, err := s.Events(ctx, "shop", "", noon); return err },
			"ClaimUndo":     func() error { return s.ClaimUndo(ctx, "e", engine.Undo{By: "a", At: noon}) },
			"Signals":       func() error { _, err := s.Signals(ctx, "shop", "dev"); return err },
			"SettleExpired": func() error { return engine.SettleExpired(ctx, s, "shop", noon, nil) },
			"ChangeSignals": func() error {
				return s.ChangeSignals(ctx, "shop", "dev", func(s engine.Signals) (engine.Signals, error) { return s, nil })
			},
		} {
			if err := do(); err == nil || errors.Is(err, engine.ErrNoEvent) || errors.Is(err, engine.ErrUndone) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestForeignSchema: a state that cannot be read is no state that pauses nothing, and a store of a later program is left alone.
func TestForeignSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("INSERT INTO signals (system, environment, state) VALUES ('shop', 'dev', '{\"pause\":')"); err != nil {
		t.Fatal(err)
	}
	if state, err := s.Signals(t.Context(), "shop", "dev"); err == nil {
		t.Errorf("read as %+v", state)
	}
	if err := s.ChangeSignals(t.Context(), "shop", "dev", func(s engine.Signals) (engine.Signals, error) { return s, nil }); err == nil {
		t.Error("a torn state was overwritten")
	}
	if _, err := db.Exec("UPDATE ambit_schema SET version = 2"); err != nil {
		t.Fatal(err)
	}
	if _, err := open(path); err == nil || !strings.Contains(err.Error(), "schema 2") {
		t.Errorf("a later schema: %v", err)
	}
}

func TestPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	reserve(t, s, merge(noon, 1, "h"), true)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(path + suffix); err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: mode %v", suffix, info.Mode())
		}
	}
}
