package engine

import (
	"cmp"
	"context"
	"time"

	"example.com/ambit/systempolicy"
)

// Guard asks the whole question that an engine has before it merges: does what is in force allow it, now, and is there a merge left
// in today's budget, that nobody else takes?
type Guard struct {
	System string                                    // the system's name
	Merged func(ctx context.Context) (Merged, error) // what is read from main
	Store  Store                                     // shared by all replicas of the engine
	Now    func() time.Time                          // nil is time.Now
	Holder string                                    // who asks, for people
}

// Change is what would be merged.
type Change struct {
	Environment, Component string             // whose policy judges, and which instance
	Head                   string             // the head SHA; the merge must be conditional on it // F18
	Facts                  systempolicy.Facts // of that SHA; the day's counts are filled in by the Guard
	RunLease               string             // the lease of the run that made the change, which does not count // F12
	TTL                    time.Duration      // how long the merge may take; 0 is DefaultTTL
}

// Permit is the answer. The zero value permits nothing.
type Permit struct {
	systempolicy.Decision
	InForce InForce // what it was judged by
	Lease   Lease   // to be settled, when Merge
}

// Reserve judges the change and takes its merge from today's budget; Permit.Merge says whether it may be merged now, until
// Lease.Expires, under the condition that its head is still that SHA. The question is asked twice, before the merge is reserved and after:
// a signal may have come between. An error permits nothing.
func (g Guard) Reserve(ctx context.Context, c Change) (Permit, error) {
	p, err := g.judge(ctx, c)
	if err != nil || !p.Merge {
		return p, err
	}
	now := g.now()
	lease, ok, err := g.Store.Reserve(ctx, Reservation{System: g.System, Environment: c.Environment, Kind: Merge, Limit: p.InForce.Policy.MergesPerDay(),
		At: now, TTL: c.TTL, Head: c.Head, Holder: g.Holder})
	if err != nil {
		return Permit{}, err
	}
	if !ok { // somebody was faster
		p.Merge, p.Outside = false, p.Outside.With(systempolicy.MergesPerDay)
		return p, nil
	}
	again, err := g.judge(ctx, c, lease.ID)
	if err == nil && again.Merge {
		again.Lease = lease
		return again, nil
	}
	// The lease's holder gives it back; should that fail, it counts until it is settled.
	_, settle := g.Store.Settle(context.WithoutCancel(ctx), lease, Evidence{Main: cmp.Or(again.InForce.Commit, p.InForce.Commit), At: g.now()})
	again.Merge = false
	if err == nil {
		err = settle
	}
	return again, err
}

// judge decides by what is in force now; leases in except are one's own.
func (g Guard) judge(ctx context.Context, c Change, except ...string) (Permit, error) {
	merged, err := g.Merged(ctx)
	if err != nil {
		return Permit{}, err
	}
	s, err := g.Store.Signals(ctx, g.System, c.Environment)
	if err != nil {
		return Permit{}, err
	}
	now := g.now()
	used, err := g.Store.Used(ctx, g.System, c.Environment, Day(now), append(except, c.RunLease)...)
	if err != nil {
		return Permit{}, err
	}
	c.Facts.MergesToday, c.Facts.RunsToday = systempolicy.Known(used.Merges), systempolicy.Known(used.Runs)
	f := merged.InForce(c.Environment, s)
	return Permit{Decision: f.Decide(c.Component, c.Facts, now), InForce: f}, nil
}

func (g Guard) now() time.Time {
	if g.Now != nil {
		return g.Now()
	}
	return time.Now()
}
