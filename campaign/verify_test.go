//go:build unix

package campaign

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ambit/internal/regime"
)

func codesOfProblems(v Verification) []string {
	var out []string
	for _, p := range v.Problems {
		out = append(out, p.Code)
	}
	return out
}

// TestTampering changes every byte of a record and of every input, one at a time: Verify names each. // P43
func TestTampering(t *testing.T) {
	w := newWorld(t)
	c := w.config()
	c.ForbiddenTokens = filepath.Join(t.TempDir(), "policy.json")
	w.write(c.ForbiddenTokens, `{"classes":[{"terms":[{"token":"QQ_TOKEN"}]}]}`)
	r := w.run(c)
	record, docs := r.Render(), sample().bytes()
	in := sample()
	e := Evidence{Inputs: in, Manifest: c.Manifest, ForbiddenTokens: c.ForbiddenTokens}
	if v := e.Verify(record); !v.OK() || len(v.Unchecked) != 0 {
		t.Fatalf("untouched: %v, unchecked %v", v.Problems, v.Unchecked)
	}
	if v := Verify(record, in); !v.OK() || !slices.Contains(v.Unchecked, "policy.json") || !slices.Contains(v.Unchecked, BuilderRef) {
		t.Fatalf("documents only: %v, unchecked %v", v.Problems, v.Unchecked)
	}

	// Every byte, and every bit of each in the long regime; fewer bytes with -short and under the race detector.
	step := 1
	if testing.Short() || regime.Race {
		step = 13
	}
	flips := []byte{0x01}
	if regime.Long() {
		flips = []byte{0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80}
	}
	tried := 0
	each := func(data []byte, check func(i int, changed []byte)) {
		for i := 0; i < len(data); i += step {
			for _, flip := range flips {
				changed := slices.Clone(data)
				changed[i] ^= flip
				check(i, changed)
				tried++
			}
		}
	}
	each(record, func(i int, changed []byte) {
		if v := Verify(changed, in); v.OK() || len(v.Problems) == 0 {
			t.Errorf("byte %d of the record: not noticed", i)
		}
	})
	for doc, data := range docs {
		each(data, func(i int, changed []byte) {
			other := docs
			other[doc] = changed
			v := Verify(record, NewInputs(other[0], other[1], other[2], other[3]))
			if !slices.ContainsFunc(v.Problems, func(p *Error) bool { return p.File == documentNames[doc] && p.Code == "input_changed" }) {
				t.Errorf("byte %d of %s: %v", i, documentNames[doc], v.Problems)
			}
		})
	}
	for _, file := range []struct{ path, name string }{
		{c.ForbiddenTokens, "policy.json"}, {c.Manifest, "source_module_manifest.json"}, {filepath.Join(w.bundle, "modules", "builder.py"), BuilderRef},
	} {
		data, err := os.ReadFile(file.path)
		if err != nil {
			t.Fatal(err)
		}
		each(data, func(i int, changed []byte) {
			w.write(file.path, string(changed))
			v := e.Verify(record)
			if !slices.ContainsFunc(v.Problems, func(p *Error) bool { return p.File == file.name && p.Code == "input_changed" }) {
				t.Errorf("byte %d of %s: %v, unchecked %v", i, file.name, v.Problems, v.Unchecked)
			}
		})
		w.write(file.path, string(data))
	}
	t.Logf("%d changes", tried)
	for _, cut := range []int{0, 1, len(record) / 2, len(record) - 1} {
		if Verify(record[:cut], in).OK() {
			t.Errorf("the first %d bytes pass", cut)
		}
	}
	if Verify(append(slices.Clone(record), ' '), in).OK() || Verify(append(slices.Clone(record), "{}"...), in).OK() {
		t.Error("something behind the record passes")
	}
}

// TestForgery changes a record and seals it again, as somebody would who knows how.
func TestForgery(t *testing.T) {
	w := newWorld(t)
	good := w.run(w.config())
	w.doc(policyDoc, `{"allowed_actions":["write_source"]}`)
	bad := w.run(w.config())
	badIn := with(policyDoc, `{"allowed_actions":["write_source"]}`)
	for name, tt := range map[string]struct {
		of   Record
		in   Inputs
		edit func(*Record)
		code string
	}{
		"a refusal into a pass":     {bad, badIn, func(r *Record) { r.Status = Pass }, "status_differs"},
		"a finding less":            {bad, badIn, func(r *Record) { r.Findings = []Finding{}; r.Status = Pass }, "finding_missing"},
		"a finding more":            {good, sample(), func(r *Record) { r.Findings = []Finding{finding(GapsInvalid, "x")}; r.Status = Blocked }, "finding_unfounded"},
		"a finding of no kind":      {good, sample(), func(r *Record) { r.Findings = []Finding{{Code: "X"}}; r.Status = Blocked }, "record_finding"},
		"another gap":               {good, sample(), func(r *Record) { r.Packet.Candidates[0].GapID = "gap.other" }, "packet_differs"},
		"a candidate less":          {good, sample(), func(r *Record) { r.Packet.Candidates = r.Packet.Candidates[:1] }, "packet_differs"},
		"another plan":              {good, sample(), func(r *Record) { r.Packet.PlanDigest = "sha256:" + strings.Repeat("0", 64) }, "packet_differs"},
		"other counts":              {good, sample(), func(r *Record) { r.Counts.Gaps = 9 }, "counts_differ"},
		"a witness that passed not": {good, sample(), func(r *Record) { r.Witness.Copied = nil }, "record_witness"},
		"another mode":              {good, sample(), func(r *Record) { r.Witness.Mode = LiveBuilder }, "record_witness"},
		"an input less":             {good, sample(), func(r *Record) { r.Inputs = r.Inputs[1:] }, "input_missing"},
		"another document":          {good, sample(), func(r *Record) { r.Inputs[0].Name = "x.json" }, "input_unknown"},
		"a schema":                  {good, sample(), func(r *Record) { r.Schema = "x" }, "record_schema"},
		"a review":                  {good, sample(), func(r *Record) { r.Review = "done" }, "record_schema"},
		"no verdict":                {good, sample(), func(r *Record) { r.Status = NotObserved }, "record_status"},
		"a body":                    {good, sample(), func(r *Record) { r.Inputs[4].Name = strings.Repeat("x", 2000) }, "record_body"},
		"a body in a list":          {good, sample(), func(r *Record) { r.Actions = []string{strings.Repeat("x", 2000)} }, "record_body"},
		"a control character":       {good, sample(), func(r *Record) { r.Inputs[4].Name = "a\u202eb" }, "record_body"},
		"a case less":               {good, sample(), func(r *Record) { r.Negative = r.Negative[1:] }, "negative_missing"},
		"a case unproven":           {good, sample(), func(r *Record) { r.Negative[0].Codes = []Code{} }, "negative_differs"},
		"a refusal that proposes":   {good, sample(), func(r *Record) { r.Refusal = true }, "record_refusal"},
		"a case that does not apply": {good, sample(), func(r *Record) {
			r.Negative[0] = NegativeCase{r.Negative[0].ID, NotApplicable, []Code{}, []Code{}}
		}, "negative_differs"},
		"a case that expects less": {good, sample(), func(r *Record) {
			r.Negative[6].Expected, r.Negative[6].Codes = []Code{PolicyInvalid}, []Code{PolicyInvalid}
		}, "negative_differs"},
		"another drift":       {good, sample(), func(r *Record) { r.Negative[5].Codes = []Code{PolicyInvalid} }, "negative_differs"},
		"no list of finding":  {good, sample(), func(r *Record) { r.Findings = nil }, "record_shape"},
		"no list of actions":  {good, sample(), func(r *Record) { r.Actions = nil }, "record_shape"},
		"no list of codes":    {good, sample(), func(r *Record) { r.Negative[3].Codes = nil }, "negative_differs"},
		"a scan of no kind":   {good, sample(), func(r *Record) { r.Scan = "clean" }, "record_scan"},
		"a scan that was not": {good, sample(), func(r *Record) { r.Scan, r.Scanned = "pass", nil }, "record_scan"},
		"a scan that blocks":  {good, sample(), func(r *Record) { r.Scan = "blocked" }, "record_scan"},
		"a scan that passes with a hit": {good, sample(), func(r *Record) {
			r.Scan, r.Scanned = "pass", &Scanned{Files: 1, Hits: []Hit{{"note.md", "c", "t"}}}
		}, "record_scan"},
		"a scan that passes unread": {good, sample(), func(r *Record) {
			r.Scan, r.Scanned = "pass", &Scanned{Files: 1, Unread: 1, Hits: []Hit{}}
		}, "record_scan"},
		"a scan that blocks and says pass": {good, sample(), func(r *Record) {
			r.Scan, r.Scanned = "pass", &Scanned{Files: 1, Hits: []Hit{}}
			r.Status, r.Findings = Blocked, []Finding{finding(FixtureScanBlocked, "")}
		}, "record_scan"},
		"a passing refusal": {good, sample(), func(r *Record) { r.Refusal = true; r.Packet.Candidates = nil }, "record_refusal"},
	} {
		r, err := ReadRecord("copy", tt.of.Render())
		if err != nil {
			t.Fatal(err)
		}
		tt.edit(&r)
		r.Digest = r.digest()
		if v := Verify(r.Render(), tt.in); v.OK() || !slices.Contains(codesOfProblems(v), tt.code) {
			t.Errorf("%s: %v, want %s", name, codesOfProblems(v), tt.code)
		}
	}
	if v := Verify(bad.Render(), badIn); !v.OK() || v.Record.Status != Blocked {
		t.Errorf("an honest refusal: %v", v.Problems)
	}
	for name, edit := range map[string][2]string{
		"the ceiling":       {`"release_authorized": false`, `"release_authorized": true`},
		"a stamp":           {`"requires_human_review": true`, `"requires_human_review": false`},
		"a surface":         {`"write_surface": "none"`, `"write_surface": "source"`},
		"a key of no kind":  {`"review": "none"`, `"review": "none", "body": "x"`},
		"a key in a row":    {`"body_in_receipt": false`, `"body_in_receipt": false, "body": "x"`},
		"a word of no kind": {`"status": "pass"`, `"status": "fine"`},
		"the layout":        {"\n", "\r\n"},
	} {
		text := bytes.Replace(good.Render(), []byte(edit[0]), []byte(edit[1]), 1)
		if bytes.Equal(text, good.Render()) {
			t.Fatalf("%s: nothing changed", name)
		}
		if v := Verify(text, sample()); v.OK() {
			t.Errorf("%s: not noticed", name)
		}
	}
	if (Verification{}).OK() {
		t.Error("no record is a good record")
	}
}

// TestLiveRecord verifies the record of a live run, and of one that its own scan replaced.
func TestLiveRecord(t *testing.T) {
	w := newWorld(t)
	c := w.written()
	c.Manifest = ""
	c.Witness = newRepo(t).builder(t, "good")
	r := w.run(c)
	if v := Verify(r.Render(), sample()); r.Status != Pass || !v.OK() {
		t.Errorf("%v: %v", r.Status, v.Problems)
	}
	for _, n := range r.Negative {
		if n.Status != Proven && !(n.ID == "digest_drift" && n.Status == NotApplicable) {
			t.Errorf("%s: %v with %v", n.ID, n.Status, n.Codes)
		}
	}
	c.Witness = newRepo(t).builder(t, "chmod source.go", "good")
	r = w.run(c)
	refusedRecord(t, r, WitnessBlocked, PacketSubprocessFailed, BuilderWrote)
	if v := Verify(r.Render(), sample()); !v.OK() {
		t.Errorf("a builder that wrote: %v", v.Problems)
	}
	c.ForbiddenTokens = filepath.Join(t.TempDir(), "policy.json")
	w.write(c.ForbiddenTokens, `{"classes":[{"terms":[{"token":"gap.alpha"}]}]}`)
	r = w.run(c)
	if !r.Refusal || r.Status != Blocked || strings.Contains(string(r.Render()), "gap.alpha") {
		t.Errorf("the record says what its scan forbids:\n%s", r.Render())
	}
	if v := Verify(r.Render(), sample()); !v.OK() {
		t.Errorf("a refusal: %v", v.Problems)
	}
	for _, name := range []string{ResultFile, BoardFile, ReceiptFile} {
		data, err := os.ReadFile(filepath.Join(w.out, name))
		if err != nil || bytes.Contains(data, []byte("gap.alpha")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSecrets looks for what a builder printed, and what its environment held, in everything that is written, returned
// or said. // H14, H17
func TestSecrets(t *testing.T) {
	if testing.Short() {
		t.Skip("not one of the quick tests")
	}
	secret := "hunter2-correct-horse"
	t.Setenv("OUR_SECRET", "our-"+secret)
	for name, steps := range map[string][]string{
		"on standard error":         {"complain " + secret, "env", "good"},
		"before the report":         {"print " + secret, "good"},
		"as the slug":               {"print " + strings.Replace(goodReport, "toy-slug", secret, 1)},
		"as a slug that is none":    {"print " + strings.Replace(goodReport, "toy-slug", secret+" ", 1)},
		"as the digest":             {"print " + strings.Replace(goodReport, "d00d", secret, 1)},
		"as the kind":               {"print " + strings.Replace(goodReport, ReportKind, secret, 1)},
		"as what was written":       {"print " + strings.Replace(goodReport, `"wrote_packet":null`, `"wrote_packet":"`+secret+`"`, 1)},
		"as a key of its own":       {"print " + strings.Replace(goodReport, "{", `{"`+secret+`":"`+secret+`",`, 1)},
		"in a report that is wrong": {`print {"x":"` + secret},
		"as the name of a file":     {"create secret-" + secret, "good"},
		"from its environment":      {"env", "print " + secret, "exit 3"},
	} {
		w := newWorld(t)
		c := w.written()
		b := newRepo(t).builder(t, steps...)
		b.Env = []string{"TOKEN=" + secret}
		b.unbound = true
		c.Witness = b
		r, err := Run(t.Context(), c)
		said := fmt.Sprintf("%s %v %+v", r.Render(), err, r)
		if l := r.Witness.Live; l != nil {
			said += fmt.Sprintf("%+v", *l)
		}
		files, _ := filepath.Glob(filepath.Join(w.out, "*"))
		if len(files) != 3 {
			t.Fatalf("%s: %v", name, files)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			said += string(data)
		}
		v := Verify(r.Render(), sample())
		said += fmt.Sprint(v.Problems, v.Unchecked) + r.Mermaid()
		if strings.Contains(said, secret) {
			i := strings.Index(said, secret)
			t.Errorf("%s: ...%s", name, said[max(0, i-200):i+50])
		}
	}
}

// TestScanBlockedRecord: a record that only the scan blocked ran its negative cases, and is as it says.
func TestScanBlockedRecord(t *testing.T) {
	for name, policy := range map[string]string{
		"a hit":           `{"classes":[{"class_id":"c","terms":[{"token":"zebra"}]}]}`,
		"no policy":       `[]`,
		"a broken policy": `{`,
	} {
		w := newWorld(t)
		c := w.config()
		w.write(filepath.Join(w.in, "note.md"), "a zebra")
		c.ForbiddenTokens = filepath.Join(filepath.Dir(w.out), "tokens.json")
		w.write(c.ForbiddenTokens, policy)
		r, err := Run(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != Blocked || r.Refusal || r.Negative[0].Status != Proven {
			t.Fatalf("%s: %v %v", name, r.Status, r.Findings)
		}
		if v := (Evidence{Inputs: sample(), ForbiddenTokens: c.ForbiddenTokens}).Verify(r.Render()); !v.OK() {
			t.Errorf("%s: %v", name, v.Problems)
		}
	}
}
