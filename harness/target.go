package harness

import (
	"fmt"

	"example.com/ambit/internal/enum"
)

// Target is one file that this package writes.
type Target uint8

// The targets. The first three are the contract's, the others are what the agents themselves read and are written when
// asked for (Options.Native).
const (
	ClaudeSettings      Target = iota // .claude/settings.json, merged in place; Claude Code reads it
	CodexPermissions                  // .codex/permissions.json, the contract's own format; Codex itself does not read it
	OpenCodePermissions               // .opencode/permissions.yaml, the contract's own format; OpenCode itself does not read it
	CodexRules                        // .codex/rules/ambit.rules; Codex reads it in trusted projects
	OpenCodeConfig                    // opencode.json or opencode.jsonc, merged in place; OpenCode reads it
)

type targetRow struct {
	name   string
	tool   Name
	path   string // slash-separated, below the root
	native bool
	reader string // who reads the file by itself; "" is nobody
	whole  bool   // the file is ours from its first byte to its last
	draft  func(input) (draft, error)
	allows func(name string, data []byte) ([]string, error) // the allow rules of a file, for the proof
}

// targets is the table of what can be written.
func targets() []targetRow {
	return []targetRow{
		ClaudeSettings:      {"claude", Claude, ".claude/settings.json", false, "Claude Code", false, draftClaude, claudeAllows},
		CodexPermissions:    {"codex", Codex, ".codex/permissions.json", false, "", true, draftCodexPermissions, codexPermissionsAllows},
		OpenCodePermissions: {"opencode", OpenCode, ".opencode/permissions.yaml", false, "", true, draftOpenCodePermissions, openCodePermissionsAllows},
		CodexRules:          {"codex-rules", Codex, ".codex/rules/ambit.rules", true, "Codex, in a trusted project", true, draftCodexRules, codexRulesAllows},
		OpenCodeConfig:      {"opencode-config", OpenCode, "opencode.json", true, "OpenCode", false, draftOpenCodeConfig, openCodeAllows},
	}
}

func (t Target) row() targetRow {
	if rows := targets(); int(t) < len(rows) {
		return rows[t]
	}
	return targetRow{name: fmt.Sprintf("target(%d)", uint8(t))}
}

// Targets lists every target, in the order in which they are planned.
func Targets() []Target {
	out := make([]Target, len(targets()))
	for i := range out {
		out[i] = Target(i)
	}
	return out
}

// String gives the target's name, as claude or codex-rules.
func (t Target) String() string { return t.row().name }

// Tool gives the agent that the target is about.
func (t Target) Tool() Name { return t.row().tool }

// Path gives where the target lies below the root, slash-separated. For OpenCodeConfig it is the file that is made where
// there is none.
func (t Target) Path() string { return t.row().path }

// Native reports whether the target is written only when asked for.
func (t Target) Native() bool { return t.row().native }

// ReadBy says which agent reads the file by itself; "" says that none does, and that only hooks and people see it.
func (t Target) ReadBy() string { return t.row().reader }

// MarshalText gives String's text.
func (t Target) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads a name; an unknown one is an error that lists the known.
func (t *Target) UnmarshalText(text []byte) (err error) {
	var known []string
	for _, x := range Targets() {
		known = append(known, x.String())
	}
	*t, err = enum.Parse[Target]("a target", known, text)
	return err
}
