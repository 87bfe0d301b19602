package envelope

import (
	"testing"
	"time"
)

func TestParseTime(t *testing.T) {
	for _, tt := range []struct{ in, want string }{ // "" is refused
		{"2026-07-05T14:30:00Z", "2026-07-05T14:30:00Z"},
		{"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
		{"2026-07-05T16:30:00.250+02:00", "2026-07-05T14:30:00Z"},
		{"2026-07-06T01:30:00+11:00", "2026-07-05T14:30:00Z"},
		{"2026-07-05T14:30:00.999999999999Z", "2026-07-05T14:30:00Z"},
		{"2026-07-05T14:30:00-00:00", "2026-07-05T14:30:00Z"},
		{"0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"},
		{"9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"},
		{"0000-01-01T00:00:00+01:00", ""}, // the year before
		{"9999-12-31T23:59:59-01:00", ""},
		{"2026-07-05", ""}, {"2026-07-05T14:30:00", ""}, {"2026-07-05 14:30:00Z", ""}, {"2026-07-05t14:30:00z", ""},
		{"2026-07-05T14:30Z", ""}, {"2026-02-30T00:00:00Z", ""}, {"2026-13-01T00:00:00Z", ""}, {"2026-00-01T00:00:00Z", ""},
		{"2026-01-00T00:00:00Z", ""}, {"2026-07-05T24:00:00Z", ""}, {"2026-07-05T23:60:00Z", ""}, {"2026-12-31T23:59:60Z", ""},
		{"2026-07-05T14:30:00,5Z", ""}, {"2026-07-05T14:30:00+24:00", ""}, {"2026-07-05T14:30:00+00:60", ""}, {"", ""},
		{"2026-07-05T14:30:0xZ", ""}, {"x026-07-05T14:30:00Z", ""}, {" 2026-07-05T14:30:00Z", ""},
	} {
		got, err := parseTime(tt.in)
		if (err == nil) != (tt.want != "") {
			t.Errorf("%q: %v", tt.in, err)
			continue
		}
		if err == nil && (formatTime(got) != tt.want || got.Location() != time.UTC || got.Nanosecond() != 0) {
			t.Errorf("%q reads as %v, want %s", tt.in, got, tt.want)
		}
	}
}

func TestAges(t *testing.T) {
	updated := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	e := &Envelope{Updated: updated}
	for _, tt := range []struct {
		after  time.Duration
		days   int
		stale  bool
		future bool
	}{
		{0, 0, false, false}, {24*time.Hour - 1, 0, false, false}, {24 * time.Hour, 1, false, false},
		{30 * 24 * time.Hour, 30, false, false}, {30*24*time.Hour + time.Second - 1, 30, false, false},
		{30*24*time.Hour + time.Second, 30, true, false}, {-time.Second, 0, false, true}, {-100 * 24 * time.Hour, 0, false, true},
	} {
		now := updated.Add(tt.after)
		if e.AgeDays(now) != tt.days || e.Stale(now) != tt.stale || e.FutureUpdated(now) != tt.future {
			t.Errorf("after %v: %d days, stale %v, future %v", tt.after, e.AgeDays(now), e.Stale(now), e.FutureUpdated(now))
		}
	}
}

func TestStateOfIsTotal(t *testing.T) {
	var none *Envelope
	if got := none.StateOf("x"); got != NeedsFullSupervision {
		t.Errorf("a nil envelope says %s", got)
	}
	if got := none.Counts(); got != [3]int{} {
		t.Errorf("a nil envelope counts %v", got)
	}
	e := &Envelope{TaskTypes: []TaskType{{ID: "a", State: FullyApproved}, {ID: "b", State: CheckBeforeCommitting}, {ID: "c", State: FullyApproved}}}
	if e.StateOf("a") != FullyApproved || e.StateOf("b") != CheckBeforeCommitting || e.StateOf("A") != NeedsFullSupervision || e.StateOf("") != NeedsFullSupervision {
		t.Error("StateOf does not give the recorded state, or not the default")
	}
	if got := e.Counts(); got != [3]int{0, 1, 2} {
		t.Errorf("counts %v", got)
	}
	if tt, ok := e.Find("z"); ok || tt.ID != "z" || tt.Label != "z" {
		t.Errorf("Find of what is not recorded: %v %v", tt, ok)
	}
}
