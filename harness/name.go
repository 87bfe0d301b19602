package harness

import (
	"fmt"
	"slices"
	"strings"
)

// Name is a coding agent that this package knows.
type Name uint8

// The agents. Claude, Codex and OpenCode have permission files; Claude, Codex, Gemini and Cursor have hooks.
const (
	Claude Name = iota
	Codex
	OpenCode
	Gemini
	Cursor
)

var names = [...]string{"claude", "codex", "opencode", "gemini", "cursor"}

// String gives the name as a protocol's tools and the command spell it.
func (n Name) String() string {
	if int(n) < len(names) {
		return names[n]
	}
	return fmt.Sprintf("harness(%d)", uint8(n))
}

// MarshalText gives the name.
func (n Name) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText reads a name; an unknown one is an error that lists the known.
func (n *Name) UnmarshalText(b []byte) error {
	i := slices.Index(names[:], string(b))
	if i < 0 {
		return fmt.Errorf("unknown harness %q (want one of %s)", b, strings.Join(names[:], ", "))
	}
	*n = Name(i)
	return nil
}
