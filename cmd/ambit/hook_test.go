package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const pushEvent = `{"hook_event_name":"PreToolUse","cwd":"/","tool_name":"Bash","tool_input":{"command":"git push"}}`

func hookRootFolder(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".aioson/config/autonomy-protocol.json", `{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["cat *"]},"tier2_notified":{"shell_patterns":["make test"]},"tier3_blocking":{"shell_patterns":["git push *"]}},"tools":{}}`)
	write("sub/vendor/.aioson/config/autonomy-protocol.json", `{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["git push *"]},"tier3_blocking":{}},"tools":{}}`)
	write("agents/dave/autonomy-envelope.md", "---\nagent: dave\nowner: barry\nupdated: 2026-07-05T14:30:00Z\ntaskTypes:\n  - id: code\n    state: fullyApproved\n    stateSince: 2026-07-05T14:30:00Z\n  - id: draft\n    state: checkBeforeCommitting\n    stateSince: 2026-07-05T14:30:00Z\n---\n\n# Autonomy envelope; dave\n")
	return root
}

func bashEvent(dir, command string) string {
	return `{"hook_event_name":"PreToolUse","cwd":"` + filepath.ToSlash(dir) + `","tool_name":"Bash","tool_input":{"command":"` + command + `"}}`
}

func TestHookCommand(t *testing.T) {
	root := hookRootFolder(t)
	elsewhere := filepath.Join(hookRootFolder(t), "sub/vendor")
	if err := os.RemoveAll(filepath.Join(elsewhere, "../../.aioson")); err != nil {
		t.Fatal(err)
	}
	claude := []string{"hook", "--harness", "claude"}
	for _, tt := range []struct {
		name  string
		args  []string
		stdin string
		code  int
		want  string // part of standard output; "" is none at all
	}{
		{"block", claude, bashEvent(root, "git push"), 2, `"permissionDecision":"deny"`},
		{"silent", claude, bashEvent(root, "cat a"), 0, `"permissionDecision":"allow"`},
		{"notify", claude, bashEvent(root, "make test"), 0, `"systemMessage":"ℹ [Bash] make test"`},
		{"ask", claude, bashEvent(root, "make x"), 0, `"permissionDecision":"ask"`},
		{"ask native", append(claude, "--ask", "native"), bashEvent(root, "make x"), 0, ""},
		{"tier3 asks", append(claude, "--tier3", "ask"), bashEvent(root, "git push"), 0, `"permissionDecision":"ask"`},
		{"a protocol further down does not count", claude, bashEvent(filepath.Join(root, "sub/vendor"), "git push"), 2, `"deny"`},
		{"approved", append(claude, "--agent", "dave", "--task", "code"), bashEvent(root, "make test"), 0, `"allow"`},
		{"sign off", append(claude, "--agent", "dave", "--task", "draft"), bashEvent(root, "make test"), 0, `"ask"`},
		{"unknown agent", append(claude, "--agent", "nobody", "--task", "code"), bashEvent(root, "cat a"), 0, `"ask"`},
		{"unknown task", append(claude, "--agent", "dave", "--task", "other"), bashEvent(root, "cat a"), 0, `"ask"`},
		{"session", append(claude, "--event", "SessionStart", "--agent", "dave"), `{"hook_event_name":"SessionStart","cwd":"` + filepath.ToSlash(root) + `","source":"startup"}`, 0, `code: fullyApproved`},
		{"session of nobody", append(claude, "--agent", "nobody"), `{"hook_event_name":"SessionStart","cwd":"` + filepath.ToSlash(root) + `"}`, 0, `needsFullSupervision: escalate`},
		{"garbage", claude, "not JSON", 2, ""},
		{"garbage at a session", append(claude, "--event", "SessionStart"), "not JSON", 0, ""},
		{"no harness", []string{"hook"}, pushEvent, 2, ""},
		{"unknown flag", append(claude, "--bogus"), pushEvent, 2, ""},
		{"unknown event", append(claude, "--event", "Nonsense"), pushEvent, 2, ""},
		{"half of a pair", append(claude, "--agent", "dave"), bashEvent(root, "cat a"), 2, ""},
		{"operand", append(claude, "x"), pushEvent, 2, ""},
		{"missing protocol file", append(claude, "--protocol", filepath.Join(root, "none.json")), pushEvent, 2, ""},
		{"invalid protocol", append(claude, "--protocol", filepath.Join(root, "agents/dave/autonomy-envelope.md")), pushEvent, 2, ""},
		{"codex garbage", []string{"hook", "--harness", "codex"}, "x", 0, `"permissionDecision":"deny"`},
		{"codex in a folder with a protocol of its own", []string{"hook", "--harness", "codex"}, `{"hook_event_name":"PreToolUse","cwd":"` + filepath.ToSlash(root) + `","tool_name":"exec_command","tool_input":{"cmd":"git push","workdir":"` + filepath.ToSlash(elsewhere) + `"}}`, 0, `"permissionDecision":"deny"`},
		{"gemini", []string{"hook", "--harness", "gemini"}, `{"hook_event_name":"BeforeTool","cwd":"` + filepath.ToSlash(root) + `","tool_name":"run_shell_command","tool_input":{"command":"git push"}}`, 0, `"decision":"deny"`},
		{"cursor", []string{"hook", "--harness", "cursor"}, `{"hook_event_name":"beforeShellExecution","cwd":"` + filepath.ToSlash(root) + `","command":"git push"}`, 2, `"permission":"deny"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, out, errs := run(t, tt.stdin, nil, tt.args...)
			if code != tt.code || !strings.Contains(out, tt.want) || tt.want == "" && out != "" {
				t.Errorf("exit %d, want %d\nstdout %q, want %q\nstderr %q", code, tt.code, out, tt.want, errs)
			}
			if code == 2 && errs == "" && !strings.Contains(out, "deny") {
				t.Error("it blocks and says nothing")
			}
		})
	}
}

// TestHookTimeout: an agent that never closes standard input is answered all the same.
func TestHookTimeout(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts many processes, or waits")
	}
	r, w := io.Pipe()
	defer w.Close()
	var out, errs strings.Builder
	start := time.Now()
	code := Main([]string{"hook", "--harness", "claude"}, r, &out, &errs, nil)
	if code != 2 || out.String() != "" || !strings.Contains(errs.String(), "no event") {
		t.Errorf("exit %d, %q, %q", code, out.String(), errs.String())
	}
	if took := time.Since(start); took < hookTimeout || took > hookTimeout+3*time.Second {
		t.Errorf("it took %v", took)
	}
}
