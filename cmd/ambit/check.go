package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"example.com/ambit/tiers"
)

func checkCommands() []command {
	return []command{{
		name: "check", operands: "COMMAND...|-", min: 1, max: -1, about: "may this command run without asking, and why",
		detail: "Judges a bash command line: silent and notify exit 0, ask and block exit 2. One argument is the text; several are\n" +
			"joined by blanks as they are, so quote what the shell would take; - reads the text from standard input.\n" +
			"Without a protocol in the folder, the built-in one judges; where a folder above has one that is stricter, that one,\n" +
			"by which an agent's hook judges. Nothing is run.",
		example: "ambit check -- git status '&&' git push",
		flags:   append([]flagDef{flagProtocol, flagTool}, flagsSupervision...),
		run:     runCheck,
	}}
}

type partJSON struct {
	Command  string         `json:"command"`
	Start    int            `json:"start"`
	End      int            `json:"end"`
	Tier     *tiers.Tier    `json:"tier"`
	Pattern  *string        `json:"pattern"`
	Reason   tiers.Reason   `json:"reason"`
	Decision tiers.Decision `json:"decision"`
	Via      []string       `json:"via"`
	Detail   *string        `json:"detail"`
}

func runCheck(c *call) int {
	p, code := c.ownProtocol()
	if code != exitOK {
		return code
	}
	tool, code := c.declaredTool(p)
	if code != exitOK {
		return code
	}
	held, err := c.supervisionOf()
	if err != nil {
		return c.usage(err)
	}
	text, err := c.commandText()
	if err != nil {
		c.fail("io", err)
		return exitIO
	}
	v, err := evaluateAt(c.root(), p, tool, text)
	if err != nil {
		c.fail("io", err)
		return exitIO
	}
	if p, v, code = c.orAsTheProject(p, v, tool, text); code != exitOK {
		return code
	}
	c.mentionNotices(p)
	decision := held.join(v.Decision)
	if c.json {
		checkJSON(c, p, v, decision, held)
	} else {
		checkText(c, p, v, decision, held)
	}
	if decision == tiers.Silent || decision == tiers.Notify {
		return exitOK
	}
	return exitRefused
}

// evaluateAt judges a text by a root's protocol.
func evaluateAt(root string, p *tiers.Protocol, tool, text string) (v tiers.Verdict, err error) {
	e := tiers.Evaluator{Protocol: p, Tool: tool}
	if e.Root, e.Dir, err = place(root); err != nil {
		return v, err
	}
	return e.Evaluate(text), nil
}

// orAsTheProject gives the protocol and the verdict of the project that the current folder is a part of, when that one is
// stricter: nobody is told to go ahead with what an agent's hook would stop.
func (c *call) orAsTheProject(p *tiers.Protocol, v tiers.Verdict, tool, text string) (*tiers.Protocol, tiers.Verdict, int) {
	top := c.projectAbove()
	if top == "" {
		return p, v, exitOK
	}
	above, code := c.protocolOf(top)
	if code != exitOK {
		return nil, v, code
	}
	if _, declared := above.Tool(tool); !declared {
		tool = "" // as in the hook (K31)
	}
	there, err := evaluateAt(top, above, tool, text)
	if err != nil {
		c.fail("io", err)
		return nil, v, exitIO
	}
	if there.Decision.Strictness() <= v.Decision.Strictness() {
		c.noteProtocolAbove(p, top)
		return p, v, exitOK
	}
	c.note("protocol_above", hinted{errors.New("the protocol of a folder above is stricter than the one here, and decides, as in an agent's hook"), "--root " + top + " judges by it alone"})
	return above, there, exitOK
}

// mentionNotices says that the protocol has notices; that it blocks nothing is said in full (T3).
func (c *call) mentionNotices(p *tiers.Protocol) {
	others := 0
	for _, n := range p.Notices() {
		if n.Code == tiers.NoticeNoTier3 {
			c.warn(string(n.Code), fmt.Errorf("%s: %s", p.Name(), n.Message))
		} else {
			others++
		}
	}
	if others > 0 {
		c.note("notices", fmt.Errorf("the protocol has %s; ambit tiers show says more", plural(others, "notice")))
	}
}

// maxCommand is how much of standard input is read: more than any command that is not too long (T36).
const maxCommand = 1 << 20

// commandText is the text to judge: the operands joined by blanks, or standard input.
func (c *call) commandText() (string, error) {
	if len(c.operands) != 1 || c.operands[0] != "-" {
		return strings.Join(c.operands, " "), nil
	}
	data, err := io.ReadAll(io.LimitReader(c.stdin, maxCommand))
	if err != nil {
		return "", fmt.Errorf("standard input: %w", err)
	}
	return string(data), nil
}

// place gives the root absolute, and where below it the command would start: here, or the root when we are elsewhere.
func place(from string) (root, dir string, err error) {
	if root, err = filepath.Abs(from); err != nil {
		return "", "", err
	}
	here, err := os.Getwd()
	if err != nil {
		return "", "", err
	}
	if rel, err := filepath.Rel(root, here); err == nil && filepath.IsLocal(rel) {
		dir = filepath.ToSlash(rel)
	}
	return root, dir, nil
}

func checkJSON(c *call, p *tiers.Protocol, v tiers.Verdict, decision tiers.Decision, held *supervision) {
	parts := []partJSON{}
	for _, part := range v.Parts {
		j := partJSON{part.Text, part.Start, part.End, nil, optional(part.Pattern), part.Reason, part.Decision, append([]string{}, part.Via...), optional(part.Detail)}
		if part.Tier != tiers.TierNone {
			j.Tier = &part.Tier
		}
		parts = append(parts, j)
	}
	writeJSON(c.stdout, struct {
		Version     int            `json:"version"`
		Verdict     tiers.Decision `json:"verdict"`
		Command     string         `json:"command"`
		Parts       []partJSON     `json:"parts"`
		Protocol    string         `json:"protocol"`
		Supervision *supervision   `json:"supervision"`
	}{1, decision, v.Text, parts, p.Name(), held})
}

// decisionColours make the word that matters stand out on a terminal.
var decisionColours = map[tiers.Decision]string{tiers.Silent: "32", tiers.Notify: "36", tiers.Ask: "33", tiers.Block: "1;31"}

func checkText(c *call, p *tiers.Protocol, v tiers.Verdict, decision tiers.Decision, held *supervision) {
	if decision != v.Decision {
		fmt.Fprintf(c.stdout, "%s: the envelope turns %s into %s\n\n", c.paint(decisionColours[decision], decision.String()), v.Decision, decision)
	}
	for line := range strings.Lines(v.Explain()) {
		word := v.Decision.String()
		switch rest, first := strings.CutPrefix(line, word+": "); {
		case first:
			line = c.paint(decisionColours[v.Decision], word) + ": " + rest
		case strings.HasPrefix(line, "> "):
			line = c.paint(decisionColours[v.Decision], strings.TrimSuffix(line, "\n")) + "\n"
		}
		fmt.Fprint(c.stdout, line)
	}
	fmt.Fprintln(c.stdout)
	if held != nil {
		fmt.Fprintf(c.stdout, "envelope  %s, %s: %s\n", held.Agent, held.Task, held.State)
	}
	fmt.Fprintf(c.stdout, "protocol  %s\n", printable(protocolName(p)))
}
