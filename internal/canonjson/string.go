package canonjson

import (
	"fmt"
	"math/bits"
	"unicode/utf16"
)

// str reads a string at i, its opening quote, as a node with the flags f if it has no escapes, and gives the offset
// behind it.
func (p *parser) str(i int, f flags) int {
	src, at := p.src, len(p.nodes)
	end := plainEnd(src, i+1)
	if end < len(src) && src[end] == '"' {
		end++
		p.add(KindString, f, i, end)
	} else if end = p.escapedStr(i, end, f); end == stop {
		return stop
	}
	if p.bad < end {
		p.report(CodeUTF8, p.bad, at, fmt.Sprintf("byte 0x%02x is not UTF-8", src[p.bad]))
		p.bad = firstBad(src, p.bad+1)
		if p.bad < end { // one report per string is enough
			p.bad = firstBad(src, end)
		}
	}
	return end
}

// escapedStr goes on with a string that began at start and is plain up to i.
func (p *parser) escapedStr(start, i int, f flags) int {
	at := p.add(KindString, f|escaped, start, start)
	if p.unescape.Cap() == 0 {
		p.unescape.Grow(len(p.src) - start) // no text grows by decoding, so this never moves
	}
	from := p.unescape.Len()
	end := p.decode(start, i, at)
	n := &p.nodes[at]
	n.end, n.extra = uint32(end), uint32(len(p.decoded))
	p.decoded = append(p.decoded, p.unescape.String()[from:]) // also of a broken key: the path to it names it
	return end
}

// decode appends the content of the string at start, plain up to i, to unescape.
func (p *parser) decode(start, i, at int) int {
	src, plain := p.src, start+1
	for {
		p.unescape.WriteString(src[plain:i])
		switch {
		case i >= len(src), i+1 >= len(src) && src[i] == '\\':
			return p.fatal(CodeSyntax, start, at, "a string without an end")
		case src[i] == '"':
			return i + 1
		case src[i] < ' ':
			return p.fatal(CodeControl, i, at, fmt.Sprintf("control character 0x%02x inside a string", src[i]))
		}
		if c := src[i+1]; c == 'u' {
			r, size, ok := p.unicodeEscape(i, at)
			if !ok {
				return stop
			}
			p.unescape.WriteRune(r)
			p.plainer(at)
			i += size
		} else {
			b := unescaped[c]
			if b == 0 {
				return p.expected(i+1, at, "an escape", CodeEscape)
			}
			if c == '/' {
				p.plainer(at)
			}
			p.unescape.WriteByte(b)
			i += 2
		}
		plain, i = i, plainEnd(src, i)
	}
}

// plainer notes that a string is spelled with an escape that the compact form has not.
func (p *parser) plainer(at int) {
	p.nodes[at].flags &^= compact | canonical
	p.noise++
}

var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unicodeEscape reads \uXXXX at i, or a pair of them for a character above the first 65,536.
func (p *parser) unicodeEscape(i, at int) (r rune, size int, ok bool) {
	r, ok = hex4(p.src, i+2)
	if !ok {
		p.report(CodeEscape, i, at, "\\u needs four hexadecimal digits")
		return 0, 0, false
	}
	if !utf16.IsSurrogate(r) {
		return r, 6, true
	}
	if i+8 <= len(p.src) && p.src[i+6] == '\\' && p.src[i+7] == 'u' {
		if low, ok := hex4(p.src, i+8); ok {
			if pair := utf16.DecodeRune(r, low); pair != '\ufffd' {
				return pair, 12, true
			}
		}
	}
	p.report(CodeSurrogate, i, at, fmt.Sprintf("\\u%04x is half of a surrogate pair", r))
	return '\ufffd', 6, len(p.faults) < maxFaults
}

func hex4(s string, i int) (r rune, ok bool) {
	if i+4 > len(s) {
		return 0, false
	}
	for _, c := range []byte(s[i : i+4]) {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plainEnd gives the offset of the first quote, backslash or control character from i on, eight bytes at a time.
func plainEnd(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		// The lowest bit set is exact: a borrow only reaches bytes above a hit.
		if hit := ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*' ')&^w) & highs; hit != 0 {
			return i + bits.TrailingZeros64(hit)/8
		}
	}
	for i < len(s) && s[i] != '"' && s[i] != '\\' && s[i] >= ' ' {
		i++
	}
	return i
}
