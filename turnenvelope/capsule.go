package turnenvelope

// E6.13: the contracts behind the decision, each cut to its acting fields.

func (p *projection) emitCapsule(e *emitter) {
	follow := obj(p.lane.Get("outcome_followthrough"))
	followed := follow.Empty()
	emitFollow := func(e *emitter) {
		followed = true
		e.object("outcome_followthrough", func(e *emitter) { e.compact(follow, followthroughFields) })
	}
	e.object("contract_capsule", func(e *emitter) {
		e.textField("schema_version", "loopx_contract_capsule_v0")
		e.textField("source", "full_quota_decision")
		for _, row := range capsuleRows {
			e.objectIf(row.name, func(e *emitter) {
				start := len(e.b)
				e.compact(p.d.Get(row.name), row.fields)
				if row.name == "work_lane_contract" && !followed && len(e.b) > start {
					emitFollow(e)
				}
			})
		}
		e.textIf("task_scope", cleanValue(p.d.Get("task_scope"), 80))
		if !followed {
			e.object("work_lane_contract", emitFollow)
		}
		p.emitPacket(e)
		var names []string
		for _, f := range warningFields {
			if truthy(p.d.Get(f)) {
				names = append(names, f)
			}
		}
		e.textsIf("actionable_warning_refs", names)
	})
}

func (p *projection) emitOrchestration(e *emitter) {
	if v := p.d.Get("task_orchestration_contract"); v.Kind() == object {
		e.rawField("task_orchestration_contract", v)
	}
}
