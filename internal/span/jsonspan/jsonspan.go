// Package jsonspan answers: which bytes of a JSON text hold a value, and which must change to edit it?
//
// Every other byte stays: the order of keys, the spelling of numbers, indentation, line ends. What is added follows the
// layout of what stands there. An edit is a list of splices; whoever applies them calls Check, which parses the result
// and holds every value that was not to change against the old one. Edits are made one at a time: apply, check, go on
// with the document that Check gives.
package jsonspan

import (
	"fmt"
	"strings"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/span"
)

// Document is a parsed text. It is immutable.
type Document struct {
	Source []byte // as given; not to be changed
	Root   canonjson.Value

	limits canonjson.Limits
}

// Parse reads strict JSON: no comment, no trailing comma, no duplicate key at any depth. Numbers of any size are taken.
// The error is that of canonjson.Parse: positioned, with its codes. name is for messages.
func Parse(name string, src []byte, limits canonjson.Limits) (*Document, error) {
	limits.AnyNumber = true
	root, err := canonjson.Parse(name, src, limits)
	if err != nil {
		return nil, err
	}
	return &Document{Source: src, Root: root, limits: limits}, nil
}

// Span gives the bytes of a key or value.
func Span(v canonjson.Value) span.Span {
	start, end := v.Span()
	return span.Span{Start: start, End: end}
}

// Found is a value that a path leads to.
type Found struct {
	Key    canonjson.Value // missing for an item and for the root
	Value  canonjson.Value
	Parent canonjson.Value // missing for the root
	Path   []any           // as given to Locate

	prev, next span.Span // the entries beside it in Parent; empty where there is none
	depth      int
}

// Entry gives the bytes of the member, from its key to the end of its value, or of the item.
func (f Found) Entry() span.Span {
	s := Span(f.Value)
	if f.Key.Exists() {
		s.Start = Span(f.Key).Start
	}
	return s
}

// Locate follows a path of keys (string) and indexes (int) from the root; no step is the root itself.
func (d *Document) Locate(path ...any) (Found, bool) {
	f := Found{Value: d.Root, Path: path}
	for _, step := range path {
		var ok bool
		if f, ok = f.child(step); !ok {
			return Found{}, false
		}
	}
	f.Path = path
	return f, true
}

func (f Found) child(step any) (Found, bool) {
	c := Found{Parent: f.Value, depth: f.depth + 1}
	found := false
	for e := range f.entries() {
		switch {
		case found:
			c.next = e.span
			return c, true
		case e.step == step:
			c.Key, c.Value, found = e.key, e.value, true
		default:
			c.prev = e.span
		}
	}
	return c, found
}

// entry is a member or an item.
type entry struct {
	step       any
	key, value canonjson.Value
	span       span.Span
}

func (f Found) entries() func(func(entry) bool) {
	return func(yield func(entry) bool) {
		i := 0
		for item := range f.Value.Items() {
			if !yield(entry{step: i, value: item, span: Span(item)}) {
				return
			}
			i++
		}
		for key, value := range f.Value.Members() {
			if !yield(entry{key.Text(), key, value, span.Span{Start: Span(key).Start, End: Span(value).End}}) {
				return
			}
		}
	}
}

// Check parses the text of an edited document and holds it against the old one: every value outside the changed paths
// must be there, in the same order, spelled the same, and the same keys. A changed path may lead to nothing in either
// text; of an array only the last items may come or go. The result is the new document, for the caller to see that
// what it asked for is there.
func (d *Document) Check(edited []byte, changed ...[]any) (*Document, error) {
	now, err := Parse("", edited, d.limits)
	if err != nil {
		return nil, fmt.Errorf("the edited text: %w", err)
	}
	c := comparison{changed: span.Paths(changed)}
	if where, same := c.same(Found{Value: d.Root}, Found{Value: now.Root}, ""); !same {
		return nil, fmt.Errorf("the edit would change %s as well", where)
	}
	return now, nil
}

type comparison struct{ changed map[string]bool }

// same compares two values, and says where they differ first.
func (c comparison) same(a, b Found, path string) (where string, same bool) {
	if c.changed[path] {
		return "", true
	}
	here := strings.TrimPrefix(path, ".")
	if path == "" {
		here = "the document"
	}
	if a.Value.Kind() != b.Value.Kind() {
		return here, false
	}
	if k := a.Value.Kind(); k != canonjson.KindArray && k != canonjson.KindObject {
		return here, a.Value.Raw() == b.Value.Raw()
	}
	as, bs := c.kept(a, path), c.kept(b, path)
	for i, x := range as {
		if i >= len(bs) || x.step != bs[i].step || x.key.Raw() != bs[i].key.Raw() {
			return strings.TrimPrefix(path+span.PathOf(x.step), "."), false
		}
		if where, same := c.same(Found{Value: x.value}, Found{Value: bs[i].value}, path+span.PathOf(x.step)); !same {
			return where, false
		}
	}
	if len(bs) > len(as) {
		return strings.TrimPrefix(path+span.PathOf(bs[len(as)].step), "."), false
	}
	return "", true
}

// kept gives the entries that must not change.
func (c comparison) kept(f Found, path string) []entry {
	var out []entry
	for e := range f.entries() {
		if !c.changed[path+span.PathOf(e.step)] {
			out = append(out, e)
		}
	}
	return out
}
