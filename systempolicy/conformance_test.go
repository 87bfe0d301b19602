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
