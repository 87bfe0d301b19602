package systempolicy

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// kind is what a value is by YAML 1.2's core schema. What 1.1 reads differently is told apart where it matters. (Y1)
type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindInt   // plain decimal digits: nothing else is read alike by every reader (A-num-4)
	kindOdd   // a number to some readers: 010, 0x10, 0o17, 0b11, 1_000, +5
	kindFloat // with a point or an exponent
	kindInf   // .inf, .nan
	kindText
	kindList
	kindMapping
)

var kindNames = [...]string{"null", "a boolean", "an integer", "an ambiguous number", "a fraction", "not a finite number", "text", "a list", "a mapping"}

// value is one value as it was read.
type value struct {
	kind   kind
	text   string // of a scalar
	plain  bool   // without quotes
	parsed bool   // from already parsed data, where a time without quotes has become a number (W8)
}

// read classifies a node, which is not an alias. ok is false for a tag that is none of YAML's own, or does not fit. (Y5)
func read(n *yaml.Node) (v value, ok bool) {
	switch n.Kind {
	case yaml.MappingNode:
		return value{kind: kindMapping}, n.Style&yaml.TaggedStyle == 0 || n.Tag == "!!map"
	case yaml.SequenceNode:
		return value{kind: kindList}, n.Style&yaml.TaggedStyle == 0 || n.Tag == "!!seq"
	case yaml.ScalarNode:
	default:
		return value{}, false
	}
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	v = value{kind: kindText, text: n.Value, plain: n.Style&quoted == 0, parsed: n.Line == 0}
	if v.plain {
		v.kind = plainKind(n.Value)
	}
	if n.Style&yaml.TaggedStyle == 0 {
		return v, true
	}
	if n.Tag == "!!str" {
		v.kind, v.plain = kindText, false
		return v, true
	}
	return v, taggedKind[n.Tag] == v.kind && taggedKind[n.Tag] != kindNull || n.Tag == "!!null" && v.kind == kindNull
}

var taggedKind = map[string]kind{"!!bool": kindBool, "!!int": kindInt, "!!float": kindFloat}

var plainWords = map[string]kind{
	"": kindNull, "~": kindNull, "null": kindNull, "Null": kindNull, "NULL": kindNull,
	"true": kindBool, "True": kindBool, "TRUE": kindBool, "false": kindBool, "False": kindBool, "FALSE": kindBool,
	".inf": kindInf, ".Inf": kindInf, ".INF": kindInf, "+.inf": kindInf, "+.Inf": kindInf, "+.INF": kindInf,
	"-.inf": kindInf, "-.Inf": kindInf, "-.INF": kindInf, ".nan": kindInf, ".NaN": kindInf, ".NAN": kindInf,
}

// plainKind classifies a scalar without quotes.
func plainKind(s string) kind {
	if k, ok := plainWords[s]; ok {
		return k
	}
	body := strings.TrimPrefix(s, "-")
	switch {
	case decimal(body):
		return kindInt
	case looksLikeNumber(s):
		return kindOdd
	case fraction(body):
		return kindFloat
	}
	return kindText
}

// decimal reports whether s is 0, or digits without a leading zero.
func decimal(s string) bool {
	return s == "0" || s != "" && s[0] != '0' && strings.Trim(s, digits) == ""
}

const digits = "0123456789"

// looksLikeNumber reports whether some YAML reader makes a number of s while others make another, or text.
func looksLikeNumber(s string) bool {
	body := strings.TrimLeft(s, "+-")
	if len(s)-len(body) > 1 || body == "" {
		return false
	}
	signed := strings.HasPrefix(s, "+")
	base := map[string]string{"0x": "0123456789abcdefABCDEF_", "0o": "01234567_", "0b": "01_"}
	if len(body) > 2 {
		if set, ok := base[body[:2]]; ok && strings.Trim(body[2:], set) == "" {
			return true
		}
	}
	if strings.Trim(body, digits+"_") == "" && strings.ContainsAny(body[:1], digits) {
		return signed || !decimal(body)
	}
	return fraction(strings.ReplaceAll(body, "_", "")) && (signed || strings.Contains(body, "_") || len(body) > 1 && body[0] == '0' && body[1] >= '0' && body[1] <= '9')
}

// fraction reports whether s is a number of the core schema with a point or an exponent, without a sign.
func fraction(s string) bool {
	mantissa, exponent, hasExponent := s, "", false
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent, hasExponent = s[:i], strings.TrimLeft(s[i+1:], "+-"), true
		if len(s)-i-1-len(exponent) > 1 || exponent == "" || strings.Trim(exponent, digits) != "" {
			return false
		}
	}
	whole, part, hasPoint := strings.Cut(mantissa, ".")
	return (hasPoint || hasExponent) && whole+part != "" && strings.Trim(whole+part, digits) == ""
}
