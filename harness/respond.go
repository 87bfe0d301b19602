package harness

import "fmt"

// Respond answers one call of a hook from end to end: the bytes on standard input to what the process writes and how it
// ends. It is [Respond] with the hook's own decision.
func (h Hook) Respond(n Name, fallback Kind, stdin []byte) Output {
	return Respond(n, fallback, stdin, func(e Event) (Decision, error) { return h.Decide(e), nil })
}

// Respond decodes an event, has it decided, and encodes the answer. It is for those who must look at the event before
// they know the hook, as to find the project; judge gives a decision, or the reason that there is none. Respond is total
// (K34): input that cannot be read, a missing field, an error of judge and a panic in it end in the agent's blocking form.
// fallback is the event that is meant when the input does not name one.
func Respond(n Name, fallback Kind, stdin []byte, judge func(Event) (Decision, error)) (out Output) {
	kind := fallback
	defer func() {
		if r := recover(); r != nil {
			out = Fault(n, kind, fmt.Errorf("internal error: %v", r))
		}
	}()
	e, err := Decode(n, stdin, fallback)
	kind = e.Kind
	if err != nil {
		return Fault(n, kind, err)
	}
	d, err := judge(e)
	if err != nil {
		return Fault(n, kind, err)
	}
	return Encode(n, kind, d, e.PromptsOff)
}

// Fault answers an event that could not be judged: in the agent's blocking form, but for an event that never blocks
// (K34).
func Fault(n Name, k Kind, err error) Output {
	return Encode(n, k, Decision{Answer: Deny, Fault: true, Reason: "ambit cannot judge, so this is blocked: " + err.Error()}, true)
}
