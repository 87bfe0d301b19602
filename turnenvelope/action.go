package turnenvelope

import (
	"strings"
	"unicode/utf8"

	"example.com/ambit/internal/unicode14"
)

// E6.3, E6.4 and E6.7: what to do next.

const (
	applyReplan    = "apply replan_action_packet and emit one required semantic outcome"
	produceOutcome = "produce one required semantic outcome"
	textRef        = "action.recommended_action"
)

// hasReplan reports whether the replan packet's projection gives anything. E6.7
func (p *projection) hasReplan() bool {
	packet := obj(p.d.Get("replan_action_packet"))
	for _, f := range replanFields {
		if compactField(packet.Get(f.name), f.limit).kind != noDatum {
			return true
		}
	}
	return false
}

func (p *projection) emitReplan(e *emitter) {
	if !p.replan {
		e.nullField("replan_action_packet")
		return
	}
	e.object("replan_action_packet", func(e *emitter) { e.compact(p.d.Get("replan_action_packet"), replanFields) })
}

// actionTexts gives the recommended and the primary action. E6.3
func (p *projection) actionTexts() (recommended, primary string) {
	if p.replan {
		return applyReplan, produceOutcome
	}
	if p.rec != "" {
		recommended = clean(p.rec, 480)
	} else {
		recommended = cleanValue(p.d.Get("recommended_action"), 480)
	}
	return recommended, cleanValue(p.agent.Get("primary_action"), 480)
}

func (p *projection) emitAction(e *emitter) {
	e.object("action", func(e *emitter) {
		e.textOrNull("recommended_action", p.recommended)
		e.textOrNull("primary_action", p.primary)
		for _, k := range []string{"must_attempt", "delivery_allowed", "quiet_noop_allowed"} {
			e.boolField(k, truthy(p.agent.Get(k)))
		}
		todo := obj(p.d.Get("selected_todo"))
		if !e.objectIf("selected_todo", func(e *emitter) { p.emitTodo(e, todo) }) {
			e.nullField("selected_todo")
		}
	})
}

// emitTodo writes the selected todo; a text that only repeats the recommended action becomes a reference. E6.4
func (p *projection) emitTodo(e *emitter, todo value) {
	e.pick(todo, todoFields)
	t := cleanValue(todo.Get("text"), 360)
	switch {
	case t == "":
	case sameText(cleanValue(todo.Get("text"), 2000), clean(p.recommended, 2000)):
		e.textField("text_ref", textRef)
	default:
		e.textField("text", t)
	}
}

// sameText compares two clean texts without regard to case, one of which may be a cut form of the other. E6.4
func sameText(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	a, b = unicode14.Fold(a), unicode14.Fold(b)
	if a == b {
		return true
	}
	if strings.HasSuffix(a, "...") {
		return isCutOf(a, b)
	}
	return strings.HasSuffix(b, "...") && isCutOf(b, a)
}

func isCutOf(cut, whole string) bool {
	p := strings.TrimRightFunc(strings.TrimSuffix(cut, "..."), unicode14.IsSpace)
	return utf8.RuneCountInString(p) >= 80 && strings.HasPrefix(whole, p)
}
