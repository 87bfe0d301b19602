package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
)

func (f *fixture) guard() engine.Guard {
	return engine.Guard{System: "shop", Store: f.store, Now: f.clock, Holder: "test",
		Merged: func(ctx context.Context) (engine.Merged, error) { return f.read(ctx, "shop") }}
}

func change(head string) engine.Change {
	return engine.Change{Environment: "dev", Component: "shop-api", Head: head, Facts: inside()}
}

func TestGuard(t *testing.T) {
	f := newFixture(t, merged(t, actAutonomy, false))
	g := f.guard()
	for i := range 2 {
		p, err := g.Reserve(t.Context(), change(fmt.Sprint("h", i)))
		if err != nil || !p.Merge || p.Lease.Head != fmt.Sprint("h", i) || p.InForce.Commit != "c1" {
			t.Fatalf("%d: %+v, %v", i, p, err)
		}
	}
	p, err := g.Reserve(t.Context(), change("h2"))
	if diff := cmp.Diff([]string{"budget.mergesPerDay"}, p.Reasons()); err != nil || p.Merge || p.Lease.ID != "" || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	// The facts' own counts do not matter: the store's do. And the budget is new at UTC midnight.
	f.set(func(f *fixture) { f.now = noon.Add(24 * time.Hour) })
	c := change("h3")
	c.Facts.MergesToday = systempolicy.Known(99)
	if p, err = g.Reserve(t.Context(), c); err != nil || !p.Merge {
		t.Errorf("the next day: %v, %v", p.Reasons(), err)
	}
	// All reasons, in order.
	f.send(signal(engine.Pause, "p", noon, ""))
	c.Facts.Files = systempolicy.Known(9)
	if p, err = g.Reserve(t.Context(), c); err != nil || !cmp.Equal(p.Reasons(), []string{"level", "riskGate.maxFiles"}) {
		t.Errorf("%v, %v", p.Reasons(), err)
	}
}

func TestGuardCountsOtherRuns(t *testing.T) {
	f := newFixture(t, merged(t, `{"level": "act", "engine": "https://e.example.com", "budget": {"runsPerDay": 1}}`, false))
	run, ok, err := f.store.Reserve(t.Context(), engine.Reservation{System: "shop", Environment: "dev", Kind: engine.RunOf, Limit: 1, At: noon})
	if err != nil || !ok {
		t.Fatal(err)
	}
	p, err := f.guard().Reserve(t.Context(), change("h"))
	if err != nil || !cmp.Equal(p.Reasons(), []string{"budget.runsPerDay"}) {
		t.Errorf("another's run: %v, %v", p.Reasons(), err)
	}
	c := change("h")
	c.RunLease = run.ID
	if p, err = f.guard().Reserve(t.Context(), c); err != nil || !p.Merge {
		t.Errorf("one's own run: %v, %v", p.Reasons(), err)
	}
}

// TestGuardAsksTwice: a pause that comes between the question and the reservation stops the merge, and gives the budget back.
func TestGuardAsksTwice(t *testing.T) {
	f := newFixture(t, merged(t, actAutonomy, false))
	g := f.guard()
	asked := 0
	g.Merged = func(ctx context.Context) (engine.Merged, error) {
		if asked++; asked == 2 {
			f.send(signal(engine.Pause, "p", noon, ""))
		}
		return f.read(ctx, "shop")
	}
	p, err := g.Reserve(t.Context(), change("h"))
	if err != nil || p.Merge || !cmp.Equal(p.Reasons(), []string{"level"}) {
		t.Errorf("%+v, %v", p.Reasons(), err)
	}
	if u, err := f.store.Used(t.Context(), "shop", "dev", "2026-07-22"); err != nil || u.Merges != 0 {
		t.Errorf("the budget was not given back: %+v, %v", u, err)
	}
	// When main cannot be read the second time, nothing is permitted either.
	f = newFixture(t, merged(t, actAutonomy, false))
	g, asked = f.guard(), 0
	g.Merged = func(ctx context.Context) (engine.Merged, error) {
		if asked++; asked == 2 {
			return engine.Merged{}, errors.New("github is down")
		}
		return f.read(ctx, "shop")
	}
	if p, err := g.Reserve(t.Context(), change("h")); err == nil || p.Merge {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestGuardFailsClosed(t *testing.T) {
	f := newFixture(t, merged(t, actAutonomy, false))
	f.set(func(f *fixture) { f.err = errors.New("github is down") })
	if p, err := f.guard().Reserve(t.Context(), change("h")); err == nil || p.Merge {
		t.Errorf("without main: %+v, %v", p, err)
	}
	f.set(func(f *fixture) { f.err = nil })
	if p, err := f.guard().Reserve(t.Context(), change("")); err == nil || p.Merge {
		t.Errorf("without a head: %+v, %v", p, err)
	}
	if err := f.store.Close(); err != nil {
		t.Fatal(err)
	}
	if p, err := f.guard().Reserve(t.Context(), change("h")); err == nil || p.Merge {
		t.Errorf("without a store: %+v, %v", p, err)
	}
	f.start()
}

// TestGuardRace: many workers, one budget. // F18
func TestGuardRace(t *testing.T) {
	f := newFixture(t, merged(t, actAutonomy, false))
	var wg sync.WaitGroup
	var merges atomic.Int64
	for i := range 16 {
		wg.Go(func() {
			p, err := f.guard().Reserve(t.Context(), change(fmt.Sprint("h", i)))
			if err != nil {
				t.Error(err)
			}
			if p.Merge {
				merges.Add(1)
			} else if !strings.Contains(strings.Join(p.Reasons(), " "), "budget.mergesPerDay") {
				t.Errorf("%v", p.Reasons())
			}
		})
	}
	wg.Wait()
	if merges.Load() > 2 || merges.Load() == 0 {
		t.Errorf("%d merges, the budget is 2", merges.Load())
	}
}
