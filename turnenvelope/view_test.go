package turnenvelope_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.com/ambit/turnenvelope"
	"github.com/google/go-cmp/cmp"
)

const rich = `{
 "goal_id": "g", "recommended_action": "prune the old tree", "open_count": "12",
 "selected_todo": {"todo_id": "todo_1", "priority": 2, "status": "open", "text": "Prune the OLD tree"},
 "interaction_contract": {
  "user_channel": {"action_required": true, "notify": "NOTIFY", "actions": ["say when"], "reason": "yours"},
  "agent_channel": {"must_attempt": true, "delivery_allowed": 1, "primary_action": "prune"},
  "cli_channel": {"next_cli_actions": ["a", "b"], "spend_allowed_now": true, "spend_policy": "once", "replan_settlement_contract": {"x": 1}},
  "required_reads": [{"command": "cat x", "kind": "k", "reason": "r", "source": "s"}, 7, {"command": " "}, {"command": "ls"}, {"command": "4"}, {"command": "too late"}],
  "response_plan": {"schema_version": "v", "kind": "gate", "decision": "ask", "action_sequence": ["x", "x", "y"], "silent_wait_allowed": true}},
 "goal_boundary": {"adapter": {"kind": "git", "status": "ok"}, "write_scope": ["src/**"], "available_capabilities": ["net"], "requires_parent_approval": ["push"],
  "guards": ["stop"], "stop_condition": "end", "execution_profile": {"a": 1}, "orchestration": {"b": 2}},
 "workspace_guard": {"c": 3}, "capability_gate": {"action": "run"},
 "normal_delivery_allowed": true, "self_repair_allowed": "yes", "safe_bypass_kind": "none", "blocked_action_scope": "all",
 "scheduler_hint": {"action": "run_now", "cadence_class": "c", "reason_code": 5, "spend_policy": "p", "codex_app": {"host_action": "h", "recommended_rrule": "FREQ=DAILY",
  "ack_hint": {"cli_args": ["ack", ""]}, "failure_hint": {"cli_args": ["fail"]}, "stateful_backoff": {"state_key": "k", "host_update_failure": {"failure_kind": "x"}}}},
 "work_lane_contract": {"outcome_followthrough": {"required": true}},
 "task_scope": "lane", "state_projection_gap": 1, "decision_freshness_warning": {"a": 1}
}`

func TestView(t *testing.T) {
	env := project(t, []byte(rich))
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	for name, pair := range map[string][2]any{
		"action": {turnenvelope.Action{RecommendedAction: "prune the old tree", PrimaryAction: "prune", MustAttempt: true, DeliveryAllowed: true,
			SelectedTodo: &turnenvelope.Todo{ID: "todo_1", Priority: "2", Status: "open", Text: "prune the old tree", TextRef: "action.recommended_action",
				JSON: raw(`{"todo_id":"todo_1","priority":2,"status":"open","text_ref":"action.recommended_action"}`)}}, env.Action()},
		"user":  {turnenvelope.User{ActionRequired: true, OpenCount: "12", Notify: "NOTIFY", Reason: "yours", Actions: []string{"say when"}}, env.User()},
		"reads": {[]turnenvelope.Read{{"cat x", "k", "r", "s"}, {Command: "ls"}, {Command: "4"}}, env.RequiredReads()},
		"boundary": {turnenvelope.Boundary{Rule: "stay_in_scope_or_stop", AdapterKind: "git", AdapterStatus: "ok", StopCondition: "end", WriteScope: []string{"src/**"},
			AvailableCapabilities: []string{"net"}, RequiresParentApproval: []string{"push"}, Guards: []string{"stop"}, ExecutionProfile: raw(`{"a":1}`),
			Orchestration: raw(`{"b":2}`), WorkspaceGuard: raw(`{"c":3}`), CapabilityGate: raw(`{"action":"run"}`)}, env.Boundary()},
		"policy":    {turnenvelope.ExecutionPolicy{NormalDelivery: true, SafeBypassKind: "none", BlockedActionScope: "all"}, env.ExecutionPolicy()},
		"writeback": {turnenvelope.Writeback{NextCLIActions: []string{"a", "b"}, SpendAllowedNow: true, SpendPolicy: "once", ReplanSettlementContract: raw(`{"x":1}`)}, env.Writeback()},
		"capsule": {turnenvelope.Capsule{TaskScope: "lane", Warnings: []string{"state_projection_gap", "decision_freshness_warning"},
			Contracts: []turnenvelope.Contract{{"work_lane_contract", raw(`{"outcome_followthrough":{"required":true}}`)}}}, env.Capsule()},
	} {
		if d := cmp.Diff(pair[0], pair[1]); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	s := env.Scheduler()
	s.CodexApp = nil
	if d := cmp.Diff(turnenvelope.Scheduler{Action: "run_now", CadenceClass: "c", ReasonCode: "5", SpendPolicy: "p", RecommendedRRule: "FREQ=DAILY", HostAction: "h"}, s); d != "" {
		t.Errorf("scheduler (-want +got):\n%s", d)
	}
	plan, ok := env.ResponsePlan()
	if d := cmp.Diff(turnenvelope.ResponsePlan{SchemaVersion: "v", Kind: "gate", Decision: "ask", ActionSequence: []string{"x", "y"}, SilentWaitAllowed: true}, plan); d != "" || !ok {
		t.Errorf("response plan (-want +got):\n%s", d)
	}
	if _, ok := project(t, []byte(`{}`)).ResponsePlan(); ok {
		t.Error("a plan of nothing")
	}
	if todo := project(t, []byte(`{"selected_todo":{"text":"own words"}}`)).Action().SelectedTodo; todo == nil || todo.Text != "own words" || todo.TextRef != "" {
		t.Errorf("%+v", todo)
	}
}

func TestGet(t *testing.T) {
	env := project(t, []byte(rich))
	for pointer, want := range map[string]string{
		"/user/actions/0": `"say when"`, "/open_count": "12", "/boundary/execution_profile/a": "1", "/goal_id": `"g"`, "/required_reads/1/command": `"ls"`,
		"/user/actions/00": "", "/user/actions/9": "", "/none": "", "/user/actions/x": "", "/agent_id": "null",
	} {
		got, ok := env.Get(pointer)
		if string(got) != want || ok != (want != "") {
			t.Errorf("%s: %s, %v, want %s", pointer, got, ok, want)
		}
	}
	if all, ok := env.Get(""); !ok || all[0] != '{' {
		t.Error("the whole")
	}
	odd, err := turnenvelope.ParseEnvelope("", []byte(`{"a/b~": [{"c": 1.50}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := odd.Get("/a~1b~0/0/c"); string(got) != "1.5" {
		t.Errorf("%s", got)
	}
	if odd.String() != `{"a/b~":[{"c":1.50}]}` {
		t.Error(odd)
	}
}

func TestFollow(t *testing.T) {
	env := project(t, []byte(rich))
	for ref, want := range map[string]turnenvelope.Reference{
		"text_ref":                  {Place: "action.selected_todo.text_ref", Target: "action.recommended_action", Text: "prune the old tree"},
		"action.recommended_action": {Place: "action.selected_todo.text_ref", Target: "action.recommended_action", Text: "prune the old tree"},
		"ack_cli_args_detail_ref":   {Place: "scheduler.codex_app.ack_cli_args_detail_ref", Command: "loopx quota should-run --include-detail scheduler", Reason: "omitted_to_preserve_executable_argv"},
		"scheduler.codex_app.failure_cli_args_detail_ref": {Place: "scheduler.codex_app.failure_cli_args_detail_ref", Command: "loopx quota should-run --include-detail scheduler", Reason: "cold_path_until_host_update_failure"},
		"detail_ref.todo_detail":                          {Place: "detail_ref.todo_detail", Command: "loopx --format json todo list --goal-id g"},
		"full_decision":                                   {Place: "detail_ref.full_decision", Command: "loopx --format json quota should-run --goal-id g --runtime-profile generic_cli"},
	} {
		got, err := env.Follow(ref)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", ref, err, d)
		}
	}
	var e *turnenvelope.Error
	if _, err := env.Follow("text"); !errors.As(err, &e) || e.Code != turnenvelope.CodeReference || len(e.Allowed) != 6 {
		t.Error(err)
	}
	dangling, err := turnenvelope.ParseEnvelope("", []byte(`{"action":{"recommended_action":null,"selected_todo":{"text_ref":"action.recommended_action"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dangling.Follow("text_ref"); err == nil || !strings.Contains(err.Error(), "where there is no text") {
		t.Error(err)
	}
}

func TestParseEnvelope(t *testing.T) {
	for text, code := range map[string]string{"[]": turnenvelope.CodeNotObject, `{"a":1,"a":2}`: turnenvelope.CodeDuplicate, "{": turnenvelope.CodeSyntax} {
		var e *turnenvelope.Error
		if _, err := turnenvelope.ParseEnvelope("e.json", []byte(text)); !errors.As(err, &e) || e.Code != code || e.File != "e.json" || e.Line != 1 {
			t.Errorf("%s: %v", text, err)
		}
	}
	empty, err := turnenvelope.ParseEnvelope("", []byte(" {} "))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]turnenvelope.Section{{"head", 2}}, empty.Sections()); d != "" {
		t.Error(d)
	}
}

func TestMarshalJSON(t *testing.T) {
	env := project(t, []byte(`{"goal_id":"<g>"}`))
	data, err := json.Marshal(map[string]any{"envelope": env})
	if err != nil || !strings.Contains(string(data), `\u003cg\u003e`) || !strings.Contains(env.String(), `"<g>"`) {
		t.Errorf("%s, %v", data, err)
	}
}

// TestNothingShared holds that neither the decision nor what was handed out reaches into the envelope. N3
func TestNothingShared(t *testing.T) {
	decision := []byte(rich)
	env := project(t, decision)
	want := env.String()
	clear(decision)
	clear(env.JSON())
	clear(env.Action().SelectedTodo.JSON)
	if env.String() != want || env.Action().RecommendedAction != "prune the old tree" {
		t.Error("the envelope changed")
	}
}

func ExampleProject() {
	decision := []byte(`{"goal_id": "g1", "should_run": true, "decision": "run", "recommended_action": "write the guide",
	 "interaction_contract": {"agent_channel": {"must_attempt": true, "delivery_allowed": true}}}`)
	env, err := turnenvelope.Project(decision, turnenvelope.Options{Host: turnenvelope.Host{Profile: "codex_cli"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(env.Action().RecommendedAction, env.Action().MustAttempt)
	fmt.Println(env.Signature().Coverage)
	// Output:
	// write the guide true
	// turn_envelope_action_dimensions_v0
}

func ExampleProject_refused() {
	_, err := turnenvelope.Project([]byte(`{"open_count": "many", "a": 1}`), turnenvelope.Options{})
	fmt.Println(err)
	// Output: line 1: /open_count: "many" is no integer: it holds something else than digits
}

func ExampleSignatureOf() {
	decision := []byte(`{"should_run": true}`)
	env, _ := turnenvelope.Project(decision, turnenvelope.Options{})
	sig, _ := turnenvelope.SignatureOf(decision)
	fmt.Println(sig == env.Signature())
	// Output: true
}

func ExampleParseEnvelope() {
	env, _ := turnenvelope.ParseEnvelope("stored.json", []byte(`{"action": {"recommended_action": "rest", "must_attempt": true}}`))
	fmt.Println(env.Action().RecommendedAction, env.Action().DeliveryAllowed)
	// Output: rest false
}

func ExampleEnvelope_Follow() {
	decision := []byte(`{"recommended_action": "Write the guide", "selected_todo": {"todo_id": "todo_7", "text": "write the guide"}}`)
	env, _ := turnenvelope.Project(decision, turnenvelope.Options{})
	ref, _ := env.Follow("text_ref")
	fmt.Println(ref.Target, "=", ref.Text)
	// Output: action.recommended_action = Write the guide
}

func ExampleEnvelope_Sections() {
	env, _ := turnenvelope.Project([]byte(`{"goal_id": "g"}`), turnenvelope.Options{})
	sum := 0
	for _, s := range env.Sections() {
		sum += s.Bytes
	}
	fmt.Println(sum == len(env.JSON()))
	// Output: true
}

func ExampleHost_Known() {
	fmt.Println(turnenvelope.Host{Profile: "codex_cli"}.Known(), turnenvelope.Host{Profile: "toaster"}.Known(), turnenvelope.Profiles()[0])
	// Output: true false ark_managed_agent_goal
}
