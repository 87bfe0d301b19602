"""Writes turnenvelope/testdata/matrix/STATE.json: one decision for each of nine states a guard can be in.

All of it is made up. Each decision carries the diagnostics that make real ones large, and a protocol packet whose
summary is spelled out by hand below. Run by `go generate ./turnenvelope`.
"""
import copy
import json
import pathlib

OUT = pathlib.Path(__file__).parent.parent / "turnenvelope" / "testdata" / "matrix"
QUIET = "quiet until a material monitor transition, regression, or concrete blocker appears"


def cut(text, n):
    return text if len(text) <= n else text[:n - 3].rstrip() + "..."


def todo(i):
    return {"todo_id": f"todo_garden_{i:04d}", "priority": "P%d" % (i % 4), "status": "open" if i % 3 else "done",
            "task_class": "advancement_task", "text": f"Water bed {i}, note the soil's moisture, and label the row for the harvest of week {i % 52}.",
            "created_at": f"2026-03-{1 + i % 28:02d}T08:00:00Z", "claimed_by": None, "weight": i / 8}


BASE = {
    "ok": True, "schema_version": "quota_should_run_v1", "goal_id": "garden-goal", "decision": "run", "should_run": True,
    "effective_action": "normal_run", "state": "eligible", "reason": "the lane has runnable work", "action_required": False, "open_count": 0,
    "normal_delivery_allowed": True, "recovery_delivery_allowed": False, "self_repair_allowed": False,
    "capability_repair_allowed": False, "workspace_repair_allowed": False, "safe_bypass_allowed": False,
    "recommended_action": "Plant the next bed and record its position",
    "agent_identity": {"agent_id": "gardener-1"},
    "selected_todo": {"todo_id": "todo_garden_0001", "priority": "P1", "status": "open", "task_class": "advancement_task",
                      "action_kind": "implement", "claimed_by": "gardener-1", "text": "plant the next bed and record its position"},
    "interaction_contract": {
        "schema_version": "loopx_interaction_contract_v0", "mode": "bounded_delivery",
        "user_channel": {"action_required": False, "notify": "DONT_NOTIFY"},
        "agent_channel": {"must_attempt": True, "delivery_allowed": True, "quiet_noop_allowed": False,
                          "primary_action": "plant one bed, then write the result back"},
        "cli_channel": {"next_cli_actions": ["loopx refresh-state --goal-id garden-goal", "loopx quota spend-slot --goal-id garden-goal"],
                        "spend_allowed_now": False, "spend_after_validation": True, "spend_policy": "spend once after the bed is checked"},
        "required_reads": [{"kind": "plan", "command": "cat beds/plan.md", "reason": "see which bed is next", "source": "garden plan"}],
    },
    "goal_boundary": {"rule": "stay_in_scope_or_stop", "adapter": {"kind": "garden", "status": "connected"},
                      "write_scope": ["beds/**", "notes/**"], "requires_parent_approval": ["buy", "publish"],
                      "guards": ["never water in frost", "stop when the pump reports a leak"], "stop_condition": "stop before anything outside the garden"},
    "scheduler_hint": {"action": "run_now", "cadence_class": "active_work", "reason_code": "runnable", "spend_policy": "spend after the check",
                       "codex_app": {"apply": "update_if_possible", "host_action": "update_current_rrule", "recommended_rrule": "FREQ=MINUTELY;INTERVAL=5",
                                     "no_spend_for_cadence_change": True,
                                     "stateful_backoff": {"state_key": "scheduler_hint.backoff", "current_rrule": "FREQ=HOURLY", "apply_needed": True, "state_status": "reset_required"},
                                     "ack_hint": {"cli_args": ["quota", "scheduler-ack-current", "--goal-id", "garden-goal"]},
                                     "failure_hint": {"cli_args": ["quota", "scheduler-failed", "--goal-id", "garden-goal"]}}},
    "work_lane_contract": {"schema_version": "work_lane_contract_v1", "lane": "advancement_task", "next_lane": "advancement_task",
                           "obligation": "advance_or_write_blocker", "must_attempt_work": True, "reason_codes": ["runnable_todo"],
                           "action": "plant one bed, then write the result back",
                           "outcome_followthrough": {"required": True, "obligation": "advance_or_write_blocker",
                                                     "accepted_resolution_kinds": ["planted", "blocker"], "spend_policy": "spend after evidence"}},
    "execution_obligation": {"schema_version": "execution_obligation_v0", "kind": "work_lane_contract", "contract": "work_lane_contract",
                             "must_attempt_work": True, "notify_is_execution_gate": False, "reason": "a runnable todo is selected"},
    "goal_route_hint": {"schema_version": "goal_route_hint_v0", "kind": "lane", "route_decision": "run_current_lane", "preserves_goal_next_action": True},
    "automation_liveness": {"schema_version": "automation_liveness_v0", "keep_active": True, "pause_allowed": False, "automation_action": "execute_bounded_work"},
    "handoff_readiness": {"ready": True, "codex_ready": True, "handoff_status": "run_seen", "post_handoff_run_seen": True},
    "todo_board": {"items": [todo(i) for i in range(34)]},
    "run_history": [{"run": i, "result": "validated" if i % 4 else "blocked", "seconds": 31.25 * i, "notes": f"checked beds {i} to {i + 3}; nothing to repair"} for i in range(22)],
    "frontier_diagnostics": {"candidates": {f"bed_{i:02d}": {"score": i * 1.5, "blocked_by": [f"bed_{(i * 7) % 30:02d}"], "why": "depends on the bed before it"} for i in range(20)}},
}

PACKET = [("actor", "agent"), ("user_action_required", False), ("agent_action_required", True), ("quiet_noop_allowed", False),
          ("lane", "advancement_task"), ("automation", "execute_bounded_work"), ("scheduler", "run_now"), ("pause_allowed", False), ("llm", "no_api")]

USER = {"actor": "user", "user_action_required": True, "agent_action_required": False}
IDLE = {"agent_action_required": False, "quiet_noop_allowed": True}

# Each state: what differs in the decision (dotted path: value), what differs in the packet, and the packet's last field.
STATES = {
    "delivery": ({}, {}, ("agent_action", "plant one bed, then write the result back")),
    "monitor_quiet_skip": ({
        "decision": "skip", "should_run": False, "effective_action": "monitor_wait", "state": "waiting", "normal_delivery_allowed": False,
        "recommended_action": "keep watching the pump", "selected_todo": None, "interaction_contract.mode": "monitor_quiet",
        "interaction_contract.agent_channel": {"must_attempt": False, "delivery_allowed": False, "quiet_noop_allowed": True},
        "interaction_contract.cli_channel.next_cli_actions": [], "scheduler_hint.action": "back_off", "scheduler_hint.cadence_class": "monitor",
        "work_lane_contract.lane": "continuous_monitor", "work_lane_contract.obligation": "quiet_until_material_monitor_transition",
        "work_lane_contract.must_attempt_work": False, "execution_obligation.must_attempt_work": False,
        "automation_liveness.automation_action": "wait_for_monitor",
    }, IDLE | {"lane": "continuous_monitor", "automation": "wait_for_monitor", "scheduler": "back_off"}, ("agent_action", QUIET)),
    "user_gate": ({
        "decision": "ask", "should_run": False, "effective_action": "user_gate", "state": "gated", "normal_delivery_allowed": False,
        "action_required": True, "open_count": 1, "requires_user_action": True, "recommended_action": "wait for the owner's choice",
        "user_todo_summary": {"first_open_items": [{"todo_id": "todo_owner_0001", "task_class": "user_gate", "text": "Choose the apple variety for bed 9"}]},
        "interaction_contract.mode": "user_gate",
        "interaction_contract.user_channel": {"action_required": True, "notify": "NOTIFY", "actions": ["Choose the apple variety for bed 9"], "reason": "the variety is the owner's choice"},
        "interaction_contract.agent_channel": {"must_attempt": False, "delivery_allowed": False, "quiet_noop_allowed": False, "primary_action": "surface the choice"},
        "interaction_contract.response_plan": {"schema_version": "interaction_response_plan_v0", "kind": "blocking_user_gate", "decision": "ask",
                                               "action_sequence": ["surface_choice", "wait"], "silent_wait_allowed": False},
        "scheduler_hint.action": "wait_for_user", "work_lane_contract.must_attempt_work": False, "execution_obligation.must_attempt_work": False,
        "automation_liveness.automation_action": "wait_for_user",
    }, USER | {"automation": "wait_for_user", "scheduler": "wait_for_user"}, ("user_action", "Choose the apple variety for bed 9")),
    "capability_gate": ({
        "decision": "skip", "should_run": False, "effective_action": "capability_gate", "state": "gated", "normal_delivery_allowed": False,
        "action_required": True, "requires_user_action": True, "recommended_action": "connect the moisture sensor",
        "capability_gate": {"action": "ask_owner", "reason": "no sensor", "required_capabilities": ["sensor"], "missing_capabilities": ["sensor"],
                            "owner_missing": True, "owner_action": "connect the moisture sensor of bed 4"},
        "interaction_contract.mode": "capability_gate",
        "interaction_contract.user_channel": {"action_required": True, "notify": "NOTIFY", "actions": ["connect the moisture sensor of bed 4"]},
        "interaction_contract.agent_channel": {"must_attempt": False, "delivery_allowed": False, "quiet_noop_allowed": False},
        "scheduler_hint.action": "wait_for_owner", "work_lane_contract.must_attempt_work": False, "execution_obligation.must_attempt_work": False,
    }, USER | {"scheduler": "wait_for_owner"}, ("user_action", "connect the moisture sensor of bed 4")),
    "workspace_guard": ({
        "effective_action": "workspace_repair", "normal_delivery_allowed": False, "workspace_repair_allowed": True,
        "recommended_action": "return to the garden's own worktree",
        "workspace_guard": {"schema_version": "workspace_guard_v0", "status": "wrong_worktree", "expected": "garden", "found": "orchard"},
        "interaction_contract.mode": "workspace_repair", "interaction_contract.agent_channel.primary_action": "move back to the garden worktree, then ask again",
        "work_lane_contract.action": "move back to the garden worktree, then ask again", "scheduler_hint.action": "repair_now",
    }, {"scheduler": "repair_now"}, ("agent_action", "move back to the garden worktree, then ask again")),
    "autonomous_replan": ({
        "effective_action": "autonomous_replan", "requires_user_action": True, "autonomous_replan_obligation": {"required": True, "kind": "frontier_empty"},
        "autonomous_replan_scope": {"schema_version": "autonomous_replan_scope_v0", "required": True, "applies": True, "scope": "lane", "owner_agent_ids": ["gardener-1"]},
        "recommended_action": "plan the next three beds", "interaction_contract.mode": "autonomous_replan",
        "interaction_contract.agent_channel.primary_action": "plan the next three beds", "work_lane_contract.action": "plan the next three beds",
        "task_scope": "lane:beds",
    }, {}, ("agent_action", "plan the next three beds")),
    "successor_replan": ({
        "effective_action": "successor_replan", "agent_lane_next_action": {"todo_id": "todo_garden_0012", "text": "[succession] bed 12: sow the follow-up crop after the peas"},
        "agent_scope_frontier": {"schema_version": "agent_scope_frontier_v0", "action": "replan_successor", "blocks_delivery": False, "requires_replan": True,
                                 "recommended_action": "sow the follow-up crop"},
        "interaction_contract.mode": "successor_replan", "interaction_contract.agent_channel.primary_action": "todo_garden_0012: [succession] bed 12",
    }, {}, ("agent_action", "todo_garden_0012: [succession] bed 12")),
    "blocked": ({
        "ok": False, "decision": "block", "should_run": False, "effective_action": "blocked", "state": "blocked", "normal_delivery_allowed": False,
        "blocked_action_scope": "all", "action_required": True, "requires_user_action": True, "operator_question": "May the north bed be dug up again?",
        "recommended_action": "stop until the question is answered", "interaction_contract.mode": "blocked",
        "interaction_contract.user_channel": {"action_required": True, "notify": "NOTIFY", "actions": ["May the north bed be dug up again?"]},
        "interaction_contract.agent_channel": {"must_attempt": False, "delivery_allowed": False, "quiet_noop_allowed": False},
        "scheduler_hint.action": "stop", "work_lane_contract.must_attempt_work": False, "execution_obligation.must_attempt_work": False,
        "stale_latest_run_warning": {"age_days": 9}, "state_projection_gap": True,
    }, USER | {"scheduler": "stop"}, ("user_action", "May the north bed be dug up again?")),
    "throttled": ({
        "decision": "skip", "should_run": False, "effective_action": "quota_throttled", "state": "throttled", "normal_delivery_allowed": False,
        "recommended_action": "wait for the next slot", "interaction_contract.mode": "throttled",
        "interaction_contract.agent_channel": {"must_attempt": False, "delivery_allowed": False, "quiet_noop_allowed": True},
        "scheduler_hint.action": "back_off", "work_lane_contract.must_attempt_work": False, "execution_obligation.must_attempt_work": False,
    }, IDLE | {"scheduler": "back_off"}, ("agent_action", "quiet no-op; no material transition")),
}


def text(v):
    return {True: "true", False: "false"}.get(v, v)


OUT.mkdir(parents=True, exist_ok=True)
for name, (patch, packet, last) in STATES.items():
    d = copy.deepcopy(BASE)
    for path, v in patch.items():
        *way, key = path.split(".")
        at = d
        for k in way:
            at = at[k]
        at[key] = v
    fields = [(k, packet.get(k, v)) for k, v in PACKET] + [(last[0], cut(last[1], 80))]
    d["protocol_action_packet"] = {"schema_version": "protocol_action_packet_v0", "summary": " ".join(f"{k}={text(v)}" for k, v in fields)}
    (OUT / f"{name}.json").write_text(json.dumps(d, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
