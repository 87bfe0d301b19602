package engine_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
)

// TestOrder holds the order of signals: within {pause, resume} and within {set}, whatever way they arrive.
func TestOrder(t *testing.T) {
	m := merged(t, actAutonomy, false)
	at := func(d time.Duration) time.Time { return noon.Add(d) }
	type step struct {
		sig  engine.Signal
		code string // "" is accepted
	}
	pause := func(id string, d time.Duration) engine.Signal { return signal(engine.Pause, id, at(d), "") }
	resume := func(id string, d time.Duration) engine.Signal { return signal(engine.Resume, id, at(d), "") }
	set := func(id string, d time.Duration, level string) engine.Signal {
		return signal(engine.Set, id, at(d), `{"level": "`+level+`"}`)
	}
	for _, c := range []struct {
		name   string
		steps  []step
		paused bool
		level  systempolicy.Level
	}{
		{"pause", []step{{pause("p", 0), ""}}, true, systempolicy.Act},
		{"pause, resume", []step{{pause("p", 0), ""}, {resume("r", 1), ""}}, false, systempolicy.Act},
		{"resume before pause arrives late", []step{{pause("p", 5), ""}, {resume("r", 1), engine.RefusedOlder}}, true, systempolicy.Act},
		{"pause older than the resume still pauses", []step{{resume("r", 5), ""}, {pause("p", 1), ""}}, true, systempolicy.Act},
		{"same instant, pause last", []step{{resume("r", 1), ""}, {pause("p", 1), ""}}, true, systempolicy.Act},
		{"same instant, pause first", []step{{pause("p", 1), ""}, {resume("r", 1), engine.RefusedOlder}}, true, systempolicy.Act},
		{"a late pause is lifted only by what is later than it was placed", []step{{resume("r", 5), ""}, {pause("p", 1), ""}, {resume("r2", 5), engine.RefusedOlder}, {resume("r3", 6), engine.RefusedOlder}, {resume("r4", 7), ""}}, false, systempolicy.Act},
		{"a replayed pause changes nothing", []step{{pause("p", 0), ""}, {resume("r", 1), ""}, {pause("p", 0), ""}}, false, systempolicy.Act},
		{"a replayed resume changes nothing", []step{{pause("p", 0), ""}, {resume("r", 1), ""}, {pause("p2", 2), ""}, {resume("r", 1), ""}}, true, systempolicy.Act},
		{"nothing can use up a pause's id", []step{{resume("x", 0), ""}, {pause("x", 1), ""}}, true, systempolicy.Act},
		{"an id with another time", []step{{set("s", 0, "advise"), ""}, {set("s", 5, "propose"), engine.RefusedReused}}, false, systempolicy.Advise},
		{"an id with another policy", []step{{set("s", 0, "advise"), ""}, {set("s", 0, "propose"), engine.RefusedReused}}, false, systempolicy.Advise},
		{"a resume from the future", []step{{pause("p", 0), ""}, {resume("r", 61*time.Second), engine.RefusedEarly}, {resume("r2", 60*time.Second), ""}}, false, systempolicy.Act},
		{"a set from the future", []step{{set("s", 61*time.Second, "observe"), engine.RefusedEarly}}, false, systempolicy.Act},
		{"a pause from the future", []step{{pause("p", time.Hour), ""}, {resume("r", time.Second), engine.RefusedOlder}}, true, systempolicy.Act},
		{"sets have an order of their own", []step{{pause("p", 9), ""}, {set("s", 1, "advise"), ""}, {resume("r", 10), ""}, {set("s2", 2, "propose"), ""}}, false, systempolicy.Propose},
		{"resume does not lift a set", []step{{set("s", 1, "advise"), ""}, {pause("p", 2), ""}, {resume("r", 3), ""}}, false, systempolicy.Advise},
		{"a set of the same instant", []step{{set("s", 1, "advise"), ""}, {set("s2", 1, "propose"), ""}}, false, systempolicy.Propose},
		{"an unknown environment", []step{{func() engine.Signal { s := pause("p", 0); s.Environment = "Dev"; return s }(), engine.RefusedUnknown}}, false, systempolicy.Act},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s engine.Signals
			for i, st := range c.steps {
				after, refused := m.Accept(s, st.sig, noon)
				code := ""
				if refused != nil {
					code = refused.Code
					if diff := cmp.Diff(s, after); diff != "" {
						t.Errorf("step %d: a refusal changed the state: %s", i, diff)
					}
				}
				if code != st.code {
					t.Errorf("step %d: %q, want %q (%+v)", i, code, st.code, refused)
				}
				s = after
			}
			f := m.InForce("dev", s)
			if f.Paused.Signal != c.paused || f.Level != c.level {
				t.Errorf("paused %v, level %v", f.Paused.Signal, f.Level)
			}
			want := c.level
			if c.paused {
				want = systempolicy.Observe
			}
			if f.Effective != want {
				t.Errorf("effective %v, want %v", f.Effective, want)
			}
		})
	}
}

func TestRefusedWhole(t *testing.T) {
	m := merged(t, actAutonomy, false)
	for _, c := range []struct {
		name, policy, code string
		loosens, keys      []string
	}{
		{"one of each", `{"level": "observe", "riskGate": {"maxFiles": 6}}`, engine.RefusedLoosens, []string{"riskGate.maxFiles"}, nil},
		{"two", `{"riskGate": {"maxLines": 201}, "level": "improve"}`, engine.RefusedLoosens, []string{"level", "riskGate.maxLines"}, nil},
		{"another engine", `{"engine": "https://other.example.com"}`, engine.RefusedLoosens, []string{"engine"}, nil},
		{"shorter undo", `{"undoWindow": "23h"}`, engine.RefusedLoosens, []string{"undoWindow"}, nil},
		{"window", `{"window": {"to": "17:01"}}`, engine.RefusedLoosens, []string{"window"}, nil},
		{"unknown key", `{"riskGate": {"maxfiles": 3}, "levle": "observe"}`, engine.RefusedPolicy, nil, []string{"riskGate.maxfiles", "levle"}},
		{"wrong types", `{"riskGate": {"maxFiles": "3", "maxLines": 0}}`, engine.RefusedPolicy, nil, []string{"riskGate.maxFiles", "riskGate.maxLines"}},
		{"null", `{"riskGate": null}`, engine.RefusedPolicy, nil, []string{"riskGate"}},
		{"a window that is never open", `{"window": {"from": "17:00"}}`, "", nil, nil},
		{"no engine", `{"engine": null}`, "", nil, nil},
		{"everything tighter", `{"level": "observe", "autoMerge": {"routes": []}, "riskGate": {"maxFiles": 1, "maxLines": 1}, "budget": {"runsPerDay": 0, "mergesPerDay": 0, "perRun": {"minutes": 1, "invocations": 1, "reruns": 1, "cost": 0.5}}, "window": {"days": ["mon"], "from": "10:00", "to": "10:01"}, "undoWindow": "2d"}`, "", nil, nil},
		{"nothing", `{"level": "act"}`, "", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, refused := m.Accept(engine.Signals{}, signal(engine.Set, "s", noon, c.policy), noon)
			var got engine.Refusal
			if refused != nil {
				got = *refused
			}
			if got.Code != c.code {
				t.Fatalf("%+v", got)
			}
			if diff := cmp.Diff([][]string{c.loosens, c.keys}, [][]string{got.Loosens, got.Keys}); diff != "" {
				t.Error(diff)
			}
		})
	}
	prod := signal(engine.Set, "s", noon, `{"level": "improve"}`)
	prod.Environment = "prod"
	if _, refused := m.Accept(engine.Signals{}, prod, noon); refused == nil || refused.Code != engine.RefusedLoosens {
		t.Errorf("improve in prod: %+v", refused)
	}
}

// TestUnreadableMain: a pause is taken all the same, nothing else is.
func TestUnreadableMain(t *testing.T) {
	var none engine.Merged
	s, refused := none.Accept(engine.Signals{}, signal(engine.Pause, "p", noon, ""), noon)
	if refused != nil || !s.Paused() {
		t.Errorf("pause refused: %+v", refused)
	}
	for _, kind := range []engine.SignalKind{engine.Resume, engine.Set} {
		if _, refused := none.Accept(s, signal(kind, "x", noon.Add(1), `{"level": "observe"}`), noon); refused == nil || refused.Code != engine.RefusedUnavailable {
			t.Errorf("%s: %+v", kind, refused)
		}
	}
	f := none.InForce("dev", s)
	if f.Effective != systempolicy.Observe || f.Paused.Git || !f.Paused.Signal {
		t.Errorf("%+v", f)
	}
	// A file that is there and broken: observe, and a pause is still taken.
	broken, err := systempolicy.LoadRendered("autonomy.json", []byte(`{"version": 2}`))
	if err == nil {
		t.Fatal("version 2 was read")
	}
	m := engine.Merged{System: broken, Commit: "c", ReadAt: noon}
	if _, refused := m.Accept(engine.Signals{}, signal(engine.Pause, "p", noon, ""), noon); refused != nil {
		t.Errorf("pause refused: %+v", refused)
	}
	if _, refused := m.Accept(engine.Signals{}, signal(engine.Set, "s", noon, `{"level": "observe"}`), noon); refused == nil {
		t.Error("a set was accepted without anything to compare it with")
	}
}

// TestReconcile: a set is dropped once main is at or below it, durably, and only by a main that was read after it.
func TestReconcile(t *testing.T) {
	loose, tight := rendered(t, actAutonomy, false), rendered(t, `{"level": "act", "engine": "https://e.example.com", "riskGate": {"maxFiles": 3}}`, false)
	between := rendered(t, `{"level": "act", "engine": "https://e.example.com", "riskGate": {"maxFiles": 4}}`, false)
	read := func(sys *systempolicy.System, d time.Duration) engine.Merged {
		return engine.Merged{System: sys, Commit: fmt.Sprint(d), ReadAt: noon.Add(d)}
	}
	s, refused := read(loose, -1).Accept(engine.Signals{}, signal(engine.Set, "s", noon, `{"riskGate": {"maxFiles": 3}}`), noon)
	if refused != nil {
		t.Fatal(refused)
	}
	files := func(m engine.Merged, s engine.Signals) int64 { return m.InForce("dev", s).Policy.MaxFiles() }
	for name, m := range map[string]engine.Merged{
		"main is still looser": read(loose, time.Minute), "main is half way": read(between, time.Minute), "main was read before the signal": read(tight, -time.Second),
		"no file": read(nil, time.Minute), "nothing read": {},
	} {
		if _, changed := m.Reconcile("dev", s); changed {
			t.Errorf("dropped though %s", name)
		}
	}
	caught := read(tight, time.Minute)
	after, changed := caught.Reconcile("dev", s)
	if !changed {
		t.Fatal("not dropped though main is there")
	}
	if _, again := caught.Reconcile("dev", after); again {
		t.Error("dropped twice")
	}
	if n := files(read(loose, 2*time.Minute), after); n != 5 {
		t.Errorf("a dropped signal still binds: %d files", n)
	}
	if n := files(read(loose, 30*time.Second), after); n != 3 {
		t.Errorf("a replica that reads an older main is looser than main: %d files", n)
	}
	if n := files(read(loose, 2*time.Minute), s); n != 3 {
		t.Errorf("a signal that was not dropped does not bind: %d files", n)
	}
	// Its place in the order stays.
	if _, refused := caught.Accept(after, signal(engine.Set, "old", noon.Add(-1), `{"riskGate": {"maxFiles": 1}}`), noon); refused == nil || refused.Code != engine.RefusedOlder {
		t.Errorf("an older set after the drop: %+v", refused)
	}
}

// TestSignalThatNoLongerFits: main changed so that the signal's key makes no sense there; its guardrail closes.
func TestSignalThatNoLongerFits(t *testing.T) {
	m := merged(t, actAutonomy, false)
	s, refused := m.Accept(engine.Signals{}, signal(engine.Set, "s", noon, `{"window": {"from": "16:00"}}`), noon)
	if refused != nil {
		t.Fatal(refused)
	}
	later := merged(t, `{"level": "act", "engine": "https://e.example.com", "window": {"to": "16:00"}}`, false)
	f := later.InForce("dev", s)
	if f.Policy.Open(noon) || f.Policy.Open(noon.Add(4*time.Hour)) {
		t.Error("the window is open")
	}
	d := f.Decide("shop-api", inside(), noon)
	if diff := cmp.Diff([]string{"window"}, d.Reasons()); diff != "" {
		t.Error(diff)
	}
}

// TestTornSignal: a set that was accepted and cannot be read any more closes everything, since nobody can tell what it meant.
func TestTornSignal(t *testing.T) {
	m := merged(t, actAutonomy, false)
	torn := engine.Signals{Set: &engine.Accepted{Signal: signal(engine.Set, "s", noon, `{"riskGate": {"maxFiles": "three"}}`), Order: noon, Received: noon}}
	f := m.InForce("dev", torn)
	if f.Effective != systempolicy.Observe || len(f.Decide("shop-api", inside(), noon).Reasons()) < 9 {
		t.Errorf("%v %v", f.Effective, f.Decide("shop-api", inside(), noon).Reasons())
	}
	later := m
	later.ReadAt = noon.Add(time.Hour)
	if _, changed := later.Reconcile("dev", torn); changed {
		t.Error("it was dropped")
	}
	for _, policy := range []string{`{"engine": null, "riskGate": {"maxFiles": "three"}}`, `{"engine": null, "x": 1}`} {
		if _, refused := m.Accept(engine.Signals{}, signal(engine.Set, "s", noon, policy), noon); refused == nil || refused.Code != engine.RefusedPolicy {
			t.Errorf("%s: %+v", policy, refused)
		}
	}
	if _, refused := m.Accept(engine.Signals{}, signal(engine.Set, "s", noon, `{}`), noon); refused == nil || refused.Code != engine.RefusedPolicy {
		t.Errorf("an empty set: %+v", refused)
	}
}

func TestInForceDecides(t *testing.T) {
	m := merged(t, actAutonomy, false)
	var s engine.Signals
	if d := m.InForce("dev", s).Decide("shop-api", inside(), noon); !d.Merge {
		t.Errorf("%v", d.Reasons())
	}
	if got := m.InForce("dev", s).EffectiveOf("pay"); got != systempolicy.Propose {
		t.Errorf("the cap is not held: %v", got)
	}
	if got := m.InForce("dev", s).EffectiveOf("unknown"); got != systempolicy.Observe {
		t.Errorf("an unknown component acts as %v", got)
	}
	s, _ = m.Accept(s, signal(engine.Set, "s", noon, `{"level": "advise"}`), noon)
	if got := m.InForce("dev", s).EffectiveOf("pay"); got != systempolicy.Advise {
		t.Errorf("the signal is not held: %v", got)
	}
	s, _ = m.Accept(s, signal(engine.Pause, "p", noon, ""), noon)
	d := m.InForce("dev", s).Decide("shop-api", inside(), noon)
	if diff := cmp.Diff([]string{"level"}, d.Reasons()); d.Merge || diff != "" {
		t.Error(diff)
	}
	if notes := m.InForce("dev", s).Signals; len(notes) != 2 || notes[0].ID != "p" || notes[1].ID != "s" {
		t.Errorf("signals in force: %+v", notes)
	}
}

func inside() systempolicy.Facts {
	return systempolicy.Facts{Route: "fix", Criticality: "low", Files: systempolicy.Known(3), Adds: systempolicy.Known(40), Deletes: systempolicy.Known(10),
		RegressionTest: systempolicy.Yes, SecondReview: systempolicy.Yes, MergesToday: systempolicy.Known(0), RunsToday: systempolicy.Known(0)}
}

func TestReadSignal(t *testing.T) {
	good := map[string]any{"version": 1, "id": "x", "system": "shop", "environment": "dev", "kind": "set", "policy": map[string]any{"level": "observe"},
		"base": "c1", "by": "ana", "at": "2026-07-22T10:02:11Z", "pr": "acme/shop#12"}
	for _, c := range []struct {
		name string
		set  map[string]any // nil deletes
		keys []string       // nil is accepted
	}{
		{"good", nil, nil},
		{"unknown fields are ignored", map[string]any{"later": 1}, nil},
		{"no pr", map[string]any{"pr": nil, "base": nil, "by": nil}, nil},
		{"version 2", map[string]any{"version": 2}, []string{"version"}},
		{"version as text", map[string]any{"version": "1"}, []string{"version"}},
		{"no id", map[string]any{"id": nil}, []string{"id"}},
		{"empty id", map[string]any{"id": ""}, []string{"id"}},
		{"long id", map[string]any{"id": strings.Repeat("x", 300)}, []string{"id"}},
		{"control character", map[string]any{"by": "a\nb"}, []string{"by"}},
		{"many", map[string]any{"system": nil, "environment": 5, "at": "yesterday", "policy": nil}, []string{"system", "environment", "policy", "at"}},
		{"unknown kind", map[string]any{"kind": "promote"}, []string{"kind"}},
		{"empty policy", map[string]any{"policy": map[string]any{}}, []string{"policy"}},
		{"policy on a resume", map[string]any{"kind": "resume"}, []string{"policy"}},
		{"resume", map[string]any{"kind": "resume", "policy": nil}, nil},
		{"no time on a resume", map[string]any{"kind": "resume", "policy": nil, "at": nil}, []string{"at"}},
		{"time beyond what a clock has", map[string]any{"at": "9999-01-01T00:00:00Z"}, []string{"at"}},
		{"a pause is read kindly", map[string]any{"kind": "pause", "at": "soon", "by": 5, "pr": []int{}, "base": strings.Repeat("x", 300)}, nil},
		{"a pause without an environment", map[string]any{"kind": "pause", "environment": ""}, []string{"environment"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := map[string]any{}
			for k, v := range good {
				body[k] = v
			}
			for k, v := range c.set {
				if body[k] = v; v == nil {
					delete(body, k)
				}
			}
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			s, refused := engine.ReadSignal(text, noon)
			var keys []string
			if refused != nil {
				keys = refused.Keys
			}
			if diff := cmp.Diff(c.keys, keys); diff != "" {
				t.Error(diff)
			}
			if refused == nil && s.At.IsZero() {
				t.Error("no time")
			}
		})
	}
	for _, body := range []string{"", "[]", "null", `{"version":1,"version":1}`, `{"kind":"pause","KIND":"resume"`, strings.Repeat("[", 100), strings.Repeat(" ", engine.MaxBody+1)} {
		if _, refused := engine.ReadSignal([]byte(body), noon); refused == nil {
			t.Errorf("%.40q was read", body)
		}
	}
}

// FuzzReadSignal: whatever is read is a signal that survives being written and read again, and is stored losslessly.
func FuzzReadSignal(f *testing.F) {
	for _, s := range []engine.Signal{signal(engine.Pause, "p", noon, ""), signal(engine.Set, "s", noon, `{"level":"observe"}`), signal(engine.Resume, "r", noon, "")} {
		text, err := json.Marshal(s)
		if err != nil {
			f.Fatal(err)
		}
		if _, refused := engine.ReadSignal(text, noon); refused != nil {
			f.Fatalf("%s: %+v", text, refused)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		s, refused := engine.ReadSignal(body, noon)
		if refused != nil {
			if refused.Code == "" || refused.Accepted {
				t.Fatalf("%+v", refused)
			}
			return
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		again, refused := engine.ReadSignal(text, noon)
		if refused != nil && len(text) <= engine.MaxBody {
			t.Fatalf("%s: %+v", text, refused)
		}
		if refused == nil && (again.ID != s.ID || again.Kind != s.Kind || !again.At.Equal(s.At) || again.Environment != s.Environment) {
			t.Fatalf("%+v, again %+v", s, again)
		}
	})
}
