package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"example.com/ambit/envelope"
	"example.com/ambit/internal/nearest"
)

func envelopeCommands() []command {
	states := "STATE is needsFullSupervision, checkBeforeCommitting or fullyApproved."
	root := "The root is --root, AMBIT_ROOT, or the nearest folder upwards that holds agents/."
	return []command{
		{
			name: "envelope init", operands: "AGENT", min: 1, max: 1, about: "create an empty envelope for an agent",
			detail:  "An envelope that exists is left as it is; that is exit 1. " + root + " For the first envelope of a project say --root.",
			example: "ambit envelope init dave --owner barry",
			flags:   []flagDef{{name: "owner", value: "NAME", about: "who approves (default AMBIT_OWNER, else unknown)"}},
			run:     envelopeInit,
		},
		{
			name: "envelope get", operands: "AGENT [TASK]", min: 1, max: 2, about: "what the operator has approved an agent to do",
			detail:  "A task type that is not recorded is needsFullSupervision. " + root,
			example: "ambit envelope get dave code-dispatch",
			run:     envelopeGet,
		},
		{
			name: "envelope set", operands: "AGENT TASK STATE", min: 3, max: 3, about: "record a state for a task type, with history",
			detail: states + " A task type that is not recorded is added. The same state again changes nothing, but with a note it is a\n" +
				"review, which is recorded. Notes are kept in the file: no secrets. Deny an agent this command and write access to the file.",
			example: `ambit envelope set dave code-dispatch fullyApproved --note "A green month."`,
			flags:   []flagDef{{name: "note", value: "TEXT", about: "why, on one line; empty removes the old one"}},
			run:     envelopeSet,
		},
		{
			name: "envelope list", operands: "[AGENT]", min: 0, max: 1, about: "all envelopes, and which are stale",
			detail:  "Stale is what was not touched for more than 30 days. " + root,
			example: "ambit envelope list --format json",
			run:     envelopeList,
		},
		{
			name: "envelope check", operands: "[FILE...]", min: 0, max: -1, about: "check envelopes against the rules and the JSON Schema",
			detail:  "Without FILE, every envelope below the root. Exit 2 when something is left for a person to look at.",
			example: "ambit envelope check --fix",
			flags:   []flagDef{{name: "fix", about: "render tables that do not show the record anew"}},
			run:     envelopeCheck,
		},
	}
}

// envelopeDir finds the root: --root, AMBIT_ROOT, else the nearest folder upwards that holds agents/. // R45
func envelopeDir(c *call) (envelope.Dir, error) {
	d := envelope.Dir{}
	if c.nowText != "" { // else the clock, at the moment that counts
		d.Now = func() time.Time { return c.now }
	}
	if v, ok := c.flag("root"); ok {
		if v == "" {
			return d, errors.New("--root is empty")
		}
		d.Root = v
		return d, nil
	}
	if d.Root = c.env["AMBIT_ROOT"]; d.Root != "" {
		return d, nil
	}
	start, err := os.Getwd()
	if err != nil {
		return d, err
	}
	for folder := start; ; folder = filepath.Dir(folder) {
		if info, err := os.Stat(filepath.Join(folder, envelope.Folder)); err == nil && info.IsDir() {
			d.Root = folder
			return d, nil
		}
		if folder == filepath.Dir(folder) {
			first := "ambit envelope init AGENT --root . makes the first one here"
			if c.cmd.name == "envelope init" {
				first = "--root . makes it here"
			}
			return d, hinted{fmt.Errorf("no folder %s/ here or further up", envelope.Folder), "say where with --root or AMBIT_ROOT; " + first}
		}
	}
}

// envelopeExits gives the exit codes of the errors that are not about a malformed store. // R9
var envelopeExits = map[string]int{
	envelope.CodeUsage:        exitUsage,
	envelope.CodeBadName:      exitUsage,
	envelope.CodeExists:       exitUsage,
	envelope.CodeInvalidState: exitRefused,
	envelope.CodeUnknownAgent: exitRefused,
}

// envelopeFail reports an error of the envelope package and gives its exit code.
func envelopeFail(c *call, d envelope.Dir, err error) int {
	var e *envelope.Error
	if !errors.As(err, &e) {
		c.fail("io", err)
		return exitIO
	}
	if e.Code == envelope.CodeUnknownAgent && e.Hint == "" {
		e.Hint = nearestAgent(d, filepath.Base(filepath.Dir(e.File)))
	}
	c.fail(e.Code, err)
	if code, ok := envelopeExits[e.Code]; ok {
		return code
	}
	return exitIO
}

// nearestAgent says what to do about an agent that has no envelope: whose was probably meant, or what is there instead.
func nearestAgent(d envelope.Dir, name string) string {
	agents := filepath.Join(d.Root, envelope.Folder)
	if _, err := os.Lstat(filepath.Join(agents, name, envelope.FileName)); err == nil {
		return "the envelope is a link that leads nowhere"
	}
	entries, err := os.ReadDir(agents)
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if e.Name() == name {
			return fmt.Sprintf("the folder is there; ambit envelope init %s makes an empty envelope in it", name)
		}
		if envelope.CheckAgent(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	near := nearest.Of(name, names)
	if _, err := os.Stat(filepath.Join(agents, near, envelope.FileName)); near == "" || err != nil {
		return ""
	}
	return fmt.Sprintf("did you mean %s?", near)
}

func envelopeWarnings(c *call, agent string, warnings []envelope.Warning) {
	for _, w := range warnings {
		c.warn(w.Code, fmt.Errorf("%s: %s", agent, w.Message))
	}
}

func envelopeInit(c *call) int {
	agent := c.operands[0]
	owner, given := c.flag("owner")
	if !given {
		if owner = c.env["AMBIT_OWNER"]; owner == "" { // R6
			owner = "unknown"
		}
	}
	d, err := envelopeDir(c)
	if err != nil {
		return c.usage(err)
	}
	path := envelope.Folder + "/" + agent + "/" + envelope.FileName
	err = d.Init(agent, owner)
	if err != nil && !errors.Is(err, envelope.ErrExists) {
		return envelopeFail(c, d, err)
	}
	if c.json {
		writeJSON(c.stdout, struct {
			Version int    `json:"version"`
			Agent   string `json:"agent"`
			Path    string `json:"path"`
			Created bool   `json:"created"`
		}{1, agent, path, err == nil})
	} else if err == nil {
		fmt.Fprintf(c.stdout, "created %s\n", path)
	}
	if err != nil {
		return envelopeFail(c, d, err)
	}
	return exitOK
}
