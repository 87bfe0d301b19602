package harness

import (
	"errors"
	"fmt"

	"example.com/ambit/internal/atomicfile"
	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/span"
)

// Error is one problem of a file: File is its path as it was named, Code one of this package's codes, or one that begins
// with json_ for a text that is not strict JSON. Several are joined; errors.As finds the first.
type Error = fault.Error

// The codes of this package.
const (
	CodeType     = "wrong_type"     // K12: a value of another type than the agent's own
	CodeTier3    = "tier3"          // K15: an allow rule opens tier3
	CodeOverlap  = "tier3_overlap"  // K13, only with Options.Strict
	CodeReopened = "tier3_reopened" // K5, only with Options.Strict
	CodeEdited   = "edited"         // K14: changed since it was written
	CodeTwoFiles = "two_files"      // K5: opencode.json beside opencode.jsonc
	CodeShape    = "other_shape"    // K5: a permissions array
	CodeComment  = "comment"        // a comment stands where something would be written
	CodeFile     = "file"           // K17: not a regular file below the root, or not readable
	CodeRules    = "rules"          // not a rules file that Codex would take
	CodeLedger   = "ledger"         // the ledger is not what this package writes
	CodeBackup   = "backup"         // a backup is not what its manifest says
)

// The sentinels behind this package's errors.
var (
	ErrTier3   = errors.New("an allow rule opens tier3")                // K15: nothing was written
	ErrStrict  = errors.New("refused in strict mode")                   // Options.Strict
	ErrEdited  = errors.New("edited since it was written")              // K14: Options.Force overwrites it
	ErrRefused = errors.New("refused")                                  // a plan with a refused file cannot be applied
	ErrUnknown = errors.New("not known")                                // a tool that the protocol does not declare, or a backup that is not there
	ErrFormat  = errors.New("not what the agent itself would take")     // a file that would be ignored as it stands
	ErrLedger  = errors.New("not a ledger that ambit wrote")            // what is ours is not known: removing it gives all of it up
	ErrChanged = fmt.Errorf("%w, and once more", atomicfile.ErrChanged) // K17: somebody kept changing a file between reading and writing
)

// Limits of the files that are read and edited.
const (
	MaxFile  = 4 << 20 // settings that a person keeps are a thousandth of it
	maxDepth = 64
)

var jsonLimits = canonjson.Limits{MaxBytes: MaxFile, MaxDepth: maxDepth, AnyNumber: true}

// wrongType is the error of a value of the wrong type, at its place.
func wrongType(name string, src []byte, v canonjson.Value, key, want string) error {
	start, _ := v.Span()
	line, col := span.Position(src, start)
	return &Error{File: name, Line: line, Col: col, Key: key, Code: CodeType, Err: fmt.Errorf("%s where %s belongs: %w", v.Kind().Phrase(), want, ErrFormat)}
}

// advise puts advice on every positioned error inside err, and class behind it.
func advise(err error, class error, hint string) error {
	var out fault.List
	for _, e := range fault.All(err) {
		c := *e
		c.Err = fmt.Errorf("%w (%w)", e.Err, class)
		c.Hint = hint
		out.Add(&c)
	}
	if len(out) == 0 {
		return err
	}
	return out.Err()
}
