package systempolicy

import (
	"slices"
	"time"
)

// Event is what an engine recorded about one action of its own.
type Event struct {
	ID          string    // unique in the run store
	Environment string    // where it acted
	Component   string    // on what; "" for the whole environment
	Level       string    // under which it acted, as recorded
	At          time.Time // when
	From, To    string    // the versions before and after
	Undone      Answer    // whether it was taken back already
}

// Pins is what the environment's overlay pinned, by git history.
type Pins struct {
	Before  []string // every version that it pinned before
	Current string   // the version that it pins now; "" when there is none
}

// UndoDecision says whether an action may be taken back, and how. The zero value refuses.
type UndoDecision struct {
	Allowed  bool     // Command does it; false when Refusals says why not
	Refusals []string // all of event, level, window, once, target, version that hold, in that order; never nil
	Target   string   // the version to go back to
	MovedOn  bool     // the pin has changed since the action: still allowed, and to be said (U7)
	Command  []string // the promotion that does it; nil when refused
}

// The reasons for which an undo is refused.
const (
	NoEvent   = "event"   // no such event, or no such environment, or one that has no form of undo (U1, U9)
	NotAct    = "level"   // it was not done at level act (U2)
	NoWindow  = "window"  // outside the undo window, or a clock is missing (U3, U4)
	NotOnce   = "once"    // it was undone before, or that is not known (U5)
	NotTarget = "target"  // another version than the one before the action (U6)
	NotPinned = "version" // the overlay never pinned it, or pins it now (U7)
)

// undoFlags says by which flag each environment takes a version. (U9)
var undoFlags = map[string]string{"dev": "--version", "staging": "--sha", "prod": "--version"}

// Undo judges whether a person may take an action back: pause, level, window and budgets of the policy do not restrict
// it (U8). window is the environment's current merged one; target is the version asked for, "" for the one before the
// action.
func Undo(e Event, window UndoWindow, pins Pins, target string, now time.Time) UndoDecision {
	if target == "" {
		target = e.From
	}
	age := now.Sub(e.At)
	flag := undoFlags[e.Environment]
	d := UndoDecision{Refusals: []string{}, Target: target, MovedOn: pins.Current != e.To}
	for _, check := range [...]struct {
		code string
		bad  bool
	}{
		{NoEvent, e.ID == "" || flag == ""},
		{NotAct, e.Level != Act.String() && e.Level != Improve.String()},
		{NoWindow, now.IsZero() || e.At.IsZero() || now.Before(e.At) || age >= window.d},
		{NotOnce, e.Undone != No},
		{NotTarget, e.From == "" || target != e.From},
		{NotPinned, target == "" || target == pins.Current || !slices.Contains(pins.Before, target)},
	} {
		if check.bad {
			d.Refusals = append(d.Refusals, check.code)
		}
	}
	if d.Allowed = len(d.Refusals) == 0; d.Allowed {
		d.Command = []string{"/instance:promote", e.Component, "--to", e.Environment, flag, target}
	}
	return d
}

// Undo is [Undo] with the undo window that is merged for the event's environment; one that the system does not have is
// refused.
func (s *System) Undo(e Event, pins Pins, target string, now time.Time) UndoDecision {
	if !s.Has(e.Environment) {
		e.Environment = ""
	}
	return Undo(e, s.Policy(e.Environment).UndoWindow(), pins, target, now)
}

// UsedToday counts the time stamps, in RFC 3339, that fall on the UTC day of now, and those that are later or cannot be
// read, since a clock is wrong then (F9, F12). Without a clock every one counts.
func UsedToday(stamps []string, now time.Time) int64 {
	today := now.UTC().Truncate(24 * time.Hour)
	var used int64
	for _, s := range stamps {
		if at, err := time.Parse(time.RFC3339, s); err != nil || now.IsZero() || !at.Before(today) {
			used++
		}
	}
	return used
}
