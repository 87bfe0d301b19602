package turnenvelope

import "strconv"

// BudgetBytes is what an envelope may take, in UTF-8 bytes of its compact text. N5
const BudgetBytes = 8192

// compaction writes the sizes and closes the envelope's object. sourceBytes is the length of the decision's compact
// text. It gives the length of the whole text, which is the number written in it. N5
func (e *emitter) compaction(sourceBytes int) (total int) {
	e.key("compaction")
	e.b = append(e.b, `{"source_json_bytes":`...)
	e.b = strconv.AppendInt(e.b, int64(sourceBytes), 10)
	e.b = append(e.b, `,"envelope_json_bytes":`...)
	start := len(e.b)
	// The tail's length grows with the number that it states, so counting up from nothing ends at the least fit.
	for said := -1; said != total; {
		said = total
		e.b = append(e.b[:start], tail(said, sourceBytes)...)
		total = len(e.b)
	}
	return total
}

// tail is the rest of the text after "envelope_json_bytes":, the number included.
func tail(total, sourceBytes int) string {
	return strconv.Itoa(total) + `,"byte_reduction_ratio":` + ratio(total, sourceBytes) +
		`,"budget_bytes":` + strconv.Itoa(BudgetBytes) + `,"within_budget":` + strconv.FormatBool(total <= BudgetBytes) + `}}`
}

// ratio gives the share saved, with exactly four decimals. N5
func ratio(total, sourceBytes int) string {
	s := strconv.FormatFloat(1-float64(total)/float64(sourceBytes), 'f', 4, 64)
	if s == "-0.0000" {
		return "0.0000"
	}
	return s
}
