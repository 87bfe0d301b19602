package tiers

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"example.com/ambit/internal/enum"
	"example.com/ambit/internal/oneline"
)

// Level says how loud a notification is. The zero value is LevelBlock: a level that was forgotten halts (H30).
type Level uint8

// The levels of T40, loudest first.
const (
	LevelBlock Level = iota // ⛔, exit 2: a person must act
	LevelWarn               // ⚠, exit 0
	LevelInfo               // ℹ, exit 0
)

var levelNames = []string{LevelBlock: "block", LevelWarn: "warn", LevelInfo: "info"}

// levels holds each level's prefix, without a variation selector, and the exit code of a command that prints it.
var levels = [...]struct {
	prefix string
	exit   int
}{LevelBlock: {"\u26D4", 2}, LevelWarn: {"\u26A0", 0}, LevelInfo: {"\u2139", 0}}

// LevelNames gives the closed set of names, quietest first.
func LevelNames() []string {
	names := slices.Clone(levelNames)
	slices.Reverse(names)
	return names
}

// known maps a number beyond the set to LevelBlock, the strictest.
func (l Level) known() Level {
	if int(l) >= len(levels) {
		return LevelBlock
	}
	return l
}

// String gives info, warn or block.
func (l Level) String() string { return enum.Word(levelNames, l) }

// MarshalText gives String's text.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText takes exactly info, warn or block; any other text is an error that lists them, never info (T40).
func (l *Level) UnmarshalText(text []byte) (err error) {
	*l, err = enum.Parse[Level]("a level", levelNames, text)
	return err
}

// ErrEmptyMessage is what Validate gives for a notification that says nothing.
var ErrEmptyMessage = errors.New("the message is empty")

// Notification is one line for a person: what tier2 says when it runs, what tier3 says when it does not. The zero
// value blocks.
type Notification struct {
	Level   Level  // decides the prefix and the exit code
	Topic   string // may be empty
	Message string // must not be blank
}

// Validate gives ErrEmptyMessage when the message is blank, else nil.
func (n Notification) Validate() error {
	if trimText(n.Message) == "" {
		return ErrEmptyMessage
	}
	return nil
}

// Line gives the one line: prefix, [topic] when there is one, message, joined by single spaces, without a line end.
// Control characters, line ends and direction controls are shown escaped, so that nothing can forge a second line or
// colour the terminal (T41).
func (n Notification) Line() string {
	parts := []string{levels[n.Level.known()].prefix}
	if topic := trimText(n.Topic); topic != "" {
		parts = append(parts, "["+oneline.Show(topic)+"]")
	}
	if message := trimText(n.Message); message != "" {
		parts = append(parts, oneline.Show(message))
	}
	return strings.Join(parts, " ")
}

// ExitCode gives what a command that printed the line ends with: 2 for block, else 0.
func (n Notification) ExitCode() int { return levels[n.Level.known()].exit }

// trimText takes away what reads as blank at both ends, a byte order mark included.
func trimText(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' })
}
