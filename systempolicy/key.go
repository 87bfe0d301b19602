package systempolicy

import (
	"iter"
	"slices"
	"strings"

	"example.com/ambit/internal/enum"
)

// Key is one key of an environment's autonomy, in the order of the key table.
type Key uint8

// The keys, each named by its path below autonomy; those of budget.perRun and window by their last step.
const (
	KeyLevel          Key = iota // level: how far an engine may go
	KeyEngine                    // engine: its URL
	KeyRoutes                    // autoMerge.routes: what may be merged automatically
	KeyMaxCriticality            // autoMerge.maxCriticality: of the issue, at most
	KeyMaxFiles                  // riskGate.maxFiles: files that a change touches, at most
	KeyMaxLines                  // riskGate.maxLines: lines added and deleted, at most
	KeyRegressionTest            // riskGate.regressionTest: a test that failed before is needed
	KeySecondReview              // riskGate.secondReview: a second review is needed
	KeyRunsPerDay                // budget.runsPerDay: runs in a UTC day, at most
	KeyMergesPerDay              // budget.mergesPerDay: merges in a UTC day, at most
	KeyMinutes                   // budget.perRun.minutes: of one run, at most
	KeyInvocations               // budget.perRun.invocations: of one run, at most
	KeyReruns                    // budget.perRun.reruns: of one run, at most
	KeyCost                      // budget.perRun.cost: of one run, at most
	KeyDays                      // window.days: on which it opens
	KeyFrom                      // window.from: when it opens, local time
	KeyTo                        // window.to: when it closes, local time; before from is on the next day
	KeyTimezone                  // window.timezone: an IANA name
	KeyUndoWindow                // undoWindow: how long an action may be taken back
	keys                         // how many there are
)

var keyNames = [keys]string{
	"level", "engine", "autoMerge.routes", "autoMerge.maxCriticality", "riskGate.maxFiles", "riskGate.maxLines",
	"riskGate.regressionTest", "riskGate.secondReview", "budget.runsPerDay", "budget.mergesPerDay",
	"budget.perRun.minutes", "budget.perRun.invocations", "budget.perRun.reruns", "budget.perRun.cost",
	"window.days", "window.from", "window.to", "window.timezone", "undoWindow",
}

// String gives the key's dotted path below autonomy, as "budget.perRun.cost".
func (k Key) String() string { return enum.Name("key", keyNames[:], k) }

// compared gives the name under which two policies are compared: the four window keys are one.
func (k Key) compared() string {
	if k.window() {
		return "window"
	}
	return k.String()
}

func (k Key) window() bool { return k >= KeyDays && k <= KeyTimezone }

// guardrail gives the guardrail that needs the key, if one does.
func (k Key) guardrail() (Guardrail, bool) {
	i := slices.Index(guardrailNames[:], k.compared())
	return Guardrail(i), i >= 0
}

// ParseKey gives the key of a dotted path; the error lists the allowed ones.
func ParseKey(name string) (Key, error) { return enum.Parse[Key]("a key", keyNames[:], []byte(name)) }

// MarshalText gives the key's path.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a key's path; an unknown one is an error that lists the allowed.
func (k *Key) UnmarshalText(text []byte) (err error) {
	*k, err = ParseKey(string(text))
	return err
}

// Keys is a set of keys. The zero value is empty.
type Keys uint32

const allKeys Keys = 1<<keys - 1

const windowKeys Keys = 1<<KeyDays | 1<<KeyFrom | 1<<KeyTo | 1<<KeyTimezone

// Has reports whether the set holds k.
func (s Keys) Has(k Key) bool { return k < keys && s&(1<<k) != 0 }

// With gives the set and k.
func (s Keys) With(k Key) Keys {
	if k >= keys {
		return s
	}
	return s | 1<<k
}

// Empty reports whether the set holds nothing.
func (s Keys) Empty() bool { return s&allKeys == 0 }

// All walks the set in the order of the key table.
func (s Keys) All() iter.Seq[Key] {
	return func(yield func(Key) bool) {
		for k := range keys {
			if s.Has(k) && !yield(k) {
				return
			}
		}
	}
}

// Names gives the names under which policies are compared, in the order of the key table, the window once; never nil.
func (s Keys) Names() []string {
	names := []string{}
	for k := range s.All() {
		if n := k.compared(); len(names) == 0 || names[len(names)-1] != n {
			names = append(names, n)
		}
	}
	return names
}

// String lists the names, as "level, window".
func (s Keys) String() string { return strings.Join(s.Names(), ", ") }
