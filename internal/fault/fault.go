// Package fault is the one shape of a positioned error: where in which file, which key, which code, what is allowed.
package fault

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Error is one problem of one file. It is always used as a pointer.
type Error struct {
	File      string   // the name given to Parse, or a path; "" when the input has none
	Line, Col int      // 1-based, Col in bytes; 0 when unknown
	Key       string   // dotted path, as taskTypes[0].state; "" when the problem has no key
	Code      string   // stable; the code is the API, the sentence is not
	Err       error    // the sentence, lower case and without full stop; may wrap a sentinel
	Allowed   []string // the whole set, where it is closed
	Hint      string   // what to do about it; not part of Error
}

// Error gives "file:line:col: key: sentence; allowed: a, b"; parts that are unknown are left out.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
			if e.Col > 0 {
				fmt.Fprintf(&b, ":%d", e.Col)
			}
		}
		b.WriteString(": ")
	} else if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	b.WriteString(e.Message())
	return b.String()
}

// Message is Error without the position.
func (e *Error) Message() string {
	var b strings.Builder
	if e.Key != "" {
		b.WriteString(e.Key)
		b.WriteString(": ")
	}
	if e.Err != nil {
		b.WriteString(e.Err.Error())
	} else {
		b.WriteString(e.Code)
	}
	if len(e.Allowed) > 0 {
		b.WriteString("; allowed: ")
		b.WriteString(strings.Join(e.Allowed, ", "))
	}
	return b.String()
}

// Unwrap gives the wrapped sentence, so that errors.Is finds a sentinel.
func (e *Error) Unwrap() error { return e.Err }

// List is all the problems of an input.
type List []*Error

// Error joins the problems, one a line.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives each problem, for errors.Is and errors.As.
func (l List) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}

// Add appends one problem.
func (l *List) Add(e *Error) { *l = append(*l, e) }

// Err gives the list as an error, sorted by file and position and without exact repeats; nil when it is empty.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	l = slices.Clone(l)
	slices.SortStableFunc(l, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return slices.CompactFunc(l, func(a, b *Error) bool {
		return a.File == b.File && a.Line == b.Line && a.Col == b.Col && a.Code == b.Code && a.Error() == b.Error()
	})
}

// All finds every positioned error inside err, in order.
func All(err error) []*Error {
	var out []*Error
	var walk func(error)
	walk = func(err error) {
		if e, ok := err.(*Error); ok {
			out = append(out, e)
			return
		}
		switch u := err.(type) {
		case interface{ Unwrap() []error }:
			for _, e := range u.Unwrap() {
				walk(e)
			}
		case interface{ Unwrap() error }:
			walk(errors.Unwrap(err))
		}
	}
	walk(err)
	return out
}
