package harness

import (
	"bytes"
	"encoding/json"
	"strings"

	"example.com/ambit/internal/enum"
)

// Answer is what a hook says to its agent.
type Answer uint8

// The answers. The zero value blocks.
const (
	Deny      Answer = iota // the call does not run
	Ask                     // the person decides
	NoOpinion               // the agent's own rules decide
	Allow                   // the call runs
)

var answerNames = [...]string{"deny", "ask", "no opinion", "allow"}

// String gives the answer as a word.
func (a Answer) String() string { return enum.Word(answerNames[:], a) }

// MarshalText gives String's text.
func (a Answer) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads String's text; any other is an error that lists them.
func (a *Answer) UnmarshalText(text []byte) (err error) {
	*a, err = enum.Parse[Answer]("an answer", answerNames[:], text)
	return err
}

// Decision is an answer with what is said about it.
type Decision struct {
	Answer  Answer // what the agent is told
	Reason  string // why; for the model and the person. Never empty in what Encode writes
	Message string // a line for the person when the call runs all the same: the notice of tier2
	Context string // SessionStart: text that the model starts with
	Fault   bool   // the hook could not judge: the agent's strongest blocking form is used
	Firm    bool   // an ask that must not fall back to the agent's own rules: what cannot ask denies
}

// maxReason bounds a reason in characters (K35).
const maxReason = 2000

// Output is what the hook process writes and how it ends.
type Output struct {
	Stdout []byte // nothing, or one JSON object (K35)
	Stderr []byte // for a person; Claude also reads it when Exit is 2
	Exit   int    // 0, or 2 where that is how the agent is told to block
}

// Encode writes a decision in the dialect of the agent and event (K30, K32, K34). It is total: what a dialect cannot say
// becomes the stricter thing that it can. promptsOff says that the agent will ask nobody, as Event.PromptsOff.
func Encode(n Name, k Kind, d Decision, promptsOff bool) Output {
	d.Reason = reason(d)
	if !k.blocks() {
		return encodeNote(n, k, d)
	}
	if d.Answer == Ask && !canAsk(n, k) {
		d.Answer = NoOpinion
		if promptsOff || d.Firm {
			d.Answer = Deny
		}
	}
	if d.Answer > Allow {
		d.Answer = Deny
	}
	if write, ok := dialects[n]; ok {
		return write(k, d)
	}
	return Output{Stderr: []byte(d.Reason + "\n"), Exit: 2}
}

// canAsk reports whether the dialect has a way to hand the question to the person (K32).
func canAsk(n Name, k Kind) bool { return n == Claude && k == PreToolUse || n == Cursor }

// dialects writes an answer to an event that can block.
var dialects = map[Name]func(Kind, Decision) Output{Claude: encodeClaude, Codex: encodeCodex, Gemini: encodeGemini, Cursor: encodeCursor}

type hookOutput struct {
	Event    string          `json:"hookEventName"`
	Answer   string          `json:"permissionDecision,omitempty"`
	Reason   string          `json:"permissionDecisionReason,omitempty"`
	Decision *behaviorOutput `json:"decision,omitempty"`
	Context  string          `json:"additionalContext,omitempty"`
}

type behaviorOutput struct {
	Behavior string `json:"behavior"`
	Message  string `json:"message,omitempty"`
}

type nestedOutput struct {
	Hook    *hookOutput `json:"hookSpecificOutput,omitempty"`
	Message string      `json:"systemMessage,omitempty"`
}

func encodeClaude(k Kind, d Decision) Output {
	if d.Answer == NoOpinion {
		return Output{}
	}
	if k == PermissionRequest {
		h := &hookOutput{Event: "PermissionRequest", Decision: &behaviorOutput{Behavior: d.Answer.String()}}
		if d.Answer == Deny {
			h.Decision.Message = d.Reason // exit 2 is not honoured here
		}
		return Output{Stdout: line(nestedOutput{Hook: h, Message: d.Message})}
	}
	out := Output{Stdout: line(nestedOutput{Message: d.Message, Hook: &hookOutput{Event: "PreToolUse", Answer: d.Answer.String(), Reason: d.Reason}})}
	if d.Answer == Deny {
		out.Stderr, out.Exit = []byte(d.Reason+"\n"), 2
		if d.Fault {
			out.Stdout = nil
		}
	}
	return out
}

// encodeCodex leaves an allow unsaid: Codex takes a bare allow for an error. A deny needs a reason that is not empty.
func encodeCodex(_ Kind, d Decision) Output {
	if d.Answer != Deny {
		if d.Message == "" {
			return Output{}
		}
		return Output{Stdout: line(nestedOutput{Message: d.Message})}
	}
	return Output{Stdout: line(nestedOutput{Hook: &hookOutput{Event: "PreToolUse", Answer: "deny", Reason: d.Reason}})}
}

func encodeGemini(_ Kind, d Decision) Output {
	type output struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason,omitempty"`
		Message  string `json:"systemMessage,omitempty"`
	}
	switch d.Answer {
	case Deny:
		return Output{Stdout: line(output{Decision: "deny", Reason: d.Reason})}
	case Allow:
		return Output{Stdout: line(output{Decision: "allow", Message: d.Message})}
	}
	return Output{}
}

func encodeCursor(_ Kind, d Decision) Output {
	type output struct {
		Permission string `json:"permission"`
		User       string `json:"user_message,omitempty"`
		Agent      string `json:"agent_message,omitempty"`
	}
	switch d.Answer {
	case NoOpinion:
		return Output{}
	case Allow:
		return Output{Stdout: line(output{Permission: "allow", User: d.Message})}
	}
	out := Output{Stdout: line(output{Permission: d.Answer.String(), User: d.Reason, Agent: d.Reason})}
	if d.Answer == Deny {
		out.Exit = 2
	}
	return out
}

// encodeNote answers an event that never blocks: context for a session, nothing for a tool that has run; a fault goes to
// standard error (K34).
func encodeNote(n Name, k Kind, d Decision) Output {
	if d.Fault {
		return Output{Stderr: []byte(d.Reason + "\n")}
	}
	if k == SessionStart && d.Context != "" && (n == Claude || n == Codex) {
		return Output{Stdout: line(nestedOutput{Hook: &hookOutput{Event: "SessionStart", Context: d.Context}})}
	}
	if d.Message != "" && n == Claude {
		return Output{Stdout: line(nestedOutput{Message: d.Message})}
	}
	return Output{}
}

// reason gives the reason within its bound, never empty: Codex lets a call run on an empty one.
func reason(d Decision) string {
	r := []rune(strings.TrimSpace(d.Reason))
	if len(r) == 0 {
		return "ambit: " + d.Answer.String()
	}
	if len(r) > maxReason {
		r = append(r[:maxReason-1], '…')
	}
	return string(r)
}

func line(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("harness: " + err.Error()) // texts always encode
	}
	return b.Bytes()
}
