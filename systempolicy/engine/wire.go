package engine

import (
	"encoding/json"
	"errors"
	"time"

	"example.com/ambit/systempolicy"
)

// SignalKind says what a signal does.
type SignalKind string

const (
	Pause  SignalKind = "pause"  // act as observe, at once
	Resume SignalKind = "resume" // lift a pause that a signal set; never one in git // S5
	Set    SignalKind = "set"    // tighten an environment's policy, at once
)

// Signal is the body of POST /v1/signals. // S12
type Signal struct {
	Version     int             `json:"version"`          // 1
	ID          string          `json:"id"`               // a UUID; the same id again is the same signal
	System      string          `json:"system"`           // the system's name
	Environment string          `json:"environment"`      // which one it is for
	Kind        SignalKind      `json:"kind"`             // pause, resume or set
	Policy      json.RawMessage `json:"policy,omitempty"` // only for set: only the keys that it tightens, nested // S4
	Base        string          `json:"base"`             // the commit of main that the sender compared with; "" when unknown
	By          string          `json:"by"`               // who sends it, for people
	At          time.Time       `json:"at"`               // when it is sent; orders signals
	PR          *string         `json:"pr"`               // owner/repo#n, once it is known
}

// Answer is what the engine says to an accepted signal: what is in force now.
type Answer struct {
	ID       string `json:"id"`       // of the signal
	Accepted bool   `json:"accepted"` // true; a Refusal has false
	Commit   string `json:"commit"`   // the commit of main that the engine reads; "" while it cannot
	InForce  State  `json:"inForce"`  // with the signal
}

// Refusal is what the engine says to a signal that it did not accept. Nothing has changed.
type Refusal struct {
	ID       string   `json:"id"`                // "" where the signal's could not be read
	Accepted bool     `json:"accepted"`          // false; an Answer has true
	Code     string   `json:"code"`              // one of the Refused constants
	Message  string   `json:"message"`           // for people; not stable
	Loosens  []string `json:"loosens,omitempty"` // for RefusedLoosens: the keys, in the key table's order // S3
	Keys     []string `json:"keys,omitempty"`    // for RefusedPolicy and RefusedBody: the keys that are wrong
}

// The codes of a Refusal, with the HTTP status each comes with.
const (
	RefusedToken       = "token"       // 401: no bearer token, or a wrong one
	RefusedBody        = "body"        // 400: not a signal of version 1
	RefusedPolicy      = "policy"      // 400: a set whose policy does not validate
	RefusedSize        = "size"        // 413: larger than MaxBody
	RefusedMethod      = "method"      // 405
	RefusedUnknown     = "unknown"     // 404: no such system, environment or path
	RefusedLoosens     = "loosens"     // 409: it would loosen something // S3
	RefusedOlder       = "older"       // 409: a later one was accepted // S7
	RefusedEarly       = "early"       // 409: its time is more than MaxSkew ahead of the engine's clock // S7
	RefusedReused      = "reused"      // 409: its id was used by another signal
	RefusedUnavailable = "unavailable" // 503: the store, or for resume and set what is merged, cannot be read
)

// Status is the answer of GET /v1/status. // S12
type Status struct {
	Version      int              `json:"version"`      // 1
	System       string           `json:"system"`       // the system's name
	Environments map[string]State `json:"environments"` // by their names

	text json.RawMessage // as the engine sent it
}

// State is what is in force in one environment.
type State struct {
	Commit    string          `json:"commit"`    // the commit of main that the engine reads
	ReadAt    time.Time       `json:"readAt"`    // when it did
	Level     string          `json:"level"`     // the level in force, before pause
	Effective string          `json:"effective"` // what it acts as // R30
	Paused    Paused          `json:"paused"`    // by whom, if it is
	Signals   []SignalNote    `json:"signals"`   // those that are in force
	Policy    json.RawMessage `json:"policy"`    // what is in force, defaults filled in; null while main cannot be read, or not wholly
	Today     Usage           `json:"today"`     // what counts against today's budgets
}

// Paused says by whom an environment is paused.
type Paused struct {
	Git    bool `json:"git"`    // autonomy.paused is true in what is merged
	Signal bool `json:"signal"` // the last of pause and resume was a pause
}

// UnmarshalJSON reads the object, or a plain boolean as some engines answer, which is taken as a signal's.
func (p *Paused) UnmarshalJSON(text []byte) error {
	var plain bool
	if json.Unmarshal(text, &plain) == nil {
		*p = Paused{Signal: plain}
		return nil
	}
	var both struct{ Git, Signal *bool }
	if err := json.Unmarshal(text, &both); err != nil {
		return err
	}
	if both.Git == nil || both.Signal == nil {
		return errors.New("paused needs git and signal")
	}
	*p = Paused{Git: *both.Git, Signal: *both.Signal}
	return nil
}

// SignalNote names a signal that is in force.
type SignalNote struct {
	ID   string     `json:"id"`   // the signal's
	Kind SignalKind `json:"kind"` // pause or set
	At   time.Time  `json:"at"`   // when it was sent
	By   string     `json:"by"`   // who sent it
	PR   *string    `json:"pr"`   // owner/repo#n; nil when none is known
}

// The limits of what goes over the wire.
const (
	MaxBody   = 64 << 10              // a signal; the largest policy is below 2 KiB
	MaxStatus = 1 << 20               // an answer that a client reads; a thousand environments fit
	MaxSkew   = systempolicy.MaxAhead // how far a resume or set may be ahead of the engine's clock // S7
)
