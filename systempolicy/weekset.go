package systempolicy

import (
	"math/bits"
	"time"
)

// weekMinutes is how many minutes a week has.
const weekMinutes = 7 * 24 * 60

// week holds a bit for each minute of the week, Sunday 00:00 the first: the wall-clock minutes in which a window is
// open.
type week [(weekMinutes + 63) / 64]uint64

func (w *week) set(i int)      { w[i/64] |= 1 << (i % 64) }
func (w *week) has(i int) bool { return w[i/64]&(1<<(i%64)) != 0 }

// weekOf gives the minutes of a window.
func weekOf(w Window) (out week) {
	if w.zone == nil || w.from == w.to {
		return out
	}
	for i := range weekMinutes {
		if w.holds(time.Weekday(i/(24*60)), uint16(i%(24*60))) {
			out.set(i)
		}
	}
	return out
}

// and gives the minutes that are in both.
func (w week) and(v week) week {
	for i := range w {
		w[i] &= v[i]
	}
	return w
}

// within reports whether every minute of w is in v.
func (w *week) within(v *week) bool {
	for i := range w {
		if w[i]&^v[i] != 0 {
			return false
		}
	}
	return true
}

func (w *week) empty() bool { return w.count() == 0 }

func (w *week) count() (n int) {
	for _, x := range w {
		n += bits.OnesCount64(x)
	}
	return n
}

// earlier gives the week as a clock shows it that is that many minutes behind: minute i of the result is minute
// i+minutes of w.
func (w *week) earlier(minutes int) (out week) {
	shift := (minutes%weekMinutes + weekMinutes) % weekMinutes
	for i := range weekMinutes {
		j := i + shift
		if j >= weekMinutes {
			j -= weekMinutes
		}
		if w.has(j) {
			out.set(i)
		}
	}
	return out
}

// window gives the one window of a zone that is open in just these minutes; ok is false when none is. Each maximal run
// of minutes must begin at the same time of day and last equally long, and a window never fills a whole day.
func (w *week) window(z *zone) (out Window, ok bool) {
	if w.empty() {
		return Window{}, false
	}
	first := -1
	for i := range weekMinutes {
		if w.has(i) && !w.has((i+weekMinutes-1)%weekMinutes) {
			first = i
			break
		}
	}
	if first < 0 {
		return Window{}, false
	}
	length := 1
	for w.has((first + length) % weekMinutes) {
		length++
	}
	out = Window{from: uint16(first % (24 * 60)), to: uint16((first + length) % (24 * 60)), zone: z}
	for i := first; i < first+weekMinutes; i += 24 * 60 {
		if w.has(i % weekMinutes) {
			out.days |= 1 << (i / (24 * 60) % 7)
		}
	}
	same := weekOf(out)
	return out, length < 24*60 && same == *w
}
