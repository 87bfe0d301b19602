package systempolicy

import (
	"fmt"
	"strings"
	"time"
)

// Reason says why a change is outside one guardrail.
type Reason struct {
	Guardrail Guardrail // which one the change breaks
	Message   string    // a sentence with both sides of the comparison
	Got       any       // what was found: int64, string or bool; nil when it is not known
	Limit     any       // what the policy says: int64, string or bool; nil when it cannot be told
}

// Explain gives a Reason for each guardrail of Outside(p, f, now), in the same order; never nil.
func Explain(p Policy, f Facts, now time.Time) []Reason {
	reasons := []Reason{}
	for g := range Outside(p, f, now).All() {
		r := Reason{Guardrail: g}
		if p.closed().Has(g) {
			r.Message = g.String() + " cannot be told from the policy, so nothing is inside"
		} else {
			explainers[g](&r, &p, &f, now)
		}
		reasons = append(reasons, r)
	}
	return reasons
}

var explainers = [guardrails]func(r *Reason, p *Policy, f *Facts, now time.Time){
	Routes: func(r *Reason, p *Policy, f *Facts, _ time.Time) {
		r.Limit = strings.Join(p.Routes(), ", ")
		listed := "the listed routes: fix"
		if !p.fix {
			listed = "the listed routes: there are none"
		}
		if f.Route == "" {
			r.Message = "the route is not known; it must be among " + listed
			return
		}
		r.Got = f.Route
		r.Message = fmt.Sprintf("the route %q is not among %s", f.Route, listed)
	},
	MaxCriticality: func(r *Reason, p *Policy, f *Facts, _ time.Time) {
		r.Limit = p.maxCriticality.String()
		r.Message = fmt.Sprintf("the criticality is not known, at most %s is inside", p.maxCriticality)
		if f.Criticality == "" {
			return
		}
		r.Got = f.Criticality
		if _, bad := criticalityOf(f.Criticality); bad {
			r.Message = fmt.Sprintf("the criticality %q is none of low, medium, high; at most %s is inside", f.Criticality, p.maxCriticality)
			return
		}
		r.Message = fmt.Sprintf("the criticality is %s, at most %s is inside", f.Criticality, p.maxCriticality)
	},
	MaxFiles: func(r *Reason, p *Policy, f *Facts, _ time.Time) {
		r.counted(f.Files, p.maxFiles, "%d files are touched, at most %d may be", "how many files are touched is not known, at most %d may be")
	},
	MaxLines: func(r *Reason, p *Policy, f *Facts, _ time.Time) {
		r.counted(f.Adds.plus(f.Deletes), p.maxLines, "%d lines are added and deleted, at most %d may be", "how many lines are added and deleted is not known, at most %d may be")
	},
	RegressionTest: func(r *Reason, _ *Policy, f *Facts, _ time.Time) {
		r.answered(f.RegressionTest, "no test failed before and passes after", "whether a test failed before and passes after is not known")
	},
	SecondReview: func(r *Reason, _ *Policy, f *Facts, _ time.Time) {
		r.answered(f.SecondReview, "the second review did not pass", "whether the second review passed is not known")
	},
	MergesPerDay: func(r *Reason, p *Policy, f *Facts, _ time.Time) {
		r.counted(f.MergesToday, p.mergesPerDay, "%d merges were made today (UTC), the budget is %d", "how many merges were made today (UTC) is not known, the budget is %d")
	},
	RunsPerDay: func(r *Reason, p *Policy, f *Facts, _ time.Time) {
		r.counted(f.RunsToday, p.runsPerDay, "%d runs were made today (UTC), the budget is %d", "how many runs were made today (UTC) is not known, the budget is %d")
	},
	InWindow: explainWindow,
}

func (r *Reason) counted(c Count, limit int64, known, unknown string) {
	r.Limit = limit
	n, ok := c.Value()
	if !ok {
		r.Message = fmt.Sprintf(unknown, limit)
		return
	}
	r.Got = n
	r.Message = fmt.Sprintf(known, n, limit)
}

func (r *Reason) answered(a Answer, no, unknown string) {
	r.Limit = true
	r.Message = unknown
	if a == No {
		r.Got, r.Message = false, no
	}
}

func explainWindow(r *Reason, p *Policy, _ *Facts, now time.Time) {
	var closed []string
	for _, w := range p.Windows() {
		if !w.Contains(now) {
			closed = append(closed, w.String())
		}
	}
	r.Limit = strings.Join(closed, "; ")
	if now.IsZero() {
		r.Message = fmt.Sprintf("there is no clock, and the window is %s", r.Limit)
		return
	}
	local := p.window.Local(now)
	r.Got = local
	r.Message = fmt.Sprintf("%s (%s) is outside the window %s", local, p.window.Timezone(), r.Limit)
	if at, _, ok := p.NextChange(now); ok {
		r.Message += fmt.Sprintf("; it opens %s (%s)", p.window.Local(at), at.Format(time.RFC3339))
	} else {
		r.Message += "; it does not open"
	}
}

// Local gives an instant as the window's clock shows it: the weekday and the time, as "tue 18:04". Without a zone or a
// clock it is "".
func (w Window) Local(now time.Time) string {
	if w.zone == nil || now.IsZero() {
		return ""
	}
	at := now.Unix()
	day, minute := localMinute(at + w.zone.offset(at))
	return weekNames[(day+6)%7] + " " + clock(minute)
}
