package systempolicy

import (
	"slices"
	"testing"
	"time"
)

// TestWeeks holds the sets of minutes against counting minute by minute.
func TestWeeks(t *testing.T) {
	berlin := findZone("Europe/Berlin")
	windows := []Window{
		{days: weekdays, from: 540, to: 1020, zone: berlin}, {days: 1 << time.Saturday, from: 1320, to: 360, zone: berlin},
		{days: 127, from: 0, to: 1439, zone: berlin}, {days: 127, from: 1, to: 0, zone: berlin}, {days: 1<<time.Sunday | 1<<time.Monday, from: 60, to: 59, zone: berlin},
		{days: 127, from: 60, to: 60, zone: berlin}, {days: 127, from: 60, to: 61}, {},
	}
	has := func(w week, i int) bool {
		return slices.ContainsFunc(w, func(r run) bool { return r.start <= i && i < r.end })
	}
	for _, a := range windows {
		wa := weekOf(a)
		back, ok := wa.window(berlin)
		if want := a.zone != nil && a.from != a.to; ok != want || ok && back != a {
			t.Errorf("%v became %v, %v", a, back, ok)
		}
		for _, shift := range []int{0, 1, -1, 60, 5 * 60, -14 * 60, weekMinutes, 3*weekMinutes + 7} {
			shifted := wa.earlier(shift)
			for i := range weekMinutes {
				if has(shifted, i) != has(wa, ((i+shift)%weekMinutes+weekMinutes)%weekMinutes) {
					t.Fatalf("%v earlier by %d differs at %d", a, shift, i)
				}
			}
		}
		for _, b := range windows {
			wb := weekOf(b)
			both, inside := wa.and(wb), true
			for i := range weekMinutes {
				open := a.zone != nil && a.from != a.to && a.holds(time.Weekday(i/dayMinutes), uint16(i%dayMinutes))
				if has(wa, i) != open {
					t.Fatalf("%v at %d", a, i)
				}
				if has(both, i) != (has(wa, i) && has(wb, i)) {
					t.Fatalf("%v and %v at %d", a, b, i)
				}
				inside = inside && (!has(wa, i) || has(wb, i))
			}
			if wa.within(wb) != inside {
				t.Errorf("%v within %v: %v", a, b, !inside)
			}
		}
	}
	for name, w := range map[string]week{"nothing": nil, "a whole day": {{0, dayMinutes}}, "all": {{0, weekMinutes}}, "two lengths": {{0, 10}, {dayMinutes, dayMinutes + 20}}, "two starts": {{0, 10}, {dayMinutes + 1, dayMinutes + 11}}} {
		if got, ok := w.window(berlin); ok {
			t.Errorf("%s is the window %v", name, got)
		}
	}
}

func TestLocalMinute(t *testing.T) {
	for _, at := range []int64{0, -1, -86400, -86401, 86399, 1 << 40, -(1 << 40), 1<<62 + 7, -(1 << 62)} {
		day, minute := localMinute(at)
		if want := time.Unix(at, 0).UTC(); at > -(1<<41) && at < 1<<41 && (day != want.Weekday() || int(minute) != want.Hour()*60+want.Minute()) {
			t.Errorf("%d: %v %d, want %v", at, day, minute, want)
		}
		if day < 0 || day > 6 || minute >= dayMinutes {
			t.Errorf("%d: %v %d", at, day, minute)
		}
	}
}

func TestLevelsBeyond(t *testing.T) {
	if Level(99).effective() != Observe || Improve.effective() != Act || Propose.effective() != Propose {
		t.Error("a level beyond the five acts")
	}
	broken := &component{broken: true}
	s := &System{name: "shop", components: map[string]*component{"api": broken, "web": {}}}
	if max, capped := s.Max("dev", "api"); max != Observe || !capped || s.Name() != "shop" {
		t.Error("a cap that cannot be told is none")
	}
	if _, capped := s.Max("dev", "web"); capped {
		t.Error("an instance that is not there has a cap")
	}
}

func TestSegments(t *testing.T) {
	if end := segmentEnd(horizonStart, []Window{{}, {zone: utc}}); !end.Equal(horizonEnd) {
		t.Errorf("%v", end)
	}
	if v := compareWindows([]Window{{}}, []Window{Default().window}); v != Looser {
		t.Errorf("a window is %v to none", v)
	}
	if v := compareWindows([]Window{Default().window}, []Window{{}}); v != Tighter {
		t.Errorf("no window is %v to one", v)
	}
}

// TestHorizon states from which minute to which windows of different zones are compared (O14): one that is closed in a
// single minute, and open like the other in all the rest, is tighter only where that minute is of the ten years.
func TestHorizon(t *testing.T) {
	for _, c := range []struct {
		minute string
		want   Verdict
	}{
		{"2025-12-31T23:59:00Z", Equal},
		{"2026-01-01T00:00:00Z", Tighter},
		{"2026-01-01T00:01:00Z", Tighter},
		{"2031-06-15T12:00:00Z", Tighter},
		{"2035-12-31T23:59:00Z", Tighter},
		{"2036-01-01T00:00:00Z", Equal},
	} {
		at, err := time.Parse(time.RFC3339, c.minute)
		if err != nil {
			t.Fatal(err)
		}
		from := uint16(at.Hour()*60 + at.Minute())
		to := (from + 1) % dayMinutes // open for that minute of every day, which half a day later it is not
		odd := &zone{name: "Odd", loc: time.UTC, starts: []int64{tableStart, at.Unix(), at.Unix() + 60}, offsets: []int32{0, 12 * 3600, 0}}
		plain := Window{days: 127, from: from, to: to, zone: utc}
		other := Window{days: 127, from: from, to: to, zone: odd}
		if got := compareWindows([]Window{plain}, []Window{other}); got != c.want {
			t.Errorf("a window that is closed at %s is %v, want %v", c.minute, got, c.want)
		}
		if got := compareWindows([]Window{other}, []Window{plain}); got != c.want.Reverse() {
			t.Errorf("beside a window that is closed at %s, %v, want %v", c.minute, got, c.want.Reverse())
		}
	}
}

// TestKeyBeyond states that the first key that is none, like any beyond, is not compared.
func TestKeyBeyond(t *testing.T) {
	c := Compare(Default(), Default())
	if got := c.Key(keys - 1); got != Equal {
		t.Errorf("the last key is %v", got)
	}
	if got := c.Key(keys); got != Incomparable {
		t.Errorf("no key is %v", got)
	}
}

func TestPositionsOfNoNode(t *testing.T) {
	if NameOf([]byte("name: shop\nx: [1]\n")) != "shop" || NameOf([]byte("name: [")) != "" || NameOf([]byte("x: 1")) != "" || NameOf([]byte("- 1")) != "" || NameOf(make([]byte, MaxBytes+1)) != "" || NameOf([]byte("name: 1")) != "" {
		t.Error("the name is another")
	}
	r := reader{visits: maxVisits - 1}
	first, second := r.visit(nil, "x"), r.visit(nil, "x")
	if first || second || len(r.problems) != 1 {
		t.Errorf("%v %v %v", first, second, r.problems)
	}
}
