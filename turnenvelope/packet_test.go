package turnenvelope

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func projected(t testing.TB, decision string) *projection {
	t.Helper()
	p, err := newProjection([]byte(decision))
	if err != nil {
		t.Fatalf("%s: %v", decision, err)
	}
	return p
}

// TestSourcePacket lays decisions beside the packet that E7.2 to E7.8 give; "A U M Q" are actor, user, agent, quiet.
func TestSourcePacket(t *testing.T) {
	head := func(actor string, user, agent, quiet bool) string {
		return string(packetFields{{"actor", ofText(actor)}, {"user_action_required", ofBool(user)}, {"agent_action_required", ofBool(agent)}, {"quiet_noop_allowed", ofBool(quiet)}}.render())
	}
	idle, agent, user := head("agent", false, false, true), head("agent", false, true, false), head("user", true, false, false)
	gated := head("agent_with_user_gate", true, true, false)
	const must = `"execution_obligation":{"must_attempt_work":true}`
	const llm = " llm=no_api "
	const wait = `"schema_version":"goal_vision_wait_state_v0","state":"waiting","reason_code":"exact_blocked_successor","automatic_resume":true,"selected_todo_id":"todo_abc","resume_when":"x"`
	for in, want := range map[string]string{
		// the rows of 7.2
		`{}`:                            idle + llm + "agent_action=quiet no-op; no material transition",
		"{" + must + "}":                agent + llm + "agent_action=advance one bounded segment",
		`{"requires_user_action":true}`: user + llm + "user_action=wait for user/owner action after surfacing the blocker or gate",
		`{"requires_user_action":true,` + must + `,"should_run":true}`:                                                              gated + llm + "agent_action=advance one bounded segment",
		`{"requires_user_action":true,` + must + `}`:                                                                                user + llm + "user_action=wait for user/owner action after surfacing the blocker or gate",
		`{"requires_user_action":true,"execution_obligation":{"must_attempt_work":true,"delivery_allowed":null},"should_run":true}`: user + llm + "user_action=wait for user/owner action after surfacing the blocker or gate",
		`{"requires_user_action":true,"scoped_user_gate_fallback":{}}`:                                                              gated + llm + "agent_action=surface the scoped user gate, then advance one non-gated fallback",
		`{"scoped_user_gate_fallback":{}}`:                                                                                          head("agent", false, false, false) + llm + "agent_action=quiet no-op; no material transition",
		`{"requires_user_action":true,"capability_gate":{"action":"ask_owner","owner_action":"plug it in"}}`:                        user + llm + "user_action=plug it in",
		`{"agent_work_mode":"monitor_only","requires_user_action":true,` + must + `}`:                                               agent + llm + "agent_action=attempt the due monitor and write back only a material transition",
		`{"agent_work_mode":"monitor_only","work_lane_contract":{"action":"look"},` + must + `}`:                                    agent + llm + "agent_action=look",
		`{"execution_obligation":{"must_attempt_work":true,"kind":"outcome_floor_recovery"}}`:                                       agent + llm + "agent_action=produce the required outcome-floor evidence artifact or write the concrete bl...",
		// the head's options
		`{"work_lane_contract":{"lane":"l  l"},"automation_liveness":{"automation_action":[1],"pause_allowed":false},"scheduler_hint":{"action":5}}`: idle + " lane=l  l automation=[1] scheduler=5 pause_allowed=false llm=no_api agent_action=quiet no-op; no material transition",
		`{"automation_liveness":{"pause_allowed":0}}`: idle + llm + "agent_action=quiet no-op; no material transition",
		// 7.5 and 7.6
		`{"user_todo_summary":{"first_open_items":[7,{"text":" "},{"text":"choose","task_class":"user_gate"},{"text":"more"},{"text":"third"},{"text":"fourth"}]}}`: user + llm + "user_action=choose",
		`{"user_todo_summary":{"first_open_items":[{"text":"fyi","gating":false}]}}`:                                                                                idle + llm + "agent_action=quiet no-op; no material transition",
		`{"user_todo_summary":{"user_action_items":[{"text":"look","task_class":"user_action"}]}}`:                                                                  idle + llm + "user_action_pending=true user_action=look agent_action=quiet no-op; no material transition",
		`{"user_todo_summary":{"user_action_items":[{"text":"look","task_class":"user_action"}]},"agent_todo_summary":{}}`:                                          user + llm + "user_action=look",
		`{"user_todo_summary":{"user_action_items":[{"text":"look","task_class":"user_action","done":1}]},"agent_todo_summary":{}}`:                                 idle + llm + "user_action_pending=true user_action=look agent_action=quiet no-op; no material transition",
		`{"user_todo_summary":{"user_action_items":[{"text":"look","task_class":"user_action","status":" Done "}]},"agent_todo_summary":{}}`:                        idle + llm + "user_action_pending=true user_action=look agent_action=quiet no-op; no material transition",
		`{"user_todo_summary":{"first_open_items":[{"text":"look","task_class":"user_action","status":" "}]},"agent_todo_summary":{}}`:                              user + llm + "user_action=look",
		`{"user_todo_summary":{"user_action_items":[{"text":"look","task_class":"user_action"}]},"agent_todo_summary":{"first_executable_items":[1]}}`:              idle + llm + "user_action_pending=true user_action=look agent_action=quiet no-op; no material transition",
		`{"requires_user_action":true,"gate_prompt":" ","operator_question":"may I?","open_todo_notify_reason":"no"}`:                                               user + llm + "user_action=may I?",
		`{"capability_gate":{"owner_missing":1,"owner_action":"find one"}}`:                                                                                         idle + llm + "user_action_pending=true user_action=find one agent_action=quiet no-op; no material transition",
		`{"requires_user_action":true,"user_gate_notification_cooldown":{"notification_suppressed":true},"gate_prompt":"x"}`:                                        idle + llm + "agent_action=quiet no-op; no material transition",
		`{"requires_user_action":true,"stall_self_repair":{"trigger":"user_gate_scope_projection_drift"}}`:                                                          idle + llm + "agent_action=quiet no-op; no material transition",
		`{"requires_user_action":true,"stall_self_repair":{"trigger":"runtime_capability_user_gate_overreach"}}`:                                                    idle + llm + "agent_action=quiet no-op; no material transition",
		`{"requires_user_action":true,"autonomous_replan_obligation":{"required":true},"gate_prompt":"x"}`:                                                          idle + llm + "agent_action=quiet no-op; no material transition",
		// 7.7, the candidates in order
		`{` + must + `,"agent_lane_next_action":{"todo_id":" t1 ","text":"[lane one] a: b"}}`:                                                                               agent + llm + "agent_action=t1: [lane one] a",
		`{` + must + `,"work_lane_contract":{"monitor_kind":"todo_monitor_due","monitor_due_items":[1,{},{"todo_id":5,"text":"due"}],"action":"x"}}`:                        agent + llm + "agent_action=5: due",
		`{` + must + `,"work_lane_contract":{"obligation":"repair_monitor_schedule_metadata","selected_todo_id":"t","action":"mend"}}`:                                      agent + llm + "agent_action=t: mend",
		`{` + must + `,"capability_gate":{"action":"run","runnable_candidates":[1,2]}}`:                                                                                     agent + llm + "agent_action=choose one of 2 capability-runnable todo(s) after steering audit",
		`{` + must + `,"scoped_user_gate_fallback":{"selected_executable":{"todo_id":"t","text":"do"}}}`:                                                                    head("agent", false, true, false) + llm + "agent_action=do",
		`{` + must + `,"scoped_user_gate_fallback":{"selected_executable":{"todo_id":"t","text":"do","fallback_kind":"deferred_successor_replan"}}}`:                        head("agent", false, true, false) + llm + "agent_action=t: replan ready deferred successor do",
		`{` + must + `,"agent_todo_summary":{"first_executable_items":[{"text":"watch"},{"text":"fix","done":true}],"first_open_items":[{"text":"fix it","todo_id":"t"}]}}`: agent + llm + "agent_action=fix it",
		`{` + must + `,"goal_id":7,"autonomous_backlog_candidates":{"items":[{"goal_id":"8","text":"no"},{"goal_id":"7","text":"yes"}]}}`:                                   agent + llm + "agent_action=yes",
		`{` + must + `,"autonomous_backlog_candidates":{"items":[{"goal_id":"8","text":"any"}]}}`:                                                                           agent + llm + "agent_action=any",
		`{` + must + `,"work_lane_contract":{"reason_codes":[1,"next_action_requires_advancement"],"action":"later"},"recommended_action":"first"}`:                         agent + llm + "agent_action=first",
		`{` + must + `,"work_lane_contract":{"action":"act","obligation":"o"}}`:                                                                                             agent + llm + "agent_action=act",
		`{` + must + `,"work_lane_contract":{"obligation":"o"}}`:                                                                                                            agent + llm + "agent_action=o",
		`{` + must + `,"recommended_action":[1]}`:                                         agent + llm + "agent_action=[1]",
		`{"work_lane_contract":{"obligation":"quiet_until_material_monitor_transition"}}`: idle + llm + "agent_action=quiet until a material monitor transition, regression, or concrete blocker ap...",
		`{"autonomous_monitor_candidates":{"items":[{"text":"watch it"}]}}`:               idle + llm + "agent_action=watch it",
		// 7.8
		`{"effective_action":"agent_scope_wait",` + wait + `}`:                                                                                agent + llm + "agent_action=record one no-spend blocked-successor wait observation, then rerun quota",
		`{"effective_action":"agent_scope_wait","vision_wait_state":{` + wait + `}}`:                                                          agent + llm + "agent_action=record one no-spend blocked-successor wait observation, then rerun quota",
		`{"effective_action":"agent_scope_wait","goal_frontier_projection":{"vision_wait_state":{` + wait + `}}}`:                             agent + llm + "agent_action=record one no-spend blocked-successor wait observation, then rerun quota",
		`{"effective_action":"agent_scope_wait","vision_wait_state":{"x":1},"goal_frontier_projection":{"vision_wait_state":{` + wait + `}}}`: idle + llm + "agent_action=quiet no-op; no material transition",
		`{"effective_action":"agent_scope_wait",` + strings.Replace(wait, `"x"`, `" "`, 1) + `}`:                                              idle + llm + "agent_action=quiet no-op; no material transition",
		`{"effective_action":"x",` + wait + `}`:                                                                                               idle + llm + "agent_action=quiet no-op; no material transition",
	} {
		if got := string(projected(t, in).sourceFields().render()); got != want {
			t.Errorf("%s:\n got %s\nwant %s", in, got, want)
		}
	}
}

// TestDerivedPacket lays decisions beside the packet that E7.3 gives from their projection.
func TestDerivedPacket(t *testing.T) {
	for in, want := range map[string]string{
		`{}`: "actor=agent user_action_required=false agent_action_required=false quiet_noop_allowed=false llm=no_api agent_action=quiet no-op; no material transition",
		`{"interaction_contract":{"mode":"scoped_user_gate_fallback","user_channel":{"action_required":true},"agent_channel":{"must_attempt":true,"primary_action":"go"}}}`:             "actor=agent_with_user_gate user_action_required=true agent_action_required=true quiet_noop_allowed=false llm=no_api agent_action=go",
		`{"interaction_contract":{"user_channel":{"action_required":null}},"action_required":true}`:                                                                                     "actor=agent user_action_required=false agent_action_required=false quiet_noop_allowed=false llm=no_api agent_action=quiet no-op; no material transition",
		`{"action_required":true,"interaction_contract":{"user_channel":{"actions":["say","no"]}}}`:                                                                                     "actor=user user_action_required=true agent_action_required=false quiet_noop_allowed=false llm=no_api user_action=say",
		`{"action_required":true,"interaction_contract":{"user_channel":{"actions":["say"]},"agent_channel":{"must_attempt":1,"quiet_noop_allowed":1,"primary_action":" "}}}`:           "actor=user user_action_required=true agent_action_required=true quiet_noop_allowed=true llm=no_api user_action_pending=true user_action=say",
		`{"work_lane_contract":{"lane":["a","a"],"obligation":"quiet_until_material_monitor_transition"},"automation_liveness":{"pause_allowed":false},"scheduler_hint":{"action":[]}}`: "actor=agent user_action_required=false agent_action_required=false quiet_noop_allowed=false lane=['a'] pause_allowed=false llm=no_api agent_action=quiet until a material monitor transition, regression, or concrete blocker ap...",
	} {
		if got := string(projected(t, in).derivedFields().render()); got != want {
			t.Errorf("%s:\n got %s\nwant %s", in, got, want)
		}
	}
}

// TestNextActions holds what is written back, from every shape of the raw value. E6.10
func TestNextActions(t *testing.T) {
	for in, want := range map[string][]string{
		`{"interaction_contract":{"cli_channel":{"next_cli_actions":[" a ","a",true,null,"b","c","d","e","f"]}}}`: {"a", "True", "None", "b", "c"},
		`{"interaction_contract":{"cli_channel":{"next_cli_actions":[" ","\u00a0"]}}}`:                            {},
		`{"interaction_contract":{"cli_channel":{"next_cli_actions":["\ufeff",null,[]]}}}`:                        {"None"},
		`{"interaction_contract":{"cli_channel":{"next_cli_actions":["\ufeff"]}}}`:                                {"\ufeff"},
		`{"interaction_contract":{"cli_channel":{"next_cli_actions":"ab a cdef"}}}`:                               {"a", "b", "c", "d", "e"},
		`{"interaction_contract":{"cli_channel":{"next_cli_actions":{"k1":1," k2 ":2}}}}`:                         {"k1", "k2"},
		`{"interaction_contract":{"cli_channel":{"next_cli_actions":false}}}`:                                     {},
		`{"replan_action_packet":{"decision":"d","writeback_contract":{"successor_command":"next  one"}},"interaction_contract":{"cli_channel":{"next_cli_actions":["x","loopx refresh-state y","refresh-state z"]}}}`: {"next one", "loopx refresh-state y"},
		`{"replan_action_packet":{"decision":"d","writeback_contract":{"successor_command":0}},"interaction_contract":{"cli_channel":{"next_cli_actions":["x"]}}}`:                                                     {},
		`{"replan_action_packet":{"decision":"d"},"interaction_contract":{"cli_channel":{"next_cli_actions":{"do refresh-state":1}}}}`:                                                                                 {"do refresh-state"},
	} {
		if d := cmp.Diff(want, projected(t, in).nextActions()); d != "" {
			t.Errorf("%s (-want +got):\n%s", in, d)
		}
	}
}
