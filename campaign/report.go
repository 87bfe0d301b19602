package campaign

import (
	"math"

	"example.com/ambit/internal/canonjson"
)

// ReportKind is the one kind of report that is accepted.
const ReportKind = "standard_skill_pairing_campaign_summary"

// read takes from a builder's report what may be known of it, field by field, and nothing else. A report that is not
// strict JSON or whose fields have other types is refused as a whole. // P32, P36
func (l *Live) read(report []byte) (sourceDigestText string, code Code) {
	v, err := canonjson.Parse("report", report, limits)
	if err != nil || !v.Is(canonjson.KindObject) {
		return "", BuilderReportInvalid
	}
	l.Kind = v.Get("kind").Text() == ReportKind
	l.WrotePacket = v.Get("wrote_packet").Exists() && !v.Get("wrote_packet").Is(canonjson.KindNull)
	bad := false
	switch noOp := v.Get("no_op"); noOp.Kind() {
	case canonjson.KindMissing:
	case canonjson.KindBool:
		l.NoOp = noOp.True()
	default:
		l.NoOp, bad = true, true
	}
	switch count := v.Get("candidate_target_count"); count.Kind() {
	case canonjson.KindMissing:
	case canonjson.KindInt:
		l.Targets = clampCount(count)
	default:
		bad = true
	}
	switch name := v.Get("campaign_slug"); name.Kind() {
	case canonjson.KindMissing, canonjson.KindNull:
	default:
		if l.Slug = name.Text(); !slug().MatchString(l.Slug) {
			l.Slug, bad = "", true
		}
	}
	if d := v.Get("source_digest").Text(); isSourceDigest(d) {
		sourceDigestText = d
	} else {
		bad = true
	}
	if bad {
		return sourceDigestText, BuilderReportInvalid
	}
	return sourceDigestText, ""
}

// clampCount gives an integer of any size as an int; what counts beyond MaxCandidates is only that it is more.
func clampCount(v canonjson.Value) int {
	if n, ok := v.Int64(); ok {
		return int(max(math.MinInt32, min(n, math.MaxInt32)))
	}
	if v.Number()[0] == '-' {
		return math.MinInt32
	}
	return math.MaxInt32
}
