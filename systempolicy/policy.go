package systempolicy

import "time"

// Policy is one environment's autonomy with the defaults filled in. It is an immutable value. The zero Policy is at
// Observe and has every change outside everything; [Default] is what an environment has that declares nothing.
type Policy struct {
	level          Level
	engine         string
	fix            bool // autoMerge.routes lists fix, the only route there is
	maxCriticality Criticality
	maxFiles       int64
	maxLines       int64
	regressionTest bool // required
	secondReview   bool // required
	runsPerDay     int64
	mergesPerDay   int64
	perRun         PerRun
	window         Window
	also           []Window // more windows, all of which must be open too: what Meet makes (O16)
	undo           UndoWindow
	judged         Guardrails // those that can be judged at all; a bad key takes its guardrail out, so that it is closed
}

// PerRun is what one run may use. An engine keeps to it by itself; it is no guardrail (F16).
type PerRun struct {
	Minutes, Invocations, Reruns, Cost float64 // at most, each; cost in whatever unit the engine counts
}

// Default gives the policy of an environment that declares nothing: observe, no engine, and the key table's defaults
// (R1, R12, R21).
func Default() Policy {
	return Policy{
		fix: true, maxFiles: 5, maxLines: 200, regressionTest: true, secondReview: true, runsPerDay: 5, mergesPerDay: 2,
		perRun: PerRun{Minutes: 60, Invocations: 20, Reruns: 2, Cost: 3},
		window: Window{days: weekdays, from: 9 * 60, to: 17 * 60, zone: utc},
		undo:   UndoWindow{"24h", 24 * time.Hour}, judged: AllGuardrails,
	}
}

// Level gives the declared level, not what it acts as.
func (p Policy) Level() Level { return p.level }

// Engine gives the URL of the engine as written; "" when none is declared, and then nothing acts.
func (p Policy) Engine() string { return p.engine }

// Routes gives the routes that may be merged automatically: fix, or nothing (R8). Never nil.
func (p Policy) Routes() []string {
	if p.fix {
		return []string{"fix"}
	}
	return []string{}
}

// MaxCriticality gives the highest criticality of an issue that is inside.
func (p Policy) MaxCriticality() Criticality { return p.maxCriticality }

// MaxFiles gives the most files that a change may touch.
func (p Policy) MaxFiles() int64 { return p.maxFiles }

// MaxLines gives the most lines, added and deleted together.
func (p Policy) MaxLines() int64 { return p.maxLines }

// RegressionTest reports whether a test must have failed before and pass after.
func (p Policy) RegressionTest() bool { return p.regressionTest }

// SecondReview reports whether a second review must have passed.
func (p Policy) SecondReview() bool { return p.secondReview }

// RunsPerDay gives how many runs a UTC day has; 0 is none, never "unlimited" (F8).
func (p Policy) RunsPerDay() int64 { return p.runsPerDay }

// MergesPerDay gives how many merges a UTC day has; 0 is none (F8).
func (p Policy) MergesPerDay() int64 { return p.mergesPerDay }

// PerRun gives what one run may use.
func (p Policy) PerRun() PerRun { return p.perRun }

// Windows gives the windows, all of which must be open: one, or more after [Meet].
func (p Policy) Windows() []Window { return append([]Window{p.window}, p.also...) }

// UndoWindow gives for how long a person may take an action back.
func (p Policy) UndoWindow() UndoWindow { return p.undo }

// Closed gives the guardrails that nothing can be inside of because their key is unreadable or lacking.
func (p Policy) Closed() Guardrails { return p.closed() }

func (p Policy) closed() Guardrails { return AllGuardrails &^ p.judged }

func (p *Policy) lists(route string) bool { return p.fix && route == "fix" }

// open reports whether every window is open.
func (p *Policy) open(now time.Time) bool {
	if !p.window.Contains(now) {
		return false
	}
	for i := range p.also {
		if !p.also[i].Contains(now) {
			return false
		}
	}
	return true
}
