package main

import (
	"cmp"
	"fmt"
	"strings"

	"example.com/ambit/systempolicy"
)

func (c *call) writeShow(sys *systempolicy.System, path string, list []showEnvironment) {
	name := sys.Name()
	if name == "" {
		name = path
	}
	switch {
	case !sys.Valid():
		fmt.Fprintf(c.stdout, "%s: %s\n", printable(name), c.paint("31", "not valid, so it is not rendered and every environment acts as observe"))
	case !sys.Declared():
		fmt.Fprintf(c.stdout, "%s: no autonomy is declared, so every environment is at observe\n", printable(name))
		return
	case sys.Paused():
		fmt.Fprintf(c.stdout, "%s: %s\n", printable(name), c.paint("31", "paused in git, so every environment acts as observe"))
	default:
		fmt.Fprintf(c.stdout, "%s: autonomy is declared, not paused in git\n", printable(name))
	}
	rows := [][]string{}
	for _, e := range list {
		rows = append(rows, []string{"  " + printable(e.Name), "acts as " + e.Effective.String(), printable(e.Why), c.windowNow(e)})
	}
	if len(rows) > 0 {
		fmt.Fprintln(c.stdout)
		writeTable(c.stdout, rows)
	}
	for _, e := range list {
		if e.Declared || len(e.Caps) > 0 || len(list) == 1 {
			c.writeEnvironment(e)
		}
	}
}

// windowNow says in a few words whether an environment's window is open; nothing where that does not matter.
func (c *call) windowNow(e showEnvironment) string {
	switch {
	case e.Effective < systempolicy.Act:
		return ""
	case e.Engine == nil:
		return "no engine: nothing acts"
	case e.NextChange == nil:
		return c.paint("33", "the window never opens")
	case e.Open:
		return c.paint("32", "open until "+e.NextChange.Local)
	}
	return c.paint("33", "closed until "+e.NextChange.Local)
}

func (c *call) writeEnvironment(e showEnvironment) {
	fmt.Fprintf(c.stdout, "\n%s acts as %s: %s\n", c.paint("1", printable(e.Name)), c.paint("1", e.Effective.String()), printable(e.Why))
	say := func(label, text string) { writeWrapped(c.stdout, fmt.Sprintf("  %-9s", label), 11, printable(text)) }
	if e.Declared {
		c.writePolicy(e, say)
	}
	for _, cap := range e.Caps {
		text := fmt.Sprintf("%s acts as %s (max %s", cap.Component, cap.Effective, cap.Max)
		if !cap.Lowers {
			text += ", which lowers nothing"
		}
		say("cap", text+")")
	}
	for _, l := range e.lines {
		say(l[0], l[1])
	}
}

func (c *call) writePolicy(e showEnvironment, say func(label, text string)) {
	if e.Engine != nil {
		supervised := ""
		if e.Supervised != nil {
			supervised = " (" + *e.Supervised + ")"
		}
		say("engine", *e.Engine+supervised)
	} else {
		say("engine", "none, so nothing acts here")
	}
	for _, w := range e.Windows {
		state := "closed"
		if w.Open {
			state = "open"
		}
		say("window", fmt.Sprintf("%s; it is %s there now: %s", w.Window, w.Local, state))
	}
	say("", c.changeText(e))
	differs := make([]string, len(e.Differs))
	for i, d := range e.Differs {
		differs[i] = fmt.Sprintf("%s %s (default %s)", d.Key, d.Value, d.Default)
	}
	say("differs", cmp.Or(strings.Join(differs, ", "), "in nothing from the defaults"))
	run := e.Policy.PerRun()
	say("budget", fmt.Sprintf("%d runs and %d merges in a UTC day; a run: %v minutes, %v invocations, %v reruns, cost %v",
		e.Policy.RunsPerDay(), e.Policy.MergesPerDay(), run.Minutes, run.Invocations, run.Reruns, run.Cost))
	say("gate", gateText(e.Policy))
	say("undo", "for "+cmp.Or(e.Policy.UndoWindow().String(), "no time"))
}

// changeText says when the window opens or closes next.
func (c *call) changeText(e showEnvironment) string {
	if e.NextChange == nil {
		return "it never changes"
	}
	verb := "closes"
	if e.NextChange.Opens {
		verb = "opens"
	}
	when := e.NextChange.At
	if _, tty := c.terminal(); tty {
		when = "in " + spell(e.NextChange.at.Sub(c.now))
	}
	return fmt.Sprintf("%s %s (%s)", verb, e.NextChange.Local, when)
}

// gateText says what a change must be to be merged.
func gateText(p systempolicy.Policy) string {
	needs := []string{
		"routes " + cmp.Or(strings.Join(p.Routes(), ", "), "none"), "criticality at most " + p.MaxCriticality().String(),
		fmt.Sprintf("at most %d files and %d lines", p.MaxFiles(), p.MaxLines()),
	}
	if p.RegressionTest() {
		needs = append(needs, "a regression test")
	}
	if p.SecondReview() {
		needs = append(needs, "a second review")
	}
	return strings.Join(needs, ", ")
}
