package systempolicy

import (
	"slices"
	"time"

	"example.com/ambit/internal/enum"
)

// SignalKind says what a signal does. The zero value is a pause.
type SignalKind uint8

const (
	PauseSignal  SignalKind = iota // every environment of the engine acts as observe
	ResumeSignal                   // lifts a pause by signal, and nothing else (S5)
	SetSignal                      // tightens
)

var signalNames = [...]string{"pause", "resume", "set"}

// String gives the kind's name; a value beyond the three is "pause".
func (k SignalKind) String() string { return enum.Word(signalNames[:], k) }

// MarshalText gives the kind's name.
func (k SignalKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the kind's name; on an error it is PauseSignal.
func (k *SignalKind) UnmarshalText(text []byte) (err error) {
	*k, err = enum.Parse[SignalKind]("a kind of signal", signalNames[:], text)
	return err
}

// Signal is what a person sends to one environment's engine.
type Signal struct {
	ID     string     // "" is never taken for a repetition
	Kind   SignalKind // pause, resume or set
	At     time.Time  // when it was sent
	By     string     // who sent it; for showing
	Policy Patch      // only of a set
}

// Held is what an environment's engine has accepted by signal and still holds. It is a value that can be kept over a
// restart (S8). The zero value holds nothing.
type Held struct {
	Paused bool      // a signal paused the environment, and none resumed it
	At     time.Time // order of the last accepted pause or resume
	Set    Patch     // of the last accepted set that still holds
	SetAt  time.Time // when the last accepted set was sent
	Seen   []string  // ids that were accepted, the latest last, at most MaxSeen
}

// MaxSeen is how many ids are remembered, so that a repetition is known as one.
const MaxSeen = 1024

// MaxAhead is how far a resume or a set may be ahead of the engine's clock. (S7)
const MaxAhead = 60 * time.Second

// The codes of a SignalAnswer.
const (
	SignalAccepted = "accepted"      // what it asks for is in force
	SignalRepeated = "repeated"      // the id was accepted before; nothing changes, and nothing is wrong
	SignalOlder    = "older"         // a later signal of its kind was accepted before (S7)
	SignalAhead    = "ahead"         // its time is more than MaxAhead ahead, or is missing
	SignalLoosens  = "loosens"       // it would loosen the keys in Loosens (S3)
	SignalEmpty    = "nothing-asked" // a set without a key
)

// SignalAnswer says what came of a signal. The zero value accepts nothing.
type SignalAnswer struct {
	Code    string // one of the Signal constants; "" is of no signal
	Loosens Keys   // looser than merged, or not comparable with it
}

// Accepted reports whether the signal is in force, now or since before.
func (a SignalAnswer) Accepted() bool { return a.Code == SignalAccepted || a.Code == SignalRepeated }

// Accept judges one signal against what is merged, whole or not at all, and gives what is held then (S3, S6, S7). The
// bound is what is merged, not the last signal. A pause is never refused.
func (h Held) Accept(s Signal, merged Policy, now time.Time) (Held, SignalAnswer) {
	if s.ID != "" && slices.Contains(h.Seen, s.ID) {
		return h, SignalAnswer{Code: SignalRepeated}
	}
	if s.Kind != ResumeSignal && s.Kind != SetSignal {
		h.Paused = true
		if after := h.At.Add(time.Nanosecond); s.At.After(after) || h.At.IsZero() {
			h.At = s.At
		} else {
			h.At = after
		}
		return h.saw(s.ID), SignalAnswer{Code: SignalAccepted}
	}
	if s.At.IsZero() || s.At.After(now.Add(MaxAhead)) {
		return h, SignalAnswer{Code: SignalAhead}
	}
	if s.Kind == ResumeSignal {
		if !s.At.After(h.At) { // a pause and a resume of one instant: the pause wins
			return h, SignalAnswer{Code: SignalOlder}
		}
		h.Paused, h.At = false, s.At
		return h.saw(s.ID), SignalAnswer{Code: SignalAccepted}
	}
	switch loosens := Compare(merged, s.Policy.Apply(merged)).Loosens(); {
	case s.Policy.keys.Empty():
		return h, SignalAnswer{Code: SignalEmpty}
	case s.At.Before(h.SetAt):
		return h, SignalAnswer{Code: SignalOlder}
	case !loosens.Empty():
		return h, SignalAnswer{Code: SignalLoosens, Loosens: loosens}
	}
	h.Set, h.SetAt = s.Policy, s.At
	return h.saw(s.ID), SignalAnswer{Code: SignalAccepted}
}

// saw remembers an id.
func (h Held) saw(id string) Held {
	if id == "" {
		return h
	}
	h.Seen = append(slices.Clone(h.Seen), id)
	if over := len(h.Seen) - MaxSeen; over > 0 {
		h.Seen = h.Seen[over:]
	}
	return h
}

// InForce gives the policy in force: what is merged, tightened by the set that is held. It never loosens, also when
// main has gone below the set meanwhile. (S6)
func (h Held) InForce(merged Policy) Policy {
	if h.Set.keys.Empty() {
		return merged
	}
	return Meet(merged, h.Set.Apply(merged))
}

// Settle gives what is still held once main has changed: a set is dropped where main is at or below it. (S8)
func (h Held) Settle(merged Policy) Held {
	if c := Compare(merged, h.Set.Apply(merged)); c.Keys(Tighter).Empty() && c.Keys(Incomparable).Empty() {
		h.Set = Patch{}
	}
	return h
}

// Signal gives what is held in the form that [System.Effective] takes.
func (h Held) Signal(merged Policy) EnvironmentSignal {
	level := h.InForce(merged).level
	return EnvironmentSignal{Paused: h.Paused, Level: &level}
}

// DecideHeld is [System.Decide] with what the environment's engine holds: the policy in force, and the pause.
func (s *System) DecideHeld(env, component string, h Held, f Facts, now time.Time) Decision {
	merged := s.Policy(env)
	signals := Signals{Environments: map[string]EnvironmentSignal{env: h.Signal(merged)}}
	return Decide(s.Effective(env, component, signals), h.InForce(merged), f, now)
}
