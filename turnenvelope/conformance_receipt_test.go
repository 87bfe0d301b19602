package turnenvelope_test

import (
	"encoding/json"
	"testing"

	"example.com/ambit/internal/conformance"
	"example.com/ambit/turnenvelope"
	"github.com/google/go-cmp/cmp"
)

// TestQualificationConformance compares every verdict of the reference; where it refuses a pair of receipts, so do we,
// by an error or by a failed row.
func TestQualificationConformance(t *testing.T) {
	type row struct {
		Name       string
		Base, Head json.RawMessage
		Verdict    map[string]any
		Error      *struct{ Message string }
	}
	conformance.Run(t, "turnenvelope/qualification.jsonl.gz", 119, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		base, err := turnenvelope.ParseReceipt("base", r.Base)
		if err == nil {
			var head turnenvelope.Receipt
			if head, err = turnenvelope.ParseReceipt("head", r.Head); err == nil {
				v := turnenvelope.Qualify(base, head)
				if r.Error != nil {
					if v.OK {
						t.Errorf("accepted, want %s", r.Error.Message)
					}
					return
				}
				if d := cmp.Diff(r.Verdict, withoutFindings(t, v)); d != "" {
					t.Errorf("verdict (-want +got):\n%s", d)
				}
				return
			}
		}
		checkTyped(t, err)
		if r.Error == nil {
			t.Errorf("refused: %v", err)
		}
	})
}

// withoutFindings gives the verdict's JSON as the reference has it.
func withoutFindings(t *testing.T, v turnenvelope.Verdict) map[string]any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	m := decode(t, data)
	for _, r := range m["rows"].([]any) {
		delete(r.(map[string]any), "findings")
	}
	return m
}

func TestSignatureConformance(t *testing.T) {
	type row struct {
		Name, Kind   string
		Payload      json.RawMessage
		Sha256       *string
		Coverages    []string
		Envelope     json.RawMessage
		Coverage     string
		EnvelopeHash string `json:"envelope_hash"`
		StoredHash   string `json:"stored_hash"`
	}
	conformance.Run(t, "turnenvelope/signature_checks.jsonl.gz", 97, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		if r.Kind == "semantics" {
			receipt, err := turnenvelope.NewReceipt([]turnenvelope.Output{{ID: "a", Text: r.Payload}})
			if err != nil {
				t.Fatal(err)
			}
			got := receipt.Rows[0]
			if d := cmp.Diff(r.Sha256, got.Digest); d != "" {
				t.Errorf("digest (-want +got):\n%s", d)
			}
			if d := cmp.Diff(r.Coverages, append([]string{}, got.Coverages...)); d != "" {
				t.Errorf("coverages (-want +got):\n%s", d)
			}
			return
		}
		env, err := turnenvelope.ParseEnvelope("", r.Envelope)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(turnenvelope.Signature{Coverage: r.Coverage, Hash: r.EnvelopeHash}, env.Signature()); d != "" {
			t.Errorf("signature (-want +got):\n%s", d)
		}
		drifted := r.StoredHash != r.EnvelopeHash
		if a := turnenvelope.Accept(r.Envelope); drifted && a.Disposition != turnenvelope.Refused {
			t.Errorf("a drifted envelope is %v", a.Disposition)
		}
	})
}
