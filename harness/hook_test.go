package harness_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ambit/harness"
	"example.com/ambit/tiers"
	"github.com/google/go-cmp/cmp"
)

const hookProtocol = `{"version":"1.1","tiers":{
	"tier1_silent":{"shell_patterns":["git status","git log *","cat *"]},
	"tier2_notified":{"shell_patterns":["make test"],"write_paths":["out/**","docs/*.md"]},
	"tier3_blocking":{"shell_patterns":["git push *"]}},
	"tools":{"claude":{"derived_from_tiers":["tier1_silent","tier2_notified"]},"codex":{"derived_from_tiers":["tier1_silent"]}}}`

func hook(t testing.TB, h harness.Hook) harness.Hook {
	t.Helper()
	p, err := tiers.Parse("protocol", []byte(hookProtocol))
	if err != nil {
		t.Fatal(err)
	}
	h.Protocol = p
	return h
}

// event writes an event of an agent as the agent does.
func event(n harness.Name, tool string, input map[string]any, extra map[string]any) []byte {
	e := map[string]any{"session_id": "s", "cwd": "/r", "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "unknown": []int{1}}
	switch n {
	case harness.Gemini:
		e["hook_event_name"] = "BeforeTool"
	case harness.Cursor:
		e = map[string]any{"hook_event_name": "beforeShellExecution", "cwd": "/r", "command": input["command"], "workspace_roots": []string{"/r"}}
	}
	for k, v := range extra {
		e[k] = v
	}
	b, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return b
}

var shellTool = map[harness.Name]string{harness.Claude: "Bash", harness.Codex: "shell", harness.Gemini: "run_shell_command", harness.Cursor: ""}

// said boils an output down: exit code, answer, and whether there is a message for the person.
func said(t testing.TB, o harness.Output) string {
	t.Helper()
	var v struct {
		Hook struct {
			Event    string                    `json:"hookEventName"`
			Answer   string                    `json:"permissionDecision"`
			Reason   string                    `json:"permissionDecisionReason"`
			Decision struct{ Behavior string } `json:"decision"`
		} `json:"hookSpecificOutput"`
		System     string `json:"systemMessage"`
		Decision   string `json:"decision"`
		Reason     string `json:"reason"`
		Permission string `json:"permission"`
		User       string `json:"user_message"`
	}
	if len(o.Stdout) > 0 {
		if err := json.Unmarshal(o.Stdout, &v); err != nil {
			t.Fatalf("stdout is not one JSON object: %q", o.Stdout)
		}
	}
	var out []string
	for _, s := range []string{v.Hook.Answer, v.Hook.Decision.Behavior, v.Decision, v.Permission} {
		if s != "" {
			out = append(out, s)
		}
	}
	if strings.HasPrefix(v.System+v.User, "ℹ") {
		out = append(out, "told")
	}
	if len(out) == 0 {
		out = append(out, "nothing")
	}
	if o.Exit != 0 {
		out = append(out, "exit 2")
		if o.Exit != 2 {
			t.Fatalf("exit %d", o.Exit)
		}
	}
	if (v.Hook.Answer == "deny" && v.Hook.Reason == "") || (v.Decision == "deny" && v.Reason == "") {
		t.Errorf("a deny without a reason: %s", o.Stdout)
	}
	return strings.Join(out, " ")
}

func TestShellAnswers(t *testing.T) {
	off := map[string]any{"permission_mode": "bypassPermissions"}
	never := map[string]any{"approval_policy": "never"}
	for _, tt := range []struct {
		command string
		hook    harness.Hook
		extra   map[string]any
		want    [4]string // claude, codex, gemini, cursor
	}{
		{"git status", harness.Hook{Supervision: harness.Act}, nil, [4]string{"allow", "nothing", "allow", "allow"}},
		{"make test", harness.Hook{Supervision: harness.Act}, nil, [4]string{"allow told", "nothing", "allow told", "allow told"}},
		{"rm x", harness.Hook{Supervision: harness.Act}, nil, [4]string{"ask", "nothing", "nothing", "ask"}},
		{"rm x", harness.Hook{Supervision: harness.Act}, off, [4]string{"ask", "deny", "deny", "ask"}},
		{"rm x", harness.Hook{Supervision: harness.Act}, never, [4]string{"ask", "deny", "deny", "ask"}},
		{"rm x", harness.Hook{Supervision: harness.Act, AskNative: true}, nil, [4]string{"nothing", "nothing", "nothing", "nothing"}},
		{"git -C . push", harness.Hook{Supervision: harness.Act}, nil, [4]string{"deny exit 2", "deny", "deny", "deny exit 2"}},
		{"git push", harness.Hook{Supervision: harness.Act, Tier3Ask: true}, nil, [4]string{"ask", "deny", "deny", "ask"}},
		{"git status", harness.Hook{Supervision: harness.SignOff}, nil, [4]string{"allow", "nothing", "allow", "allow"}},
		{"make test", harness.Hook{Supervision: harness.SignOff}, nil, [4]string{"ask", "deny", "deny", "ask"}},
		{"rm x", harness.Hook{Supervision: harness.SignOff, AskNative: true}, nil, [4]string{"ask", "deny", "deny", "ask"}},
		{"git status", harness.Hook{}, nil, [4]string{"ask", "deny", "deny", "ask"}},
		{"git push", harness.Hook{}, nil, [4]string{"deny exit 2", "deny", "deny", "deny exit 2"}},
	} {
		for i, n := range []harness.Name{harness.Claude, harness.Codex, harness.Gemini, harness.Cursor} {
			in := event(n, shellTool[n], map[string]any{"command": tt.command}, tt.extra)
			want := tt.want[i]
			if n == harness.Codex && tt.command == "make test" && tt.hook.Supervision == harness.Act {
				want = "nothing" // codex derives tier1 alone: make test asks there
			}
			if got := said(t, hook(t, tt.hook).Respond(n, harness.PreToolUse, in)); got != want {
				t.Errorf("%v %q %+v: %s, want %s", n, tt.command, tt.hook, got, want)
			}
		}
	}
}

func TestWriterAnswers(t *testing.T) {
	root := t.TempDir()
	outside := t.TempDir()
	for _, d := range []string{"out", "docs", ".claude"} {
		if err := os.Mkdir(filepath.Join(root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"out/away": outside, "out/dangling": filepath.Join(outside, "new"), "out/settings": "../.claude/settings.json", "out/round": "round"} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	act := harness.Hook{Supervision: harness.Act}
	for _, tt := range []struct {
		path string
		hook harness.Hook
		want string
	}{
		{"out/a", act, "allow told"},
		{filepath.Join(root, "out/a/b"), act, "allow told"},
		{"docs/x.md", act, "allow told"},
		{"src/main.go", act, "nothing"},
		{"src/main.go", harness.Hook{Supervision: harness.SignOff}, "ask"},
		{"/etc/passwd", act, "nothing"},
		{".claude/settings.json", act, "deny exit 2"},
		{".Claude/Settings.local.json", act, "deny exit 2"},
		{"src/../.claude/settings.json", act, "deny exit 2"},
		{".git/hooks/pre-commit", act, "ask"},
		{"out/away/x", act, "nothing"},
		{"out/dangling", act, "nothing"},
		{"out/settings", act, "deny exit 2"},
		{"out/a", harness.Hook{Supervision: harness.SignOff}, "ask"},
	} {
		in := event(harness.Claude, "Write", map[string]any{"file_path": tt.path, "content": "x"}, map[string]any{"cwd": root})
		if got := said(t, hook(t, tt.hook).Respond(harness.Claude, harness.PreToolUse, in)); got != tt.want {
			t.Errorf("write %s: %s, want %s", tt.path, got, tt.want)
		}
	}
	shell := func(command string) string {
		in := event(harness.Claude, "Bash", map[string]any{"command": command}, map[string]any{"cwd": root})
		return said(t, hook(t, act).Respond(harness.Claude, harness.PreToolUse, in))
	}
	for command, want := range map[string]string{"cat a > out/b": "allow told", "cat a > out/away/b": "ask", "cat a > out/settings": "ask"} {
		if got := shell(command); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}

func TestDecode(t *testing.T) {
	patch := "*** Begin Patch\n*** Update File: src/a.go\n*** Move to: b.go\n@@\n-x\n+y\n*** Add File: .claude/settings.json\n+{}\n*** End Patch\n"
	for _, tt := range []struct {
		name string
		n    harness.Name
		in   []byte
		want harness.Event
	}{
		{"codex argv of a shell", harness.Codex, event(harness.Codex, "shell", map[string]any{"command": []string{"bash", "-lc", "git push && x"}, "workdir": "sub"}, nil),
			harness.Event{Harness: harness.Codex, Tool: "shell", Class: harness.Shell, Command: "git push && x", Dir: "/r", Places: []string{"/r/sub"}}},
		{"codex argv of what is only called a shell", harness.Codex, event(harness.Codex, "shell", map[string]any{"command": []string{"./bash", "-c", "ls -l"}}, nil),
			harness.Event{Harness: harness.Codex, Tool: "shell", Class: harness.Shell, Command: `./bash -c 'ls -l'`, Dir: "/r"}},
		{"codex argv", harness.Codex, event(harness.Codex, "shell", map[string]any{"command": []string{"git", "commit", "-m", "it's; rm"}}, nil),
			harness.Event{Harness: harness.Codex, Tool: "shell", Class: harness.Shell, Command: `git commit -m 'it'\''s; rm'`, Dir: "/r"}},
		{"codex patch", harness.Codex, event(harness.Codex, "apply_patch", map[string]any{"command": patch}, nil),
			harness.Event{Harness: harness.Codex, Tool: "apply_patch", Class: harness.Writer, Paths: []string{"src/a.go", "b.go", ".claude/settings.json"}, Dir: "/r"}},
		{"codex patch in argv", harness.Codex, event(harness.Codex, "shell", map[string]any{"command": []string{"apply_patch", patch}}, nil),
			harness.Event{Harness: harness.Codex, Tool: "shell", Class: harness.Writer, Paths: []string{"src/a.go", "b.go", ".claude/settings.json"}, Dir: "/r"}},
		{"unknown shell", harness.Claude, event(harness.Claude, "mcp__x__run_terminal", map[string]any{"cmd": "x"}, nil),
			harness.Event{Harness: harness.Claude, Tool: "mcp__x__run_terminal", Class: harness.UnknownShell, Dir: "/r"}},
		{"powershell", harness.Claude, event(harness.Claude, "PowerShell", map[string]any{"command": "x"}, nil),
			harness.Event{Harness: harness.Claude, Tool: "PowerShell", Class: harness.UnknownShell, Dir: "/r"}},
		{"other", harness.Claude, event(harness.Claude, "Read", map[string]any{"file_path": "x"}, nil),
			harness.Event{Harness: harness.Claude, Tool: "Read", Class: harness.Other, Dir: "/r"}},
		{"cursor", harness.Cursor, event(harness.Cursor, "", map[string]any{"command": "ls"}, nil),
			harness.Event{Harness: harness.Cursor, Tool: "shell", Class: harness.Shell, Command: "ls", Dir: "/r", Root: "/r"}},
		{"notebook", harness.Claude, event(harness.Claude, "NotebookEdit", map[string]any{"notebook_path": "n.ipynb"}, map[string]any{"permission_mode": "dontAsk"}),
			harness.Event{Harness: harness.Claude, Tool: "NotebookEdit", Class: harness.Writer, Paths: []string{"n.ipynb"}, Dir: "/r", PromptsOff: true}},
	} {
		got, err := harness.Decode(tt.n, tt.in, harness.PreToolUse)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// TestFaults: every fault ends in the dialect's blocking form (K34).
func TestFaults(t *testing.T) {
	blocking := map[harness.Name]string{harness.Claude: "nothing exit 2", harness.Codex: "deny", harness.Gemini: "deny", harness.Cursor: "deny exit 2"}
	for n, want := range blocking {
		full := event(n, shellTool[n], map[string]any{"command": "git status"}, nil)
		inputs := map[string][]byte{
			"empty":         nil,
			"garbage":       []byte("not JSON"),
			"truncated":     full[:len(full)-2],
			"no object":     []byte("[1]"),
			"duplicate key": []byte(strings.Replace(string(full), "{", `{"cwd":"/x",`, 1)),
			"no command":    event(n, shellTool[n], map[string]any{"command": ""}, nil),
			"wrong type":    event(n, shellTool[n], map[string]any{"command": 5}, nil),
			"unknown event": event(n, shellTool[n], map[string]any{"command": "ls"}, map[string]any{"hook_event_name": "Nonsense"}),
		}
		if n != harness.Cursor {
			inputs["no tool"] = event(n, "", map[string]any{"command": "git status"}, nil)
		}
		for name, in := range inputs {
			o := hook(t, harness.Hook{Supervision: harness.Act}).Respond(n, harness.PreToolUse, in)
			if got := said(t, o); got != want {
				t.Errorf("%v, %s: %s, want %s", n, name, got, want)
			}
			if n == harness.Claude && len(o.Stderr) == 0 {
				t.Errorf("%v, %s: exit 2 says nothing on standard error", n, name)
			}
		}
	}
	o := harness.Fault(harness.Claude, harness.PermissionRequest, os.ErrInvalid)
	if got := said(t, o); got != "deny" {
		t.Errorf("PermissionRequest: %s, want deny with exit 0", got)
	}
	for _, k := range []harness.Kind{harness.SessionStart, harness.PostToolUse} {
		if o := harness.Fault(harness.Claude, k, os.ErrInvalid); o.Exit != 0 || len(o.Stdout) != 0 || len(o.Stderr) == 0 {
			t.Errorf("%v never blocks: %+v", k, o)
		}
	}
}

// TestNoDecisionBlocks has a decision panic, and fail: both answer in the form of the event that there was, which is not
// the one that is meant without a name.
func TestNoDecisionBlocks(t *testing.T) {
	for text, judge := range map[string]func(harness.Event) (harness.Decision, error){
		"internal error: for a test": func(harness.Event) (harness.Decision, error) { panic("for a test") },
		"no protocol":                func(harness.Event) (harness.Decision, error) { return harness.Decision{}, errors.New("no protocol") },
	} {
		in := event(harness.Claude, "Bash", map[string]any{"command": "ls"}, nil)
		if o := harness.Respond(harness.Claude, harness.PreToolUse, in, judge); o.Exit != 2 || !strings.Contains(string(o.Stderr), text) {
			t.Errorf("%+v", o)
		}
		in = event(harness.Claude, "Bash", map[string]any{"command": "ls"}, map[string]any{"hook_event_name": "PermissionRequest"})
		o := harness.Respond(harness.Claude, harness.PreToolUse, in, judge)
		if got := said(t, o); got != "deny" || !strings.Contains(string(o.Stdout), text) {
			t.Errorf("%s: %+v", got, o)
		}
	}
}

func TestPermissionRequest(t *testing.T) {
	for command, want := range map[string]string{"git status": "allow", "rm x": "nothing", "git push": "deny"} {
		in := event(harness.Claude, "Bash", map[string]any{"command": command}, map[string]any{"hook_event_name": "PermissionRequest"})
		if got := said(t, hook(t, harness.Hook{Supervision: harness.Act}).Respond(harness.Claude, harness.PreToolUse, in)); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}

func TestReasonIsBounded(t *testing.T) {
	o := harness.Encode(harness.Codex, harness.PreToolUse, harness.Decision{Reason: strings.Repeat("é", 5000)}, false)
	var v struct {
		Hook struct {
			Reason string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(o.Stdout, &v); err != nil || len([]rune(v.Hook.Reason)) != 2000 {
		t.Errorf("%d characters, %v", len([]rune(v.Hook.Reason)), err)
	}
	if o := harness.Encode(harness.Codex, harness.PreToolUse, harness.Decision{}, false); !strings.Contains(string(o.Stdout), `"permissionDecisionReason":"ambit: deny"`) {
		t.Errorf("an empty reason lets the call run: %s", o.Stdout)
	}
}

// TestReasonNamesTheParts holds what a person reads: the parts that decided, each with its reason, and no more than fit.
func TestReasonNamesTheParts(t *testing.T) {
	why := func(command string) string {
		e, err := harness.Decode(harness.Claude, []byte(event(harness.Claude, "Bash", map[string]any{"command": command}, nil)), harness.PreToolUse)
		if err != nil {
			t.Fatal(err)
		}
		return harness.Hook{Protocol: tiers.Default(), Supervision: harness.Act}.Decide(e).Reason
	}
	if got := why("git push"); !strings.Contains(got, `git push: tier3 "git push *"`) || strings.Contains(got, "and more") {
		t.Errorf("one part: %s", got)
	}
	if got := why(strings.Repeat("git push; ", 20)); !strings.Contains(got, "git push: tier3") || !strings.Contains(got, "and more") {
		t.Errorf("many parts: %s", got)
	}
}

// TestProjectBehindALink holds that a file of a project is one of the project also where the project's own path is a link.
func TestProjectBehindALink(t *testing.T) {
	real := t.TempDir()
	if err := os.MkdirAll(filepath.Join(real, "out"), 0o755); err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, root); err != nil {
		t.Skip(err)
	}
	in := event(harness.Claude, "Write", map[string]any{"file_path": filepath.Join(root, "out", "a"), "content": "x"}, map[string]any{"cwd": root})
	if got := said(t, hook(t, harness.Hook{Supervision: harness.Act}).Respond(harness.Claude, harness.PreToolUse, in)); got != "allow told" {
		t.Errorf("a file of the project: %s", got)
	}
}

// TestRootOfTheHookComesFirst holds that an event cannot move the project elsewhere: what a command writes is looked up
// below the root that the hook was told.
func TestRootOfTheHookComesFirst(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, "out")); err != nil {
		t.Skip(err)
	}
	in := event(harness.Claude, "Bash", map[string]any{"command": "cat a > out/b"}, map[string]any{"cwd": t.TempDir()})
	h := harness.Hook{Supervision: harness.Act, Root: root}
	if got := said(t, hook(t, h).Respond(harness.Claude, harness.PreToolUse, in)); got != "ask" {
		t.Errorf("a link below the hook's root: %s", got)
	}
}
