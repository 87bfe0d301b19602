package tiers

import (
	"slices"

	"example.com/ambit/internal/enum"
)

// Mode says how much of a person's attention a tool's session has. It is printed into the harness's files and never
// changes a verdict (T5). The zero value is the strictest.
type Mode uint8

// The modes, from strictest to loosest.
const (
	Guarded  Mode = iota // the strictest, and the default
	Trusted              // between the two
	Headless             // the loosest
)

var modeNames = []string{"guarded", "trusted", "headless"}

// ModeNames gives the closed set of names, strictest first.
func ModeNames() []string { return slices.Clone(modeNames) }

// String gives guarded, trusted or headless; a number beyond the set is guarded.
func (m Mode) String() string { return enum.Word(modeNames, m) }

// MarshalText gives String's text.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText takes one of the three names exactly; any other text is an error that lists them (H37).
func (m *Mode) UnmarshalText(text []byte) (err error) {
	*m, err = enum.Parse[Mode]("a mode", modeNames, text)
	return err
}

// EffectiveMode gives the lowest of the tool's own mode, the agent's max_mode and the protocol's global_mode (T5, H32).
// An absent ceiling is no ceiling; a tool that the protocol does not declare, and the nil Protocol, are guarded.
func (p *Protocol) EffectiveMode(tool, agent string) Mode {
	t, ok := p.Tool(tool)
	if !ok {
		return Guarded
	}
	mode := t.Mode
	if ceiling, ok := p.agents[agent]; ok {
		mode = min(mode, ceiling)
	}
	if p.globalMode != nil {
		mode = min(mode, *p.globalMode)
	}
	return mode
}
