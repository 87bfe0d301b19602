package campaign

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"encoding/json"
	"github.com/google/go-cmp/cmp"
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

// sampleSources is a manifest with one copied builder, in memory.
func sampleSources() *sources {
	s := &sources{name: "source_module_manifest.json"}
	s.parse([]byte(manifestOf(builderRow(nil))))
	s.rows[0].target = newFile([]byte(moduleText))
	return s
}

const goodReportText = `{"kind":"standard_skill_pairing_campaign_summary","campaign_slug":"toy-slug","candidate_target_count":4,"source_digest":"d00d","wrote_packet":null,"no_op":false}`

// golden compares with a file below testdata, which AMBIT_UPDATE=1 writes.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("AMBIT_UPDATE") == "1" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Error(d)
	}
}

// judged evaluates documents under a witness that passes.
func judged(in Inputs) Evaluation { return Evaluate(context.Background(), in, replayed{passing()}) }

// refused asserts that an evaluation is blocked with exactly these codes.
func refused(t *testing.T, e Evaluation, want ...Code) {
	t.Helper()
	if d := cmp.Diff(want, codesOf(e.Findings)); d != "" || e.Status() != Blocked {
		t.Errorf("%v:\n%s", e.Status(), d)
	}
}

// packetWith gives a good packet document with one key of it, or of its first row, replaced.
func packetWith(t *testing.T, where, key string, value any) []byte {
	t.Helper()
	data, err := Draft(sample(), passing()).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if where == "row" {
		m["candidates"].([]any)[0].(map[string]any)[key] = value
	} else {
		m[key] = value
	}
	if data, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	return data
}

func quoteJSON(s string) []byte {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return data
}

var noon = time.Date(2026, 7, 5, 12, 0, 0, 0, time.UTC)

// counting is a witness that counts how often it is asked.
type counting struct {
	Observation
	n *int
}

func (c counting) Observe(context.Context, int) Observation { *c.n++; return c.Observation }
