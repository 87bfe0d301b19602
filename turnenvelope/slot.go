package turnenvelope

import (
	"strconv"
	"strings"

	"example.com/ambit/internal/canonjson"
)

// Slot decoding, E4: a few slots pass through JavaScript's conversions.

// slots are the decoded slots that the projection uses.
type slots struct {
	rec, sched, cad string
	acts            []string
}

func decodeSlots(d value) slots {
	hint := obj(d.Get("scheduler_hint"))
	return slots{
		rec:   slotText(d.Get("recommended_action")),
		sched: slotText(hint.Get("action")),
		cad:   slotText(hint.Get("cadence_class")),
		acts:  slotList(obj(obj(d.Get("interaction_contract")).Get("cli_channel")).Get("next_cli_actions")),
	}
}

// textSlots and listSlots are all slots that the decoder converts; it fails on an object that has its own toString.
// E4.2. The first of modeSlots that is truthy is one more.
var (
	textSlots = [...][]string{
		{"recommended_action"}, {"scheduler_hint", "action"}, {"scheduler_hint", "cadence_class"},
		{"work_lane_contract", "lane"}, {"work_lane_contract", "obligation"}, {"interaction_contract", "mode"},
		{"decision"}, {"effective_action"}, {"protocol_action_packet", "summary"}, {"capability_gate", "action"},
	}
	listSlots = [...][]string{
		{"interaction_contract", "cli_channel", "next_cli_actions"},
		{"scheduler_hint", "codex_app", "ack_hint", "cli_args"},
		{"scheduler_hint", "codex_app", "failure_hint", "cli_args"},
	}
	modeSlots = [...][]string{
		{"execution_mode"}, {"scheduler_hint", "codex_app", "execution_mode"}, {"scheduler_hint", "execution_mode"},
	}
)

// checkSlots reports each slot that JavaScript cannot convert.
func (p *projection) checkSlots() {
	for _, path := range textSlots {
		p.checkSlot(p.d.At(path...), path)
	}
	for _, path := range listSlots {
		p.checkSlot(list(p.d.At(path...)), path)
	}
	for _, path := range modeSlots {
		if v := p.d.At(path...); slotTruthy(v) {
			p.checkSlot(v, path)
			break
		}
	}
}

func (p *projection) checkSlot(v value, path []string) {
	if unconvertible(v) {
		p.fault(CodeSlot, v, "/"+strings.Join(path, "/"), "an object with a key toString cannot become text")
	}
}

func unconvertible(v value) bool {
	for item := range v.Items() {
		if unconvertible(item) {
			return true
		}
	}
	return v.Get("toString").Exists()
}

// maxFrame bounds the decoder's request: the decision as ASCII, the two ids, and 276 bytes around them. E4.2
const maxFrame, frameAround = 2 << 20, 276

func (p *projection) checkFrame() {
	if len(p.d.Raw()) < maxFrame/20 { // no text grows more than six-fold, and the ids are part of it
		return
	}
	ascii := func(n canonjson.Node) int { return len(canonjson.Append(nil, n, canonjson.Format{ASCII: true})) }
	size := frameAround + ascii(p.d)
	if truthy(p.d.Get("goal_id")) {
		size += ascii(canonjson.String(textOf(p.d.Get("goal_id")))) - len("null")
	}
	if p.agentID != "" {
		size += ascii(canonjson.String(p.agentID)) - len("null")
	}
	if size > maxFrame {
		p.fault(CodeSize, p.d, "", "the decision takes "+strconv.Itoa(size)+" bytes as ASCII, the limit is "+strconv.Itoa(maxFrame))
	}
}

// slotText gives a slot's text; "" when it is not truthy. E4
func slotText(v value) string {
	switch {
	case !slotTruthy(v):
		return ""
	case v.Kind() == boolean:
		return "True"
	}
	return jsText(v)
}

// slotList gives the items of a slot as texts, without blank ones; kept items are not trimmed. E4
func slotList(v value) []string {
	var out []string
	for item := range list(v).Items() {
		var s string
		switch item.Kind() {
		case null, boolean:
			s = textOf(item)
		default:
			s = jsText(item)
		}
		if strings.TrimFunc(s, jsSpace) != "" {
			out = append(out, s)
		}
	}
	return out
}

// jsText converts a value to text as JavaScript does. E4
func jsText(v value) string {
	if v.Kind() == text {
		return v.Text()
	}
	return string(appendJS(nil, v))
}

func appendJS(b []byte, v value) []byte {
	switch v.Kind() {
	case text:
		return append(b, v.Text()...)
	case integer, float:
		f, _ := v.Float64()
		return appendJSNumber(b, f)
	case array:
		first := true
		for item := range v.Items() {
			if !first {
				b = append(b, ',')
			}
			first = false
			if item.Kind() != null {
				b = appendJS(b, item)
			}
		}
		return b
	case object:
		return append(b, "[object Object]"...)
	default:
		return append(b, v.Raw()...)
	}
}

// appendJSNumber writes a double as JavaScript does. E4.1
func appendJSNumber(b []byte, f float64) []byte {
	switch {
	case f == 0:
		return append(b, '0')
	case f-f != 0: // an integer beyond the range of doubles
		if f < 0 {
			b = append(b, '-')
		}
		return append(b, "Infinity"...)
	}
	if abs := max(f, -f); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	b = append(append(b, mantissa...), 'e', exponent[0])
	return append(b, strings.TrimLeft(exponent[1:], "0")...)
}

// jsSpace is JavaScript's white space, which is not Python's. E4
func jsSpace(r rune) bool {
	switch {
	case r >= 0x09 && r <= 0x0d, r == 0x20, r == 0xa0, r == 0x1680, r >= 0x2000 && r <= 0x200a,
		r == 0x2028, r == 0x2029, r == 0x202f, r == 0x205f, r == 0x3000, r == 0xfeff:
		return true
	}
	return false
}
