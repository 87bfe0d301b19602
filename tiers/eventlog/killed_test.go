package eventlog_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
	"example.com/ambit/tiers"
	"example.com/ambit/tiers/eventlog"
)

// TestKilled: a recording process that is killed loses no row that it reported, and leaves a log that the next process
// reads and writes.
func TestKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "events.sqlite")
	reported := 0
	for round := range regime.Cases(t, 5, 100) {
		c := exec.Command(self)
		c.Env = append(os.Environ(), "AMBIT_TEST_EVENTS="+file, fmt.Sprintf("AMBIT_TEST_WRITER=%d", round), "AMBIT_TEST_COUNT=100000", "AMBIT_TEST_TELL=1")
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(10+rand.IntN(80))*time.Millisecond, func() { _ = c.Process.Kill() })
		for lines := bufio.NewScanner(out); lines.Scan(); {
			reported++
		}
		_ = c.Wait()
		timer.Stop()
	}
	log := eventlog.Log{File: file}
	events, err := log.Query(t.Context(), eventlog.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d reported, %d found", reported, len(events))
	if len(events) < reported {
		t.Errorf("%d rows of %d that were reported", len(events), reported)
	}
	if err := log.Record(t.Context(), tiers.Notification{Level: tiers.LevelInfo, Message: "after"}, "", nil); err != nil {
		t.Errorf("the log cannot be written any more: %v", err)
	}
	var sound string
	if err := open(t, file).QueryRow("PRAGMA integrity_check").Scan(&sound); err != nil || sound != "ok" {
		t.Errorf("integrity: %q %v", sound, err)
	}
}
