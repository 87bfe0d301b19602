package systempolicy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/ambit/systempolicy"
)

const (
	noon  = "2026-07-22T12:00:00Z" // a wednesday
	fine  = `{"route":"fix","criticality":"low","files":1,"adds":1,"deletes":1,"regressionTest":true,"secondReview":true,"mergesToday":0,"runsToday":0}`
	short = "routes crit files lines test review merges runs window"
)

// judged gives the short names of what is outside.
func judged(t *testing.T, policy, facts, now string) string {
	t.Helper()
	s, err := systempolicy.Parse("p", []byte("environments: {dev: {autonomy: "+policy+"}}"))
	if err != nil {
		t.Fatal(policy, err)
	}
	f, err := systempolicy.ParseFacts("f", []byte(facts))
	if err != nil {
		t.Fatal(facts, err)
	}
	at, _ := time.Parse(time.RFC3339Nano, now)
	return names(systempolicy.Outside(s.Policy("dev"), f, at))
}

func names(out systempolicy.Guardrails) string {
	words := strings.Fields(short)
	var got []string
	for g := range out.All() {
		got = append(got, words[g])
	}
	return strings.Join(got, " ")
}

// with gives the fine facts with some replaced; a nil value removes the fact.
func with(pairs ...any) string {
	m := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(fine), &m); err != nil {
		panic(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == nil {
			delete(m, pairs[i].(string))
			continue
		}
		m[pairs[i].(string)] = json.RawMessage(fmt.Sprint(pairs[i+1]))
	}
	out, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// TestGuardrailBoundaries tries each guardrail on both sides of its limit, and with every kind of missing fact.
func TestGuardrailBoundaries(t *testing.T) {
	const big = "9223372036854775807"
	tests := []struct{ rule, policy, facts, now, want string }{
		{"all inside", "{}", fine, noon, ""},
		{"F10 nothing known", "{}", "{}", noon, "routes crit files lines test review merges runs"},
		{"F10 nothing known, no clock", "{}", "{}", "", short},
		{"F1", "{}", with("route", `"Fix"`), noon, "routes"},
		{"F1", "{}", with("route", `"spec"`), noon, "routes"},
		{"F1", "{}", with("route", `"fix "`), noon, "routes"},
		{"F1", "{}", with("route", `""`), noon, "routes"},
		{"F1", "{}", with("route", `["fix"]`), noon, "routes"},
		{"F1", "{}", with("route", `null`), noon, "routes"},
		{"A-routes-1", "{autoMerge: {routes: []}}", fine, noon, "routes"},
		{"A-routes-1, empty route", "{autoMerge: {routes: []}}", with("route", `""`), noon, "routes"},
		{"F2 equal", "{autoMerge: {maxCriticality: medium}}", with("criticality", `"medium"`), noon, ""},
		{"F2 below", "{autoMerge: {maxCriticality: medium}}", with("criticality", `"low"`), noon, ""},
		{"F2 above", "{autoMerge: {maxCriticality: medium}}", with("criticality", `"high"`), noon, "crit"},
		{"F2 default", "{}", with("criticality", `"medium"`), noon, "crit"},
		{"F2 high", "{autoMerge: {maxCriticality: high}}", with("criticality", `"high"`), noon, ""},
		{"F2 none", "{autoMerge: {maxCriticality: high}}", with("criticality", `"none"`), noon, "crit"},
		{"F2 case", "{autoMerge: {maxCriticality: high}}", with("criticality", `"LOW"`), noon, "crit"},
		{"F2 number", "{autoMerge: {maxCriticality: high}}", with("criticality", `0`), noon, "crit"},
		{"F2 missing", "{autoMerge: {maxCriticality: high}}", with("criticality", nil), noon, "crit"},
		{"F3", "{}", with("files", 4), noon, ""},
		{"F3", "{}", with("files", 5), noon, ""},
		{"F3", "{}", with("files", 6), noon, "files"},
		{"F3 zero files", "{}", with("files", 0), noon, ""},
		{"F3", "{riskGate: {maxFiles: 1}}", with("files", 2), noon, "files"},
		{"F3 largest", "{riskGate: {maxFiles: 9007199254740991}}", with("files", "9007199254740991"), noon, ""},
		{"F3 largest", "{riskGate: {maxFiles: 9007199254740991}}", with("files", "9007199254740992"), noon, "files"},
		{"F3 beyond int64", "{riskGate: {maxFiles: 9007199254740991}}", with("files", "99999999999999999999"), noon, "files"},
		{"F4", "{}", with("adds", 100, "deletes", 100), noon, ""},
		{"F4", "{}", with("adds", 100, "deletes", 101), noon, "lines"},
		{"F4", "{}", with("adds", 201, "deletes", 0), noon, "lines"},
		{"F4", "{}", with("adds", 0, "deletes", 200), noon, ""},
		{"F4", "{}", with("adds", 0, "deletes", 201), noon, "lines"},
		{"F4 overflow", "{riskGate: {maxLines: 9007199254740991}}", with("adds", big, "deletes", 1), noon, "lines"},
		{"F4 overflow", "{riskGate: {maxLines: 9007199254740991}}", with("adds", big, "deletes", big), noon, "lines"},
		{"F4 overflow", "{}", with("adds", "18446744073709551615", "deletes", 1), noon, "lines"},
		{"F4 missing", "{}", with("adds", nil), noon, "lines"},
		{"F4 missing", "{}", with("deletes", nil), noon, "lines"},
		{"F4 both missing, once", "{}", with("deletes", nil, "adds", nil), noon, "lines"},
		{"F4 negative", "{}", with("adds", -5, "deletes", 205), noon, "lines"},
		{"F5", "{}", with("regressionTest", "false"), noon, "test"},
		{"F5", "{}", with("secondReview", "false"), noon, "review"},
		{"F14", "{}", with("regressionTest", `"true"`, "secondReview", "1"), noon, "test review"},
		{"F14", "{}", with("regressionTest", `[true]`, "secondReview", "null"), noon, "test review"},
		{"F14", "{}", with("regressionTest", `{}`, "secondReview", `"yes"`), noon, "test review"},
		{"F6", "{riskGate: {regressionTest: false, secondReview: false}}", with("regressionTest", "false", "secondReview", nil), noon, ""},
		{"F6", "{riskGate: {regressionTest: false}}", with("regressionTest", nil, "secondReview", nil), noon, "review"},
		{"F7", "{}", with("mergesToday", 1), noon, ""},
		{"F7", "{}", with("mergesToday", 2), noon, "merges"},
		{"F7", "{}", with("mergesToday", 3), noon, "merges"},
		{"F7", "{}", with("runsToday", 4), noon, ""},
		{"F7", "{}", with("runsToday", 5), noon, "runs"},
		{"F7 both", "{}", with("runsToday", 5, "mergesToday", 2), noon, "merges runs"},
		{"F8", "{budget: {mergesPerDay: 0}}", fine, noon, "merges"},
		{"F8", "{budget: {runsPerDay: 0}}", fine, noon, "runs"},
		{"F8 missing", "{budget: {runsPerDay: 0, mergesPerDay: 0}}", with("runsToday", nil), noon, "merges runs"},
		{"F8 one", "{budget: {runsPerDay: 1, mergesPerDay: 1}}", fine, noon, ""},
		{"F13 string", "{}", with("files", `"1"`, "mergesToday", `"0"`), noon, "files merges"},
		{"F13 float", "{}", with("files", "1.5", "runsToday", "0.5"), noon, "files runs"},
		{"F13 bool", "{}", with("files", "true", "runsToday", "false"), noon, "files runs"},
		{"F13 negative", "{}", with("mergesToday", -1, "runsToday", -1), noon, "merges runs"},
		{"F13 beyond int64", "{}", with("mergesToday", "99999999999999999999", "runsToday", "1"+strings.Repeat("0", 400)), noon, "merges runs"},
		{"F13 far negative", "{}", with("files", "-99999999999999999999"), noon, "files"},
		{"F13 list", "{}", with("files", "[1]", "adds", "{}"), noon, "files lines"},
		{"F11", "{}", fine, "", "window"},
		{"F15 all", "{}", with("route", `"x"`, "criticality", `"high"`, "files", 9, "adds", 900, "regressionTest", "false", "secondReview", "false", "mergesToday", 9, "runsToday", 9), "2026-07-22T17:00:00Z", short},
		{"F16", "{engine: \"https://a\", undoWindow: 1m, budget: {perRun: {cost: 0.01}}}", fine, noon, ""},
		{"F17", "{level: observe}", fine, noon, ""},
		{"R20", "{riskGate: {maxFiles: 9}, budget: {perRun: {cost: 9}}}", with("adds", 201, "runsToday", 5), noon, "lines runs"},
		{"unknown facts", "{}", with("window", `"closed"`, "Files", "99"), noon, ""},
	}
	for _, tt := range tests {
		if got := judged(t, tt.policy, tt.facts, tt.now); got != tt.want {
			t.Errorf("%s: %s with %s at %s: outside %q, want %q", tt.rule, tt.policy, tt.facts, tt.now, got, tt.want)
		}
	}
	t.Logf("%d rows", len(tests))
}

// TestWindowInstants holds the window against instants worked out by hand from the zones' published rules.
func TestWindowInstants(t *testing.T) {
	const all = "[mon, tue, wed, thu, fri, sat, sun]"
	win := func(days, from, to, zone string) string {
		return fmt.Sprintf("{window: {days: %s, from: %q, to: %q, timezone: %s}}", days, from, to, zone)
	}
	tests := []struct {
		policy string
		open   []string
		shut   []string
	}{
		// W2: whole local minutes, from inclusive, to exclusive
		{"{}", []string{"2026-07-22T09:00:00Z", "2026-07-22T16:59:59.999999999Z", "2026-07-20T09:00:00Z", "2026-07-24T16:59:59Z"},
			[]string{"2026-07-22T08:59:59.999999999Z", "2026-07-22T17:00:00Z", "2026-07-22T17:00:30Z", "2026-07-25T12:00:00Z", "2026-07-26T12:00:00Z"}},
		// W1: the offset of the text means nothing
		{"{}", []string{"2026-07-22T23:30:00+14:00", "2026-07-21T22:00:00-11:00", "2026-07-25T01:00:00+14:00"}, []string{"2026-07-22T12:00:00+05:00", "2026-07-27T01:00:00+14:00", "2026-07-27T12:00:00+14:00"}},
		// W3, W4: over midnight, the day on which it opened decides
		{win("[fri]", "22:00", "06:00", "UTC"), []string{"2026-07-24T22:00:00Z", "2026-07-24T23:59:59Z", "2026-07-25T00:00:00Z", "2026-07-25T05:59:59Z"},
			[]string{"2026-07-24T00:00:00Z", "2026-07-24T05:59:00Z", "2026-07-24T21:59:59Z", "2026-07-25T06:00:00Z", "2026-07-25T22:00:00Z"}},
		{win("[mon]", "22:00", "06:00", "UTC"), []string{"2026-07-20T22:00:00Z", "2026-07-21T03:00:00Z"}, []string{"2026-07-20T03:00:00Z", "2026-07-19T23:00:00Z", "2026-07-21T22:00:00Z"}},
		{win("[sun]", "22:00", "06:00", "UTC"), []string{"2026-07-19T22:00:00Z", "2026-07-20T05:59:00Z"}, []string{"2026-07-19T05:00:00Z", "2026-07-20T06:00:00Z"}},
		// over month, leap day and year ends
		{win("[sat]", "22:00", "06:00", "UTC"), []string{"2028-02-26T23:00:00Z", "2028-02-27T05:00:00Z"}, []string{"2028-02-28T05:00:00Z", "2028-02-29T23:00:00Z"}},
		{win("[mon]", "22:00", "06:00", "UTC"), []string{"2028-02-28T22:00:00Z", "2028-02-29T05:59:00Z"}, []string{"2028-02-29T22:00:00Z", "2028-03-01T05:00:00Z"}},
		{win("[tue]", "22:00", "06:00", "UTC"), []string{"2028-02-29T22:00:00Z", "2028-03-01T05:59:00Z"}, []string{"2028-02-29T03:00:00Z", "2028-03-01T06:00:00Z"}},
		{win("[thu]", "22:00", "06:00", "UTC"), []string{"2026-12-31T22:00:00Z", "2027-01-01T05:59:00Z"}, []string{"2027-01-01T22:00:00Z", "2026-12-31T05:00:00Z"}},
		// W6: the end of the day
		{win("[wed]", "09:00", "00:00", "UTC"), []string{"2026-07-22T09:00:00Z", "2026-07-22T23:59:59Z"}, []string{"2026-07-23T00:00:00Z", "2026-07-22T08:59:00Z", "2026-07-22T00:00:00Z"}},
		{win("[wed]", "00:00", "23:59", "UTC"), []string{"2026-07-22T00:00:00Z", "2026-07-22T23:58:59Z"}, []string{"2026-07-22T23:59:00Z", "2026-07-23T00:00:00Z", "2026-07-21T23:58:00Z"}},
		{win("[wed]", "00:01", "00:00", "UTC"), []string{"2026-07-22T00:01:00Z", "2026-07-22T23:59:00Z"}, []string{"2026-07-22T00:00:59Z", "2026-07-23T00:00:00Z"}},
		{win("[wed]", "23:59", "00:01", "UTC"), []string{"2026-07-22T23:59:00Z", "2026-07-23T00:00:59Z"}, []string{"2026-07-22T00:00:00Z", "2026-07-23T00:01:00Z", "2026-07-22T23:58:59Z"}},
		{win("[wed]", "00:00", "00:01", "UTC"), []string{"2026-07-22T00:00:00Z", "2026-07-22T00:00:59Z"}, []string{"2026-07-22T00:01:00Z", "2026-07-21T23:59:59Z"}},
		{win("[wed]", "12:00", "11:59", "UTC"), []string{"2026-07-22T12:00:00Z", "2026-07-23T11:58:59Z"}, []string{"2026-07-22T11:58:00Z", "2026-07-23T11:59:00Z", "2026-07-23T12:00:00Z"}},
		// zones, both sides of the date line and of half hours
		{win("[wed]", "09:00", "17:00", "Pacific/Kiritimati"), []string{"2026-07-21T19:00:00Z", "2026-07-22T02:59:00Z"}, []string{"2026-07-21T18:59:00Z", "2026-07-22T03:00:00Z", "2026-07-22T19:00:00Z"}},
		{win("[wed]", "09:00", "17:00", "Pacific/Pago_Pago"), []string{"2026-07-22T20:00:00Z", "2026-07-23T03:59:00Z"}, []string{"2026-07-22T19:59:00Z", "2026-07-23T04:00:00Z"}},
		{win("[wed]", "09:00", "17:00", "Asia/Kolkata"), []string{"2026-07-22T03:30:00Z", "2026-07-22T11:29:59Z"}, []string{"2026-07-22T03:29:59Z", "2026-07-22T11:30:00Z"}},
		{win("[wed]", "09:00", "17:00", "Asia/Kathmandu"), []string{"2026-07-22T03:15:00Z", "2026-07-22T11:14:59Z"}, []string{"2026-07-22T03:14:59Z", "2026-07-22T11:15:00Z"}},
		{win("[wed]", "09:00", "17:00", "Etc/GMT+5"), []string{"2026-07-22T14:00:00Z", "2026-07-22T21:59:00Z"}, []string{"2026-07-22T13:59:00Z", "2026-07-22T22:00:00Z", "2026-07-22T04:00:00Z"}},
		{win("[wed]", "09:00", "17:00", "America/St_Johns"), []string{"2026-07-22T11:30:00Z", "2026-01-21T12:30:00Z"}, []string{"2026-07-22T11:29:00Z", "2026-01-21T12:29:00Z"}},
		// Berlin, summer and winter
		{win("[wed]", "09:00", "17:00", "Europe/Berlin"), []string{"2026-07-22T07:00:00Z", "2026-01-21T08:00:00Z", "2026-01-21T15:59:00Z"}, []string{"2026-07-22T15:00:00Z", "2026-01-21T07:59:00Z", "2026-01-21T16:00:00Z"}},
		// W7, gap in Berlin on 2026-03-29, 02:00 to 03:00
		{win("[sun]", "02:30", "04:00", "Europe/Berlin"), []string{"2026-03-29T01:00:00Z", "2026-03-29T01:59:00Z", "2026-03-22T01:30:00Z"}, []string{"2026-03-29T00:59:59Z", "2026-03-29T02:00:00Z"}},
		{win("[sun]", "01:00", "02:30", "Europe/Berlin"), []string{"2026-03-29T00:00:00Z", "2026-03-29T00:59:59Z"}, []string{"2026-03-29T01:00:00Z", "2026-03-28T23:59:00Z"}},
		{win("[sun]", "02:00", "03:00", "Europe/Berlin"), []string{"2026-03-22T01:00:00Z"}, []string{"2026-03-29T00:59:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z"}},
		{win("[sat]", "22:00", "02:30", "Europe/Berlin"), []string{"2026-03-29T00:59:00Z", "2026-03-28T21:00:00Z"}, []string{"2026-03-29T01:00:00Z", "2026-03-28T20:59:00Z"}},
		{win("[sat]", "22:00", "03:30", "Europe/Berlin"), []string{"2026-03-29T01:29:00Z"}, []string{"2026-03-29T01:30:00Z"}},
		// fold in Berlin on 2026-10-25, 02:00 to 03:00 twice
		{win("[sun]", "01:00", "02:30", "Europe/Berlin"), []string{"2026-10-25T00:00:00Z", "2026-10-25T00:29:00Z", "2026-10-25T01:00:00Z", "2026-10-25T01:29:00Z"}, []string{"2026-10-25T00:30:00Z", "2026-10-25T00:59:00Z", "2026-10-25T01:30:00Z"}},
		{win("[sun]", "02:30", "04:00", "Europe/Berlin"), []string{"2026-10-25T00:30:00Z", "2026-10-25T00:59:59Z", "2026-10-25T01:30:00Z", "2026-10-25T02:59:00Z"}, []string{"2026-10-25T01:00:00Z", "2026-10-25T01:29:00Z", "2026-10-25T03:00:00Z"}},
		{win("[sat]", "22:00", "02:30", "Europe/Berlin"), []string{"2026-10-25T00:29:00Z", "2026-10-25T01:29:00Z"}, []string{"2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"}},
		// New York, gap on 2026-03-08 and fold on 2026-11-01
		{win("[sun]", "02:00", "03:30", "America/New_York"), []string{"2026-03-08T07:00:00Z", "2026-03-08T07:29:00Z"}, []string{"2026-03-08T06:59:00Z", "2026-03-08T07:30:00Z"}},
		{win("[sun]", "01:00", "01:30", "America/New_York"), []string{"2026-11-01T05:00:00Z", "2026-11-01T05:29:00Z", "2026-11-01T06:00:00Z", "2026-11-01T06:29:00Z"}, []string{"2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z", "2026-11-01T07:00:00Z"}},
		// south: Sydney, gap on 2026-10-04, fold on 2026-04-05
		{win("[sun]", "02:15", "03:15", "Australia/Sydney"), []string{"2026-10-03T16:00:00Z", "2026-10-03T16:14:00Z", "2026-04-04T15:15:00Z", "2026-04-04T16:15:00Z", "2026-04-04T17:14:00Z"}, []string{"2026-10-03T15:59:00Z", "2026-10-03T16:15:00Z", "2026-04-04T16:00:00Z", "2026-04-04T17:15:00Z"}},
		// Lord Howe shifts by half an hour: 2026-10-04 02:00 to 02:30 is not there, 2026-04-05 01:30 to 02:00 is there twice
		{win("[sun]", "02:10", "02:40", "Australia/Lord_Howe"), []string{"2026-10-03T15:30:00Z", "2026-10-03T15:39:00Z"}, []string{"2026-10-03T15:29:00Z", "2026-10-03T15:40:00Z"}},
		{win("[sun]", "01:30", "01:45", "Australia/Lord_Howe"), []string{"2026-04-04T14:30:00Z", "2026-04-04T14:44:00Z", "2026-04-04T15:00:00Z", "2026-04-04T15:14:00Z"}, []string{"2026-04-04T14:29:00Z", "2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"}},
		// Santiago changes at midnight: saturday 2026-09-05 24:00 becomes sunday 01:00
		{win("[sun]", "00:00", "01:30", "America/Santiago"), []string{"2026-09-06T04:00:00Z", "2026-09-06T04:29:00Z"}, []string{"2026-09-06T03:59:00Z", "2026-09-06T04:30:00Z"}},
		{win("[sat]", "23:00", "00:30", "America/Santiago"), []string{"2026-09-06T03:00:00Z", "2026-09-06T03:59:00Z"}, []string{"2026-09-06T04:00:00Z"}},
		// and back: sunday 2026-04-05 00:00 becomes saturday 23:00 again
		{win("[sat]", "23:00", "23:30", "America/Santiago"), []string{"2026-04-05T02:00:00Z", "2026-04-05T02:29:00Z", "2026-04-05T03:00:00Z", "2026-04-05T03:29:00Z"}, []string{"2026-04-05T02:30:00Z", "2026-04-05T03:30:00Z"}},
		// Apia skipped friday 2011-12-30
		{win("[fri]", "00:00", "23:59", "Pacific/Apia"), []string{"2011-12-23T12:00:00Z"}, []string{"2011-12-30T09:59:00Z", "2011-12-30T10:00:00Z", "2011-12-30T20:00:00Z"}},
		{win("[sat]", "00:00", "23:59", "Pacific/Apia"), []string{"2011-12-30T10:00:00Z"}, []string{"2011-12-30T09:59:00Z"}},
		{win("[fri]", "22:00", "06:00", "Pacific/Apia"), []string{"2011-12-30T10:00:00Z"}, []string{"2011-12-30T09:59:00Z", "2011-12-30T16:00:00Z"}},
		// far away
		{win(all, "09:00", "17:00", "Europe/Berlin"), []string{"2099-07-22T07:00:00Z", "2099-01-21T08:00:00Z", "1999-12-31T08:00:00Z"}, []string{"2099-07-22T06:59:00Z", "2099-01-21T07:59:00Z"}},
		// zones without and with odd summer times
		{win("[wed]", "09:00", "17:00", "EST"), []string{"2026-07-22T14:00:00Z"}, []string{"2026-07-22T13:59:00Z"}},
		{win("[wed]", "09:00", "17:00", "Europe/Dublin"), []string{"2026-07-22T08:00:00Z", "2026-01-21T09:00:00Z"}, []string{"2026-07-22T07:59:00Z", "2026-01-21T08:59:00Z"}},
		{win("[wed]", "09:00", "17:00", "Africa/Casablanca"), []string{"2026-07-22T08:00:00Z", "2026-03-04T09:00:00Z"}, []string{"2026-07-22T07:59:00Z", "2026-03-04T08:59:00Z"}},
	}
	n := 0
	for _, tt := range tests {
		for _, now := range tt.open {
			n++
			if got := judged(t, tt.policy, fine, now); got != "" {
				t.Errorf("%s at %s: outside %q, want inside", tt.policy, now, got)
			}
		}
		for _, now := range tt.shut {
			n++
			if got := judged(t, tt.policy, fine, now); got != "window" {
				t.Errorf("%s at %s: outside %q, want window", tt.policy, now, got)
			}
		}
	}
	t.Logf("%d instants", n)
}
