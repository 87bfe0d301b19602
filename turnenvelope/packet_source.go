package turnenvelope

import "cmp"

// E7.2, E7.5, E7.6, E7.8: the packet's fields as the full decision gives them.

const (
	quietSentence  = "quiet until a material monitor transition, regression, or concrete blocker appears"
	quietNoop      = "quiet no-op; no material transition"
	boundedSegment = "advance one bounded segment"
)

// gates is who must act, as the full decision says it.
type gates struct {
	user, must, scoped, bounded bool
	wait                        bool // for a blocked successor. E7.8
}

func (p *projection) gates() gates {
	g := gates{user: p.userMustAct(), wait: p.successorWait(), scoped: p.d.Get("scoped_user_gate_fallback").Kind() == object}
	g.must = truthy(p.obligation.Get("must_attempt_work")) || g.wait
	g.bounded = g.user && !g.scoped && g.must && p.deliverable()
	return g
}

func (p *projection) deliverable() bool {
	if v := p.obligation.Get("delivery_allowed"); v.Exists() { // also null: the key decides
		return truthy(v)
	}
	for _, k := range []string{"normal_delivery_allowed", "recovery_delivery_allowed", "self_repair_allowed", "should_run"} {
		if truthy(p.d.Get(k)) {
			return true
		}
	}
	return false
}

// sourceRows decide actor, whether the agent must act, and its action; the first whose condition holds. E7.2
var sourceRows = []struct {
	when   func(p *projection, g gates) bool
	actor  string
	agent  bool
	action func(p *projection) datum
}{
	{func(_ *projection, g gates) bool { return g.user && g.scoped }, "agent_with_user_gate", true,
		candidateOr("surface the scoped user gate, then advance one non-gated fallback")},
	{func(_ *projection, g gates) bool { return g.bounded }, "agent_with_user_gate", true, candidateOr(boundedSegment)},
	{func(_ *projection, g gates) bool { return g.user }, "user", false, (*projection).ownerAction},
	{func(_ *projection, g gates) bool { return g.wait }, "agent", true,
		sentence("record one no-spend blocked-successor wait observation, then rerun quota")},
	{func(p *projection, g gates) bool { return g.must && p.monitorOnly }, "agent", true, (*projection).monitorAttempt},
	{func(p *projection, g gates) bool {
		return g.must && textIfTruthy(p.obligation.Get("kind")) == "outcome_floor_recovery"
	}, "agent", true, sentence("produce the required outcome-floor evidence artifact or write the concrete blocker")},
	{func(_ *projection, g gates) bool { return g.must }, "agent", true, candidateOr(boundedSegment)},
	{func(*projection, gates) bool { return true }, "agent", false, (*projection).monitorAction},
}

func sentence(s string) func(*projection) datum {
	return func(*projection) datum { return ofText(s) }
}

func candidateOr(s string) func(*projection) datum {
	return func(p *projection) datum { return ofText(cmp.Or(p.firstCandidate(), s)) }
}

func (p *projection) ownerAction() datum {
	if v := p.gate.Get("owner_action"); is(p.gate.Get("action"), "ask_owner") && truthy(v) {
		return of(v)
	}
	return ofText("wait for user/owner action after surfacing the blocker or gate")
}

func (p *projection) monitorAttempt() datum {
	return ofText(cmp.Or(cleanValue(p.lane.Get("action"), 220), "attempt the due monitor and write back only a material transition"))
}

// sourceFields gives the packet's fields from the full decision. E7.2
func (p *projection) sourceFields() packetFields {
	g := p.gates()
	actions := p.sourceUserActions(g.user)
	i := 0
	for !sourceRows[i].when(p, g) { // the last row always fits
		i++
	}
	row := &sourceRows[i]
	key, action := "agent_action", row.action(p)
	if !row.agent && g.user {
		key = "user_action"
		if len(actions) > 0 {
			action = ofText(actions[0])
		}
	}
	return assemble(packetHead{
		actor: row.actor, user: g.user, agent: row.agent, quiet: !g.user && !g.must && !g.scoped,
		lane: of(p.lane.Get("lane")), automation: of(p.liveness.Get("automation_action")), scheduler: of(p.hint.Get("action")),
		pause: of(p.liveness.Get("pause_allowed")), actions: actions, key: key, value: action,
	})
}

// packetHead is what both packets are assembled from.
type packetHead struct {
	actor                       string
	user, agent, quiet          bool
	lane, automation, scheduler datum
	pause                       datum
	actions                     []string
	key                         string
	value                       datum
}

// assemble puts a packet's fields in order. E7.2, E7.3
func assemble(h packetHead) packetFields {
	fs := make(packetFields, 0, 12)
	fs.add("actor", ofText(h.actor))
	fs.add("user_action_required", ofBool(h.user))
	fs.add("agent_action_required", ofBool(h.agent))
	fs.add("quiet_noop_allowed", ofBool(h.quiet))
	for _, f := range [...]packetField{{"lane", h.lane}, {"automation", h.automation}, {"scheduler", h.scheduler}} {
		if f.v.truthy() {
			fs.add(f.key, f.v)
		}
	}
	if h.pause.kind == valueDatum && exactly(h.pause.v, false) {
		fs.add("pause_allowed", ofBool(false))
	}
	fs.add("llm", ofText("no_api"))
	if len(h.actions) > 0 && !(h.user && h.key == "user_action") {
		fs.add("user_action_pending", ofBool(true))
		fs.add("user_action", ofText(clean(h.actions[0], 80)))
	}
	fs.add(h.key, ofText(h.value.clean(80)))
	return fs
}

// suppressed reports a gate's notification in its cooldown.
func (p *projection) suppressed() bool {
	return exactly(obj(p.d.Get("user_gate_notification_cooldown")).Get("notification_suppressed"), true)
}

// userMustAct is the full decision's word on it. E7.5
func (p *projection) userMustAct() bool {
	switch {
	case p.monitorOnly, p.scopeRepair, p.suppressed(),
		exactly(obj(p.d.Get("autonomous_replan_obligation")).Get("required"), true):
		return false
	}
	return truthy(p.d.Get("requires_user_action")) || len(p.gateActions()) > 0 || p.userOwnsLane()
}

// checkTrigger settles whether the scope is under repair. E7.5, E11
func (p *projection) checkTrigger() {
	trigger := obj(p.d.Get("stall_self_repair")).Get("trigger")
	packet := !obj(p.d.Get("protocol_action_packet")).Empty() && obj(p.d.Get("replan_action_packet")).Empty()
	if k := trigger.Kind(); packet && !p.monitorOnly && (k == array || k == object) {
		p.fault(CodeTrigger, trigger, "/stall_self_repair/trigger", k.Phrase()+" is no trigger")
	}
	p.scopeRepair = is(trigger, "user_gate_scope_projection_drift") || is(trigger, "runtime_capability_user_gate_overreach")
}

// gateActions are the labels of the first open items that gate. E7.5
func (p *projection) gateActions() []string {
	return labels(p.todos.Get("first_open_items"), func(item value) bool { return !nonGating(item) })
}

// noticeItems is user_action_items, or the open items where that is no array. E7.5
func (p *projection) noticeItems() value {
	if v := p.todos.Get("user_action_items"); v.Kind() == array {
		return v
	}
	return list(p.todos.Get("first_open_items"))
}

// labels gives the labels of at most three object items that pass.
func labels(items value, pass func(value) bool) []string {
	var out []string
	for item := range list(items).Items() {
		if item.Kind() != object || !pass(item) {
			continue
		}
		if l := label(item.Get("text"), 80); l != "" {
			if out = append(out, l); len(out) == 3 {
				break
			}
		}
	}
	return out
}

// openStates are the states of a todo that is still the user's. E7.5
var openStates = words{"", "open", "todo", "active", "pending"}

func (p *projection) userOwnsLane() bool {
	if p.d.Get("user_todo_summary").Kind() != object || p.d.Get("agent_todo_summary").Kind() != object {
		return false
	}
	if !list(p.agentTodos.Get("first_executable_items")).Empty() {
		return false
	}
	for item := range p.noticeItems().Items() {
		if item.Kind() == object && !truthy(item.Get("done")) && todoClass(item) == classUserAction {
			status := item.Get("status")
			if !truthy(status) || openStates.has(norm(status)) {
				return true
			}
		}
	}
	return false
}

// sourceUserActions is what the user is asked, as the full decision says it. E7.6
func (p *projection) sourceUserActions(userRequired bool) []string {
	if p.monitorOnly || p.scopeRepair || p.suppressed() {
		return nil
	}
	if g := p.gateActions(); len(g) > 0 {
		return g
	}
	if n := labels(p.noticeItems(), func(item value) bool { return todoClass(item) == classUserAction }); len(n) > 0 {
		return n
	}
	if truthy(p.gate.Get("owner_missing")) {
		if s := cleanValue(p.gate.Get("owner_action"), 220); s != "" {
			return []string{s}
		}
	}
	if !userRequired {
		return nil
	}
	for _, k := range []string{"gate_prompt", "operator_question", "open_todo_notify_reason"} {
		if s := cleanValue(p.d.Get(k), 220); s != "" {
			return []string{s}
		}
	}
	return nil
}

// successorWait reports an exact wait for a blocked successor. E7.8
func (p *projection) successorWait() bool {
	const schema = "goal_vision_wait_state_v0"
	if !is(p.d.Get("effective_action"), "agent_scope_wait") {
		return false
	}
	c := p.d
	if !is(c.Get("schema_version"), schema) {
		if c = obj(p.d.Get("vision_wait_state")); c.Empty() {
			c = obj(obj(p.d.Get("goal_frontier_projection")).Get("vision_wait_state"))
		}
	}
	return is(c.Get("schema_version"), schema) && is(c.Get("state"), "waiting") &&
		is(c.Get("reason_code"), "exact_blocked_successor") && exactly(c.Get("automatic_resume"), true) &&
		isTodoID(c.Get("selected_todo_id")) && trim(textIfTruthy(c.Get("resume_when"))) != ""
}
