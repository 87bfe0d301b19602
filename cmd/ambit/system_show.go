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
		if max, capped := sys.Max(name, component); capped && sys.HasInstance(name, component) {
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
