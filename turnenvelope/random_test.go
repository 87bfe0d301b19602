package turnenvelope_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/regime"
	"example.com/ambit/turnenvelope"
	"github.com/google/go-cmp/cmp"
)

// paths are the places of a decision that some rule reads.
var paths = strings.Fields(`
ok goal_id agent_id agent_identity agent_identity.agent_id reason action_required open_count decision should_run
effective_action state recommended_action interaction_contract interaction_contract.mode
interaction_contract.schema_version interaction_contract.user_channel interaction_contract.user_channel.action_required
interaction_contract.user_channel.notify interaction_contract.user_channel.actions interaction_contract.user_channel.reason
interaction_contract.agent_channel.primary_action interaction_contract.agent_channel.must_attempt
interaction_contract.agent_channel.quiet_noop_allowed interaction_contract.cli_channel.next_cli_actions
interaction_contract.cli_channel.spend_policy interaction_contract.cli_channel.replan_settlement_contract
interaction_contract.required_reads required_reads interaction_contract.response_plan
interaction_contract.response_plan.action_sequence interaction_contract.response_plan.silent_wait_allowed
selected_todo selected_todo.text selected_todo.priority replan_action_packet replan_action_packet.decision
replan_action_packet.writeback_contract goal_boundary goal_boundary.rule goal_boundary.adapter goal_boundary.write_scope
goal_boundary.guards goal_boundary.stop_condition goal_boundary.execution_profile workspace_guard capability_gate
capability_gate.action capability_gate.owner_action capability_gate.owner_missing capability_gate.runnable_candidates
normal_delivery_allowed safe_bypass_kind scheduler_hint scheduler_hint.action scheduler_hint.cadence_class
scheduler_hint.codex_app scheduler_hint.codex_app.ack_hint.cli_args scheduler_hint.codex_app.failure_hint.cli_args
scheduler_hint.codex_app.stateful_backoff scheduler_hint.codex_app.stateful_backoff.host_update_failure
work_lane_contract work_lane_contract.lane work_lane_contract.obligation work_lane_contract.action
work_lane_contract.reason_codes work_lane_contract.outcome_followthrough work_lane_contract.monitor_kind
work_lane_contract.monitor_due_items execution_obligation execution_obligation.must_attempt_work
execution_obligation.delivery_allowed execution_obligation.kind automation_liveness automation_liveness.pause_allowed
automation_liveness.automation_action task_scope task_orchestration_contract protocol_action_packet
protocol_action_packet.summary state_projection_gap stall_self_repair stall_self_repair.trigger
user_gate_notification_cooldown autonomous_replan_obligation requires_user_action user_todo_summary
user_todo_summary.first_open_items user_todo_summary.user_action_items agent_todo_summary
agent_todo_summary.first_executable_items gate_prompt operator_question agent_lane_next_action
agent_lane_next_action.text scoped_user_gate_fallback scoped_user_gate_fallback.selected_executable
autonomous_backlog_candidates autonomous_backlog_candidates.items autonomous_monitor_candidates.items agent_work_mode
vision_wait_state goal_frontier_projection execution_mode schema_version vision_continuation_audit handoff_readiness
`)

// fragments are texts that rules react to.
var fragments = []string{"", " ", "run", "do not run", "until", "blocked", "owner", "[lane] delivery: x", "gs://bucket", "0 candidates",
	"\u00a0", "\u200b", "é", "漢字", "😀", "ß", "İ", "\u2028", "\x1c", "\t", "\n", "'", `"`, `\`, "...", "-", "--goal-id", "$(id)", "; rm", "<goal-id>",
	"todo_garden_0001", "monitor_only", "quiet_until_material_monitor_transition", "agent_scope_wait", "refresh-state", "12", "-3", "1_0", "\u0663",
	"fix: ", "watch", "user_action", "advancement_task", "open", "Plant the next bed and record its position", strings.Repeat("long ", 80)}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		b.WriteString(fragments[r.IntN(len(fragments))])
	}
	return b.String()
}

func randomValue(r *rand.Rand, depth int) any {
	n := 10
	if depth == 0 {
		n = 7
	}
	switch k := r.IntN(n); k {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return json.Number([]string{"0", "-0", "7", "1.0", "0.0", "1e21", "1e-7", "-2.5", "123456789012345678901234567890"}[r.IntN(9)])
	case 3, 4, 5, 6:
		return randomText(r)
	case 7:
		list := []any{}
		for range r.IntN(5) {
			list = append(list, randomValue(r, depth-1))
		}
		return list
	default:
		m := map[string]any{}
		for range r.IntN(5) {
			key := []string{"text", "title", "todo_id", "task_class", "action_kind", "status", "done", "command", "kind", "action",
				"goal_id", "resume_when", "resume_ready", "schema_version", "items", "decision", "trigger", "required"}[r.IntN(18)]
			m[key] = randomValue(r, depth-1)
		}
		return m
	}
}

// randomDecision changes a few places of one of the nine states.
func randomDecision(r *rand.Rand, bases []map[string]any) []byte {
	var d map[string]any
	_ = json.Unmarshal(must(json.Marshal(bases[r.IntN(len(bases))])), &d)
	for range r.IntN(8) {
		at, way := d, strings.Split(paths[r.IntN(len(paths))], ".")
		for _, k := range way[:len(way)-1] {
			next, ok := at[k].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[k] = next
			}
			at = next
		}
		if last := way[len(way)-1]; r.IntN(6) == 0 {
			delete(at, last)
		} else {
			at[last] = randomValue(r, 3)
		}
	}
	return must(json.Marshal(d))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// bases are the nine states without the diagnostics that make them large.
func bases(t testing.TB) []map[string]any {
	var out []map[string]any
	for _, s := range states {
		m := decode(t, state(t, s.name))
		for _, k := range []string{"todo_board", "run_history", "frontier_diagnostics"} {
			delete(m, k)
		}
		out = append(out, m)
	}
	return out
}

// TestRandomDecisions holds of any decision: a typed error, or an envelope that says its own length, verifies against
// the decision, comes out the same again, has the keys of E5 in order, and adds up. N5
func TestRandomDecisions(t *testing.T) {
	n := regime.Cases(t, 3_000, 100_000)
	r, from := rand.New(rand.NewPCG(5, 6)), bases(t)
	refused, over := 0, 0
	for i := range n {
		d := randomDecision(r, from)
		env, err := turnenvelope.Project(d, turnenvelope.Options{})
		if err != nil {
			checkTyped(t, err)
			refused++
			continue
		}
		if problem := unsound(d, env, i%10 == 0); problem != "" {
			t.Fatalf("decision %d: %s\n%s\n%s", i, problem, d, env)
		}
		if len(env.JSON()) > turnenvelope.BudgetBytes {
			over++
		}
	}
	t.Logf("%d decisions, %d refused, %d over budget", n, refused, over)
	if refused > n/2 {
		t.Errorf("%d of %d refused: the decisions say nothing", refused, n)
	}
}

// envelopeKeys are E5's.
var envelopeKeys = strings.Fields(`ok schema_version mode view goal_id agent_id reason action_required open_count decision
should_run effective_action state action user required_reads replan_action_packet boundary execution_policy writeback scheduler
contract_capsule task_orchestration_contract response_plan detail_ref action_signature compaction`)

// unsound says what is wrong with an envelope; the costly checks run when all is set.
func unsound(decision []byte, env *turnenvelope.Envelope, all bool) string {
	text := env.JSON()
	v, err := canonjson.Parse("", text, canonjson.Limits{MaxBytes: 8 << 20, MaxDepth: 600})
	if err != nil {
		return err.Error()
	}
	if got := v.At("compaction", "envelope_json_bytes").Raw(); got != fmt.Sprint(len(text)) {
		return fmt.Sprintf("envelope_json_bytes %s, the text has %d", got, len(text))
	}
	if within := v.At("compaction", "within_budget").True(); within != (len(text) <= turnenvelope.BudgetBytes) {
		return "within_budget is wrong"
	}
	var keys []string
	for k := range v.Members() {
		keys = append(keys, k.Text())
	}
	want := slices.DeleteFunc(slices.Clone(envelopeKeys), func(k string) bool {
		return (k == "task_orchestration_contract" || k == "response_plan") && !slices.Contains(keys, k)
	})
	if !slices.Equal(want, keys) {
		return "keys " + cmp.Diff(want, keys)
	}
	sum := 0
	for _, s := range env.Sections() {
		sum += s.Bytes
	}
	if sum != len(text) {
		return fmt.Sprintf("the sections add up to %d, the text has %d", sum, len(text))
	}
	if !all {
		return ""
	}
	source, err := canonjson.Parse("", decision, canonjson.Limits{MaxBytes: 8 << 20, MaxDepth: 600})
	if err != nil {
		return err.Error()
	}
	if got := v.At("compaction", "source_json_bytes").Raw(); got != fmt.Sprint(len(canonjson.Compact(source))) {
		return "source_json_bytes is wrong"
	}
	if check := turnenvelope.Verify(decision, text); !check.Matches {
		return fmt.Sprintf("verify: %+v", check.Reasons)
	}
	if again, err := turnenvelope.Project(decision, turnenvelope.Options{}); err != nil || again.String() != env.String() {
		return "another envelope the second time"
	}
	read, err := turnenvelope.ParseEnvelope("", text)
	if err != nil || read.String() != env.String() || read.Signature() != env.Signature() {
		return "another envelope once read back"
	}
	return ""
}

// FuzzProject holds the same of any bytes.
func FuzzProject(f *testing.F) {
	r, from := rand.New(rand.NewPCG(7, 8)), bases(f)
	for range 50 {
		f.Add(randomDecision(r, from))
	}
	for _, s := range []string{"", "[]", "{}", `{"a":""}`, `{"open_count":"1__0"}`, `{"open_count":[1]}`, `{"a":1,"a":2}`, `{"a":NaN}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		env, err := turnenvelope.Project(data, turnenvelope.Options{})
		if err != nil {
			checkTyped(t, err)
			return
		}
		if problem := unsound(data, env, true); problem != "" {
			t.Fatalf("%s\n%s", problem, env)
		}
	})
}
