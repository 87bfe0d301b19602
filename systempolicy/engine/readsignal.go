package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"example.com/ambit/internal/canonjson"
)

// maxText bounds the short texts of a signal.
const maxText = 256

// ReadSignal reads the body of POST /v1/signals. Unknown fields are ignored; the refusal names every field that is wrong. A pause is
// read as kindly as can be: one without a readable time is of now.
func ReadSignal(body []byte, now time.Time) (Signal, *Refusal) {
	if len(body) > MaxBody {
		return Signal{}, &Refusal{Code: RefusedSize, Message: fmt.Sprintf("larger than %d bytes", MaxBody)}
	}
	v, err := canonjson.Parse("", body, canonjson.Limits{MaxBytes: MaxBody, MaxDepth: 16})
	if err != nil {
		return Signal{}, &Refusal{Code: RefusedBody, Message: fmt.Sprintf("the body is no JSON: %.200s", err), Keys: []string{}}
	}
	if !v.Is(canonjson.KindObject) {
		return Signal{}, &Refusal{Code: RefusedBody, Message: "the body is no JSON object", Keys: []string{}}
	}
	var wrong []string
	text := func(key string, required bool) string {
		f := v.Get(key)
		s := f.Text()
		switch {
		case !required && (!f.Exists() || f.Is(canonjson.KindNull)):
			return ""
		case !f.Is(canonjson.KindString), required && s == "", len(s) > maxText, slices.ContainsFunc([]rune(s), func(r rune) bool { return r < ' ' || r == 0x7f }):
			wrong = append(wrong, key)
			return ""
		}
		return s
	}
	version, ok := v.Get("version").Int64()
	if !ok || version != 1 {
		wrong = append(wrong, "version")
	}
	s := Signal{Version: 1, ID: text("id", true), System: text("system", true), Environment: text("environment", true), Kind: SignalKind(text("kind", true))}
	policy := v.Get("policy")
	switch s.Kind {
	case Set:
		if !policy.Is(canonjson.KindObject) || policy.Empty() {
			wrong = append(wrong, "policy")
		}
		s.Policy = json.RawMessage(policy.Raw())
	case Pause, Resume:
		if policy.Exists() && !policy.Is(canonjson.KindNull) && s.Kind == Resume {
			wrong = append(wrong, "policy")
		}
	case "": // said already
	default:
		wrong = append(wrong, "kind")
	}
	lenient := s.Kind == Pause
	before := len(wrong)
	s.Base, s.By = text("base", false), text("by", false)
	if pr := text("pr", false); pr != "" {
		s.PR = &pr
	}
	if lenient {
		wrong = wrong[:before]
	}
	at, err := time.Parse(time.RFC3339Nano, v.Get("at").Text())
	switch {
	case err == nil && plausible(at):
		s.At = at.UTC()
	case lenient:
		s.At = now.UTC()
	default:
		wrong = append(wrong, "at")
	}
	if len(wrong) > 0 {
		return Signal{}, &Refusal{ID: s.ID, Code: RefusedBody, Message: "not a signal of version 1", Keys: wrong}
	}
	return s, nil
}
