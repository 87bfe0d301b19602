package sqlstore

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"

	"example.com/ambit/systempolicy/engine"
)

const leaseColumns = "id, system, environment, kind, day, head, holder, at, expires, state, main, settled, token"

func scanLease(row scanner) (engine.Lease, error) {
	var l engine.Lease
	var at, expires, settled int64
	err := row.Scan(&l.ID, &l.System, &l.Environment, &l.Kind, &l.Day, &l.Head, &l.Holder, &at, &expires, &l.State, &l.Main, &settled, &l.Token)
	l.At, l.Expires, l.Settled = instant(at), instant(expires), instant(settled)
	return l, err
}

// Reserve takes one merge or run of the day's budget, atomically across processes. Leases of later days count as well:
// a clock is wrong then, and the budget must hold for whichever it is. // F12
func (s *Store) Reserve(ctx context.Context, r engine.Reservation) (lease engine.Lease, ok bool, err error) {
	if err := r.Validate(); err != nil {
		return engine.Lease{}, false, err
	}
	if r.ID == "" {
		r.ID = rand.Text()
	}
	if r.TTL == 0 {
		r.TTL = engine.DefaultTTL
	}
	err = s.scoped(ctx, r.System, r.Environment, func(q queries) error {
		old, err := scanLeaseByID(q, r.ID)
		switch {
		case err == nil:
			if old.System != r.System || old.Environment != r.Environment || old.Kind != r.Kind || old.Head != r.Head {
				return fmt.Errorf("lease %s: %w", r.ID, engine.ErrConflict)
			}
			lease, ok = old, old.State == engine.Held && !r.At.After(old.Expires)
			return nil
		case !errors.Is(err, engine.ErrNoLease):
			return err
		}
		var used int64
		if err := q.row("SELECT COUNT(*) FROM leases WHERE system = ? AND environment = ? AND kind = ? AND day >= ? AND state <> ?",
			[]any{r.System, r.Environment, r.Kind, engine.Day(r.At), engine.Free}, &used); err != nil {
			return err
		}
		if used >= r.Limit {
			return nil
		}
		at := r.At.UTC()
		lease = engine.Lease{ID: r.ID, System: r.System, Environment: r.Environment, Kind: r.Kind, Day: engine.Day(r.At),
			Head: r.Head, Holder: r.Holder, At: at, Expires: at.Add(r.TTL), State: engine.Held, Token: rand.Text()}
		ok = true
		_, err = q.exec("INSERT INTO leases ("+leaseColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			lease.ID, lease.System, lease.Environment, lease.Kind, lease.Day, lease.Head, lease.Holder, nanos(lease.At), nanos(lease.Expires),
			lease.State, "", 0, lease.Token)
		return err
	})
	if err != nil || !ok {
		return engine.Lease{}, false, err
	}
	return lease, true, nil
}

// Settle closes a lease by engine.Settlement.
func (s *Store) Settle(ctx context.Context, l engine.Lease, e engine.Evidence) (engine.Lease, error) {
	var out engine.Lease
	err := s.scoped(ctx, l.System, l.Environment, func(q queries) error {
		now, err := scanLeaseByID(q, l.ID)
		if err != nil {
			return err
		}
		holder := l.Token != "" && subtle.ConstantTimeCompare([]byte(l.Token), []byte(now.Token)) == 1
		state, err := engine.Settlement(now, e, holder)
		if err != nil {
			return err
		}
		out = now
		if state == now.State {
			return nil
		}
		out.State, out.Main, out.Settled = state, e.Main, e.At.UTC()
		_, err = q.exec("UPDATE leases SET state = ?, main = ?, settled = ? WHERE id = ?", out.State, out.Main, nanos(out.Settled), out.ID)
		return err
	})
	if err != nil {
		return engine.Lease{}, err
	}
	out.Token = ""
	return out, nil
}

// OpenLeases gives the leases of a system that are held, oldest first.
func (s *Store) OpenLeases(ctx context.Context, system string) ([]engine.Lease, error) {
	var out []engine.Lease
	err := s.plain(ctx).all("SELECT "+leaseColumns+" FROM leases WHERE system = ? AND state = ? ORDER BY at, id", []any{system, engine.Held}, func(row scanner) error {
		l, err := scanLease(row)
		l.Token = ""
		out = append(out, l)
		return err
	})
	return out, err
}

// Used counts what Reserve counts.
func (s *Store) Used(ctx context.Context, system, environment, day string, except ...string) (engine.Usage, error) {
	u := engine.Usage{Day: day}
	own := make(map[string]bool, len(except))
	for _, id := range except {
		own[id] = true
	}
	err := s.plain(ctx).all("SELECT "+leaseColumns+" FROM leases WHERE system = ? AND environment = ? AND day >= ? AND state <> ?",
		[]any{system, environment, day, engine.Free}, func(row scanner) error {
			l, err := scanLease(row)
			switch {
			case own[l.ID]:
			case l.Kind == engine.Merge:
				u.Merges++
			default:
				u.Runs++
			}
			return err
		})
	return u, err
}

func scanLeaseByID(q queries, id string) (engine.Lease, error) {
	l, err := scanLease(q.on.QueryRowContext(q.ctx, q.d.placeholders("SELECT "+leaseColumns+" FROM leases WHERE id = ?"), id))
	if errors.Is(err, sql.ErrNoRows) {
		return engine.Lease{}, fmt.Errorf("lease %s: %w", id, engine.ErrNoLease)
	}
	return l, err
}
