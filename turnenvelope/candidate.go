package turnenvelope

import (
	"cmp"
	"strconv"
)

// E7.7: the first thing that the agent could do.

const quietObligation = "quiet_until_material_monitor_transition"

// candidates are the places where an action may stand; the first that yields text is taken.
var candidates = [...]func(p *projection) string{
	func(p *projection) string { // 1
		next := obj(p.d.Get("agent_lane_next_action"))
		return withID(next.Get("todo_id"), label(next.Get("text"), 80))
	},
	func(p *projection) string { // 2
		if !is(p.lane.Get("monitor_kind"), "todo_monitor_due") {
			return ""
		}
		return firstLabel(p.lane.Get("monitor_due_items"), func(item value) string {
			return withID(item.Get("todo_id"), label(item.Get("text"), 80))
		})
	},
	func(p *projection) string { // 3
		if !is(p.lane.Get("obligation"), "repair_monitor_schedule_metadata") {
			return ""
		}
		return withID(p.lane.Get("selected_todo_id"), label(p.lane.Get("action"), 160))
	},
	func(p *projection) string { // 4
		runnable := list(p.gate.Get("runnable_candidates"))
		if !is(p.gate.Get("action"), "run") || runnable.Empty() {
			return ""
		}
		return "choose one of " + strconv.Itoa(runnable.Len()) + " capability-runnable todo(s) after steering audit"
	},
	func(p *projection) string { // 5
		selected := obj(obj(p.d.Get("scoped_user_gate_fallback")).Get("selected_executable"))
		t := label(selected.Get("text"), 80)
		if t != "" && is(selected.Get("fallback_kind"), "deferred_successor_replan") {
			return withID(selected.Get("todo_id"), "replan ready deferred successor "+t)
		}
		return t
	},
	func(p *projection) string { // 6
		advancing := func(item value) string {
			if !actionable(item) || todoClass(item) != classAdvancement {
				return ""
			}
			return label(item.Get("text"), 80)
		}
		return cmp.Or(firstLabel(p.agentTodos.Get("first_executable_items"), advancing),
			firstLabel(p.agentTodos.Get("first_open_items"), advancing))
	},
	func(p *projection) string { // 7
		return p.goalLabel("autonomous_backlog_candidates", 80)
	},
	func(p *projection) string { // 8
		for code := range list(p.lane.Get("reason_codes")).Items() {
			if is(code, "next_action_requires_advancement") {
				return cleanValue(p.d.Get("recommended_action"), 220)
			}
		}
		return ""
	},
	func(p *projection) string { return cleanValue(p.lane.Get("action"), 220) },          // 9
	func(p *projection) string { return cleanValue(p.lane.Get("obligation"), 220) },      // 10
	func(p *projection) string { return cleanValue(p.d.Get("recommended_action"), 220) }, // 11
}

func (p *projection) firstCandidate() string {
	for _, c := range candidates {
		if s := c(p); s != "" {
			return s
		}
	}
	return ""
}

// monitorAction is what a quiet agent does. E7.7
func (p *projection) monitorAction() datum {
	if is(p.lane.Get("obligation"), quietObligation) {
		return ofText(quietSentence)
	}
	return ofText(cmp.Or(p.goalLabel("autonomous_monitor_candidates", 160), quietNoop))
}

// goalLabel gives the first label among the items of a candidate list that belong to the decision's goal.
func (p *projection) goalLabel(name string, n int) string {
	goal := p.d.Get("goal_id")
	return firstLabel(obj(p.d.Get(name)).Get("items"), func(item value) string {
		if truthy(goal) && textIfTruthy(item.Get("goal_id")) != textOf(goal) {
			return ""
		}
		return label(item.Get("text"), n)
	})
}

// firstLabel gives the first text that an object item yields.
func firstLabel(items value, of func(value) string) string {
	for item := range list(items).Items() {
		if item.Kind() != object {
			continue
		}
		if s := of(item); s != "" {
			return s
		}
	}
	return ""
}

// withID puts an id before a text; no text stays no text.
func withID(id value, t string) string {
	if i := trim(textIfTruthy(id)); i != "" && t != "" {
		return i + ": " + t
	}
	return t
}
