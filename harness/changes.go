package harness

import (
	"errors"
	"io/fs"
	"slices"

	"example.com/ambit/internal/enum"
	"example.com/ambit/internal/textdiff"
)

// Action is what happens to a file.
type Action uint8

// The actions. The zero value writes nothing.
const (
	Refuse Action = iota // FileChange.Err says why; then no file of the plan is written
	Same                 // the file is already what it should be
	Create               // the file is not there yet
	Update               // some of its bytes change
	Remove               // only by the uninstallation of a hook whose installation made the file
)

var actions = [...]string{"refuse", "same", "create", "update", "remove"}

// String gives refuse, same, create, update or remove.
func (a Action) String() string { return enum.Word(actions[:], a) }

// MarshalText gives String's text.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads String's text; any other is an error that lists them.
func (a *Action) UnmarshalText(text []byte) (err error) {
	*a, err = enum.Parse[Action]("an action", actions[:], text)
	return err
}

// FileChange is what a plan does to one file.
type FileChange struct {
	Target Target // which of the agents' files it is
	Path   string // slash-separated, below the root
	Action Action // what Apply would do
	Diff   string // unified, from the live file to what it would become; "" when they are the same
	Err    error  // Refuse: why; else nil

	exists   bool
	old, new []byte
	mode     fs.FileMode // of a file that is made
}

// Changes is a plan: what every file would become. It is made by [Plan] or [PlanHook], holds all it needs, and writes
// nothing until [Apply].
type Changes struct {
	Root    string       // the folder, as it was given
	Files   []FileChange // in the order in which they would be written
	Notices []Notice     // what a person should know, beside the diffs

	options      Options
	ledger       *ledger // as it stands
	ledgerBytes  []byte
	ledgerExists bool
	next         *ledger // as it will be
	again        func() (*Changes, error)
	fault        func(step string) error // what a test wants to go wrong; else nil
}

// Err gives why the plan cannot be applied: the errors of every refused file, joined; nil when it can.
func (c *Changes) Err() error {
	var errs []error
	for _, f := range c.Files {
		errs = append(errs, f.Err)
	}
	return errors.Join(errs...)
}

// Changed reports whether applying the plan would change any of its files.
func (c *Changes) Changed() bool {
	return slices.ContainsFunc(c.Files, func(f FileChange) bool { return f.Action != Same })
}

// become settles the action for the new bytes.
func (f *FileChange) become(data []byte) {
	f.new = data
	from := f.Path
	switch {
	case !f.exists:
		f.Action, from = Create, ""
	case string(f.old) == string(data):
		f.Action = Same
		return
	default:
		f.Action = Update
	}
	f.Diff = textdiff.Unified(from, f.Path, f.old, data)
}

func removalDiff(f FileChange) string { return textdiff.Unified(f.Path, "", f.old, nil) }
