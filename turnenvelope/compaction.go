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
		e.b = appendTail(e.b[:start], said, sourceBytes)
		total = len(e.b)
	}
	return total
}

// appendTail writes the rest of the text behind "envelope_json_bytes":, the number included.
func appendTail(b []byte, total, sourceBytes int) []byte {
	b = strconv.AppendInt(b, int64(total), 10)
	b = append(b, `,"byte_reduction_ratio":`...)
	b = appendRatio(b, total, sourceBytes)
	b = append(b, `,"budget_bytes":`...)
	b = strconv.AppendInt(b, BudgetBytes, 10)
	b = append(b, `,"within_budget":`...)
	b = strconv.AppendBool(b, total <= BudgetBytes)
	return append(b, "}}"...)
}

// appendRatio writes the share saved, with exactly four decimals. N5
func appendRatio(b []byte, total, sourceBytes int) []byte {
	from := len(b)
	b = strconv.AppendFloat(b, 1-float64(total)/float64(sourceBytes), 'f', 4, 64)
	if string(b[from:]) == "-0.0000" {
		return append(b[:from], "0.0000"...)
	}
	return b
}
