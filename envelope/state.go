package envelope

import (
	"fmt"
	"slices"

	"example.com/ambit/internal/enum"
	"example.com/ambit/internal/fault"
)

// State is what the operator has approved for one task type. Its order is its meaning: a higher state lets the agent do
// more without asking. The zero value is the strictest.
type State uint8 // S4

const (
	NeedsFullSupervision  State = iota // not approved yet, or demoted: do not act, escalate each step (S7)
	CheckBeforeCommitting              // read and draft freely, sign-off before anything durable (S6)
	FullyApproved                      // act, do not ask (S5)
)

var stateNames = [...]string{"needsFullSupervision", "checkBeforeCommitting", "fullyApproved"}

// States gives the words of the three states, strictest first.
func States() []string { return slices.Clone(stateNames[:]) }

// String gives the state's word. A value that is no state reads as the strictest one.
func (s State) String() string { return enum.Word(stateNames[:], s) }

// MarshalText gives the state's word, as String does.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a state's word, exactly as it is spelled. The error of another text wraps ErrInvalidState and
// lists the three words; the state is then the strictest.
func (s *State) UnmarshalText(text []byte) (err error) {
	*s, err = enum.Parse[State]("a state", stateNames[:], text)
	for _, e := range fault.All(err) {
		e.Code, e.Err = CodeInvalidState, fmt.Errorf("%w %q", ErrInvalidState, clip(string(text)))
	}
	return err
}

// Phase is how far a step reaches. The zero value is the one that needs most approval.
type Phase uint8

const (
	Commit  Phase = iota // durable: commit, push, publish, ship
	Draft                // writing that nobody else sees yet
	Explore              // reading only
)

var phaseNames = [...]string{"commit", "draft", "explore"}

// String gives the phase's word. A value that is no phase reads as commit.
func (p Phase) String() string { return enum.Word(phaseNames[:], p) }

// MarshalText gives the phase's word, as String does.
func (p Phase) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a phase's word. Another text is an error that lists the words; the phase is then Commit.
func (p *Phase) UnmarshalText(text []byte) (err error) {
	*p, err = enum.Parse[Phase]("a phase", phaseNames[:], text)
	return err
}

// Permission is what an agent does at one step. The zero value is the strictest.
type Permission uint8

const (
	Escalate Permission = iota // do not act; bring the step to the operator
	SignOff                    // have it ready, and get the operator's sign-off first
	Act                        // act, do not ask
)

var permissionNames = [...]string{"escalate", "signOff", "act"}

// String gives the permission's word. A value that is no permission reads as escalate.
func (p Permission) String() string { return enum.Word(permissionNames[:], p) }

// MarshalText gives the permission's word, as String does.
func (p Permission) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a permission's word. Another text is an error that lists the words; the permission is then
// Escalate.
func (p *Permission) UnmarshalText(text []byte) (err error) {
	*p, err = enum.Parse[Permission]("a permission", permissionNames[:], text)
	return err
}

// permitted is the whole table of S5 to S7.
var permitted = [len(stateNames)][len(phaseNames)]Permission{
	NeedsFullSupervision:  {Commit: Escalate, Draft: Escalate, Explore: Escalate},
	CheckBeforeCommitting: {Commit: SignOff, Draft: Act, Explore: Act},
	FullyApproved:         {Commit: Act, Draft: Act, Explore: Act},
}

// Permits says what an agent with this state does in a phase of a task (S5, S6, S7). It is total: a value that is no
// state, or no phase, is taken as the strictest.
func (s State) Permits(p Phase) Permission {
	if int(s) >= len(stateNames) {
		s = NeedsFullSupervision
	}
	if int(p) >= len(phaseNames) {
		p = Commit
	}
	return permitted[s][p]
}
