package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
	"example.com/ambit/systempolicy/engine/forge"
)

// every is how often main is read; stale is when a reading that could not be renewed is no longer trusted.
const (
	every = 5 * time.Minute
	stale = 15 * time.Minute
)

// mainBranch reads autonomy.json from the gitops repository's main.
type mainBranch struct {
	git    forge.Git
	system string
	store  engine.Store

	mu   sync.Mutex
	last engine.Merged
}

// Read gives what main said when it was last read. It waits for nothing: a pause must not wait for a forge that is down.
func (m *mainBranch) Read(context.Context) (engine.Merged, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.last.ReadAt) > stale {
		return engine.Merged{}, errors.New("main was not read for too long, so nothing is merged")
	}
	return m.last, nil
}

// watch reads main every five minutes, until ctx ends. What cannot be read is tried again then; the last reading counts for a while.
func (m *mainBranch) watch(ctx context.Context, complain func(error)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := m.refresh(ctx); err != nil && ctx.Err() == nil {
			complain(err)
		}
	}
}

// refresh reads autonomy.json together with the commit's SHA, and drops the signals that main has caught up with.
func (m *mainBranch) refresh(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	now := time.Now()
	commit, err := m.git.Fetch(ctx, "origin", "main")
	if err != nil {
		return err
	}
	name := "applications/" + m.system + "/autonomy.json"
	data, ok, err := m.git.Read(ctx, commit, name)
	if err != nil {
		return err
	}
	fresh := engine.Merged{Commit: commit, ReadAt: now}
	if ok { // a missing file is observe everywhere, and so is what is wrong in one
		fresh.System, err = systempolicy.LoadRendered(name, data)
	}
	m.mu.Lock()
	m.last = fresh
	m.mu.Unlock()
	return errors.Join(err, engine.Reconcile(ctx, m.store, m.system, fresh))
}
