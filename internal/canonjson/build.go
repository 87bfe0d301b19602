package canonjson

import (
	"cmp"
	"math"
	"strconv"
)

// Node is a document that can be written: a parsed Value, or one of the types below.
type Node interface{ write(w *writer) }

// The types that documents are built from.
type (
	// Object is an object with its members in order. A key must not stand twice.
	Object []Member
	// Member is one member of an Object.
	Member struct {
		Key   string
		Value Node // nil is null
	}
	// Array is an array; a nil item is null.
	Array []Node
	// String is a string; bytes that are not UTF-8 are written as U+FFFD.
	String string
	// Int is an integer.
	Int int64
	// Float is a double; an infinity or NaN has no JSON form and is written as null.
	Float float64
	// Bool is true or false.
	Bool bool
	// Null is null.
	Null struct{}
)

var _, _, _, _, _, _, _, _ Node = Value{}, Object(nil), Array(nil), String(""), Int(0), Float(0), Bool(false), Null{}

// Strings gives an array of strings.
func Strings(list []string) Array {
	a := make(Array, len(list))
	for i, s := range list {
		a[i] = String(s)
	}
	return a
}

func (o Object) write(w *writer) {
	o = w.sorted(o)
	w.items('{', '}', len(o), func(i int) {
		w.string(o[i].Key)
		w.colon()
		w.node(o[i].Value)
	})
}

func (a Array) write(w *writer)  { w.items('[', ']', len(a), func(i int) { w.node(a[i]) }) }
func (s String) write(w *writer) { w.string(string(s)) }
func (n Int) write(w *writer)    { w.dst = strconv.AppendInt(w.dst, int64(n), 10) }
func (b Bool) write(w *writer)   { w.dst = strconv.AppendBool(w.dst, bool(b)) }
func (Null) write(w *writer)     { w.dst = append(w.dst, "null"...) }

func (f Float) write(w *writer) {
	if math.IsInf(float64(f), 0) || math.IsNaN(float64(f)) {
		w.node(Null{})
		return
	}
	w.dst = AppendFloat(w.dst, float64(f))
}

func compareKeys(a, b string) int { return cmp.Compare(a, b) }
