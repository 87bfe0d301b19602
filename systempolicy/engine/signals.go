package engine

import (
	"time"

	"example.com/ambit/systempolicy"
)

// Signals is what the signals of one environment amount to: the last accepted of pause and resume, and the last accepted
// set. The zero value is that of an environment that never had one. It is plain data, for a Store to keep; [Merged.Accept]
// changes it and [Merged.InForce] reads it.
type Signals struct {
	Pause *Accepted `json:"pause,omitempty"` // the last of pause and resume
	Set   *Accepted `json:"set,omitempty"`   // the last set; nil when there is none, or main has caught up
	Seen  []string  `json:"seen,omitempty"`  // kind and id of the accepted ones, oldest first, at most systempolicy.MaxSeen
}

// Accepted is a signal that was accepted, with its place in the order.
type Accepted struct {
	Signal
	Order    time.Time `json:"order"`         // its place; for a pause after the last accepted one, whatever its own time // section 11
	Received time.Time `json:"received"`      // by the engine's clock
	Met      *Met      `json:"met,omitempty"` // nil until main has caught up with it
}

// Met says when main was first seen at or below a set signal, which is dropped from then on. // S8
// A replica that still reads an older main keeps the signal until it has read one of that time.
type Met struct {
	Commit string    `json:"commit"` // of main
	ReadAt time.Time `json:"readAt"` // when that commit was read; UTC
}

// Paused reports whether a signal pauses the environment.
func (s Signals) Paused() bool { return s.Pause != nil && s.Pause.Kind == Pause }

// held gives what the rules of systempolicy judge. The set's patch is left out: they compare with what is merged, not with it.
func (s Signals) held() systempolicy.Held {
	h := systempolicy.Held{Paused: s.Paused(), Seen: s.Seen}
	if s.Pause != nil {
		h.At = s.Pause.Order
	}
	if s.Set != nil {
		h.SetAt = s.Set.Order
	}
	return h
}

// last gives the last accepted signal of a kind's order. // S7, section 11
func (s *Signals) last(kind SignalKind) **Accepted {
	if kind == Set {
		return &s.Set
	}
	return &s.Pause
}

// same reports whether a signal under a known id says what the accepted one said.
func (a *Accepted) same(sig Signal) bool {
	return a.At.Equal(sig.At) && string(a.Policy) == string(sig.Policy)
}

// kinds are the words of the wire.
var kinds = map[SignalKind]systempolicy.SignalKind{Pause: systempolicy.PauseSignal, Resume: systempolicy.ResumeSignal, Set: systempolicy.SetSignal}
