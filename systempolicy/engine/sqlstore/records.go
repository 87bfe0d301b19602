package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"example.com/ambit/systempolicy/engine"
)

const (
	runColumns   = "id, system, environment, component, issue, started, ended, level, commit_sha, outcome, minutes, invocations, reruns, cost"
	eventColumns = "id, at, system, environment, component, action, level, commit_sha, from_version, to_version, run, pr, undone_by, undone_at, undone_pr"
)

// RecordRun writes a run, or replaces the record of the same id.
func (s *Store) RecordRun(ctx context.Context, r engine.Run) error {
	if r.ID == "" || r.System == "" || r.Environment == "" || r.Started.IsZero() {
		return errors.New("a run needs an id, a system, an environment and a start")
	}
	_, err := s.plain(ctx).exec("INSERT INTO runs ("+runColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET system = excluded.system, environment = excluded.environment, component = excluded.component,
		issue = excluded.issue, started = excluded.started, ended = excluded.ended, level = excluded.level, commit_sha = excluded.commit_sha,
		outcome = excluded.outcome, minutes = excluded.minutes, invocations = excluded.invocations, reruns = excluded.reruns, cost = excluded.cost`,
		r.ID, r.System, r.Environment, r.Component, r.Issue, nanos(r.Started), nanos(r.Ended), r.Level, r.Commit, r.Outcome,
		r.Minutes, r.Invocations, r.Reruns, r.Cost)
	return err
}

// Runs gives the runs of a system that started at or after since, oldest first.
func (s *Store) Runs(ctx context.Context, system, environment string, since time.Time) ([]engine.Run, error) {
	var out []engine.Run
	where, args := within("started", system, environment, since)
	err := s.plain(ctx).all("SELECT "+runColumns+" FROM runs "+where+" ORDER BY started, id", args, func(row scanner) error {
		var r engine.Run
		var started, ended int64
		err := row.Scan(&r.ID, &r.System, &r.Environment, &r.Component, &r.Issue, &started, &ended, &r.Level, &r.Commit, &r.Outcome,
			&r.Minutes, &r.Invocations, &r.Reruns, &r.Cost)
		r.Started, r.Ended = instant(started), instant(ended)
		out = append(out, r)
		return err
	})
	return out, err
}

// RecordEvent writes an audit event once.
func (s *Store) RecordEvent(ctx context.Context, e engine.Event) error {
	if e.ID == "" || e.System == "" || e.Environment == "" || e.At.IsZero() {
		return errors.New("an event needs an id, a system, an environment and a time")
	}
	return s.tx(ctx, func(q queries) error {
		n, err := q.exec("INSERT INTO events ("+eventColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
			e.ID, nanos(e.At), e.System, e.Environment, e.Component, e.Action, e.Level, e.Commit, e.From, e.To, e.Run, e.PR,
			e.Undone.By, nanos(e.Undone.At), e.Undone.PR)
		if err != nil || n == 1 {
			return err
		}
		old, err := eventByID(q, e.ID)
		if err != nil {
			return err
		}
		e.At, old.Undone, e.Undone = e.At.UTC(), engine.Undo{}, engine.Undo{} // what became of it since is not the event
		if old != e {
			return fmt.Errorf("event %s: %w", e.ID, engine.ErrConflict)
		}
		return nil
	})
}

// Event gives one event.
func (s *Store) Event(ctx context.Context, id string) (engine.Event, error) {
	return eventByID(s.plain(ctx), id)
}

// Events gives the events of a system at or after since, oldest first.
func (s *Store) Events(ctx context.Context, system, environment string, since time.Time) ([]engine.Event, error) {
	var out []engine.Event
	where, args := within("at", system, environment, since)
	err := s.plain(ctx).all("SELECT "+eventColumns+" FROM events "+where+" ORDER BY at, id", args, func(row scanner) error {
		e, err := scanEvent(row)
		out = append(out, e)
		return err
	})
	return out, err
}

// ClaimUndo marks an event as undone, for one caller only.
func (s *Store) ClaimUndo(ctx context.Context, id string, u engine.Undo) error {
	if u.By == "" || u.At.IsZero() {
		return errors.New("an undo needs a person and a time")
	}
	return s.undo(ctx, id, "UPDATE events SET undone_by = ?, undone_at = ?, undone_pr = ? WHERE id = ? AND undone_by = ''", u.By, nanos(u.At), u.PR, id)
}

// ReleaseUndo takes that claim back, if no pull request is noted.
func (s *Store) ReleaseUndo(ctx context.Context, id string, u engine.Undo) error {
	return s.undo(ctx, id, "UPDATE events SET undone_by = '', undone_at = 0 WHERE id = ? AND undone_by = ? AND undone_at = ? AND undone_pr = ''", id, u.By, nanos(u.At))
}

// FinishUndo notes the pull request of that claim.
func (s *Store) FinishUndo(ctx context.Context, id string, u engine.Undo) error {
	return s.undo(ctx, id, "UPDATE events SET undone_pr = ? WHERE id = ? AND undone_by = ? AND undone_at = ?", u.PR, id, u.By, nanos(u.At))
}

// undo runs a conditional update; where it touched nothing, the event is missing or undone by someone else.
func (s *Store) undo(ctx context.Context, id, statement string, args ...any) error {
	return s.tx(ctx, func(q queries) error {
		n, err := q.exec(statement, args...)
		if err != nil || n == 1 {
			return err
		}
		e, err := eventByID(q, id)
		if err != nil {
			return err
		}
		return fmt.Errorf("event %s: %w by %q", id, engine.ErrUndone, e.Undone.By)
	})
}

func scanEvent(row scanner) (engine.Event, error) {
	var e engine.Event
	var at, undone int64
	err := row.Scan(&e.ID, &at, &e.System, &e.Environment, &e.Component, &e.Action, &e.Level, &e.Commit, &e.From, &e.To, &e.Run, &e.PR,
		&e.Undone.By, &undone, &e.Undone.PR)
	e.At, e.Undone.At = instant(at), instant(undone)
	return e, err
}

func eventByID(q queries, id string) (engine.Event, error) {
	e, err := scanEvent(q.on.QueryRowContext(q.ctx, q.d.placeholders("SELECT "+eventColumns+" FROM events WHERE id = ?"), id))
	if errors.Is(err, sql.ErrNoRows) {
		return engine.Event{}, fmt.Errorf("event %q: %w", id, engine.ErrNoEvent)
	}
	return e, err
}

func within(column, system, environment string, since time.Time) (string, []any) {
	where, args := "WHERE system = ? AND "+column+" >= ?", []any{system, nanos(since)}
	if environment != "" {
		where, args = where+" AND environment = ?", append(args, environment)
	}
	return where, args
}
