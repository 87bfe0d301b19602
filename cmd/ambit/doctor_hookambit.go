package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ambit/envelope"
	"example.com/ambit/harness"
	"example.com/ambit/internal/atomicfile"
	"example.com/ambit/tiers"
)

// programName is how this program is called.
const programName = "ambit"

// hookDialects are the values of --harness, per agent.
var hookDialects = map[string]harness.Name{claudeName: harness.Claude, codexName: harness.Codex, geminiName: harness.Gemini, cursorName: harness.Cursor}

// ambitHook looks at this program's own hook as an agent calls it: what it is told must be true, and its failure must
// block. It reports whether it is one that answers events.
func (d *doctor) ambitHook(at hookAt, words []string, command string, line int) bool {
	if len(words) > 0 && (words[0] == "install" || words[0] == "uninstall") {
		return false
	}
	wrong := func(message, fix string) {
		d.add(severityError, "hook_wrong", at.file, line, at.event+": "+message, fix)
	}
	if slices.Contains(words, "") {
		return true // a word that is not known here
	}
	parsed, err := parseArgs(append([]string{hookName}, words...), commands())
	if err != nil {
		wrong("ambit refuses the call, so every tool call is blocked: "+err.Error(), reinstallFix(at.agent))
		return true
	}
	c := call{flags: parsed.flags, env: map[string]string{}}
	dialect, known := hookDialects[at.agent]
	var said harness.Name
	switch text, given := c.flag("harness"); {
	case !given:
		wrong("--harness is missing, so every tool call is blocked", reinstallFix(at.agent))
		return true
	case said.UnmarshalText([]byte(text)) != nil:
		wrong("--harness "+text+" is none, so every tool call is blocked", reinstallFix(at.agent))
		return true
	case !known:
		wrong("there is no dialect of "+at.agent+", so the answer means nothing to it", "take the hook out")
		return true
	case said != dialect:
		wrong(fmt.Sprintf("it answers as for %s, which %s does not understand, so the call runs", said, at.agent), "write --harness "+dialect.String())
	}
	if event, given := c.flag("event"); given && said == dialect {
		kind, err := harness.ParseKind(dialect, event)
		here, hereErr := harness.ParseKind(dialect, at.event)
		switch {
		case err != nil:
			wrong(err.Error()+", so every tool call is blocked", "write --event "+at.event)
		case hereErr == nil && kind != here:
			wrong(fmt.Sprintf("it is registered at %s and told --event %s", at.event, event), "write --event "+at.event)
		}
	}
	d.hookEnvelope(&c, wrong)
	if file, given := c.flag("protocol"); given {
		data, _, err := atomicfile.Read("", d.absolutePath(file), tiers.MaxProtocolBytes)
		if err == nil {
			_, err = tiers.Parse(file, data)
		} else if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("it is not there")
		}
		if err != nil {
			wrong("--protocol "+file+" cannot be used, so every tool call is blocked: "+err.Error(), "name a protocol that is there, or take --protocol out")
		}
	}
	if root, given := c.flag("root"); given {
		if info, err := os.Stat(d.absolutePath(root)); err != nil || !info.IsDir() {
			wrong("--root "+root+" is no folder that is there, so every tool call is blocked", "name a folder that is there, or take --root out")
		}
	}
	if !guardsCalls(at.agent, at.event) {
		return true
	}
	opens := func(why, fix string) {
		d.add(severityWarning, "hook_fails_open", at.file, line, at.event+": "+why, fix)
	}
	switch {
	case statusLost(command):
		opens("ambit's exit code is lost in a pipe or in the background, so the call runs when it fails or is not found", "run it by itself and wait for it")
	case at.agent == claudeName && at.event == "PreToolUse" && !failsClosed(command) && at.hook.Get("onFailure").Text() != "block":
		opens("Claude Code lets the call run when ambit is not found", `append " || exit 2" to the command`)
	}
	if at.hook.Get("async").True() {
		opens("an async hook cannot stop a call", "take async out")
	}
	if limit := at.hook.Get("if"); limit.Exists() {
		opens("it is asked only where "+limit.Raw()+" matches, and Claude Code's rules see less than ambit does", "take if out")
	}
	if n, ok := at.hook.Get("timeout").Float64(); ok && n > 0 && n <= hookTimeout.Seconds() && at.agent != geminiName {
		opens(fmt.Sprintf("%s kills it after %v s and lets the call run; ambit itself takes up to %v", at.agent, n, hookTimeout), "write a timeout of 10 or more, or take it out")
	}
	return true
}

// failsClosed reports whether a command's failure to start ends in exit 2.
func failsClosed(command string) bool {
	_, rest, ok := strings.Cut(command, "||")
	return ok && strings.Contains(strings.ReplaceAll(rest, "  ", " "), "exit 2")
}

func reinstallFix(agent string) string {
	if agent == claudeName {
		return "write " + harness.HookCommand
	}
	return "ambit hook --help says what it takes"
}

// hookEnvelope looks at the envelope that a hook is told to go by.
func (d *doctor) hookEnvelope(c *call, wrong func(message, fix string)) {
	agent, given := c.flag("agent")
	task, hasTask := c.flag("task")
	if given != hasTask {
		wrong("--agent and --task belong together, so every tool call is blocked", "write both, or neither")
		return
	}
	if !given {
		return
	}
	e, err := envelopeDirAt(d).Get(agent)
	if err != nil {
		if !d.exists(path.Join(envelope.Folder, agent, envelope.FileName)) {
			wrong(fmt.Sprintf("there is no envelope of %s, so it needs full supervision and every call asks", agent), "ambit envelope init "+shellWord(agent)+" --root .")
		}
		return
	}
	if _, recorded := e.Envelope().Find(task); !recorded {
		wrong(fmt.Sprintf("the envelope of %s has no record of %s, so it needs full supervision and every call asks", agent, task), fmt.Sprintf("name another task, or record this one: ambit envelope set %s %s STATE", shellWord(agent), shellWord(task)))
	}
}

// absolutePath is a path that a hook was told, as the agent means it: from the root.
func (d *doctor) absolutePath(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(d.folder, file)
}

// guarded warns where this program is asked before some tools run and not before others that can do the same.
func (d *doctor) guarded(guards []hookAt) {
	if len(guards) == 0 || guards[0].agent != claudeName || guards[0].event != "PreToolUse" {
		return
	}
	asked := func(tool string) bool {
		return slices.ContainsFunc(guards, func(g hookAt) bool { return g.matches(tool) })
	}
	at := guards[0]
	line := lineOf(at.data, at.hook)
	const fix = "write the matcher Bash|Edit|MultiEdit|NotebookEdit|PowerShell|Write"
	if !asked("Bash") {
		d.add(severityWarning, "not_asked", at.file, line, "PreToolUse: ambit is not asked before Bash runs a command, so only the rules in this file hold", fix)
	}
	var rest []string
	for _, tool := range [...]string{"PowerShell", "Edit", "Write"} {
		if !asked(tool) {
			rest = append(rest, tool)
		}
	}
	if len(rest) > 0 {
		d.add(severityNote, "not_asked", at.file, line, "PreToolUse: ambit is not asked before "+strings.Join(rest, ", ")+", so nothing of it keeps the control files from them", fix)
	}
}

// runsAmbitHook reports whether a command starts this program's hook.
func runsAmbitHook(command string) bool {
	calls, _ := invocations(command)
	return slices.ContainsFunc(calls, func(c invocation) bool {
		return len(c.words) > 1 && path.Base(c.words[0]) == programName && c.words[1] == hookName
	})
}
