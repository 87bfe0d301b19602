package systempolicy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/ambit/systempolicy"
)

func policyOf(t *testing.T, text string) systempolicy.Policy {
	t.Helper()
	s, err := systempolicy.Parse("p", []byte("environments: {dev: {autonomy: "+text+"}}"))
	if err != nil {
		t.Fatal(text, err)
	}
	return s.Policy("dev")
}

// TestOrder tries each rule of the order in both directions. want is what the second is to the first, by key.
func TestOrder(t *testing.T) {
	const week = "[mon, tue, wed, thu, fri, sat, sun]"
	win := func(days, from, to, zone string) string {
		return fmt.Sprintf("{window: {days: %s, from: %q, to: %q, timezone: %s}}", days, from, to, zone)
	}
	tests := []struct{ rule, merged, proposed, want string }{
		{"defaults", "{}", "{level: observe, riskGate: {}, window: {}, undoWindow: 24h}", "equal"},
		{"O1", "{level: act}", "{level: propose}", "tighter: level"},
		{"O1", "{level: improve}", "{level: act}", "tighter: level"},
		{"O1", "{level: advise}", "{level: observe}", "tighter: level"},
		{"O2", "{}", "{autoMerge: {routes: []}}", "tighter: autoMerge.routes"},
		{"O2 same set", "{autoMerge: {routes: [fix, fix]}}", "{autoMerge: {routes: [fix]}}", "equal"},
		{"O3", "{autoMerge: {maxCriticality: high}}", "{autoMerge: {maxCriticality: medium}}", "tighter: autoMerge.maxCriticality"},
		{"O4", "{}", "{riskGate: {maxFiles: 4}}", "tighter: riskGate.maxFiles"},
		{"O4", "{}", "{riskGate: {maxFiles: 5}}", "equal"},
		{"O5", "{}", "{riskGate: {maxLines: 199}}", "tighter: riskGate.maxLines"},
		{"O6", "{riskGate: {regressionTest: false}}", "{}", "tighter: riskGate.regressionTest"},
		{"O7", "{riskGate: {secondReview: false}}", "{}", "tighter: riskGate.secondReview"},
		{"O8", "{}", "{budget: {runsPerDay: 0}}", "tighter: budget.runsPerDay"},
		{"O9", "{budget: {mergesPerDay: 1}}", "{budget: {mergesPerDay: 0}}", "tighter: budget.mergesPerDay"},
		{"O10", "{}", "{budget: {perRun: {minutes: 59.5}}}", "tighter: budget.perRun.minutes"},
		{"O10", "{}", "{budget: {perRun: {invocations: 19}}}", "tighter: budget.perRun.invocations"},
		{"O10", "{}", "{budget: {perRun: {reruns: 1}}}", "tighter: budget.perRun.reruns"},
		{"O10", "{}", "{budget: {perRun: {cost: 2.99}}}", "tighter: budget.perRun.cost"},
		{"O10 spelling", "{}", "{budget: {perRun: {cost: 3.0}}}", "equal"},
		{"O12", "{engine: \"https://a\"}", "{}", "tighter: engine"},
		{"O12 another", "{engine: \"https://a\"}", "{engine: \"https://b\"}", "incomparable: engine"},
		{"O12 spelling", "{engine: \"https://a\"}", "{engine: \"https://a/\"}", "incomparable: engine"},
		{"O12 case", "{engine: \"https://a\"}", "{engine: \"https://A\"}", "incomparable: engine"},
		{"O15", "{}", "{undoWindow: 25h}", "tighter: undoWindow"},
		{"O15", "{undoWindow: 1d}", "{undoWindow: 1440m}", "equal"},
		{"O15", "{undoWindow: 1d}", "{undoWindow: 1441m}", "tighter: undoWindow"},
		{"O13 days", "{}", "{window: {days: [mon]}}", "tighter: window"},
		{"O13 order of days", "{}", "{window: {days: [fri, thu, wed, tue, mon]}}", "equal"},
		{"O13 minute", "{}", "{window: {from: \"09:01\"}}", "tighter: window"},
		{"O13 minute", "{}", "{window: {to: \"16:59\"}}", "tighter: window"},
		{"O13 apart", "{}", "{window: {days: [sat]}}", "incomparable: window"},
		{"O13 shifted", "{}", "{window: {from: \"10:00\", to: \"18:00\"}}", "incomparable: window"},
		{"O13 over midnight", win("[fri]", "22:00", "06:00", "UTC"), win("[fri]", "23:00", "05:00", "UTC"), "tighter: window"},
		{"O13 over midnight and its evening", win("[fri]", "22:00", "06:00", "UTC"), win("[fri]", "22:00", "00:00", "UTC"), "tighter: window"},
		{"O13 over midnight and its morning", win("[fri]", "22:00", "06:00", "UTC"), win("[sat]", "00:00", "06:00", "UTC"), "tighter: window"},
		{"O13 the same minutes by other words", win("[fri, sat]", "22:00", "00:00", "UTC"), win("[sat, fri]", "22:00", "00:00", "UTC"), "equal"},
		{"O13 sunday night is monday morning", win("[sun]", "23:00", "01:00", "UTC"), win("[mon]", "00:00", "01:00", "UTC"), "tighter: window"},
		{"O14 inside in both seasons", win(week, "09:00", "17:00", "Europe/Berlin"), win(week, "08:00", "15:00", "UTC"), "tighter: window"},
		{"O14 not in winter", win(week, "09:00", "17:00", "Europe/Berlin"), win(week, "07:00", "15:00", "UTC"), "incomparable: window"},
		{"O14 a minute too early in winter", win(week, "09:00", "17:00", "Europe/Berlin"), win(week, "07:59", "15:00", "UTC"), "incomparable: window"},
		{"O14 a minute too late in summer", win(week, "09:00", "17:00", "Europe/Berlin"), win(week, "08:00", "15:01", "UTC"), "incomparable: window"},
		{"O14 the same under another name", win(week, "09:00", "17:00", "Asia/Kolkata"), win(week, "09:00", "17:00", "Asia/Calcutta"), "equal"},
		{"O14 a zone without summer time", win(week, "09:00", "17:00", "UTC"), win(week, "14:30", "22:30", "Asia/Kolkata"), "equal"},
		{"O14 half an hour off", win(week, "09:00", "17:00", "UTC"), win(week, "15:00", "22:00", "Asia/Kolkata"), "tighter: window"},
		{"O14 the same hour of the same day", win("[mon]", "09:00", "10:00", "UTC"), win("[mon]", "23:00", "00:00", "Pacific/Kiritimati"), "equal"}, // 23:00 on the islands is 09:00 UTC of the same day
		{"O17 two tighter", "{level: act}", "{level: propose, riskGate: {maxFiles: 1}}", "tighter: level, riskGate.maxFiles"},
		{"O17 one each way", "{level: act}", "{level: propose, riskGate: {maxFiles: 6}}", "looser: riskGate.maxFiles; tighter: level"},
		{"O17 with an incomparable", "{engine: \"https://a\"}", "{engine: \"https://b\", riskGate: {maxFiles: 1}}", "incomparable: engine; tighter: riskGate.maxFiles"},
	}
	byVerdict := func(c systempolicy.Comparison) string {
		var parts []string
		for _, v := range []systempolicy.Verdict{systempolicy.Looser, systempolicy.Incomparable, systempolicy.Tighter} {
			if k := c.Keys(v); !k.Empty() {
				parts = append(parts, v.String()+": "+k.String())
			}
		}
		if len(parts) == 0 {
			return "equal"
		}
		return strings.Join(parts, "; ")
	}
	verdict := func(want string) systempolicy.Verdict {
		switch {
		case want == "equal":
			return systempolicy.Equal
		case strings.Contains(want, ";") || strings.Contains(want, "incomparable"):
			return systempolicy.Incomparable
		case strings.HasPrefix(want, "looser"):
			return systempolicy.Looser
		}
		return systempolicy.Tighter
	}
	for _, tt := range tests {
		want := tt.want
		a, b := policyOf(t, tt.merged), policyOf(t, tt.proposed)
		got := systempolicy.Compare(a, b)
		if byVerdict(got) != want || got.Verdict != verdict(want) {
			t.Errorf("%s: %s to %s: %s %q, want %q", tt.rule, tt.proposed, tt.merged, got.Verdict, byVerdict(got), want)
		}
		back := strings.NewReplacer("tighter", "looser", "looser", "tighter").Replace(want)
		if back == "tighter: riskGate.maxFiles; looser: level" {
			back = "looser: level; tighter: riskGate.maxFiles"
		}
		if back == "incomparable: engine; looser: riskGate.maxFiles" {
			back = "looser: riskGate.maxFiles; incomparable: engine"
		}
		got = systempolicy.Compare(b, a)
		if byVerdict(got) != back || got.Verdict != verdict(back) {
			t.Errorf("%s mirrored: %s %q, want %q", tt.rule, got.Verdict, byVerdict(got), back)
		}
		// What acts at once travels as JSON, and means the same there.
		for _, pair := range [][2]systempolicy.Policy{{a, b}, {b, a}} {
			sent := systempolicy.Split(pair[0], pair[1]).Signal
			wire, err := json.Marshal(sent)
			if err != nil {
				t.Fatal(err)
			}
			back, err := systempolicy.ParsePatch("signal", wire)
			if err != nil || back.Keys() != sent.Keys() || systempolicy.Compare(sent.Apply(pair[0]), back.Apply(pair[0])).Verdict != systempolicy.Equal {
				t.Errorf("%s: sent %s, read %s, %v", tt.rule, wire, back.Keys(), err)
			}
		}
		// What is met is at or below both, and says no to exactly what one of them says no to.
		m := systempolicy.Meet(a, b)
		for _, p := range []systempolicy.Policy{a, b} {
			for k := systempolicy.KeyLevel; k <= systempolicy.KeyUndoWindow; k++ {
				if v := systempolicy.Compare(p, m).Key(k); v != systempolicy.Equal && v != systempolicy.Tighter && !(k == systempolicy.KeyEngine && m.Engine() == "") {
					t.Errorf("%s: met, %s is %s", tt.rule, k, v)
				}
			}
		}
		f, err := systempolicy.ParseFacts("f", []byte(with("files", 5, "adds", 199, "criticality", `"medium"`, "mergesToday", 1)))
		if err != nil {
			t.Fatal(err)
		}
		for h := range 24 * 8 {
			now := time.Date(2026, 3, 26, h, 30*(h%2), 0, 0, time.UTC)
			if got, want := systempolicy.Outside(m, f, now), systempolicy.Outside(a, f, now)|systempolicy.Outside(b, f, now); got != want {
				t.Errorf("%s at %s: met %s, want %s", tt.rule, now, got, want)
			}
		}
	}
	t.Logf("%d pairs", len(tests))
}

// TestEffectiveLevels holds R30 to R32 for every level, cap and pause.
func TestEffectiveLevels(t *testing.T) {
	levels := []string{"observe", "advise", "propose", "act", "improve"}
	rank := func(l string) int { return strings.Index("observe advise  propose act     improve ", l) / 8 }
	name := func(n int) string { return levels[n] }
	n := 0
	for _, level := range append([]string{""}, levels...) {
		for _, max := range append([]string{""}, levels...) {
			for _, paused := range []string{"", "autonomy: {paused: false}\n", "autonomy: {paused: true}\n"} {
				for _, signal := range []string{`{}`, `{"paused": true}`, `{"environments": {"dev": {"paused": true}}}`, `{"environments": {"prod": {"paused": true}}}`, `{"environments": {"dev": {"level": "advise"}}}`, `{"environments": {"dev": {"level": "improve"}}}`} {
					n++
					text := paused + "environments: {dev: {autonomy: {"
					if level != "" {
						text += "level: " + level
					}
					text += "}}, prod: {}}\ncomponents: {api: {instances: {dev: {autonomy: {"
					if max != "" {
						text += "max: " + max
					}
					text += "}}, qa: {}}}}\n"
					s, err := systempolicy.Parse("s", []byte(text))
					if err != nil {
						t.Fatal(text, err)
					}
					sig, err := systempolicy.ParseSignals("g", []byte(signal))
					if err != nil {
						t.Fatal(err)
					}
					env := 0
					if level != "" {
						env = min(rank(level), rank("act"))
					}
					if strings.Contains(signal, "advise") {
						env = min(env, rank("advise"))
					}
					if strings.Contains(paused, "true") || strings.HasPrefix(signal, `{"paused"`) || strings.Contains(signal, `"dev": {"paused"`) {
						env = 0
					}
					instance := env
					if max != "" {
						instance = min(instance, rank(max))
					}
					if got := s.Effective("dev", "", sig).String(); got != name(env) {
						t.Errorf("%s with %s: %s, want %s", text, signal, got, name(env))
					}
					if got := s.Effective("dev", "api", sig).String(); got != name(instance) {
						t.Errorf("%s with %s: instance %s, want %s", text, signal, got, name(instance))
					}
					for _, absent := range [][2]string{{"qa", ""}, {"qa", "api"}, {"prod", "api"}, {"dev", "web"}, {"Dev", ""}, {"", ""}} {
						if got := s.Effective(absent[0], absent[1], sig); got != systempolicy.Observe {
							t.Errorf("%v: %s", absent, got)
						}
					}
				}
			}
		}
	}
	t.Logf("%d systems", n)
}

// TestUndoBoundaries tries each refusal alone and together.
func TestUndoBoundaries(t *testing.T) {
	at := time.Date(2026, 7, 22, 10, 0, 0, 0, time.UTC)
	event := func(change func(*systempolicy.Event)) systempolicy.Event {
		e := systempolicy.Event{ID: "e", Environment: "dev", Component: "api", Level: "act", At: at, From: "v1", To: "v2", Undone: systempolicy.No}
		if change != nil {
			change(&e)
		}
		return e
	}
	pins := systempolicy.Pins{Before: []string{"v0", "v1", "v2"}, Current: "v2"}
	hour := at.Add(time.Hour)
	for _, tt := range []struct {
		name   string
		event  systempolicy.Event
		window string
		pins   systempolicy.Pins
		target string
		now    time.Time
		want   string
		moved  bool
	}{
		{"fine", event(nil), "24h", pins, "", hour, "", false},
		{"fine, the target said", event(nil), "24h", pins, "v1", hour, "", false},
		{"at once", event(nil), "24h", pins, "", at, "", false},
		{"a nanosecond before it", event(nil), "24h", pins, "", at.Add(-1), "window", false},
		{"the last nanosecond", event(nil), "24h", pins, "", at.Add(24*time.Hour - 1), "", false},
		{"exactly the window", event(nil), "24h", pins, "", at.Add(24 * time.Hour), "window", false},
		{"a day is 24 hours", event(nil), "1d", pins, "", at.Add(24*time.Hour - 1), "", false},
		{"one minute", event(nil), "1m", pins, "", at.Add(time.Minute), "window", false},
		{"the longest window", event(nil), "106751d", pins, "", at.AddDate(200, 0, 0), "", false},
		{"no clock", event(nil), "24h", pins, "", time.Time{}, "window", false},
		{"no time of the event", event(func(e *systempolicy.Event) { e.At = time.Time{} }), "24h", pins, "", hour, "window", false},
		{"improve", event(func(e *systempolicy.Event) { e.Level = "improve" }), "24h", pins, "", hour, "", false},
		{"propose", event(func(e *systempolicy.Event) { e.Level = "propose" }), "24h", pins, "", hour, "level", false},
		{"no level", event(func(e *systempolicy.Event) { e.Level = "" }), "24h", pins, "", hour, "level", false},
		{"Act", event(func(e *systempolicy.Event) { e.Level = "Act" }), "24h", pins, "", hour, "level", false},
		{"undone", event(func(e *systempolicy.Event) { e.Undone = systempolicy.Yes }), "24h", pins, "", hour, "once", false},
		{"not known whether undone", event(func(e *systempolicy.Event) { e.Undone = systempolicy.Unknown }), "24h", pins, "", hour, "once", false},
		{"another old version", event(nil), "24h", pins, "v0", hour, "target", false},
		{"a version of nowhere", event(nil), "24h", pins, "v9", hour, "target version", false},
		{"never pinned", event(nil), "24h", systempolicy.Pins{Before: []string{"v0"}, Current: "v2"}, "", hour, "version", false},
		{"pinned now", event(nil), "24h", systempolicy.Pins{Before: []string{"v0", "v1"}, Current: "v1"}, "", hour, "version", true},
		{"moved on", event(nil), "24h", systempolicy.Pins{Before: []string{"v1", "v2"}, Current: "v3"}, "", hour, "", true},
		{"a version that is a prefix", event(func(e *systempolicy.Event) { e.From = "v" }), "24h", pins, "", hour, "version", false},
		{"another case", event(func(e *systempolicy.Event) { e.From = "V1" }), "24h", pins, "", hour, "version", false},
		{"no version before", event(func(e *systempolicy.Event) { e.From = "" }), "24h", pins, "", hour, "target version", false},
		{"staging", event(func(e *systempolicy.Event) { e.Environment = "staging" }), "24h", pins, "", hour, "", false},
		{"prod", event(func(e *systempolicy.Event) { e.Environment = "prod" }), "24h", pins, "", hour, "", false},
		{"qa", event(func(e *systempolicy.Event) { e.Environment = "qa" }), "24h", pins, "", hour, "event", false},
		{"no id", event(func(e *systempolicy.Event) { e.ID = "" }), "24h", pins, "", hour, "event", false},
		{"nothing at all", systempolicy.Event{}, "24h", systempolicy.Pins{}, "", time.Time{}, "event level window once target version", false},
	} {
		w, err := systempolicy.ParseUndoWindow(tt.window)
		if err != nil {
			t.Fatal(err)
		}
		d := systempolicy.Undo(tt.event, w, tt.pins, tt.target, tt.now)
		if got := strings.Join(d.Refusals, " "); got != tt.want || d.Allowed != (tt.want == "") || d.Allowed != (d.Command != nil) {
			t.Errorf("%s: allowed %v, refused for %q, want %q; %v", tt.name, d.Allowed, got, tt.want, d.Command)
		}
		if d.MovedOn != tt.moved {
			t.Errorf("%s: moved on %v", tt.name, d.MovedOn)
		}
	}
	forms := map[string]string{"dev": "--to dev --version v1", "staging": "--to staging --sha v1", "prod": "--to prod --version v1"}
	for env, want := range forms {
		w, _ := systempolicy.ParseUndoWindow("24h")
		d := systempolicy.Undo(event(func(e *systempolicy.Event) { e.Environment = env }), w, pins, "", hour)
		if got := strings.Join(d.Command, " "); got != "/instance:promote api "+want {
			t.Errorf("%s: %s", env, got)
		}
	}
}

// TestUsedTodayBoundaries counts what falls on the UTC day, and what no clock can place.
func TestUsedTodayBoundaries(t *testing.T) {
	for _, tt := range []struct {
		stamps string
		now    string
		want   int64
	}{
		{"", "2026-07-22T00:00:00Z", 0},
		{"2026-07-21T23:59:59.999999999Z", "2026-07-22T00:00:00Z", 0},
		{"2026-07-22T00:00:00Z", "2026-07-22T00:00:00Z", 1},
		{"2026-07-22T00:00:00Z", "2026-07-22T23:59:59Z", 1},
		{"2026-07-22T00:00:00Z", "2026-07-23T00:00:00Z", 0},
		{"2026-07-22T02:00:00+02:00", "2026-07-22T12:00:00Z", 1},
		{"2026-07-22T01:59:59+02:00", "2026-07-22T12:00:00Z", 0},
		{"2026-07-21T20:00:00-04:00", "2026-07-22T12:00:00Z", 1},
		{"2026-07-22T23:59:59Z", "2026-07-22T12:00:00Z", 1},
		{"2026-07-23T00:00:00Z 2030-01-01T00:00:00Z", "2026-07-22T12:00:00Z", 2},
		{"yesterday 1751725800 2026-07-21 2026-13-01T00:00:00Z", "2026-07-22T12:00:00Z", 4},
		{"2026-07-21T10:00:00Z", "2026-07-22T12:00:00+14:00", 1}, // that now is the 21st in UTC
		{"2028-02-29T10:00:00Z 2028-02-28T23:59:59Z", "2028-02-29T12:00:00Z", 1},
		{"2026-12-31T23:59:59Z 2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z", 1},
		{"2026-07-21T10:00:00Z", "", 1},
	} {
		now, _ := time.Parse(time.RFC3339, tt.now)
		if got := systempolicy.UsedToday(strings.Fields(tt.stamps), now); got != tt.want {
			t.Errorf("%q at %q: %d, want %d", tt.stamps, tt.now, got, tt.want)
		}
	}
}
