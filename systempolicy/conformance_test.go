package systempolicy_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/conformance"
	"example.com/ambit/internal/fault"
	. "example.com/ambit/systempolicy"
	"github.com/google/go-cmp/cmp"
)

// instant reads a recorded clock: RFC 3339, or no clock.
func instant(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

func facts(t *testing.T, raw json.RawMessage) Facts {
	t.Helper()
	f, err := ParseFacts("facts.json", raw)
	if err != nil {
		t.Fatalf("ParseFacts(%s): %v", raw, err)
	}
	return f
}

func TestConformanceEval(t *testing.T) {
	type row struct {
		Name, Now, Why string
		Policy         map[string]any
		Facts          json.RawMessage
		Expected       []string
	}
	conformance.Run(t, "systempolicy/eval.jsonl", 1193, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		got := Outside(FromValue(r.Policy), facts(t, r.Facts), instant(r.Now)).Names()
		if d := cmp.Diff(r.Expected, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", r.Why, d)
		}
	})
}

func TestConformanceEffective(t *testing.T) {
	type row struct {
		Name, Env, Component, Why string
		System                    json.RawMessage
		Signals                   json.RawMessage
		Expected                  string
	}
	conformance.Run(t, "systempolicy/effective.jsonl", 164, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		sys, _ := Parse("system.yaml", r.System)
		signals, err := ParseSignals("signals.json", r.Signals)
		if err != nil {
			t.Fatal(err)
		}
		if got := sys.Effective(r.Env, r.Component, signals).String(); got != r.Expected {
			t.Errorf("%s: got %s, want %s", r.Why, got, r.Expected)
		}
	})
}

func TestConformanceInvalid(t *testing.T) {
	type row struct {
		Name, Yaml, Path, Why string
		Allowed               []string
		Also                  []struct{ Path string }
	}
	conformance.Run(t, "systempolicy/invalid.jsonl", 183, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		sys, err := Parse("system.yaml", []byte(r.Yaml))
		want := []string{r.Path}
		for _, a := range r.Also {
			want = append(want, a.Path)
		}
		var got []string
		for _, e := range fault.All(err) {
			got = append(got, e.Key)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s: paths (-want +got):\n%s\n%v", r.Why, d, err)
		}
		first := fault.All(err)[0]
		for _, phrase := range r.Allowed {
			if !strings.Contains(first.Error(), phrase) {
				t.Errorf("the message lacks %q: %s", phrase, first)
			}
		}
		if _, err := sys.Render(); err == nil || sys.Valid() {
			t.Error("what is invalid renders")
		}
	})
}

func TestConformanceOrder(t *testing.T) {
	type row struct {
		Name, Verdict, Why string
		Merged, Proposed   map[string]any
		Keys               map[string]string
		Meet               any
	}
	conformance.Run(t, "systempolicy/order.jsonl", 192, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		merged, proposed := FromValue(r.Merged), FromValue(r.Proposed)
		c := Compare(merged, proposed)
		if c.Verdict.String() != r.Verdict {
			t.Errorf("%s: verdict %s, want %s", r.Why, c.Verdict, r.Verdict)
		}
		got := map[string]string{}
		for _, v := range []Verdict{Tighter, Looser, Incomparable} {
			for _, k := range c.Keys(v).Names() {
				got[k] = v.String()
			}
		}
		if d := cmp.Diff(r.Keys, got); d != "" {
			t.Errorf("%s: keys (-want +got):\n%s", r.Why, d)
		}
		if d := cmp.Diff(r.Meet, decoded(t, Meet(merged, proposed)), numbers); d != "" {
			t.Errorf("%s: meet (-want +got):\n%s", r.Why, d)
		}
	})
}

// decoded gives a value's JSON as generic data.
func decoded(t *testing.T, v any) any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var out any
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// numbers compares JSON numbers by value: 30.0 is 30.
var numbers = cmp.Comparer(func(a, b json.Number) bool {
	x, errX := a.Float64()
	y, errY := b.Float64()
	return errX == nil && errY == nil && x == y
})

func TestConformanceDecision(t *testing.T) {
	type row struct {
		Name, Now, Why string
		EffectiveLevel string
		Engine         *string
		Policy         map[string]any
		Facts          json.RawMessage
		Merge          bool
		Reasons        []string
	}
	conformance.Run(t, "systempolicy/decision.jsonl", 7, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		policy := map[string]any{}
		for k, v := range r.Policy {
			policy[k] = v
		}
		if r.Engine != nil {
			policy["engine"] = *r.Engine
		}
		level, _ := ParseLevel(r.EffectiveLevel)
		d := Decide(level, FromValue(policy), facts(t, r.Facts), instant(r.Now))
		if d.Merge != r.Merge {
			t.Errorf("%s: merge %v", r.Why, d.Merge)
		}
		if diff := cmp.Diff(r.Reasons, d.Reasons()); diff != "" {
			t.Errorf("%s: reasons (-want +got):\n%s", r.Why, diff)
		}
	})
}

func TestConformanceRender(t *testing.T) {
	type row struct {
		Name, Yaml, Why string
		Autonomy        any
	}
	conformance.Run(t, "systempolicy/render.jsonl", 40, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		sys, err := Parse("system.yaml", []byte(r.Yaml))
		if err != nil {
			t.Fatalf("%s: %v", r.Why, err)
		}
		data, err := sys.Render()
		if err != nil {
			t.Fatalf("%s: %v", r.Why, err)
		}
		if r.Autonomy == nil {
			if data != nil || sys.Declared() {
				t.Fatalf("%s: rendered %s", r.Why, data)
			}
			return
		}
		if d := cmp.Diff(r.Autonomy, decoded(t, json.RawMessage(data)), numbers); d != "" {
			t.Errorf("%s (-want +got):\n%s", r.Why, d)
		}
		back, err := LoadRendered("autonomy.json", data)
		if err != nil {
			t.Fatalf("what was rendered does not load: %v", err)
		}
		again, err := back.Render()
		if err != nil || string(again) != string(data) {
			t.Errorf("rendered again: %v\n%s", err, cmp.Diff(string(data), string(again)))
		}
	})
}

func TestConformanceToday(t *testing.T) {
	type row struct {
		Name, Now, Why string
		Timestamps     []string
		Used           int64
	}
	conformance.Run(t, "systempolicy/today.jsonl", 9, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		if got := UsedToday(r.Timestamps, instant(r.Now)); got != r.Used {
			t.Errorf("%s: used %d, want %d", r.Why, got, r.Used)
		}
	})
}

func TestConformanceUndo(t *testing.T) {
	type row struct {
		Name, UndoWindow, Now, Why string
		Event                      struct {
			ID, Env, Component, Level, At, From, To string
			Undone                                  *bool
		}
		PinnedBefore    []string
		Current, Target string
		Refusals        []string
		Allowed         bool
		Command         []string
	}
	conformance.Run(t, "systempolicy/undo.jsonl", 26, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		e := Event{ID: r.Event.ID, Environment: r.Event.Env, Component: r.Event.Component, Level: r.Event.Level,
			At: instant(r.Event.At), From: r.Event.From, To: r.Event.To}
		if e.Component == "" {
			e.Component = "shop-api"
		}
		if r.Event.Undone != nil {
			e.Undone = Is(*r.Event.Undone)
		}
		window, _ := ParseUndoWindow(r.UndoWindow)
		d := Undo(e, window, Pins{r.PinnedBefore, r.Current}, r.Target, instant(r.Now))
		if diff := cmp.Diff(r.Refusals, d.Refusals); diff != "" || d.Allowed != r.Allowed {
			t.Errorf("%s: allowed %v, refusals (-want +got):\n%s", r.Why, d.Allowed, diff)
		}
		if diff := cmp.Diff(r.Command, d.Command); diff != "" {
			t.Errorf("%s: command (-want +got):\n%s", r.Why, diff)
		}
	})
}

func TestConformanceSignals(t *testing.T) {
	type row struct {
		Name, Kind, Why string
		Merged          map[string]any
		Payload         json.RawMessage
		Loosens         []string
		Accepted        bool
		GitPaused       bool
		Signals         []struct {
			Kind   SignalKind
			At     string
			Policy json.RawMessage
		}
		Effective, Level string
		Paused           bool
		Policy           any
	}
	conformance.Run(t, "systempolicy/signals.jsonl", 20, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		merged := FromValue(r.Merged)
		now := instant("2026-07-22T12:00:00Z")
		if r.Kind == "accept" {
			patch, err := ParsePatch("signal", r.Payload)
			if err != nil {
				t.Fatal(err)
			}
			_, a := Held{}.Accept(Signal{Kind: SetSignal, At: now, Policy: patch}, merged, now)
			if d := cmp.Diff(r.Loosens, a.Loosens.Names()); d != "" || a.Accepted() != r.Accepted {
				t.Errorf("%s: accepted %v, loosens (-want +got):\n%s", r.Why, a.Accepted(), d)
			}
			return
		}
		var held Held
		for _, s := range r.Signals {
			signal := Signal{Kind: s.Kind, At: instant(s.At)}
			if len(s.Policy) > 0 {
				var err error
				if signal.Policy, err = ParsePatch("signal", s.Policy); err != nil {
					t.Fatal(err)
				}
			}
			held, _ = held.Accept(signal, merged, now)
		}
		inForce := held.InForce(merged)
		system := map[string]any{"autonomy": map[string]any{"paused": r.GitPaused}, "environments": map[string]any{"dev": map[string]any{"autonomy": r.Merged}}}
		data, err := json.Marshal(system)
		if err != nil {
			t.Fatal(err)
		}
		sys, err := Parse("system.yaml", data)
		if err != nil {
			t.Fatal(err)
		}
		effective := sys.Effective("dev", "", Signals{Environments: map[string]EnvironmentSignal{"dev": held.Signal(merged)}})
		got := map[string]any{"effective": effective.String(), "paused": held.Paused || sys.Paused(), "level": inForce.Level().String()}
		want := map[string]any{"effective": r.Effective, "paused": r.Paused, "level": r.Level}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", r.Why, d)
		}
		if d := cmp.Diff(r.Policy, decoded(t, inForce), numbers); d != "" {
			t.Errorf("%s: in force (-want +got):\n%s", r.Why, d)
		}
	})
}
