package engine_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/ambit/internal/regime"
	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
)

// TestNothingIsEverLooserThanMain: no sequence of signals, merges, restarts and clock steps makes what is in force looser than what is
// merged, nor lifts a pause that stands.
func TestNothingIsEverLooserThanMain(t *testing.T) {
	const steps = 250
	regime.Rapid(t, 60, 4000) // 4000 x 250 = 1,000,000 steps
	rapid.Check(t, func(rt *rapid.T) {
		m := &machine{now: noon, t: rt}
		m.merge()
		for range steps {
			m.step()
			m.check()
		}
	})
}

// machine is one environment with everything that may happen to it, and beside it the ten-line model of what its order says.
type machine struct {
	t       *rapid.T
	now     time.Time
	main    engine.Merged
	state   engine.Signals
	commits int
	steps   int

	// The model: the last accepted of each kind's order.
	pausedBy  string // id of the pause that stands
	lastPause time.Time
}

func (m *machine) step() {
	switch rapid.IntRange(0, 9).Draw(m.t, "action") {
	case 0:
		m.merge()
	case 1: // restart: what the store keeps is all that is left
		text, err := json.Marshal(m.state)
		if err != nil {
			m.t.Fatal(err)
		}
		m.state = engine.Signals{}
		if err := json.Unmarshal(text, &m.state); err != nil {
			m.t.Fatal(err)
		}
	case 2: // the clock steps, also backwards
		m.now = m.now.Add(time.Duration(rapid.Int64Range(-int64(2*time.Hour), int64(26*time.Hour)).Draw(m.t, "clock")))
	case 3: // main is read again
		m.main.ReadAt = m.now
		m.state, _ = m.main.Reconcile("dev", m.state)
	default:
		m.signal()
	}
}

func (m *machine) signal() {
	kind := rapid.SampledFrom([]engine.SignalKind{engine.Pause, engine.Resume, engine.Set, engine.Set}).Draw(m.t, "kind")
	id := fmt.Sprint(rapid.IntRange(0, 400).Draw(m.t, "id")) // so few that some repeat
	at := m.now.Add(time.Duration(rapid.Int64Range(-int64(time.Hour), int64(2*time.Minute)).Draw(m.t, "at")))
	s := signal(kind, id, at, "")
	if kind == engine.Set {
		s.Policy = json.RawMessage(autonomy(m.t, true))
	}
	before := m.state
	text, _ := json.Marshal(before)
	known := strings.Contains(string(text), `"`+string(kind)+" "+id+`"`)
	after, refused := m.main.Accept(m.state, s, m.now)
	if refused != nil {
		again, _ := json.Marshal(after)
		if string(again) != string(text) {
			m.t.Fatalf("a refusal changed the state: %s", again)
		}
		if kind == engine.Pause && refused.Code != engine.RefusedUnknown && refused.Code != engine.RefusedReused {
			m.t.Fatalf("a pause was refused: %+v", refused)
		}
		return
	}
	m.state = after
	if known {
		return // a replay, which changes nothing
	}
	switch kind {
	case engine.Pause:
		if m.pausedBy = id; !at.After(m.lastPause) {
			at = m.lastPause.Add(1)
		}
		m.lastPause = at
	case engine.Resume:
		if !at.After(m.lastPause) {
			m.t.Fatalf("a resume of %v lifts a pause of %v", at, m.lastPause)
		}
		m.pausedBy, m.lastPause = "", at
	}
}

func (m *machine) merge() {
	m.commits++
	m.main.Commit, m.main.ReadAt = fmt.Sprint("c", m.commits), m.now
	switch rapid.IntRange(0, 19).Draw(m.t, "main") {
	case 0: // the file is gone
		m.main.System = nil
		return
	case 1: // it cannot be read
		m.main.System, _ = systempolicy.LoadRendered("autonomy.json", []byte(`{"version": 1, "paused": false, "environments": {"dev": {"level": "act"}}, "components": {}}`))
		return
	}
	text := fmt.Sprintf(`{"name": "shop", "autonomy": {"paused": %v}, "environments": {"dev": {"autonomy": %s}}, "components": {"api": {"instances": {"dev": {"autonomy": {"max": %q}}}}}}`,
		rapid.IntRange(0, 9).Draw(m.t, "paused") == 0, autonomy(m.t, false), rapid.SampledFrom([]string{"observe", "propose", "act"}).Draw(m.t, "max"))
	sys, err := systempolicy.Parse("system.yaml", []byte(text))
	if err != nil {
		return // as a failing render: the last one stays
	}
	data, err := sys.Render()
	if err != nil {
		m.t.Fatal(err)
	}
	if m.main.System, err = systempolicy.LoadRendered("autonomy.json", data); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) check() {
	f := m.main.InForce("dev", m.state)
	policy := m.main.System.Policy("dev")
	// Comparing windows of two zones walks ten years: that is left to a share of the steps, the instants below are not.
	m.steps++
	if len(f.Policy.Windows()) == 1 || m.steps%100 == 0 {
		if loosens := systempolicy.Compare(policy, f.Policy).Loosens(); !loosens.Empty() {
			m.t.Fatalf("looser than main: %s; signals %+v", loosens, m.state)
		}
	}
	facts := systempolicy.Facts{Route: "fix", Criticality: rapid.SampledFrom([]string{"low", "medium", "high"}).Draw(m.t, "criticality"),
		Files: systempolicy.Known(rapid.Int64Range(0, 9).Draw(m.t, "files")), Adds: systempolicy.Known(rapid.Int64Range(0, 300).Draw(m.t, "adds")), Deletes: systempolicy.Known(0),
		RegressionTest: systempolicy.Answer(rapid.IntRange(0, 2).Draw(m.t, "test")), SecondReview: systempolicy.Yes,
		MergesToday: systempolicy.Known(rapid.Int64Range(0, 3).Draw(m.t, "merges")), RunsToday: systempolicy.Known(1)}
	at := m.now.Add(time.Duration(rapid.Int64Range(0, int64(7*24*time.Hour)).Draw(m.t, "when")))
	was, is := systempolicy.Outside(policy, facts, at), systempolicy.Outside(f.Policy, facts, at)
	for g := range was.All() {
		if !is.Has(g) {
			m.t.Fatalf("inside %v, which main has outside, at %v", g, at)
		}
	}
	for _, component := range []string{"", "api", "none"} {
		of := f.Effective
		if component != "" {
			of = f.EffectiveOf(component)
		}
		if most := m.main.System.Effective("dev", component, systempolicy.Signals{}); of > most {
			m.t.Fatalf("%q acts as %v, main says %v", component, of, most)
		}
		if (m.pausedBy != "" || m.main.System.Paused()) && of != systempolicy.Observe {
			m.t.Fatalf("%q acts as %v while paused by %q", component, of, m.pausedBy)
		}
		if f.Decide(component, facts, at).Merge && !m.main.System.Decide("dev", component, systempolicy.Signals{}, facts, at).Merge {
			m.t.Fatal("merges what main would not")
		}
	}
	if f.Paused.Signal != (m.pausedBy != "") {
		m.t.Fatalf("paused %v, the model says %q", f.Paused.Signal, m.pausedBy)
	}
}

// autonomy draws a mapping of some keys; sparse keeps it to a few, as a signal has.
func autonomy(t *rapid.T, sparse bool) string {
	var keys []string
	add := func(format string, args ...any) { keys = append(keys, fmt.Sprintf(format, args...)) }
	chance := 1
	if sparse {
		chance = 4
	}
	want := func(label string) bool { return rapid.IntRange(0, chance).Draw(t, label) == 0 }
	if !sparse || want("level?") {
		add(`"level": %q`, rapid.SampledFrom([]string{"observe", "advise", "propose", "act", "act", "improve"}).Draw(t, "level"))
	}
	if !sparse {
		add(`"engine": "https://e.example.com"`)
	}
	if want("gate?") {
		add(`"riskGate": {"maxFiles": %d, "regressionTest": %v}`, rapid.IntRange(1, 7).Draw(t, "maxFiles"), rapid.Bool().Draw(t, "regressionTest"))
	}
	if want("budget?") {
		add(`"budget": {"mergesPerDay": %d, "perRun": {"cost": %d.5}}`, rapid.IntRange(0, 3).Draw(t, "mergesPerDay"), rapid.IntRange(0, 4).Draw(t, "cost"))
	}
	if want("routes?") {
		add(`"autoMerge": {"routes": %s, "maxCriticality": %q}`, rapid.SampledFrom([]string{`[]`, `["fix"]`}).Draw(t, "routes"), rapid.SampledFrom([]string{"low", "medium", "high"}).Draw(t, "max"))
	}
	if want("undo?") {
		add(`"undoWindow": "%dh"`, rapid.IntRange(1, 48).Draw(t, "undo"))
	}
	if want("window?") {
		w := []string{fmt.Sprintf(`"from": "%02d:00"`, rapid.IntRange(6, 12).Draw(t, "from"))}
		if rapid.Bool().Draw(t, "to?") {
			w = append(w, fmt.Sprintf(`"to": "%02d:00"`, rapid.IntRange(10, 23).Draw(t, "to")))
		}
		if rapid.IntRange(0, 29).Draw(t, "zone?") == 0 {
			w = append(w, fmt.Sprintf(`"timezone": %q`, rapid.SampledFrom([]string{"UTC", "Europe/Berlin", "Asia/Kolkata"}).Draw(t, "zone")))
		}
		add(`"window": {%s}`, strings.Join(w, ", "))
	}
	if len(keys) == 0 {
		add(`"level": "propose"`)
	}
	return "{" + strings.Join(keys, ", ") + "}"
}
