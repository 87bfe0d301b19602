package systempolicy

import "time"

// Outside gives the guardrails that the change breaks at that instant: all of them, in the order of the guardrails
// table. It is total: it takes any policy, facts and clock, and a missing or unreadable part only ever adds a guardrail
// (F19). It does not look at the level or the engine (F16, F17): use [Decide] to decide a merge.
func Outside(p Policy, f Facts, now time.Time) Guardrails {
	out := p.closed()
	if !p.lists(f.Route) {
		out |= 1 << Routes
	}
	if c, err := criticalityOf(f.Criticality); err || c > p.maxCriticality {
		out |= 1 << MaxCriticality
	}
	if n, known := f.Files.Value(); !known || n > p.maxFiles {
		out |= 1 << MaxFiles
	}
	if n, known := f.Adds.plus(f.Deletes).Value(); !known || n > p.maxLines {
		out |= 1 << MaxLines
	}
	if p.regressionTest && f.RegressionTest != Yes {
		out |= 1 << RegressionTest
	}
	if p.secondReview && f.SecondReview != Yes {
		out |= 1 << SecondReview
	}
	if n, known := f.MergesToday.Value(); !known || n >= p.mergesPerDay {
		out |= 1 << MergesPerDay
	}
	if n, known := f.RunsToday.Value(); !known || n >= p.runsPerDay {
		out |= 1 << RunsPerDay
	}
	if !p.open(now) {
		out |= 1 << InWindow
	}
	return out
}

// criticalityOf is ParseCriticality without an error value, which would cost an allocation.
func criticalityOf(name string) (c Criticality, bad bool) {
	switch name {
	case "low":
		return Low, false
	case "medium":
		return Medium, false
	case "high":
		return High, false
	}
	return Low, true
}
