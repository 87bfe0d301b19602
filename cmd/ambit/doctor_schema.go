package main

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xeipuuv/gojsonschema"

	"example.com/ambit/envelope"
	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/span"
)

// schemaFiles are the JSON Schemas of every document but the envelope, which publishes its own. They are embedded and
// never come from outside: the library fetches what a $ref names and cannot bear a cycle of them.
//
//go:embed schema/*.json
var schemaFiles embed.FS

// schemaText gives a schema by its document: envelope, protocol, autonomy, ...
func schemaText(document string) []byte {
	if document == "envelope" {
		return envelope.Schema()
	}
	data, err := schemaFiles.ReadFile("schema/" + document + ".schema.json")
	if err != nil {
		panic("ambit: " + err.Error()) // the names are this program's own
	}
	return data
}

// schemaFault is one place where a document does not follow its schema.
type schemaFault struct {
	path    []string
	message string
}

// validateSchema holds a decoded value to a schema. The library's order follows a map, so the result is sorted.
func validateSchema(document string, value any) ([]schemaFault, error) {
	schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(schemaText(document)))
	if err != nil {
		return nil, fmt.Errorf("the JSON Schema of %s: %w", document, err)
	}
	result, err := schema.Validate(gojsonschema.NewGoLoader(value))
	if err != nil {
		return nil, err
	}
	var out []schemaFault
	for _, e := range result.Errors() {
		out = append(out, schemaFault{strings.Split(e.Context().String("\x00"), "\x00")[1:], e.Description()})
	}
	slices.SortFunc(out, func(a, b schemaFault) int {
		return cmp.Or(slices.Compare(a.path, b.path), cmp.Compare(a.message, b.message))
	})
	return out, nil
}

// jsonSchema holds a JSON document to its schema. The strict reader comes first, since the library takes duplicate keys,
// trailing text and numbers that it cannot bear; what that one refuses is reported unless the rules did already.
func (d *doctor) jsonSchema(document, file string, data []byte, limits canonjson.Limits) {
	root, err := canonjson.Parse(file, data, limits)
	if d.faults(file, "json", err, "") {
		return
	}
	dec := json.NewDecoder(strings.NewReader(root.Raw()))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		d.faults(file, "json", err, "")
		return
	}
	faults, err := validateSchema(document, value)
	d.faults(file, "schema", err, "")
	for _, f := range faults {
		d.add(severityError, "schema", file, lineOf(data, follow(root, f.path)), keyed(f), "edit it by the schema "+document+".schema.json")
	}
}

// frontmatterSchema holds the frontmatter of an envelope to its schema.
func (d *doctor) frontmatterSchema(file string, data []byte) {
	front, err := envelope.Frontmatter(file, data)
	if d.faults(file, "frontmatter", err, "") {
		return
	}
	faults, err := validateSchema("envelope", front)
	d.faults(file, "schema", err, "")
	for _, f := range faults {
		d.add(severityError, "schema", file, 0, keyed(f), "edit it by the schema autonomy-envelope.schema.json")
	}
}

func keyed(f schemaFault) string {
	if len(f.path) == 0 {
		return f.message
	}
	return strings.Join(f.path, ".") + ": " + f.message
}

// follow goes as far along a path as there is a value.
func follow(v canonjson.Value, path []string) canonjson.Value {
	for _, step := range path {
		next := v.Get(step)
		if n, err := strconv.Atoi(step); err == nil && v.Is(canonjson.KindArray) {
			next = v.Index(n)
		}
		if !next.Exists() {
			return v
		}
		v = next
	}
	return v
}

// lineOf gives the line on which a value begins.
func lineOf(data []byte, v canonjson.Value) int {
	if data == nil {
		return 0 // the value stands in a text of another form
	}
	start, _ := v.Span()
	line, _ := span.Position(data, start)
	return line
}
