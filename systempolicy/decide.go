package systempolicy

import "time"

// Decision says whether an engine merges a fix by itself. The zero value waits for a person.
type Decision struct {
	Merge     bool       // merge now, on condition that the head commit is the one that the facts belong to (F18)
	Effective Level      // what the instance acts as
	BelowAct  bool       // the effective level is not act
	NoEngine  bool       // no engine is declared, so nothing acts
	Outside   Guardrails // the guardrails that the change breaks
}

// Reasons gives why a person decides: "level", "engine", then the guardrails in their order; never nil, empty when
// Merge.
func (d Decision) Reasons() []string {
	reasons := []string{}
	if d.BelowAct {
		reasons = append(reasons, "level")
	}
	if d.NoEngine {
		reasons = append(reasons, "engine")
	}
	return append(reasons, d.Outside.Names()...)
}

// Decide is the whole decision: an engine merges a fix on its own when the effective level of the instance is act, an
// engine is declared, and nothing is outside (F17). The effective level comes from [System.Effective], never from the
// declaration; improve is not an effective level.
func Decide(effective Level, p Policy, f Facts, now time.Time) Decision {
	d := Decision{Effective: effective, BelowAct: effective != Act, NoEngine: p.engine == "", Outside: Outside(p, f, now)}
	d.Merge = !d.BelowAct && !d.NoEngine && d.Outside.Empty()
	return d
}
