package harness

import (
	"fmt"
	"slices"
	"strings"

	"example.com/ambit/internal/enum"
)

// Kind is what happened at the agent when it called its hook.
type Kind uint8

// The events that have an answer here (K30). The zero value is the one before a tool runs, where a failure must block.
const (
	PreToolUse        Kind = iota // a tool is about to run
	PermissionRequest             // Claude is about to ask the person
	SessionStart                  // context may be added; never blocks
	PostToolUse                   // the tool has run; never blocks
)

var kindWords = [...]string{"PreToolUse", "PermissionRequest", "SessionStart", "PostToolUse"}

// String gives the event as Claude names it; [ParseKind] reads what each agent calls it.
func (k Kind) String() string { return enum.Word(kindWords[:], k) }

// MarshalText gives String's text.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads String's text; any other is an error that lists them.
func (k *Kind) UnmarshalText(text []byte) (err error) {
	*k, err = enum.Parse[Kind]("a kind of event", kindWords[:], text)
	return err
}

// kindNames are the events as each dialect names them: Gemini's BeforeTool and Cursor's beforeShellExecution are what
// others call PreToolUse.
var kindNames = map[Name]map[string]Kind{
	Claude: {"PreToolUse": PreToolUse, "PermissionRequest": PermissionRequest, "SessionStart": SessionStart, "PostToolUse": PostToolUse},
	Codex:  {"PreToolUse": PreToolUse, "SessionStart": SessionStart},
	Gemini: {"BeforeTool": PreToolUse},
	Cursor: {"beforeShellExecution": PreToolUse},
}

// EventNames lists the events that the hook of an agent answers, sorted; none for an agent without hooks.
func EventNames(n Name) []string {
	var out []string
	for name := range kindNames[n] {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// ParseKind reads the name of an event in an agent's own spelling; an unknown one is an error that lists the known.
func ParseKind(n Name, event string) (Kind, error) {
	if len(kindNames[n]) == 0 {
		return 0, fmt.Errorf("%s has no hooks that ambit answers (want one of claude, codex, gemini, cursor)", n)
	}
	k, ok := kindNames[n][event]
	if !ok {
		return 0, fmt.Errorf("unknown event %q of %s (want one of %s)", event, n, strings.Join(EventNames(n), ", "))
	}
	return k, nil
}

// blocks reports whether an answer to the event can stop anything.
func (k Kind) blocks() bool { return k == PreToolUse || k == PermissionRequest }

// ToolClass says what a tool does, as far as a policy must know.
type ToolClass uint8

// The classes. The zero value is the one that must ask.
const (
	UnknownShell ToolClass = iota // runs commands in a language that the evaluator does not read
	Shell                         // runs Event.Command as bash does
	Writer                        // writes Event.Paths
	Other                         // anything else: no opinion
)

var classNames = [...]string{"unknown_shell", "shell", "writer", "other"}

// String gives unknown_shell, shell, writer or other.
func (c ToolClass) String() string { return enum.Word(classNames[:], c) }

// MarshalText gives String's text.
func (c ToolClass) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads String's text; any other is an error that lists them.
func (c *ToolClass) UnmarshalText(text []byte) (err error) {
	*c, err = enum.Parse[ToolClass]("a class of tools", classNames[:], text)
	return err
}

// Event is one call of a hook, decoded.
type Event struct {
	Harness    Name      // the agent that called
	Kind       Kind      // what is about to happen, or has
	Tool       string    // the tool's name as the agent gave it
	Class      ToolClass // what that tool does
	Command    string    // Shell: the text that bash would read
	Also       []string  // Shell: texts that must be let through as well, for what else the tool's input sets
	Places     []string  // other folders in which it may run, since the tool's input names them
	Paths      []string  // what it writes, as the agent gave it: Writer, and a patch that is handed to a shell
	Dir        string    // the agent's working folder; "" when the event does not say
	Root       string    // the project's folder; "" when the event does not say
	PromptsOff bool      // the agent says that it will ask nobody
	Source     string    // SessionStart: startup, resume, clear or compact
}
