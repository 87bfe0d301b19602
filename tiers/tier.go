package tiers

import (
	"slices"

	"example.com/ambit/internal/enum"
)

// Tier says how a command is allowed. The zero value is no tier: the command is not listed, and a person decides.
type Tier uint8

// The tiers, from unlisted to blocking. They are names, not an order of strictness: no tier asks, tier3 blocks.
const (
	TierNone      Tier = iota // not listed
	Tier1Silent               // read-only and telemetry: runs without a word
	Tier2Notified             // changes the project's memory: runs with a notice
	Tier3Blocking             // irreversible or external: never runs unasked
)

var tierWords = []string{"none", "tier1_silent", "tier2_notified", "tier3_blocking"}

// tierNames is the closed set of T3, in order of strictness.
var tierNames = tierWords[Tier1Silent:]

// TierNames gives the three names that a protocol may use, in order.
func TierNames() []string { return slices.Clone(tierNames) }

// String gives the name that protocols use, or "none".
func (t Tier) String() string { return enum.Word(tierWords, t) }

// MarshalText gives String's text.
func (t Tier) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText takes a name that a protocol may use, or "none"; any other text is an error that lists them.
func (t *Tier) UnmarshalText(text []byte) (err error) {
	*t, err = enum.Parse[Tier]("a tier", tierWords, text)
	return err
}
