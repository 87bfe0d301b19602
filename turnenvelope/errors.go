package turnenvelope

import (
	"errors"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
)

// Error is one problem of an input: Line and Col are 1-based, Col in bytes; Key is a JSON Pointer (RFC 6901) to the
// value concerned, "" for the whole input; Code is one of the Code constants; Err is the sentence.
type Error = fault.Error

// The codes of problems. N8, E11
const (
	CodeSyntax    = canonjson.CodeSyntax    // not JSON
	CodeComment   = canonjson.CodeComment   // a comment in it
	CodeTrailing  = canonjson.CodeTrailing  // something after the value
	CodeBOM       = canonjson.CodeBOM       // a byte-order mark
	CodeUTF8      = canonjson.CodeUTF8      // not UTF-8
	CodeControl   = canonjson.CodeControl   // a raw control character in a string
	CodeEscape    = canonjson.CodeEscape    // an unknown escape
	CodeSurrogate = canonjson.CodeSurrogate // half of a surrogate pair
	CodeNumber    = canonjson.CodeNumber    // NaN, infinite, or beyond the range of doubles
	CodeDuplicate = canonjson.CodeDuplicate // a key twice in one object: a signed text must have one meaning
	CodeDepth     = canonjson.CodeDepth     // deeper than MaxDepth
	CodeDigits    = canonjson.CodeDigits    // an integer of more than MaxIntDigits digits
	CodeSize      = canonjson.CodeSize      // longer than MaxBytes, or longer than that once escaped to ASCII

	CodeNotObject  = "not_object"         // the input is no object
	CodeOpenCount  = "open_count_invalid" // open_count is no integer and cannot be read as one
	CodeSlot       = "slot_not_text"      // an object with a key toString where a text is decoded
	CodeCLIActions = "next_cli_actions"   // next_cli_actions is a number or true
	CodeTrigger    = "trigger_invalid"    // stall_self_repair.trigger is a container
	CodeBudget     = "over_budget"        // Options.Strict, and more than BudgetBytes
	CodeReference  = "reference_unknown"  // Follow: the envelope has no such reference
	CodeReceipt    = "receipt_invalid"    // a receipt of the wrong schema or shape
	CodeRepeated   = "row_repeated"       // a receipt with the same row twice
)

// fault reports a problem of the decision at a value.
func (p *projection) fault(code string, v value, pointer, sentence string) {
	start, _ := v.Span()
	line, col := position(p.data, start)
	p.faults.Add(&Error{Line: line, Col: col, Key: pointer, Code: code, Err: errors.New(sentence)})
}

// position turns an offset into line and column.
func position(data []byte, offset int) (line, col int) {
	line, col = 1, 1
	for _, c := range data[:offset] {
		col++
		if c == '\n' {
			line++
			col = 1
		}
	}
	return line, col
}

// pointed gives the reader's problems with JSON Pointers.
func pointed(err error) error {
	var l fault.List
	for _, e := range fault.All(err) {
		moved := *e
		var d *canonjson.Detail
		if errors.As(e, &d) {
			moved.Key = d.Pointer
		}
		l.Add(&moved)
	}
	return l.Err()
}

func allFaults(err error) []*Error { return fault.All(err) }
