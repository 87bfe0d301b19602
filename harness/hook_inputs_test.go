package harness_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ambit/harness"
	"example.com/ambit/internal/regime"
	"example.com/ambit/tiers"
)

// TestInputOfATool holds what a tool's own input can and cannot change about the judgement of its command: where it runs,
// the variables that it sets, the shell that reads it; never the project that it is judged for.
func TestInputOfATool(t *testing.T) {
	for _, tt := range []struct {
		n     harness.Name
		tool  string
		input map[string]any
		want  harness.Answer
	}{
		{harness.Codex, "shell", map[string]any{"command": "git status"}, harness.Allow},
		{harness.Codex, "exec_command", map[string]any{"cmd": "git status", "workdir": "/r"}, harness.Allow},
		{harness.Codex, "exec_command", map[string]any{"cmd": "git status", "workdir": "/evil"}, harness.Ask},
		{harness.Codex, "shell", map[string]any{"command": "git status", "workdir": "../evil"}, harness.Ask},
		{harness.Codex, "local_shell", map[string]any{"command": []string{"git", "status"}, "working_directory": "/evil"}, harness.Ask},
		{harness.Codex, "shell", map[string]any{"command": []string{"apply_patch", "*** Begin Patch\n*** Add File: settings.json\n+{}\n*** End Patch"}, "workdir": ".claude"}, harness.Deny},
		{harness.Codex, "shell", map[string]any{"command": "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: settings.json\n+{}\n*** End Patch\nEOF", "workdir": ".claude"}, harness.Deny},
		{harness.Gemini, "run_shell_command", map[string]any{"command": "git status", "directory": "evil"}, harness.Ask},
		{harness.Gemini, "run_shell_command", map[string]any{"command": "git status", "dir_path": "evil"}, harness.Ask},
		{harness.Gemini, "run_shell_command", map[string]any{"command": "cat a > out/b", "dir_path": "/etc"}, harness.Ask},
		{harness.Gemini, "run_shell_command", map[string]any{"command": "cat a > out/b"}, harness.Allow},
		{harness.Codex, "local_shell", map[string]any{"command": "git status", "env": map[string]any{}}, harness.Allow},
		{harness.Codex, "local_shell", map[string]any{"command": "git status", "env": map[string]any{"A": "it's"}}, harness.Allow},
		{harness.Codex, "local_shell", map[string]any{"command": "git status", "env": map[string]any{"GIT_DIR": "/evil"}}, harness.Ask},
		{harness.Codex, "local_shell", map[string]any{"command": "git push", "env": map[string]any{"A": "b"}}, harness.Deny},
		{harness.Codex, "local_shell", map[string]any{"command": "git status", "env": map[string]any{"a b": "x"}}, harness.Ask},
		{harness.Codex, "exec_command", map[string]any{"cmd": "git status", "shell": "/bin/bash"}, harness.Allow},
		{harness.Codex, "exec_command", map[string]any{"cmd": "git status", "shell": "./evil"}, harness.Ask},
		{harness.Codex, "exec_command", map[string]any{"cmd": "git status", "shell": "python3"}, harness.Ask},
		{harness.Codex, "exec_command", map[string]any{"cmd": "git push", "shell": "/bin/zsh"}, harness.Deny},
		{harness.Codex, "write_stdin", map[string]any{"session_id": 1, "chars": "git push\n"}, harness.Ask},
		{harness.Codex, "write_stdin", map[string]any{"session_id": 1, "chars": ""}, harness.NoOpinion},
		{harness.Codex, "write_stdin", map[string]any{"session_id": 1}, harness.NoOpinion},
		{harness.Codex, "write_stdin", map[string]any{"chars": 5}, harness.Ask},
		{harness.Codex, "write_stdin", map[string]any{"input": "git push\n"}, harness.Ask},
		{harness.Codex, "write_stdin", map[string]any{"chars": "", "keys": []string{"x"}}, harness.Ask},
		{harness.Codex, "write_stdin", map[string]any{"session_id": "a", "chars": ""}, harness.NoOpinion},
		{harness.Codex, "apply_patch", map[string]any{"input": "*** Begin Patch\n*** Add File: settings.json\n+{}\n*** End Patch", "workdir": ".claude"}, harness.Deny},
		{harness.Codex, "shell", map[string]any{"command": "cd .claude && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: settings.json\n+{}\n*** End Patch\nEOF"}, harness.Deny},
		{harness.Codex, "shell", map[string]any{"command": "cd x && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ../settings.json\n+{}\n*** End Patch\nEOF", "workdir": ".claude"}, harness.Deny},
		{harness.Codex, "shell", map[string]any{"command": "cd .git && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: hooks/x\n+{}\n*** End Patch\nEOF"}, harness.Ask},
		{harness.Codex, "js_repl", map[string]any{"code": "1"}, harness.Ask},
		{harness.Claude, "BashOutput", map[string]any{"bash_id": "1"}, harness.NoOpinion},
		{harness.Claude, "KillShell", map[string]any{"shell_id": "1"}, harness.NoOpinion},
		{harness.Claude, "SlashCommand", map[string]any{"command": "/review"}, harness.NoOpinion},
		{harness.Claude, "mcp__x__run_code", map[string]any{"code": "1"}, harness.Ask},
		{harness.Claude, "mcp__ide__executeCode", map[string]any{"code": "1"}, harness.Ask},
		{harness.Claude, "mcp__x__python_interpreter", nil, harness.Ask},
		{harness.Claude, "mcp__x__start_process", map[string]any{"command": "ls"}, harness.Ask},
		{harness.Codex, "mcp__x__run", map[string]any{"argv": []string{"ls"}}, harness.Ask},
		{harness.Claude, "mcp__x__run", map[string]any{"command": ""}, harness.NoOpinion},
		{harness.Claude, "bash", map[string]any{"command": "ls"}, harness.Ask},
		{harness.Claude, "Read", map[string]any{"file_path": "x"}, harness.NoOpinion},
		{harness.Claude, "mcp__docs__search", map[string]any{"q": "x"}, harness.NoOpinion},
		// A patch that is given to a shell is applied by Codex itself.
		{harness.Codex, "shell", map[string]any{"command": []string{"bash", "-lc", "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: .codex/config.toml\n+x\n*** End Patch\nEOF"}}, harness.Deny},
		{harness.Codex, "exec_command", map[string]any{"cmd": "cd sub && apply_patch <<EOF\n*** Begin Patch\n*** Update File: a\n*** Move to: .claude/settings.json\n*** End Patch\nEOF\n"}, harness.Deny},
		{harness.Codex, "shell", map[string]any{"command": []string{"applypatch", "*** Begin Patch\n*** Delete File: .codex/rules/a.rules\n*** End Patch"}}, harness.Deny},
		{harness.Codex, "shell", map[string]any{"command": "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nEOF"}, harness.Ask},
		{harness.Codex, "apply_patch", map[string]any{"command": "*** Begin Patch\n*** Add File: out/a\n+x\n*** Update File: .git/hooks/pre-commit\n*** End Patch"}, harness.Ask},
		{harness.Codex, "apply_patch", map[string]any{"input": "*** Begin Patch\r\n*** Delete File: .codex\\config.toml\r\n*** End Patch"}, harness.Deny},
		{harness.Codex, "apply_patch", map[string]any{"command": "*** Begin Patch\n*** Add File: out/a\n+x\n*** End Patch"}, harness.Allow},
		{harness.Codex, "apply_patch", map[string]any{"command": "*** Begin Patch\n*** Add File: src/a\n+x\n*** End Patch"}, harness.NoOpinion},
	} {
		p, err := tiers.Parse("protocol", []byte(strings.Replace(hookProtocol, `,"codex":{"derived_from_tiers":["tier1_silent"]}`, "", 1)))
		if err != nil {
			t.Fatal(err)
		}
		e, err := harness.Decode(tt.n, event(tt.n, tt.tool, tt.input, nil), harness.PreToolUse)
		if err != nil {
			t.Errorf("%v %s %v: %v", tt.n, tt.tool, tt.input, err)
			continue
		}
		if d := (harness.Hook{Protocol: p, Supervision: harness.Act}).Decide(e); d.Answer != tt.want {
			t.Errorf("%v %s %v: %v, want %v (%s)", tt.n, tt.tool, tt.input, d.Answer, tt.want, d.Reason)
		}
	}
}

// TestWrongTypesAreFaults holds that a field which the decision needs is not passed over when its type is wrong.
func TestWrongTypesAreFaults(t *testing.T) {
	for field, value := range map[string]any{"cwd": 5, "tool_name": []string{"Bash"}, "hook_event_name": nil, "tool_input": "ls", "workspace_roots": "x", "permission_mode": 5} {
		in := event(harness.Claude, "Bash", map[string]any{"command": "git status"}, map[string]any{field: value})
		if o := hook(t, harness.Hook{Supervision: harness.Act}).Respond(harness.Claude, harness.PreToolUse, in); o.Exit != 2 {
			t.Errorf("%s = %v: %+v", field, value, o)
		}
	}
	for _, input := range []map[string]any{{"command": "git status", "env": 5}, {"command": "git status", "env": map[string]any{"A": 1}}, {"command": "git status", "workdir": 5}, {"command": "git status", "shell": []string{"sh"}}} {
		in := event(harness.Codex, "shell", input, nil)
		if got := said(t, hook(t, harness.Hook{Supervision: harness.Act}).Respond(harness.Codex, harness.PreToolUse, in)); got != "deny" {
			t.Errorf("%v: %s", input, got)
		}
	}
}

// TestAbsoluteWritePath holds that a write path outside of the project is looked up where it is, links included.
func TestAbsoluteWritePath(t *testing.T) {
	root, scratch := t.TempDir(), t.TempDir()
	p, err := tiers.Parse("protocol", fmt.Appendf(nil, `{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["cat *"]},"tier2_notified":{"write_paths":[%q]},"tier3_blocking":{}}}`, filepath.ToSlash(scratch)+"/**"))
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"a": "allow told", "away/a": "ask"} {
		if file != "a" {
			if err := os.Symlink(root, filepath.Join(scratch, "away")); err != nil {
				t.Skip(err)
			}
		}
		in := event(harness.Claude, "Bash", map[string]any{"command": "cat a > " + filepath.ToSlash(filepath.Join(scratch, file))}, map[string]any{"cwd": root})
		if got := said(t, harness.Hook{Protocol: p, Supervision: harness.Act}.Respond(harness.Claude, harness.PreToolUse, in)); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

// TestHugeEvents holds that an event which is as large as may be is answered at once.
func TestHugeEvents(t *testing.T) {
	content := strings.Repeat("x = 1; // it's \"quoted\"\n", 2<<20/24)
	for name, in := range map[string][]byte{
		"write":  event(harness.Claude, "Write", map[string]any{"file_path": "/r/out/a", "content": content}, nil),
		"shell":  event(harness.Claude, "Bash", map[string]any{"command": content}, nil),
		"nested": []byte(`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/r/out/a","x":` + strings.Repeat("[", 95) + strings.Repeat("]", 95) + `},"cwd":"/r"}`),
	} {
		h := hook(t, harness.Hook{Supervision: harness.Act})
		t.Run(name, func(t *testing.T) {
			regime.Within(t, 50*time.Millisecond, func() { h.Respond(harness.Claude, harness.PreToolUse, in) })
		})
	}
}

// TestPatchInAListedShell states that a patch which a shell hands on is judged by the files that it writes, also where
// the protocol lists the program that takes it.
func TestPatchInAListedShell(t *testing.T) {
	p, err := tiers.Parse("protocol", []byte(`{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["apply_patch *"]},
		"tier2_notified":{"write_paths":["out/**"]},"tier3_blocking":{}},"tools":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	for before, files := range map[string]map[string]harness.Answer{
		"":                  {"out/a": harness.Allow, "src/a": harness.NoOpinion, "../a": harness.NoOpinion, ".claude/settings.json": harness.Deny, ".git/config": harness.Ask},
		"cd out && ":        {"a": harness.NoOpinion, "../.claude/settings.json": harness.Deny},
		"cd .claude && ":    {"settings.json": harness.Deny},
		"cd .git/hooks && ": {"pre-commit": harness.Ask},
		"cd \"$x\" && ":     {"out/a": harness.Ask},
	} {
		for file, want := range files {
			text := before + "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: " + file + "\n+x\n*** End Patch\nEOF"
			e, err := harness.Decode(harness.Codex, event(harness.Codex, "shell", map[string]any{"command": text}, nil), harness.PreToolUse)
			if err != nil {
				t.Fatal(err)
			}
			d := harness.Hook{Protocol: p, Supervision: harness.Act, Root: "/r"}.Decide(e)
			if d.Answer != want {
				t.Errorf("%q of %s: %s, want %s (%s)", before, file, d.Answer, want, d.Reason)
			}
		}
	}
}
