package main

import (
	"errors"
	"fmt"
	"strings"

	"example.com/ambit/envelope"
)

// envelopeHead is what both forms of get begin with. No field depends on the clock: the same file gives the same bytes.
type envelopeHead struct {
	Version      int            `json:"version"`
	Agent        string         `json:"agent"`
	Owner        string         `json:"owner"`
	Updated      string         `json:"updated"`
	DefaultState envelope.State `json:"defaultState"`
}

type envelopeTask struct {
	ID           string         `json:"id"`
	Label        string         `json:"label"`
	State        envelope.State `json:"state"`
	StateSince   *string        `json:"stateSince"`
	OperatorNote *string        `json:"operatorNote"`
	Recorded     bool           `json:"recorded"`
}

func taskOf(t envelope.TaskType, recorded bool) envelopeTask {
	out := envelopeTask{ID: t.ID, Label: t.Label, State: t.State, OperatorNote: optional(t.Note), Recorded: recorded}
	if recorded {
		out.StateSince = optional(envelopeTime(t.Since))
	}
	return out
}

func envelopeGet(c *call) int {
	agent, task := c.operands[0], ""
	if len(c.operands) == 2 {
		task = c.operands[1]
		if err := errors.Join(envelope.CheckAgent(agent), envelope.CheckTask(task)); err != nil {
			return envelopeFail(c, envelope.Dir{}, err)
		}
	}
	d, err := envelopeDir(c)
	if err != nil {
		return c.usage(err)
	}
	doc, err := d.Get(agent)
	if err != nil {
		return envelopeFail(c, d, err)
	}
	e, warnings := doc.Envelope(), doc.Warnings()
	envelopeWarnings(c, agent, warnings)
	head := envelopeHead{1, e.Agent, e.Owner, envelopeTime(e.Updated), envelope.NeedsFullSupervision}
	if task != "" {
		t, recorded := e.Find(task)
		if !recorded {
			c.note("not-recorded", fmt.Errorf("%s has no record of %q, so it is %s", agent, task, t.State))
		}
		if c.json {
			writeJSON(c.stdout, struct {
				envelopeHead
				TaskType envelopeTask       `json:"taskType"`
				Warnings []envelope.Warning `json:"warnings"`
			}{head, taskOf(t, recorded), warnings})
		} else {
			fmt.Fprintln(c.stdout, t.State)
		}
		return exitOK
	}
	tasks := make([]envelopeTask, 0, len(e.TaskTypes))
	for _, t := range e.TaskTypes {
		tasks = append(tasks, taskOf(t, true))
	}
	if c.json {
		writeJSON(c.stdout, struct {
			envelopeHead
			TaskTypes []envelopeTask     `json:"taskTypes"`
			Warnings  []envelope.Warning `json:"warnings"`
		}{head, tasks, warnings})
	} else {
		writeEnvelope(c, e)
	}
	return exitOK
}

// writeEnvelope prints the record for people: ids, because labels are no arguments. // R55
func writeEnvelope(c *call, e *envelope.Envelope) {
	writeTable(c.stdout, [][]string{{"agent", e.Agent}, {"owner", printable(e.Owner)}, {"updated", envelopeTime(e.Updated)}})
	fmt.Fprintln(c.stdout)
	if len(e.TaskTypes) == 0 {
		fmt.Fprintf(c.stdout, "no task type is recorded: everything is %s\n", envelope.NeedsFullSupervision)
		return
	}
	var rows [][]string
	for _, t := range e.TaskTypes {
		note := printable(strings.Join(strings.Fields(t.Note), " "))
		rows = append(rows, []string{t.ID, t.State.String(), t.Since.UTC().Format("2006-01-02"), note})
	}
	writeTable(c.stdout, rows)
}
