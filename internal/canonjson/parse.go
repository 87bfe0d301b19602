package canonjson

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Parse reads one JSON value. name is for messages, as a file's name. The error joins at most 16 *fault.Error, sorted
// by position, each with one of the Code constants and a *Detail; the first that is not JSON at all ends the reading.
// The result shares no memory with data.
func Parse(name string, data []byte, limits Limits) (Value, error) {
	limits = limits.orDefaults()
	p := &parser{limits: limits}
	if len(data) > limits.MaxBytes {
		p.report(CodeSize, limits.MaxBytes, -1, fmt.Sprintf("%d bytes, the limit is %d", len(data), limits.MaxBytes))
		return Value{}, p.list(name)
	}
	p.src = string(data)
	p.bad = firstBad(p.src, 0)
	p.nodes = make([]node, 0, len(data)/12+16) // a dense document has a node every eight bytes
	p.document()
	if len(p.faults) > 0 {
		return Value{}, p.list(name)
	}
	d := &doc{src: p.src, nodes: p.nodes, decoded: p.decoded, order: p.order}
	return Value{d, 0}, nil
}

// parser builds the nodes. noise and mess count what makes a text differ from its compact and canonical form: a
// container during which they did not change can later be copied as it stands.
type parser struct {
	doc
	limits      Limits
	bad         int // offset of the next byte that is not UTF-8
	noise, mess int
	faults      []found
	unescape    strings.Builder
	members     []member // scratch of unique
	hashes      []uint32 // scratch of unique
}

// stop is the offset that means: a fault after which nothing can be read.
const stop = -1

func (p *parser) report(code string, off, at int, msg string) {
	if len(p.faults) < maxFaults {
		p.faults = append(p.faults, found{code, off, at, msg})
	}
}

// fatal reports and stops.
func (p *parser) fatal(code string, off, at int, msg string) int {
	p.report(code, off, at, msg)
	return stop
}

func (p *parser) document() {
	i := 0
	if strings.HasPrefix(p.src, "\ufeff") {
		if !p.limits.AllowBOM {
			p.report(CodeBOM, 0, -1, "begins with a byte-order mark")
		}
		i = 3
	}
	if i = p.space(i); i == len(p.src) {
		p.report(CodeSyntax, i, -1, "no value")
		return
	}
	if i = p.value(i, 0, -1); i == stop {
		return
	}
	if i = p.space(i); i < len(p.src) {
		p.expected(i, -1, "the end", CodeTrailing)
	}
}

// space skips white space. It is small, so that the usual case costs no call.
func (p *parser) space(i int) int {
	if i < len(p.src) && p.src[i] > ' ' {
		return i
	}
	return p.skip(i)
}

func (p *parser) skip(i int) int {
	if i >= len(p.src) {
		return i
	}
	p.noise++
	for i < len(p.src) {
		switch p.src[i] {
		case ' ', '\n', '\t', '\r':
			i++
		default:
			return i
		}
	}
	return i
}

// value reads one value at i, which is not white space, and gives the offset behind it. holder is the node to blame
// when there is none.
func (p *parser) value(i, depth, holder int) int {
	if i >= len(p.src) {
		return p.fatal(CodeSyntax, i, holder, "the text ends where a value should stand")
	}
	switch c := p.src[i]; c {
	case '"':
		return p.str(i, compact|canonical)
	case '{':
		return p.object(i, depth+1)
	case '[':
		return p.array(i, depth+1)
	case 't':
		return p.literal(i, "true", KindBool, holder)
	case 'f':
		return p.literal(i, "false", KindBool, holder)
	case 'n':
		return p.literal(i, "null", KindNull, holder)
	case 'N':
		return p.notFinite(i, "NaN", holder)
	case 'I':
		return p.notFinite(i, "Infinity", holder)
	default:
		if c == '-' && strings.HasPrefix(p.src[i:], "-I") {
			return p.notFinite(i, "-Infinity", holder)
		}
		if c == '-' || c >= '0' && c <= '9' {
			return p.number(i, holder)
		}
		return p.expected(i, holder, "a value", CodeSyntax)
	}
}

// add appends a value without children and gives its node.
func (p *parser) add(kind Kind, f flags, start, end int) int {
	at := len(p.nodes)
	if at == cap(p.nodes) {
		p.grow(start)
	}
	p.nodes = p.nodes[:at+1]
	n := &p.nodes[at] // field by field: a composite would be built elsewhere and copied
	n.start, n.end, n.next, n.kind, n.flags = uint32(start), uint32(end), uint32(at+1), kind, f
	return at
}

// grow makes room for as many nodes as the rest of the text will have if it is as dense as what was read up to i, so
// that a large text is copied once or twice.
func (p *parser) grow(i int) {
	n, rest := len(p.nodes), len(p.src)-i
	p.nodes = slices.Grow(p.nodes, min(int(float64(n)*float64(rest)/float64(i+1))+n/16, rest)+16)
}

func (p *parser) literal(i int, word string, kind Kind, holder int) int {
	if !strings.HasPrefix(p.src[i:], word) {
		return p.expected(i, holder, "a value", CodeSyntax)
	}
	p.add(kind, compact|canonical, i, i+len(word))
	return i + len(word)
}

// notFinite refuses what some readers accept, and reads on.
func (p *parser) notFinite(i int, word string, holder int) int {
	if !strings.HasPrefix(p.src[i:], word) {
		return p.expected(i, holder, "a value", CodeSyntax)
	}
	at := p.add(KindFloat, 0, i, i+len(word))
	p.report(CodeNumber, i, at, word+" is not a JSON number")
	return i + len(word)
}

// expected refuses whatever stands at i, and says what should.
func (p *parser) expected(i, at int, want, code string) int {
	if i >= len(p.src) {
		return p.fatal(CodeSyntax, i, at, "the text ends where "+want+" should stand")
	}
	rest := p.src[i:]
	if strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || rest[0] == '#' {
		return p.fatal(CodeComment, i, at, "comments are not allowed")
	}
	r, size := utf8.DecodeRuneInString(rest)
	if r == utf8.RuneError && size == 1 {
		return p.fatal(CodeUTF8, i, at, fmt.Sprintf("byte 0x%02x is not UTF-8", rest[0]))
	}
	return p.fatal(code, i, at, fmt.Sprintf("%q where %s should stand", r, want))
}

// open begins a container.
func (p *parser) open(kind Kind, i, depth int) (at int, ok bool) {
	if depth > p.limits.MaxDepth {
		p.report(CodeDepth, i, len(p.nodes)-1, fmt.Sprintf("nested deeper than %d levels", p.limits.MaxDepth))
		return 0, false
	}
	at = len(p.nodes)
	if at == cap(p.nodes) {
		p.grow(i)
	}
	p.nodes = append(p.nodes, node{start: uint32(i), kind: kind})
	return at, true
}

// shut ends a container; noise and mess are the counts from when it began.
func (p *parser) shut(at, end, noise, mess int) int {
	n := &p.nodes[at]
	n.end, n.next = uint32(end), uint32(len(p.nodes))
	if p.noise == noise {
		n.flags |= compact
		if p.mess == mess {
			n.flags |= canonical
		}
	}
	return end
}

func (p *parser) array(i, depth int) int {
	at, ok := p.open(KindArray, i, depth)
	if !ok {
		return stop
	}
	noise, mess := p.noise, p.mess
	if i = p.space(i + 1); i < len(p.src) && p.src[i] == ']' {
		return p.shut(at, i+1, noise, mess)
	}
	for {
		if i = p.value(i, depth, at); i == stop || len(p.faults) == maxFaults {
			return stop
		}
		i = p.space(i)
		switch {
		case i < len(p.src) && p.src[i] == ',':
			i = p.space(i + 1)
		case i < len(p.src) && p.src[i] == ']':
			return p.shut(at, i+1, noise, mess)
		default:
			return p.expected(i, at, "',' or ']'", CodeSyntax)
		}
	}
}

func (p *parser) object(i, depth int) int {
	at, ok := p.open(KindObject, i, depth)
	if !ok {
		return stop
	}
	src, noise, mess := p.src, p.noise, p.mess
	if i = p.space(i + 1); i < len(src) && src[i] == '}' {
		return p.shut(at, i+1, noise, mess)
	}
	sorted, last := true, ""
	for count := 1; ; count++ {
		if i >= len(src) || src[i] != '"' {
			return p.expected(i, at, "a key", CodeSyntax)
		}
		k, from := len(p.nodes), i
		if i = p.str(i, compact|canonical); i == stop {
			return stop
		}
		key := src[from+1 : i-1]
		if p.nodes[k].flags&escaped != 0 {
			key = p.text(uint32(k))
		}
		if count > 1 && sorted && last >= key {
			sorted = false
		}
		last = key
		if i = p.space(i); i >= len(src) || src[i] != ':' {
			return p.expected(i, k, "':'", CodeSyntax)
		}
		if i = p.value(p.space(i+1), depth, k); i == stop || len(p.faults) == maxFaults {
			return stop
		}
		i = p.space(i)
		switch {
		case i < len(src) && src[i] == ',':
			i = p.space(i + 1)
		case i < len(src) && src[i] == '}':
			end := i + 1
			if !sorted {
				p.mess++
				p.unique(at, count)
			}
			return p.shut(at, end, noise, mess)
		default:
			return p.expected(i, at, "',' or '}'", CodeSyntax)
		}
	}
}

// number reads by the grammar of JSON, which has no leading zero, no plus sign and no bare point.
func (p *parser) number(i, holder int) int {
	src, start := p.src, i
	if src[i] == '-' {
		i++
	}
	first := i
	i = digits(src, i)
	switch {
	case i == first:
		return p.expected(i, holder, "a digit", CodeSyntax)
	case src[first] == '0' && i > first+1:
		return p.fatal(CodeSyntax, first, holder, "a number with a leading zero")
	}
	whole, kind := i-first, KindInt
	if i < len(src) && src[i] == '.' {
		kind = KindFloat
		from := i + 1
		if i = digits(src, from); i == from {
			return p.expected(i, holder, "a digit", CodeSyntax)
		}
	}
	if i < len(src) && (src[i] == 'e' || src[i] == 'E') {
		kind = KindFloat
		from := i + 1
		if from < len(src) && (src[from] == '+' || src[from] == '-') {
			from++
		}
		if i = digits(src, from); i == from {
			return p.expected(i, holder, "a digit", CodeSyntax)
		}
	}
	f := compact | canonical
	if kind == KindFloat && !plainFloat(src[start:i]) || src[start:i] == "-0" {
		p.noise++
		f = 0
	}
	at := p.add(kind, f, start, i)
	if kind == KindInt && whole > p.limits.MaxIntDigits && !p.limits.AnyNumber {
		p.report(CodeDigits, start, at, fmt.Sprintf("an integer of %d digits, the limit is %d", whole, p.limits.MaxIntDigits))
	}
	if kind == KindFloat && f == 0 && !p.limits.AnyNumber && math.IsInf(parseFloat(src[start:i]), 0) {
		p.report(CodeNumber, start, at, "beyond the range of doubles")
	}
	return i
}

func digits(src string, i int) int {
	for i < len(src) && src[i]-'0' <= 9 {
		i++
	}
	return i
}

// firstBad gives the offset of the first byte from i on that is not UTF-8; the length of the text when all are.
func firstBad(s string, i int) int {
	if utf8.ValidString(s[i:]) {
		return len(s)
	}
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		i += size
	}
	return i
}
