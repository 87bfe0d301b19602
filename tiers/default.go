package tiers

import (
	_ "embed"
	"slices"
	"sync"
)

// DefaultName is the Name of the default protocol.
const DefaultName = "default"

//go:embed default-protocol.json
var defaultProtocol []byte

var parseDefault = sync.OnceValue(func() *Protocol {
	p, err := Parse(DefaultName, defaultProtocol)
	if err != nil {
		panic("tiers: the embedded protocol is invalid: " + err.Error()) // a test reads it
	}
	return p
})

// Default gives the protocol for folders that have none (T6): tier1 only reads, tier2 keeps the project's memory,
// tier3 is what cannot be taken back. The result is shared, and like every Protocol never changes.
func Default() *Protocol { return parseDefault() }

// DefaultSource gives the default protocol's text, as a start for a protocol of one's own.
func DefaultSource() []byte { return slices.Clone(defaultProtocol) }
