package main

import (
	"errors"
	"fmt"

	"example.com/ambit/envelope"
	"example.com/ambit/tiers"
)

// flagsSupervision are the flags of commands that join a verdict with an envelope.
var flagsSupervision = []flagDef{
	{name: "agent", value: "AGENT", about: "the agent that wants to run it; needs --task"},
	{name: "task", value: "TASK", about: "the task type that it is part of; needs --agent"},
}

// supervision is what an envelope says of one agent and task type.
type supervision struct {
	Agent string         `json:"agent"`
	Task  string         `json:"task"`
	State envelope.State `json:"state"`
}

// supervisionOf reads --agent and --task; nil when neither is given. The error is one of usage. An envelope that cannot
// be read counts as needsFullSupervision, with a warning.
func (c *call) supervisionOf() (*supervision, error) {
	agent, a := c.flag("agent")
	task, t := c.flag("task")
	if !a && !t {
		return nil, nil
	}
	if a != t {
		return nil, hinted{errors.New("--agent and --task belong together"), "--agent dave --task code-dispatch"}
	}
	if err := errors.Join(envelope.CheckAgent(agent), envelope.CheckTask(task)); err != nil {
		return nil, err
	}
	s := &supervision{Agent: agent, Task: task}
	d, err := envelopeDir(c)
	if err != nil {
		c.warn("envelope", fmt.Errorf("the envelope of %s cannot be read, so it needs full supervision: %w", agent, err))
		return s, nil
	}
	doc, err := d.Get(agent)
	if err != nil {
		c.warn("envelope", fmt.Errorf("the envelope of %s cannot be read, so it needs full supervision: %w", agent, err))
		return s, nil
	}
	s.State = doc.Envelope().StateOf(task)
	return s, nil
}

// join makes a decision as strict as the state asks (K33): fullyApproved leaves it, checkBeforeCommitting turns notify
// into ask, needsFullSupervision asks everything. Nothing is ever loosened.
func (s *supervision) join(d tiers.Decision) tiers.Decision {
	switch {
	case s == nil, d == tiers.Block, s.State == envelope.FullyApproved:
		return d
	case s.State == envelope.CheckBeforeCommitting && d == tiers.Silent:
		return d
	}
	return tiers.Ask
}
