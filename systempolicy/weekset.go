package systempolicy

import (
	"cmp"
	"slices"
	"time"
)

const (
	dayMinutes  = 24 * 60
	weekMinutes = 7 * dayMinutes
)

// run is the minutes of a week from start up to and without end; Sunday 00:00 is minute 0.
type run struct{ start, end int }

// week is the minutes of a week in which a window is open: runs in order that neither overlap nor touch.
type week []run

// weekOf gives the wall-clock minutes of a window.
func weekOf(w Window) week {
	if w.zone == nil || w.from == w.to {
		return nil
	}
	length := int(w.to) - int(w.from)
	if length < 0 {
		length += dayMinutes
	}
	runs := make([]run, 0, 8)
	for day := time.Sunday; day <= time.Saturday; day++ {
		if w.days.has(day) {
			start := int(day)*dayMinutes + int(w.from)
			runs = append(runs, run{start, start + length})
		}
	}
	return around(runs)
}

// around brings runs that begin within a week and may go beyond its end into order.
func around(runs []run) week {
	for i := range runs {
		if over := runs[i].end - weekMinutes; over > 0 {
			runs[i].end = weekMinutes
			runs = append(runs, run{0, over})
		}
	}
	slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(a.start, b.start) })
	out := runs[:0]
	for _, r := range runs {
		if n := len(out); n > 0 && r.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, r.end)
			continue
		}
		out = append(out, r)
	}
	return week(out)
}

// and gives the minutes that are in both.
func (w week) and(v week) week {
	var out week
	for i, j := 0, 0; i < len(w) && j < len(v); {
		start, end := max(w[i].start, v[j].start), min(w[i].end, v[j].end)
		if start < end {
			out = append(out, run{start, end})
		}
		if w[i].end < v[j].end {
			i++
		} else {
			j++
		}
	}
	return out
}

// within reports whether every minute of w is in v.
func (w week) within(v week) bool {
	j := 0
	for _, r := range w {
		for j < len(v) && v[j].end < r.end {
			j++
		}
		if j == len(v) || v[j].start > r.start {
			return false
		}
	}
	return true
}

// earlier gives the week as a clock shows it that is that many minutes behind: minute i of the result is minute
// i+minutes of w.
func (w week) earlier(minutes int) week {
	runs := make([]run, 0, len(w)+1)
	for _, r := range w {
		start := ((r.start-minutes)%weekMinutes + weekMinutes) % weekMinutes
		runs = append(runs, run{start, start + r.end - r.start})
	}
	return around(runs)
}

// window gives the one window of a zone that is open in just these minutes; ok is false when none is. Each run must
// begin at the same time of day and last equally long, and a window never fills a whole day.
func (w week) window(z *zone) (out Window, ok bool) {
	runs := slices.Clone(w)
	if n := len(runs); n > 1 && runs[0].start == 0 && runs[n-1].end == weekMinutes { // one run over the week's end
		runs[n-1].end += runs[0].end
		runs = runs[1:]
	}
	if len(runs) == 0 {
		return Window{}, false
	}
	first := runs[0]
	length := first.end - first.start
	if length >= dayMinutes {
		return Window{}, false
	}
	out = Window{from: uint16(first.start % dayMinutes), to: uint16(first.end % dayMinutes), zone: z}
	for _, r := range runs {
		if r.end-r.start != length || r.start%dayMinutes != int(out.from) {
			return Window{}, false
		}
		out.days |= 1 << (r.start / dayMinutes)
	}
	return out, true
}
