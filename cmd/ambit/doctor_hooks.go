package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"example.com/ambit/internal/canonjson"
)

// hooks looks at hooks in the shape {EVENT: [{hooks: [{command}]}]} or {EVENT: [{command}]}.
func (d *doctor) hooks(file, agent string, hooks canonjson.Value, data []byte) {
	for event, groups := range hooks.Members() {
		for g := range groups.Items() {
			inner := g.Get("hooks")
			if !inner.Exists() {
				d.hookCommand(file, agent, event.Text(), g, data)
			}
			for h := range inner.Items() {
				d.hookCommand(file, agent, event.Text(), h, data)
			}
		}
	}
}

// guardsCalls reports the events at which a hook can stop a call.
func guardsCalls(event string) bool {
	return slices.Contains([]string{"PreToolUse", "PermissionRequest", "BeforeTool", "beforeShellExecution", "preToolUse"}, event)
}

// hookCommand looks at one hook's command: its script must be there and runnable, and it must not fail open where that is
// up to the command.
func (d *doctor) hookCommand(file, agent, event string, h canonjson.Value, data []byte) {
	command := h.Get("command").Text()
	if command == "" {
		return
	}
	line := lineOf(data, h.Get("command"))
	for _, s := range hookScripts(command) {
		shown, at := s.file, s.file
		if !filepath.IsAbs(at) {
			at = d.path(at)
		}
		info, err := os.Stat(at)
		switch {
		case err != nil || info.IsDir():
			d.add(severityError, "hook_missing", file, line, fmt.Sprintf("%s: %s is not there, and %s lets the call run when a hook cannot start", event, shown, agent), "ambit hook install --harness claude, or put the script there")
		case s.executed && runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
			d.add(severityError, "hook_not_executable", file, line, fmt.Sprintf("%s: %s is not executable, and %s lets the call run when a hook cannot start", event, shown, agent), "chmod +x "+shellWord(shown))
		}
	}
	if runsAmbitHook(command) && !d.onPath(strings.Fields(command)[0]) {
		d.add(severityWarning, "hook_program_missing", file, line, event+": ambit is not on the PATH here, so "+agent+" either blocks every call or none", "put ambit into a folder of the PATH")
	}
	if agent == claudeName && guardsCalls(event) && runsAmbitHook(command) && !strings.Contains(command, "|| exit 2") {
		d.add(severityWarning, "hook_fails_open", file, line, event+": Claude Code lets the call run when ambit is not found", `append " || exit 2" to the command, or ambit hook install --harness claude`)
	}
}

// runsAmbitHook reports whether a command is this program's hook.
func runsAmbitHook(command string) bool {
	words := strings.Fields(command)
	return len(words) > 1 && path.Base(words[0]) == "ambit" && words[1] == hookName
}

// onPath reports whether a program is found, or cannot be looked for.
func (d *doctor) onPath(program string) bool {
	list := d.env["PATH"]
	if list == "" || strings.ContainsAny(program, `/\$`) {
		return true
	}
	for _, folder := range filepath.SplitList(list) {
		for _, name := range [...]string{program, program + ".exe"} {
			if info, err := os.Stat(filepath.Join(folder, name)); err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
				return true
			}
		}
	}
	return false
}

// script is a file that a hook's command needs.
type script struct {
	file     string // as a path below the root, or absolute
	executed bool   // run by itself, not read by an interpreter
}

// interpreters read a script that need not be executable.
var interpreters = []string{"bash", "sh", "zsh", "dash", "python", "python3", "node", "ruby", "perl", "deno", "bun"}

// hookScripts gives the files that the words in command position name by a path, and those that an interpreter there is
// given. Words with other variables are left out: what they mean is not known here.
func hookScripts(command string) (out []script) {
	first, interpreted := true, false
	for word := range strings.FieldsSeq(command) {
		switch word {
		case "&&", "||", ";", "|":
			first, interpreted = true, false
			continue
		}
		unquoted := strings.NewReplacer(`"`, "", `'`, "").Replace(strings.TrimSuffix(word, ";"))
		text := strings.NewReplacer("${CLAUDE_PROJECT_DIR}/", "", "$CLAUDE_PROJECT_DIR/", "").Replace(unquoted)
		plain := strings.Contains(text, "/") || text != unquoted
		switch {
		case strings.ContainsAny(text, "$~`(){}*?<>="):
		case first && slices.Contains(interpreters, path.Base(text)):
			first, interpreted = false, true
			continue
		case first && plain:
			out = append(out, script{text, true})
		case interpreted && !strings.HasPrefix(text, "-"):
			if plain {
				out = append(out, script{text, false})
			}
			interpreted = false
		case interpreted: // an option; a program in place of a script has nothing more to look for
			interpreted = text != "-c" && text != "-e" && text != "-m"
		}
		first = false
	}
	return out
}
