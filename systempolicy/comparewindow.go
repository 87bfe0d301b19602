package systempolicy

import "time"

// The horizon within which windows of different zones are compared. (O14)
var (
	horizonStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	horizonEnd   = time.Date(2036, 1, 1, 0, 0, 0, 0, time.UTC)
)

// compareWindows says what the instants at which all the proposed windows are open are to those of the merged. Where
// all zones have one name, weeks of wall-clock minutes are compared, so that no DST can change the verdict (O13);
// otherwise instants of the horizon.
func compareWindows(merged, proposed []Window) Verdict {
	all := append(append([]Window{}, merged...), proposed...)
	if sameZone(all) {
		m, p := weekOfAll(merged), weekOfAll(proposed)
		return inclusion(p.within(m), m.within(p))
	}
	a, b := newShifted(merged), newShifted(proposed)
	pInM, mInP := true, true
	for start := horizonStart; start.Before(horizonEnd) && (pInM || mInP); {
		end := segmentEnd(start, all)
		m, p := a.at(start), b.at(start)
		if end.Sub(start) < weekMinutes*time.Minute {
			some := minutesBetween(start, end)
			m, p = m.and(some), p.and(some)
		}
		pInM, mInP = pInM && p.within(m), mInP && m.within(p)
		start = end
	}
	return inclusion(pInM, mInP)
}

func inclusion(proposedInMerged, mergedInProposed bool) Verdict {
	switch {
	case proposedInMerged && mergedInProposed:
		return Equal
	case proposedInMerged:
		return Tighter
	case mergedInProposed:
		return Looser
	}
	return Incomparable
}

func sameZone(windows []Window) bool {
	for _, w := range windows {
		if w.Timezone() != windows[0].Timezone() {
			return false
		}
	}
	return true
}

// weekOfAll gives the wall-clock minutes in which every window is open; the zone is the same.
func weekOfAll(windows []Window) week {
	out := weekOf(windows[0])
	for _, w := range windows[1:] {
		out = out.and(weekOf(w))
	}
	return out
}

// shifted gives, per offset, the weeks of some windows in UTC.
type shifted struct {
	windows []Window
	weeks   []week
	cache   []map[int]week // per window: offset in minutes to the week in UTC
}

func newShifted(windows []Window) *shifted {
	s := &shifted{windows: windows}
	for _, w := range windows {
		s.weeks = append(s.weeks, weekOf(w))
		s.cache = append(s.cache, map[int]week{})
	}
	return s
}

// at gives the minutes of a week in UTC in which every window is open, by the offsets in force at that instant.
func (s *shifted) at(t time.Time) week {
	var out week
	for i, w := range s.windows {
		offset := 0
		if w.zone != nil {
			offset = int(w.zone.offset(t.Unix()) / 60)
		}
		v, ok := s.cache[i][offset]
		if !ok {
			v = s.weeks[i].earlier(offset)
			s.cache[i][offset] = v
		}
		if i == 0 {
			out = v
		} else {
			out = out.and(v)
		}
	}
	return out
}

// segmentEnd gives the first instant after start, at most the horizon's end, at which a zone of the windows changes its
// offset.
func segmentEnd(start time.Time, windows []Window) time.Time {
	end := horizonEnd.Unix()
	for _, w := range windows {
		if w.zone == nil {
			continue
		}
		if at, ok := w.zone.change(start.Unix()); ok {
			end = min(end, at)
		}
	}
	return time.Unix(end, 0).UTC()
}

// minutesBetween gives the minutes of a week in UTC from start to end, less than a week apart.
func minutesBetween(start, end time.Time) week {
	day, minute := localMinute(start.Unix())
	first := int(day)*dayMinutes + int(minute)
	return around([]run{{first, first + int(end.Sub(start)/time.Minute)}})
}
