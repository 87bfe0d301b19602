package turnenvelope

import (
	"fmt"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
)

// The limits of an input, N8.
const (
	MaxBytes     = 2 << 20 // the slot decoder's frame takes no more; and 2 MiB are read in a few milliseconds
	MaxDepth     = 512     // the reference stops at about 960 levels
	MaxIntDigits = 4300    // what Python reads
)

var limits = canonjson.Limits{MaxBytes: MaxBytes, MaxDepth: MaxDepth, MaxIntDigits: MaxIntDigits}

// Options is the host's context. The zero value is no context: the envelope then says how to rerun in words. N3
type Options struct {
	Host   Host // for the command that gives the full decision
	Strict bool // an envelope beyond BudgetBytes is an error, with the code CodeBudget. N7
}

// Project gives the bounded view of a decision, which is one JSON object. The decision is read once and not kept; the
// same bytes and options give the same envelope. The error joins every problem as *Error. N3, N8
func Project(decision []byte, opt Options) (*Envelope, error) {
	p, err := newProjection(decision)
	if err != nil {
		return nil, err
	}
	e := emitter{b: p.d.AppendCanonical(make([]byte, 0, len(decision)+4<<10))}
	decisionHash, sourceBytes := canonjson.HashBytes(e.b), len(e.b) // sorting moves bytes, it adds none: N5 counts these
	e.b = e.b[:0]
	p.body(&e, opt.Host)
	// The document stands behind the body in the same memory until it is hashed.
	document, coverage := appendDocument(e.b[len(e.b):], own(append(e.b, '}')))
	hash := canonjson.HashBytes(document)
	e.object("action_signature", storedSignature{
		coverage: coverage, source: hash, envelope: hash, matches: true, decision: decisionHash,
	}.emit)
	size := e.compaction(sourceBytes)
	if opt.Strict && size > BudgetBytes {
		return nil, &Error{Code: CodeBudget, Err: fmt.Errorf("the envelope has %d bytes, the budget is %d", size, BudgetBytes)}
	}
	return &Envelope{text: string(e.b)}, nil
}

// projection is one decision being projected: what several sections share is worked out once.
type projection struct {
	data   []byte
	d      value
	faults fault.List
	slots

	ic, agent, cli, user value // interaction_contract and its three channels
	boundaryOf, gate     value // goal_boundary, capability_gate
	hint, app            value // scheduler_hint and its codex_app
	lane, obligation     value // work_lane_contract, execution_obligation
	liveness             value // automation_liveness
	agentTodos, todos    value // agent_todo_summary, user_todo_summary
	replan               bool  // the replan packet gives something. E6.7
	agentID, openCount   string
	recommended, primary string // "" is absent. E6.3
	userRequired         bool   // as projected. E6.5
	userActions          []string
	monitorOnly          bool // agent_work_mode
	scopeRepair          bool // E7.5
}

// newProjection reads and checks a decision. E11 has the order of the checks; all faults are reported.
func newProjection(decision []byte) (*projection, error) {
	d, err := canonjson.Parse("", decision, limits)
	if err != nil {
		return nil, pointed(err)
	}
	p := &projection{data: decision, d: d}
	if d.Kind() != object {
		p.fault(CodeNotObject, d, "", "a decision is an object, not "+d.Kind().Phrase())
		return nil, p.faults.Err()
	}
	p.ic = obj(d.Get("interaction_contract"))
	p.agent, p.cli, p.user = obj(p.ic.Get("agent_channel")), obj(p.ic.Get("cli_channel")), obj(p.ic.Get("user_channel"))
	p.boundaryOf, p.gate = obj(d.Get("goal_boundary")), obj(d.Get("capability_gate"))
	p.hint = obj(d.Get("scheduler_hint"))
	p.app = obj(p.hint.Get("codex_app"))
	p.lane, p.obligation = obj(d.Get("work_lane_contract")), obj(d.Get("execution_obligation"))
	p.liveness = obj(d.Get("automation_liveness"))
	p.agentTodos, p.todos = obj(d.Get("agent_todo_summary")), obj(d.Get("user_todo_summary"))
	p.replan = p.hasReplan()
	p.monitorOnly = is(d.Get("agent_work_mode"), "monitor_only")
	p.agentID = agentID(d)
	p.openCount = p.integer(d.Get("open_count"), "/open_count")
	p.slots = decodeSlots(d)
	p.checkSlots()
	p.checkFrame()
	p.checkCLIActions()
	p.checkTrigger()
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	p.recommended, p.primary = p.actionTexts()
	p.userRequired, p.userActions = p.userFields()
	return p, nil
}

// sections are the envelope's keys 14 to 24. E5
var sections = [...]func(p *projection, e *emitter){
	(*projection).emitAction,
	(*projection).emitUser,
	(*projection).emitReads,
	(*projection).emitReplan,
	(*projection).emitBoundary,
	(*projection).emitPolicy,
	(*projection).emitWriteback,
	(*projection).emitScheduler,
	(*projection).emitCapsule,
	(*projection).emitOrchestration,
	(*projection).emitResponsePlan,
}

// body writes everything before the signature, and leaves the object open. E5
func (p *projection) body(e *emitter, host Host) {
	e.b = append(e.b, '{')
	p.emitHead(e)
	for _, s := range sections {
		s(p, e)
	}
	p.emitDetailRef(e, host)
}

// emitHead writes keys 1 to 13. E5
func (p *projection) emitHead(e *emitter) {
	e.boolField("ok", truthy(p.d.Get("ok")))
	e.textField("schema_version", SchemaVersion)
	e.textField("mode", "should-run")
	e.textField("view", "turn_envelope")
	e.rawField("goal_id", p.d.Get("goal_id"))
	e.textOrNull("agent_id", p.agentID)
	e.textOrNull("reason", cleanValue(p.d.Get("reason"), 360))
	e.boolField("action_required", truthy(p.d.Get("action_required")))
	e.integerField("open_count", p.openCount)
	e.rawField("decision", p.d.Get("decision"))
	e.boolField("should_run", truthy(p.d.Get("should_run")))
	e.rawField("effective_action", p.d.Get("effective_action"))
	e.rawField("state", p.d.Get("state"))
}

// agentID gives the signed agent id. E6.1
func agentID(d value) string {
	if v := d.Get("agent_id"); truthy(v) {
		return trim(textOf(v))
	}
	return identityID(d)
}

// identityID gives the id for references to the full decision. E6.1
func identityID(d value) string {
	return trim(textIfTruthy(obj(d.Get("agent_identity")).Get("agent_id")))
}
