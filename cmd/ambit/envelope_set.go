package main

import (
	"errors"
	"fmt"

	"example.com/ambit/envelope"
)

func envelopeSet(c *call) int {
	agent, task, word := c.operands[0], c.operands[1], c.operands[2]
	change := envelope.Change{Task: task}
	names := errors.Join(envelope.CheckAgent(agent), envelope.CheckTask(task))
	if note, ok := c.flag("note"); ok {
		change.Note = &note
		names = errors.Join(names, envelope.CheckNote(note))
	}
	if names != nil {
		return envelopeFail(c, envelope.Dir{}, names)
	}
	d, err := envelopeDir(c)
	if err != nil {
		return c.usage(err)
	}
	if err := change.State.UnmarshalText([]byte(word)); err != nil {
		return envelopeFail(c, d, err)
	}
	r, err := d.Set(agent, change)
	if err != nil {
		return envelopeFail(c, d, err)
	}
	envelopeWarnings(c, agent, r.Warnings)
	if c.json {
		writeJSON(c.stdout, struct {
			Version  int                `json:"version"`
			Agent    string             `json:"agent"`
			ID       string             `json:"id"`
			Changed  bool               `json:"changed"`
			Created  bool               `json:"created"`
			From     envelope.State     `json:"from"`
			To       envelope.State     `json:"to"`
			Updated  string             `json:"updated"`
			Warnings []envelope.Warning `json:"warnings"`
		}{1, agent, task, r.Changed, r.Created, r.From, r.To, envelopeTime(r.Updated), r.Warnings})
		return exitOK
	}
	switch {
	case r.Created:
		fmt.Fprintf(c.stdout, "%s: %s is %s, a new task type\n", agent, task, r.To)
	case !r.Changed:
		fmt.Fprintf(c.stdout, "%s: %s is %s, unchanged\n", agent, task, r.To)
	case r.From == r.To:
		fmt.Fprintf(c.stdout, "%s: %s is kept at %s\n", agent, task, r.To)
	default:
		fmt.Fprintf(c.stdout, "%s: %s is %s, was %s\n", agent, task, r.To, r.From)
	}
	return exitOK
}
