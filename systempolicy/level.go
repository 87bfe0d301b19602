package systempolicy

import (
	"fmt"
	"strings"
)

// Level is how far an engine may go on its own. Each level includes the ones before it. (R6, R7)
type Level uint8

const (
	Observe Level = iota // record issues from signals
	Advise               // also triage them and notify
	Propose              // also open fix pull requests that a person merges
	Act                  // also merge fixes inside the guardrails, roll back after a failed smoke, let a person undo
	Improve              // acts as Act (R30)
)

var levelNames = [...]string{"observe", "advise", "propose", "act", "improve"}

// ParseLevel gives the level of that name, spelled exactly; the error lists the allowed words.
func ParseLevel(name string) (Level, error) { return parseWord[Level]("level", name, levelNames[:]) }

// String gives the level's name; a value beyond the five is "observe", as which it acts.
func (l Level) String() string {
	if int(l) >= len(levelNames) {
		return levelNames[Observe]
	}
	return levelNames[l]
}

// MarshalText gives the level's name.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the level's name; on an error the level is Observe.
func (l *Level) UnmarshalText(text []byte) (err error) {
	*l, err = ParseLevel(string(text))
	return err
}

// effective is what a declared level acts as while not paused. (R30)
func (l Level) effective() Level {
	switch {
	case l == Improve:
		return Act
	case l > Improve:
		return Observe
	}
	return l
}

// Criticality is how much an issue matters: low < medium < high. Its zero value, low, allows the least as a maximum.
type Criticality uint8

// The criticalities, from the one that matters least.
const (
	Low Criticality = iota
	Medium
	High
)

var criticalityNames = [...]string{"low", "medium", "high"}

// ParseCriticality gives the criticality of that name, spelled exactly; the error lists the allowed words. (F2)
func ParseCriticality(name string) (Criticality, error) {
	return parseWord[Criticality]("criticality", name, criticalityNames[:])
}

// String gives the criticality's name; a value beyond the three is "low".
func (c Criticality) String() string {
	if int(c) >= len(criticalityNames) {
		return criticalityNames[Low]
	}
	return criticalityNames[c]
}

// MarshalText gives the criticality's name.
func (c Criticality) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the criticality's name; on an error it is Low.
func (c *Criticality) UnmarshalText(text []byte) (err error) {
	*c, err = ParseCriticality(string(text))
	return err
}

func parseWord[T ~uint8](kind, word string, names []string) (T, error) {
	if i := indexOf(names, word); i >= 0 {
		return T(i), nil
	}
	return 0, fmt.Errorf("%s %q is unknown; allowed: %s", kind, word, strings.Join(names, ", "))
}

func indexOf(names []string, word string) int {
	for i, n := range names {
		if n == word {
			return i
		}
	}
	return -1
}
