package systempolicy

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxInteger is 2^53-1: beyond it some JSON readers lose the value. (A-num-2)
const maxInteger = 1<<53 - 1

// readWord reads one of these words; anything else leaves the zero value, which is the strictest.
func readWord[T ~uint8](names []string, field func(*Policy) *T) readValue {
	return func(_ *reader, p *Policy, _ *yaml.Node, v value) (code, sentence string) {
		*field(p), code, sentence = word[T](v, names)
		return code, sentence
	}
}

func word[T ~uint8](v value, names []string) (T, string, string) {
	if code, sentence := scalar(v, kindText, kindOdd); code != "" {
		return 0, code, sentence
	}
	i := slices.Index(names, v.text)
	if i < 0 {
		return 0, CodeNotAllowed, fmt.Sprintf("%q is not allowed", v.text)
	}
	return T(i), "", ""
}

// scalar says what is wrong with a value whose kind is none of those.
func scalar(v value, kinds ...kind) (code, sentence string) {
	for _, k := range kinds {
		if v.kind == k {
			return "", ""
		}
	}
	switch {
	case v.kind == kindNull:
		return CodeNull, "null is no value; remove the key to use the default"
	case v.kind >= kindList:
		return CodeWrongType, kindNames[v.kind] + " is the wrong type"
	case v.kind == kindText:
		return CodeWrongType, fmt.Sprintf("the text %q is the wrong type", v.text)
	}
	return CodeWrongType, fmt.Sprintf("%s is %s, the wrong type", v.text, kindNames[v.kind])
}

func readInteger(least int64, field func(*Policy) *int64) readValue {
	return func(_ *reader, p *Policy, _ *yaml.Node, v value) (code, sentence string) {
		if v.kind == kindOdd {
			return CodeAmbiguous, fmt.Sprintf("%s is not the same number to every YAML reader", v.text)
		}
		if code, sentence = scalar(v, kindInt); code != "" {
			return code, sentence
		}
		n, err := strconv.ParseInt(v.text, 10, 64)
		if err != nil || n < least || n > maxInteger {
			return CodeOutOfRange, fmt.Sprintf("%s is out of range, %d to %d", v.text, least, int64(maxInteger))
		}
		*field(p) = n
		return "", ""
	}
}

func readNumber(field func(*Policy) *float64) readValue {
	return func(_ *reader, p *Policy, _ *yaml.Node, v value) (code, sentence string) {
		if v.kind == kindOdd {
			return CodeAmbiguous, fmt.Sprintf("%s is not the same number to every YAML reader", v.text)
		}
		if code, sentence = scalar(v, kindInt, kindFloat, kindInf); code != "" {
			return code, sentence
		}
		f, err := strconv.ParseFloat(v.text, 64)
		if v.kind == kindInf || err != nil || math.IsInf(f, 0) || !(f > 0) || v.kind == kindInt && f > maxInteger {
			return CodeOutOfRange, fmt.Sprintf("%s is out of range", v.text)
		}
		*field(p) = f
		return "", ""
	}
}

func readBoolean(field func(*Policy) *bool) readValue {
	return func(_ *reader, p *Policy, _ *yaml.Node, v value) (code, sentence string) {
		if code, sentence = scalar(v, kindBool); code != "" {
			return code, sentence
		}
		*field(p) = v.isTrue()
		return "", ""
	}
}

func (v value) isTrue() bool { return strings.EqualFold(v.text, "true") }

func readClock(field func(*Policy) *uint16) readValue {
	return func(_ *reader, p *Policy, _ *yaml.Node, v value) (code, sentence string) {
		if v.kind == kindBool || v.kind == kindNull || v.kind >= kindList {
			return scalar(v)
		}
		minute, ok := v.minute()
		if !ok {
			return CodeBadTime, fmt.Sprintf("%q is not a time of day", v.text)
		}
		*field(p) = minute
		return "", ""
	}
}

// minute reads a time of day. Without quotes, "9:00" is what a reader of YAML 1.1 makes 540 of, and so is 540 itself in
// already parsed data. (W8)
func (v value) minute() (uint16, bool) {
	if v.parsed && v.kind == kindInt {
		n, err := strconv.Atoi(v.text)
		return uint16(n), err == nil && n >= 60 && n < 24*60
	}
	hour, minute, ok := strings.Cut(v.text, ":")
	if !ok || len(minute) != 2 || strings.Trim(hour+minute, digits) != "" {
		return 0, false
	}
	if len(hour) != 2 && !(v.plain && len(hour) == 1 && hour != "0") {
		return 0, false
	}
	h, _ := strconv.Atoi(hour)
	m, _ := strconv.Atoi(minute)
	return uint16(h*60 + m), h < 24 && m < 60
}

func readEngine(_ *reader, p *Policy, _ *yaml.Node, v value) (code, sentence string) {
	if v.kind == kindNull {
		return CodeNull, "null is no engine; to have none, remove the key"
	}
	if v.kind >= kindList {
		return scalar(v)
	}
	if v.kind != kindText {
		return CodeBadURL, fmt.Sprintf("%q is not an engine's address; to have none, remove the key", v.text)
	}
	if _, err := engineHost(v.text); err != nil {
		return CodeBadURL, fmt.Sprintf("%q is not an engine's address: %v", withoutSecrets(v.text), err)
	}
	p.engine = v.text
	return "", ""
}

// maxItems bounds a list: there are seven days and one route.
const maxItems = 100

// items gives the texts of a list; code is set when it is no list of texts.
func (r *reader) items(n *yaml.Node, v value) (texts []string, code, sentence string) {
	if v.kind != kindList {
		code, sentence = scalar(v)
		return nil, code, sentence
	}
	if len(n.Content) > maxItems {
		return nil, CodeNotAllowed, fmt.Sprintf("%d items are too many", len(n.Content))
	}
	for _, c := range n.Content {
		c = follow(c)
		item, ok := read(c)
		switch {
		case !ok:
			return nil, CodeFeature, fmt.Sprintf("the tag %s is not allowed here", c.Tag)
		case item.kind == kindNull:
			return nil, CodeNull, "null is no item"
		case item.kind >= kindList:
			return nil, CodeWrongType, kindNames[item.kind] + " is no item"
		case item.kind != kindText:
			return nil, CodeNotAllowed, fmt.Sprintf("%s is not allowed", item.text)
		}
		texts = append(texts, item.text)
	}
	return texts, "", ""
}

func readRoutes(r *reader, p *Policy, n *yaml.Node, v value) (code, sentence string) {
	p.fix = false
	texts, code, sentence := r.items(n, v)
	for _, t := range texts {
		if t != "fix" {
			return CodeNotAllowed, fmt.Sprintf("the route %q is not allowed: a spec always needs a person", t)
		}
	}
	p.fix = len(texts) > 0
	return code, sentence
}

func readDays(r *reader, p *Policy, n *yaml.Node, v value) (code, sentence string) {
	p.window.days = 0
	texts, code, sentence := r.items(n, v)
	if code != "" {
		return code, sentence
	}
	if len(texts) == 0 {
		return CodeNotAllowed, "an empty list has no day"
	}
	var days daySet
	for _, t := range texts {
		d, ok := weekdayNamed(t)
		switch {
		case !ok:
			return CodeNotAllowed, fmt.Sprintf("%q is no day", t)
		case days.has(d):
			return CodeNotAllowed, fmt.Sprintf("%q is there twice", t)
		}
		days |= 1 << d
	}
	p.window.days = days
	return "", ""
}

func readZone(r *reader, p *Policy, _ *yaml.Node, v value) (code, sentence string) {
	p.window.zone = nil
	if v.kind == kindNull || v.kind == kindBool || v.kind >= kindList {
		return scalar(v)
	}
	z := r.zone(v.text)
	if z == nil || v.kind != kindText {
		return CodeBadZone, fmt.Sprintf("%q is no time zone of the embedded zone data", v.text)
	}
	p.window.zone = z
	return "", ""
}

func readUndo(_ *reader, p *Policy, _ *yaml.Node, v value) (code, sentence string) {
	p.undo = UndoWindow{}
	if v.kind == kindNull || v.kind == kindBool || v.kind >= kindList {
		return scalar(v)
	}
	u, err := ParseUndoWindow(v.text)
	if err != nil || v.kind != kindText {
		return CodeBadDuration, fmt.Sprintf("%q is no duration of 1 minute to 106751 days", v.text)
	}
	p.undo = u
	return "", ""
}
