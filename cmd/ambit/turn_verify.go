package main

import (
	"fmt"
	"strings"

	"example.com/ambit/internal/fault"
	"example.com/ambit/turnenvelope"
)

func turnFaults(err error) []*turnenvelope.Error { return fault.All(err) }

// turnReason is a reason, for JSON.
type turnReason struct {
	Code    string `json:"code"`
	Pointer string `json:"pointer"`
	Want    string `json:"want"`
	Got     string `json:"got"`
	Message string `json:"message"`
}

func turnReasons(rs []turnenvelope.Reason) []turnReason {
	out := []turnReason{}
	for _, r := range rs {
		out = append(out, turnReason(r))
	}
	return out
}

func runTurnVerify(c *call) int {
	data, code := c.readTurns(c.operands...)
	if code != exitOK {
		return code
	}
	v := turnenvelope.Verify(data[0], data[1])
	if c.json {
		writeJSON(c.stdout, struct {
			Version            int          `json:"version"`
			Matches            bool         `json:"matches"`
			Coverage           string       `json:"coverage"`
			SourceHash         string       `json:"source_hash"`
			EnvelopeHash       string       `json:"envelope_hash"`
			SourceDecisionHash string       `json:"source_decision_hash"`
			Reasons            []turnReason `json:"reasons"`
		}{1, v.Matches, v.Coverage, v.SourceHash, v.EnvelopeHash, v.SourceDecisionHash, turnReasons(v.Reasons)})
	} else {
		word := c.paint("32", "matches")
		if !v.Matches {
			word = c.paint("31", "differs")
		}
		rows := [][]string{{word, v.Coverage}}
		if v.SourceHash != "" {
			rows = append(rows, []string{"decision", v.SourceHash}, []string{"envelope", v.EnvelopeHash})
		}
		writeTable(c.stdout, rows)
		c.writeTurnReasons(v.Reasons)
	}
	if !v.Matches {
		return exitRefused
	}
	return exitOK
}

// writeTurnReasons prints one reason a line: its code, where, and what it says.
func (c *call) writeTurnReasons(rs []turnenvelope.Reason) {
	var rows [][]string
	for _, r := range rs {
		rows = append(rows, []string{"  " + r.Code, printable(r.Pointer), printable(r.Message)})
	}
	writeTable(c.stdout, rows)
}

func runTurnExplain(c *call) int {
	name := c.operands[0]
	data, code := c.readTurns(name)
	if code != exitOK {
		return code
	}
	env, err := turnenvelope.ParseEnvelope(name, data[0])
	if err != nil {
		c.fail("envelope", err)
		return exitRefused
	}
	a := turnenvelope.Accept(data[0])
	if c.json {
		writeJSON(c.stdout, explained(env, a))
		return exitOK
	}
	fmt.Fprintf(c.stdout, "%s (%d of %d bytes)\n", a.Disposition, a.Bytes, turnenvelope.BudgetBytes)
	c.writeTurnReasons(a.Reasons)
	var rows [][]string
	add := func(k, v string) {
		if v != "" {
			rows = append(rows, []string{k, printable(v)})
		}
	}
	action, user, boundary := env.Action(), env.User(), env.Boundary()
	add("action", action.RecommendedAction)
	add("primary", action.PrimaryAction)
	add("may deliver", yes(action.DeliveryAllowed))
	add("must attempt", yes(action.MustAttempt))
	add("may stay quiet", yes(action.QuietNoopAllowed))
	if t := action.SelectedTodo; t != nil {
		add("todo", strings.TrimSpace(t.ID+" "+t.Text))
	}
	add("user must act", yes(user.ActionRequired))
	for _, s := range user.Actions {
		add("  asks", s)
	}
	for _, r := range env.RequiredReads() {
		add("read first", r.Command)
	}
	add("rule", boundary.Rule)
	add("write scope", strings.Join(boundary.WriteScope, ", "))
	add("needs approval", strings.Join(boundary.RequiresParentApproval, ", "))
	for _, g := range boundary.Guards {
		add("guard", g)
	}
	add("stop", boundary.StopCondition)
	for _, s := range env.Writeback().NextCLIActions {
		add("write back", s)
	}
	scheduler := env.Scheduler()
	add("scheduler", strings.TrimSpace(scheduler.Action+" "+scheduler.CadenceClass))
	add("acknowledge", strings.Join(scheduler.AckCLIArgs, " "))
	add("warnings", strings.Join(env.Capsule().Warnings, ", "))
	fmt.Fprintln(c.stdout)
	writeTable(c.stdout, rows)
	c.writeReferences(env)
	return exitOK
}

func (c *call) writeReferences(env *turnenvelope.Envelope) {
	var refs, sections [][]string
	for _, r := range env.References() {
		at := r.Command
		if r.Target != "" {
			at = r.Target + ": " + r.Text
		}
		refs = append(refs, []string{"  " + r.Place, printable(at)})
	}
	if len(refs) > 0 {
		fmt.Fprintln(c.stdout, "\nreferences")
		writeTable(c.stdout, refs)
	}
	for _, s := range env.Sections() {
		sections = append(sections, []string{"  " + s.Name, fmt.Sprintf("%5d", s.Bytes)})
	}
	fmt.Fprintln(c.stdout, "\nbytes")
	writeTable(c.stdout, sections)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// turnExplained is the JSON of turn explain.
type turnExplained struct {
	Version     int             `json:"version"`
	Disposition string          `json:"disposition"`
	Bytes       int             `json:"bytes"`
	Budget      int             `json:"budget"`
	Reasons     []turnReason    `json:"reasons"`
	Action      string          `json:"action"`
	Primary     string          `json:"primary"`
	Todo        *turnTodo       `json:"todo"`
	UserActions []string        `json:"user_actions"`
	References  []turnReference `json:"references"`
	Sections    []turnSection   `json:"sections"`
}

type turnTodo struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

type turnReference struct {
	Place   string `json:"place"`
	Target  string `json:"target"`
	Text    string `json:"text"`
	Command string `json:"command"`
	Reason  string `json:"reason"`
}

func explained(env *turnenvelope.Envelope, a turnenvelope.Acceptance) turnExplained {
	action := env.Action()
	out := turnExplained{Version: 1, Disposition: a.Disposition.String(), Bytes: a.Bytes, Budget: turnenvelope.BudgetBytes,
		Reasons: turnReasons(a.Reasons), Action: action.RecommendedAction, Primary: action.PrimaryAction,
		UserActions: append([]string{}, env.User().Actions...), References: []turnReference{}, Sections: turnSections(env)}
	if t := action.SelectedTodo; t != nil {
		out.Todo = &turnTodo{t.ID, t.Text}
	}
	for _, r := range env.References() {
		out.References = append(out.References, turnReference(r))
	}
	return out
}
