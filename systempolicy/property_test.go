package systempolicy_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
	. "example.com/ambit/systempolicy"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var zoneNames = []string{
	"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Pacific/Apia", "Asia/Kathmandu",
	"Africa/Casablanca", "Etc/UTC", "Europe/Dublin", "Africa/Cairo", "America/Phoenix",
}

var dayNames = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// drawWindow gives a window that is valid; zone "" draws one.
func drawWindow(t *rapid.T, zone string) map[string]any {
	days := rapid.SliceOfNDistinct(rapid.SampledFrom(dayNames), 1, 7, rapid.ID[string]).Draw(t, "days")
	from := rapid.IntRange(0, 95).Draw(t, "from")
	to := (from + rapid.IntRange(1, 95).Draw(t, "length")) % 96
	if zone == "" {
		zone = rapid.SampledFrom(zoneNames).Draw(t, "zone")
	}
	quarter := func(n int) string { return fmt.Sprintf("%02d:%02d", n/4, n%4*15) }
	list := make([]any, len(days))
	for i, d := range days {
		list[i] = d
	}
	return map[string]any{"days": list, "from": quarter(from), "to": quarter(to), "timezone": zone}
}

// drawPolicy gives the mapping of a valid policy with some keys; zone "" draws one.
func drawPolicy(t *rapid.T, zone string) map[string]any {
	m := map[string]any{}
	some := func(in map[string]any, name string, draw func() any) {
		if rapid.Bool().Draw(t, "has "+name) {
			in[name] = draw()
		}
	}
	number := func(values ...int) func() any {
		return func() any { return rapid.SampledFrom(values).Draw(t, "n") }
	}
	flag := func() any { return rapid.Bool().Draw(t, "flag") }
	some(m, "level", func() any {
		return rapid.SampledFrom([]string{"observe", "advise", "propose", "act", "improve"}).Draw(t, "level")
	})
	some(m, "engine", func() any {
		return rapid.SampledFrom([]string{"https://a.example.com", "https://b.example.com/x"}).Draw(t, "engine")
	})
	merge := map[string]any{}
	some(merge, "routes", func() any { return rapid.SampledFrom([][]string{{}, {"fix"}}).Draw(t, "routes") })
	some(merge, "maxCriticality", func() any { return rapid.SampledFrom([]string{"low", "medium", "high"}).Draw(t, "criticality") })
	gate := map[string]any{}
	some(gate, "maxFiles", number(1, 2, 5, 9))
	some(gate, "maxLines", number(1, 50, 200, 900))
	some(gate, "regressionTest", flag)
	some(gate, "secondReview", flag)
	budget := map[string]any{}
	some(budget, "runsPerDay", number(0, 1, 5, 9))
	some(budget, "mergesPerDay", number(0, 1, 2, 9))
	run := map[string]any{}
	for _, k := range []string{"minutes", "invocations", "reruns", "cost"} {
		some(run, k, func() any { return rapid.SampledFrom([]float64{0.5, 1, 2.25, 60}).Draw(t, k) })
	}
	some(budget, "perRun", func() any { return run })
	some(m, "autoMerge", func() any { return merge })
	some(m, "riskGate", func() any { return gate })
	some(m, "budget", func() any { return budget })
	some(m, "window", func() any { return drawWindow(t, zone) })
	some(m, "undoWindow", func() any { return rapid.SampledFrom([]string{"90m", "24h", "1d", "7d"}).Draw(t, "undo") })
	return m
}

func drawFacts(t *rapid.T) Facts {
	count := func(name string, values ...int64) Count {
		v := rapid.SampledFrom(append(values, -1)).Draw(t, name)
		return Known(v) // -1 is not known
	}
	answer := func(name string) Answer { return rapid.SampledFrom([]Answer{Unknown, No, Yes}).Draw(t, name) }
	return Facts{
		Route:       rapid.SampledFrom([]string{"fix", "fix", "feature", ""}).Draw(t, "route"),
		Criticality: rapid.SampledFrom([]string{"low", "medium", "high", "", "Low"}).Draw(t, "criticality"),
		Files:       count("files", 0, 1, 2, 3, 5, 6), Adds: count("adds", 0, 1, 40, 200, 1<<62), Deletes: count("deletes", 0, 1, 10, 1<<62),
		RegressionTest: answer("test"), SecondReview: answer("review"),
		MergesToday: count("merges", 0, 1, 2, 3), RunsToday: count("runs", 0, 1, 4, 5),
	}
}

// drawInstant gives a time of the horizon within which windows of different zones are compared.
func drawInstant(t *rapid.T) time.Time {
	first := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	last := time.Date(2036, 1, 1, 0, 0, 0, 0, time.UTC)
	minutes := int(last.Sub(first) / time.Minute)
	return first.Add(time.Duration(rapid.IntRange(0, minutes-1).Draw(t, "minute"))*time.Minute + time.Duration(rapid.IntRange(0, 59).Draw(t, "second"))*time.Second)
}

// moment is one change at one instant.
type moment struct {
	facts Facts
	now   time.Time
}

// moments is how many of them each pair of policies is tried with: each is a case.
const moments = 5

func drawMoments(t *rapid.T) []moment {
	out := make([]moment, moments)
	for i := range out {
		out[i] = moment{drawFacts(t), drawInstant(t)}
	}
	return out
}

// TestOutsideIsASet is invariant 1: total, ordered, duplicate-free, a subset of the nine.
func TestOutsideIsASet(t *testing.T) {
	regime.Rapid(t, 5000, 200_000)
	rapid.Check(t, func(t *rapid.T) {
		p, f, now := FromValue(drawPolicy(t, "")), drawFacts(t), drawInstant(t)
		out := Outside(p, f, now)
		list := slices.Collect(out.All())
		if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) || out&^AllGuardrails != 0 || out.Len() != len(list) {
			t.Fatalf("%v", list)
		}
		reasons := Explain(p, f, now)
		for i, r := range reasons {
			if i >= len(list) || r.Guardrail != list[i] || r.Message == "" {
				t.Fatalf("reasons %v for %v", reasons, list)
			}
		}
		if len(reasons) != len(list) {
			t.Fatalf("%d reasons for %d guardrails", len(reasons), len(list))
		}
	})
}

// TestLessKnownIsNotInside is invariant 2: removing a fact removes no guardrail.
func TestLessKnownIsNotInside(t *testing.T) {
	regime.Rapid(t, 5000, 200_000)
	rapid.Check(t, func(t *rapid.T) {
		p, f, now := FromValue(drawPolicy(t, "")), drawFacts(t), drawInstant(t)
		before := Outside(p, f, now)
		for i, forget := range []func(*Facts, *time.Time){
			func(f *Facts, _ *time.Time) { f.Route = "" }, func(f *Facts, _ *time.Time) { f.Criticality = "" },
			func(f *Facts, _ *time.Time) { f.Files = Count{} }, func(f *Facts, _ *time.Time) { f.Adds = Count{} },
			func(f *Facts, _ *time.Time) { f.Deletes = Count{} }, func(f *Facts, _ *time.Time) { f.RegressionTest = Unknown },
			func(f *Facts, _ *time.Time) { f.SecondReview = Unknown }, func(f *Facts, _ *time.Time) { f.MergesToday = Count{} },
			func(f *Facts, _ *time.Time) { f.RunsToday = Count{} }, func(_ *Facts, now *time.Time) { *now = time.Time{} },
		} {
			less, when := f, now
			forget(&less, &when)
			if after := Outside(p, less, when); before&^after != 0 {
				t.Fatalf("forgetting fact %d: %v became %v", i, before, after)
			}
		}
	})
}

// TestTighterIsInside is invariant 3: what is outside the merged policy is outside a tighter one, at every instant.
func TestTighterIsInside(t *testing.T) {
	regime.Rapid(t, 50_000/moments, 1_000_000/moments)
	rapid.Check(t, func(t *rapid.T) {
		m := drawPolicy(t, "")
		zone := ""
		if w, ok := m["window"].(map[string]any); ok && rapid.Bool().Draw(t, "same zone") {
			zone = w["timezone"].(string)
		}
		merged, other := FromValue(m), FromValue(drawPolicy(t, zone))
		when := drawMoments(t)
		for _, proposed := range []Policy{other, Meet(merged, other)} {
			c := Compare(merged, proposed)
			if back := Compare(proposed, merged); back.Verdict != c.Verdict.Reverse() {
				t.Fatalf("%v one way, %v the other", c.Verdict, back.Verdict)
			}
			if c.Verdict != Tighter && c.Verdict != Equal {
				continue
			}
			for _, m := range when {
				if was, is := Outside(merged, m.facts, m.now), Outside(proposed, m.facts, m.now); was&^is != 0 {
					t.Fatalf("%v at %v: merged %v, proposed %v", c, m, was, is)
				}
			}
		}
	})
}

// TestMeetIsBoth is invariant 4: outside a meet is what is outside either; it is commutative, associative, idempotent.
func TestMeetIsBoth(t *testing.T) {
	regime.Rapid(t, 50_000/moments, 1_000_000/moments)
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom([]string{"", "Europe/Berlin"}).Draw(t, "one zone")
		a, b, c := FromValue(drawPolicy(t, zone)), FromValue(drawPolicy(t, zone)), FromValue(drawPolicy(t, zone))
		ab := Meet(a, b)
		abc := Meet(ab, c)
		for _, m := range drawMoments(t) {
			outA, outB, outC := Outside(a, m.facts, m.now), Outside(b, m.facts, m.now), Outside(c, m.facts, m.now)
			if got := Outside(ab, m.facts, m.now); got != outA|outB {
				t.Fatalf("at %v: outside the meet %v, either %v", m, got, outA|outB)
			}
			if got := Outside(abc, m.facts, m.now); got != outA|outB|outC {
				t.Fatalf("at %v: outside the meet of three %v, any %v", m, got, outA|outB|outC)
			}
		}
		if rapid.IntRange(0, 9).Draw(t, "algebra") > 0 { // costly, so of a tenth
			return
		}
		for name, pair := range map[string][2]Policy{
			"commutative": {ab, Meet(b, a)}, "associative": {abc, Meet(a, Meet(b, c))}, "idempotent": {Meet(ab, ab), ab}, "absorbs": {Meet(ab, a), ab},
		} {
			if v := Compare(pair[0], pair[1]); v.Verdict != Equal {
				t.Fatalf("not %s: %v", name, v)
			}
		}
		if v := Compare(a, ab).Verdict; v != Tighter && v != Equal {
			t.Fatalf("the meet is %v to a", v)
		}
	})
}

// drawSystem gives the mapping of a valid system.
func drawSystem(t *rapid.T) map[string]any {
	sys := map[string]any{}
	if rapid.Bool().Draw(t, "top") {
		sys["autonomy"] = map[string]any{"paused": rapid.Bool().Draw(t, "paused")}
	}
	envs, instances := map[string]any{}, map[string]any{}
	for _, e := range []string{"dev", "staging", "production"} {
		env := map[string]any{"url": "https://" + e}
		if rapid.Bool().Draw(t, "declares") {
			env["autonomy"] = drawPolicy(t, "")
		}
		envs[e] = env
		inst := map[string]any{}
		if rapid.Bool().Draw(t, "capped") {
			inst["autonomy"] = map[string]any{"max": rapid.SampledFrom([]string{"observe", "advise", "propose", "act", "improve"}).Draw(t, "max")}
		}
		instances[e] = inst
	}
	sys["environments"], sys["components"] = envs, map[string]any{"api": map[string]any{"instances": instances}}
	return sys
}

func parsed(t interface{ Fatalf(string, ...any) }, v any) (*System, []byte) {
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("%v", err)
	}
	sys, err := Parse("system.yaml", data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return sys, data
}

// TestNothingRaises is invariants 5 and 7: an instance acts at or below its environment, that at or below what is
// declared, all at observe while paused; rendering is deterministic, and loads to what judges alike.
func TestNothingRaises(t *testing.T) {
	regime.Rapid(t, 2000, 100_000)
	rapid.Check(t, func(t *rapid.T) {
		sys, data := parsed(t, drawSystem(t))
		f, now := drawFacts(t), drawInstant(t)
		level := rapid.SampledFrom([]Level{Observe, Advise, Propose, Act, Improve}).Draw(t, "signalled")
		signals := Signals{Paused: rapid.IntRange(0, 3).Draw(t, "p") == 0, Environments: map[string]EnvironmentSignal{"dev": {Level: &level}}}
		first, err := sys.Render()
		if err != nil {
			t.Fatalf("%v", err)
		}
		again, _ := Parse("system.yaml", data)
		if second, _ := again.Render(); string(first) != string(second) {
			t.Fatalf("two renderings differ")
		}
		var loaded *System
		if sys.Declared() {
			if loaded, err = LoadRendered("autonomy.json", first); err != nil {
				t.Fatalf("%v\n%s", err, first)
			}
		}
		for env := range sys.Environments() {
			declared := sys.Policy(env).Level()
			plain, signalled := sys.Effective(env, "", Signals{}), sys.Effective(env, "", signals)
			instance := sys.Effective(env, "api", signals)
			if plain > declared || signalled > plain || instance > signalled || plain > Act {
				t.Fatalf("%s: declared %v, acts as %v, signalled %v, instance %v", env, declared, plain, signalled, instance)
			}
			if (sys.Paused() || signals.Paused) && signalled != Observe {
				t.Fatalf("%s acts while paused", env)
			}
			if env == "dev" && signalled > level {
				t.Fatalf("a signal to %v leaves dev at %v", level, signalled)
			}
			if loaded == nil {
				continue
			}
			if d := cmp.Diff(sys.Decide(env, "api", signals, f, now), loaded.Decide(env, "api", signals, f, now)); d != "" {
				t.Fatalf("%s: decided differently from what was rendered:\n%s", env, d)
			}
			if c := Compare(sys.Policy(env), loaded.Policy(env)); c.Verdict != Equal {
				t.Fatalf("%s: filled again: %v", env, c)
			}
		}
	})
}

// TestSignalsNeverLoosen is invariant 6: whatever signals come, also when main changes meanwhile, nothing in force is
// above what is merged.
func TestSignalsNeverLoosen(t *testing.T) {
	regime.Rapid(t, 2000, 100_000)
	rapid.Check(t, func(t *rapid.T) {
		merged := FromValue(drawPolicy(t, "UTC"))
		start := drawInstant(t)
		var held Held
		for range rapid.IntRange(1, 8).Draw(t, "signals") {
			s := Signal{
				ID:   rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "id"),
				Kind: rapid.SampledFrom([]SignalKind{PauseSignal, ResumeSignal, SetSignal}).Draw(t, "kind"),
				At:   start.Add(time.Duration(rapid.IntRange(-5, 5).Draw(t, "at")) * time.Minute),
			}
			if s.Kind == SetSignal {
				data, _ := json.Marshal(drawPolicy(t, "UTC"))
				var err error
				if s.Policy, err = ParsePatch("signal", data); err != nil {
					t.Fatalf("%v", err)
				}
			}
			before := held
			var a SignalAnswer
			held, a = held.Accept(s, merged, start)
			if s.Kind == PauseSignal && a.Code != SignalRepeated && !held.Paused {
				t.Fatalf("a pause was not kept: %v", a)
			}
			if !a.Accepted() && cmp.Diff(before.At, held.At) != "" {
				t.Fatalf("a refused signal changed something")
			}
			if rapid.IntRange(0, 3).Draw(t, "main changes") == 0 {
				merged = FromValue(drawPolicy(t, "UTC"))
				held = held.Settle(merged)
			}
			if c := Compare(merged, held.InForce(merged)); c.Verdict != Equal && c.Verdict != Tighter {
				t.Fatalf("in force is %v", c)
			}
		}
	})
}
