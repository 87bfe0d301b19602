// Package envelope answers: has the operator approved this agent to do this kind of task?
//
// The record is one Markdown file per agent, agents/NAME/autonomy-envelope.md: a YAML frontmatter that machines read,
// and a body that renders it for people and holds the history. [ParseDocument] reads such a file, [Document.Set] changes
// one state in it and keeps every other byte, [Envelope.StateOf] answers the question, and [State.Permits] says what
// the answer allows at one step. [Dir] is the only type that touches the disk.
//
// Everything that cannot be answered is answered by the zero State, [NeedsFullSupervision]: an unknown agent or task
// type, a broken file. A file is believed whole or not at all. Notes are part of a file that is usually committed: they
// must hold no secrets. Whoever can write the file can approve: keep it, and the command that sets it, out of an agent's
// reach.
//
// R, S and W with a number, as in R45, cite the rules of the specification.
package envelope

import (
	"slices"
	"time"
)

// FileName is the name of an envelope in its agent's folder.
const FileName = "autonomy-envelope.md" // S1

// Folder is the name of the folder, below the root, that holds one folder per agent.
const Folder = "agents"

// StaleAfter is how long an envelope may lie untouched before it counts as stale.
const StaleAfter = 30 * 24 * time.Hour // R36

// Envelope is the record of one agent, as its frontmatter says it.
type Envelope struct {
	Agent     string     // the agent's name, that of its folder
	Owner     string     // who approves; free text
	Updated   time.Time  // of the last recorded act; UTC, whole seconds
	TaskTypes []TaskType // in the order of the file
}

// TaskType is what is recorded of one kind of task.
type TaskType struct {
	ID    string    // unique in an envelope; spelled exactly
	Label string    // for people; the id where the file has none (R5)
	State State     // what is approved
	Since time.Time // of the state; UTC, whole seconds
	Note  string    // why; "" where there is none
}

// StateOf gives the effective state of a task type: the recorded one, else NeedsFullSupervision. It is total; a nil
// envelope, as an unreadable file gives, approves nothing. // R10
func (e *Envelope) StateOf(task string) State {
	t, _ := e.Find(task)
	return t.State
}

// Find gives what is recorded of a task type, and whether it is recorded at all. Of one that is not, it gives the
// default: the id as its label and NeedsFullSupervision. // R3
func (e *Envelope) Find(task string) (t TaskType, recorded bool) {
	if e != nil {
		if i := e.index(task); i >= 0 {
			return e.TaskTypes[i], true
		}
	}
	return TaskType{ID: task, Label: task}, false
}

func (e *Envelope) index(task string) int {
	return slices.IndexFunc(e.TaskTypes, func(t TaskType) bool { return t.ID == task })
}

// Counts gives how many task types are recorded in each state, indexed by State.
func (e *Envelope) Counts() (counts [3]int) {
	if e == nil {
		return counts
	}
	for _, t := range e.TaskTypes {
		counts[t.State]++
	}
	return counts
}

// Stale reports whether the last act lies more than 30 days before now, to the second. // R36, R37
func (e *Envelope) Stale(now time.Time) bool {
	return now.Truncate(time.Second).Sub(e.Updated) > StaleAfter
}

// AgeDays gives the whole days from the last act to now, at least 0.
func (e *Envelope) AgeDays(now time.Time) int { return max(0, int(now.Sub(e.Updated)/(24*time.Hour))) }

// FutureUpdated reports whether the last act lies after now, which a wrong clock or a hand-made edit leaves. // R37
func (e *Envelope) FutureUpdated(now time.Time) bool { return e.Updated.After(now) }
