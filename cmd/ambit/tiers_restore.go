package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"example.com/ambit/harness"
)

func runTiersRestore(c *call) int {
	p, code := c.loadProtocol()
	if code != exitOK {
		return code
	}
	plan, err := harness.PlanRestore(c.root(), p, c.operands[0], harness.Options{Now: c.now})
	if errors.Is(err, harness.ErrUnknown) {
		err = hinted{err, "there is: " + orNone(c.backups())}
	}
	if err != nil {
		return c.failHarness(err)
	}
	return c.applyChanges(plan)
}

// backups gives the stamps that can be restored, the newest first.
func (c *call) backups() (stamps []string) {
	entries, _ := os.ReadDir(filepath.Join(c.root(), filepath.FromSlash(harness.BackupsPath)))
	for _, e := range slices.Backward(entries) {
		// One without a manifest is of a run that was killed.
		if _, err := os.Stat(filepath.Join(c.root(), filepath.FromSlash(harness.BackupsPath), e.Name(), "permissions", "manifest.json")); err == nil {
			stamps = append(stamps, e.Name())
		}
	}
	return stamps
}
