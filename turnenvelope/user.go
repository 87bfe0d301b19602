package turnenvelope

// E6.5, E6.6, E6.14: what concerns the user, what to read first, how to answer.

// userFields gives user.action_required and user.actions. E6.5
func (p *projection) userFields() (required bool, actions []string) {
	if v := p.user.Get("action_required"); v.Exists() { // also null: the key decides
		required = truthy(v)
	} else {
		required = truthy(p.d.Get("action_required"))
	}
	return required, cleanList(p.user.Get("actions"), 3, 360)
}

func (p *projection) emitUser(e *emitter) {
	e.object("user", func(e *emitter) {
		e.boolField("action_required", p.userRequired)
		e.integerField("open_count", p.openCount)
		notify := textIfTruthy(p.user.Get("notify"))
		if notify == "" {
			notify = "DONT_NOTIFY"
		}
		e.textField("notify", notify)
		e.textsIf("actions", p.userActions)
		e.textIf("reason", cleanValue(p.user.Get("reason"), 360))
	})
}

// emitReads writes the usable ones of the first five required reads. E6.6
func (p *projection) emitReads(e *emitter) {
	e.key("required_reads")
	e.b = append(e.b, '[')
	reads := p.ic.Get("required_reads")
	if !truthy(reads) {
		reads = p.d.Get("required_reads")
	}
	n := 0
	for entry := range list(reads).Items() {
		if n++; n > 5 {
			break
		}
		command := cleanValue(obj(entry).Get("command"), 360)
		if command == "" {
			continue
		}
		e.comma()
		e.braces(func(e *emitter) {
			e.textField("command", command)
			for _, k := range []string{"kind", "reason", "source"} {
				e.textIf(k, cleanValue(entry.Get(k), 240))
			}
		})
	}
	e.b = append(e.b, ']')
}

// emitResponsePlan writes the plan for a blocking user gate, when there is one. E6.14
func (p *projection) emitResponsePlan(e *emitter) {
	plan := obj(p.ic.Get("response_plan"))
	e.objectIf("response_plan", func(e *emitter) {
		for _, k := range []string{"schema_version", "kind", "decision"} {
			e.textIf(k, cleanValue(plan.Get(k), 80))
		}
		e.textsIf("action_sequence", cleanList(plan.Get("action_sequence"), 8, 80))
		if v := plan.Get("silent_wait_allowed"); v.Kind() == boolean {
			e.rawField("silent_wait_allowed", v)
		}
	})
}
