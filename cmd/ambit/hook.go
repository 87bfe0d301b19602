package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"example.com/ambit/envelope"
	"example.com/ambit/harness"
	"example.com/ambit/internal/atomicfile"
)

// hookName is the command that an agent calls: it never ends in 0 or 1 when it could not judge, not even for a wrong
// call, since agents let a tool run after any other code than 2 (K34).
const hookName = "hook"

// hookTimeout is how long a hook waits for its event before it blocks: an agent's own time limit lets the call run.
const hookTimeout = 2 * time.Second

func hookCommands() []command {
	return append([]command{{
		name: hookName, about: "answer one hook event of a coding agent",
		detail: "Reads one event on standard input and answers in the agent's own form: silent and notify run, block does not, ask\n" +
			"asks where the agent can. Whatever cannot be judged is blocked: unreadable input, an invalid protocol, a wrong flag,\n" +
			"two seconds of silence. With --agent and --task the envelope's state makes the answer stricter, never looser.",
		example: `ambit hook --harness claude --event PreToolUse < event.json`,
		flags: append([]flagDef{
			{name: "harness", value: "H", about: "claude, codex, gemini or cursor", oneOf: []string{"claude", "codex", "gemini", "cursor"}},
			{name: "event", value: "E", about: "the event, when the input does not name one (default: the one before a tool runs)"},
			{name: "ask", value: "native", about: "leave what would ask to the agent's own rules", oneOf: []string{"native"}},
			{name: "tier3", value: "deny|ask", about: "whether tier3 blocks (default) or asks", oneOf: []string{"deny", "ask"}},
			flagProtocol,
		}, flagsSupervision...),
		run: runHook,
	}}, hookInstallCommands()...)
}

// answersHook reports whether the words of a call are those of an agent's hook, as opposed to its installation.
func answersHook(words []string) bool {
	return len(words) > 0 && words[0] == hookName && (len(words) == 1 || words[1] != "install" && words[1] != "uninstall")
}

// runHook reads the event with a deadline and writes the answer. Only the agent's own JSON goes to standard output.
func runHook(c *call) int {
	var n harness.Name
	text, given := c.flag("harness")
	if !given {
		return c.hookFault(n, harness.PreToolUse, errors.New("--harness is missing; allowed: claude, codex, gemini, cursor"))
	}
	if err := n.UnmarshalText([]byte(text)); err != nil {
		return c.hookFault(n, harness.PreToolUse, err)
	}
	kind := harness.PreToolUse
	if event, given := c.flag("event"); given {
		var err error
		if kind, err = harness.ParseKind(n, event); err != nil {
			return c.hookFault(n, harness.PreToolUse, err)
		}
	}
	answered := make(chan harness.Output, 1)
	go func() { answered <- c.answerHook(n, kind) }()
	select {
	case out := <-answered:
		return c.writeHook(out)
	case <-time.After(hookTimeout):
		return c.hookFault(n, kind, fmt.Errorf("no event on standard input within %v", hookTimeout))
	}
}

// hookFault answers what could not be judged.
func (c *call) hookFault(n harness.Name, k harness.Kind, err error) int {
	return c.writeHook(harness.Fault(n, k, err))
}

func (c *call) writeHook(out harness.Output) int {
	c.stdout.Write(out.Stdout)
	_, _ = c.stderr.Write(out.Stderr)
	return out.Exit
}

// answerHook reads the event and judges it. It reports nothing through the call: it may still run when the call is over.
func (c *call) answerHook(n harness.Name, kind harness.Kind) harness.Output {
	data, err := io.ReadAll(io.LimitReader(c.stdin, harness.MaxEvent+1))
	if err != nil {
		return harness.Fault(n, kind, fmt.Errorf("standard input: %w", err))
	}
	var warning []byte
	out := harness.Respond(n, kind, data, func(e harness.Event) (d harness.Decision, err error) {
		d, warning, err = c.decideHook(e)
		return d, err
	})
	out.Stderr = append(out.Stderr, warning...)
	return out
}

// decideHook decides one event in the project that it is about. warning is for the person beside the answer.
func (c *call) decideHook(e harness.Event) (d harness.Decision, warning []byte, err error) {
	judge := &call{flags: c.flags, env: c.env, now: c.now, stdin: c.stdin}
	root := judge.hookRoot(e)
	judge.flags = withRoot(c.flags, root)
	if e.Kind == harness.SessionStart {
		return harness.Decision{Context: judge.sessionContext()}, nil, nil
	}
	if err := c.namedRoot(); err != nil {
		return d, nil, err
	}
	p, code := judge.protocolFor(root)
	if code != exitOK {
		return d, nil, judge.firstProblem()
	}
	held, err := judge.supervisionOf()
	if err != nil {
		return d, nil, err
	}
	tier3, _ := c.flag("tier3")
	h := harness.Hook{Protocol: p, Supervision: held.hook(), AskNative: c.is("ask"), Tier3Ask: tier3 == "ask", Root: root}
	if h.Tier3Ask && e.Harness == harness.Claude && e.Class == harness.Shell {
		warning = denyInForce(root, e.Command)
	}
	return h.Decide(e), warning, nil
}

// denyInForce warns when a deny rule of the agent's own settings makes asking vain (K19).
func denyInForce(root, command string) []byte {
	name := filepath.Join(root, filepath.FromSlash(harness.ClaudeSettings.Path()))
	data, _, err := atomicfile.Read(root, name, harness.MaxFile)
	if err != nil {
		return nil // no settings, no deny
	}
	rule, err := harness.DenyInForce(name, data, command)
	if err != nil || rule == "" {
		return nil
	}
	return fmt.Appendf(nil, "ambit: warning: the deny rule %s in %s wins over this answer; ambit tiers materialize --tier3 ask moves it\n", printable(rule), printable(name))
}

// hook gives the supervision that a state stands for (K33); without an envelope the verdict stands.
func (s *supervision) hook() harness.Supervision {
	if s == nil {
		return harness.Act
	}
	switch s.State.Permits(envelope.Commit) {
	case envelope.Act:
		return harness.Act
	case envelope.SignOff:
		return harness.SignOff
	}
	return harness.Escalate
}

// hookRoot finds the root of an event: --root, AMBIT_ROOT, what the agent says, else the project of the agent's working
// folder.
func (c *call) hookRoot(e harness.Event) string {
	if root := c.root(); root != "." {
		return root
	}
	for _, root := range []string{c.env["CLAUDE_PROJECT_DIR"], e.Root} {
		if root != "" {
			return root
		}
	}
	dir, err := filepath.Abs(e.Dir)
	if err != nil {
		return "."
	}
	if top, ok := project(dir); ok {
		return top
	}
	return dir
}

func withRoot(flags map[string][]string, root string) map[string][]string {
	out := map[string][]string{"root": {root}}
	for k, v := range flags {
		if k != "root" {
			out[k] = v
		}
	}
	return out
}

// firstProblem gives what a quiet call reported, as one error.
func (c *call) firstProblem() error {
	if len(c.problems) == 0 {
		return errors.New("no reason was given")
	}
	p := c.problems[0]
	return errors.New(cmp.Or(p.text, p.Message))
}

// sessionContext is what a session starts with: the agent's envelope, or the safe answer when it cannot be read.
func (c *call) sessionContext() string {
	agent, given := c.flag("agent")
	if !given {
		return ""
	}
	closed := fmt.Sprintf("Autonomy envelope of %s: it cannot be read, so every task type is %s: escalate each step.", agent, envelope.NeedsFullSupervision)
	d, err := envelopeDir(c)
	if err != nil {
		return closed
	}
	doc, err := d.Get(agent)
	if err != nil {
		return closed
	}
	var b strings.Builder
	env := doc.Envelope()
	fmt.Fprintf(&b, "Autonomy envelope of %s, approved by %s. A task type that is not listed is %s.\n", env.Agent, env.Owner, envelope.NeedsFullSupervision)
	for _, t := range env.TaskTypes {
		fmt.Fprintf(&b, "%s: %s\n", t.ID, t.State)
	}
	return b.String()
}
