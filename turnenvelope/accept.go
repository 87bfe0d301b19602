package turnenvelope

import (
	"fmt"
	"strconv"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/enum"
)

// Disposition is what a host may do with an envelope. The zero Disposition is Refused.
type Disposition uint8

// The dispositions, from the most to the least strict.
const (
	Refused Disposition = iota // not an envelope that can be trusted: do not act on it
	Blocked                    // sound, and it allows neither to act, nor to ask, nor to wait
	Wait                       // do nothing this turn
	AskUser                    // surface what the user must do
	Act                        // do what the envelope says
)

var dispositionNames = [...]string{"refused", "blocked", "wait", "ask_user", "act"}

// String gives the disposition's word, as "ask_user".
func (d Disposition) String() string { return enum.Name("Disposition", dispositionNames[:], d) }

// MarshalText gives the disposition's word.
func (d Disposition) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a disposition's word.
func (d *Disposition) UnmarshalText(text []byte) (err error) {
	*d, err = enum.Parse[Disposition]("a disposition", dispositionNames[:], text)
	return err
}

// Acceptance is what Accept found. The zero Acceptance is refused.
type Acceptance struct {
	Disposition Disposition // what the host may do
	Bytes       int         // of the envelope's compact text
	Reasons     []Reason    // why it may not do more; none for Act
}

// Accept says what a host may do with a stored envelope, given as JSON. Schema, coverage and signature are checked by
// recomputing the hash, and the budget by measuring its compact text; stored sizes are not read. Only a sound envelope
// is then judged: should_run with delivery allowed and an attempt required is Act; without should_run a required user
// action is AskUser, and an allowed quiet no-op Wait; all else is Blocked. Without the decision nobody can tell whether
// the envelope is its projection: that is what Verify is for. N12
func Accept(envelope []byte) Acceptance {
	var a Acceptance
	env, err := parseObject("", envelope, "an envelope")
	if err != nil {
		a.Reasons = unreadable(ReasonEnvelope, err)
		return a
	}
	if v := env.Get("schema_version"); !is(v, SchemaVersion) {
		a.Reasons = append(a.Reasons, Reason{Code: ReasonSchema, Pointer: "/schema_version", Want: quoted(SchemaVersion),
			Got: shown(v), Message: "schema_version is not " + SchemaVersion})
	}
	actual := signatureOf(env)
	a.Reasons = append(a.Reasons, checkStored(env, actual, actual.Hash)...)
	a.Bytes = len(canonjson.Append(nil, env, canonjson.Format{KeepNumbers: true}))
	if a.Bytes > BudgetBytes {
		a.Reasons = append(a.Reasons, Reason{Code: ReasonBudget, Want: strconv.Itoa(BudgetBytes), Got: strconv.Itoa(a.Bytes),
			Message: fmt.Sprintf("the envelope has %d bytes, the budget is %d", a.Bytes, BudgetBytes)})
	}
	if len(a.Reasons) == 0 {
		a.Disposition, a.Reasons = judge(env)
	}
	return a
}

// judge reads what a sound envelope says. E13
func judge(env value) (Disposition, []Reason) {
	action := env.Get("action")
	if exactly(env.Get("should_run"), true) {
		var reasons []Reason
		for _, need := range [...]struct{ key, code string }{{"delivery_allowed", ReasonNotAllowed}, {"must_attempt", ReasonNoAttempt}} {
			if v := action.Get(need.key); !exactly(v, true) {
				reasons = append(reasons, Reason{Code: need.code, Pointer: "/action/" + need.key, Want: "true", Got: shown(v),
					Message: "should_run is true, and action." + need.key + " is not"})
			}
		}
		if len(reasons) > 0 {
			return Blocked, reasons
		}
		return Act, nil
	}
	switch {
	case exactly(env.At("user", "action_required"), true):
		return AskUser, nil
	case exactly(action.Get("quiet_noop_allowed"), true):
		return Wait, nil
	}
	return Blocked, []Reason{{Code: ReasonNothingToDo, Message: "neither a run, nor a user action, nor a quiet no-op is allowed"}}
}
