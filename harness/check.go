package harness

import (
	"errors"
	"fmt"

	"example.com/ambit/internal/enum"
	"example.com/ambit/tiers"
)

// State is how a live file stands to what the protocol would make of it.
type State uint8

// The states (K18). The zero value is the one about which nothing is known.
const (
	Unknown State = iota // it cannot be judged: FileState.Err says why
	InSync               // the file is what the protocol makes of it
	Drifted              // the protocol would make something else of it
	Missing              // it is not there
	Edited               // it is not what was written: edited by hand
)

var states = [...]string{"unknown", "in_sync", "drifted", "missing", "edited"}

// String gives unknown, in_sync, drifted, missing or edited.
func (s State) String() string { return enum.Word(states[:], s) }

// MarshalText gives String's text.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads String's text; any other is an error that lists them.
func (s *State) UnmarshalText(text []byte) (err error) {
	*s, err = enum.Parse[State]("a state", states[:], text)
	return err
}

// FileState is how one file stands.
type FileState struct {
	Target Target // which of the agents' files it is
	Path   string // slash-separated, below the root
	State  State  // the verdict on the file
	Diff   string // from the live file to what the protocol makes of it
	Err    error  // Unknown: why
}

// Check compares the live files below root with what the protocol would make of them, by content and never by time
// (K18): the contract's files of every declared tool, and of the others, also of a tool that is no longer declared, those
// that were written before. How each
// was written the ledger knows. It writes nothing.
func Check(root string, p *tiers.Protocol) ([]FileState, error) {
	var out []FileState
	_, err := steady(root, func(c *Changes) error {
		out = c.check(p)
		return nil
	}, Options{})
	return out, err
}

func (c *Changes) check(p *tiers.Protocol) (out []FileState) {
	declared, _ := declaredTools(p, nil) // all of them: there is none that could be missing
	sum := digest(p)
	for _, t := range Targets() {
		tool, ok := declared[t.Tool()]
		if !ok && c.retired(p, t) {
			tool, ok = undeclaredTool(t), true
		}
		if !ok || t.Native() && !c.ledger.has(t) {
			continue
		}
		kept := c.ledger.optionsOf(t)
		c.options = Options{Tier3Ask: kept.Tier3Ask, CodexAllow: kept.CodexAllow, Strict: kept.Strict}
		c.options.Force = true // an edit is a state here, not a refusal
		f, _, _ := planTarget(c, t, newSets(p, tool), sum)
		s := FileState{Target: t, Path: f.Path, Diff: f.Diff, Err: f.Err}
		was := c.ledger.Files[f.Path]
		switch {
		case f.Err != nil:
			s.State = Unknown
		case f.Action == Create:
			s.State = Missing
		case f.Action == Same:
			s.State = InSync
		case was != nil && !was.written(f.old):
			s.State = Edited
		default:
			s.State = Drifted
		}
		out = append(out, s)
	}
	return out
}

// ErrDrift is behind the error of [InStep].
var ErrDrift = errors.New("not in step with the protocol")

// InStep gives nil when every file is in sync, else an error that names those that are not.
func InStep(files []FileState) error {
	var errs []error
	for _, f := range files {
		if f.State == InSync {
			continue
		}
		err := fmt.Errorf("%s: %s: %w", f.Path, f.State, ErrDrift)
		if f.Err != nil {
			err = fmt.Errorf("%w (%w)", err, f.Err)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
