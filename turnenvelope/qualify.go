package turnenvelope

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// E12.2, E12.3: whether what a program prints may change like that.

// The codes of findings, in the order in which a row gives them. N20
const (
	PolicyChanged    = "policy_changed"              // base and head name another policy
	PolicyUnknown    = "policy_unknown"              // the base's policy is none of Policies, so nothing bounds the growth
	FormatChanged    = "format_changed"              // JSON on one side, another format on the other
	MetricGrowth     = "metric_growth"               // a measure grew by more than the policy allows
	KeyRemoved       = "semantic_key_removed"        // a key of the base's JSON is gone
	ShapeRemoved     = "shape_path_removed"          // review
	HeadingRemoved   = "heading_removed"             // review
	AnchorChanged    = "anchor_changed"              // markdown_anchor is another
	CoverageMigrated = "signature_coverage_migrated" // review: exactly v0 to exactly v1
	SignatureChanged = "signature_digest_changed"    // the signatures in the output are others
	BaseRowMissing   = "base_row_missing"            // the head lacks a row of the base
	CandidateOnlyRow = "candidate_only"              // a note
)

// Weight says what a finding means for the verdict. The zero Weight fails.
type Weight uint8

// The weights of findings.
const (
	Fails   Weight = iota // the row fails
	Review                // the row passes, and a person should look
	Remarks               // only said
)

// Finding is one difference between base and head.
type Finding struct {
	Code    string // one of the constants from PolicyChanged to CandidateOnlyRow
	Weight  Weight // what it means for the row
	Message string // the reference's sentence
}

// RowVerdict is the comparison of one row.
type RowVerdict struct {
	ID                 string                   // the row's, in either receipt
	Status             string                   // "passed", "failed" or "candidate_only"
	Compared           bool                     // both sides have the row
	Deltas, Allowances [len(metricNames)]*int64 // nil where a side has no integer
	Findings           []Finding                // in the order of the codes
}

// Verdict is what Qualify found. The zero Verdict is not OK.
type Verdict struct {
	OK                                    bool         // no row failed
	BaseRows, CandidateRows, ComparedRows int          // rows of each side, and those that both have
	FailedRows, ReviewRows, OnlyCandidate int          // rows that fail, that a person should look at, that only the head has
	Rows                                  []RowVerdict // by row id
}

// ReviewRequired reports whether a person should look although nothing failed.
func (v Verdict) ReviewRequired() bool { return v.ReviewRows > 0 }

// policy is how much a measure may grow: the larger of a floor and a share of the base. E12.2
type policy struct {
	name           string
	share          float64
	json, markdown [len(metricNames)]int64
}

const defaultPolicy = "baseline_and_growth"

var policies = [...]policy{
	{"absolute_hot_path", 0.005, [...]int64{64, 128, 2, 64}, [...]int64{32, 64, 1, 0}},
	{defaultPolicy, 0.005, [...]int64{128, 256, 2, 128}, [...]int64{64, 128, 1, 0}},
	{"explicit_limit_cold_path", 0.01, [...]int64{256, 512, 5, 256}, [...]int64{128, 256, 2, 0}},
	{"explicit_opt_in_cold_path", 0.01, [...]int64{256, 512, 5, 256}, [...]int64{128, 256, 2, 0}},
}

// Policies lists the known policies.
func Policies() []string {
	var out []string
	for _, p := range policies {
		out = append(out, p.name)
	}
	return out
}

func policyOf(name string) (policy, bool) {
	for _, p := range policies {
		if p.name == name {
			return p, true
		}
	}
	return policy{}, false
}

// allowance is how much a measure of base may grow.
func (p policy) allowance(metric int, base int64, format string) int64 {
	floor := p.markdown[metric]
	if format == "json" {
		floor = p.json[metric]
	}
	return max(floor, int64(math.Ceil(float64(base)*p.share)))
}

// Qualify compares a head with its base, row by row. Every difference is found; a row fails when one fails. N20
func Qualify(base, head Receipt) Verdict {
	v := Verdict{BaseRows: len(base.Rows), CandidateRows: len(head.Rows)}
	before, after := sortedRows(base), sortedRows(head)
	for len(before) > 0 || len(after) > 0 {
		var row RowVerdict
		switch {
		case len(before) == 0 || len(after) > 0 && after[0].ID < before[0].ID:
			row = RowVerdict{ID: after[0].ID, Status: "candidate_only",
				Findings: []Finding{{CandidateOnlyRow, Remarks, "the base has no such row"}}}
			v.OnlyCandidate++
			after = after[1:]
		case len(after) == 0 || before[0].ID < after[0].ID:
			row = RowVerdict{ID: before[0].ID, Findings: []Finding{{BaseRowMissing, Fails, "qualified base row is missing from candidate"}}}
			before = before[1:]
		default:
			row = compareRows(before[0], after[0])
			before, after = before[1:], after[1:]
		}
		v.add(row)
	}
	v.ComparedRows = len(v.Rows) // as the reference counts: every row of either side
	v.OK = v.FailedRows == 0
	return v
}

// add settles a row's status and counts it.
func (v *Verdict) add(row RowVerdict) {
	has := func(w Weight) bool {
		return slices.ContainsFunc(row.Findings, func(f Finding) bool { return f.Weight == w })
	}
	if row.Status == "" {
		row.Status = "passed"
		if has(Fails) {
			row.Status = "failed"
			v.FailedRows++
		}
	}
	if has(Review) {
		v.ReviewRows++
	}
	v.Rows = append(v.Rows, row)
}

func sortedRows(r Receipt) []*Row {
	out := make([]*Row, len(r.Rows))
	for i := range r.Rows {
		out[i] = &r.Rows[i]
	}
	slices.SortStableFunc(out, func(a, b *Row) int { return strings.Compare(a.ID, b.ID) })
	return out
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// compareRows compares a row that both sides have. E12.2
func compareRows(base, head *Row) RowVerdict {
	out := RowVerdict{ID: base.ID, Compared: true}
	find := func(code string, w Weight, format string, args ...any) {
		out.Findings = append(out.Findings, Finding{code, w, fmt.Sprintf(format, args...)})
	}
	if head.Policy == nil || *head.Policy != orEmpty(base.Policy) {
		find(PolicyChanged, Fails, "qualification_policy changed")
	}
	p, known := policyOf(orEmpty(base.Policy))
	if !known {
		find(PolicyUnknown, Fails, "unsupported CLI output qualification policy: %s", orEmpty(base.Policy))
	}
	if head.Format == nil || *head.Format != orEmpty(base.Format) {
		find(FormatChanged, Fails, "format changed")
	}
	for i, name := range metricNames {
		b, h := base.Metrics[i], head.Metrics[i]
		if b == nil || h == nil || !known {
			continue
		}
		delta, allowance := *h-*b, p.allowance(i, *b, orEmpty(base.Format))
		out.Deltas[i], out.Allowances[i] = &delta, &allowance
		if delta > allowance {
			find(MetricGrowth, Fails, "%s grew by %d; allowance is %d", name, delta, allowance)
		}
	}
	for _, l := range [...]struct {
		code string
		w    Weight
		list rowList
	}{{KeyRemoved, Fails, rowLists[0]}, {ShapeRemoved, Review, rowLists[1]}, {HeadingRemoved, Review, rowLists[2]}} {
		if gone := removed(*l.list.of(base), *l.list.of(head)); gone != "" {
			find(l.code, l.w, "%s removed: %s", l.list.name, gone)
		}
	}
	if orEmpty(base.Anchor) != "" && orEmpty(head.Anchor) != *base.Anchor {
		find(AnchorChanged, Fails, "markdown_anchor changed")
	}
	if orEmpty(base.Digest) != "" && orEmpty(head.Digest) != *base.Digest {
		if slices.Equal(base.Coverages, []string{CoverageV0}) && slices.Equal(head.Coverages, []string{CoverageV1}) {
			find(CoverageMigrated, Review, "action_signature coverage migrated: %s -> %s", CoverageV0, CoverageV1)
		} else {
			find(SignatureChanged, Fails, "action_signature semantic digest changed")
		}
	}
	return out
}

// removed lists what base has and head has not: sorted, the first five, then how many more.
func removed(base, head []string) string {
	kept := make(map[string]bool, len(head))
	for _, s := range head {
		kept[s] = true
	}
	var gone []string
	for _, s := range base {
		if !kept[s] {
			kept[s] = true
			gone = append(gone, s)
		}
	}
	slices.Sort(gone)
	if n := len(gone) - 5; n > 0 {
		return fmt.Sprintf("%s (+%d more)", strings.Join(gone[:5], ", "), n)
	}
	return strings.Join(gone, ", ")
}
