package turnenvelope

import (
	"example.com/ambit/internal/canonjson"
)

// E9: which part of an envelope is signed, and how.

// The words of the signature.
const (
	SchemaVersion   = "loopx_turn_envelope_v0"             // of an envelope
	SignatureSchema = "loopx_action_signature_v0"          // of its action_signature
	CoverageV0      = "turn_envelope_action_dimensions_v0" // the action dimensions
	CoverageV1      = "turn_envelope_action_dimensions_v1" // those and the response plan
)

// Signature is the hash over the signed dimensions of an envelope.
type Signature struct {
	Coverage string // CoverageV0 or CoverageV1
	Hash     string // "sha256:" and 64 lower-case hexadecimal digits
}

// dimensions are what is signed besides the response plan, in the order of E9.
var dimensions = [...]string{"agent_id", "decision", "should_run", "effective_action", "state", "action", "user",
	"required_reads", "replan_action_packet", "boundary", "execution_policy", "writeback", "scheduler",
	"contract_capsule", "task_orchestration_contract"}

// documentKeys is the signature document in canonical order; coverage, response_plan and schema_version are special.
var documentKeys = [...]string{"action", "agent_id", "boundary", "contract_capsule", "coverage", "decision",
	"effective_action", "execution_policy", "replan_action_packet", "required_reads", "response_plan", "scheduler",
	"schema_version", "should_run", "state", "task_orchestration_contract", "user", "writeback"}

// appendDocument writes the canonical signature document of an envelope, or of any object read as one. E9
func appendDocument(b []byte, envelope value) (document []byte, coverage string) {
	coverage = CoverageV0
	plan := obj(envelope.Get("response_plan"))
	if plan.Exists() {
		coverage = CoverageV1
	}
	e := emitter{b: append(b, '{')}
	for _, k := range documentKeys {
		switch {
		case k == "coverage":
			e.textField(k, coverage)
		case k == "schema_version":
			e.textField(k, SignatureSchema)
		case k != "response_plan" || plan.Exists():
			e.key(k)
			e.b = envelope.Get(k).AppendCanonical(e.b) // what is missing is null, and counts
		}
	}
	return append(e.b, '}'), coverage
}

func signatureOf(envelope value) Signature {
	document, coverage := appendDocument(nil, envelope)
	return Signature{Coverage: coverage, Hash: canonjson.HashBytes(document)}
}

// SignatureOf projects a decision and signs what the projection says. The errors are those of Project. N10
func SignatureOf(decision []byte) (Signature, error) {
	p, err := newProjection(decision)
	if err != nil {
		return Signature{}, err
	}
	return signatureOf(p.view()), nil
}

// view is the projection as a value, without signature and compaction.
func (p *projection) view() value {
	e := emitter{b: make([]byte, 0, 8<<10)}
	p.body(&e, Host{})
	return own(append(e.b, '}'))
}

// own reads a text of this package's making.
func own(text []byte) value {
	v, err := canonjson.Parse("", text, ownLimits)
	if err != nil {
		panic("turnenvelope: wrote what it cannot read: " + err.Error()) // a defect of this package; no input leads here
	}
	return v
}

// ownLimits are wider than those of inputs: a field may be quoted inside another, and lists are taken apart.
var ownLimits = canonjson.Limits{MaxBytes: 1 << 30, MaxDepth: MaxDepth + 16, MaxIntDigits: 1 << 20}

// storedSignature is the envelope's action_signature.
type storedSignature struct {
	coverage, source, envelope, decision string
	matches                              bool
}

func (s storedSignature) emit(e *emitter) {
	e.textField("schema_version", SignatureSchema)
	e.textField("coverage", s.coverage)
	e.textField("source_hash", s.source)
	e.textField("envelope_hash", s.envelope)
	e.boolField("matches", s.matches)
	e.textField("source_decision_hash", s.decision)
}
