package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ambit/systempolicy/engine"
)

// TestRecordsOnTheWire: the run record and the audit event begin with their version, and are read back as they were. Where AMBIT_RECORD names a
// folder they are left there, for the contract's test.
func TestRecordsOnTheWire(t *testing.T) {
	run := engine.Run{ID: "r1", System: "shop", Environment: "dev", Component: "shop-api", Issue: "acme/shop#7", Started: noon, Level: "act", Commit: "c1"}
	ended := run
	ended.Ended, ended.Outcome, ended.Minutes, ended.Cost = noon, "merged", 1.5, 0.25
	event := engine.Event{ID: "ev-1", At: noon, System: "shop", Environment: "dev", Component: "shop-api", Action: "merge", Level: "act", Commit: "c1", From: "v1", To: "v2", Run: "r1"}
	undone := event
	undone.Undone = engine.Undo{By: "ana", At: noon, PR: "acme/shop#9"}
	leave(t, "run.record", run, ended)
	leave(t, "event.record", event, undone)
}

func leave[T comparable](t *testing.T, name string, records ...T) {
	t.Helper()
	var text strings.Builder
	for _, r := range records {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(line), `{"version":1,"id":`) {
			t.Errorf("%s", line)
		}
		var again T
		if err := json.Unmarshal(line, &again); err != nil || again != r {
			t.Errorf("%s is read as %+v, %v", line, again, err)
		}
		text.Write(append(line, '\n'))
	}
	if dir := os.Getenv("AMBIT_RECORD"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
