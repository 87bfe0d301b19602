package main

import (
	"fmt"
	"slices"
	"time"

	"example.com/ambit/systempolicy"
)

// showEnvironment is all that show says about one environment; its JSON is the command's.
type showEnvironment struct {
	Name       string              `json:"environment"`
	Declared   bool                `json:"declared"`
	Level      systempolicy.Level  `json:"level"`
	Effective  systempolicy.Level  `json:"effective"`
	Why        string              `json:"why"`
	Engine     *string             `json:"engine"`
	Supervised *string             `json:"supervised"` // null: not asked
	Differs    []showDifference    `json:"differs"`
	Windows    []showWindow        `json:"windows"`
	Open       bool                `json:"open"`
	NextChange *showChange         `json:"nextChange"`
	Policy     systempolicy.Policy `json:"policy"`
	Caps       []showCap           `json:"caps"`
	Live       any                 `json:"live"`

	lines [][]string
}

type showDifference struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Default string `json:"default"`
}

type showWindow struct {
	Window string `json:"window"`
	Local  string `json:"local"` // the weekday and time now
	Open   bool   `json:"open"`
}

type showChange struct {
	Opens bool   `json:"opens"`
	Local string `json:"local"`
	At    string `json:"at"`

	at time.Time
}

type showCap struct {
	Component string             `json:"component"`
	Max       systempolicy.Level `json:"max"`
	Effective systempolicy.Level `json:"effective"`
	Lowers    bool               `json:"lowers"`
}

func systemShow(c *call) int {
	sys, path, code := c.loadSystem()
	if code == exitIO {
		return code
	}
	signals, signalsCode := c.loadSignals()
	code = max(code, signalsCode)
	told := code // how well everything that the levels follow from could be read
	names := slices.Collect(sys.Environments())
	if len(c.operands) == 1 {
		if names = c.operands; !sys.Has(names[0]) {
			c.noteAbsent(sys, names[0], "")
			code = max(code, exitRefused)
			names = nil
		}
	}
	live := c.systemLive(sys, names)
	list := make([]showEnvironment, 0, len(names))
	for _, name := range names {
		e := describe(told, sys, name, signals, c.now)
		if l, asked := live[name]; asked {
			e.Supervised, e.Live, e.lines = &l.Supervised, l.JSON, l.Lines
		}
		list = append(list, e)
	}
	if c.json {
		writeJSON(c.stdout, struct {
			Version      int               `json:"version"`
			File         string            `json:"file"`
			System       *string           `json:"system"`
			Valid        bool              `json:"valid"`
			Declared     bool              `json:"declared"`
			Paused       bool              `json:"paused"`
			Environments []showEnvironment `json:"environments"`
		}{1, path, optional(sys.Name()), sys.Valid(), sys.Declared(), sys.Paused(), list})
		return code
	}
	c.writeShow(sys, path, list)
	return code
}

// describe gives what show says about an environment; told is as for actsAs.
func describe(told int, sys *systempolicy.System, name string, signals systempolicy.Signals, now time.Time) showEnvironment {
	p := sys.Policy(name)
	e := showEnvironment{
		Name: name, Declared: sys.DeclaresIn(name), Level: p.Level(), Effective: actsAs(told, sys, name, "", signals),
		Engine: optional(p.Engine()), Differs: differences(p), Policy: p, Open: p.Open(now), Windows: []showWindow{}, Caps: []showCap{},
	}
	e.Why = why(told, sys, &e, signals)
	for _, w := range p.Windows() {
		e.Windows = append(e.Windows, showWindow{w.String(), w.Local(now), w.Contains(now)})
	}
	if at, opens, ok := p.NextChange(now); ok {
		e.NextChange = &showChange{opens, p.Windows()[0].Local(at), at.Format(time.RFC3339), at}
	}
	for component := range sys.Components() {
		if max, capped := sys.Max(component, name); capped && sys.HasInstance(component, name) {
			acts := actsAs(told, sys, name, component, signals)
			e.Caps = append(e.Caps, showCap{component, max, acts, acts < e.Effective})
		}
	}
	return e
}

// why says why an environment acts as it does. (R30, R31)
func why(told int, sys *systempolicy.System, e *showEnvironment, signals systempolicy.Signals) string {
	signal := signals.Environments[e.Name]
	switch {
	case !sys.Valid():
		return "the file is not valid"
	case told != exitOK:
		return "the signals cannot be told"
	case sys.Paused():
		return "paused in git"
	case signals.Paused || signal.Paused:
		return "paused by a signal"
	case signal.Level != nil && *signal.Level < e.Level && e.Effective < systempolicy.Act:
		return fmt.Sprintf("declared %s, lowered by a signal", e.Level)
	case e.Level == systempolicy.Improve:
		return "declared improve (acts as act)"
	case !e.Declared:
		return "nothing is declared"
	case !sys.Written(e.Name).Has(systempolicy.KeyLevel):
		return "no level is declared"
	}
	return fmt.Sprintf("declared %s", e.Level)
}

// differences lists the guardrails and budgets that are not at their defaults.
func differences(p systempolicy.Policy) []showDifference {
	base := systempolicy.Default()
	out := []showDifference{}
	differing := systempolicy.Compare(base, p)
	for k := range (differing.Keys(systempolicy.Tighter) | differing.Loosens()).All() {
		if value, standard := p.Text(k), base.Text(k); k != systempolicy.KeyLevel && k != systempolicy.KeyEngine && value != standard {
			out = append(out, showDifference{k.String(), value, standard})
		}
	}
	return out
}

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
	say("differs", or(listed(differs), "in nothing from the defaults"))
	run := e.Policy.PerRun()
	say("budget", fmt.Sprintf("%d runs and %d merges in a UTC day; a run: %v minutes, %v invocations, %v reruns, cost %v",
		e.Policy.RunsPerDay(), e.Policy.MergesPerDay(), run.Minutes, run.Invocations, run.Reruns, run.Cost))
	say("gate", gateText(e.Policy))
	say("undo", "for "+or(e.Policy.UndoWindow().String(), "no time"))
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
		"routes " + or(listed(p.Routes()), "none"), "criticality at most " + p.MaxCriticality().String(),
		fmt.Sprintf("at most %d files and %d lines", p.MaxFiles(), p.MaxLines()),
	}
	if p.RegressionTest() {
		needs = append(needs, "a regression test")
	}
	if p.SecondReview() {
		needs = append(needs, "a second review")
	}
	return listed(needs)
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// spell gives a span in its two largest units.
func spell(d time.Duration) string {
	minutes := int((d + time.Minute - 1) / time.Minute)
	days, hours, minutes := minutes/(24*60), minutes/60%24, minutes%60
	switch {
	case days > 0:
		return fmt.Sprintf("%d d %d h", days, hours)
	case hours > 0:
		return fmt.Sprintf("%d h %d min", hours, minutes)
	}
	return fmt.Sprintf("%d min", minutes)
}
