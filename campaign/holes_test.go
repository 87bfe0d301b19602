//go:build unix

package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// world is a campaign laid out on disk: documents, a manifest with one copied builder, and a place for records.
type world struct {
	t        testing.TB
	in, out  string
	bundle   string
	manifest string
}

func newWorld(t testing.TB) world {
	t.Helper()
	dir := t.TempDir()
	w := world{t, filepath.Join(dir, "in"), filepath.Join(dir, "out"), filepath.Join(dir, "bundle"), filepath.Join(dir, "bundle", "source_module_manifest.json")}
	for i, data := range sample().bytes() {
		w.write(filepath.Join(w.in, documentNames[i]), string(data))
	}
	w.write(filepath.Join(w.bundle, "modules", "builder.py"), moduleText)
	w.write(w.manifest, manifestOf(builderRow(nil)))
	return w
}

func (w world) write(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w world) doc(i int, text string) { w.write(filepath.Join(w.in, documentNames[i]), text) }

func (w world) config() Config {
	return Config{Input: w.in, Manifest: w.manifest, Now: func() time.Time { return noon }}
}

// written is config with records.
func (w world) written() Config {
	c := w.config()
	c.Out = w.out
	return c
}

// run runs, and fails on an error.
func (w world) run(c Config) Record {
	w.t.Helper()
	r, err := Run(context.Background(), c)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// TestHoles has one test per known weakness of the reference component: each shows the better answer.
func TestHoles(t *testing.T) {
	ctx := context.Background()
	holes := map[string]func(t *testing.T){
		"H01": func(t *testing.T) { // the ledger of failed plans is compared with the plan
			e := judged(sample())
			if e.Status() != Pass {
				t.Fatal(codesOf(e.Findings))
			}
			plan := e.Packet.PlanDigest
			for _, spelled := range []string{plan, strings.TrimPrefix(plan, "sha256:"), strings.ToUpper(strings.TrimPrefix(plan, "sha256:"))} {
				refused(t, judged(with(ledgerDoc, `{"failed_digests":[{"digest":"`+spelled+`"}]}`)), PlanAlreadyFailed)
			}
			o := passing()
			o.SourceDigest = strings.Repeat("ab", 32)
			in := with(ledgerDoc, `{"failed_digests":[{"digest":"`+o.SourceDigest+`"}]}`)
			refused(t, Evaluate(ctx, in, replayed{o}), PlanAlreadyFailed)
			if other := judged(with(gapsDoc, `{"gaps":[{"gap_id":"gap.alpha"}]}`)); other.Packet.PlanDigest == plan {
				t.Error("another plan has the same digest")
			}
		},
		"H02": func(t *testing.T) { // no input ends in a crash
			for _, v := range []string{"null", "7", `"x"`, `{}`, `[[]]`, `[7]`, `[null]`, `[{"gap_id":[]}]`, `[{"digest":7}]`} {
				for doc, key := range map[int]string{gapsDoc: "gaps", policyDoc: "allowed_actions", ledgerDoc: "failed_digests"} {
					e := judged(with(doc, `{"`+key+`":`+v+`}`))
					if e.Status() != Blocked || len(e.Findings) == 0 {
						t.Errorf("%s: %s: %v", key, v, e.Status())
					}
				}
			}
			for _, v := range []string{"null", `"2.0"`, `"x"`, "[]", "{}", "true", "1e999", "-1", "257", "2.0", "1e1", "99999999999999999999"} {
				e := judged(with(policyDoc, `{"max_candidate_count":`+v+`}`))
				if e.Status() != Blocked {
					t.Errorf("max_candidate_count %s: %v", v, e.Status())
				}
			}
			refused(t, judged(with(gapsDoc, strings.Repeat("[", 100_000))), InputInvalidJSON)
		},
		"H03": func(t *testing.T) { // the shape of the list does not decide whether the refusal works
			for _, v := range []string{`"write_source"`, `{"write_source":false}`, `[["write_source"]]`, `{"a":["write_source"]}`} {
				refused(t, judged(with(policyDoc, `{"allowed_actions":`+v+`}`)), PolicyInvalid, SourceWriteForbidden)
			}
			refused(t, judged(with(policyDoc, `{"allowed_actions":[1,2]}`)), PolicyInvalid, PolicyInvalid)
		},
		"H04": func(t *testing.T) { // a closed set, and every spelling of the one word
			for _, a := range []string{"write_source", "Write_Source", " write_source ", "write-source", "write_source\u200b", "\uff57rite_source", "writeSource", "source_write", "WRITE SOURCE", "*"} {
				refused(t, judged(with(policyDoc, `{"allowed_actions":[`+string(quoteJSON(a))+`]}`)), SourceWriteForbidden)
			}
			for _, a := range []string{"write", "delete_everything", "write_source:src", "", "draft_candidate_packet ", "wr\u0456te_source"} {
				refused(t, judged(with(policyDoc, `{"allowed_actions":[`+string(quoteJSON(a))+`]}`)), ActionUnknown)
			}
			in := with(policyDoc, `{"allowed_actions":["triage","write_source"]}`)
			in.Actions = []string{"triage", "write_source"}
			refused(t, judged(in), SourceWriteForbidden)
		},
		"H05": func(t *testing.T) { // authority flags are looked at, in every document, at any depth
			for _, text := range []string{
				`{"self_repair_authorized":true}`, `{"a":{"b":[{"provider_calls_authorized":1}]}}`, `{"release_authorized":null}`,
				`{"release_authorized":"false"}`, `{"releaseAuthorized":true}`, `{"release-authorised":true}`, `{"write_surface":"source"}`,
			} {
				for doc := range documentNames {
					refused(t, judged(with(doc, merged(t, string(sample().bytes()[doc]), text))), AuthorityClaimed)
				}
			}
			if e := judged(with(protocolDoc, `{"self_repair_authorized":false,"unauthorized_access":true}`)); e.Status() != Pass {
				t.Error(codesOf(e.Findings))
			}
		},
		"H06": func(t *testing.T) { // rows are never invented
			e := judged(with(policyDoc, `{"max_candidate_count":25}`))
			if len(e.Packet.Candidates) != 2 {
				t.Errorf("%d rows for two gaps", len(e.Packet.Candidates))
			}
			for _, text := range []string{`{"gaps":[]}`, `{}`} {
				refused(t, judged(with(gapsDoc, text)), CandidatePacketEmpty)
			}
			refused(t, judged(with(policyDoc, `{"max_candidate_count":1000000}`)), PolicyInvalid)
		},
		"H07": func(t *testing.T) { // no coercions
			for _, v := range []string{`"3"`, `" 4 "`, `"1_0"`, `"٣"`, "2.9", "true"} {
				refused(t, judged(with(policyDoc, `{"max_candidate_count":`+v+`}`)), PolicyInvalid)
			}
			for _, v := range []string{"1", "true", "null", `[1,"x",null]`, "1.5"} {
				refused(t, judged(with(gapsDoc, `{"gaps":[{"gap_id":`+v+`}]}`)), GapsInvalid)
			}
			for _, report := range []string{
				strings.Replace(goodReport, "4", `"5"`, 1), strings.Replace(goodReport, "4", "2.7", 1), strings.Replace(goodReport, "4", "true", 1),
				strings.Replace(goodReport, `"no_op":false`, `"no_op":"false"`, 1), strings.Replace(goodReport, `"no_op":false`, `"no_op":0`, 1),
			} {
				var l Live
				if _, code := l.read([]byte(report)); code != BuilderReportInvalid {
					t.Errorf("%s: %q", report, code)
				}
			}
			m := module{row: readDocument("m", []byte(`{"line_count":true}`)).root, target: newFile([]byte("x\n"))}
			if m.lineCountMatches() {
				t.Error("true is 1")
			}
		},
		"H08": func(t *testing.T) { // gap ids are looked at
			for _, id := range []string{"", " a", "a ", "a\u00a0", "a\tb", "a\x00", "a\u200bb", "\u202ea", "a\u2028b", "a\ufe0fb", "a\u3164", "\u2800a", strings.Repeat("é", 129)} {
				refused(t, judged(with(gapsDoc, `{"gaps":[{"gap_id":`+string(quoteJSON(id))+`}]}`)), GapsInvalid)
			}
			refused(t, judged(with(gapsDoc, `{"gaps":[{"gap_id":"a"},{"gap_id":"a"}]}`)), GapsInvalid)
			refused(t, judged(with(gapsDoc, `{"gaps":[{"gap_id":"a","write_surface":"source"}]}`)), AuthorityClaimed)
			if e := judged(with(gapsDoc, `{"gaps":[{"gap_id":"`+strings.Repeat("é", 128)+`"},{"gap_id":"日本 語"}]}`)); e.Status() != Pass {
				t.Error(codesOf(e.Findings))
			}
		},
		"H09": func(t *testing.T) { // digests are bytes
			d := strings.Repeat("ab", 32)
			two := func(a, b string) Inputs {
				return with(ledgerDoc, `{"failed_digests":[{"digest":"`+a+`"},{"digest":"`+b+`"}]}`)
			}
			refused(t, judged(two(d, "sha256:"+d)), RepeatedFailedDigest)
			refused(t, judged(two("sha256:"+strings.ToUpper(d), d)), RepeatedFailedDigest)
			for _, bad := range []string{" " + d, "sha256: " + d, d[:63], d + "0", "", "SHA256:" + d, "md5:" + d, strings.Repeat("g", 64)} {
				refused(t, judged(with(ledgerDoc, `{"failed_digests":[{"digest":"`+bad+`"}]}`)), LedgerInvalid)
			}
			refused(t, judged(with(ledgerDoc, `{"failed_digests":["`+d+`"]}`)), LedgerInvalid)
			refused(t, judged(with(ledgerDoc, `{"failed_digests":{"digest":"`+d+`"}}`)), LedgerInvalid)
		},
		"H10": func(t *testing.T) { // one dialect of JSON
			for _, text := range []string{`{"a":NaN}`, `{"a":1,"a":1}`, `{"a":"\ud800"}`, "\ufeff{}", `{} {}`, `{"a":Infinity}`, "{\"a\":\"\xff\"}", `{"a":"` + strings.Repeat("x", MaxDocument) + `"}`} {
				for doc := range documentNames {
					refused(t, judged(with(doc, text)), InputInvalidJSON)
				}
				var l Live
				if _, code := l.read([]byte(text)); code != BuilderReportInvalid {
					t.Errorf("as a report: %q", code)
				}
				w := newWorld(t)
				w.write(w.manifest, text)
				if o := (Manifest{File: w.manifest}).Observe(ctx, 2); o.Status() != Blocked {
					t.Errorf("as a manifest: %v", o.Status())
				}
			}
		},
		"H11": func(t *testing.T) { // paths stay below their root, and no link is followed
			for _, path := range []string{"../outside", "/etc/hostname", "modules/link", "modules/../../outside", "modules//builder.py", "./modules/builder.py", `modules\builder.py`} {
				w := newWorld(t)
				w.write(filepath.Join(filepath.Dir(w.bundle), "outside"), moduleText)
				if err := os.Symlink("../../outside", filepath.Join(w.bundle, "modules", "link")); err != nil {
					t.Fatal(err)
				}
				w.write(w.manifest, manifestOf(builderRow(map[string]any{"path": path})))
				if o := (Manifest{File: w.manifest}).Observe(ctx, 2); o.ErrorCode != ManifestPath {
					t.Errorf("%s: %v", path, o.ErrorCode)
				}
				r := w.run(w.config())
				if !slices.Contains(codesOf(r.Findings), ManifestPath) {
					t.Errorf("%s: %v", path, codesOf(r.Findings))
				}
			}
			w := newWorld(t)
			gaps := filepath.Join(w.in, GapsFile)
			if err := os.Rename(gaps, filepath.Join(w.in, "aside.json")); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("aside.json", gaps); err != nil {
				t.Fatal(err)
			}
			in, err := Load(w.in)
			if err != nil {
				t.Fatal(err)
			}
			refused(t, judged(in), InputMissing)
		},
		"H12": func(t *testing.T) { // anchors are words, and there are some
			for _, anchors := range []any{nil, []any{}, []any{""}, "campaign", []any{"ab"}, []any{"campaign", 7}, []any{"a1_2"}, 7, map[string]any{"campaign": 1}} {
				w := newWorld(t)
				w.write(w.manifest, manifestOf(builderRow(map[string]any{"required_anchors": anchors})))
				if o := (Manifest{File: w.manifest}).Observe(ctx, 2); o.ErrorCode != ManifestAnchors {
					t.Errorf("%v: %v", anchors, o.ErrorCode)
				}
			}
		},
		"H13": func(t *testing.T) { // one manifest, named with its digest
			w := newWorld(t)
			w.write(filepath.Join(w.in, "source_module_manifest.json"), "{}")
			r := w.run(w.config())
			if r.Status != Pass || *r.Inputs[4].SHA256 != r.Witness.Copied.ManifestSHA256 || r.Inputs[4].Role != "manifest" {
				t.Errorf("%v: %+v", r.Status, r.Inputs)
			}
		},
		"H14": func(t *testing.T) { // nothing of a report travels that is not closed
			for _, change := range [][2]string{
				{`"toy-slug"`, `"hunter2 and more"`}, {`"toy-slug"`, `{"content":"hunter2"}`}, {`"toy-slug"`, `"HUNTER2"`},
				{`"d00d"`, `"trust hunter2"`}, {`"d00d"`, `7`}, {`"d00d"`, `{"body":"hunter2"}`}, {`null`, `{"body":"hunter2"}`},
				{`"standard_skill_pairing_campaign_summary"`, `["hunter2"]`},
			} {
				l := passing().Live
				*l = Live{ReturnCode: l.ReturnCode, TreeBefore: l.TreeBefore, TreeAfter: l.TreeAfter}
				o := Observation{Live: l}
				o.SourceDigest, o.ErrorCode = l.read([]byte(strings.Replace(goodReport, change[0], change[1], 1)))
				if o.Status() != Blocked || strings.Contains(strings.ToLower(fmt.Sprintf("%+v %+v", o, *l)), "hunter2") {
					t.Errorf("%s: %+v %+v", change[1], o, l)
				}
			}
		},
		"H15": func(t *testing.T) { // output is bounded
			o := newRepo(t).builder(t, "flood stdout").Observe(ctx, 2)
			if o.ErrorCode != BuilderOutputLarge || o.Live.StdoutBytes != MaxOutput {
				t.Errorf("%v after %d bytes", o.ErrorCode, o.Live.StdoutBytes)
			}
		},
		"H16": func(t *testing.T) { // TestBuilderTimeLimit and TestBuilderLeavesAChild have the rest
			b := newRepo(t).builder(t, "child group 60 x", "good")
			from := time.Now()
			if o := b.Observe(ctx, 2); o.Status() != Pass || time.Since(from) > 10*time.Second {
				t.Errorf("%v after %v", o.ErrorCode, time.Since(from))
			}
		},
		"H17": func(t *testing.T) { // nothing of ours is inherited
			t.Setenv("OUR_SECRET", "hunter2")
			o := newRepo(t).builder(t, "stdin", "good").Observe(ctx, 2)
			if o.Status() != Pass || o.Live.StderrBytes != 0 {
				t.Errorf("%v, %d bytes on standard error", o.ErrorCode, o.Live.StderrBytes)
			}
		},
		"H18": func(t *testing.T) { // TestBuilderThatWrites and TestLandlock have the rest
			b := newRepo(t).builder(t, "chmod ../README", "good")
			e := Evaluate(ctx, sample(), b)
			refused(t, e, WitnessBlocked, PacketSubprocessFailed, BuilderWrote)
			if d := cmp.Diff([]string{"README"}, e.Findings[2].Observed); d != "" {
				t.Error(d)
			}
		},
		"H19": func(t *testing.T) { // the gate is an allow-list
			for _, tt := range []struct {
				key   string
				value any
				code  Code
			}{
				{"write_surface", "Source", SourceWriteForbidden}, {"write_surface", "source ", SourceWriteForbidden},
				{"write_surface", "src", SourceWriteForbidden}, {"write_surface", "repo", SourceWriteForbidden},
				{"write_surface", []any{"source"}, SourceWriteForbidden}, {"write_surface", nil, SourceWriteForbidden},
				{"source_mutation_authorized", "true", SourceWriteForbidden}, {"source_mutation_authorized", 1, SourceWriteForbidden},
				{"source_mutation_authorized", nil, SourceWriteForbidden}, {"requires_human_review", false, SourceWriteForbidden},
				{"requires_human_review", "true", SourceWriteForbidden}, {"action", "apply_patch", SourceWriteForbidden},
				{"action", "write_source", SourceWriteForbidden}, {"action", 7, SourceWriteForbidden},
				{"release_authorized", true, SourceWriteForbidden}, {"body", "text", RowInvalid}, {"gap_id", "", RowInvalid},
				{"candidate_id", nil, RowInvalid}, {"body_in_receipt", true, RowInvalid}, {"campaign_builder_source_digest", "trust me", RowInvalid},
			} {
				got := CheckPacket(packetWith(t, "row", tt.key, tt.value), passing())
				if len(got) == 0 || got[0].Code != tt.code {
					t.Errorf("row %s %v: %v", tt.key, tt.value, codesOf(got))
				}
			}
			for _, tt := range []struct {
				key   string
				value any
				code  Code
			}{
				{"self_repair_authorized", true, AuthorityClaimed}, {"candidate_count", 9, CountMismatch}, {"extra", 1, RowInvalid},
				{"release_authorized", true, AuthorityClaimed}, {"schema_version", "x", RowInvalid}, {"candidates", "x", RowInvalid},
				{"status", "pass", PacketSubprocessFailed}, {"candidate_count", "2", CandidatePacketEmpty}, {"nested", map[string]any{"x_authorized": true}, AuthorityClaimed},
			} {
				got := CheckPacket(packetWith(t, "packet", tt.key, tt.value), passing())
				if len(got) == 0 || got[0].Code != tt.code {
					t.Errorf("packet %s %v: %v", tt.key, tt.value, codesOf(got))
				}
			}
		},
		"H20": func(t *testing.T) { // negative cases are differences on a baseline that passes
			w := newWorld(t)
			r := w.run(w.config())
			for _, n := range r.Negative {
				if n.Status != Proven && n.Status != NotApplicable {
					t.Errorf("%s: %v %v", n.ID, n.Status, n.Codes)
				}
			}
			w.doc(policyDoc, `{"allowed_actions":["write_source"]}`)
			for _, n := range w.run(w.config()).Negative {
				if n.Status != NotRun {
					t.Errorf("%s on a bad baseline: %v", n.ID, n.Status)
				}
			}
			if n, err := RunNegative(ctx, "a/b", w.config()); err != nil || n.Status != Unsupported || n.Codes[0] != NegativeCaseUnsupported {
				t.Errorf("%v %v", n, err)
			}
		},
		"H21": func(t *testing.T) { // an empty manifest is a finding
			for _, text := range []string{`[]`, `null`, `7`, `["x"]`} {
				w := newWorld(t)
				w.write(w.manifest, `{"source_import_class":"`+importClass+`","modules":`+text+`}`)
				if r := w.run(w.config()); r.Status != Blocked || !slices.Contains(codesOf(r.Findings), ManifestEmpty) {
					t.Errorf("%s: %v", text, codesOf(r.Findings))
				}
			}
		},
		"H22": func(t *testing.T) { // drift is never excused by a file that anyone can write
			w := newWorld(t)
			repo := t.TempDir()
			w.write(filepath.Join(repo, filepath.FromSlash(BuilderRef)), "# another\n")
			w.write(filepath.Join(repo, "state", "work_ledger", "active_claims_snapshot.json"),
				`{"active_claims":[{"scope_kind":"path","path":"`+BuilderRef+`"}]}`)
			c := w.config()
			c.RepoRoot = repo
			if r := w.run(c); r.Status != Blocked || !slices.Contains(codesOf(r.Findings), SourceBodyCopyMismatch) {
				t.Errorf("%v", codesOf(r.Findings))
			}
		},
		"H23": func(t *testing.T) { // the scan reads what is there, and excuses nothing
			for _, name := range []string{"in/notes.bin", "in/tests/x.json", "in/" + GapsFile, "in/a/b/c", "bundle/modules/builder.py"} {
				for _, token := range []string{"QQ_TOKEN", `{"k":"\u0051Q_TOKEN"}`, `{"\u0051Q_TOKEN":1}`} {
					w := newWorld(t)
					w.write(filepath.Join(filepath.Dir(w.in), filepath.FromSlash(name)), token)
					c := w.config()
					c.ForbiddenTokens = filepath.Join(t.TempDir(), "policy.json")
					w.write(c.ForbiddenTokens, `{"classes":[{"class_id":"toy","terms":[{"term_id":"one","token":" QQ_TOKEN "},{"token":""}]}]}`)
					r := w.run(c)
					if codes := codesOf(r.Findings); r.Status != Blocked || !slices.Contains(codes, FixtureScanBlocked) && !slices.Contains(codes, SourceScanBlocked) {
						t.Errorf("%s with %s: %v", name, token, codes)
					}
					if bytes.Contains(r.Render(), []byte("QQ_TOKEN")) {
						t.Errorf("%s: the record says the token", name)
					}
				}
			}
		},
		"H24": func(t *testing.T) { // the builder starts once
			w, n := newWorld(t), 0
			c := w.config()
			c.Manifest = ""
			c.Witness = counting{passing(), &n}
			if r := w.run(c); r.Status != Pass || n != 1 {
				t.Errorf("%v after %d observations: %v", r.Status, n, codesOf(r.Findings))
			}
		},
		"H25": func(t *testing.T) { // no path of this machine enters a record
			w := newWorld(t)
			r := w.run(w.config())
			w.doc(gapsDoc, "{")
			for _, text := range []string{string(r.Render()), string(w.run(w.config()).Render())} {
				if strings.Contains(text, w.in) || strings.Contains(text, os.TempDir()+"/") {
					t.Error(text)
				}
			}
		},
		"H26": func(t *testing.T) { // nothing switches writing off
			t.Setenv("MICROCOSM_RECEIPT_WRITES", "off")
			w := newWorld(t)
			w.run(w.written())
			for _, name := range []string{ResultFile, BoardFile, ReceiptFile} {
				if _, err := os.Stat(filepath.Join(w.out, name)); err != nil {
					t.Error(err)
				}
			}
		},
		"H27": func(t *testing.T) { // a pass has no findings
			w := newWorld(t)
			if r := w.run(w.config()); r.Status != Pass || len(r.Findings) != 0 {
				t.Errorf("%v %v", r.Status, r.Findings)
			}
		},
		"H28": func(t *testing.T) { // one record, one list
			w := newWorld(t)
			w.doc(policyDoc, `{"allowed_actions":["write_source"]}`)
			r := w.run(w.written())
			file, err := os.ReadFile(filepath.Join(w.out, ResultFile))
			if err != nil || !bytes.Equal(file, r.Render()) {
				t.Errorf("%v: what is returned is not what was written", err)
			}
			var b board
			text, err := os.ReadFile(filepath.Join(w.out, BoardFile))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &b); err != nil || b.Counts.Findings != len(r.Findings) || b.Status != Blocked || b.Record != r.Digest {
				t.Errorf("%v: %+v", err, b)
			}
		},
		"H29": func(t *testing.T) { // the record that is shipped as an example is the one that a run writes today
			w := newWorld(t)
			r := w.run(w.config())
			golden(t, "record.json", r.Render())
		},
		"H30": func(t *testing.T) { // refusal and breakdown are told apart: no error is a verdict
			w := newWorld(t)
			w.doc(gapsDoc, "{")
			if r, err := Run(ctx, w.written()); err != nil || r.Status != Blocked {
				t.Errorf("%v %v", r.Status, err)
			}
			c := w.written()
			c.Out = filepath.Join(w.in, GapsFile)
			if r, err := Run(ctx, c); err == nil || r.Status != Blocked {
				t.Errorf("%v %v", r.Status, err)
			}
		},
		"H31": func(t *testing.T) { // data does not decide which code runs
			w := newWorld(t)
			pack := filepath.Join(filepath.Dir(w.in), "microcosm-substrate")
			w.write(filepath.Join(filepath.Dir(pack), filepath.FromSlash(BuilderRef)), "#!/bin/sh\ntouch "+filepath.Join(w.in, "ran"))
			c := w.config()
			c.Manifest = ""
			r := w.run(c)
			refusedRecord(t, r, WitnessBlocked, PacketSubprocessFailed, CandidatePacketEmpty)
			if r.Witness.Status != NotObserved || r.Witness.Mode != Unwitnessed {
				t.Errorf("%+v", r.Witness)
			}
			if _, err := os.Stat(filepath.Join(w.in, "ran")); err == nil {
				t.Error("it ran")
			}
		},
		"H32": func(t *testing.T) { // the record says what was judged
			w := newWorld(t)
			a := w.run(w.config())
			w.doc(gapsDoc, `{"gaps":[{"gap_id":"gap.alpha"},{"gap_id":"gap.gamma"}]}`)
			b := w.run(w.config())
			if a.Status != Pass || b.Status != Pass || a.Digest == b.Digest || *a.Inputs[0].SHA256 == *b.Inputs[0].SHA256 {
				t.Error("two inputs, one record")
			}
		},
		"H33": func(t *testing.T) { // what is judged is what was read, and a change meanwhile is found
			w := newWorld(t)
			c := w.config()
			c.Manifest = ""
			c.Witness = meddling{passing(), func() { w.doc(ledgerDoc, `{}`) }}
			refusedRecord(t, w.run(c), InputChanged)
			w = newWorld(t)
			c = w.config()
			c.Witness = meddling{passing(), func() { w.write(filepath.Join(w.bundle, "modules", "builder.py"), "x") }}
			refusedRecord(t, w.run(c), InputChanged)
			w = newWorld(t)
			c = w.config()
			c.Witness = meddling{passing(), func() { w.write(w.manifest, "{}") }}
			refusedRecord(t, w.run(c), InputChanged)
		},
		"H34": func(t *testing.T) { // a witness says only what it saw
			w := newWorld(t)
			text := string(w.run(w.config()).Render())
			for _, key := range []string{"returncode", "stdout_sha256", "no_op", "expected_kind", "candidate_target_count", "confinement"} {
				if strings.Contains(text, key) {
					t.Errorf("a manifest's record says %s", key)
				}
			}
			if !strings.Contains(text, `"count_source": "policy"`) {
				t.Error("where the count comes from is not said")
			}
		},
		"H35": func(t *testing.T) { // refused documents start nothing
			for doc, text := range map[int]string{gapsDoc: "{", policyDoc: `{"allowed_actions":["write_source"]}`, ledgerDoc: `{"failed_digests":7}`, protocolDoc: `[]`} {
				n := 0
				if e := Evaluate(ctx, with(doc, text), counting{passing(), &n}); n != 0 || e.Status() != Blocked || e.Packet.PlanDigest != "" || len(e.Packet.Candidates) != 0 {
					t.Errorf("%s: %d observations, %v", documentNames[doc], n, e.Packet)
				}
			}
			n := 0
			Evaluate(ctx, Inputs{}, counting{passing(), &n})
			if n != 0 {
				t.Error("nothing to judge, and it was asked")
			}
		},
	}
	for i := 1; i <= 35; i++ {
		name := fmt.Sprintf("H%02d", i)
		if holes[name] == nil {
			t.Errorf("%s has no test", name)
			continue
		}
		t.Run(name, holes[name])
	}
}

// meddling is a witness that does something meanwhile.
type meddling struct {
	Observation
	do func()
}

func (m meddling) Observe(context.Context, int) Observation { m.do(); return m.Observation }

func refusedRecord(t *testing.T, r Record, want ...Code) {
	t.Helper()
	if d := cmp.Diff(want, codesOf(r.Findings)); d != "" || r.Status != Blocked {
		t.Errorf("%v:\n%s", r.Status, d)
	}
}

// merged gives one object with the keys of another added.
func merged(t *testing.T, a, b string) string {
	t.Helper()
	var m map[string]any
	for _, text := range []string{a, b} {
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
