package systempolicy

import "example.com/ambit/internal/enum"

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
func ParseLevel(name string) (Level, error) {
	return enum.Parse[Level]("a level", levelNames[:], []byte(name))
}

// String gives the level's name; a value beyond the five is "observe", as which it acts.
func (l Level) String() string { return enum.Word(levelNames[:], l) }

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
	Low    Criticality = iota // the zero value
	Medium                    // in the middle
	High                      // matters most
)

var criticalityNames = [...]string{"low", "medium", "high"}

// ParseCriticality gives the criticality of that name, spelled exactly; the error lists the allowed words. (F2)
func ParseCriticality(name string) (Criticality, error) {
	return enum.Parse[Criticality]("a criticality", criticalityNames[:], []byte(name))
}

// String gives the criticality's name; a value beyond the three is "low".
func (c Criticality) String() string { return enum.Word(criticalityNames[:], c) }

// MarshalText gives the criticality's name.
func (c Criticality) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the criticality's name; on an error it is Low.
func (c *Criticality) UnmarshalText(text []byte) (err error) {
	*c, err = ParseCriticality(string(text))
	return err
}
