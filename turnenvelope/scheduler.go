package turnenvelope

import "unicode/utf8"

// E6.11: when to run again, and how the host's cadence is acknowledged.

const includeScheduler = "loopx quota should-run --include-detail scheduler"

// schedulerAction is the decoded slot, else the raw value. E6.11
func (p *projection) schedulerAction() datum { return slotOr(p.sched, p.hint.Get("action")) }

func slotOr(slot string, raw value) datum {
	if slot != "" {
		return ofText(slot)
	}
	return of(raw)
}

func (p *projection) emitScheduler(e *emitter) {
	e.object("scheduler", func(e *emitter) {
		e.datumIf("action", p.schedulerAction())
		e.datumIf("cadence_class", slotOr(p.cad, p.hint.Get("cadence_class")))
		e.rawIf("reason_code", p.hint.Get("reason_code"))
		e.rawIf("spend_policy", p.hint.Get("spend_policy"))
		if !p.app.Empty() {
			e.objectIf("codex_app", p.emitApp)
		}
	})
}

func (p *projection) emitApp(e *emitter) {
	e.pick(p.app, appFields)
	if b := obj(p.app.Get("stateful_backoff")); !b.Empty() {
		e.object("stateful_backoff", func(e *emitter) {
			e.pick(b, backoffFields)
			if f := obj(b.Get("host_update_failure")); !f.Empty() {
				e.object("host_update_failure", func(e *emitter) { e.pick(f, failureFields) })
			}
		})
	}
	ack := obj(p.app.Get("ack_hint")).Get("cli_args")
	switch {
	case executable(ack):
		e.rawField("ack_cli_args", ack)
	case truthy(ack):
		e.detailRef("ack_cli_args_detail_ref", "omitted_to_preserve_executable_argv")
	}
	if truthy(obj(p.app.Get("failure_hint")).Get("cli_args")) {
		e.detailRef("failure_cli_args_detail_ref", "cold_path_until_host_update_failure")
	}
}

func (e *emitter) detailRef(k, reason string) {
	e.object(k, func(e *emitter) {
		e.textField("reason", reason)
		e.textField("request", includeScheduler)
	})
}

// The limits of an executable argv. E6.11
const maxArgs, maxArgChars, maxArgvChars = 64, 512, 2048

// executable reports whether v is an argv that can be kept whole. E6.11
func executable(v value) bool {
	count, chars := 0, 0
	for item := range list(v).Items() {
		n := utf8.RuneCountInString(item.Text()) // 0 for what is no text
		count++
		chars += n + 1
		if n == 0 || n > maxArgChars || count > maxArgs || chars > maxArgvChars {
			return false
		}
	}
	return count > 0
}
