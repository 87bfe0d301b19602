package engine

import (
	"encoding/json"
	"time"
)

// Run is the record of one fix run.
type Run struct {
	ID          string    `json:"id"`             // unique in the store; the same id again replaces the record
	System      string    `json:"system"`         // the system's name
	Environment string    `json:"environment"`    // where it ran
	Component   string    `json:"component"`      // on what
	Issue       string    `json:"issue"`          // owner/repo#n
	Started     time.Time `json:"started"`        // UTC; its day is the day that is charged
	Ended       time.Time `json:"ended,omitzero"` // zero while it runs
	Level       string    `json:"level"`          // the effective level that allowed it // R50
	Commit      string    `json:"commit"`         // the commit of autonomy.json that said so // R50
	Outcome     string    `json:"outcome"`        // the engine's own word
	Minutes     float64   `json:"minutes"`        // that it took
	Invocations int64     `json:"invocations"`    // of a model
	Reruns      int64     `json:"reruns"`         // of what failed
	Cost        float64   `json:"cost"`           // in whatever unit the engine counts
}

// Event is the record of one action that an engine took on its own.
type Event struct {
	ID          string    `json:"id"`              // unique in the store; the same id again is the same event
	At          time.Time `json:"at"`              // when it acted; UTC
	System      string    `json:"system"`          // the system's name
	Environment string    `json:"environment"`     // where it acted
	Component   string    `json:"component"`       // on what
	Action      string    `json:"action"`          // merge, rollback, or the engine's own word
	Level       string    `json:"level"`           // the effective level that allowed it // R50
	Commit      string    `json:"commit"`          // the commit of autonomy.json that said so // R50
	From        string    `json:"from"`            // the version before
	To          string    `json:"to"`              // the version after
	Run         string    `json:"run"`             // the run it belongs to, if any
	PR          string    `json:"pr"`              // owner/repo#n, if any
	Undone      Undo      `json:"undone,omitzero"` // by whom, if it was
}

// Undo says who took an event back. It is zero for an event that stands.
type Undo struct {
	By string    `json:"by"` // who did it
	At time.Time `json:"at"` // when; UTC
	PR string    `json:"pr"` // the pull request, once it is open
}

// MarshalJSON writes the record as the contract has it, with its version.
func (r Run) MarshalJSON() ([]byte, error) {
	type plain Run
	return json.Marshal(struct {
		Version int `json:"version"`
		plain
	}{1, plain(r)})
}

// MarshalJSON writes the event as the contract has it, with its version.
func (e Event) MarshalJSON() ([]byte, error) {
	type plain Event
	return json.Marshal(struct {
		Version int `json:"version"`
		plain
	}{1, plain(e)})
}
