package turnenvelope_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/fault"
	"example.com/ambit/turnenvelope"
	"github.com/google/go-cmp/cmp"
)

// edited gives the envelope of a state with some of its text replaced.
func edited(t *testing.T, name string, oldnew ...string) (decision, envelope []byte) {
	t.Helper()
	decision = state(t, name)
	text := project(t, decision).String()
	for i := 0; i < len(oldnew); i += 2 {
		if !strings.Contains(text, oldnew[i]) {
			t.Fatalf("%s has no %s", name, oldnew[i])
		}
		text = strings.ReplaceAll(text, oldnew[i], oldnew[i+1])
	}
	return decision, []byte(text)
}

func codes(rs []turnenvelope.Reason) []string {
	var out []string
	for _, r := range rs {
		out = append(out, strings.TrimSpace(r.Code+" "+r.Pointer))
	}
	return out
}

func TestVerify(t *testing.T) {
	for _, tt := range []struct {
		name, state string
		edit        []string
		want        []string
	}{
		{"nothing", "delivery", nil, nil},
		{"unsigned", "delivery", []string{`"reason":"the lane has runnable work"`, `"reason":"x"`, `"open_count":0,"decision"`, `"open_count":9,"decision"`}, nil},
		{"one value", "delivery", []string{`"must_attempt":true`, `"must_attempt":1`},
			[]string{"dimension_differs /action/must_attempt", "envelope_hash_differs /action_signature/envelope_hash", "matches_differs /action_signature/matches"}},
		{"several, in signature order", "delivery", []string{`"rule":"stay_in_scope_or_stop",`, ``, `"notes/**"`, `"notes/**","etc/**"`, `"state":"eligible"`, `"state":null`, `"schema_version":"work_lane_contract_v1"`, `"schema_version":"work_lane_contract_v1","a/b~":1`},
			[]string{"dimension_differs /state", "dimension_differs /boundary/rule", "dimension_differs /boundary/write_scope/2",
				"dimension_differs /contract_capsule/work_lane_contract/a~1b~0", "envelope_hash_differs /action_signature/envelope_hash", "matches_differs /action_signature/matches"}},
		{"an item less", "delivery", []string{`"beds/**","notes/**"`, `"beds/**"`},
			[]string{"dimension_differs /boundary/write_scope/1", "envelope_hash_differs /action_signature/envelope_hash", "matches_differs /action_signature/matches"}},
		{"the plan taken out", "user_gate", []string{`"response_plan":`, `"response_plan_":`},
			[]string{"dimension_differs /response_plan", "coverage_differs /action_signature/coverage", "envelope_hash_differs /action_signature/envelope_hash", "matches_differs /action_signature/matches"}},
		{"a plan put in", "delivery", []string{`"detail_ref":`, `"response_plan":{},"detail_ref":`},
			[]string{"dimension_differs /response_plan", "coverage_differs /action_signature/coverage", "envelope_hash_differs /action_signature/envelope_hash", "matches_differs /action_signature/matches"}},
		{"a plan that is none", "delivery", []string{`"detail_ref":`, `"response_plan":"x","detail_ref":`}, nil},
		{"an unknown coverage", "delivery", []string{`action_dimensions_v0"`, `action_dimensions_v2"`}, []string{"coverage_unknown /action_signature/coverage"}},
		{"no signature", "delivery", []string{`"action_signature":`, `"signature":`},
			[]string{"signature_missing /action_signature", "source_decision_hash_differs /action_signature/source_decision_hash"}},
		{"another signature schema", "delivery", []string{"loopx_action_signature_v0", "v9"}, []string{"signature_schema_unknown /action_signature/schema_version"}},
		{"stored hashes", "delivery", []string{`_hash":"sha256:`, `_hash":"sha1:`},
			[]string{"dimension_differs /contract_capsule/protocol_action_packet/summary_hash", "source_hash_differs /action_signature/source_hash",
				"envelope_hash_differs /action_signature/envelope_hash", "matches_differs /action_signature/matches", "source_decision_hash_differs /action_signature/source_decision_hash"}},
		{"matches denied", "delivery", []string{`"matches":true`, `"matches":false`}, []string{"matches_differs /action_signature/matches"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := turnenvelope.Verify(edited(t, tt.state, tt.edit...))
			if d := cmp.Diff(tt.want, codes(v.Reasons)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if v.Matches != (len(tt.want) == 0) || !strings.HasPrefix(v.SourceHash, "sha256:") || v.Coverage == "" {
				t.Errorf("%+v", v)
			}
		})
	}
}

func TestVerifyUnreadable(t *testing.T) {
	v := turnenvelope.Verify([]byte(`{"open_count":[1],"scheduler_hint":{"action":{"toString":1}}}`), []byte(`{"a":1,"a":2}`))
	want := []string{"decision_invalid /open_count", "decision_invalid /scheduler_hint/action", "envelope_invalid /a"}
	if d := cmp.Diff(want, codes(v.Reasons)); d != "" || v.Matches {
		t.Errorf("%v (-want +got):\n%s", v.Matches, d)
	}
	if v := turnenvelope.Verify([]byte(`[]`), []byte(`7`)); v.Matches || len(v.Reasons) != 2 {
		t.Errorf("%+v", v)
	}
	if (turnenvelope.Verification{}).Matches {
		t.Error("the zero verification matches")
	}
}

// TestVerifyBounded holds that a wholly different envelope does not give reasons without end.
func TestVerifyBounded(t *testing.T) {
	decision := []byte(`{"task_orchestration_contract":{"list":[]}}`)
	list := strings.Repeat(`1,`, 500_000) + `1`
	text := strings.Replace(project(t, decision).String(), `{"list":[]}`, `{"list":[`+list+`],"long":"`+strings.Repeat("é", 300)+`"}`, 1)
	v := turnenvelope.Verify(decision, []byte(text))
	if len(v.Reasons) > 80 || codes(v.Reasons)[64] != "more_differences" {
		t.Errorf("%d reasons", len(v.Reasons))
	}
	for _, r := range v.Reasons {
		if len(r.Got) > 210 || len(r.Want) > 210 {
			t.Errorf("a reason of %d bytes", len(r.Got))
		}
	}
}

func TestAccept(t *testing.T) {
	full := strings.Repeat("x", turnenvelope.BudgetBytes)
	signed := []string{"envelope_hash_differs /action_signature/envelope_hash", "source_hash_differs /action_signature/source_hash"}
	for _, tt := range []struct {
		name, state string
		edit        []string
		want        turnenvelope.Disposition
		reasons     []string
	}{
		{"act", "delivery", nil, turnenvelope.Act, nil},
		{"ask", "user_gate", nil, turnenvelope.AskUser, nil},
		{"wait", "throttled", nil, turnenvelope.Wait, nil},
		{"stored sizes are not read", "delivery", []string{`"within_budget":true`, `"within_budget":false`, `"envelope_json_bytes":4947`, `"envelope_json_bytes":1`}, turnenvelope.Act, nil},
		{"unknown schema", "delivery", []string{`loopx_turn_envelope_v0`, `loopx_turn_envelope_v1`}, turnenvelope.Refused, []string{"schema_unknown /schema_version"}},
		{"over budget", "delivery", []string{`"the lane has runnable work"`, `"` + full + `"`}, turnenvelope.Refused, []string{"over_budget"}},
		{"changed", "delivery", []string{`"must_attempt":true`, `"must_attempt":false`}, turnenvelope.Refused, []string{signed[1], signed[0]}},
		{"unknown coverage", "delivery", []string{`dimensions_v0"`, `dimensions_v3"`}, turnenvelope.Refused, []string{"coverage_unknown /action_signature/coverage"}},
		{"matches is text", "delivery", []string{`"matches":true`, `"matches":"true"`}, turnenvelope.Refused, []string{"matches_differs /action_signature/matches"}},
		{"no signature", "delivery", []string{`"action_signature"`, `"x"`}, turnenvelope.Refused, []string{"signature_missing /action_signature"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, env := edited(t, tt.state, tt.edit...)
			a := turnenvelope.Accept(env)
			if d := cmp.Diff(tt.reasons, codes(a.Reasons)); d != "" || a.Disposition != tt.want {
				t.Errorf("%v, want %v (-want +got):\n%s", a.Disposition, tt.want, d)
			}
		})
	}
}

// TestAcceptJudges holds what a sound envelope allows. E13
func TestAcceptJudges(t *testing.T) {
	for _, tt := range []struct {
		decision string
		want     turnenvelope.Disposition
		reasons  []string
	}{
		{`{"should_run":true,"interaction_contract":{"agent_channel":{"must_attempt":true,"delivery_allowed":true}}}`, turnenvelope.Act, nil},
		{`{"should_run":true,"interaction_contract":{"agent_channel":{"must_attempt":true}}}`, turnenvelope.Blocked, []string{"delivery_not_allowed /action/delivery_allowed"}},
		{`{"should_run":true,"interaction_contract":{"agent_channel":{"quiet_noop_allowed":true},"user_channel":{"action_required":true}}}`, turnenvelope.Blocked,
			[]string{"delivery_not_allowed /action/delivery_allowed", "attempt_not_required /action/must_attempt"}},
		{`{"action_required":true,"interaction_contract":{"agent_channel":{"quiet_noop_allowed":true}}}`, turnenvelope.AskUser, nil},
		{`{"interaction_contract":{"agent_channel":{"quiet_noop_allowed":true}}}`, turnenvelope.Wait, nil},
		{`{}`, turnenvelope.Blocked, []string{"no_way_on"}},
	} {
		a := turnenvelope.Accept(project(t, []byte(tt.decision)).JSON())
		if d := cmp.Diff(tt.reasons, codes(a.Reasons)); d != "" || a.Disposition != tt.want {
			t.Errorf("%s: %v, want %v (-want +got):\n%s", tt.decision, a.Disposition, tt.want, d)
		}
	}
	for _, text := range []string{"", "[]", `{"a":1,"a":1}`, "\xff"} {
		if a := turnenvelope.Accept([]byte(text)); a.Disposition != turnenvelope.Refused || len(a.Reasons) == 0 || a.Reasons[0].Code != turnenvelope.ReasonEnvelope {
			t.Errorf("%q: %+v", text, a)
		}
	}
	if (turnenvelope.Acceptance{}).Disposition != turnenvelope.Refused {
		t.Error("the zero acceptance is not refused")
	}
}

func TestDispositionText(t *testing.T) {
	for _, d := range []turnenvelope.Disposition{turnenvelope.Refused, turnenvelope.Blocked, turnenvelope.Wait, turnenvelope.AskUser, turnenvelope.Act} {
		text, err := json.Marshal(d)
		var back turnenvelope.Disposition
		if err != nil || json.Unmarshal(text, &back) != nil || back != d {
			t.Errorf("%v: %s, %v", d, text, back)
		}
	}
	var d turnenvelope.Disposition
	if err := d.UnmarshalText([]byte("go")); err == nil || !strings.Contains(err.Error(), "refused, blocked, wait, ask_user, act") {
		t.Error(err)
	}
	if got := turnenvelope.Disposition(9).String(); got != "Disposition(9)" {
		t.Error(got)
	}
}

// TestRefusals holds the codes of decisions that cannot be projected; all problems come at once. N8, E11
func TestRefusals(t *testing.T) {
	for text, want := range map[string][]string{
		`[]`:                  {"not_object "},
		`"x"`:                 {"not_object "},
		`null`:                {"not_object "},
		`{"a":{"b":1,"b":2}}`: {"json_duplicate /a/b"},
		`{"a":NaN,"b":1e999}`: {"json_number /a", "json_number /b"},
		`{"a":"\ud800"}`:      {"json_surrogate /a"},
		`{"a":1`:              {"json_syntax "},
		`{"open_count":"1.0","interaction_contract":{"cli_channel":{"next_cli_actions":7}}}`:                                     {"open_count_invalid /open_count", "next_cli_actions /interaction_contract/cli_channel/next_cli_actions"},
		`{"interaction_contract":{"cli_channel":{"next_cli_actions":true}}}`:                                                     {"next_cli_actions /interaction_contract/cli_channel/next_cli_actions"},
		`{"interaction_contract":{"cli_channel":{"next_cli_actions":0.5}}}`:                                                      {"next_cli_actions /interaction_contract/cli_channel/next_cli_actions"},
		`{"protocol_action_packet":{"a":1},"stall_self_repair":{"trigger":[]}}`:                                                  {"trigger_invalid /stall_self_repair/trigger"},
		`{"recommended_action":[[{"toString":1}]]}`:                                                                              {"slot_not_text /recommended_action"},
		`{"execution_mode":"","scheduler_hint":{"execution_mode":{"\u0074oString":1},"codex_app":{"execution_mode":0}}}`:         {"slot_not_text /scheduler_hint/execution_mode"},
		`{"scheduler_hint":{"codex_app":{"ack_hint":{"cli_args":[{"toString":1}]},"failure_hint":{"cli_args":{"toString":1}}}}}`: {"slot_not_text /scheduler_hint/codex_app/ack_hint/cli_args"},
		`{"a":"` + strings.Repeat("é", 360_000) + `"}`:                                                                           {"json_size "},
		`{"goal_id":"` + strings.Repeat("é", 180_000) + `"}`:                                                                     {"json_size "},
		`{"agent_id":"` + strings.Repeat("é", 180_000) + `"}`:                                                                    {"json_size "},
	} {
		_, err := turnenvelope.Project([]byte(text), turnenvelope.Options{})
		var got []string
		for _, e := range fault.All(err) {
			got = append(got, e.Code+" "+e.Key)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%.100s (-want +got):\n%s", text, d)
		}
		if _, err := turnenvelope.SignatureOf([]byte(text)); err == nil {
			t.Errorf("%.100s has a signature", text)
		}
	}
	for _, text := range []string{ // near misses that are fine
		`{"protocol_action_packet":{"a":1},"agent_work_mode":"monitor_only","stall_self_repair":{"trigger":[]}}`,
		`{"stall_self_repair":{"trigger":{}}}`, `{"recommended_action":{"valueOf":1}}`, `{"reason":{"toString":1}}`, `{"execution_mode":"x","scheduler_hint":{"execution_mode":{"toString":1}}}`,
		`{"interaction_contract":{"cli_channel":{"next_cli_actions":0}}}`, `{"a":"` + strings.Repeat("é", 340_000) + `"}`,
	} {
		if _, err := turnenvelope.Project([]byte(text), turnenvelope.Options{}); err != nil {
			t.Errorf("%.100s: %v", text, err)
		}
	}
}

func TestStrict(t *testing.T) {
	big := []byte(`{"task_orchestration_contract":{"a":"` + strings.Repeat("x", turnenvelope.BudgetBytes) + `"}}`)
	if env, err := turnenvelope.Project(big, turnenvelope.Options{}); err != nil || len(env.JSON()) < turnenvelope.BudgetBytes {
		t.Error(err)
	}
	var e *turnenvelope.Error
	if _, err := turnenvelope.Project(big, turnenvelope.Options{Strict: true}); !errors.As(err, &e) || e.Code != turnenvelope.CodeBudget {
		t.Error(err)
	}
}

// TestHostile holds that no decision takes more than 50 ms to be refused. N8
func TestHostile(t *testing.T) {
	const size = turnenvelope.MaxBytes
	for name, text := range map[string]string{
		"too long":        strings.Repeat(" ", size) + "{}",
		"2 MiB of ASCII":  `{"a":"` + strings.Repeat("x", size-8) + `"}`,
		"2 MiB of é":      `{"a":"` + strings.Repeat("é", size/2-4) + `"}`,
		"depth 10,000":    strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000),
		"lists 10,000":    strings.Repeat(`[`, 10_000) + strings.Repeat("]", 10_000),
		"lone surrogates": `{"a":[` + strings.Repeat(`"\udfff",`, size/10) + `1]}`,
		"NaN":             `{"a":[` + strings.Repeat(`NaN,`, size/5) + `1]}`,
		"duplicate keys":  `{` + strings.Repeat(`"a":1,`, size/7) + `"a":1}`,
		"5,000 digits":    `{"a":` + strings.Repeat("9", 5_000) + `}`,
		"open_count":      `{"open_count":"` + strings.Repeat("9", 1<<20) + `"}`,
		"toString":        `{"recommended_action":[` + strings.Repeat(`{},`, 1<<17) + `{"toString":1}]}`,
	} {
		best := time.Hour
		for range 25 {
			start := time.Now()
			_, err := turnenvelope.Project([]byte(text), turnenvelope.Options{})
			best = min(best, time.Since(start))
			if len(fault.All(err)) == 0 {
				t.Fatalf("%s: no typed error in %v", name, err)
			}
			if best < 50*time.Millisecond*slow {
				break
			}
		}
		t.Logf("%s: %v", name, best)
		if best > 50*time.Millisecond*slow {
			t.Errorf("%s takes %v", name, best)
		}
	}
}

func ExampleVerify() {
	decision := []byte(`{"should_run": true, "goal_boundary": {"write_scope": ["docs/**"]}}`)
	env, _ := turnenvelope.Project(decision, turnenvelope.Options{})
	widened := strings.Replace(env.String(), "docs/**", "**", 1)
	for _, r := range turnenvelope.Verify(decision, []byte(widened)).Reasons {
		fmt.Println(r.Code, r.Pointer)
	}
	// Output:
	// dimension_differs /boundary/write_scope/0
	// envelope_hash_differs /action_signature/envelope_hash
	// matches_differs /action_signature/matches
}

func ExampleAccept() {
	decision := []byte(`{"should_run": true, "interaction_contract": {"agent_channel": {"must_attempt": true, "delivery_allowed": false}}}`)
	env, _ := turnenvelope.Project(decision, turnenvelope.Options{})
	a := turnenvelope.Accept(env.JSON())
	fmt.Println(a.Disposition, a.Reasons[0].Code)
	// Output: blocked delivery_not_allowed
}
