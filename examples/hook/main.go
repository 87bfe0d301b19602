// Hook is a PreToolUse hook for Claude Code, on the library alone: it judges the command that is about to run by the
// project's protocol, and makes the answer stricter where the agent's envelope says so.
//
//	{"hooks": {"PreToolUse": [{"matcher": "Bash|Write|Edit", "hooks": [{"type": "command",
//	  "command": "hook \"$CLAUDE_PROJECT_DIR\" dave code-dispatch || exit 2"}]}]}}
package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/ambit/envelope"
	"example.com/ambit/harness"
	"example.com/ambit/tiers"
)

func main() {
	out := answer(os.Args[1:], os.Stdin)
	os.Stdout.Write(out.Stdout)
	os.Stderr.Write(out.Stderr)
	os.Exit(out.Exit)
}

// answer takes the project, and if the session has an envelope, the agent and the task type.
func answer(args []string, stdin io.Reader) harness.Output {
	event, err := io.ReadAll(stdin)
	if err != nil || len(args) != 1 && len(args) != 3 {
		return harness.Fault(harness.Claude, harness.PreToolUse, errors.Join(errors.New("usage: hook PROJECT [AGENT TASK]"), err))
	}
	h := harness.Hook{Protocol: tiers.Default(), Supervision: harness.Act, Root: args[0]}
	path := filepath.Join(args[0], filepath.FromSlash(tiers.ProtocolPath))
	data, err := os.ReadFile(path)
	if err == nil {
		h.Protocol, err = tiers.Parse(path, data)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return harness.Fault(harness.Claude, harness.PreToolUse, err)
	}
	if len(args) == 3 {
		h.Supervision = supervision(args[0], args[1], args[2])
	}
	return h.Respond(harness.Claude, harness.PreToolUse, event)
}

// supervision asks the envelope; one that cannot be read supervises everything.
func supervision(root, agent, task string) harness.Supervision {
	doc, err := envelope.Dir{Root: root}.Get(agent)
	if err != nil {
		return harness.Escalate
	}
	permitted := map[envelope.Permission]harness.Supervision{envelope.Act: harness.Act, envelope.SignOff: harness.SignOff}
	return permitted[doc.Envelope().StateOf(task).Permits(envelope.Commit)]
}
