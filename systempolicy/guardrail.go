package systempolicy

import (
	"iter"
	"math/bits"
	"strings"

	"example.com/ambit/internal/enum"
)

// Guardrail is one limit that a change must be inside of before an engine merges it by itself. (F15)
type Guardrail uint8

// The guardrails, in the order in which they are reported. Merges stand before runs.
const (
	Routes         Guardrail = iota // autoMerge.routes: the fix's route is not listed
	MaxCriticality                  // autoMerge.maxCriticality: the criticality is above the maximum
	MaxFiles                        // riskGate.maxFiles: the change touches more files
	MaxLines                        // riskGate.maxLines: adds plus deletes are more lines
	RegressionTest                  // riskGate.regressionTest: no test that failed before and passes after
	SecondReview                    // riskGate.secondReview: the second review did not pass
	MergesPerDay                    // budget.mergesPerDay: today's (UTC) merges are used up
	RunsPerDay                      // budget.runsPerDay: today's (UTC) runs are used up
	InWindow                        // window: now is outside the days and hours
	guardrails                      // how many there are
)

var guardrailNames = [guardrails]string{
	"autoMerge.routes", "autoMerge.maxCriticality", "riskGate.maxFiles", "riskGate.maxLines", "riskGate.regressionTest",
	"riskGate.secondReview", "budget.mergesPerDay", "budget.runsPerDay", "window",
}

// String gives the guardrail's stable name, as "riskGate.maxFiles"; a value beyond the nine is "guardrail(N)".
func (g Guardrail) String() string { return enum.Name("guardrail", guardrailNames[:], g) }

// MarshalText gives the guardrail's name.
func (g Guardrail) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads a guardrail's name; an unknown one is an error that lists the nine.
func (g *Guardrail) UnmarshalText(text []byte) (err error) {
	*g, err = enum.Parse[Guardrail]("a guardrail", guardrailNames[:], text)
	return err
}

// Guardrails is a set of guardrails. The zero value is the empty set: inside everything.
type Guardrails uint16

// AllGuardrails is the set of all nine.
const AllGuardrails Guardrails = 1<<guardrails - 1

// Empty reports whether a change is inside every guardrail.
func (s Guardrails) Empty() bool { return s&AllGuardrails == 0 }

// Len gives how many guardrails the set holds.
func (s Guardrails) Len() int { return bits.OnesCount16(uint16(s & AllGuardrails)) }

// Has reports whether the set holds g.
func (s Guardrails) Has(g Guardrail) bool { return g < guardrails && s&(1<<g) != 0 }

// With gives the set and g.
func (s Guardrails) With(g Guardrail) Guardrails {
	if g >= guardrails {
		return s
	}
	return s | 1<<g
}

// All walks the set in the order of the guardrails table.
func (s Guardrails) All() iter.Seq[Guardrail] {
	return func(yield func(Guardrail) bool) {
		for g := range guardrails {
			if s.Has(g) && !yield(g) {
				return
			}
		}
	}
}

// Names gives the names in the order of the guardrails table; never nil.
func (s Guardrails) Names() []string {
	names := make([]string, 0, guardrails)
	for g := range s.All() {
		names = append(names, g.String())
	}
	return names
}

// String lists the names, as "autoMerge.routes, window"; "none" for the empty set.
func (s Guardrails) String() string {
	if s.Empty() {
		return "none"
	}
	return strings.Join(s.Names(), ", ")
}
