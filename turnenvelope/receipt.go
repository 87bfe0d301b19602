package turnenvelope

import (
	"errors"
	"fmt"

	"example.com/ambit/internal/canonjson"
)

// E12.1: what a program printed, measured, so that base and head can be compared.

// The versions of a receipt.
const (
	ReceiptSchema  = "loopx_cli_output_probe_v0"          // of the whole
	ReceiptFixture = "loopx_cli_output_public_fixture_v0" // of what was measured
)

// maxMetric keeps every difference and product exact in double arithmetic.
const maxMetric = 1 << 53

// Receipt is the measures of a program's outputs.
type Receipt struct {
	Rows []Row // in the order of the outputs, each id once
}

// Row is the measures of one output. A pointer is nil where the receipt has null, nothing, or no text or integer.
type Row struct {
	ID             string                   // unique in a receipt
	Policy, Format *string                  // a policy of Policies; "json" or another word
	Metrics        [len(metricNames)]*int64 // code points, UTF-8 bytes, lines, code points of the compact JSON; in this order
	SemanticKeys   []string                 // of a JSON output
	ShapePaths     []string                 // of a JSON output
	Headings       []string                 // of a Markdown output
	Anchor         *string                  // markdown_anchor: the words that the output must keep
	Digest         *string                  // over the signatures in the output, without their hash values
	Coverages      []string                 // of those signatures
}

// metricNames are the measures, in the order in which they are compared. E12.2
var metricNames = [...]string{"chars", "utf8_bytes", "lines", "compact_payload_chars"}

// rowText and rowList are the other fields of a row.
type rowText struct {
	name string
	of   func(*Row) **string
}

type rowList struct {
	name string
	of   func(*Row) *[]string
}

var (
	rowTexts = [...]rowText{
		{"qualification_policy", func(r *Row) **string { return &r.Policy }},
		{"format", func(r *Row) **string { return &r.Format }},
		{"markdown_anchor", func(r *Row) **string { return &r.Anchor }},
		{"action_signature_sha256", func(r *Row) **string { return &r.Digest }},
	}
	rowLists = [...]rowList{
		{"semantic_json_keys", func(r *Row) *[]string { return &r.SemanticKeys }},
		{"json_shape_paths", func(r *Row) *[]string { return &r.ShapePaths }},
		{"markdown_headings", func(r *Row) *[]string { return &r.Headings }},
		{"action_signature_coverages", func(r *Row) *[]string { return &r.Coverages }},
	}
)

// ParseReceipt reads a receipt; name is for messages. A wrong version, a row without an id or of another shape, and a
// repeated row are errors, all reported as *Error.
func ParseReceipt(name string, data []byte) (Receipt, error) {
	v, err := parseObject(name, data, "a receipt")
	if err != nil {
		return Receipt{}, err
	}
	p := &receiptReader{projection: projection{data: data}}
	for _, f := range [...][2]string{{"schema_version", ReceiptSchema}, {"fixture_contract_version", ReceiptFixture}} {
		if x := v.Get(f[0]); !is(x, f[1]) {
			p.fault(CodeReceipt, x, "/"+f[0], "the receipt has an unsupported "+f[0]+", want "+f[1])
		}
	}
	var out Receipt
	rows := v.Get("rows")
	if rows.Kind() != array {
		p.fault(CodeReceipt, rows, "/rows", "rows is not a list")
	}
	seen := map[string]bool{}
	for x := range list(rows).Items() {
		at := fmt.Sprintf("/rows/%d", len(out.Rows))
		row := p.row(x, at)
		if seen[row.ID] {
			p.fault(CodeRepeated, x, at, "the row "+fmt.Sprintf("%.60q", row.ID)+" stands twice")
		}
		seen[row.ID] = true
		out.Rows = append(out.Rows, row)
		if len(p.faults) > 20 {
			break
		}
	}
	for _, e := range p.faults {
		e.File = name
	}
	if err := p.faults.Err(); err != nil {
		return Receipt{}, err
	}
	return out, nil
}

type receiptReader struct{ projection }

func (p *receiptReader) row(x value, at string) Row {
	id := obj(x).Get("row_id")
	if id.Kind() != text {
		p.fault(CodeReceipt, x, at, "a row is an object with a text row_id")
		return Row{ID: at} // unlike any other, so that it does not count as repeated
	}
	row := Row{ID: id.Text()}
	for _, f := range rowTexts {
		switch v := x.Get(f.name); v.Kind() {
		case missing, null:
		case text:
			s := v.Text()
			*f.of(&row) = &s
		default:
			p.fault(CodeReceipt, v, at+"/"+f.name, v.Kind().Phrase()+" is no text")
		}
	}
	for _, f := range rowLists {
		v := x.Get(f.name)
		if v.Kind() > null && v.Kind() != array {
			p.fault(CodeReceipt, v, at+"/"+f.name, v.Kind().Phrase()+" is no list")
		}
		for item := range list(v).Items() {
			if item.Kind() != text {
				p.fault(CodeReceipt, item, at+"/"+f.name, "the list holds "+item.Kind().Phrase())
				break
			}
			*f.of(&row) = append(*f.of(&row), item.Text())
		}
	}
	for i, name := range metricNames {
		row.Metrics[i] = p.metric(x.Get(name), at+"/"+name)
	}
	return row
}

// metric reads an integer; true and false count as 1 and 0, as they do in the reference. Anything else is no measure.
func (p *receiptReader) metric(v value, at string) *int64 {
	var n int64
	switch v.Kind() {
	case boolean:
		if v.True() {
			n = 1
		}
	case integer:
		var ok bool
		if n, ok = v.Int64(); !ok || n > maxMetric || n < -maxMetric {
			p.fault(CodeReceipt, v, at, "a measure of such a size cannot be compared")
			return nil
		}
	default:
		return nil
	}
	return &n
}

// JSON gives the receipt's document, compact.
func (r Receipt) JSON() []byte {
	rows := canonjson.Array{}
	for i := range r.Rows {
		row := &r.Rows[i]
		o := canonjson.Object{{Key: "row_id", Value: canonjson.String(row.ID)}}
		for _, f := range rowTexts[:2] {
			o = append(o, canonjson.Member{Key: f.name, Value: textOrNull(*f.of(row))})
		}
		for i, n := range row.Metrics {
			o = append(o, canonjson.Member{Key: metricNames[i], Value: intOrNull(n)})
		}
		for _, f := range rowLists[:3] {
			o = append(o, canonjson.Member{Key: f.name, Value: canonjson.Strings(*f.of(row))})
		}
		for _, f := range rowTexts[2:] {
			o = append(o, canonjson.Member{Key: f.name, Value: textOrNull(*f.of(row))})
		}
		o = append(o, canonjson.Member{Key: rowLists[3].name, Value: canonjson.Strings(row.Coverages)})
		rows = append(rows, o)
	}
	return canonjson.Compact(canonjson.Object{
		{Key: "schema_version", Value: canonjson.String(ReceiptSchema)},
		{Key: "fixture_contract_version", Value: canonjson.String(ReceiptFixture)},
		{Key: "rows", Value: rows},
	})
}

// MarshalJSON gives the receipt's document.
func (r Receipt) MarshalJSON() ([]byte, error) { return r.JSON(), nil }

func textOrNull(s *string) canonjson.Node {
	if s == nil {
		return nil
	}
	return canonjson.String(*s)
}

func intOrNull(n *int64) canonjson.Node {
	if n == nil {
		return nil
	}
	return canonjson.Int(*n)
}

// Output is what a program printed, to be measured by NewReceipt.
type Output struct {
	ID     string // names the row; unique in a receipt
	Policy string // how much it may grow: one of Policies; "" is baseline_and_growth
	Text   []byte // its bytes as they were printed, at most MaxBytes
}

// NewReceipt measures outputs. An output that is a JSON object or array is measured as JSON, any other as Markdown. An
// empty or repeated id, an unknown policy, and an output of more than MaxBytes are errors. N21
func NewReceipt(outputs []Output) (Receipt, error) {
	var r Receipt
	var problems []error
	seen := map[string]bool{}
	for _, o := range outputs {
		if err := checkOutput(o, seen); err != nil {
			problems = append(problems, err)
			continue
		}
		seen[o.ID] = true
		r.Rows = append(r.Rows, measure(o))
	}
	if len(problems) > 0 {
		return Receipt{}, errors.Join(problems...)
	}
	return r, nil
}

func checkOutput(o Output, seen map[string]bool) error {
	switch _, known := policyOf(o.Policy); {
	case o.ID == "":
		return &Error{Code: CodeReceipt, Err: errors.New("an output without an id")}
	case seen[o.ID]:
		return &Error{Code: CodeRepeated, Key: o.ID, Err: errors.New("the id stands twice")}
	case o.Policy != "" && !known:
		return &Error{Code: CodeReceipt, Key: o.ID, Err: fmt.Errorf("unknown policy %q", o.Policy), Allowed: Policies()}
	case len(o.Text) > MaxBytes:
		return &Error{Code: CodeSize, Key: o.ID, Err: fmt.Errorf("%d bytes, the limit is %d", len(o.Text), MaxBytes)}
	}
	return nil
}
