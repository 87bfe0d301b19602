package systempolicy

import (
	"math"

	"example.com/ambit/internal/enum"
)

// Facts is what is known about one change at one moment, for one head commit (F18). The zero value knows nothing, and
// a missing fact is outside the guardrails that need it, once each (F0, F10).
type Facts struct {
	Route          string // as "fix"; "" is missing
	Criticality    string // of the issue: low, medium, high; anything else cannot be compared and is outside
	Files          Count  // files that the change touches
	Adds           Count  // lines added
	Deletes        Count  // lines deleted
	RegressionTest Answer // a test failed before the change and passes after it
	SecondReview   Answer // the second review passed
	MergesToday    Count  // other merges made on the UTC day of now; an undone merge was a merge (F12)
	RunsToday      Count  // other runs made on the UTC day of now, without the one that made this change
}

// Count is a number that is known, or not. The zero value is not known, so that a forgotten count is no zero.
type Count struct{ plusOne uint64 }

// Known gives a known count; a negative one is not a count, and so not known. (F13)
func Known(n int64) Count {
	if n < 0 {
		return Count{}
	}
	return Count{uint64(n) + 1}
}

// Value gives the number, and whether it is known.
func (c Count) Value() (n int64, known bool) {
	if c.plusOne == 0 {
		return 0, false
	}
	return int64(c.plusOne - 1), true
}

// plus adds two counts; the sum is known when both are, and never wraps. (F4)
func (c Count) plus(d Count) Count {
	a, okA := c.Value()
	b, okB := d.Value()
	switch {
	case !okA || !okB:
		return Count{}
	case a > math.MaxInt64-b:
		return Known(math.MaxInt64)
	}
	return Known(a + b)
}

// Answer is yes, no, or not known. The zero value is not known; only Yes ever opens anything. (F14)
type Answer uint8

// The answers.
const (
	Unknown Answer = iota // nobody knows, which counts as No
	No                    // known to be so
	Yes                   // known to be so; the only one that opens anything
)

var answerNames = [...]string{"unknown", "no", "yes"}

// Is gives the Answer of a boolean that is known.
func Is(b bool) Answer {
	if b {
		return Yes
	}
	return No
}

// String gives "yes", "no" or "unknown".
func (a Answer) String() string { return enum.Word(answerNames[:], a) }

// MarshalText gives String's text.
func (a Answer) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads String's text; any other is an error that lists them.
func (a *Answer) UnmarshalText(text []byte) (err error) {
	*a, err = enum.Parse[Answer]("an answer", answerNames[:], text)
	return err
}
