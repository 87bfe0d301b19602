package systempolicy_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
	. "example.com/ambit/systempolicy"
	"github.com/google/go-cmp/cmp"
)

// slowWindow is a window as a person would check it: it shares nothing with the package but the zone's rules.
type slowWindow struct {
	days     string
	from, to string
	loc      *time.Location
}

func (w slowWindow) open(at time.Time) bool {
	local := at.In(w.loc)
	hour, minute, _ := local.Clock()
	now := hour*60 + minute
	clock := func(text string) int {
		h, _ := strconv.Atoi(text[:2])
		m, _ := strconv.Atoi(text[3:])
		return h*60 + m
	}
	from, to := clock(w.from), clock(w.to)
	today := strings.ToLower(local.Weekday().String()[:3])
	if from < to {
		return strings.Contains(w.days, today) && from <= now && now < to
	}
	if now >= from {
		return strings.Contains(w.days, today)
	}
	return now < to && strings.Contains(w.days, yesterdays[today])
}

var yesterdays = map[string]string{"mon": "sun", "tue": "mon", "wed": "tue", "thu": "wed", "fri": "thu", "sat": "fri", "sun": "sat"}

// walks are two years each, from the year on, of zones that do something unusual in them.
var walks = []struct {
	zone string
	year int
}{
	{"Europe/Berlin", 2026}, {"America/New_York", 2026},
	{"Australia/Lord_Howe", 2026}, // half an hour
	{"America/Santiago", 2026},    // changes at midnight
	{"Africa/Cairo", 2023},        // changes at midnight, again since 2023
	{"Pacific/Apia", 2011},        // has no 30 December 2011
	{"Pacific/Kiritimati", 1994},  // has no 1 January 1995
	{"Africa/Casablanca", 2026},   // goes back for Ramadan
	{"Europe/Dublin", 2026},       // winter time is the exception
	{"Antarctica/Troll", 2026},    // two hours
	{"Asia/Pyongyang", 2015},      // half an hour for good
	{"Asia/Kathmandu", 2026},      // a quarter
}

func TestWindowMinuteByMinute(t *testing.T) {
	windows := []struct{ days, from, to string }{
		{"mon tue wed thu fri", "09:00", "17:00"}, {"fri sat", "22:00", "06:00"}, {"sun", "02:00", "03:00"},
		{"sat sun", "00:00", "00:01"}, {"mon thu sat sun", "23:30", "00:00"}, {"sun mon", "01:30", "01:15"},
	}
	differences, minutes := 0, 0
	usual := 40_000
	if regime.Race {
		usual = 4000
	}
	share := regime.Cases(t, usual, 2*366*24*60)
	for _, walk := range walks {
		start := time.Date(walk.year, 1, 1, 0, 0, 0, 0, time.UTC)
		total := int(start.AddDate(2, 0, 0).Sub(start) / time.Minute)
		every := max(1, total/share)
		for _, w := range windows {
			days := []any{}
			for _, d := range strings.Fields(w.days) {
				days = append(days, d)
			}
			p := FromValue(map[string]any{"window": map[string]any{"days": days, "from": w.from, "to": w.to, "timezone": walk.zone}})
			loc := p.Windows()[0].Location()
			slow := slowWindow{w.days, w.from, w.to, loc}
			_, was := start.In(loc).Zone()
			dense := 0 // minutes left to walk one by one, after a change of the offset
			for i := 0; i < total; i++ {
				at := start.Add(time.Duration(i) * time.Minute)
				if dense == 0 && i%60 == 0 {
					if _, is := at.In(loc).Zone(); is != was {
						was, dense = is, 600
						i = max(0, i-300)
						continue
					}
				}
				if dense > 0 {
					dense--
				} else if i%every != 0 {
					continue
				}
				minutes++
				if p.Open(at) != slow.open(at) {
					if differences++; differences < 10 {
						t.Errorf("%s %s, %s-%s, %s: open is %v", walk.zone, w.days, w.from, w.to, at.In(loc), p.Open(at))
					}
				}
			}
		}
	}
	t.Logf("%d minutes, %d differences", minutes, differences)
}

func TestNextChange(t *testing.T) {
	policy := func(days []any, from, to, zone string) Policy {
		return FromValue(map[string]any{"window": map[string]any{"days": days, "from": from, "to": to, "timezone": zone}})
	}
	for _, tt := range []struct {
		name   string
		p      Policy
		now    string
		at     string // "" is never
		opens  bool
		isOpen bool
	}{
		{"closes today", Default(), "2026-07-22T12:00:30Z", "2026-07-22T17:00:00Z", false, true},
		{"opens tomorrow", Default(), "2026-07-22T17:00:00Z", "2026-07-23T09:00:00Z", true, false},
		{"over the weekend", Default(), "2026-07-24T18:00:00Z", "2026-07-27T09:00:00Z", true, false},
		{"spans midnight", policy([]any{"fri"}, "22:00", "06:00", "Europe/Berlin"), "2026-07-24T23:00:00Z", "2026-07-25T04:00:00Z", false, true},
		{"in a gap of the clock", policy([]any{"sun"}, "02:00", "03:00", "Europe/Berlin"), "2026-03-28T12:00:00Z", "2026-04-05T00:00:00Z", true, false},
		{"one day of one year", Meet(policy([]any{"mon"}, "09:00", "10:00", "UTC"), policy([]any{"tue"}, "09:00", "10:00", "UTC")), "2026-03-28T12:00:00Z", "", false, false},
		{"no window at all", Policy{}, "2026-03-28T12:00:00Z", "", false, false},
		{"no clock", Default(), "never", "", false, false},
		{"a zone that cannot be told", policy([]any{"mon"}, "09:00", "10:00", "Mars/Base"), "2026-03-30T09:30:00Z", "", false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now := instant(tt.now)
			if got := tt.p.Open(now); got != tt.isOpen {
				t.Errorf("open %v", got)
			}
			at, opens, ok := tt.p.NextChange(now)
			got := ""
			if ok {
				got = at.Format(time.RFC3339)
			}
			if got != tt.at || opens != tt.opens {
				t.Errorf("%q opens %v, want %q opens %v", got, opens, tt.at, tt.opens)
			}
		})
	}
}

func TestWindowText(t *testing.T) {
	for _, tt := range []struct {
		days []any
		want string
	}{
		{[]any{"mon", "tue", "wed", "thu", "fri"}, "mon-fri 22:00-06:00 Asia/Tokyo"},
		{[]any{"sun", "mon"}, "mon sun 22:00-06:00 Asia/Tokyo"},
		{[]any{"sun", "sat", "mon", "tue", "wed", "thu", "fri"}, "every day 22:00-06:00 Asia/Tokyo"},
	} {
		p := FromValue(map[string]any{"window": map[string]any{"days": tt.days, "from": "22:00", "to": "06:00", "timezone": "Asia/Tokyo"}})
		w := p.Windows()[0]
		if d := cmp.Diff(tt.want, w.String()); d != "" {
			t.Error(d)
		}
		if got := w.Local(instant("2026-11-30T12:05:00Z")); got != "mon 21:05" {
			t.Errorf("local %q", got)
		}
	}
	var none Window
	if none.Contains(time.Now()) || none.Local(time.Now()) != "" || none.Timezone() != "" || none.Location() != nil {
		t.Error("the zero Window is not closed")
	}
}
