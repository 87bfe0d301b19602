package turnenvelope

import (
	"encoding/json"
	"strconv"
	"strings"
)

// What a consumer acts on, typed. A text that is absent or null is "". A field that may be of any type reads as its
// text where it is a text, and as compact JSON otherwise. A boolean is true only where the envelope says exactly true.
// Every view is the caller's own. N4

// Action is what to do next. E6.3
type Action struct {
	RecommendedAction, PrimaryAction               string // what to do, for the model and for the program
	MustAttempt, DeliveryAllowed, QuietNoopAllowed bool   // the turn must try; it may deliver; it may end without a word
	SelectedTodo                                   *Todo  // nil when none is selected
}

// Todo is the selected todo. E6.4
type Todo struct {
	ID, Priority, Status, TaskClass, ActionKind, ClaimedBy string // texts; "" when absent

	Text    string          // its text, also where the envelope only refers to the recommended action
	TextRef string          // what the envelope refers to; "" when the text stands there
	JSON    json.RawMessage // the whole todo, compact
}

// User is what concerns the user. E6.5
type User struct {
	ActionRequired bool     // the user must act before work goes on
	OpenCount      string   // an integer of any size
	Notify, Reason string   // texts; "" when absent
	Actions        []string // what the user is asked to do, one text each
}

// Read is something to read before acting. E6.6
type Read struct {
	Command              string // what gives it, to be run by the agent
	Kind, Reason, Source string // texts; "" when absent
}

// Boundary is where the agent may act. E6.8
type Boundary struct {
	Rule, AdapterKind, AdapterStatus, StopCondition                   string   // texts; "" when absent
	WriteScope, AvailableCapabilities, RequiresParentApproval, Guards []string // texts, in the envelope's order; nil when absent

	ExecutionProfile, Orchestration, WorkspaceGuard, CapabilityGate json.RawMessage // nil when absent
}

// ExecutionPolicy is which kinds of work are allowed. E6.9
type ExecutionPolicy struct {
	NormalDelivery, RecoveryDelivery, SelfRepair, CapabilityRepair, WorkspaceRepair, SafeBypass bool // each is true only where the envelope says exactly true

	SafeBypassKind, BlockedActionScope string // "" when absent
}

// Writeback is what to record after acting. E6.10
type Writeback struct {
	NextCLIActions                        []string // commands, in their order
	SpendAllowedNow, SpendAfterValidation bool     // whether the turn may be charged before, and after, it is validated
	SpendPolicy                           string   // "" when absent

	ReplanSettlementContract, DeliveryWorkspaceCausality json.RawMessage // nil when absent
}

// Scheduler is when to run again. E6.11
type Scheduler struct {
	Action, CadenceClass, ReasonCode, SpendPolicy string          // texts; "" when absent
	RecommendedRRule, HostAction                  string          // texts; "" when absent
	AckCLIArgs                                    []string        // nil when absent or behind a reference
	CodexApp                                      json.RawMessage // that host's own part; nil when absent
}

// Capsule is the contracts behind the decision. E6.13
type Capsule struct {
	Contracts []Contract // in the envelope's order
	TaskScope string     // "" when absent
	Warnings  []string   // names of decision fields that hold a warning
}

// Contract is one contract of the capsule.
type Contract struct {
	Name string          // its key in the capsule
	JSON json.RawMessage // the whole contract, compact
}

// ResponsePlan is how to answer a blocking user gate. E6.14
type ResponsePlan struct {
	SchemaVersion, Kind, Decision string   // texts; "" when absent
	ActionSequence                []string // steps, in their order
	SilentWaitAllowed             bool     // the host may wait without a word
}

// Get gives the compact JSON of any value of the envelope by JSON Pointer (RFC 6901); ok is false when there is none.
func (e *Envelope) Get(pointer string) (raw json.RawMessage, ok bool) {
	v := e.root()
	if pointer != "" {
		for _, step := range strings.Split(pointer, "/")[1:] {
			step = pointerUnescaper.Replace(step)
			if n, err := strconv.Atoi(step); err == nil && v.Kind() == array && strconv.Itoa(n) == step {
				v = v.Index(n)
			} else {
				v = v.Get(step)
			}
		}
	}
	return rawJSON(v), v.Exists()
}

var pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")

// Action gives the action.
func (e *Envelope) Action() Action {
	v := e.root().Get("action")
	a := Action{
		RecommendedAction: asText(v.Get("recommended_action")), PrimaryAction: asText(v.Get("primary_action")),
		MustAttempt: exactly(v.Get("must_attempt"), true), DeliveryAllowed: exactly(v.Get("delivery_allowed"), true),
		QuietNoopAllowed: exactly(v.Get("quiet_noop_allowed"), true),
	}
	if t := v.Get("selected_todo"); t.Kind() == object {
		a.SelectedTodo = &Todo{
			ID: asText(t.Get("todo_id")), Priority: asText(t.Get("priority")), Status: asText(t.Get("status")),
			TaskClass: asText(t.Get("task_class")), ActionKind: asText(t.Get("action_kind")), ClaimedBy: asText(t.Get("claimed_by")),
			Text: asText(t.Get("text")), TextRef: t.Get("text_ref").Text(), JSON: rawJSON(t),
		}
		if r, err := e.Follow("action.selected_todo.text_ref"); err == nil && a.SelectedTodo.Text == "" {
			a.SelectedTodo.Text = r.Text
		}
	}
	return a
}

// User gives what concerns the user.
func (e *Envelope) User() User {
	v := e.root().Get("user")
	return User{
		ActionRequired: exactly(v.Get("action_required"), true), OpenCount: v.Get("open_count").Number(),
		Notify: asText(v.Get("notify")), Reason: asText(v.Get("reason")), Actions: texts(v.Get("actions")),
	}
}

// RequiredReads gives what to read first.
func (e *Envelope) RequiredReads() []Read {
	var out []Read
	for v := range e.root().Get("required_reads").Items() {
		out = append(out, Read{asText(v.Get("command")), asText(v.Get("kind")), asText(v.Get("reason")), asText(v.Get("source"))})
	}
	return out
}

// Boundary gives where the agent may act.
func (e *Envelope) Boundary() Boundary {
	v := e.root().Get("boundary")
	return Boundary{
		Rule: asText(v.Get("rule")), StopCondition: asText(v.Get("stop_condition")),
		AdapterKind: asText(v.At("adapter", "kind")), AdapterStatus: asText(v.At("adapter", "status")),
		WriteScope: texts(v.Get("write_scope")), AvailableCapabilities: texts(v.Get("available_capabilities")),
		RequiresParentApproval: texts(v.Get("requires_parent_approval")), Guards: texts(v.Get("guards")),
		ExecutionProfile: rawJSON(v.Get("execution_profile")), Orchestration: rawJSON(v.Get("orchestration")),
		WorkspaceGuard: rawJSON(v.Get("workspace_guard")), CapabilityGate: rawJSON(v.Get("capability_gate")),
	}
}

// ExecutionPolicy gives which kinds of work are allowed; what the envelope does not say is not.
func (e *Envelope) ExecutionPolicy() ExecutionPolicy {
	v := e.root().Get("execution_policy")
	allowed := func(k string) bool { return exactly(v.Get(k+"_allowed"), true) }
	return ExecutionPolicy{
		NormalDelivery: allowed("normal_delivery"), RecoveryDelivery: allowed("recovery_delivery"),
		SelfRepair: allowed("self_repair"), CapabilityRepair: allowed("capability_repair"),
		WorkspaceRepair: allowed("workspace_repair"), SafeBypass: allowed("safe_bypass"),
		SafeBypassKind: asText(v.Get("safe_bypass_kind")), BlockedActionScope: asText(v.Get("blocked_action_scope")),
	}
}

// Writeback gives what to record after acting.
func (e *Envelope) Writeback() Writeback {
	v := e.root().Get("writeback")
	return Writeback{
		NextCLIActions: texts(v.Get("next_cli_actions")), SpendPolicy: asText(v.Get("spend_policy")),
		SpendAllowedNow: exactly(v.Get("spend_allowed_now"), true), SpendAfterValidation: exactly(v.Get("spend_after_validation"), true),
		ReplanSettlementContract:   rawJSON(v.Get("replan_settlement_contract")),
		DeliveryWorkspaceCausality: rawJSON(v.Get("delivery_workspace_causality")),
	}
}

// Scheduler gives when to run again. An argv that is not here may be behind a reference: see Follow.
func (e *Envelope) Scheduler() Scheduler {
	v := e.root().Get("scheduler")
	app := v.Get("codex_app")
	return Scheduler{
		Action: asText(v.Get("action")), CadenceClass: asText(v.Get("cadence_class")),
		ReasonCode: asText(v.Get("reason_code")), SpendPolicy: asText(v.Get("spend_policy")),
		RecommendedRRule: asText(app.Get("recommended_rrule")), HostAction: asText(app.Get("host_action")),
		AckCLIArgs: texts(app.Get("ack_cli_args")), CodexApp: rawJSON(app),
	}
}

// Capsule gives the contracts behind the decision.
func (e *Envelope) Capsule() Capsule {
	v := e.root().Get("contract_capsule")
	c := Capsule{TaskScope: asText(v.Get("task_scope")), Warnings: texts(v.Get("actionable_warning_refs"))}
	for k, x := range v.Members() {
		if x.Kind() == object {
			c.Contracts = append(c.Contracts, Contract{k.Text(), rawJSON(x)})
		}
	}
	return c
}

// ResponsePlan gives how to answer a blocking user gate; ok is false when there is no plan.
func (e *Envelope) ResponsePlan() (plan ResponsePlan, ok bool) {
	v := obj(e.root().Get("response_plan"))
	return ResponsePlan{
		SchemaVersion: asText(v.Get("schema_version")), Kind: asText(v.Get("kind")), Decision: asText(v.Get("decision")),
		ActionSequence: texts(v.Get("action_sequence")), SilentWaitAllowed: exactly(v.Get("silent_wait_allowed"), true),
	}, v.Exists()
}

func rawJSON(v value) json.RawMessage {
	if !v.Exists() {
		return nil
	}
	return json.RawMessage(v.AppendCompact(nil))
}

func asText(v value) string {
	switch v.Kind() {
	case missing, null:
		return ""
	case text:
		return v.Text()
	}
	return string(v.AppendCompact(nil))
}

func texts(v value) []string {
	var out []string
	for item := range v.Items() {
		out = append(out, asText(item))
	}
	return out
}
