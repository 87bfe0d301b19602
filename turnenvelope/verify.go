package turnenvelope

import (
	"strconv"

	"example.com/ambit/internal/canonjson"
)

// Verification is what Verify found. The zero Verification does not match.
type Verification struct {
	Matches            bool     // the signed dimensions agree, and what the envelope says of its signature is true
	Coverage           string   // as recomputed from the decision
	SourceHash         string   // recomputed from the decision
	EnvelopeHash       string   // recomputed from the envelope
	SourceDecisionHash string   // recomputed over the whole decision
	Reasons            []Reason // what differs, in the order of the signature; none when it matches
}

// Verify recomputes the signature from the full decision and from the envelope, both given as JSON, and trusts nothing
// that is stored. It names the deepest differing value of every signed dimension, in the order of the signature, and
// then whatever the envelope says wrongly about its signature. What cannot be read does not match. N10, N11
func Verify(decision, envelope []byte) Verification {
	var v Verification
	p, err := newProjection(decision)
	if err != nil {
		v.Reasons = append(v.Reasons, unreadable(ReasonDecision, err)...)
	}
	env, err := parseObject("", envelope, "an envelope")
	if err != nil {
		v.Reasons = append(v.Reasons, unreadable(ReasonEnvelope, err)...)
	}
	if len(v.Reasons) > 0 {
		return v
	}
	source := p.view()
	expected, actual := signatureOf(source), signatureOf(env)
	v.Coverage, v.SourceHash, v.EnvelopeHash = expected.Coverage, expected.Hash, actual.Hash
	v.SourceDecisionHash = canonjson.Hash(p.d)

	var d differ
	for _, k := range dimensions {
		if want, got := source.Get(k), env.Get(k); !absent(want) || !absent(got) { // null and missing sign alike
			d.compare("/"+k, want, got)
		}
	}
	d.compare("/response_plan", source.Get("response_plan"), obj(env.Get("response_plan")))
	v.Reasons = d.reasons
	if d.more > 0 {
		v.Reasons = append(v.Reasons, Reason{Code: ReasonMore, Message: strconv.Itoa(d.more) + " more values differ"})
	}
	v.Reasons = append(v.Reasons, checkStored(env, actual, expected.Hash)...)
	stored := obj(env.Get("action_signature"))
	v.Reasons = append(v.Reasons, checkText(stored, ReasonDecisionHash, "source_decision_hash", v.SourceDecisionHash)...)
	v.Matches = len(v.Reasons) == 0
	return v
}

// checkStored compares what an envelope says of its signature with what was recomputed from it; sourceHash is the hash
// that the source should have.
func checkStored(env value, actual Signature, sourceHash string) []Reason {
	const at = "/action_signature"
	stored := env.Get("action_signature")
	if stored.Kind() != object {
		return []Reason{{Code: ReasonSignature, Pointer: at, Got: shown(stored), Message: "there is no signature"}}
	}
	reasons := checkText(stored, ReasonSignatureForm, "schema_version", SignatureSchema)
	switch c := stored.Get("coverage"); {
	case !is(c, CoverageV0) && !is(c, CoverageV1):
		reasons = append(reasons, Reason{Code: ReasonCoverage, Pointer: at + "/coverage", Want: quoted(actual.Coverage), Got: shown(c),
			Message: "the coverage is not one that can be checked"})
	default:
		reasons = append(reasons, checkText(stored, ReasonCoverageStored, "coverage", actual.Coverage)...)
	}
	reasons = append(reasons, checkText(stored, ReasonSourceHash, "source_hash", sourceHash)...)
	reasons = append(reasons, checkText(stored, ReasonEnvelopeHash, "envelope_hash", actual.Hash)...)
	if m, want := stored.Get("matches"), sourceHash == actual.Hash; !exactly(m, want) {
		reasons = append(reasons, Reason{Code: ReasonMatches, Pointer: at + "/matches", Want: strconv.FormatBool(want), Got: shown(m),
			Message: "matches should be " + strconv.FormatBool(want)})
	}
	return reasons
}

// checkText compares one stored text of the signature with the recomputed one.
func checkText(stored value, code, key, want string) []Reason {
	got := stored.Get(key)
	if is(got, want) {
		return nil
	}
	return []Reason{{Code: code, Pointer: "/action_signature/" + key, Want: quoted(want), Got: shown(got),
		Message: key + " is not " + want}}
}

func quoted(s string) string { return string(canonjson.AppendString(nil, s)) }

// unreadable gives the problems of an input as reasons.
func unreadable(code string, err error) []Reason {
	var out []Reason
	for _, e := range allFaults(err) {
		out = append(out, Reason{Code: code, Pointer: e.Key, Got: e.Code, Message: e.Error()})
	}
	return out
}
