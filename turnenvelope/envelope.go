package turnenvelope

import (
	"sync"

	"example.com/ambit/internal/canonjson"
)

// Envelope is a finished envelope. It is immutable and safe for concurrent use.
type Envelope struct {
	text   string
	read   sync.Once
	parsed value // by root only
}

// ParseEnvelope reads a stored envelope, which is one JSON object; name is for messages. What it says is not judged:
// that is for Accept and Verify. The error joins every problem as *Error.
func ParseEnvelope(name string, data []byte) (*Envelope, error) {
	v, err := parseObject(name, data, "an envelope")
	if err != nil {
		return nil, err
	}
	text := canonjson.Append(nil, v, canonjson.Format{KeepNumbers: true})
	return &Envelope{text: string(text)}, nil
}

// parseObject reads an input that must be an object.
func parseObject(name string, data []byte, what string) (value, error) {
	v, err := canonjson.Parse(name, data, limits)
	if err != nil {
		return value{}, pointed(err)
	}
	if v.Kind() != object {
		p := projection{data: data}
		p.fault(CodeNotObject, v, "", what+" is an object, not "+v.Kind().Phrase())
		p.faults[0].File = name
		return value{}, p.faults.Err()
	}
	return v, nil
}

// JSON gives the compact text. It is the text that compaction measured. N4
func (e *Envelope) JSON() []byte { return []byte(e.text) }

// String gives the compact text.
func (e *Envelope) String() string { return e.text }

// MarshalJSON gives the compact text; json.Marshal escapes <, > and & in it, so that its length is another. N4
func (e *Envelope) MarshalJSON() ([]byte, error) { return e.JSON(), nil }

// Signature recomputes the signature from the envelope's finished text; the hashes stored in it are not read. N10
func (e *Envelope) Signature() Signature { return signatureOf(e.root()) }

// root is the envelope as a value.
func (e *Envelope) root() value {
	e.read.Do(func() { e.parsed = own([]byte(e.text)) })
	return e.parsed
}

// Section is the bytes that one key of the envelope takes, its key and comma included.
type Section struct {
	Name  string // the key; "head" stands for ok to state, and anything unknown
	Bytes int    // UTF-8, of the compact text
}

// sectionNames are the keys that count by themselves; the rest is the head.
var sectionNames = words{"action", "user", "required_reads", "replan_action_packet", "boundary", "execution_policy",
	"writeback", "scheduler", "contract_capsule", "task_orchestration_contract", "response_plan", "detail_ref",
	"action_signature", "compaction"}

// Sections gives the bytes of each section, in the envelope's order after the head; they add up to the text. N7
func (e *Envelope) Sections() []Section {
	out := []Section{{Name: "head", Bytes: len("}")}}
	before := 0
	for k, v := range e.root().Members() {
		_, end := v.Span()
		if sectionNames.has(k.Text()) {
			out = append(out, Section{Name: k.Text(), Bytes: end - before})
		} else {
			out[0].Bytes += end - before
		}
		before = end
	}
	if before == 0 { // an empty object has its opening brace before no member
		out[0].Bytes++
	}
	return out
}
