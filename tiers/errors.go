package tiers

import "example.com/ambit/internal/fault"

// Error is one problem of a protocol file: File is the name given to Parse; Key is a dotted path such as
// tiers.tier1_silent.shell_patterns[3]; Code is one of the Code constants, or one that begins with json_ for a text
// that is not strict JSON. Parse gives all problems at once, sorted by position.
type Error = fault.Error

// The codes of a refused protocol. A text that is not strict JSON has a code that begins with json_.
const (
	CodeType       = "wrong_type"       // a value of another type than the contract's
	CodeVersion    = "version"          // T2: missing, not MAJOR.MINOR[.PATCH], or not one that this build reads
	CodeTier       = "unknown_tier"     // T3
	CodeMode       = "unknown_mode"     // T5
	CodeEntry      = "bad_entry"        // T4, T20: a control character, nothing but blanks, or no pattern
	CodeTooMany    = "too_many_entries" // T1
	CodeTier3Allow = "tier3_overlap"    // T13, only from Strict
)
