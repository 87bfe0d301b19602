package envelope

import (
	"errors"

	"example.com/ambit/internal/fault"
)

// Error is one problem, always a pointer: File is the name given to ParseDocument, or the path below the root; Line and
// Col are 1-based, Col in bytes, 0 where unknown; Key is dotted, as taskTypes[0].state; Code is one of the Code
// constants; Err the sentence, which may wrap a sentinel; Allowed the whole set where it is closed; Hint what to do.
// An error that a function of this package returns holds one or more of them, sorted by position (errors.As, or
// Unwrap() []error).
type Error = fault.Error

// The codes of Error. They are the interface; sentences may change.
const (
	CodeNotUTF8       = "not-utf8"
	CodeBadChar       = "bad-char"       // a control character, a bare CR, U+0085, U+2028, U+2029
	CodeNoFrontmatter = "no-frontmatter" // or it is not closed
	CodeYAML          = "yaml"           // not YAML; or an edit that would not read back as intended (W13)
	CodeMissingKey    = "missing-key"
	CodeWrongType     = "wrong-type"
	CodeBadValue      = "bad-value"
	CodeDuplicateKey  = "duplicate-key"
	CodeDuplicateID   = "duplicate-id"
	CodeYAMLFeature   = "yaml-feature" // an anchor, alias, merge key, tag, directive, document marker; an edit that flow style does not take
	CodeAgentMismatch = "agent-mismatch"
	CodeTooLarge      = "too-large"
	CodeConflict      = "conflict-markers"
	CodeBadName       = "bad-name"
	CodeUnknownAgent  = "unknown-agent"
	CodeInvalidState  = "invalid-state"
	CodeExists        = "exists"
	CodeNoRoot        = "no-root"
	CodeOutsideRoot   = "outside-root"
	CodeNotRegular    = "not-regular"
	CodeLocked        = "locked"
	CodeIO            = "io"
	CodeUsage         = "usage" // an argument, such as a note, that is not allowed
)

// The codes of Warning, in the order in which Warnings gives them.
const (
	WarnTableDrift    = "table-drift"      // the table does not show what the frontmatter records (R34)
	WarnHistoryDrift  = "history-drift"    // the newest entry of a task type names another state (R35)
	WarnNoHistory     = "no-history"       // a state above the default without any entry (R35)
	WarnConflict      = "conflict-markers" // a merge conflict in the body (R56)
	WarnFutureUpdated = "future-updated"   // in lists: the last act lies in the future (R37)
	WarnClockBehind   = "clock-behind"     // of Set: the clock stands before the newest entry (R22)
)

// The classes of errors that a caller may want to tell apart, for errors.Is.
var (
	ErrExists       = errors.New("an envelope exists already")
	ErrUnknownAgent = errors.New("unknown agent")
	ErrInvalidState = errors.New("unknown state")
	ErrBadName      = errors.New("malformed name")
	ErrNoRoot       = errors.New("no such root")
)

// Warning is something that a person should look at, though the record is sound.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}
