package systempolicy

import (
	"cmp"
	"fmt"

	"example.com/ambit/internal/enum"
)

// Verdict says what one policy is to another. The zero value is Incomparable, which loosens nothing.
type Verdict uint8

// The verdicts on a proposed policy beside the merged one.
const (
	Incomparable Verdict = iota // looser in one way and tighter in another
	Looser                      // allows all that the other does, and more
	Equal                       // allows the same
	Tighter                     // allows less, and nothing more
)

var verdictNames = [...]string{"incomparable", "looser", "equal", "tighter"}

// String gives the verdict's name; a value beyond the four is "incomparable".
func (v Verdict) String() string { return enum.Word(verdictNames[:], v) }

// MarshalText gives the verdict's name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the verdict's name; on an error it is Incomparable.
func (v *Verdict) UnmarshalText(text []byte) (err error) {
	*v, err = enum.Parse[Verdict]("a verdict", verdictNames[:], text)
	return err
}

// Reverse is what the merged policy is to the proposed one.
func (v Verdict) Reverse() Verdict {
	switch v {
	case Tighter:
		return Looser
	case Looser:
		return Tighter
	}
	return v
}

// Comparison is what a proposed policy is to a merged one, as a whole and by key.
type Comparison struct {
	Verdict Verdict       // of the whole
	keys    [keys]Verdict // the window stands at KeyDays
}

// Key gives the verdict on one key; the four window keys are compared as one.
func (c Comparison) Key(k Key) Verdict {
	switch {
	case k >= keys:
		return Incomparable
	case k.window():
		return c.keys[KeyDays]
	}
	return c.keys[k]
}

// Keys gives the keys with that verdict, the window's four together.
func (c Comparison) Keys(v Verdict) (set Keys) {
	for k := range keys {
		if c.Key(k) == v {
			set = set.With(k)
		}
	}
	return set
}

// Loosens gives the keys that are looser or incomparable: what a signal may not do (S3), and what waits for the merge
// (S2).
func (c Comparison) Loosens() Keys { return c.Keys(Looser) | c.Keys(Incomparable) }

// Compare says what proposed is to merged (O1 to O17): tighter when something is tighter and nothing else than equal,
// looser likewise, and incomparable when there is one each way or a key is incomparable itself. Declared levels are
// compared: improve to act is a lowering.
func Compare(merged, proposed Policy) Comparison {
	m, p := &merged, &proposed
	c := Comparison{keys: [keys]Verdict{
		KeyLevel:          lessIsTighter(m.level, p.level),
		KeyEngine:         compareEngines(m.engine, p.engine),
		KeyRoutes:         lessIsTighter(number01(m.fix), number01(p.fix)),
		KeyMaxCriticality: lessIsTighter(m.maxCriticality, p.maxCriticality),
		KeyMaxFiles:       lessIsTighter(m.maxFiles, p.maxFiles),
		KeyMaxLines:       lessIsTighter(m.maxLines, p.maxLines),
		KeyRegressionTest: lessIsTighter(number01(!m.regressionTest), number01(!p.regressionTest)),
		KeySecondReview:   lessIsTighter(number01(!m.secondReview), number01(!p.secondReview)),
		KeyRunsPerDay:     lessIsTighter(m.runsPerDay, p.runsPerDay),
		KeyMergesPerDay:   lessIsTighter(m.mergesPerDay, p.mergesPerDay),
		KeyMinutes:        lessIsTighter(m.perRun.Minutes, p.perRun.Minutes),
		KeyInvocations:    lessIsTighter(m.perRun.Invocations, p.perRun.Invocations),
		KeyReruns:         lessIsTighter(m.perRun.Reruns, p.perRun.Reruns),
		KeyCost:           lessIsTighter(m.perRun.Cost, p.perRun.Cost),
		KeyUndoWindow:     lessIsTighter(p.undo.d, m.undo.d), // longer is tighter (O15)
	}}
	for k := range keys {
		if g, ok := k.guardrail(); ok && (!m.judges(g) || !p.judges(g)) {
			c.keys[k] = lessIsTighter(number01(m.judges(g)), number01(p.judges(g)))
		}
	}
	if m.judges(InWindow) && p.judges(InWindow) {
		c.keys[KeyDays] = compareWindows(m.Windows(), p.Windows())
	}
	c.keys[KeyFrom], c.keys[KeyTo], c.keys[KeyTimezone] = c.keys[KeyDays], c.keys[KeyDays], c.keys[KeyDays]
	c.Verdict = c.whole()
	return c
}

func (p *Policy) judges(g Guardrail) bool { return p.judged&(1<<g) != 0 }

// whole is the verdict over all keys. (O17)
func (c Comparison) whole() Verdict {
	var seen [len(verdictNames)]bool
	for _, v := range c.keys {
		seen[v] = true
	}
	switch {
	case seen[Incomparable], seen[Tighter] && seen[Looser]:
		return Incomparable
	case seen[Tighter]:
		return Tighter
	case seen[Looser]:
		return Looser
	}
	return Equal
}

func lessIsTighter[T cmp.Ordered](merged, proposed T) Verdict {
	return [...]Verdict{Tighter, Equal, Looser}[cmp.Compare(proposed, merged)+1]
}

func number01(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareEngines: no engine is tighter than any; two different ones cannot be compared, since another party would act.
// Strings are compared exactly. (O12)
func compareEngines(merged, proposed string) Verdict {
	switch {
	case merged == proposed:
		return Equal
	case proposed == "":
		return Tighter
	case merged == "":
		return Looser
	}
	return Incomparable
}

// String lists the keys that differ, as "tighter: level; looser: window"; "equal" when none does.
func (c Comparison) String() string {
	out := ""
	for _, v := range [...]Verdict{Tighter, Looser, Incomparable} {
		if set := c.Keys(v); !set.Empty() {
			if out != "" {
				out += "; "
			}
			out += fmt.Sprintf("%s: %s", v, set)
		}
	}
	if out == "" {
		return "equal"
	}
	return out
}
