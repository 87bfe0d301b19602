// Package canonjson answers: what exactly does this JSON text say, and which bytes does a hash of it cover?
//
// [Parse] is a strict reader: one value, UTF-8, no duplicate key at any depth, no NaN or Infinity, no lone surrogate,
// within the named [Limits]. A [Value] keeps the order of members, the exact text of numbers, and the span of the input
// that each value and key came from. [Append] writes it again, and [Canonical] and [Hash] give the form that hashes
// cover: Python's json.dumps(sort_keys=True, separators=(",", ":"), ensure_ascii=False), byte for byte.
// [Object], [Array], [String], [Int], [Float], [Bool] and [Null] build new documents, into which parsed values may be put.
//
// Nothing here has a word of any domain, and no value is ever turned into a map.
package canonjson

import (
	"iter"
	"strconv"
)

// Kind says what a value is. The zero Kind is the kind of a value that is not there.
type Kind uint8

// The kinds. A number with neither fraction nor exponent is an Int of any size, every other number is a Float.
const (
	KindMissing Kind = iota
	KindNull
	KindBool
	KindInt
	KindFloat
	KindString
	KindArray
	KindObject
)

var kindNames = [...]string{"missing", "null", "boolean", "integer", "number", "string", "array", "object"}

// String gives the kind's name, as "object".
func (k Kind) String() string { return kindNames[k] }

// Phrase gives the kind's name in a sentence, as "an object" or "null".
func (k Kind) Phrase() string {
	switch k {
	case KindMissing, KindNull:
		return k.String()
	case KindInt, KindArray, KindObject:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// Value is one value of a parsed document. It is small, immutable, and safe for concurrent use. The zero Value is a
// value that is not there: every method on it gives the zero answer, so that look-ups can be chained.
type Value struct {
	d *doc
	i uint32
}

// doc is a parsed text: its nodes stand in document order, a member's key directly before its value.
type doc struct {
	src     string
	nodes   []node
	decoded []string // the strings that the text spells with escapes
	order   []uint32 // per unsorted object: the number of members, then the key nodes in sorted order
}

type node struct {
	start, end uint32 // the span in src, quotes included
	next       uint32 // the node after this one and all below it; 0 while it is open
	extra      uint32 // string: index in decoded; object: index in order
	kind       Kind
	flags      flags
}

type flags uint8

const (
	escaped   flags = 1 << iota // a string spelled with escapes
	compact                     // the span is the compact form
	canonical                   // the span is the canonical form
	unsorted                    // an object whose members do not stand in canonical order
	wide                        // an unsorted object with too many members to have been sorted while parsing
)

func (d *doc) text(i uint32) string {
	n := &d.nodes[i]
	if n.flags&escaped != 0 {
		return d.decoded[n.extra]
	}
	return d.src[n.start+1 : n.end-1]
}

// Kind says what the value is.
func (v Value) Kind() Kind {
	if v.d == nil {
		return KindMissing
	}
	return v.d.nodes[v.i].kind
}

// Exists reports whether there is a value at all. Null exists.
func (v Value) Exists() bool { return v.d != nil }

// Is reports whether the value is of kind k.
func (v Value) Is(k Kind) bool { return v.Kind() == k }

// Span gives the value's place in the input: data[start:end], quotes and brackets included.
func (v Value) Span() (start, end int) {
	if v.d == nil {
		return 0, 0
	}
	n := &v.d.nodes[v.i]
	return int(n.start), int(n.end)
}

// Raw gives the value's text as the input spells it.
func (v Value) Raw() string {
	s, e := v.Span()
	if e == 0 {
		return ""
	}
	return v.d.src[s:e]
}

// Text gives the decoded content of a string, and "" for any other kind.
func (v Value) Text() string {
	if v.Kind() != KindString {
		return ""
	}
	return v.d.text(v.i)
}

// True reports whether the value is the boolean true.
func (v Value) True() bool { return v.Kind() == KindBool && v.Raw() == "true" }

// Number gives the exact text of an Int or Float, and "" for any other kind.
func (v Value) Number() string {
	if k := v.Kind(); k != KindInt && k != KindFloat {
		return ""
	}
	return v.Raw()
}

// Int64 gives an Int that fits 64 bits; ok is false for any other value.
func (v Value) Int64() (n int64, ok bool) {
	if v.Kind() != KindInt {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Raw(), 10, 64)
	return n, err == nil
}

// Float64 gives the nearest double of an Int or Float; an Int beyond the range of doubles gives an infinity. ok is
// false for a value that is no number.
func (v Value) Float64() (f float64, ok bool) {
	if v.Number() == "" {
		return 0, false
	}
	f, _ = strconv.ParseFloat(v.Raw(), 64) // its only error here is the range, and then f is the infinity
	return f, true
}

// Len counts the items of an array or the members of an object; any other value has none.
func (v Value) Len() int {
	n := 0
	switch v.Kind() {
	case KindArray:
		for range v.Items() {
			n++
		}
	case KindObject:
		for range v.Members() {
			n++
		}
	}
	return n
}

// Empty reports whether the value is not a container, or has nothing in it.
func (v Value) Empty() bool { return v.d == nil || v.d.nodes[v.i].next == v.i+1 }

// Items walks an array in order; any other value has no items.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != KindArray {
			return
		}
		end := v.d.nodes[v.i].next
		for i := v.i + 1; i < end; i = v.d.nodes[i].next {
			if !yield(Value{v.d, i}) {
				return
			}
		}
	}
}

// Members walks an object in the order of the text; any other value has no members. The key is a value too, a string,
// so that its span is known.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(key, value Value) bool) {
		if v.Kind() != KindObject {
			return
		}
		end := v.d.nodes[v.i].next
		for i := v.i + 1; i < end; i = v.d.nodes[i+1].next {
			if !yield(Value{v.d, i}, Value{v.d, i + 1}) {
				return
			}
		}
	}
}

// Get gives the member of an object; the zero Value when there is none, or when v is no object.
func (v Value) Get(key string) Value {
	_, value := v.Member(key)
	return value
}

// Member gives a member's key and value; zero Values when there is none.
func (v Value) Member(key string) (k, value Value) {
	if v.Kind() != KindObject {
		return Value{}, Value{}
	}
	nodes, end := v.d.nodes, v.d.nodes[v.i].next
	for i := v.i + 1; i < end; i = nodes[i+1].next {
		n := &nodes[i]
		if n.flags&escaped == 0 && int(n.end-n.start) != len(key)+2 { // most keys differ in length
			continue
		}
		if v.d.text(i) == key {
			return Value{v.d, i}, Value{v.d, i + 1}
		}
	}
	return Value{}, Value{}
}

// At follows a path of object keys; the zero Value when a step is missing.
func (v Value) At(path ...string) Value {
	for _, key := range path {
		v = v.Get(key)
	}
	return v
}

// Index gives an item of an array; the zero Value outside its bounds.
func (v Value) Index(n int) Value {
	for item := range v.Items() {
		if n == 0 {
			return item
		}
		n--
	}
	return Value{}
}
