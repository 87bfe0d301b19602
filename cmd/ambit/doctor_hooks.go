package main

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.com/ambit/internal/canonjson"
)

// hookEvents are the events that an agent knows. The first are those at which a hook can stop a call.
var hookEvents = map[string]struct{ guards, others []string }{
	claudeName: {[]string{"PreToolUse", "PermissionRequest"}, strings.Fields("SessionStart SessionEnd UserPromptSubmit PostToolUse PostToolUseFailure PermissionDenied Notification Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact ConfigChange CwdChanged FileChanged InstructionsLoaded Setup TaskCreated TaskCompleted TeammateIdle WorktreeCreate WorktreeRemove Elicitation ElicitationResult MessageDisplay")},
	codexName:  {[]string{"PreToolUse", "PermissionRequest"}, strings.Fields("SessionStart SessionEnd UserPromptSubmit PostToolUse PreCompact PostCompact SubagentStart SubagentStop Stop Interrupt")},
	geminiName: {[]string{"BeforeTool"}, strings.Fields("AfterTool BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection SessionStart SessionEnd Notification PreCompress")},
	cursorName: {[]string{"beforeShellExecution", "preToolUse", "beforeMCPExecution", "beforeReadFile"}, strings.Fields("postToolUse postToolUseFailure afterShellExecution afterMCPExecution afterFileEdit beforeSubmitPrompt afterAgentResponse afterAgentThought sessionStart sessionEnd subagentStart subagentStop preCompact stop beforeTabFileRead afterTabFileEdit")},
	copilotName: {[]string{"preToolUse", "permissionRequest", "PreToolUse", "PermissionRequest"}, strings.Fields("postToolUse postToolUseFailure sessionStart sessionEnd userPromptSubmitted userPromptSubmit agentStop subagentStart subagentStop errorOccurred notification preCompact stop " +
		"PostToolUse PostToolUseFailure SessionStart SessionEnd UserPromptSubmitted UserPromptSubmit AgentStop SubagentStart SubagentStop ErrorOccurred Notification PreCompact Stop")},
}

// maxHooks bounds how many hooks of one file are looked at.
const maxHooks = 200

// hookAt is one hook of an agent's file.
type hookAt struct {
	file, agent, event string
	matcher            string
	anyTool            bool // there is no matcher
	hook               canonjson.Value
	data               []byte
}

// hooks looks at hooks in the shape {EVENT: [{matcher, hooks: [{command}]}]} or {EVENT: [{command}]}.
func (d *doctor) hooks(file, agent string, hooks canonjson.Value, data []byte) {
	if hooks.Exists() && !hooks.Is(canonjson.KindObject) {
		d.add(severityError, "wrong_type", file, lineOf(data, hooks), "hooks is no object, so "+agent+" runs none of them", "write an object of events")
		return
	}
	looked := 0
	for event, groups := range hooks.Members() {
		if looked++; looked > maxHooks {
			return
		}
		if !d.hookEvent(file, agent, event, data) {
			continue
		}
		if !groups.Is(canonjson.KindArray) {
			d.add(severityError, "wrong_type", file, lineOf(data, groups), event.Text()+": it is no list, so "+agent+" runs none of it", "write a list of hooks")
			continue
		}
		var guards []hookAt
		for g := range groups.Items() {
			if looked++; looked > maxHooks {
				d.add(severityWarning, "too_many_hooks", file, lineOf(data, g), fmt.Sprintf("only the first %d hooks were looked at", maxHooks), "write fewer")
				break
			}
			at := hookAt{file: file, agent: agent, event: event.Text(), matcher: g.Get("matcher").Text(), anyTool: !g.Get("matcher").Exists(), data: data}
			inner := g.Get("hooks")
			nested := agent == claudeName || agent == codexName || agent == geminiName
			switch {
			case nested && !inner.Is(canonjson.KindArray):
				d.add(severityError, "wrong_type", file, lineOf(data, g), event.Text()+": a group has no list named hooks, so "+agent+" runs nothing of it", `write {"matcher": "...", "hooks": [{"type": "command", "command": "..."}]}`)
			case !nested:
				at.hook = g
				guards = append(guards, d.hook(at)...)
			}
			for h := range inner.Items() {
				if looked++; looked > maxHooks {
					break
				}
				at.hook = h
				guards = append(guards, d.hook(at)...)
			}
			d.hookMatcher(at, g.Get("matcher"))
		}
		d.guarded(guards)
	}
}

// hookEvent warns about an event that an agent does not know and that is meant to be one; nothing below it ever runs.
func (d *doctor) hookEvent(file, agent string, event canonjson.Value, data []byte) bool {
	known := hookEvents[agent]
	all := slices.Concat(known.guards, known.others)
	if slices.Contains(all, event.Text()) {
		return true
	}
	right := nearKey(event.Text(), all)
	for _, other := range sortedKeys(hookEvents) {
		if right == "" && slices.Contains(hookEvents[other].guards, event.Text()) {
			right = known.guards[0] // another agent's word for it
		}
	}
	if right == "" {
		return true // a newer one, perhaps
	}
	d.notRead(file, fmt.Sprintf("%s has no event %s, so these hooks never run; did you mean %s?", agent, event.Text(), right), "write "+right)
	return false
}

// guardsCalls reports the events at which a hook can stop a call.
func guardsCalls(agent, event string) bool { return slices.Contains(hookEvents[agent].guards, event) }

// hookTypes are the forms of a hook that agents know.
var hookTypes = []string{"command", "http", "mcp_tool", "prompt", "agent"}

// hook looks at one hook: its script must be there and runnable, and it must not fail open where that is up to it. It
// gives the hook back where it is this program's and can stop a call.
func (d *doctor) hook(at hookAt) (guard []hookAt) {
	kind := at.hook.Get("type")
	if kind.Exists() && !slices.Contains(hookTypes, kind.Text()) {
		d.add(severityError, "wrong_type", at.file, lineOf(at.data, kind), fmt.Sprintf("%s: there is no type %s of hook, so it never runs", at.event, kind.Raw()), `write "type": "command"`)
		return nil
	}
	field := "command"
	if at.agent == copilotName && at.hook.Get("bash").Exists() {
		field = "bash"
	}
	v := at.hook.Get(field)
	line := lineOf(at.data, cmp.Or(v, at.hook))
	text := strings.TrimSpace(v.Text())
	if text == "" {
		if kind.Text() == "command" && !at.hook.Get("powershell").Exists() {
			d.add(severityError, "hook_missing", at.file, line, at.event+": a hook of type command has no "+field, "write its "+field+", or take the hook out")
		}
		return nil
	}
	if timeout := at.hook.Get("timeout"); timeout.Exists() {
		if n, ok := timeout.Float64(); !ok || n <= 0 {
			d.add(severityError, "wrong_type", at.file, lineOf(at.data, timeout), at.event+": timeout is no number above 0", "write seconds as a number, or take it out")
		}
	}
	if !d.hookCommand(at, text, line) {
		return nil
	}
	if guardsCalls(at.agent, at.event) {
		return []hookAt{at}
	}
	return nil
}

// hookCommand looks at the programs that a command starts, and reports whether this program's hook is one of them.
func (d *doctor) hookCommand(at hookAt, command string, line int) (ours bool) {
	lets := at.agent + " lets the call run when a hook cannot start"
	severity := severityError
	if !guardsCalls(at.agent, at.event) {
		lets, severity = "the hook does nothing", severityWarning
	}
	calls, readable := invocations(command)
	if !readable {
		d.add(severity, "hook_unrunnable", at.file, line, at.event+": no shell can read the command, so "+lets, "mend the command")
		return false
	}
	for i, c := range calls {
		if s, ok := c.needs(); ok && !(i > 0 && c.words[0] == "exit") {
			if code, message, fix := d.scriptFault(s); code != "" {
				d.add(severity, code, at.file, line, at.event+": "+message+", and "+lets, fix)
			}
			ours = ours || path.Base(s.file) == programName && len(c.words) > 1 && c.words[1] == hookName && d.ambitHook(at, c.words[2:], command, line)
			continue
		}
		program := c.words[0]
		if program == programName && len(c.words) > 1 && c.words[1] == hookName {
			ours = d.ambitHook(at, c.words[2:], command, line) || ours
		}
		if program == "" || slices.Contains(shellBuiltins, program) || d.onPath(program) {
			continue
		}
		switch {
		case program == programName:
			d.add(severityWarning, "hook_program_missing", at.file, line, at.event+": ambit is not on the PATH here, so "+at.agent+" either blocks every call or none", "put ambit into a folder of the PATH")
		case guardsCalls(at.agent, at.event):
			d.add(severityWarning, "hook_program_missing", at.file, line, fmt.Sprintf("%s: %s is not on the PATH here, and %s", at.event, program, lets), "install "+program+", or take the hook out")
		default:
			d.add(severityNote, "hook_program_missing", at.file, line, fmt.Sprintf("%s: %s is not on the PATH here, so %s", at.event, program, lets), "install "+program+", or take the hook out")
		}
	}
	return ours
}

// matchedTools are what hooks of an agent are asked about.
var matchedTools = map[string][]string{
	claudeName: {"Bash", "PowerShell", "Edit", "MultiEdit", "Write", "NotebookEdit", "Read", "Glob", "Grep", "WebFetch", "WebSearch", "Task", "Agent", "Skill", "TodoWrite", "BashOutput", "KillShell", "ExitPlanMode", "AskUserQuestion", "SlashCommand", "LS", "LSP"},
	codexName:  {"Bash", "shell", "exec_command", "local_shell", "unified_exec", "apply_patch", "Edit", "Write"},
	geminiName: {"run_shell_command", "write_file", "replace", "read_file", "glob", "search_file_content", "web_fetch"},
}

// plainMatcher is a matcher that names tools; any other is an expression that may match a part of a name.
var plainMatcher = regexp.MustCompile(`^[A-Za-z0-9_]+(\|[A-Za-z0-9_]+)*$`)

// matches reports whether a hook is asked about a tool.
func (at hookAt) matches(tool string) bool {
	if at.anyTool || at.matcher == "" || at.matcher == "*" {
		return true
	}
	if len(at.matcher) > maxRule {
		return true
	}
	if plainMatcher.MatchString(at.matcher) && at.agent == claudeName {
		return slices.Contains(strings.Split(at.matcher, "|"), tool)
	}
	re, err := regexp.Compile(at.matcher)
	return err != nil || re.MatchString(tool)
}

// hookMatcher warns about a matcher that cannot match: no expression, or the name of a tool in another letter case.
func (d *doctor) hookMatcher(at hookAt, matcher canonjson.Value) {
	if !slices.Contains([]string{"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied", "BeforeTool", "AfterTool"}, at.event) {
		return // of other events a matcher is no tool's name
	}
	tools := matchedTools[at.agent]
	switch {
	case !matcher.Exists() || len(tools) == 0 || len(at.matcher) > maxRule:
	case !matcher.Is(canonjson.KindString):
		d.add(severityError, "wrong_type", at.file, lineOf(at.data, matcher), at.event+": a matcher is a text", `write it as a text, as "Bash"`)
	case plainMatcher.MatchString(at.matcher):
		for _, tool := range strings.Split(at.matcher, "|") {
			if i := slices.IndexFunc(tools, func(t string) bool { return strings.EqualFold(t, tool) || nearKey(tool, []string{t}) != "" }); i >= 0 && !slices.Contains(tools, tool) {
				d.notRead(at.file, fmt.Sprintf("%s: there is no tool %s, so the hook is never asked about it; did you mean %s?", at.event, tool, tools[i]), "write "+tools[i])
			}
		}
	case at.matcher != "*":
		if _, err := regexp.Compile(at.matcher); err != nil && !strings.Contains(at.matcher, "(?") {
			d.notRead(at.file, fmt.Sprintf("%s: the matcher %s is no expression, so the hook is never asked", at.event, at.matcher), "write the names of tools, as Bash|Edit|Write")
		}
	}
}
