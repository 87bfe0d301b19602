package turnenvelope

import (
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"example.com/ambit/internal/unicode14"
)

// integer reads open_count as an integer of any size and gives its digits. E6.2
func (p *projection) integer(v value, pointer string) string {
	switch v.Kind() {
	case integer:
		return intText(v.Number())
	case boolean:
		if v.True() {
			return "1"
		}
	case float:
		f, _ := v.Float64()
		whole, _ := big.NewFloat(f).Int(nil)
		return whole.String()
	case text:
		if v.Text() == "" {
			return "0"
		}
		digits, why := parseInteger(v.Text())
		if why != "" {
			code := CodeOpenCount
			if why == tooLong {
				code = CodeDigits
			}
			p.fault(code, v, pointer, fmt.Sprintf("%.80q is no integer: %s", v.Text(), why))
			return "0"
		}
		return digits
	case array, object:
		if !v.Empty() {
			p.fault(CodeOpenCount, v, pointer, v.Kind().Phrase()+" is no integer")
		}
	}
	return "0"
}

const tooLong = "more than 4,300 digits"

// parseInteger reads what Python's int reads in base ten. why is "" when it could.
func parseInteger(s string) (digits, why string) {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		s = strings.Map(func(r rune) rune {
			switch n := unicode14.Digit(r); {
			case r < utf8.RuneSelf:
				return r
			case unicode14.IsSpace(r):
				return ' '
			case n >= 0:
				return '0' + rune(n)
			}
			return r
		}, s)
	}
	s = strings.Trim(s, "\t\n\v\f\r ")
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	b := make([]byte, 0, len(s))
	after := byte('_') // no underscore at the start, at the end, or after another
	for _, c := range []byte(s) {
		switch {
		case c >= '0' && c <= '9':
			b = append(b, c)
		case c != '_' || after == '_':
			return "", "it holds something else than digits"
		}
		after = c
	}
	if after == '_' {
		return "", "it does not end in a digit"
	}
	if len(b) > MaxIntDigits {
		return "", tooLong
	}
	digits = strings.TrimLeft(string(b), "0")
	switch {
	case digits == "":
		return "0", ""
	case negative:
		return "-" + digits, ""
	}
	return digits, ""
}

// integerField writes digits.
func (e *emitter) integerField(k, digits string) {
	e.key(k)
	e.b = append(e.b, digits...)
}
