package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"
)

const version = "0.1.0"

// command is one row of the command table. Its name is one or two words; operands stand beside flags in any order.
type command struct {
	name     string // "envelope get"
	operands string // "AGENT [TASK]", for people
	min, max int    // how many operands; max -1 is any number
	about    string // one line, lower case
	detail   string // more for --help; may be empty
	example  string // one line that works
	flags    []flagDef
	run      func(*call) int
}

// call is one invocation: everything that a command may touch.
type call struct {
	cmd      command
	operands []string
	flags    map[string][]string
	stdin    io.Reader
	stdout   *bytes.Buffer // written out at the end; use stream for output that must not wait
	stream   io.Writer     // the real standard output
	stderr   io.Writer
	env      map[string]string
	now      time.Time // the clock, or --now / AMBIT_NOW, UTC
	nowText  string    // what --now or AMBIT_NOW said; "" when neither did
	json     bool      // --format json
	problems []problem
	blocks   bool // a wrong call must block, not only fail: it stands in an agent's hook
}

// commands is the whole table, in the order in which help lists it.
func commands() []command {
	var all []command
	for _, group := range [...]func() []command{
		checkCommands, envelopeCommands, tiersCommands, notifyCommands, hookCommands, systemCommands, turnCommands,
		campaignCommands, doctorCommands, completionCommands,
	} {
		all = append(all, group()...)
	}
	return all
}

// Main runs one command and gives its exit code. It touches nothing but its arguments, the clock and what the command
// itself is about; env is in the form of os.Environ.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, env []string) int {
	var out bytes.Buffer
	c := &call{stdin: stdin, stdout: &out, stream: stdout, stderr: stderr, env: environment(env)}
	code := c.dispatch(args)
	if out.Len() > 0 {
		if _, err := stdout.Write(out.Bytes()); err != nil {
			c.fail("io", fmt.Errorf("standard output: %w", err))
			code = exitIO
		}
	}
	c.flushProblems()
	return code
}

func (c *call) dispatch(args []string) int {
	table := commands()
	p, err := parseArgs(args, table)
	c.json = p.wantsJSON(args)
	c.blocks = answersHook(p.words)
	switch {
	case err != nil:
		return c.usage(err)
	case p.version:
		fmt.Fprintf(c.stdout, "ambit %s\n", version)
		return exitOK
	case p.help || p.cmd == nil && len(args) == 0:
		if p.cmd == nil {
			writeOverview(c.stdout, p.words, table)
		} else {
			writeHelp(c.stdout, *p.cmd)
		}
		return exitOK
	}
	c.cmd, c.operands, c.flags = *p.cmd, p.operands, p.flags
	if err := c.clock(); err != nil {
		return c.usage(err)
	}
	if n := len(c.operands); n < c.cmd.min || c.cmd.max >= 0 && n > c.cmd.max {
		return c.usage(hinted{fmt.Errorf("%s takes %s, got %d", c.cmd.name, operandCount(c.cmd), n), "ambit " + strings.TrimSpace(c.cmd.name+" "+c.cmd.operands)})
	}
	return c.cmd.run(c)
}

// clock settles now. A command that sets lenientNow reads a bad text as a missing clock, which is its own to judge.
func (c *call) clock() error {
	c.now = time.Now().UTC()
	text, from := c.env["AMBIT_NOW"], "AMBIT_NOW"
	if v, ok := c.flag("now"); ok {
		text, from = v, "--now"
	}
	c.nowText = text
	if text == "" && from == "AMBIT_NOW" {
		return nil
	}
	now, err := time.Parse(time.RFC3339, text)
	if err != nil {
		if lenientNow[c.cmd.name] {
			c.now = time.Time{}
			return nil
		}
		return fmt.Errorf("%s %q is not an RFC 3339 time such as 2026-07-05T14:30:00Z", from, text)
	}
	c.now = now.UTC()
	return nil
}

// lenientNow names the commands for which an unreadable clock is a missing fact, not a usage error.
var lenientNow = map[string]bool{"system outside": true, "system decide": true}

// root gives --root, AMBIT_ROOT, or the current folder.
func (c *call) root() string {
	if v, ok := c.flag("root"); ok {
		return v
	}
	if v := c.env["AMBIT_ROOT"]; v != "" {
		return v
	}
	return "."
}

// flag gives the value of a flag, and whether it was given. A boolean flag's value is "true".
func (c *call) flag(name string) (string, bool) {
	v, ok := c.flags[name]
	if !ok {
		return "", false
	}
	return v[0], true
}

// is reports whether a boolean flag was given.
func (c *call) is(name string) bool { _, ok := c.flags[name]; return ok }

func environment(env []string) map[string]string {
	m := make(map[string]string, len(env))
	for _, kv := range env {
		if k, v, ok := strings.Cut(kv, "="); ok {
			m[k] = v
		}
	}
	return m
}

func operandCount(c command) string {
	switch {
	case c.max == 0:
		return "no operands"
	case c.max < 0 && c.min == 1:
		return "at least one operand"
	case c.max < 0:
		return fmt.Sprintf("at least %d operands", c.min)
	case c.min == c.max && c.min == 1:
		return "one operand"
	case c.min == c.max:
		return fmt.Sprintf("%d operands", c.min)
	default:
		return fmt.Sprintf("%d to %d operands", c.min, c.max)
	}
}
