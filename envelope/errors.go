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
	CodeNotUTF8       = "not-utf8"         // the file is not UTF-8
	CodeBadChar       = "bad-char"         // a control character, a bare CR, U+0085, U+2028, U+2029
	CodeNoFrontmatter = "no-frontmatter"   // or it is not closed
	CodeYAML          = "yaml"             // not YAML; or an edit that would not read back as intended (W13)
	CodeMissingKey    = "missing-key"      // a key that every envelope has is not there
	CodeWrongType     = "wrong-type"       // a mapping, list or text stands where another of them is wanted
	CodeBadValue      = "bad-value"        // a value outside its closed set or form; Error.Allowed lists the set
	CodeDuplicateKey  = "duplicate-key"    // a key twice in one mapping
	CodeDuplicateID   = "duplicate-id"     // a task type twice
	CodeYAMLFeature   = "yaml-feature"     // an anchor, alias, merge key, tag, directive, document marker; an edit that flow style does not take
	CodeAgentMismatch = "agent-mismatch"   // the name inside is not that of the folder
	CodeTooLarge      = "too-large"        // beyond a limit of size or depth
	CodeConflict      = "conflict-markers" // a marker of a merge conflict
	CodeBadName       = "bad-name"         // an agent's name or a task type's id that none can have (R7, R8)
	CodeUnknownAgent  = "unknown-agent"    // there is no envelope for the agent (S20)
	CodeInvalidState  = "invalid-state"    // a word that is none of the three states
	CodeExists        = "exists"           // there is an envelope already (R1)
	CodeNoRoot        = "no-root"          // the root, or agents/ below it, is not there (R45)
	CodeOutsideRoot   = "outside-root"     // a link leads out of the root (R49)
	CodeNotRegular    = "not-regular"      // a folder, device or pipe in a file's place
	CodeLocked        = "locked"           // another process held the lock for too long
	CodeIO            = "io"               // the operating system's error is wrapped
	CodeUsage         = "usage"            // an argument, such as a note, that is not allowed
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
	ErrExists       = errors.New("an envelope exists already") // of Init: it is left as it is (R1)
	ErrUnknownAgent = errors.New("unknown agent")              // there is no envelope of that name (S20)
	ErrInvalidState = errors.New("unknown state")              // of UnmarshalText and readers: the three words are listed
	ErrBadName      = errors.New("malformed name")             // of CheckAgent and CheckTask, and whatever takes a name (R7, R8)
	ErrNoRoot       = errors.New("no such root")               // the root, or agents/ below it, is not there (R45)
)

// Warning is something that a person should look at, though the record is sound.
type Warning struct {
	Code    string `json:"code"`    // one of the Warn constants; stable
	Message string `json:"message"` // for people; not stable
}
