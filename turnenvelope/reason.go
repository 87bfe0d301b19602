package turnenvelope

import "example.com/ambit/internal/oneline"

// Reason is one finding of Verify or Accept.
type Reason struct {
	Code    string // one of the Reason constants; stable
	Pointer string // JSON Pointer into the envelope, or into the broken input; "" is the whole
	Want    string // what the value should be, as compact JSON cut to 200 characters; "" when there should be none
	Got     string // what it is; "" when there is none
	Message string // for people; not stable
}

// The codes of reasons, in the order in which Verify and Accept give them.
const (
	ReasonDecision  = "decision_invalid"  // the decision cannot be read or projected
	ReasonEnvelope  = "envelope_invalid"  // the envelope cannot be read
	ReasonSchema    = "schema_unknown"    // schema_version is not SchemaVersion
	ReasonDimension = "dimension_differs" // a signed value differs from the decision's projection
	ReasonMore      = "more_differences"  // there are more differences than are listed

	ReasonSignature      = "signature_missing"            // action_signature is no object
	ReasonSignatureForm  = "signature_schema_unknown"     // its schema_version is not SignatureSchema
	ReasonCoverage       = "coverage_unknown"             // its coverage is neither CoverageV0 nor CoverageV1. N11
	ReasonCoverageStored = "coverage_differs"             // its coverage is not what the envelope holds
	ReasonSourceHash     = "source_hash_differs"          // stored and recomputed differ
	ReasonEnvelopeHash   = "envelope_hash_differs"        // stored and recomputed differ
	ReasonMatches        = "matches_differs"              // stored and recomputed differ
	ReasonDecisionHash   = "source_decision_hash_differs" // stored and recomputed differ

	ReasonBudget      = "over_budget"          // more than BudgetBytes
	ReasonNotAllowed  = "delivery_not_allowed" // should_run, and action.delivery_allowed is not true
	ReasonNoAttempt   = "attempt_not_required" // should_run, and action.must_attempt is not true
	ReasonNothingToDo = "no_way_on"            // neither run, nor ask, nor wait
)

// shown is a value for a Reason.
func shown(v value) string {
	if !v.Exists() {
		return ""
	}
	return oneline.Cut(string(v.AppendCompact(nil)), 200)
}
