package engine

import (
	"encoding/json"
	"time"

	"example.com/ambit/systempolicy"
)

// Merged is what an engine has read from main. The zero value has read nothing, and is observe everywhere.
type Merged struct {
	System *systempolicy.System // of autonomy.json, by systempolicy.LoadRendered; nil when main has none // A-render-3
	Commit string               // the commit that it was read at // R50
	ReadAt time.Time            // when
}

// InForce is what binds an engine in one environment at one moment. It is a value: ask again before the next action.
// The zero value is observe.
type InForce struct {
	Environment string              // which one
	Commit      string              // R50
	Level       systempolicy.Level  // of Policy, before pause
	Effective   systempolicy.Level  // what the environment acts as // R30
	Policy      systempolicy.Policy // merged, met with the signal
	Paused      Paused              // by whom, if it is
	Signals     []SignalNote        // those that are in force

	system  *systempolicy.System
	signals systempolicy.Signals
}

// InForce evaluates what is in force: the merged policy, met with the last accepted set signal; observe while git or a
// signal says paused. It is never looser than what is merged. // S6
func (m Merged) InForce(environment string, s Signals) InForce {
	merged := m.System.Policy(environment)
	f := InForce{Environment: environment, Commit: m.Commit, Policy: merged, system: m.System, Signals: []SignalNote{},
		Paused: Paused{Git: m.System.Paused(), Signal: s.Paused()}}
	if m.System == nil {
		f.Paused.Git = false // nobody said so: there is nothing to read
	}
	if s.Paused() {
		f.Signals = append(f.Signals, s.Pause.note())
	}
	if s.Set != nil && !s.Set.dropped(m) {
		f.Policy = systempolicy.Held{Set: set(s.Set.Policy)}.InForce(merged)
		f.Signals = append(f.Signals, s.Set.note())
	}
	f.Level = f.Policy.Level()
	f.signals = systempolicy.Signals{Environments: map[string]systempolicy.EnvironmentSignal{environment: {Paused: s.Paused(), Level: &f.Level}}}
	f.Effective = m.System.Effective(environment, "", f.signals)
	return f
}

// EffectiveOf gives the level that a component's instance acts as. // R32
func (f InForce) EffectiveOf(component string) systempolicy.Level {
	return f.system.Effective(f.Environment, component, f.signals)
}

// Decide is the whole decision on a change of a component's instance: systempolicy.Decide over what is in force.
func (f InForce) Decide(component string, facts systempolicy.Facts, now time.Time) systempolicy.Decision {
	return systempolicy.Decide(f.EffectiveOf(component), f.Policy, facts, now)
}

// Reconcile gives the signals without a set that main has caught up with: main is at or below it, and was read after it
// arrived. changed reports whether anything was dropped. Nothing is dropped for a main that cannot be read. // S8
func (m Merged) Reconcile(environment string, s Signals) (after Signals, changed bool) {
	if s.Set == nil || s.Set.Met != nil || !m.System.Valid() || !m.System.Has(environment) || !m.ReadAt.After(s.Set.Received) {
		return s, false
	}
	merged := m.System.Policy(environment)
	if held := (systempolicy.Held{Set: set(s.Set.Policy)}).Settle(merged); !held.Set.Keys().Empty() {
		return s, false
	}
	met := *s.Set
	met.Met = &Met{Commit: m.Commit, ReadAt: m.ReadAt.UTC()}
	s.Set = &met
	return s, true
}

// dropped reports whether the signal no longer binds one who reads m.
func (a *Accepted) dropped(m Merged) bool { return a.Met != nil && !m.ReadAt.Before(a.Met.ReadAt) }

func (a *Accepted) note() SignalNote {
	return SignalNote{ID: a.ID, Kind: a.Kind, At: a.At.UTC(), By: a.By, PR: a.PR}
}

// set is the patch of an accepted signal. One that cannot be read any more closes everything: it cannot be told what it meant.
func set(payload json.RawMessage) systempolicy.Patch {
	p, err := systempolicy.ParsePatch("", payload)
	if err != nil {
		all := systempolicy.Keys(0)
		for k := systempolicy.KeyLevel; k <= systempolicy.KeyUndoWindow; k++ {
			all = all.With(k)
		}
		return systempolicy.PatchOf(systempolicy.Policy{}, all)
	}
	return p
}
