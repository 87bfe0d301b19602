package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"

	"example.com/ambit/internal/conformance"
	"example.com/ambit/tiers"
)

// keywords are those of draft-07 that the library applies, and the annotations that nothing need apply. Any other word is
// silently ignored by it, so a slip of the pen would check nothing.
var keywords = []string{
	"$schema", "$id", "$ref", "$comment", "title", "description", "definitions",
	"type", "enum", "const", "format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"items", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains",
	"properties", "patternProperties", "additionalProperties", "required", "minProperties", "maxProperties", "propertyNames", "dependencies",
	"allOf", "anyOf", "oneOf", "not", "if", "then", "else",
}

// TestSchemasAreLinted holds every schema to the library's limits: known keywords, references inside the file only, none
// of which leads back to itself, patterns that compile, nothing beside a $ref but a description.
func TestSchemasAreLinted(t *testing.T) {
	for _, name := range schemaNames(t) {
		var root map[string]any
		if err := json.Unmarshal(schemaText(name), &root); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if root["$schema"] != "http://json-schema.org/draft-07/schema#" {
			t.Errorf("%s: not draft-07", name)
		}
		for _, problem := range lintSchema(root) {
			t.Errorf("%s: %s", name, problem)
		}
		if _, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(schemaText(name))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLintFindsFaultsInSchemas(t *testing.T) {
	for text, want := range map[string]string{
		`{"requried": ["a"]}`: `unknown keyword "requried"`,
		`{"properties": {"a": {"unevaluatedProperties": 1}}}`: `unknown keyword "unevaluatedProperties"`,
		`{"items": {"$ref": "http://x/y"}}`:                   `$ref "http://x/y" leaves the file`,
		`{"$ref": "#"}`:                                       `$ref "#" leads back to itself`,
		`{"definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"allOf": [{"$ref": "#/definitions/a"}]}}}`: `leads back to itself`,
		`{"$ref": "#/definitions/gone"}`:                                     `$ref "#/definitions/gone" leads nowhere`,
		`{"definitions": {"a": {}}, "$ref": "#/definitions/a", "type": "x"}`: `"type" beside a $ref`,
		`{"pattern": "(?=a)"}`:                                               `pattern`,
	} {
		var root map[string]any
		if err := json.Unmarshal([]byte(text), &root); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(lintSchema(root), "; "); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func schemaNames(t *testing.T) []string {
	t.Helper()
	files, err := fs.Glob(schemaFiles, "schema/*.schema.json")
	if err != nil || len(files) != 7 {
		t.Fatalf("%d schemas, %v", len(files), err)
	}
	names := []string{"envelope"}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(f, "schema/"), ".schema.json"))
	}
	return names
}

func lintSchema(root map[string]any) (problems []string) {
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	resolve := func(ref string) (map[string]any, bool) {
		var at any = root
		for _, step := range strings.Split(strings.TrimPrefix(ref, "#"), "/")[1:] {
			m, ok := at.(map[string]any)
			if !ok {
				return nil, false
			}
			at = m[step]
		}
		m, ok := at.(map[string]any)
		return m, ok
	}
	var walk func(schema map[string]any)
	visit := func(v any) {
		if m, ok := v.(map[string]any); ok {
			walk(m)
		}
	}
	// bare follows what is applied to the same value: a cycle of that never ends.
	var bare func(schema map[string]any, ref string, seen []string)
	bare = func(schema map[string]any, ref string, seen []string) {
		if next, ok := schema["$ref"].(string); ok {
			if slices.Contains(seen, next) {
				say("$ref %q leads back to itself", ref)
				return
			}
			if target, ok := resolve(next); ok {
				bare(target, ref, append(seen, next))
			}
		}
		for _, key := range []string{"allOf", "anyOf", "oneOf"} {
			list, _ := schema[key].([]any)
			for _, item := range list {
				if m, ok := item.(map[string]any); ok {
					bare(m, ref, seen)
				}
			}
		}
		for _, key := range []string{"not", "if", "then", "else"} {
			if m, ok := schema[key].(map[string]any); ok {
				bare(m, ref, seen)
			}
		}
	}
	walk = func(schema map[string]any) {
		for key, v := range schema {
			switch {
			case !slices.Contains(keywords, key):
				say("unknown keyword %q", key)
			case key == "properties" || key == "patternProperties" || key == "definitions":
				m, _ := v.(map[string]any)
				for _, sub := range m {
					visit(sub)
				}
			case key == "allOf" || key == "anyOf" || key == "oneOf":
				list, _ := v.([]any)
				for _, sub := range list {
					visit(sub)
				}
			case key == "pattern":
				if _, err := regexp.Compile(v.(string)); err != nil {
					say("pattern: %v", err)
				}
			case key != "enum" && key != "const":
				visit(v)
			}
		}
		ref, ok := schema["$ref"].(string)
		if !ok {
			return
		}
		for key := range schema {
			if !slices.Contains([]string{"$ref", "description", "$comment", "$schema", "$id", "title", "definitions"}, key) {
				say("%q beside a $ref is ignored", key)
			}
		}
		if !strings.HasPrefix(ref, "#") {
			say("$ref %q leaves the file", ref)
		} else if _, ok := resolve(ref); !ok {
			say("$ref %q leads nowhere", ref)
		} else {
			bare(schema, ref, nil)
		}
	}
	walk(root)
	return problems
}

// TestSchemasKnowTheRules holds a schema against one broken document per rule that it states.
func TestSchemasKnowTheRules(t *testing.T) {
	hash := strings.Repeat("a", 64)
	for _, tt := range []struct{ schema, good, bad string }{
		{"protocol", `{"version":"1.1"}`, `{}`},
		{"protocol", `{"version":"1.0","tiers":null,"tools":null}`, `{"version":"2.0"}`},
		{"protocol", `{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["a"]}}}`, `{"version":"1.1","tiers":{"tier4":{}}}`},
		{"protocol", `{"version":"1.1","tools":{"claude":{"mode":"trusted"},"other":{"mode":1}}}`, `{"version":"1.1","tools":{"claude":{"mode":"free"}}}`},
		{"protocol", `{"version":"1.1","tools":{"codex":{"derived_from_tiers":["tier1_silent"]}}}`, `{"version":"1.1","tools":{"codex":{"derived_from_tiers":["tier1"]}}}`},
		{"protocol", `{"version":"1.1","agents":{"a":{"max_mode":"guarded"}}}`, `{"version":"1.1","agents":{"a":{"max_mode":null}}}`},
		{"protocol", `{"version":"1.1","tiers":{"tier3_blocking":{"shell_patterns":[]}}}`, `{"version":"1.1","tiers":{"tier3_blocking":{"shell_patterns":[" "]}}}`},
		{"coverage-gaps", `{"gaps":[{"gap_id":"a"}]}`, `{"gaps":[{"gap_id":""}]}`},
		{"coverage-gaps", `{}`, `{"gaps":{}}`},
		{"campaign-policy", `{"max_candidate_count":256}`, `{"max_candidate_count":257}`},
		{"campaign-policy", `{"allowed_actions":["a"]}`, `{"allowed_actions":[1]}`},
		{"failed-digests", `{"failed_digests":[{"digest":"` + hash + `"}]}`, `{"failed_digests":[{"digest":"abc"}]}`},
		{"failed-digests", `{"failed_digests":[{"digest":"sha256:` + hash + `"}]}`, `{"failed_digests":["` + hash + `"]}`},
		{"projection-protocol", `{}`, `[]`},
	} {
		for text, valid := range map[string]bool{tt.good: true, tt.bad: false} {
			var v any
			if err := json.Unmarshal([]byte(text), &v); err != nil {
				t.Fatal(err)
			}
			faults, err := validateSchema(tt.schema, v)
			if err != nil || (len(faults) == 0) != valid {
				t.Errorf("%s %s: %v, %v", tt.schema, text, faults, err)
			}
		}
	}
}

// TestSchemasTakeWhatIsRecorded holds that no schema refuses what the rules accept: the rendered systems, protocols and
// envelopes of the recorded cases.
func TestSchemasTakeWhatIsRecorded(t *testing.T) {
	type row struct {
		Name         string
		Autonomy     any
		Protocol     conformance.Text
		EnvelopeFile *conformance.Text `json:"envelope_file"`
	}
	take := func(t *testing.T, schema string, v any) {
		t.Helper()
		faults, err := validateSchema(schema, v)
		if err != nil || len(faults) > 0 {
			t.Errorf("%s: %v, %v", schema, faults, err)
		}
	}
	decode := func(t *testing.T, data []byte) (v any) {
		t.Helper()
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	name := func(r row) string { return r.Name }
	conformance.Run(t, "systempolicy/render.jsonl", 10, name, func(t *testing.T, r row) {
		if r.Autonomy != nil {
			take(t, "autonomy", r.Autonomy)
		}
	})
	conformance.Run(t, "harness/generator.jsonl", 20, name, func(t *testing.T, r row) {
		if _, err := tiers.Parse(r.Name, r.Protocol.Bytes()); err != nil {
			t.Skip("the rules refuse it")
		}
		take(t, "protocol", decode(t, bytes.TrimPrefix(r.Protocol.Bytes(), []byte("\ufeff"))))
	})
	if !testing.Short() {
		conformance.Run(t, "turnenvelope/cases.jsonl.gz", 300, name, func(t *testing.T, r row) {
			if r.EnvelopeFile == nil {
				t.Skip("no envelope was made")
			}
			take(t, "turn-envelope", decode(t, r.EnvelopeFile.Bytes()))
		})
	}
}
