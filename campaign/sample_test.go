package campaign

import (
	"encoding/json"
	"strings"
)

// The documents of a campaign that passes.
const (
	sampleGaps     = `{"gaps":[{"gap_id":"gap.alpha"},{"gap_id":"gap.beta"}]}`
	samplePolicy   = `{"allowed_actions":["draft_candidate_packet"],"max_candidate_count":2}`
	sampleProtocol = `{}`
)

var sampleLedger = `{"failed_digests":[{"digest":"sha256:` + strings.Repeat("a1", 32) + `"}]}`

func sample() Inputs {
	return NewInputs([]byte(sampleGaps), []byte(samplePolicy), []byte(sampleLedger), []byte(sampleProtocol))
}

// with gives the sample with one document replaced.
func with(doc int, text string) Inputs {
	data := sample().bytes()
	data[doc] = []byte(text)
	return NewInputs(data[0], data[1], data[2], data[3])
}

const moduleText = "# a copied builder\nWORDS = ['campaign', 'standard']\n"

// builderRow is the manifest's row of the copied builder; change edits it, and a nil value drops a key.
func builderRow(change map[string]any) map[string]any {
	sum := hexOf([]byte(moduleText))
	row := map[string]any{
		"source_ref": BuilderRef, "path": "modules/builder.py", "sha256": sum, "target_sha256": sum, "source_sha256": sum,
		"line_count": 2, "required_anchors": []any{"campaign", "standard"},
	}
	for k, v := range change {
		if row[k] = v; v == nil {
			delete(row, k)
		}
	}
	return row
}

func manifestOf(rows ...map[string]any) string {
	data, err := json.Marshal(map[string]any{"source_import_class": importClass, "modules": rows})
	if err != nil {
		panic(err)
	}
	return string(data)
}
