package engine

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Store keeps what an engine must not forget: signals, day counters, runs, and what it did on its own. It may be shared
// by several replicas of one engine; every method is safe for concurrent use and atomic across them. A method that
// returns an error has changed nothing, unless the error is of the connection and the outcome unknown: reservations,
// records and signals carry ids, so that doing it again is harmless.
//
// The packages sqlstore/sqlite and sqlstore/postgres open one.
type Store interface {
	// Reserve takes one merge or run of the day's budget: ok when it is the caller's, not ok when the budget is used up.
	Reserve(ctx context.Context, r Reservation) (lease Lease, ok bool, err error)
	// Settle closes a lease by what was seen on main; see Evidence for what proves what.
	Settle(ctx context.Context, lease Lease, e Evidence) (Lease, error)
	// OpenLeases gives the leases of a system that nobody settled, oldest first, without their tokens.
	OpenLeases(ctx context.Context, system string) ([]Lease, error)
	// Used counts the runs and merges that count against the budget of a UTC day, without those whose lease ids are in except.
	Used(ctx context.Context, system, environment, day string, except ...string) (Usage, error)

	// RecordRun writes a run, or what became of it: the same id again replaces the record.
	RecordRun(ctx context.Context, r Run) error
	// Runs gives the runs of a system that started at or after since, oldest first. An empty environment means all.
	Runs(ctx context.Context, system, environment string, since time.Time) ([]Run, error)
	// RecordEvent writes an audit event. The same event again is harmless; another one under the same id is ErrConflict.
	RecordEvent(ctx context.Context, e Event) error
	// Event gives one event, or ErrNoEvent.
	Event(ctx context.Context, id string) (Event, error)
	// Events gives the events of a system at or after since, oldest first. An empty environment means all.
	Events(ctx context.Context, system, environment string, since time.Time) ([]Event, error)
	// ClaimUndo marks an event as undone. Of any number of claims one wins, the others get ErrUndone. // U5
	ClaimUndo(ctx context.Context, id string, u Undo) error
	// ReleaseUndo takes a claim back whose pull request was not opened. Only the claim of that person and time is released.
	ReleaseUndo(ctx context.Context, id string, u Undo) error
	// FinishUndo notes the pull request of a claimed undo.
	FinishUndo(ctx context.Context, id string, u Undo) error

	// Signals gives what the signals of an environment amount to.
	Signals(ctx context.Context, system, environment string) (Signals, error)
	// ChangeSignals hands the state to change and makes what it returns durable, before it returns; nobody else's change
	// comes between. An error of change is returned and nothing written. change must not use the store.
	ChangeSignals(ctx context.Context, system, environment string, change func(Signals) (Signals, error)) error

	// Close releases what the store holds; it is not used afterwards.
	Close() error
}

// The classes of errors of a Store.
var (
	ErrNoEvent   = errors.New("no such event")                    // of Event and ClaimUndo
	ErrUndone    = errors.New("already undone")                   // of ClaimUndo: another claim came first
	ErrConflict  = errors.New("the id belongs to another record") // of Reserve and RecordEvent: the same id, and something else in it
	ErrNoLease   = errors.New("no such lease")                    // of Settle
	ErrLeaseHeld = errors.New("the lease is still held")          // of Settle: only its holder may free it yet
	ErrNoProof   = errors.New("no proof that nothing was merged") // of Settle: the lease stays as it is
)

// Kind says which budget a reservation is taken from.
type Kind string

const (
	Merge Kind = "merge" // budget.mergesPerDay
	RunOf Kind = "run"   // budget.runsPerDay
)

// Reservation asks for one merge or run.
type Reservation struct {
	ID          string        // the same id again gives the same lease; "" is a new one
	System      string        // which system
	Environment string        // whose budget
	Kind        Kind          // which budget
	Limit       int64         // the budget in force; 0 or less is used up from the start // F8
	At          time.Time     // now; its UTC day is the day that is charged // F9
	TTL         time.Duration // how long the holder may take; 0 is DefaultTTL
	Head        string        // for a merge: the head SHA that would be merged; the only thing that can prove it was not
	Holder      string        // who asks, for people
}

// DefaultTTL is how long a lease is held when the reservation does not say.
const DefaultTTL = 10 * time.Minute

// Grace is how long after a lease's end one still waits for a merge that its holder may have begun in time. A holder ends
// its merge call at Lease.Expires; Grace covers the forge's own delay and clocks that disagree.
const Grace = 2 * time.Minute

// LeaseState says whether a lease counts.
type LeaseState string

const (
	Held LeaseState = "held" // reserved; counts, also after it has expired
	Used LeaseState = "used" // it happened; counts
	Free LeaseState = "free" // proven not to have happened; does not count
)

// Lease is one reservation that was granted.
type Lease struct {
	ID, System, Environment string     // its own, and whose budget it is taken from
	Kind                    Kind       // which budget
	Day                     string     // the UTC day that is charged, as 2026-07-22
	Head, Holder            string     // as in the Reservation
	At, Expires             time.Time  // when it was taken, and until when its holder may act
	State                   LeaseState // held, used or free
	Main                    string     // the SHA of main by which it was settled
	Settled                 time.Time  // zero while it is held
	Token                   string     // known to the holder alone
}

// Evidence is what was seen of a lease's merge. Merged evidence always counts, whoever brings it and whatever was thought before.
// Evidence that nothing was merged frees the lease only when it names the commit of main that was looked at for the
// lease's head SHA, and comes from the holder, or was seen later than Expires plus Grace. A run's lease has no head: only its holder frees it.
type Evidence struct {
	Merged bool      // the head is in main
	Main   string    // the SHA of main that was looked at
	At     time.Time // when
}

// Usage is what counts against a day's budgets.
type Usage struct {
	Day    string `json:"day"`    // the UTC day, as 2026-07-22
	Runs   int64  `json:"runs"`   // begun, whatever became of them
	Merges int64  `json:"merges"` // made or held; an undone merge was a merge
}

// Day gives the UTC calendar day of an instant, as budgets count it. // F9
func Day(now time.Time) string { return now.UTC().Format(time.DateOnly) }

// Validate reports what makes a reservation impossible to judge. A store calls it first.
func (r Reservation) Validate() error {
	switch {
	case r.System == "" || r.Environment == "":
		return errors.New("a reservation needs a system and an environment")
	case r.Kind != Merge && r.Kind != RunOf:
		return fmt.Errorf("unknown kind %q; allowed: merge, run", r.Kind)
	case !plausible(r.At):
		return errors.New("a reservation needs a clock") // F11
	case r.TTL < 0:
		return errors.New("a lease cannot end before it begins")
	case r.Kind == Merge && r.Head == "":
		return errors.New("a merge needs the head SHA that it would merge") // F18
	}
	return nil
}

// plausible holds for times whose day has four digits and which fit in nanoseconds.
func plausible(t time.Time) bool { return t.Year() >= 1970 && t.Year() < 2200 }

// Settlement says what a settled lease becomes, or why the evidence does not settle it. It is the one place where the rule is
// written; a store calls it under its lock with the lease as it stands, holder true when the caller showed the lease's token.
func Settlement(l Lease, e Evidence, holder bool) (LeaseState, error) {
	switch {
	case e.Merged || l.State == Used:
		return Used, nil // what happened, happened
	case l.State == Free:
		return Free, nil
	case !plausible(e.At):
		return "", fmt.Errorf("lease %s: %w: no clock", l.ID, ErrNoProof)
	case l.Kind == Merge && e.Main == "":
		return "", fmt.Errorf("lease %s: %w: the commit of main is not named", l.ID, ErrNoProof)
	case holder:
		return Free, nil
	case l.Head == "":
		return "", fmt.Errorf("lease %s: %w: it has no head SHA", l.ID, ErrNoProof)
	case !e.At.After(l.Expires.Add(Grace)):
		return "", fmt.Errorf("lease %s: %w until %s", l.ID, ErrLeaseHeld, l.Expires.Add(Grace).UTC().Format(time.RFC3339))
	}
	return Free, nil
}

// SettleExpired looks at every lease of a system that nobody settled and whose time is over, asks onMain whether its head was
// merged, and settles it. onMain gives the SHA of main that it looked at. What onMain cannot say stays used; its
// errors are joined. An engine calls it when it starts and before it reserves.
func SettleExpired(ctx context.Context, s Store, system string, now time.Time, onMain func(ctx context.Context, l Lease) (main string, merged bool, err error)) error {
	open, err := s.OpenLeases(ctx, system)
	if err != nil {
		return err
	}
	var errs []error
	for _, l := range open {
		if l.Head == "" || !now.After(l.Expires.Add(Grace)) {
			continue
		}
		main, merged, err := onMain(ctx, l)
		if err == nil {
			_, err = s.Settle(ctx, l, Evidence{Merged: merged, Main: main, At: now})
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("lease %s: %w", l.ID, err))
		}
	}
	return errors.Join(errs...)
}
