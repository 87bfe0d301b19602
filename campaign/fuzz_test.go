package campaign

import (
	"context"
	"strings"
	"testing"
)

// FuzzEvaluate holds, for any documents: a verdict comes; what passes proposes no more than there are gaps, through the
// same gate that judges packets from outside; and what is refused by its documents asks nobody and proposes nothing.
func FuzzEvaluate(f *testing.F) {
	if e := judged(sample()); e.Status() != Pass {
		f.Fatal(codesOf(e.Findings))
	}
	f.Add(sampleGaps, samplePolicy, sampleLedger, sampleProtocol)
	f.Add(`{"gaps":[{"gap_id":"\u202e"}]}`, `{"allowed_actions":"write_source"}`, `{"failed_digests":[{}]}`, `[]`)
	f.Add(`{"gaps":[{"gap_id":"a","x_authorized":0}]}`, `{"max_candidate_count":256}`, `{}`, `{}`)
	f.Fuzz(func(t *testing.T, gaps, policy, ledger, protocol string) {
		in := NewInputs([]byte(gaps), []byte(policy), []byte(ledger), []byte(protocol))
		asked := 0
		e := Evaluate(context.Background(), in, counting{passing(), &asked})
		if len(e.Packet.Candidates) > e.GapCount || len(e.Packet.Candidates) > MaxCandidates {
			t.Fatalf("%d rows for %d gaps", len(e.Packet.Candidates), e.GapCount)
		}
		packet, err := e.Packet.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case asked == 0 && (len(e.Findings) == 0 || len(e.Packet.Candidates) > 0 || e.Packet.PlanDigest != ""):
			t.Fatalf("nobody was asked: %v, %s", codesOf(e.Findings), packet)
		case e.Status() == Pass && len(CheckPacket(packet, passing())) > 0:
			t.Fatalf("passes, and its packet does not: %s", packet)
		case e.Status() == Pass && strings.Contains(fold(policy), "writesource") && strings.Contains(policy, `["write_source"]`):
			t.Fatalf("passes: %s", policy)
		}
		for _, g := range e.Findings {
			if g.Message == "" || len(g.Subject) > 20*MaxText {
				t.Fatalf("%+v", g)
			}
		}
	})
}

// FuzzReport holds, for anything that a builder prints: what is kept of it is closed.
func FuzzReport(f *testing.F) {
	var good Live
	if d, code := good.read([]byte(goodReportText)); d != "d00d" || code != "" || good.Targets != 4 {
		f.Fatalf("%q %q %+v", d, code, good)
	}
	f.Add([]byte(goodReportText))
	f.Add([]byte(`{"campaign_slug":"x y","source_digest":{},"wrote_packet":false,"no_op":1,"candidate_target_count":1e9}`))
	f.Fuzz(func(t *testing.T, report []byte) {
		var l Live
		d, code := l.read(report)
		if d != "" && !isSourceDigest(d) || l.Slug != "" && !slug().MatchString(l.Slug) {
			t.Fatalf("%q %q", d, l.Slug)
		}
		if code == "" && (d == "" || !strings.Contains(string(report), "source_digest") && !strings.Contains(string(report), `\u`)) {
			t.Fatalf("accepted: %q", report)
		}
	})
}

// FuzzVerify holds that no bytes but a record's own are one: what is OK is its own rendering.
func FuzzVerify(f *testing.F) {
	r := Record{Version: 1, Schema: RecordSchema, Status: Blocked, InputMode: FixtureMode, Refusal: true, Review: "none",
		Inputs: []InputDigest{}, Actions: []string{}, Negative: []NegativeCase{}, Findings: []Finding{finding(GapsInvalid, "")},
		Witness: witnessRecord(Observation{}), Scan: "blocked", CreatedAt: noon}
	r.Digest = r.digest()
	if v := Verify(r.Render(), sample()); !v.OK() {
		f.Fatal(v.Problems)
	}
	f.Add(r.Render())
	f.Add([]byte(`{"version":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if v := Verify(data, sample()); v.OK() && (string(v.Record.Render()) != string(data) || v.Record.Status == NotObserved) {
			t.Fatalf("OK: %q", data)
		}
	})
}
