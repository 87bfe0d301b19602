package main

import (
	"errors"
	"fmt"

	"example.com/ambit/harness"
)

func hookInstallCommands() []command {
	flags := []flagDef{
		{name: "harness", value: "H", about: "the agent; claude is supported", oneOf: []string{"claude", "codex", "gemini", "cursor"}},
		{name: "dry-run", about: "show what would change and write nothing"},
	}
	return []command{
		{
			name: "hook install", about: "add ambit's hook to an agent's settings",
			detail: "Adds one entry to .claude/settings.json, so that every command and every written file is judged before it happens.\n" +
				"Nothing else in the file changes.",
			example: "ambit hook install --harness claude", flags: flags, run: func(c *call) int { return c.placeHook(true) },
		},
		{
			name: "hook uninstall", about: "take ambit's hook out again",
			detail:  "The exact inverse of install: the file is byte for byte what it was, as far as nobody edited it since.",
			example: "ambit hook uninstall --harness claude", flags: flags, run: func(c *call) int { return c.placeHook(false) },
		},
	}
}

// placeHook installs the hook, or takes it out.
func (c *call) placeHook(install bool) int {
	text, given := c.flag("harness")
	if !given {
		return c.usage(errors.New("--harness is missing; supported: claude"))
	}
	var n harness.Name
	if err := n.UnmarshalText([]byte(text)); err != nil {
		return c.usage(err)
	}
	plan, err := harness.PlanHook(c.root(), n, install, harness.Options{Now: c.now})
	switch {
	case errors.Is(err, harness.ErrUnknown):
		return c.usage(err)
	case err != nil:
		return c.failHarness(err)
	}
	code := c.applyChanges(plan)
	if code == exitOK && install && !c.json && !c.is("dry-run") {
		fmt.Fprint(c.stdout, "Claude Code asks once before it runs a project's hooks; ambit must be on its PATH, else every call is blocked\n")
	}
	return code
}
