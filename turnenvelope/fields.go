package turnenvelope

// The field lists of the projection, in output order, as E6 has them.

// E6.4
var todoFields = []string{"todo_id", "priority", "status", "task_class", "action_kind", "task_repository",
	"continuation_policy", "claimed_by", "bound_agent", "goal_bound", "blocks_agent", "unblocks_todo_id", "next_due_at",
	"expires_at", "selected_by", "confidence"}

// E6.7
var replanFields = fields("schema_version", "decision", "obligation_id", "uncovered_frontier", "required_outcome",
	"allowed_terminal", "bounded_frontier")

// E6.8
var (
	adapterFields = []string{"kind", "status"}
	gateFields    = []string{"action", "reason", "required_capabilities", "missing_capabilities", "owner_action"}
)

// E6.9
var policyFields = []string{"normal_delivery_allowed", "recovery_delivery_allowed", "self_repair_allowed",
	"capability_repair_allowed", "workspace_repair_allowed", "safe_bypass_allowed", "safe_bypass_kind",
	"blocked_action_scope"}

// E6.11
var (
	appFields     = []string{"apply", "host_action", "recommended_rrule", "no_spend_for_cadence_change"}
	backoffFields = []string{"state_key", "current_rrule", "apply_needed", "ack_needed", "state_status"}
	failureFields = []string{"target_rrule", "observed_host_rrule", "failure_kind", "failure_count"}
)

// field is a row of a compact field list; limit cuts its text, and 0 leaves it whole. E6.12
type field struct {
	name  string
	limit int
}

// fields lists fields without limits.
func fields(names ...string) []field {
	out := make([]field, len(names))
	for i, n := range names {
		out[i] = field{name: n}
	}
	return out
}

// limited sets text limits.
func limited(fs []field, limits ...field) []field {
	for _, l := range limits {
		for i := range fs {
			if fs[i].name == l.name {
				fs[i].limit = l.limit
			}
		}
	}
	return fs
}

// capsuleRows are the decision's contracts that the capsule keeps. E6.13
var capsuleRows = []struct {
	name   string
	fields []field
}{
	{"interaction_contract", fields("schema_version", "mode")},
	{"work_lane_contract", limited(fields("schema_version", "lane", "monitor_kind", "next_lane", "obligation",
		"must_attempt_work", "reason_codes", "monitor_policy", "selected_todo_id", "selected_next_due_at",
		"material_transition", "action"), field{"material_transition", 240}, field{"action", 300})},
	{"execution_profile", fields("cadence", "minimum_scale", "spend_rule", "must_include")},
	{"execution_obligation", limited(fields("kind", "contract", "contract_obligation", "must_attempt_work",
		"notify_is_execution_gate", "delivery_allowed", "reason"), field{"reason", 240})},
	{"goal_route_hint", fields("schema_version", "kind", "route_decision", "preserves_goal_next_action",
		"goal_next_action_mutation")},
	{"autonomous_replan_scope", fields("schema_version", "required", "applies", "scope", "owner_agent_ids",
		"selected_peer_agent")},
	{"agent_scope_frontier", limited(fields("schema_version", "action", "effective_action", "blocks_delivery",
		"quiet_noop_allowed", "requires_replan", "recommended_action", "spend_policy"),
		field{"recommended_action", 320}, field{"spend_policy", 220})},
	{"automation_liveness", limited(fields("schema_version", "keep_active", "pause_allowed", "pause_policy",
		"automation_action"), field{"pause_policy", 260})},
	{"vision_continuation_audit", limited(fields("schema_version", "required", "decision",
		"selected_todo_is_goal_completion", "closeout_allowed_without_evidence", "trigger_kinds",
		"required_before_closeout", "recommended_action"), field{"recommended_action", 320})},
	{"handoff_readiness", fields("ready", "codex_ready", "handoff_status", "post_handoff_run_seen")},
	{"capability_monitor_fallback", fields("schema_version", "capability_gate_action", "blocked_advancement_count",
		"blocked_due_monitor_count", "mode")},
}

// E6.13
var followthroughFields = limited(fields("required", "obligation", "accepted_resolution_kinds", "spend_policy"),
	field{"spend_policy", 220})

// E6.13
var warningFields = []string{"state_projection_gap", "boundary_projection_gap", "state_action_projection_warning",
	"next_action_projection_warning", "stale_latest_run_warning", "decision_freshness_warning"}

// E8
var coldContents = []string{"quota accounting detail", "goal frontier and route diagnostics", "full todo summaries",
	"handoff and readiness diagnostics", "promotion, archive, and projection warnings", "scheduler runtime detail"}

// compactField gives one field of a compact field list. E6.12
func compactField(v value, limit int) datum {
	switch {
	case absent(v):
		return datum{}
	case limit > 0:
		return ofText(cleanValue(v, limit))
	case v.Kind() == array:
		if l := cleanList(v, 6, 140); len(l) > 0 {
			return datum{kind: listDatum, list: l}
		}
		return datum{}
	}
	return of(v)
}

// compact writes a compact field list. E6.12
func (e *emitter) compact(from value, fs []field) {
	for _, f := range fs {
		e.datumIf(f.name, compactField(obj(from).Get(f.name), f.limit))
	}
}
