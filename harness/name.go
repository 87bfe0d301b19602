package harness

import "example.com/ambit/internal/enum"

// Name is a coding agent that this package knows.
type Name uint8

// The agents. Claude, Codex and OpenCode have permission files; Claude, Codex, Gemini and Cursor have hooks.
const (
	Claude   Name = iota // Claude Code
	Codex                // OpenAI's Codex CLI
	OpenCode             // the one without hooks here
	Gemini               // Gemini CLI
	Cursor               // Cursor's agent
)

var names = [...]string{"claude", "codex", "opencode", "gemini", "cursor"}

// String gives the name as a protocol's tools and the command spell it.
func (n Name) String() string { return enum.Name("harness", names[:], n) }

// MarshalText gives the name.
func (n Name) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText reads a name; an unknown one is an error that lists the known.
func (n *Name) UnmarshalText(text []byte) (err error) {
	*n, err = enum.Parse[Name]("a harness", names[:], text)
	return err
}
