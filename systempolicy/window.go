package systempolicy

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Window is the days and hours in which an engine may merge, on the wall clock of a time zone. The zero Window is never
// open.
type Window struct {
	days     daySet
	from, to uint16 // minutes of the local day; to is exclusive (W2)
	zone     *zone
}

// daySet holds a bit for each weekday, Sunday the lowest as in package time.
type daySet uint8

const weekdays daySet = 1<<time.Monday | 1<<time.Tuesday | 1<<time.Wednesday | 1<<time.Thursday | 1<<time.Friday

// weekNames are the days as they are written, in the order in which they are rendered. (W10)
var weekNames = [...]string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

func weekdayNamed(name string) (time.Weekday, bool) {
	i := slices.Index(weekNames[:], name)
	return time.Weekday((i + 1) % 7), i >= 0
}

func (s daySet) has(d time.Weekday) bool { return s&(1<<d) != 0 }

// Days gives the days on which the window opens, in week order: mon ... sun.
func (w Window) Days() []string {
	names := make([]string, 0, 7)
	for i, n := range weekNames {
		if w.days.has(time.Weekday((i + 1) % 7)) {
			names = append(names, n)
		}
	}
	return names
}

// From gives the local time at which the window opens, as "09:00".
func (w Window) From() string { return clock(w.from) }

// To gives the local time at which it closes, exclusive; before From it is on the next day (W3).
func (w Window) To() string { return clock(w.to) }

// Timezone gives the zone's name as written.
func (w Window) Timezone() string { return w.zone.String() }

// Location gives the zone's rules, from the embedded data; nil for a window without a zone, which is never open (W9).
func (w Window) Location() *time.Location {
	if w.zone == nil {
		return nil
	}
	return w.zone.loc
}

// String gives the window for people, as "mon tue 22:00-06:00 Europe/Berlin"; five or seven days are shortened.
func (w Window) String() string {
	days := strings.Join(w.Days(), " ")
	switch w.days {
	case weekdays:
		days = "mon-fri"
	case 1<<7 - 1:
		days = "every day"
	}
	return fmt.Sprintf("%s %s-%s %s", days, w.From(), w.To(), w.Timezone())
}

func clock(minute uint16) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }

// Contains reports whether the window is open at that instant: from <= hh:mm < to on the zone's wall clock, and after
// midnight the day on which the window opened decides (W1 to W7). The zero time is never inside (F11).
func (w *Window) Contains(now time.Time) bool {
	if w.zone == nil || w.from == w.to || now.IsZero() {
		return false
	}
	at := now.Unix()
	day, minute := localMinute(at + w.zone.offset(at))
	return w.holds(day, minute)
}

// holds is Contains on the wall clock.
func (w *Window) holds(day time.Weekday, minute uint16) bool {
	if w.from < w.to {
		return w.from <= minute && minute < w.to && w.days.has(day)
	}
	return minute >= w.from && w.days.has(day) || minute < w.to && w.days.has((day+6)%7)
}

// localMinute gives the weekday and the minute of the day of a count of local seconds since 1970.
func localMinute(seconds int64) (time.Weekday, uint16) {
	const perDay = 24 * 60 * 60
	day, second := seconds/perDay, seconds%perDay
	if second < 0 {
		day, second = day-1, second+perDay
	}
	weekday := (day%7 + 7 + int64(time.Thursday)) % 7 // 1970-01-01 was a Thursday
	return time.Weekday(weekday), uint16(second / 60)
}

// horizonOfChange is how far NextChange looks: a window that opens on one day of the week may lie in a gap of the clock
// for some weeks, and two windows may coincide only in part of the year, but not in none of it.
const horizonOfChange = 400 * 24 * time.Hour

// NextChange gives the first whole minute after now at which the policy's windows open or close together, in UTC; ok is
// false when nothing changes for 400 days, or without a clock.
func (p Policy) NextChange(now time.Time) (at time.Time, opens, ok bool) {
	if now.IsZero() || p.window.zone == nil || p.judged&(1<<InWindow) == 0 {
		return time.Time{}, false, false
	}
	was := p.open(now)
	for at = now.UTC().Truncate(time.Minute).Add(time.Minute); at.Sub(now) < horizonOfChange; at = at.Add(time.Minute) {
		if p.open(at) != was {
			return at, !was, true
		}
	}
	return time.Time{}, false, false
}

// Open reports whether every window of the policy is open at that instant.
func (p Policy) Open(now time.Time) bool { return p.judged&(1<<InWindow) != 0 && p.open(now) }
