package harness

import "fmt"

// Respond answers one call of a hook from end to end: the bytes on standard input to what the process writes and how it
// ends. It is total (K34): input that cannot be read, a missing field and a panic end in the agent's blocking form.
// fallback is the event that is meant when the input does not name one.
func (h Hook) Respond(n Name, fallback Kind, stdin []byte) (out Output) {
	defer func() {
		if r := recover(); r != nil {
			out = Fault(n, fallback, fmt.Errorf("internal error: %v", r))
		}
	}()
	e, err := Decode(n, stdin, fallback)
	if err != nil {
		return Fault(n, e.Kind, err)
	}
	return Encode(n, e.Kind, h.Decide(e), e.PromptsOff)
}

// Fault answers an event that could not be judged: in the agent's blocking form, but for an event that never blocks
// (K34).
func Fault(n Name, k Kind, err error) Output {
	return Encode(n, k, Decision{Answer: Deny, Fault: true, Reason: "ambit cannot judge, so this is blocked: " + err.Error()}, true)
}
