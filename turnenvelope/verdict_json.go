package turnenvelope

import (
	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/enum"
)

var weightNames = [...]string{"failure", "review", "note"}

// String gives the weight's word, as JSON has it.
func (w Weight) String() string { return enum.Word(weightNames[:], w) }

// MarshalText gives String's text.
func (w Weight) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads String's text; any other is an error that lists them.
func (w *Weight) UnmarshalText(text []byte) (err error) {
	*w, err = enum.Parse[Weight]("a weight", weightNames[:], text)
	return err
}

// JSON gives the verdict in the reference's form, compact, each row with its findings and their codes besides. E12.3
func (v Verdict) JSON() []byte {
	rows := canonjson.Array{}
	for _, r := range v.Rows {
		rows = append(rows, r.node())
	}
	return canonjson.Compact(canonjson.Object{
		{Key: "schema_version", Value: canonjson.String("loopx_cli_output_differential_v0")},
		{Key: "ok", Value: canonjson.Bool(v.OK)},
		{Key: "base_row_count", Value: canonjson.Int(v.BaseRows)},
		{Key: "candidate_row_count", Value: canonjson.Int(v.CandidateRows)},
		{Key: "compared_row_count", Value: canonjson.Int(v.ComparedRows)},
		{Key: "failed_row_count", Value: canonjson.Int(v.FailedRows)},
		{Key: "review_required", Value: canonjson.Bool(v.ReviewRequired())},
		{Key: "review_row_count", Value: canonjson.Int(v.ReviewRows)},
		{Key: "candidate_only_row_count", Value: canonjson.Int(v.OnlyCandidate)},
		{Key: "rows", Value: rows},
	})
}

// MarshalJSON gives the verdict's JSON.
func (v Verdict) MarshalJSON() ([]byte, error) { return v.JSON(), nil }

func (r RowVerdict) node() canonjson.Node {
	deltas, allowances := canonjson.Object{}, canonjson.Object{}
	if r.Compared {
		for i, name := range metricNames {
			deltas = append(deltas, canonjson.Member{Key: name, Value: intOrNull(r.Deltas[i])})
			allowances = append(allowances, canonjson.Member{Key: name, Value: intOrNull(r.Allowances[i])})
		}
	}
	failures, signals, findings := canonjson.Array{}, canonjson.Array{}, canonjson.Array{}
	for _, f := range r.Findings {
		switch f.Weight {
		case Fails:
			failures = append(failures, canonjson.String(f.Message))
		case Review:
			signals = append(signals, canonjson.String(f.Message))
		}
		findings = append(findings, canonjson.Object{
			{Key: "code", Value: canonjson.String(f.Code)},
			{Key: "weight", Value: canonjson.String(f.Weight.String())},
			{Key: "message", Value: canonjson.String(f.Message)},
		})
	}
	return canonjson.Object{
		{Key: "row_id", Value: canonjson.String(r.ID)},
		{Key: "status", Value: canonjson.String(r.Status)},
		{Key: "deltas", Value: deltas},
		{Key: "allowances", Value: allowances},
		{Key: "failures", Value: failures},
		{Key: "review_signals", Value: signals},
		{Key: "findings", Value: findings},
	}
}
