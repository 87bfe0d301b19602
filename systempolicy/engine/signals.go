package engine

import (
	"slices"
	"time"
)

// Signals is what the signals of one environment amount to: the last accepted of pause and resume, and the last accepted
// set. The zero value is that of an environment that never had one. It is plain data, for a Store to keep; Accept
// changes it and InForce reads it.
type Signals struct {
	Pause *Accepted `json:"pause,omitempty"` // the last of pause and resume
	Set   *Accepted `json:"set,omitempty"`
	Seen  []string  `json:"seen,omitempty"` // kind and id of the accepted ones, oldest first, at most maxSeen
}

// Accepted is a signal that was accepted, with its place in the order.
type Accepted struct {
	Signal
	Order time.Time `json:"order"` // S7, section 11
	Met   *Met      `json:"met,omitempty"`
}

// Met says when main was first seen at or below a set signal, which is dropped from then on. // S8
// A replica that still reads an older main keeps the signal until it has read one of that time.
type Met struct {
	Commit string    `json:"commit"`
	ReadAt time.Time `json:"readAt"`
}

// maxSeen is how many ids are remembered. An older resume or set is refused by its age anyway; an older pause that is replayed
// pauses again, which is the safe side.
const maxSeen = 512

// Paused reports whether a signal pauses the environment.
func (s Signals) Paused() bool { return s.Pause != nil && s.Pause.Kind == Pause }

// clone gives a copy that shares nothing that changes.
func (s Signals) clone() Signals {
	s.Seen = slices.Clone(s.Seen)
	return s
}

// last gives the slot in which a kind is ordered. // S7, section 11
func (s *Signals) last(kind SignalKind) **Accepted {
	if kind == Set {
		return &s.Set
	}
	return &s.Pause
}

// place finds the place of a signal in the order, or the code with which it is refused. replay is true for one that was
// accepted before and changes nothing.
func (s Signals) place(sig Signal, now time.Time) (order time.Time, replay bool, code string) {
	last := *s.last(sig.Kind)
	if slices.Contains(s.Seen, seen(sig)) {
		if last != nil && last.ID == sig.ID && last.Kind == sig.Kind && !last.same(sig) {
			return time.Time{}, false, RefusedReused
		}
		return time.Time{}, true, ""
	}
	order = sig.At.UTC()
	switch {
	case sig.Kind == Pause:
		if last != nil && !order.After(last.Order) {
			order = last.Order.Add(1) // never refused for its age
		}
	case sig.At.After(now.Add(MaxSkew)):
		return time.Time{}, false, RefusedEarly
	case last != nil && !order.After(last.Order):
		return time.Time{}, false, RefusedOlder
	}
	return order, false, ""
}

// with gives the state after the signal.
func (s Signals) with(sig Signal, order time.Time) Signals {
	s = s.clone()
	*s.last(sig.Kind) = &Accepted{Signal: sig, Order: order}
	s.Seen = append(s.Seen, seen(sig))
	if n := len(s.Seen) - maxSeen; n > 0 {
		s.Seen = slices.Delete(s.Seen, 0, n)
	}
	return s
}

// same reports whether a signal under a known id says what the accepted one said.
func (a *Accepted) same(sig Signal) bool {
	return a.At.Equal(sig.At) && string(a.Policy) == string(sig.Policy)
}

// seen is how an id is remembered: with its kind, so that nothing else can use up a pause's id.
func seen(sig Signal) string { return string(sig.Kind) + " " + sig.ID }
