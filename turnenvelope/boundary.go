package turnenvelope

// E6.8, E6.9: where the agent may act, and under which policy.

func (p *projection) emitBoundary(e *emitter) {
	g := p.boundaryOf
	e.object("boundary", func(e *emitter) {
		rule := textIfTruthy(g.Get("rule"))
		if rule == "" {
			rule = "stay_in_scope_or_stop"
		}
		e.textField("rule", rule)
		if a := obj(g.Get("adapter")); !a.Empty() {
			e.object("adapter", func(e *emitter) { e.pick(a, adapterFields) })
		}
		for _, k := range []string{"write_scope", "available_capabilities", "requires_parent_approval"} {
			e.textsIf(k, cleanList(g.Get(k), 16, 180))
		}
		e.textsIf("guards", cleanList(g.Get("guards"), 8, 280))
		e.textIf("stop_condition", cleanValue(g.Get("stop_condition"), 320))
		e.rawObjectIf("execution_profile", g.Get("execution_profile"))
		e.rawObjectIf("orchestration", g.Get("orchestration"))
		e.rawObjectIf("workspace_guard", p.d.Get("workspace_guard"))
		if !p.gate.Empty() {
			e.object("capability_gate", func(e *emitter) { e.pick(p.gate, gateFields) })
		}
	})
}

func (p *projection) emitPolicy(e *emitter) {
	e.object("execution_policy", func(e *emitter) { e.pick(p.d, policyFields) })
}
