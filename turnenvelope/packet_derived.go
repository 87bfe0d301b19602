package turnenvelope

import "cmp"

// E7.3: the packet's fields as the projection gives them, from the capsule's own entries.

// capsule gives a field of a capsule entry as the envelope has it.
func (p *projection) capsule(entry, name string) datum {
	return compactField(obj(p.d.Get(entry)).Get(name), 0)
}

// boundedModes let the agent go on although the user must act.
var boundedModes = words{"scoped_user_gate_fallback", "bounded_delivery_with_user_notice"}

func (p *projection) derivedFields() packetFields {
	must := truthy(p.agent.Get("must_attempt"))
	actor := "agent"
	if mode := p.capsule("interaction_contract", "mode"); p.userRequired && mode.truthy() && boundedModes.has(mode.text()) {
		actor = "agent_with_user_gate"
	} else if p.userRequired {
		actor = "user"
	}
	key := "user_action"
	if must || !p.userRequired {
		key = "agent_action"
	}
	return assemble(packetHead{
		actor: actor, user: p.userRequired, agent: must, quiet: truthy(p.agent.Get("quiet_noop_allowed")),
		lane:       p.capsule("work_lane_contract", "lane"),
		automation: p.capsule("automation_liveness", "automation_action"),
		scheduler:  p.schedulerAction(),
		pause:      p.capsule("automation_liveness", "pause_allowed"),
		actions:    p.userActions, key: key, value: ofText(p.derivedValue(must)),
	})
}

func (p *projection) derivedValue(must bool) string {
	switch {
	case must:
		return p.primary
	case p.userRequired && len(p.userActions) > 0:
		return p.userActions[0]
	case p.capsule("work_lane_contract", "obligation").is(quietObligation):
		return quietSentence
	}
	return cmp.Or(p.primary, quietNoop)
}
