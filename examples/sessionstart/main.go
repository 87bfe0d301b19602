// Sessionstart is a SessionStart hook for Claude Code: it injects an agent's autonomy envelope into the session's
// context, so that the agent knows before its first answer what it may do.
//
//	{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "sessionstart \"$CLAUDE_PROJECT_DIR\" dave"}]}]}}
package main

import (
	"fmt"
	"os"
	"strings"

	"example.com/ambit/envelope"
	"example.com/ambit/harness"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sessionstart PROJECT AGENT")
		os.Exit(1)
	}
	out := harness.Encode(harness.Claude, harness.SessionStart, harness.Decision{Context: brief(os.Args[1], os.Args[2])}, false)
	os.Stdout.Write(out.Stdout)
	os.Stderr.Write(out.Stderr)
}

var duty = map[envelope.Permission]string{
	envelope.Act:      "act, do not ask",
	envelope.SignOff:  "draft freely; get a sign-off before commit, push, publish or ship",
	envelope.Escalate: "do not act; escalate each step",
}

// brief says in words what the envelope says; one that cannot be read approves nothing.
func brief(root, agent string) string {
	var b strings.Builder
	doc, err := envelope.Dir{Root: root}.Get(agent)
	if err == nil {
		for _, t := range doc.Envelope().TaskTypes {
			fmt.Fprintf(&b, "- %s (%s): %s\n", t.ID, t.State, duty[t.State.Permits(envelope.Commit)])
		}
	}
	return fmt.Sprintf("What the operator has approved %s to do:\n%s- anything else (%s): %s\n",
		agent, &b, envelope.NeedsFullSupervision, duty[envelope.Escalate])
}
