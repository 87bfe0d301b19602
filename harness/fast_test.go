package harness_test

import (
	"os"
	"testing"
)

// fastDir makes a folder for one test, in memory where the system has such a place: a run syncs every file that it
// writes.
func fastDir(t testing.TB) string {
	t.Helper()
	const memory = "/dev/shm"
	if _, err := os.Stat(memory); err != nil {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "ambit-*")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}
