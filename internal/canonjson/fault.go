package canonjson

import (
	"fmt"
	"strings"

	"example.com/ambit/internal/fault"
)

// The codes of a refused text.
const (
	CodeSize      = "json_size"      // longer than Limits.MaxBytes
	CodeDepth     = "json_depth"     // nested deeper than Limits.MaxDepth
	CodeDigits    = "json_digits"    // an integer longer than Limits.MaxIntDigits
	CodeSyntax    = "json_syntax"    // not JSON
	CodeComment   = "json_comment"   // a comment
	CodeTrailing  = "json_trailing"  // something after the value
	CodeBOM       = "json_bom"       // a byte-order mark
	CodeUTF8      = "json_utf8"      // bytes that are not UTF-8
	CodeControl   = "json_control"   // a raw control character inside a string
	CodeEscape    = "json_escape"    // an unknown escape
	CodeSurrogate = "json_surrogate" // half of a surrogate pair
	CodeNumber    = "json_number"    // NaN, Infinity, or a number beyond the range of doubles
	CodeDuplicate = "json_duplicate" // the same key twice in one object
)

// Detail is the sentence of a problem with its exact place: fault.Error.Err of every error that Parse returns, to be
// reached with errors.As.
type Detail struct {
	Offset  int    // byte offset in the input
	Pointer string // JSON Pointer (RFC 6901) of the value or container concerned; "" is the whole document
	Msg     string
}

// Error gives the sentence alone: the place stands in the fault.Error around it.
func (d *Detail) Error() string { return d.Msg }

// found is a problem while parsing; at is the node it concerns, -1 for the document.
type found struct {
	code string
	off  int
	at   int
	msg  string
}

// list turns what was found into positioned errors. Places are worked out here, so that a good text never pays.
func (p *parser) list(name string) error {
	var l fault.List
	for _, f := range p.faults {
		before := p.src[:min(f.off, len(p.src))]
		pointer, dotted := p.path(f.at)
		l.Add(&fault.Error{
			File: name,
			Line: 1 + strings.Count(before, "\n"),
			Col:  len(before) - strings.LastIndexByte(before, '\n'),
			Key:  dotted,
			Code: f.code,
			Err:  &Detail{Offset: f.off, Pointer: pointer, Msg: f.msg},
		})
	}
	return l.Err()
}

// path gives the way from the root to a node, as JSON Pointer and as dotted path.
func (p *parser) path(target int) (pointer, dotted string) {
	if target <= 0 {
		return "", ""
	}
	var ptr, dot strings.Builder
	t := uint32(target)
	for c := uint32(0); ; {
		next, key, isKey, n := p.childTowards(c, t)
		if isKey {
			ptr.WriteString("/" + pointerEscaper.Replace(key))
			writeDotted(&dot, key)
		} else {
			fmt.Fprintf(&ptr, "/%d", n)
			fmt.Fprintf(&dot, "[%d]", n)
		}
		if next >= t {
			return ptr.String(), dot.String()
		}
		c = next
	}
}

// childTowards finds the child of container c that is or holds t. A key stands for its member.
func (p *parser) childTowards(c, t uint32) (child uint32, key string, isKey bool, n int) {
	object := p.nodes[c].kind == KindObject
	for i := c + 1; ; n++ {
		v := i
		if object {
			v = i + 1
		}
		if t <= v || p.nodes[v].next == 0 || t < p.nodes[v].next {
			if object {
				return v, p.text(i), true, n
			}
			return v, "", false, n
		}
		i = p.nodes[v].next
	}
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func writeDotted(b *strings.Builder, key string) {
	plain := key != "" && strings.IndexFunc(key, func(r rune) bool {
		return !(r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
	}) < 0
	switch {
	case !plain:
		fmt.Fprintf(b, "[%q]", key)
	case b.Len() == 0:
		b.WriteString(key)
	default:
		b.WriteString("." + key)
	}
}
