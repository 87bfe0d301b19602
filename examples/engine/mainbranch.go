package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
	"example.com/ambit/systempolicy/engine/forge"
)

// every is how often main is read at most; stale is when a reading that could not be renewed is no longer trusted.
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

// Read gives what main says, at most five minutes old. While the repository cannot be reached it gives the last reading for a
// while, then an error, with which nothing is merged.
func (m *mainBranch) Read(ctx context.Context) (engine.Merged, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if now.Sub(m.last.ReadAt) < every {
		return m.last, nil
	}
	fresh, err := m.read(ctx, now)
	switch {
	case err == nil:
		m.last = fresh
		return fresh, engine.Reconcile(ctx, m.store, m.system, fresh)
	case now.Sub(m.last.ReadAt) < stale:
		return m.last, nil
	}
	return engine.Merged{}, fmt.Errorf("main cannot be read: %w", err)
}

func (m *mainBranch) read(ctx context.Context, now time.Time) (engine.Merged, error) {
	commit, err := m.git.Fetch(ctx, "origin", "main")
	if err != nil {
		return engine.Merged{}, err
	}
	name := "applications/" + m.system + "/autonomy.json"
	data, ok, err := m.git.Read(ctx, commit, name)
	if err != nil {
		return engine.Merged{}, err
	}
	fresh := engine.Merged{Commit: commit, ReadAt: now}
	if ok { // a missing file is observe everywhere, and so is what is wrong in one
		fresh.System, _ = systempolicy.LoadRendered(name, data)
	}
	return fresh, nil
}
