package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/xeipuuv/gojsonschema"

	"example.com/ambit/envelope"
	"example.com/ambit/internal/fault"
)

type checkedJSON struct {
	File     string             `json:"file"`
	Valid    bool               `json:"valid"`
	Problems []problem          `json:"problems"`
	Warnings []envelope.Warning `json:"warnings"`
	Fixed    bool               `json:"fixed"`
}

// checked is one file to check: how to read it, and how to render its table.
type checked struct {
	name   string
	read   func() (*envelope.Document, error)
	render func() (bool, error)
}

func envelopeCheck(c *call) int {
	files, code := checkedFiles(c)
	if code != exitOK {
		return code
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(envelope.Schema()))
	if err != nil {
		c.fail("io", fmt.Errorf("the JSON Schema of envelopes: %w", err))
		return exitIO
	}
	results := []checkedJSON{}
	for _, f := range files {
		r, exit := c.checkEnvelope(f, schema)
		code = max(code, exit)
		results = append(results, r)
	}
	if c.json {
		writeJSON(c.stdout, struct {
			Version int           `json:"version"`
			Files   []checkedJSON `json:"files"`
		}{1, results})
		return code
	}
	for _, r := range results {
		verdict := "ok"
		switch {
		case !r.Valid:
			verdict = c.paint("31", "invalid")
		case len(r.Warnings) > 0:
			verdict = c.paint("33", "a person must look")
		case r.Fixed:
			verdict = "fixed"
		}
		fmt.Fprintf(c.stdout, "%s: %s\n", printable(r.File), verdict)
	}
	return code
}

// checkedFiles gives the operands, or every envelope below the root.
func checkedFiles(c *call) ([]checked, int) {
	var out []checked
	for _, file := range c.operands {
		out = append(out, checked{file,
			func() (*envelope.Document, error) { return envelope.Dir{}.ReadFile(file) },
			func() (bool, error) { return envelope.Dir{}.RenderFile(file) }})
	}
	if len(out) > 0 {
		return out, exitOK
	}
	d, err := envelopeDir(c)
	if err != nil {
		return nil, c.usage(err)
	}
	all, err := d.List()
	if err != nil {
		return nil, envelopeFail(c, d, err)
	}
	for l := range all {
		out = append(out, checked{filepath.ToSlash(filepath.Join(envelope.Folder, l.Agent, envelope.FileName)),
			func() (*envelope.Document, error) { return d.Get(l.Agent) },
			func() (bool, error) { return d.Render(l.Agent) }})
	}
	return out, exitOK
}

// checkEnvelope checks one file by the rules, which give positions, and then by the schema, which must not find more.
func (c *call) checkEnvelope(f checked, schema *gojsonschema.Schema) (checkedJSON, int) {
	r := checkedJSON{File: f.name, Problems: []problem{}, Warnings: []envelope.Warning{}}
	doc, err := f.read()
	if err == nil && c.is("fix") {
		if r.Fixed, err = f.render(); err == nil {
			doc, err = f.read()
		}
	}
	if err == nil {
		err = schemaFaults(f.name, doc, schema)
	}
	if err != nil {
		before := len(c.problems)
		c.fail("io", err)
		r.Problems = append(r.Problems, c.problems[before:]...)
		return r, checkExit(err)
	}
	r.Valid, r.Warnings = true, doc.Warnings()
	envelopeWarnings(c, f.name, r.Warnings)
	if len(r.Warnings) > 0 {
		return r, exitRefused
	}
	return r, exitOK
}

// checkExit tells a file that is wrong from one that could not be read.
func checkExit(err error) int {
	var e *envelope.Error
	if !errors.As(err, &e) {
		return exitIO
	}
	switch e.Code {
	case envelope.CodeIO, envelope.CodeLocked, envelope.CodeNotRegular, envelope.CodeOutsideRoot, envelope.CodeUnknownAgent:
		return exitIO
	}
	return exitRefused
}

// schemaFaults validates the frontmatter by the published schema. Its order follows a map, so it is sorted.
func schemaFaults(name string, doc *envelope.Document, schema *gojsonschema.Schema) error {
	front, err := envelope.Frontmatter(name, doc.Bytes())
	if err != nil {
		return err
	}
	result, err := schema.Validate(gojsonschema.NewGoLoader(front))
	if err != nil {
		return err
	}
	var faults fault.List
	for _, e := range result.Errors() {
		faults.Add(&fault.Error{File: name, Key: e.Field(), Code: "schema", Err: errors.New(e.Description())})
	}
	slices.SortFunc(faults, func(a, b *fault.Error) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Error(), b.Error()))
	})
	return faults.Err()
}
