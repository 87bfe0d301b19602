package envelope

import _ "embed"

//go:embed autonomy-envelope.schema.json
var schema string

// Schema gives the published JSON Schema (draft-07) of the frontmatter. This package checks the same by its own rules,
// with positions; the schema is for other tools. It is applied to what Frontmatter gives. // S39
func Schema() []byte { return []byte(schema) }
