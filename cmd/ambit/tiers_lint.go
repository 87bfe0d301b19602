package main

import (
	"fmt"
	"path/filepath"

	"example.com/ambit/harness"
)

func lintCommands() []command {
	return []command{{
		name: "tiers lint", operands: "[FILE]", max: 1, about: "rules of an agent's file that do not do what they seem to",
		detail: "Finds rules that can never match, are decided by another rule, stand twice, or allow nearly everything. Reads Claude's\n" +
			"settings, Codex's rules and OpenCode's configuration; without FILE, all of them that are in the root. Exit 2 on any finding.",
		example: "ambit tiers lint .claude/settings.json", run: runTiersLint,
	}}
}

func runTiersLint(c *call) int {
	names := c.operands
	if len(names) == 0 {
		if err := c.namedRoot(); err != nil {
			c.fail("root", err)
			return exitIO
		}
		names = harness.LintPaths(c.root())
	}
	type findingJSON struct {
		File    string              `json:"file"`
		Code    harness.FindingCode `json:"code"`
		List    string              `json:"list"`
		Rule    string              `json:"rule"`
		Other   *string             `json:"other"`
		Message string              `json:"message"`
	}
	out := []findingJSON{}
	code := exitOK
	for _, name := range names {
		data, err := c.readInput(name, "", harness.MaxFile)
		if err != nil {
			return c.readFailed(readCodes{"absent", "unreadable", "unreadable"}, err)
		}
		findings, err := harness.LintFile(name, data)
		if err != nil {
			code = c.failHarness(err)
			continue
		}
		for _, f := range findings {
			out = append(out, findingJSON{filepath.ToSlash(name), f.Code, f.List, f.Rule, optional(f.Other), f.Message})
		}
	}
	if code == exitOK && len(out) > 0 {
		code = exitRefused
	}
	if c.json {
		writeJSON(c.stdout, struct {
			Version  int           `json:"version"`
			Findings []findingJSON `json:"findings"`
		}{1, out})
		return code
	}
	for i, f := range out {
		if i == 0 || out[i-1].File != f.File {
			fmt.Fprintln(c.stdout, printable(f.File))
		}
		fmt.Fprintf(c.stdout, "  %s  %s %s\n    %s\n", c.paint("33", string(f.Code)), f.List, printable(f.Rule), printable(f.Message))
	}
	if code == exitOK {
		fmt.Fprintf(c.stdout, "clean: %s\n", plural(len(names), "file"))
	}
	return code
}
