package turnenvelope

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/unicode14"
)

// The text rules, E3: how any value reads as text, and how a text is cleaned and cut. Limits count characters.

// value is a value of the decision.
type value = canonjson.Value

const (
	missing = canonjson.KindMissing
	null    = canonjson.KindNull
	boolean = canonjson.KindBool
	integer = canonjson.KindInt
	float   = canonjson.KindFloat
	text    = canonjson.KindString
	array   = canonjson.KindArray
	object  = canonjson.KindObject
)

// obj gives v if it is an object, else nothing. E1
func obj(v value) value { return only(v, object) }

// list gives v if it is an array, else nothing. E1
func list(v value) value { return only(v, array) }

func only(v value, k canonjson.Kind) value {
	if v.Kind() != k {
		return value{}
	}
	return v
}

// absent reports null and missing, which are one. E1
func absent(v value) bool { return v.Kind() <= null }

// truthy is false for null, false, zero, and anything empty. E1
func truthy(v value) bool {
	switch v.Kind() {
	case array, object:
		return !v.Empty()
	default:
		return slotTruthy(v)
	}
}

// slotTruthy is truthy but for empty containers. E1
func slotTruthy(v value) bool {
	switch v.Kind() {
	case missing, null:
		return false
	case boolean:
		return v.True()
	case integer, float:
		f, _ := v.Float64()
		return f != 0
	case text:
		return v.Text() != ""
	default:
		return true
	}
}

// is reports whether v is the text s.
func is(v value, s string) bool { return v.Kind() == text && v.Text() == s }

// exactly reports whether v is the boolean b.
func exactly(v value, b bool) bool { return v.Kind() == boolean && v.True() == b }

// textOf gives the text form of any value. E3.1
func textOf(v value) string {
	switch v.Kind() {
	case text:
		return v.Text()
	case missing, null:
		return "None"
	case integer:
		return intText(v.Number())
	default:
		return string(appendInner(nil, v))
	}
}

// textIfTruthy gives the text form of a truthy value, else "".
func textIfTruthy(v value) string {
	if !truthy(v) {
		return ""
	}
	return textOf(v)
}

func intText(number string) string {
	if number == "-0" {
		return "0"
	}
	return number
}

// appendInner writes a value as it stands inside a container's text form.
func appendInner(b []byte, v value) []byte {
	switch v.Kind() {
	case boolean:
		if v.True() {
			return append(b, "True"...)
		}
		return append(b, "False"...)
	case integer:
		return append(b, intText(v.Number())...)
	case float:
		f, _ := v.Float64()
		return canonjson.AppendFloat(b, f)
	case text:
		return appendRepr(b, v.Text())
	case array:
		b = append(b, '[')
		first := true
		for item := range v.Items() {
			b = appendComma(b, &first)
			b = appendInner(b, item)
		}
		return append(b, ']')
	case object:
		b = append(b, '{')
		first := true
		for k, item := range v.Members() {
			b = appendComma(b, &first)
			b = appendRepr(b, k.Text())
			b = append(b, ": "...)
			b = appendInner(b, item)
		}
		return append(b, '}')
	default:
		return append(b, "None"...)
	}
}

func appendComma(b []byte, first *bool) []byte {
	if *first {
		*first = false
		return b
	}
	return append(b, ", "...)
}

// appendRepr quotes a text for the inner form.
func appendRepr(b []byte, s string) []byte {
	delim := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		delim = '"'
	}
	b = append(b, delim)
	for _, r := range s {
		switch {
		case r == rune(delim) || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case unicode14.IsPrint(r):
			b = utf8.AppendRune(b, r)
		case r <= 0xff:
			b = appendHex(append(b, `\x`...), r, 2)
		case r <= 0xffff:
			b = appendHex(append(b, `\u`...), r, 4)
		default:
			b = appendHex(append(b, `\U`...), r, 8)
		}
	}
	return append(b, delim)
}

func appendHex(b []byte, r rune, width int) []byte {
	digits := strconv.FormatInt(int64(r), 16)
	for range width - len(digits) {
		b = append(b, '0')
	}
	return append(b, digits...)
}

// clean gives a text with runs of white space folded to one blank and trimmed, cut to n characters. "" is absent. E3.2
func clean(s string, n int) string {
	s = folded(s)
	if len(s) <= n {
		return s
	}
	cut, count := 0, 0
	for i := range s {
		if count == max(n-3, 0) {
			cut = i
		}
		if count++; count > n {
			return strings.TrimRight(s[:cut], " ") + "..."
		}
	}
	return s
}

// cleanValue is clean of the text form; null is absent. E3.2
func cleanValue(v value, n int) string {
	if absent(v) {
		return ""
	}
	return clean(textOf(v), n)
}

// folded folds and trims white space; a text that needs neither is returned as it is.
func folded(s string) string {
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf || c < ' ' || c == ' ' && last == ' ' {
			return fold(s)
		}
		last = c
	}
	if last == ' ' && s != "" {
		return s[:len(s)-1]
	}
	return s
}

func fold(s string) string {
	b := make([]byte, 0, len(s))
	for word := range strings.FieldsFuncSeq(s, unicode14.IsSpace) {
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b = append(b, word...)
	}
	return string(b)
}

// cleanList cleans the items of an array, without absent ones and repeats, at most count of them. E3.3
func cleanList(v value, count, n int) []string {
	var out []string
	for item := range list(v).Items() {
		if len(out) == count {
			break
		}
		out = appendNew(out, cleanValue(item, n))
	}
	return out
}

// appendNew appends a text that is present and not there yet.
func appendNew(out []string, s string) []string {
	if s == "" || slices.Contains(out, s) {
		return out
	}
	if out == nil {
		out = make([]string, 0, 4)
	}
	return append(out, s)
}

// label gives a bracketed head before the first colon, else the cleaned text. E3.4
func label(v value, n int) string {
	t := cleanValue(v, 220)
	head, _, colon := strings.Cut(t, ":")
	if colon && strings.Contains(head, "[") && strings.Contains(head, "]") {
		if length := utf8.RuneCountInString(head); length >= 8 && length <= n {
			return trim(head)
		}
	}
	return clean(t, n)
}

// trim removes white space at both ends. E3.5
func trim(s string) string { return strings.TrimFunc(s, unicode14.IsSpace) }

// lower lower-cases what matters towards ASCII, and the Kelvin sign. E7.9
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == '\u212a':
			return 'k'
		}
		return r
	}, s)
}

// norm is the text form of a truthy value, trimmed and lower-cased. E7.9
func norm(v value) string { return lower(trim(textIfTruthy(v))) }
