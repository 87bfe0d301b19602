package engine_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/internal/conformance"
	"example.com/ambit/systempolicy/engine"
)

// TestConformanceSignals runs the recorded signals: which are accepted, and what is in force after a sequence.
func TestConformanceSignals(t *testing.T) {
	type row struct {
		Name, Kind string
		Merged     json.RawMessage
		// accept
		Payload  json.RawMessage
		Loosens  []string
		Accepted bool
		// sequence
		GitPaused bool
		Signals   []struct {
			Kind   engine.SignalKind
			At     time.Time
			Policy json.RawMessage
		}
		Effective, Level string
		Paused           bool
		Policy           any
	}
	conformance.Run(t, "systempolicy/signals.jsonl", 20, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		f := newFixture(t, merged(t, string(r.Merged), r.GitPaused))
		switch r.Kind {
		case "accept":
			code, _, refusal := f.send(signal(engine.Set, "s1", noon, string(r.Payload)))
			if (code == 200) != r.Accepted {
				t.Errorf("status %d, accepted %v", code, r.Accepted)
			}
			if diff := cmp.Diff(r.Loosens, append([]string{}, refusal.Loosens...)); diff != "" {
				t.Error(diff)
			}
		case "sequence":
			for i, s := range r.Signals {
				f.now = s.At.Add(time.Second)
				f.send(signal(s.Kind, fmt.Sprint("s", i), s.At, string(s.Policy)))
				f.restart()
			}
			got := f.status().Environments["dev"]
			if got.Effective != r.Effective || got.Level != r.Level || (got.Paused.Git || got.Paused.Signal) != r.Paused {
				t.Errorf("effective %s, level %s, paused %+v", got.Effective, got.Level, got.Paused)
			}
			var policy any
			if err := json.Unmarshal(got.Policy, &policy); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(plainNumbers(r.Policy), policy); diff != "" {
				t.Error(diff)
			}
		default:
			t.Skipf("unknown kind %q", r.Kind)
		}
	})
}

// plainNumbers turns json.Number into float64.
func plainNumbers(v any) any {
	text, _ := json.Marshal(v)
	var out any
	_ = json.Unmarshal(text, &out)
	return out
}
