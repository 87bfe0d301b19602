package harness_test

import (
	"testing"

	"example.com/ambit/harness"
	"example.com/ambit/internal/enum/enumtest"
)

func TestEnums(t *testing.T) {
	enumtest.Words[harness.Action](t, "refuse", "refuse", "same", "create", "update", "remove")
	enumtest.Words[harness.Answer](t, "deny", "deny", "ask", "no opinion", "allow")
	enumtest.Words[harness.Kind](t, "PreToolUse", "PreToolUse", "PermissionRequest", "SessionStart", "PostToolUse")
	enumtest.Words[harness.Name](t, "harness(200)", "claude", "codex", "opencode", "gemini", "cursor")
	enumtest.Words[harness.State](t, "unknown", "unknown", "in_sync", "drifted", "missing", "edited")
	enumtest.Words[harness.Supervision](t, "escalate", "escalate", "signOff", "act")
	enumtest.Words[harness.Target](t, "target(200)", "claude", "codex", "opencode", "codex-rules", "opencode-config")
	enumtest.Words[harness.ToolClass](t, "unknown_shell", "unknown_shell", "shell", "writer", "other")
}
