package systempolicy_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/ambit/internal/fault"
	. "example.com/ambit/systempolicy"
	"github.com/google/go-cmp/cmp"
)

var wednesday = time.Date(2026, 7, 22, 12, 0, 0, 0, time.UTC)

// TestZeroValuesAreClosed holds that forgetting anything merges nothing.
func TestZeroValuesAreClosed(t *testing.T) {
	if got := Outside(Policy{}, insideFacts, wednesday); got != AllGuardrails {
		t.Errorf("the zero Policy: %v", got)
	}
	if got, want := Outside(Default(), Facts{}, wednesday), AllGuardrails&^(1<<InWindow); got != want {
		t.Errorf("the zero Facts: %v", got)
	}
	if got, want := Outside(Default(), insideFacts, time.Time{}), Guardrails(0).With(InWindow); got != want {
		t.Errorf("the zero clock: %v", got)
	}
	var sys *System
	d := sys.Decide("dev", "api", Signals{}, insideFacts, wednesday)
	if d.Merge || (Decision{}).Merge || sys.Effective("dev", "", Signals{}) != Observe || !sys.Paused() || sys.Declared() || sys.Valid() || sys.Has("dev") {
		t.Errorf("a nil System: %+v", d)
	}
	if sys.Name() != "" || sys.Warnings() != nil || sys.HasInstance("b", "a") || sys.DeclaresIn("a") || !sys.Written("a").Empty() {
		t.Error("a nil System has something")
	}
	if _, capped := sys.Max("b", "a"); capped {
		t.Error("a nil System has a cap")
	}
	for range sys.Environments() {
		t.Error("a nil System has environments")
	}
	for range sys.Components() {
		t.Error("a nil System has components")
	}
	for range sys.Instances("a") {
		t.Error("a nil System has instances")
	}
	if d := (SignalAnswer{}); d.Accepted() {
		t.Error("the zero SignalAnswer accepts")
	}
	if (UndoDecision{}).Allowed || (Comparison{}).Verdict != Incomparable {
		t.Error("a zero verdict allows")
	}
}

// TestTheLimitsThemselves holds which side of each limit is inside.
func TestTheLimitsThemselves(t *testing.T) {
	p := FromValue(map[string]any{"riskGate": map[string]any{"maxFiles": 5, "maxLines": 200}, "budget": map[string]any{"mergesPerDay": 2, "runsPerDay": 5}, "autoMerge": map[string]any{"maxCriticality": "medium"}})
	for _, tt := range []struct {
		name string
		set  func(*Facts)
		want string
	}{
		{"as many files", func(f *Facts) { f.Files = Known(5) }, "none"},
		{"one more file", func(f *Facts) { f.Files = Known(6) }, "riskGate.maxFiles"},
		{"as many lines", func(f *Facts) { f.Adds, f.Deletes = Known(150), Known(50) }, "none"},
		{"one more line", func(f *Facts) { f.Adds, f.Deletes = Known(150), Known(51) }, "riskGate.maxLines"},
		{"a sum that would wrap", func(f *Facts) { f.Adds, f.Deletes = Known(math.MaxInt64), Known(1) }, "riskGate.maxLines"},
		{"lines of which one half is not known", func(f *Facts) { f.Deletes = Count{} }, "riskGate.maxLines"},
		{"a negative count", func(f *Facts) { f.Files = Known(-1) }, "riskGate.maxFiles"},
		{"one merge left", func(f *Facts) { f.MergesToday = Known(1) }, "none"},
		{"no merge left", func(f *Facts) { f.MergesToday = Known(2) }, "budget.mergesPerDay"},
		{"one run left", func(f *Facts) { f.RunsToday = Known(4) }, "none"},
		{"no run left", func(f *Facts) { f.RunsToday = Known(5) }, "budget.runsPerDay"},
		{"as critical", func(f *Facts) { f.Criticality = "medium" }, "none"},
		{"more critical", func(f *Facts) { f.Criticality = "high" }, "autoMerge.maxCriticality"},
		{"a word that is none", func(f *Facts) { f.Criticality = "Low" }, "autoMerge.maxCriticality"},
		{"another route", func(f *Facts) { f.Route = "fix " }, "autoMerge.routes"},
		{"no test", func(f *Facts) { f.RegressionTest = No }, "riskGate.regressionTest"},
		{"a review that is not known", func(f *Facts) { f.SecondReview = Unknown }, "riskGate.secondReview"},
	} {
		f := insideFacts
		tt.set(&f)
		if got := Outside(p, f, wednesday).String(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	off := FromValue(map[string]any{"riskGate": map[string]any{"regressionTest": false, "secondReview": false}})
	f := insideFacts
	f.RegressionTest, f.SecondReview = No, Unknown
	if got := Outside(off, f, wednesday); !got.Empty() {
		t.Errorf("gates that are off: %v", got)
	}
}

func TestExplain(t *testing.T) {
	f := Facts{Route: "feature", Criticality: "urgent", Files: Known(9), Adds: Known(300), Deletes: Known(1), RegressionTest: No, SecondReview: No,
		MergesToday: Known(2), RunsToday: Known(6)}
	text := func(p Policy, f Facts, now time.Time) (out []string) {
		for _, r := range Explain(p, f, now) {
			out = append(out, r.Guardrail.String()+": "+r.Message)
		}
		return out
	}
	berlin := FromValue(map[string]any{"window": map[string]any{"timezone": "Europe/Berlin"}})
	want := []string{
		`autoMerge.routes: the route "feature" is not among the listed routes: fix`,
		`autoMerge.maxCriticality: the criticality "urgent" is none of low, medium, high; at most low is inside`,
		"riskGate.maxFiles: 9 files are touched, at most 5 may be",
		"riskGate.maxLines: 301 lines are added and deleted, at most 200 may be",
		"riskGate.regressionTest: no test failed before and passes after",
		"riskGate.secondReview: the second review did not pass",
		"budget.mergesPerDay: 2 merges were made today (UTC), the budget is 2",
		"budget.runsPerDay: 6 runs were made today (UTC), the budget is 5",
		"window: wed 20:00 (Europe/Berlin) is outside the window mon-fri 09:00-17:00 Europe/Berlin; it opens thu 09:00 (2026-07-23T07:00:00Z)",
	}
	if d := cmp.Diff(want, text(berlin, f, wednesday.Add(6*time.Hour))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	want = []string{
		"autoMerge.routes: the route is not known; it must be among the listed routes: fix",
		"autoMerge.maxCriticality: the criticality is not known, at most low is inside",
		"riskGate.maxFiles: how many files are touched is not known, at most 5 may be",
		"riskGate.maxLines: how many lines are added and deleted is not known, at most 200 may be",
		"riskGate.regressionTest: whether a test failed before and passes after is not known",
		"riskGate.secondReview: whether the second review passed is not known",
		"budget.mergesPerDay: how many merges were made today (UTC) is not known, the budget is 2",
		"budget.runsPerDay: how many runs were made today (UTC) is not known, the budget is 5",
		"window: there is no clock, and the window is mon-fri 09:00-17:00 UTC",
	}
	if d := cmp.Diff(want, text(Default(), Facts{}, time.Time{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	never := Meet(FromValue(map[string]any{"autoMerge": map[string]any{"routes": []any{}}, "window": map[string]any{"days": []any{"mon"}}}), FromValue(map[string]any{"window": map[string]any{"days": []any{"tue"}}}))
	high := insideFacts
	high.Criticality = "high"
	want = []string{
		`autoMerge.routes: the route "fix" is not among the listed routes: there are none`,
		"autoMerge.maxCriticality: the criticality is high, at most low is inside",
		"window: wed 12:00 (UTC) is outside the window mon 09:00-17:00 UTC; tue 09:00-17:00 UTC; it does not open",
	}
	if d := cmp.Diff(want, text(never, high, wednesday)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := Explain(Policy{}, Facts{}, wednesday); len(got) != 9 || got[0].Message != "autoMerge.routes cannot be told from the policy, so nothing is inside" {
		t.Errorf("%+v", got)
	}
	if got := Explain(Default(), insideFacts, wednesday); got == nil || len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestDecide(t *testing.T) {
	p := FromValue(map[string]any{"level": "improve", "engine": "https://e.example.com"})
	for _, tt := range []struct {
		effective Level
		p         Policy
		f         Facts
		want      []string
	}{
		{Act, p, insideFacts, []string{}},
		{Improve, p, insideFacts, []string{"level"}}, // not an effective level
		{Level(9), p, insideFacts, []string{"level"}},
		{Propose, FromValue(nil), Facts{Route: "fix"}, []string{"level", "engine", "autoMerge.maxCriticality", "riskGate.maxFiles", "riskGate.maxLines",
			"riskGate.regressionTest", "riskGate.secondReview", "budget.mergesPerDay", "budget.runsPerDay"}},
	} {
		d := Decide(tt.effective, tt.p, tt.f, wednesday)
		if diff := cmp.Diff(tt.want, d.Reasons()); diff != "" || d.Merge != (len(tt.want) == 0) {
			t.Errorf("merge %v (-want +got):\n%s", d.Merge, diff)
		}
	}
}

func TestFactsJSON(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string // the facts that are known
		bad  bool
	}{
		{`{"route":"fix","files":3,"adds":0,"regressionTest":true,"secondReview":false,"other":[1]}`, `{"route":"fix","files":3,"adds":0,"regressionTest":true,"secondReview":false}`, false},
		{`{"route":["fix"],"files":"3","adds":3.0,"deletes":1e3,"mergesToday":-1,"runsToday":true,"regressionTest":1,"secondReview":"true","criticality":null}`, `{}`, false},
		{`{"files":99999999999999999999,"Files":1,"FILES":2,"adds":-0,"deletes":00}`, `{}`, true},
		{`{"files":99999999999999999999,"Files":1,"adds":-0}`, `{"files":9223372036854775807}`, false},
		{`{"files":9,"files":1}`, `{}`, true},
		{`null`, `{}`, false},
		{`[]`, `{}`, true},
		{`"fix"`, `{}`, true},
		{``, `{}`, true},
		{`{"route":"fix"} {}`, `{}`, true},
		{`{"x":"` + strings.Repeat("x", MaxFactsBytes) + `"}`, `{}`, true},
	} {
		f, err := ParseFacts("facts.json", []byte(tt.text))
		if (err != nil) != tt.bad {
			t.Errorf("%.60s: %v", tt.text, err)
		}
		if tt.bad && len(fault.All(err)) == 0 {
			t.Errorf("%.60s: no typed error: %v", tt.text, err)
		}
		data, err := json.Marshal(f)
		if err != nil || string(data) != tt.want {
			t.Errorf("%.60s: %s, want %s", tt.text, data, tt.want)
		}
		var again Facts
		if err := json.Unmarshal(data, &again); err != nil || again != f {
			t.Errorf("%s became %+v, %v", data, again, err)
		}
	}
}

func TestFromValue(t *testing.T) {
	deep := map[string]any{}
	for at, i := deep, 0; i < 200; i++ {
		next := map[string]any{}
		at["window"] = next
		at = next
	}
	cycle := map[string]any{}
	cycle["riskGate"] = cycle
	gate := func(k string, v any) map[string]any { return map[string]any{"riskGate": map[string]any{k: v}} }
	window := func(k string, v any) map[string]any { return map[string]any{"window": map[string]any{k: v}} }
	run := func(v any) map[string]any {
		return map[string]any{"budget": map[string]any{"perRun": map[string]any{"cost": v}}}
	}
	for _, tt := range []struct {
		name string
		m    map[string]any
		key  Key
		want string // the key's text
		shut string // the guardrails that are closed
	}{
		{"nil", nil, KeyTo, "17:00", "none"},
		{"an int", gate("maxFiles", 7), KeyMaxFiles, "7", "none"},
		{"an int64", gate("maxFiles", int64(7)), KeyMaxFiles, "7", "none"},
		{"a uint8", gate("maxFiles", uint8(7)), KeyMaxFiles, "7", "none"},
		{"a whole float64", gate("maxFiles", 7.0), KeyMaxFiles, "7", "none"},
		{"a float64", gate("maxFiles", 7.5), KeyMaxFiles, "5", "riskGate.maxFiles"},
		{"a number with a point", gate("maxFiles", json.Number("7.0")), KeyMaxFiles, "5", "riskGate.maxFiles"},
		{"a json.Number", gate("maxFiles", json.Number("7")), KeyMaxFiles, "7", "none"},
		{"a large float64", gate("maxFiles", 1e16), KeyMaxFiles, "5", "riskGate.maxFiles"},
		{"text", gate("maxFiles", "7"), KeyMaxFiles, "5", "riskGate.maxFiles"},
		{"null", gate("maxFiles", nil), KeyMaxFiles, "5", "riskGate.maxFiles"},
		{"false", gate("secondReview", false), KeySecondReview, "false", "none"},
		{"a text for false", gate("secondReview", "false"), KeySecondReview, "true", "riskGate.secondReview"},
		{"a time as a number", window("to", 1020), KeyTo, "17:00", "none"},
		{"a time as a whole float64", window("from", 540.0), KeyFrom, "09:00", "none"},
		{"a number that is no time", window("to", 17), KeyTo, "17:00", "window"},
		{"a late number", window("to", 1440), KeyTo, "17:00", "window"},
		{"a quoted short time", window("to", "9:30"), KeyTo, "17:00", "window"},
		{"strings", window("days", []string{"sun", "mon"}), KeyDays, "[mon, sun]", "none"},
		{"a zone that is nowhere", window("timezone", "Nowhere"), KeyTimezone, "", "window"},
		{"a float32", run(float32(2.5)), KeyCost, "2.5", "none"},
		{"not a number", run(math.NaN()), KeyCost, "0", "none"},
		{"infinite", run(math.Inf(1)), KeyCost, "0", "none"},
		{"less than infinite", run(math.Inf(-1)), KeyCost, "0", "none"},
		{"tiny", run(1e-9), KeyCost, "1e-09", "none"},
		{"huge", run(1e300), KeyCost, "1e+300", "none"},
		{"keys of any type", map[string]any{"riskGate": map[any]any{"maxFiles": 7}}, KeyMaxFiles, "7", "none"},
		{"a key that is no text", map[string]any{"riskGate": map[any]any{"maxFiles": 7, 1: 2}}, KeyMaxFiles, "7", "riskGate.maxFiles, riskGate.maxLines, riskGate.regressionTest, riskGate.secondReview"},
		{"a type of one's own", gate("maxFiles", time.Second), KeyMaxFiles, "5", "riskGate.maxFiles"},
		{"deep", deep, KeyTo, "17:00", "window"},
		{"a cycle", cycle, KeyMaxFiles, "5", "riskGate.maxFiles, riskGate.maxLines, riskGate.regressionTest, riskGate.secondReview"},
		{"a bad level", map[string]any{"level": "Act"}, KeyLevel, "observe", "none"},
		{"a bad engine", map[string]any{"engine": 7}, KeyEngine, "", "none"},
		{"a bad undo window", map[string]any{"undoWindow": 7}, KeyUndoWindow, "", "none"},
		{"a list for an undo window", map[string]any{"undoWindow": []any{}}, KeyUndoWindow, "", "none"},
		{"a list for an engine", map[string]any{"engine": []any{}}, KeyEngine, "", "none"},
		{"too many days", window("days", make([]any, 1000)), KeyDays, "[]", "window"},
	} {
		p := FromValue(tt.m)
		if got := p.Text(tt.key); got != tt.want {
			t.Errorf("%s: %s is %q, want %q", tt.name, tt.key, got, tt.want)
		}
		if got := p.Closed().String(); got != tt.shut {
			t.Errorf("%s: closed %s, want %s", tt.name, got, tt.shut)
		}
	}
	if p := FromValue(nil); p.Engine() != "" || p.MaxCriticality() != Low || p.MaxFiles() != 5 || p.MaxLines() != 200 || !p.RegressionTest() || !p.SecondReview() ||
		p.RunsPerDay() != 5 || p.MergesPerDay() != 2 || p.PerRun() != (PerRun{60, 20, 2, 3}) || p.UndoWindow().Duration() != 24*time.Hour || p.Level() != Observe {
		t.Errorf("the defaults: %+v", p)
	}
}

func TestCompareClosed(t *testing.T) {
	bad := FromValue(map[string]any{"riskGate": map[string]any{"maxFiles": "x"}, "window": map[string]any{"to": 1}})
	good := FromValue(nil)
	if c := Compare(good, bad); c.Verdict != Tighter || c.String() != "tighter: riskGate.maxFiles, window" {
		t.Errorf("what is closed is %v", c)
	}
	if c := Compare(bad, good); c.Verdict != Looser || c.Key(KeyTo) != Looser || c.Key(Key(99)) != Incomparable {
		t.Errorf("opening is %v", c)
	}
	if c := Compare(bad, bad); c.Verdict != Equal || c.String() != "equal" {
		t.Errorf("closed twice is %v", c)
	}
	if m := Meet(good, bad); m.Closed() != bad.Closed() {
		t.Errorf("the meet has %v closed", m.Closed())
	}
	if c := Compare(FromValue(map[string]any{"window": map[string]any{"timezone": "x"}}), Policy{}); c.Key(KeyDays) != Equal {
		t.Errorf("two windows that are never open: %v", c)
	}
}

func TestEngineURLs(t *testing.T) {
	for text, want := range map[string]string{
		"https://ai-ops.dev.example.com":     "ai-ops.dev.example.com",
		"http://AI.Example.com.:8080/a/b%20": "ai.example.com",
		"https://[2001:DB8::1]:443/":         "2001:db8::1",
		"http://[::1]":                       "::1",
		"https://10.0.0.7":                   "10.0.0.7",
		"http://localhost:8080":              "localhost",
		"https://a/@b":                       "a",
	} {
		u, err := ParseEngineURL(text)
		if err != nil || u.Host != want || u.KeychainAccount() != "engine:"+want || u.TLS != strings.HasPrefix(text, "https") {
			t.Errorf("%s: %+v, %v", text, u, err)
		}
		if base := strings.TrimSuffix(text, "/"); u.Signals() != base+"/v1/signals" || u.Status() != base+"/v1/status" {
			t.Errorf("%s: %s, %s", text, u.Signals(), u.Status())
		}
	}
	for _, text := range []string{
		"", "https://", "https:///x", "http://:8080", "ftp://a", "HTTPS://a", "https://u@a", "https://u:p@a", "https://a?b", "https://a#b", "https://a b",
		"https://a\\b", "https://ä", "https://a\x7f", "https://a:0", "https://a:65536", "https://a:", "https://a:080", "https://a:x", "https://a..b", "https://-a",
		"https://a-.b", "https://*.b", "https://[::1", "https://[::1]x", "https://[1.2.3.4]", "https://[fe80::1%25eth0]", "https://1.2.3", "https://999.1.1.1",
		"https://a/%2", "https://a/%zz", "https://" + strings.Repeat("a", 64), "https://" + strings.Repeat("a.", 130) + "b", "https://a_b", "https://.", "https://[]", "a.example.com",
	} {
		if u, err := ParseEngineURL(text); err == nil {
			t.Errorf("%q is taken: %+v", text, u)
		}
	}
	for text, want := range map[string]bool{"http://localhost": true, "http://a.localhost": true, "http://127.1.2.3": true, "http://[::1]:1": true, "http://10.0.0.1": false, "http://example.com": false} {
		if u, err := ParseEngineURL(text); err != nil || u.Loopback() != want {
			t.Errorf("%s: loopback %v, %v", text, u.Loopback(), err)
		}
	}
}

// TestEngineURLSecrets states that no message repeats what may be a password or a token.
func TestEngineURLSecrets(t *testing.T) {
	for _, text := range []string{
		"https://user:s3cret@host", "https://s3cret@host/x", "https://host?token=s3cret", "https://host#s3cret", "user:s3cret@host", "ftp://a:s3cret@b",
		"https://us?er:s3cret@host", "s3cret@a://b", "https://a b:s3cret@host", "https://host/a?b@s3cret",
	} {
		_, err := ParseEngineURL(text)
		if err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", text, err)
		}
		_, err = Parse("system.yaml", []byte("name: shop\nautonomy:\n  engine: \""+text+"\"\n"))
		if err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s in a file: %v", text, err)
		}
		var faults fault.List
		if errors.As(err, &faults) {
			for _, e := range faults {
				if strings.Contains(e.Hint, "s3cret") || strings.Contains(strings.Join(e.Allowed, " "), "s3cret") {
					t.Errorf("%s: the hint %s", text, e.Hint)
				}
			}
		}
	}
}

func TestUndoWindows(t *testing.T) {
	for text, want := range map[string]time.Duration{"1m": time.Minute, "90m": 90 * time.Minute, "24h": 24 * time.Hour, "1d": 24 * time.Hour, "106751d": 106751 * 24 * time.Hour} {
		var u UndoWindow
		if err := u.UnmarshalText([]byte(text)); err != nil || u.Duration() != want || u.String() != text {
			t.Errorf("%s: %v, %v", text, u, err)
		}
		if back, _ := u.MarshalText(); string(back) != text {
			t.Errorf("%s became %s", text, back)
		}
	}
	for _, text := range []string{"", "0h", "1", "h", "1.5h", "1h30m", "24H", "1w", "+1h", " 1h", "1h ", "01h", "106752d", "99999999999999999999d", "153722868m0", "2562048h"} {
		if u, err := ParseUndoWindow(text); err == nil {
			t.Errorf("%q is taken: %v", text, u.Duration())
		}
	}
}

func TestUsedToday(t *testing.T) {
	stamps := []string{"2026-07-21T23:59:59Z", "2026-07-22T01:00:00+02:00", "2026-07-22T00:00:00Z", "2026-07-22T23:00:00Z", "2026-07-29T00:00:00Z", "yesterday", ""}
	if got := UsedToday(stamps, wednesday); got != 5 {
		t.Errorf("%d", got)
	}
	if got := UsedToday(stamps, time.Time{}); got != 7 {
		t.Errorf("without a clock %d", got)
	}
}

func TestUndo(t *testing.T) {
	sys, _ := parsed(t, map[string]any{"environments": map[string]any{
		"dev": map[string]any{"autonomy": map[string]any{"undoWindow": "2h"}}, "staging": nil, "prod": nil, "qa": nil}})
	event := Event{ID: "ev", Environment: "dev", Component: "api", Level: "improve", At: wednesday, From: "v1", To: "v2", Undone: No}
	pins := Pins{Before: []string{"v0", "v1"}, Current: "v2"}
	for _, tt := range []struct {
		name    string
		change  func(*Event, *Pins, *string)
		after   time.Duration
		want    []string
		command string
		moved   bool
	}{
		{"dev", func(*Event, *Pins, *string) {}, time.Hour, []string{}, "/instance:promote api --to dev --version v1", false},
		{"staging", func(e *Event, _ *Pins, _ *string) { e.Environment = "staging" }, 3 * time.Hour, []string{}, "/instance:promote api --to staging --sha v1", false},
		{"prod", func(e *Event, _ *Pins, _ *string) { e.Environment = "prod" }, 3 * time.Hour, []string{}, "/instance:promote api --to prod --version v1", false},
		{"no form", func(e *Event, _ *Pins, _ *string) { e.Environment = "qa" }, 0, []string{NoEvent}, "", false},
		{"no such environment", func(e *Event, _ *Pins, _ *string) { e.Environment = "gone" }, 0, []string{NoEvent, NoWindow}, "", false},
		{"moved on", func(_ *Event, p *Pins, _ *string) { p.Current = "v3" }, 0, []string{}, "/instance:promote api --to dev --version v1", true},
		{"in the future", func(*Event, *Pins, *string) {}, -time.Second, []string{NoWindow}, "", false},
		{"another version", func(_ *Event, _ *Pins, target *string) { *target = "v0" }, 0, []string{NotTarget}, "", false},
		{"everything", func(e *Event, p *Pins, _ *string) { *e, *p = Event{Environment: "dev"}, Pins{} }, 0, []string{NoEvent, NotAct, NoWindow, NotOnce, NotTarget, NotPinned}, "", false},
	} {
		e, p, target := event, pins, ""
		tt.change(&e, &p, &target)
		d := sys.Undo(e, p, target, wednesday.Add(tt.after))
		if diff := cmp.Diff(tt.want, d.Refusals); diff != "" || strings.Join(d.Command, " ") != tt.command || d.MovedOn != tt.moved {
			t.Errorf("%s: %+v (-want +got):\n%s", tt.name, d, diff)
		}
	}
}

func TestHeld(t *testing.T) {
	merged := FromValue(map[string]any{"level": "act", "engine": "https://e.example.com"})
	patch := func(k Key, text string) Patch {
		p, err := Patch{}.With(k, text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	at := func(minutes int) time.Time { return wednesday.Add(time.Duration(minutes) * time.Minute) }
	var h Held
	for _, step := range []struct {
		name   string
		s      Signal
		code   string
		paused bool
		level  Level
	}{
		{"a pause", Signal{ID: "1", At: at(-10)}, SignalAccepted, true, Act},
		{"the same pause", Signal{ID: "1", At: at(-10)}, SignalRepeated, true, Act},
		{"a resume of that instant", Signal{ID: "2", Kind: ResumeSignal, At: at(-10)}, SignalOlder, true, Act},
		{"a resume far ahead", Signal{ID: "3", Kind: ResumeSignal, At: at(2)}, SignalAhead, true, Act},
		{"a resume without a time", Signal{ID: "3", Kind: ResumeSignal}, SignalAhead, true, Act},
		{"a resume", Signal{ID: "4", Kind: ResumeSignal, At: at(-9)}, SignalAccepted, false, Act},
		{"the first pause again", Signal{ID: "1", At: at(-10)}, SignalRepeated, false, Act},
		{"an old pause", Signal{ID: "5", At: at(-30)}, SignalAccepted, true, Act},
		{"a resume as late as the last", Signal{ID: "6", Kind: ResumeSignal, At: at(-9)}, SignalOlder, true, Act},
		{"a later resume", Signal{ID: "7", Kind: ResumeSignal, At: at(-8)}, SignalAccepted, false, Act},
		{"a set", Signal{ID: "8", Kind: SetSignal, At: at(-5), Policy: patch(KeyLevel, "propose")}, SignalAccepted, false, Propose},
		{"an older set", Signal{ID: "9", Kind: SetSignal, At: at(-6), Policy: patch(KeyLevel, "observe")}, SignalOlder, false, Propose},
		{"a set that loosens", Signal{ID: "10", Kind: SetSignal, At: at(-4), Policy: patch(KeyLevel, "improve")}, SignalLoosens, false, Propose},
		{"a set of nothing", Signal{ID: "11", Kind: SetSignal, At: at(-4)}, SignalEmpty, false, Propose},
		{"a set back to merged", Signal{ID: "12", Kind: SetSignal, At: at(-3), Policy: patch(KeyLevel, "act")}, SignalAccepted, false, Act},
		{"an unknown kind stops", Signal{ID: "13", Kind: SignalKind(9), At: at(-2)}, SignalAccepted, true, Act},
	} {
		var a SignalAnswer
		h, a = h.Accept(step.s, merged, wednesday)
		if a.Code != step.code || h.Paused != step.paused || h.InForce(merged).Level() != step.level {
			t.Fatalf("%s: %+v, paused %v, level %v", step.name, a, h.Paused, h.InForce(merged).Level())
		}
	}
	if len(h.Settle(merged).Set.Keys().Names()) != 0 {
		t.Error("a set that main has reached is still held")
	}
	h.Set = patch(KeyMaxFiles, "3")
	if h.Settle(merged).Set.Keys().Empty() {
		t.Error("a set that main has not reached is dropped")
	}
	h.Paused = false
	sys, _ := parsed(t, map[string]any{"environments": map[string]any{"dev": map[string]any{"autonomy": map[string]any{"level": "act", "engine": "https://e.example.com"}}},
		"components": map[string]any{"api": map[string]any{"instances": map[string]any{"dev": nil}}}})
	four := insideFacts
	four.Files = Known(4)
	if d := sys.DecideHeld("dev", "api", h, four, wednesday); d.Merge || d.Outside.String() != "riskGate.maxFiles" {
		t.Errorf("held to 3 files: %+v", d)
	}
	if d := sys.DecideHeld("dev", "api", h, insideFacts, wednesday); !d.Merge {
		t.Errorf("inside what is held: %+v", d)
	}
	for i := range MaxSeen + 10 {
		h, _ = h.Accept(Signal{ID: string(rune('a'+i%26)) + strings.Repeat("x", i), At: at(0)}, merged, wednesday)
	}
	if len(h.Seen) != MaxSeen {
		t.Errorf("%d ids are remembered", len(h.Seen))
	}
}

func TestPatch(t *testing.T) {
	var p Patch
	for _, kv := range [][2]string{
		{"level", "propose"}, {"engine", "https://e.example.com"}, {"autoMerge.routes", ""}, {"autoMerge.maxCriticality", "medium"}, {"riskGate.maxFiles", "3"},
		{"riskGate.maxLines", "9"}, {"riskGate.regressionTest", "False"}, {"riskGate.secondReview", "true"}, {"budget.runsPerDay", "0"}, {"budget.mergesPerDay", "1"},
		{"budget.perRun.minutes", "2.50"}, {"budget.perRun.invocations", "7"}, {"budget.perRun.reruns", "1e1"}, {"budget.perRun.cost", "0.1"},
		{"window.days", "sun, mon"}, {"window.from", "9:00"}, {"window.to", "09:30"}, {"window.timezone", "Etc/GMT+5"}, {"undoWindow", "90m"},
	} {
		k, err := ParseKey(kv[0])
		if err != nil {
			t.Fatal(err)
		}
		if p, err = p.With(k, kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"level":"propose","engine":"https://e.example.com","autoMerge":{"routes":[],"maxCriticality":"medium"},"riskGate":{"maxFiles":3,"maxLines":9,"regressionTest":false,"secondReview":true},"budget":{"runsPerDay":0,"mergesPerDay":1,"perRun":{"minutes":2.5,"invocations":7,"reruns":10,"cost":0.1}},"window":{"days":["mon","sun"],"from":"09:00","to":"09:30","timezone":"Etc/GMT+5"},"undoWindow":"90m"}`
	if d := cmp.Diff(want, string(data)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	var back Patch
	if err := json.Unmarshal(data, &back); err != nil || back.Keys() != p.Keys() {
		t.Fatalf("%v, %v", back.Keys(), err)
	}
	if c := Compare(p.Apply(Default()), back.Apply(Default())); c.Verdict != Equal {
		t.Errorf("read again: %v", c)
	}
	if none, _ := json.Marshal(PatchOf(Default(), Keys(0).With(KeyEngine).With(KeyRoutes).With(KeyFrom))); string(none) != `{"engine":null,"autoMerge":{"routes":["fix"]},"window":{"days":["mon","tue","wed","thu","fri"],"from":"09:00","to":"17:00","timezone":"UTC"}}` {
		t.Errorf("%s", none)
	}
	for _, kv := range []struct {
		k    Key
		text string
		code string
	}{{KeyMaxFiles, "0", CodeOutOfRange}, {KeyMaxFiles, "", CodeWrongType}, {KeyDays, "mon,mon", CodeNotAllowed}, {KeyDays, "", CodeNotAllowed}, {KeyLevel, "null", CodeNull},
		{KeyRoutes, "spec", CodeNotAllowed}, {Key(99), "x", CodeUnknownKey}, {KeyEngine, "", CodeBadURL}} {
		got, err := p.With(kv.k, kv.text)
		var e *Error
		if !errors.As(err, &e) || e.Code != kv.code || got.Keys() != p.Keys() {
			t.Errorf("%v %q: %v", kv.k, kv.text, err)
		}
	}
	for _, text := range []string{``, `[]`, `{"level":"x"}`, `{"window":{"to":1020}}`, `{"x":1}`, `{"level":null}`, `{"level":"act","level":"act"}`, `{"window":{"to":"` + strings.Repeat("9", MaxPatchBytes) + `"}}`} {
		if p, err := ParsePatch("signal", []byte(text)); err == nil || !p.Keys().Empty() {
			t.Errorf("%.40s is taken", text)
		}
	}
}

func TestParseSignals(t *testing.T) {
	for _, tt := range []struct {
		text  string
		dev   Level
		codes string
	}{
		{``, Act, ""}, {`null`, Act, ""}, {`{}`, Act, ""}, {`{"environments":null}`, Act, ""}, {`{"environments":{"dev":null}}`, Act, ""},
		{`{"environments":{"dev":{"level":"advise"}}}`, Advise, ""}, {`{"environments":{"dev":{"level":"improve"}}}`, Act, ""},
		{`{"environments":{"dev":{"level":"Act"}}}`, Observe, CodeNotAllowed}, {`{"environments":{"dev":{"level":null}}}`, Observe, CodeNotAllowed},
		{`{"paused":"no"}`, Observe, CodeWrongType}, {`{"paused":true}`, Observe, ""}, {`{"environments":{"dev":{"paused":0}}}`, Observe, CodeWrongType},
		{`{"environments":[]}`, Observe, CodeWrongType}, {`{"environments":{"dev":1}}`, Observe, CodeWrongType}, {`[]`, Observe, CodeWrongType}, {`{`, Observe, "json_syntax"},
	} {
		sys, _ := parsed(t, map[string]any{"environments": map[string]any{"dev": map[string]any{"autonomy": map[string]any{"level": "act"}}}})
		signals, err := ParseSignals("signals.json", []byte(tt.text))
		code := ""
		if all := fault.All(err); len(all) > 0 {
			code = all[0].Code
		}
		if got := sys.Effective("dev", "", signals); got != tt.dev || code != tt.codes {
			t.Errorf("%s: %v, %v", tt.text, got, err)
		}
	}
}

// TestConcurrentUse shares one System and its policies between goroutines; the race detector watches.
func TestConcurrentUse(t *testing.T) {
	sys, _ := parsed(t, map[string]any{"environments": map[string]any{"dev": map[string]any{"autonomy": map[string]any{"level": "act", "window": map[string]any{"timezone": "Europe/Berlin"}}}}})
	want, err := sys.Render()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 200 {
				p := sys.Policy("dev")
				Outside(Meet(p, Default()), insideFacts, wednesday.Add(time.Duration(i)*time.Hour))
				Compare(p, Default())
				if got, err := sys.Render(); err != nil || string(got) != string(want) {
					t.Errorf("%v", err)
				}
			}
		})
	}
	wg.Wait()
}
