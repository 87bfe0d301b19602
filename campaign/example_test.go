//go:build unix

package campaign_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"example.com/ambit/campaign"
)

func documents() campaign.Inputs {
	return campaign.NewInputs(
		[]byte(`{"gaps": [{"gap_id": "no test of the parser"}]}`),
		[]byte(`{"allowed_actions": ["draft_candidate_packet"], "max_candidate_count": 3}`),
		[]byte(`{"failed_digests": []}`),
		[]byte(`{}`),
	)
}

// seen is a witness of one's own: here, one that has seen a builder already.
type seen struct{}

func (seen) Observe(context.Context, int) campaign.Observation {
	zero := 0
	tree := "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	return campaign.Observation{BuilderRef: "tools/plan", SourceDigest: "d00d", Live: &campaign.Live{
		ReturnCode: &zero, Targets: 5, Kind: true, TreeBefore: tree, TreeAfter: tree,
	}}
}

func ExampleEvaluate() {
	e := campaign.Evaluate(context.Background(), documents(), seen{})
	fmt.Println(e.Status())
	for _, c := range e.Packet.Candidates {
		fmt.Println(c.ID(), c.GapID, c.WriteSurface(), c.RequiresHumanReview())
	}
	// Output:
	// pass
	// real_builder::1 no test of the parser none true
}

func ExampleEvaluate_refused() {
	in := campaign.NewInputs([]byte(`{"gaps": []}`), []byte(`{"allowed_actions": ["Write-Source"]}`), []byte(`{}`), nil)
	for _, f := range campaign.Evaluate(context.Background(), in, seen{}).Findings {
		fmt.Println(f.Code, f.Subject)
	}
	// Output:
	// CROWN_JEWEL_INPUT_MISSING projection_protocol.json
	// BOUNDED_AUTONOMY_SOURCE_WRITE_FORBIDDEN campaign_policy.json#/allowed_actions
}

func ExampleDraft() {
	p := campaign.Draft(documents(), seen{}.Observe(context.Background(), 3))
	fmt.Println(p.Drafted(), len(p.Candidates), p.PlanDigest[:15])
	// Output: true 1 sha256:8b747602
}

func ExampleCheckPacket() {
	p, _ := campaign.Draft(documents(), seen{}.Observe(context.Background(), 3)).MarshalJSON()
	fmt.Println(campaign.CheckPacket(p, seen{}.Observe(context.Background(), 3)))
	for _, f := range campaign.CheckPacket([]byte(`{"status": "drafted", "candidate_count": 1, "candidates": [{"write_surface": "source"}]}`), campaign.Observation{})[:2] {
		fmt.Println(f.Code)
	}
	// Output:
	// []
	// BOUNDED_AUTONOMY_REAL_BUILDER_WITNESS_BLOCKED
	// BOUNDED_AUTONOMY_SOURCE_WRITE_FORBIDDEN
}

func ExampleRun() {
	dir, _ := os.MkdirTemp("", "example")
	defer func() { _ = os.RemoveAll(dir) }()
	for name, text := range map[string]string{
		campaign.GapsFile:     `{"gaps": [{"gap_id": "no test of the parser"}]}`,
		campaign.PolicyFile:   `{"allowed_actions": ["draft_candidate_packet"]}`,
		campaign.LedgerFile:   `{"failed_digests": []}`,
		campaign.ProtocolFile: `{}`,
		"plan.sh":             `echo '{"kind":"standard_skill_pairing_campaign_summary","candidate_target_count":1,"source_digest":"d00d"}'`,
	} {
		_ = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
	}
	record, err := campaign.Run(context.Background(), campaign.Config{
		Input:   dir,
		Out:     filepath.Join(dir, "records"),
		Witness: campaign.Builder{Path: filepath.Join(dir, "plan.sh"), Interpreter: "/bin/sh", Root: dir},
	})
	fmt.Println(record.Status, len(record.Packet.Candidates), err)

	in, _ := campaign.Load(dir)
	fmt.Println(campaign.Verify(record.Render(), in).OK())
	// Output:
	// pass 1 <nil>
	// true
}

func ExampleRunNegative() {
	dir, _ := os.MkdirTemp("", "example")
	defer func() { _ = os.RemoveAll(dir) }()
	for name, text := range map[string]string{
		campaign.GapsFile: `{"gaps": [{"gap_id": "g"}]}`, campaign.PolicyFile: `{}`, campaign.LedgerFile: `{}`, campaign.ProtocolFile: `{}`,
	} {
		_ = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
	}
	n, _ := campaign.RunNegative(context.Background(), "tree_changed", campaign.Config{Input: dir, Witness: seen{}})
	fmt.Println(n.Status, n.Codes)
	// Output: proven [BOUNDED_AUTONOMY_REAL_BUILDER_WITNESS_BLOCKED BOUNDED_AUTONOMY_PACKET_SUBPROCESS_FAILED CAMPAIGN_BUILDER_WROTE]
}

func ExampleRecord_Mermaid() {
	record, _ := campaign.Run(context.Background(), campaign.Config{Input: "nowhere"})
	fmt.Println(record.Mermaid()[:len("flowchart TD")])
	// Output: flowchart TD
}

func ExampleVerify() {
	record, _ := campaign.Run(context.Background(), campaign.Config{Input: "nowhere"})
	v := campaign.Verify(record.Render(), campaign.Inputs{})
	fmt.Println(v.OK(), v.Record.Status)

	v = campaign.Verify(record.Render(), documents())
	fmt.Println(v.OK(), v.Problems[0])
	// Output:
	// true blocked
	// false coverage_gaps.json: inputs[0]: this is not the file that was judged
}

func ExampleLoad() {
	in, err := campaign.Load("nowhere")
	fmt.Println(err, campaign.Evaluate(context.Background(), in, nil).Findings[0].Code)
	// Output: <nil> CROWN_JEWEL_INPUT_MISSING
}

func ExampleManifest() {
	o := campaign.Manifest{File: "nowhere/source_module_manifest.json"}.Observe(context.Background(), 2)
	fmt.Println(o.Status(), o.ErrorCode)
	// Output: blocked BOUNDED_AUTONOMY_SOURCE_MODULE_MANIFEST_MISSING
}

func ExampleBuilder() {
	dir, _ := os.MkdirTemp("", "example")
	defer func() { _ = os.RemoveAll(dir) }()
	script := `chmod 777 plan.sh; echo '{"kind":"standard_skill_pairing_campaign_summary","candidate_target_count":1,"source_digest":"d00d","wrote_packet":null}'`
	_ = os.WriteFile(filepath.Join(dir, "plan.sh"), []byte(script), 0o644)
	o := campaign.Builder{Path: filepath.Join(dir, "plan.sh"), Interpreter: "/bin/sh", Root: dir}.Observe(context.Background(), 2)
	fmt.Println(o.Status(), o.ErrorCode, o.Live.WrotePacket, o.Live.Changed)
	// Output: blocked CAMPAIGN_BUILDER_WROTE false [plan.sh]
}

func ExampleReadRecord() {
	_, err := campaign.ReadRecord("record.json", []byte(`{"version": 1, "body": "x"}`))
	fmt.Println(err)
	// Output: record.json: json: unknown field "body"
}

// The closed sets: what a policy may allow, and how a campaign is spoiled.
func ExampleNegativeCases() {
	fmt.Println(campaign.DefaultActions())
	fmt.Println(len(campaign.NegativeCases()), campaign.NegativeCases()[0])
	// Output:
	// [draft_candidate_packet emit_receipt_ref list_surface read_gap]
	// 9 source_write_campaign_packet
}

func ExampleRunBundle() {
	record, err := campaign.RunBundle(context.Background(), campaign.Config{Input: "nowhere"})
	fmt.Println(record.Status, record.InputMode, record.Findings[0].Code, err != nil)
	// Output:
	// blocked exported_bounded_autonomy_campaign_packet_bundle CROWN_JEWEL_INPUT_MISSING false
}
