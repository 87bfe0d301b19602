package main

import (
	"errors"
	"fmt"

	"example.com/ambit/systempolicy"
)

func systemJudgeCommands() []command {
	flags := []flagDef{flagSystem, flagFacts, flagComponent}
	return []command{
		{
			name: "system outside", operands: "ENV", min: 1, max: 1, about: "the guardrails that a change breaks",
			detail: "The facts are one JSON object: route as \"fix\", criticality low, medium or high, the integers files, adds, deletes,\n" +
				"mergesToday and runsToday, and regressionTest and secondReview, true or false.\n" +
				"A missing fact is outside. The level is not looked at: use system decide for that. Exit 0 inside, 2 outside.",
			example: "ambit system outside dev --facts facts.json", flags: flags, run: systemOutside,
		},
		{
			name: "system decide", operands: "ENV", min: 1, max: 1, about: "may an engine merge this change by itself",
			detail: "Merge when the instance acts as act, an engine is declared and nothing is outside; else a person decides. Exit 0 merge, 2 wait.\n" +
				"ambit system outside --help says what the facts are.",
			example: "ambit system decide dev --component shop-api --facts facts.json", flags: append([]flagDef{flagSignals}, flags...), run: systemDecide,
		},
	}
}

type reasonJSON struct {
	Guardrail string `json:"guardrail"`
	Message   string `json:"message"`
	Got       any    `json:"got"`
	Limit     any    `json:"limit"`
}

func reasonsJSON(reasons []systempolicy.Reason) []reasonJSON {
	list := make([]reasonJSON, 0, len(reasons))
	for _, r := range reasons {
		list = append(list, reasonJSON{r.Guardrail.String(), r.Message, r.Got, r.Limit})
	}
	return list
}

func systemOutside(c *call) int {
	env := c.operands[0]
	sys, facts, code := c.judged()
	if code == exitUsage || code == exitIO {
		return code
	}
	component, _ := c.flag("component")
	c.noteAbsent(sys, env, component)
	policy := sys.Policy(env)
	outside := systempolicy.Outside(policy, facts, c.now)
	reasons := systempolicy.Explain(policy, facts, c.now)
	if c.json {
		writeJSON(c.stdout, struct {
			Version     int          `json:"version"`
			Environment string       `json:"environment"`
			Component   *string      `json:"component"`
			Outside     []string     `json:"outside"`
			Reasons     []reasonJSON `json:"reasons"`
		}{1, env, optional(component), outside.Names(), reasonsJSON(reasons)})
	} else if outside.Empty() {
		fmt.Fprintf(c.stdout, "%s: inside every guardrail of %s\n", c.paint("32", "inside"), printable(env))
	} else {
		fmt.Fprintf(c.stdout, "%s: %d of %d guardrails of %s\n", c.paint("31", "outside"), outside.Len(), systempolicy.AllGuardrails.Len(), printable(env))
		c.writeReasons(reasons)
	}
	if !outside.Empty() {
		code = exitRefused
	}
	return code
}

// judged reads what outside and decide need. An unreadable clock is a missing one, which is said.
func (c *call) judged() (sys *systempolicy.System, facts systempolicy.Facts, code int) {
	facts, code = c.loadFacts()
	if code == exitUsage || code == exitIO {
		return nil, facts, code
	}
	if c.now.IsZero() {
		c.warn("no-clock", fmt.Errorf("%q is no RFC 3339 time, so there is no clock and the window is closed", c.nowText))
	}
	sys, _, systemCode := c.loadSystem()
	return sys, facts, max(code, systemCode)
}

func (c *call) writeReasons(reasons []systempolicy.Reason) {
	var rows [][2]string
	for _, r := range reasons {
		rows = append(rows, [2]string{"  " + r.Guardrail.String(), printable(r.Message)})
	}
	writeTerms(c.stdout, rows)
}

func systemDecide(c *call) int {
	env := c.operands[0]
	component, given := c.flag("component")
	if !given || component == "" {
		return c.usage(errors.New("--component is missing: the level that counts is that of the component's instance"))
	}
	sys, facts, code := c.judged()
	if code == exitUsage || code == exitIO {
		return code
	}
	signals, signalsCode := c.loadSignals()
	if signalsCode == exitIO {
		return signalsCode
	}
	code = max(code, signalsCode)
	c.noteAbsent(sys, env, component)
	d := systempolicy.Decide(actsAs(code, sys, env, component, signals), sys.Policy(env), facts, c.now)
	why := systempolicy.Explain(sys.Policy(env), facts, c.now)
	if c.json {
		writeJSON(c.stdout, struct {
			Version     int          `json:"version"`
			Environment string       `json:"environment"`
			Component   string       `json:"component"`
			Merge       bool         `json:"merge"`
			Effective   string       `json:"effective"`
			Reasons     []string     `json:"reasons"`
			Why         []reasonJSON `json:"why"` // of the guardrails among the reasons
		}{1, env, component, d.Merge, d.Effective.String(), d.Reasons(), reasonsJSON(why)})
	} else if d.Merge {
		fmt.Fprintf(c.stdout, "%s: %s in %s acts as act and the change is inside every guardrail\n", c.paint("32", "merge"), printable(component), printable(env))
	} else {
		fmt.Fprintf(c.stdout, "%s: a person decides about %s in %s\n", c.paint("31", "wait"), printable(component), printable(env))
		var rows [][]string
		if d.BelowAct {
			rows = append(rows, []string{"  level", fmt.Sprintf("it acts as %s, and only act merges", d.Effective)})
		}
		if d.NoEngine {
			rows = append(rows, []string{"  engine", "none is declared, so nothing acts"})
		}
		writeTable(c.stdout, rows)
		c.writeReasons(why)
	}
	if !d.Merge {
		code = exitRefused
	}
	return code
}
