package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/nearest"
)

// problem is one line of standard error, in the shape of its JSON.
type problem struct {
	Severity string   `json:"severity"` // error, warning, note
	Code     string   `json:"code"`
	Message  string   `json:"message"`
	Key      *string  `json:"key"`
	Allowed  []string `json:"allowed"`
	File     *string  `json:"file"`
	Line     *int     `json:"line"`
	Col      *int     `json:"col"`

	text string // what text output says, with the position; "" is Message
	hint string
}

// hinted is an error with advice, which stands on a line of its own.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }

// suggest adds the word that was probably meant, where one is near.
func suggest(err error, word string, candidates []string) error {
	if hint := nearest.Hint(word, candidates); hint != "" {
		return hinted{err, hint}
	}
	return err
}

// usage reports a wrong call.
func (c *call) usage(err error) int {
	c.fail("usage", err)
	if c.blocks {
		return exitRefused
	}
	return exitUsage
}

// fail reports an error: each positioned one inside it on its own, else the whole under code.
func (c *call) fail(code string, err error) { c.report("error", code, err) }

// warn reports a warning, note a note; neither changes the exit code.
func (c *call) warn(code string, err error) { c.report("warning", code, err) }
func (c *call) note(code string, err error) { c.report("note", code, err) }

func (c *call) report(severity, code string, err error) {
	var advice hinted
	hint := ""
	if errors.As(err, &advice) {
		hint = advice.hint
	}
	all := fault.All(err)
	for _, e := range all {
		p := problem{Severity: severity, Code: e.Code, Message: e.Message(), Key: optional(e.Key), Allowed: e.Allowed,
			File: optional(e.File), Line: optional(e.Line), Col: optional(e.Col), text: e.Error(), hint: e.Hint}
		if p.hint == "" {
			p.hint = hint
		}
		c.problems = append(c.problems, p)
	}
	if len(all) == 0 {
		p := problem{Severity: severity, Code: code, Message: err.Error(), hint: hint}
		var at *fs.PathError
		if errors.As(err, &at) {
			p.File = optional(at.Path)
		}
		c.problems = append(c.problems, p)
	}
}

func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// flushProblems writes everything that was reported: lines, or with --format json one object, once.
func (c *call) flushProblems() {
	if len(c.problems) == 0 {
		return
	}
	var b bytes.Buffer
	if c.json {
		writeJSON(&b, struct {
			Version  int       `json:"version"`
			Problems []problem `json:"problems"`
		}{1, c.problems})
	} else {
		for _, p := range c.problems {
			text := p.text
			if text == "" {
				text = p.Message
			}
			fmt.Fprintf(&b, "ambit: %s: %s\n", p.Severity, printable(text))
			if p.hint != "" {
				fmt.Fprintf(&b, "ambit: hint: %s\n", printable(p.hint))
			}
		}
	}
	_, _ = c.stderr.Write(b.Bytes())
	c.problems = nil
}

// writeJSON writes one value as the command's JSON: two-space indent, nothing escaped that need not be, a final newline.
func writeJSON(w io.Writer, v any) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic("ambit: unencodable output: " + err.Error())
	}
}
