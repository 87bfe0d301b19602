package turnenvelope

import (
	"strconv"

	"example.com/ambit/internal/canonjson"
)

// emitter writes compact JSON. Keys are constants of this package and need no escapes.
type emitter struct{ b []byte }

// key begins a member; the comma depends on what stands before it.
func (e *emitter) key(k string) {
	e.comma()
	e.b = append(e.b, '"')
	e.b = append(e.b, k...)
	e.b = append(e.b, '"', ':')
}

func (e *emitter) comma() {
	if last := e.b[len(e.b)-1]; last != '{' && last != '[' {
		e.b = append(e.b, ',')
	}
}

func (e *emitter) text(s string) { e.b = canonjson.AppendString(e.b, s) }

func (e *emitter) raw(v value) { e.b = v.AppendCompact(e.b) }

func (e *emitter) textField(k, s string) {
	e.key(k)
	e.text(s)
}

// textOrNull writes an absent text as null; textIf leaves it out.
func (e *emitter) textOrNull(k, s string) {
	if s == "" {
		e.nullField(k)
		return
	}
	e.textField(k, s)
}

func (e *emitter) textIf(k, s string) {
	if s != "" {
		e.textField(k, s)
	}
}

func (e *emitter) boolField(k string, v bool) {
	e.key(k)
	e.b = strconv.AppendBool(e.b, v)
}

func (e *emitter) nullField(k string) {
	e.key(k)
	e.b = append(e.b, "null"...)
}

func (e *emitter) rawField(k string, v value) {
	e.key(k)
	e.raw(v)
}

// rawIf leaves null out.
func (e *emitter) rawIf(k string, v value) {
	if !absent(v) {
		e.rawField(k, v)
	}
}

// rawObjectIf writes objects that have members.
func (e *emitter) rawObjectIf(k string, v value) {
	if !obj(v).Empty() {
		e.rawField(k, v)
	}
}

func (e *emitter) texts(list []string) {
	e.b = append(e.b, '[')
	for _, s := range list {
		e.comma()
		e.text(s)
	}
	e.b = append(e.b, ']')
}

func (e *emitter) textsIf(k string, list []string) {
	if len(list) > 0 {
		e.key(k)
		e.texts(list)
	}
}

// object writes a member that is an object.
func (e *emitter) object(k string, members func(e *emitter)) {
	e.key(k)
	e.braces(members)
}

func (e *emitter) braces(members func(e *emitter)) {
	e.b = append(e.b, '{')
	members(e)
	e.b = append(e.b, '}')
}

// objectIf is object, taken back when nothing was written; it reports whether something was.
func (e *emitter) objectIf(k string, members func(e *emitter)) bool {
	start := len(e.b)
	e.key(k)
	e.b = append(e.b, '{')
	empty := len(e.b)
	members(e)
	if len(e.b) == empty {
		e.b = e.b[:start]
		return false
	}
	e.b = append(e.b, '}')
	return true
}

// pick copies the fields that are not null, in the order of the list. E1
func (e *emitter) pick(from value, fields []string) {
	for _, f := range fields {
		e.rawIf(f, from.Get(f))
	}
}

// datum is a projected value: nothing, a value of the decision, or what the projection made of one.
type datum struct {
	kind datumKind
	v    value
	s    string
	list []string
	b    bool
}

type datumKind uint8

const (
	noDatum datumKind = iota
	valueDatum
	textDatum
	listDatum
	boolDatum
)

// of takes a value of the decision; null is nothing.
func of(v value) datum {
	if absent(v) {
		return datum{}
	}
	return datum{kind: valueDatum, v: v}
}

func ofText(s string) datum {
	if s == "" {
		return datum{}
	}
	return datum{kind: textDatum, s: s}
}

func ofBool(b bool) datum { return datum{kind: boolDatum, b: b} }

func (d datum) truthy() bool {
	switch d.kind {
	case valueDatum:
		return truthy(d.v)
	case boolDatum:
		return d.b
	}
	return d.kind != noDatum // texts and lists are made only when they hold something
}

// text gives the text form. E3.1
func (d datum) text() string {
	switch d.kind {
	case valueDatum:
		return textOf(d.v)
	case textDatum:
		return d.s
	case listDatum:
		b := []byte{'['}
		first := true
		for _, s := range d.list {
			b = appendComma(b, &first)
			b = appendRepr(b, s)
		}
		return string(append(b, ']'))
	case boolDatum:
		if d.b {
			return "True"
		}
		return "False"
	}
	return "None"
}

// clean is the cleaned text; nothing stays nothing. E3.2
func (d datum) clean(n int) string {
	if d.kind == noDatum {
		return ""
	}
	return clean(d.text(), n)
}

// is reports whether the datum is the text s.
func (d datum) is(s string) bool {
	t, ok := d.plain()
	return ok && t == s
}

// appendTo writes the datum as compact JSON.
func (e *emitter) datum(d datum) {
	switch d.kind {
	case valueDatum:
		e.raw(d.v)
	case textDatum:
		e.text(d.s)
	case listDatum:
		e.texts(d.list)
	case boolDatum:
		e.b = strconv.AppendBool(e.b, d.b)
	default:
		e.b = append(e.b, "null"...)
	}
}

func (e *emitter) datumIf(k string, d datum) {
	if d.kind != noDatum {
		e.key(k)
		e.datum(d)
	}
}

// same compares by JSON type and value. E7.1
func (d datum) same(x datum) bool {
	if a, ok := d.plain(); ok {
		b, ok := x.plain()
		return ok && a == b
	}
	if a, ok := d.truth(); ok {
		b, ok := x.truth()
		return ok && a == b
	}
	return string(d.canonical()) == string(x.canonical())
}

// plain gives the content of a datum that is a text.
func (d datum) plain() (string, bool) {
	if d.kind == valueDatum && d.v.Kind() == text {
		return d.v.Text(), true
	}
	return d.s, d.kind == textDatum
}

// truth gives a datum that is a boolean.
func (d datum) truth() (b, ok bool) {
	if d.kind == valueDatum && d.v.Kind() == boolean {
		return d.v.True(), true
	}
	return d.b, d.kind == boolDatum
}

func (d datum) canonical() []byte {
	if d.kind == valueDatum {
		return d.v.AppendCanonical(nil)
	}
	var e emitter
	e.b = make([]byte, 1, 64)
	e.datum(d)
	return e.b[1:]
}
