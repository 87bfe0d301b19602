package canonjson

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"unicode/utf8"
)

// Format says how a document is written. The zero Format is the compact form: no white space, members as they stand,
// and nothing escaped that need not be.
type Format struct {
	SortKeys    bool   // members of every object by code point of their keys
	ASCII       bool   // U+007F and everything beyond ASCII as \uXXXX, pairs above U+FFFF
	KeepNumbers bool   // numbers as the input spells them, not as Python would
	Indent      string // one level's indent; "" is no line breaks at all. Empty containers stay on one line
}

// Append writes a document behind dst. A value that is not there is written as null.
func Append(dst []byte, n Node, f Format) []byte {
	w := writer{Format: f, dst: dst}
	w.node(n)
	return w.dst
}

// Compact gives the compact form.
func Compact(n Node) []byte { return Append(nil, n, Format{}) }

// Canonical gives the form that hashes cover: compact, with the members of every object sorted.
func Canonical(n Node) []byte { return AppendCanonical(nil, n) }

// AppendCanonical writes the canonical form behind dst.
func AppendCanonical(dst []byte, n Node) []byte { return Append(dst, n, Format{SortKeys: true}) }

// Hash gives "sha256:" and the SHA-256 of the canonical form, in lower-case hexadecimal digits.
func Hash(n Node) string { return HashBytes(Canonical(n)) }

// HashBytes gives "sha256:" and the SHA-256 of a text that is canonical already.
func HashBytes(text []byte) string {
	const prefix = "sha256:"
	var out [len(prefix) + 2*sha256.Size]byte
	copy(out[:], prefix)
	sum := sha256.Sum256(text)
	hex.Encode(out[len(prefix):], sum[:])
	return string(out[:])
}

type writer struct {
	Format
	dst   []byte
	level int
}

func (w *writer) node(n Node) {
	if n == nil {
		n = Null{}
	}
	n.write(w)
}

func (w *writer) string(s string) { w.dst = appendString(w.dst, s, w.ASCII) }

// items writes count items between two brackets.
func (w *writer) items(open, shut byte, count int, item func(i int)) {
	w.begin(open)
	for i := range count {
		w.separate(i == 0)
		item(i)
	}
	w.end(shut, count == 0)
}

func (w *writer) begin(open byte) {
	w.dst = append(w.dst, open)
	w.level++
}

// separate comes before each item.
func (w *writer) separate(first bool) {
	if !first {
		w.dst = append(w.dst, ',')
	}
	w.line()
}

func (w *writer) end(shut byte, empty bool) {
	w.level--
	if !empty {
		w.line()
	}
	w.dst = append(w.dst, shut)
}

func (w *writer) line() {
	if w.Indent == "" {
		return
	}
	w.dst = append(w.dst, '\n')
	for range w.level {
		w.dst = append(w.dst, w.Indent...)
	}
}

func (w *writer) colon() {
	w.dst = append(w.dst, ':')
	if w.Indent != "" {
		w.dst = append(w.dst, ' ')
	}
}

// write puts a parsed value out; what stands in the input as it should be written is copied.
func (v Value) write(w *writer) {
	if v.d == nil {
		w.dst = append(w.dst, "null"...)
		return
	}
	n := &v.d.nodes[v.i]
	verbatim := n.flags&compact != 0 && !w.ASCII && w.Indent == "" && (!w.SortKeys || n.flags&canonical != 0)
	switch {
	case verbatim, n.kind == KindNull, n.kind == KindBool:
		w.dst = append(w.dst, v.d.src[n.start:n.end]...)
	case n.kind == KindString:
		w.string(v.d.text(v.i))
	case w.KeepNumbers && (n.kind == KindInt || n.kind == KindFloat):
		w.dst = append(w.dst, v.d.src[n.start:n.end]...)
	case n.kind == KindInt:
		w.dst = append(w.dst, plainInt(v.d.src[n.start:n.end])...)
	case n.kind == KindFloat:
		w.dst = AppendFloat(w.dst, parseFloat(v.d.src[n.start:n.end]))
	case n.kind == KindArray:
		v.writeArray(w)
	case w.SortKeys && n.flags&unsorted != 0:
		v.writeSorted(w)
	default:
		v.writeObject(w)
	}
}

// plainInt gives an integer's digits: the grammar leaves nothing to change but the sign of zero.
func plainInt(s string) string {
	if s == "-0" {
		return "0"
	}
	return s
}

func (v Value) writeArray(w *writer) {
	w.begin('[')
	first := true
	for item := range v.Items() {
		w.separate(first)
		item.write(w)
		first = false
	}
	w.end(']', first)
}

func (v Value) writeObject(w *writer) {
	w.begin('{')
	first := true
	for key, value := range v.Members() {
		w.separate(first)
		key.write(w)
		w.colon()
		value.write(w)
		first = false
	}
	w.end('}', first)
}

func (v Value) writeSorted(w *writer) {
	n := &v.d.nodes[v.i]
	var keys []uint32
	if n.flags&wide == 0 {
		count := v.d.order[n.extra]
		keys = v.d.order[n.extra+1 : n.extra+1+count]
	} else {
		ms := v.d.appendMembers(nil, v.i)
		sortMembers(v.d, ms)
		for _, m := range ms {
			keys = append(keys, m.node)
		}
	}
	w.begin('{')
	for i, k := range keys {
		w.separate(i == 0)
		Value{v.d, k}.write(w)
		w.colon()
		Value{v.d, k + 1}.write(w)
	}
	w.end('}', len(keys) == 0)
}

// AppendString writes a string in the compact form: quoted, with the quote, the backslash and control characters
// escaped, and nothing else. Bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte { return appendString(dst, s, false) }

func appendString(dst []byte, s string, ascii bool) []byte {
	const hexDigits = "0123456789abcdef"
	dst = append(dst, '"')
	plain := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && (c < 0x7f || c == 0x7f && !ascii) {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			dst = append(dst, s[plain:i]...)
			if e := escapes[c]; e != 0 {
				dst = append(dst, '\\', e)
			} else {
				dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
			i++
			plain = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if ascii || r == utf8.RuneError && size == 1 {
			dst = append(dst, s[plain:i]...)
			dst = appendRune(dst, r, ascii)
			plain = i + size
		}
		i += size
	}
	dst = append(dst, s[plain:]...)
	return append(dst, '"')
}

func appendRune(dst []byte, r rune, ascii bool) []byte {
	const hexDigits = "0123456789abcdef"
	if !ascii {
		return utf8.AppendRune(dst, r)
	}
	units := []rune{r}
	if r > 0xffff {
		units = []rune{0xd800 + (r-0x10000)>>10, 0xdc00 + (r-0x10000)&0x3ff}
	}
	for _, u := range units {
		dst = append(dst, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
	}
	return dst
}

var escapes = [utf8.RuneSelf]byte{'"': '"', '\\': '\\', '\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r'}

// sorted gives the order in which an object's members are written.
func (w *writer) sorted(o Object) Object {
	if !w.SortKeys {
		return o
	}
	o = slices.Clone(o)
	slices.SortStableFunc(o, func(a, b Member) int { return compareKeys(a.Key, b.Key) })
	return o
}

// AppendCompact writes the compact form behind dst.
func (v Value) AppendCompact(dst []byte) []byte {
	w := writer{dst: dst}
	v.write(&w)
	return w.dst
}

// AppendCanonical writes the canonical form behind dst.
func (v Value) AppendCanonical(dst []byte) []byte {
	w := writer{Format: Format{SortKeys: true}, dst: dst}
	v.write(&w)
	return w.dst
}
