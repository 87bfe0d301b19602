package turnenvelope

import "strings"

// E6.10: what to write back, and whether to spend.

func (p *projection) emitWriteback(e *emitter) {
	e.object("writeback", func(e *emitter) {
		e.key("next_cli_actions")
		e.texts(p.nextActions())
		e.boolField("spend_allowed_now", truthy(p.cli.Get("spend_allowed_now")))
		e.boolField("spend_after_validation", truthy(p.cli.Get("spend_after_validation")))
		e.textOrNull("spend_policy", cleanValue(p.cli.Get("spend_policy"), 280))
		e.rawObjectIf("replan_settlement_contract", p.cli.Get("replan_settlement_contract"))
		e.rawObjectIf("delivery_workspace_causality", p.cli.Get("delivery_workspace_causality"))
	})
}

// nextActions gives at most five commands: of the replan packet's contract, else of the cli channel. E6.10
func (p *projection) nextActions() []string {
	all := p.listedActions()
	if !p.replan {
		return cleanActions(all)
	}
	var chosen []datum
	contract := obj(obj(p.d.Get("replan_action_packet")).Get("writeback_contract"))
	if w := contract.Get("successor_command"); truthy(w) {
		chosen = append(chosen, of(w))
	}
	for a := range all {
		if s, ok := a.plain(); ok && strings.Contains(s, "refresh-state") {
			chosen = append(chosen, a)
			break
		}
	}
	return cleanActions(func(yield func(datum) bool) {
		for _, c := range chosen {
			if !yield(c) {
				return
			}
		}
	})
}

func cleanActions(all func(yield func(datum) bool)) []string {
	out := make([]string, 0, 5)
	for a := range all {
		if out = appendNew(out, a.clean(420)); len(out) == 5 {
			break
		}
	}
	return out
}

// listedActions walks the decoded actions; where there are none, what the raw value can be walked as: the items of an
// array, the characters of a text, the keys of an object.
func (p *projection) listedActions() func(yield func(datum) bool) {
	raw := p.cli.Get("next_cli_actions")
	return func(yield func(datum) bool) {
		switch {
		case len(p.acts) > 0:
			for _, s := range p.acts {
				if !yield(ofText(s)) {
					return
				}
			}
		case raw.Kind() == text:
			for _, r := range raw.Text() {
				if !yield(ofText(string(r))) {
					return
				}
			}
		case raw.Kind() == object:
			for k := range raw.Members() {
				if !yield(of(k)) {
					return
				}
			}
		default:
			for item := range raw.Items() {
				if !yield(of(item)) {
					return
				}
			}
		}
	}
}

// checkCLIActions refuses what cannot be walked. E11
func (p *projection) checkCLIActions() {
	raw := p.cli.Get("next_cli_actions")
	if k := raw.Kind(); truthy(raw) && (k == boolean || k == integer || k == float) {
		p.fault(CodeCLIActions, raw, "/interaction_contract/cli_channel/next_cli_actions", k.Phrase()+" is no list of commands")
	}
}
