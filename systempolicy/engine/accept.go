package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ambit/internal/fault"
	"example.com/ambit/systempolicy"
)

// Accept judges one signal by what is merged, and gives the state after it. refused is nil when it was accepted; when not, nothing
// has changed. A signal that was accepted before is accepted again and changes nothing. // S3, S5 to S7
//
// A pause is refused only for an environment that main does not have: not for its age, and not while main cannot be read.
func (m Merged) Accept(s Signals, sig Signal, now time.Time) (after Signals, refused *Refusal) {
	refuse := func(code, format string, args ...any) (Signals, *Refusal) {
		return s, &Refusal{ID: sig.ID, Code: code, Message: fmt.Sprintf(format, args...)}
	}
	switch {
	case m.System == nil && m.ReadAt.IsZero() && sig.Kind != Pause, m.System != nil && !m.System.Valid() && sig.Kind == Set:
		return refuse(RefusedUnavailable, "what is merged cannot be read")
	case !m.System.Has(sig.Environment) && !m.ReadAt.IsZero() && (m.System == nil || m.System.Valid()):
		return refuse(RefusedUnknown, "no environment %q in autonomy.json", sig.Environment)
	}
	policy := m.System.Policy(sig.Environment)
	// An id is remembered with its kind, so that nothing else can use up a pause's.
	asked := systempolicy.Signal{ID: string(sig.Kind) + " " + sig.ID, Kind: kinds[sig.Kind], At: sig.At, By: sig.By}
	if sig.Kind == Set {
		var err error
		if asked.Policy, err = systempolicy.ParsePatch("", sig.Policy); err != nil {
			_, refused = refuse(RefusedPolicy, "the policy does not validate: %v", err)
			refused.Keys = wrongKeys(err)
			return s, refused
		}
	}
	held, answer := s.held().Accept(asked, policy, now)
	last := s.last(sig.Kind)
	switch answer.Code {
	case systempolicy.SignalAccepted:
	case systempolicy.SignalRepeated:
		if *last != nil && (*last).ID == sig.ID && (*last).Kind == sig.Kind && !(*last).same(sig) {
			return refuse(RefusedReused, "another %s was accepted under this id", sig.Kind)
		}
		return s, nil
	case systempolicy.SignalOlder:
		return refuse(RefusedOlder, "a later %s was accepted before", map[SignalKind]string{Resume: "pause or resume", Set: "set"}[sig.Kind])
	case systempolicy.SignalAhead:
		return refuse(RefusedEarly, "its time is more than %s ahead of the engine's clock", MaxSkew)
	case systempolicy.SignalLoosens:
		_, refused = refuse(RefusedLoosens, "it would loosen %s", answer.Loosens)
		refused.Loosens = answer.Loosens.Names()
		return s, refused
	default:
		return refuse(RefusedPolicy, "it asks for nothing")
	}
	accepted := &Accepted{Signal: sig, Order: held.At, Received: now.UTC()}
	if sig.Kind == Set {
		accepted.Order = held.SetAt
	}
	*last, s.Seen = accepted, held.Seen
	return s, nil
}

// wrongKeys gives the keys that an error names, below policy, each once.
func wrongKeys(err error) []string {
	keys := []string{}
	for _, e := range fault.All(err) {
		key := strings.TrimPrefix(e.Key, "policy.")
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}
