package systempolicy

import "example.com/ambit/internal/fault"

// Error is one problem of a system.yaml, an autonomy.json or a patch: where (File, Line, Col), which key (Key, the full
// dotted path), its stable Code, the sentence (Err), what is allowed (Allowed) and advice (Hint).
type Error = fault.Error

// The codes of an Error.
const (
	CodeUnknownKey  = "unknown-key"      // a key that autonomy does not have
	CodeNotAllowed  = "not-allowed"      // a value outside its closed set
	CodeWrongType   = "wrong-type"       // a value of another type
	CodeNull        = "null"             // a key without a value
	CodeBadTime     = "bad-time"         // no time of day, HH:MM
	CodeBadZone     = "bad-zone"         // no IANA time zone
	CodeBadURL      = "bad-url"          // an engine's address that is none (A-eng-1 to A-eng-8)
	CodeBadDuration = "bad-duration"     // no span of 1 minute to 106751 days, as 90m, 24h or 7d
	CodeOutOfRange  = "out-of-range"     // a number below or above what the key takes
	CodeDuplicate   = "duplicate"        // a key, or a member of a list, twice
	CodeAmbiguous   = "ambiguous-scalar" // a plain scalar that YAML 1.1 and 1.2 read differently, as yes or 010
	CodeFeature     = "yaml-feature"     // a tag, merge key or second document that YAML readers do not agree on
	CodeMisplaced   = "misplaced"        // a key that is known, but not in this place
	CodeSyntax      = "syntax"           // not YAML, or not JSON
	CodeLimit       = "limit"            // beyond MaxBytes, MaxDepth or MaxAliases
)
