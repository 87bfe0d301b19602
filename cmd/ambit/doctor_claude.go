package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"example.com/ambit/harness"
	"example.com/ambit/internal/atomicfile"
	"example.com/ambit/internal/canonjson"
)

const (
	claudeSettings = ".claude/settings.json"
	claudeLocal    = ".claude/settings.local.json"
	claudeName     = "Claude Code"
	claudeTrust    = "open the folder in Claude Code once and accept the trust dialog"
)

// claude looks at Claude Code's two files of a project.
func (d *doctor) claude() {
	root, data, ok := d.settings(claudeSettings, claudeName, false)
	if ok {
		if allows := d.claudeFile(claudeSettings, root, data); allows > 0 {
			d.claudeTrust(allows)
		}
	}
	local, data, ok := d.settings(claudeLocal, claudeName, false)
	if !ok {
		return
	}
	allows := d.claudeFile(claudeLocal, local, data)
	if allows > 0 {
		d.add(severityNote, "local_allows", claudeLocal, lineOf(data, local.At("permissions", "allow")), fmt.Sprintf("%s of your own, on top of the project's; the project's deny rules still win", plural(allows, "allow rule")), "")
	}
	for _, key := range [...][]string{{"permissions", "defaultMode"}, {"disableAllHooks"}} {
		mine, theirs := local.At(key...), root.At(key...)
		if mine.Exists() && theirs.Exists() && mine.Raw() != theirs.Raw() {
			d.notRead(claudeSettings, fmt.Sprintf("its %s is %s, and %s overrides it with %s", strings.Join(key, "."), theirs.Raw(), claudeLocal, mine.Raw()), "take "+strings.Join(key, ".")+" out of "+claudeLocal)
		}
	}
}

// claudeFile looks at one settings file and gives the number of its allow rules.
func (d *doctor) claudeFile(file string, root canonjson.Value, data []byte) (allows int) {
	permissions := root.Get("permissions")
	if permissions.Exists() && !permissions.Is(canonjson.KindObject) {
		d.add(severityError, "wrong_type", file, lineOf(data, permissions), "permissions is no object, so Claude Code ignores it", "write an object with allow, ask and deny")
	}
	var set harness.RuleSet
	var rules []rule
	for _, l := range [...]struct {
		name string
		list *[]string
	}{{"allow", &set.Allow}, {"ask", &set.Ask}, {"deny", &set.Deny}} {
		v := permissions.Get(l.name)
		if v.Exists() && !v.Is(canonjson.KindArray) {
			d.add(severityError, "wrong_type", file, lineOf(data, v), "permissions."+l.name+" is no list, so Claude Code ignores it", "write a list of rules")
		}
		for item := range v.Items() {
			if !item.Is(canonjson.KindString) {
				d.add(severityError, "wrong_type", file, lineOf(data, item), "permissions."+l.name+" holds something that is no text", "take it out")
				continue
			}
			*l.list = append(*l.list, item.Text())
			rules = append(rules, rule{item.Text(), l.name, lineOf(data, item)})
		}
	}
	d.lint(file, harness.Claude, set, rules)
	if mode := permissions.Get("defaultMode"); mode.Text() == "bypassPermissions" {
		d.add(severityWarning, "bypass_mode", file, lineOf(data, mode), "in this mode nobody is asked: only deny rules and hooks hold", "take permissions.defaultMode out")
	}
	if off := root.Get("disableAllHooks"); off.True() {
		d.add(severityWarning, "hooks_off", file, lineOf(data, off), "no hook runs while disableAllHooks is true", "take disableAllHooks out")
	}
	d.hooks(file, claudeName, root.Get("hooks"), data)
	return len(set.Allow)
}

// claudeTrust says whether the project's allow rules are in force: they wait for the trust dialog, and claude -p never
// shows one.
func (d *doctor) claudeTrust(allows int) {
	state, err := canonjson.Parse("", d.home(".claude.json"), canonjson.Limits{MaxBytes: 64 << 20, AnyNumber: true})
	switch {
	case err != nil:
		d.add(severityNote, "trust_unknown", claudeSettings, 0, "allow rules wait for the trust dialog, and claude -p never shows it; whether it was accepted cannot be seen here. Deny rules hold at once", claudeTrust)
	case !state.At("projects", d.absolute(), "hasTrustDialogAccepted").True():
		d.add(severityWarning, "not_in_force", claudeSettings, 0, fmt.Sprintf("the trust dialog of this folder was not accepted, so its %s do nothing yet, and with claude -p they never will; deny rules hold", plural(allows, "allow rule")), claudeTrust)
	}
}

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

// readQuietly reads a file of the person's own; whatever goes wrong is nothing known.
func readQuietly(file string) []byte {
	data, _, err := atomicfile.Read("", file, 64<<20)
	if err != nil {
		return nil
	}
	return data
}
