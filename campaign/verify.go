package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/ambit/internal/canonjson"
)

// Evidence is what a record is checked against. Manifest, RepoRoot and ForbiddenTokens are as in Config; what the record
// names and the evidence lacks is Unchecked.
type Evidence struct {
	Inputs          Inputs // the four documents
	Manifest        string // the manifest's file; "" when there is none
	RepoRoot        string // the folder of the manifest's live sources; "" when there is none
	ForbiddenTokens string // the policy's file; "" when there is none
}

// Verification is the verdict on a record. The zero Verification is of no record, and is not OK.
type Verification struct {
	Record    Record   // as far as it could be read
	Problems  []*Error // all of them, in a fixed order; Key names the part of the record, File an input
	Unchecked []string // names of inputs that the evidence lacks

	read bool
}

// OK reports a record that is what it says. It says nothing about its Status.
func (v Verification) OK() bool { return v.read && len(v.Problems) == 0 }

// Verify re-checks a record offline against its four documents. // P43
func Verify(record []byte, in Inputs) Verification { return Evidence{Inputs: in}.Verify(record) }

// Verify re-checks a record: its bytes are its own rendering, its digest is its own, every input is the one it names,
// the ceiling is the constant one, there is no body, and the documents and the witness it quotes lead to just this
// packet and just these findings. // P43
func (e Evidence) Verify(record []byte) Verification {
	r, err := ReadRecord("record", record)
	if err != nil {
		var v Verification
		v.Problems = append(v.Problems, errorsOf(err)...)
		return v
	}
	v := Verification{Record: r, read: true}
	if !bytes.Equal(r.Render(), record) {
		v.add("record", "", "record_rendering", "the bytes are not the record's own rendering, from byte %d on", firstDifference(r.Render(), record))
	}
	if r.digest() != r.Digest {
		v.add("record", "record_digest", "record_digest", "the digest is not the record's")
	}
	v.constants(r)
	e.inputs(&v, r)
	if !r.Refusal {
		e.verdict(&v, r)
	}
	return v
}

func (v *Verification) add(file, key, code, format string, args ...any) {
	v.Problems = append(v.Problems, &Error{File: file, Key: key, Code: code, Err: fmt.Errorf(format, args...)})
}

func errorsOf(err error) []*Error {
	var one *Error
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var out []*Error
		for _, e := range many.Unwrap() {
			out = append(out, errorsOf(e)...)
		}
		return out
	}
	if errors.As(err, &one) {
		return []*Error{one}
	}
	return []*Error{{Code: "record_shape", Err: err}}
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// constants checks what every record says alike, and that nothing in it is a body.
func (v *Verification) constants(r Record) {
	if r.Version != 1 || r.Schema != RecordSchema || r.Review != "none" || r.InputMode != FixtureMode && r.InputMode != BundleMode {
		v.add("record", "schema_version", "record_schema", "not a record of this version")
	}
	if r.Status == NotObserved {
		v.add("record", "status", "record_status", "a record passes or is blocked")
	}
	if r.Refusal && (r.Status != Blocked || len(r.Packet.Candidates) > 0 || len(r.Findings) == 0) {
		v.add("record", "refusal_only", "record_refusal", "a refusal is blocked and proposes nothing")
	}
	if w := r.Witness; witnessRecord(tidy(w.observation())).string() != w.string() {
		v.add("record", "witness", "record_witness", "the witness is not what its facts make it")
	}
	doc, _ := canonjson.Parse("record", r.Render(), canonjson.Limits{MaxBytes: 8 * MaxRecord})
	if key := bodyIn(doc); key != "" {
		v.add("record", key, "record_body", "a record has no bodies")
	}
	if lists := [...]bool{r.Inputs == nil, r.Actions == nil, r.Findings == nil, r.Negative == nil, r.Scanned != nil && r.Scanned.Hits == nil}; slices.Contains(lists[:], true) {
		v.add("record", "", "record_shape", "null where a list belongs")
	}
	if !r.scanAgrees() {
		v.add("record", "scan", "record_scan", "the scan did not end like that")
	}
	for i, f := range r.Findings {
		if want, known := sentences[f.Code]; !known || !strings.HasPrefix(f.Message, want) {
			v.add("record", fmt.Sprintf("findings[%d]", i), "record_finding", "not a finding of this package")
		}
	}
}

// scanAgrees reports whether the word for the scan is borne out by what it looked at, by the findings and by the status.
func (r Record) scanAgrees() bool {
	hit := r.Scanned != nil && (len(r.Scanned.Hits) > 0 || r.Scanned.Unread != 0) || slices.Contains(codesOf(r.Findings), FixtureScanBlocked)
	switch r.Scan {
	case "none":
		return !hit && r.Scanned == nil
	case "pass":
		return !hit && r.Scanned != nil
	case "blocked":
		return r.Status != Pass && (r.Refusal || r.Scanned != nil)
	}
	return false
}

func (w WitnessRecord) string() string { return string(render(w)) }

// bodyIn finds a text that is too long, or not of one line, for a ref, a digest or a sentence.
func bodyIn(v canonjson.Value) string {
	switch v.Kind() {
	case canonjson.KindObject:
		for key, value := range v.Members() {
			if where := bodyIn(value); where != "" || isBody(value) {
				return key.Text()
			}
		}
	case canonjson.KindArray:
		for item := range v.Items() {
			if where := bodyIn(item); where != "" || isBody(item) {
				return "list"
			}
		}
	}
	return ""
}

func isBody(v canonjson.Value) bool {
	s := v.Text()
	return len(s) > 4*MaxText+256 || strings.ContainsFunc(s, invisible)
}

// inputs compares every input that the record names with the evidence.
func (e Evidence) inputs(v *Verification, r Record) {
	have := e.session().digests()
	if r.Refusal {
		return
	}
	next := 0
	for i, want := range r.Inputs {
		key := fmt.Sprintf("inputs[%d]", i)
		j := slices.IndexFunc(have[next:], func(d InputDigest) bool { return d.Name == want.Name && d.Role == want.Role })
		if j < 0 {
			if want.Role == "document" {
				v.add("record", key, "input_unknown", "no such document")
			} else {
				v.Unchecked = append(v.Unchecked, want.Name)
			}
			continue
		}
		got := have[next+j]
		next += j + 1
		if (got.SHA256 == nil) != (want.SHA256 == nil) || got.SHA256 != nil && *got.SHA256 != *want.SHA256 || got.Bytes != want.Bytes {
			v.add(want.Name, key, "input_changed", "this is not the file that was judged")
		}
	}
	for i, name := range documentNames {
		if i >= len(r.Inputs) || r.Inputs[i].Name != name || r.Inputs[i].Role != "document" {
			v.add("record", fmt.Sprintf("inputs[%d]", i), "input_missing", "the record does not name %s", name)
		}
	}
}

// session reads what of the evidence lies on disk.
func (e Evidence) session() *session {
	s := &session{Config: Config{Manifest: e.Manifest, RepoRoot: e.RepoRoot, ForbiddenTokens: e.ForbiddenTokens}, in: e.Inputs}
	if e.Manifest != "" {
		s.src = readManifest(e.Manifest, e.RepoRoot)
	}
	if e.ForbiddenTokens != "" {
		if data, err := readOutside(e.ForbiddenTokens, MaxDocument); err == nil {
			s.policy = newFile(data)
		}
	}
	return s
}

// replayed is a witness that says again what a record says of it.
type replayed struct{ Observation }

func (r replayed) Observe(context.Context, int) Observation { return r.Observation }

// verdict judges the documents again under the witness that the record quotes.
func (e Evidence) verdict(v *Verification, r Record) {
	in := e.Inputs
	in.Actions = r.Actions
	again := Evaluate(context.Background(), in, replayed{r.Witness.observation()})
	if !bytes.Equal(render(again.Packet), render(r.Packet)) {
		v.add("record", "candidate_packet", "packet_differs", "the documents and the witness lead to another packet")
	}
	if got := (Counts{again.GapCount, again.FailedDigestCount, again.RepeatedDigestCount}); got != r.Counts {
		v.add("record", "counts", "counts_differ", "the documents hold other numbers")
	}
	rest := slices.Clone(r.Findings)
	for _, f := range again.Findings {
		i := slices.IndexFunc(rest, func(g Finding) bool { return bytes.Equal(render(f), render(g)) })
		if i < 0 {
			v.add("record", "findings", "finding_missing", "the record lacks a finding: %s", f.Code)
			continue
		}
		rest = slices.Delete(rest, i, i+1)
	}
	for _, f := range rest {
		if !elsewhere(f.Code) {
			v.add("record", "findings", "finding_unfounded", "the record has a finding that the documents do not bear out: %s", f.Code)
		}
	}
	pass := len(r.Findings) == 0 && again.Status() == Pass
	if pass != (r.Status == Pass) && !(r.Status == Blocked && pass && len(r.Negative) == 0) {
		v.add("record", "status", "status_differs", "the findings lead to another verdict")
	}
	e.negatives(v, r, in, again)
	var ids []string
	for _, n := range r.Negative {
		ids = append(ids, n.ID)
	}
	if !slices.Equal(ids, NegativeCases()) {
		v.add("record", "negative_cases", "negative_missing", "not the negative cases that are run")
	}
}

// negatives spoils the campaign again, as far as the evidence goes: whether the baseline passed without the scan, and
// without what changed meanwhile, decides whether the cases ran at all.
func (e Evidence) negatives(v *Verification, r Record, in Inputs, again Evaluation) {
	b := baseline{in: in, obs: again.Observation, ref: r.Witness.BuilderRef}
	b.passing = again.Status() == Pass && !slices.ContainsFunc(r.Findings, func(f Finding) bool { return !r.besides(f) })
	for i, n := range r.Negative {
		want := b.negative(n.ID)
		switch {
		case n.Status == NotRun && !b.passing:
			want.Codes = n.Codes // with those of the manifest, which is not here
		case n.ID == "digest_drift" && b.passing && again.Observation.Mode() == SourceManifest:
			want = drifted(n)
		}
		if !bytes.Equal(render(want), render(n)) {
			v.add("record", fmt.Sprintf("negative_cases[%d]", i), "negative_differs", "spoiling the campaign leads to something else")
		}
	}
}

// drifted gives what the case of a drifted digest can have brought: its modules are not here. It does not apply where the
// record names no manifest.
func drifted(n NegativeCase) NegativeCase {
	want := NegativeCase{ID: n.ID, Status: NotApplicable, Expected: []Code{}, Codes: []Code{}}
	if len(n.Expected) == 0 {
		return want
	}
	want.Expected, want.Codes, want.Status = []Code{SourceDigestMismatch, WitnessBlocked, PacketSubprocessFailed}, n.Codes, NotProven
	if n.Expected[0] == SourceNormalizedCopy {
		want.Expected = slices.Insert(want.Expected, 0, SourceNormalizedCopy)
	}
	if slices.Equal(want.Expected, n.Codes) {
		want.Status = Proven
	}
	return want
}

// besides reports findings that are no part of the baseline of the negative cases: of the scan and its policy, of what
// changed, and of the cases themselves.
func (r Record) besides(f Finding) bool {
	policy := func(in InputDigest) bool {
		subject, _, _ := strings.Cut(f.Subject, "#")
		return in.Role == "forbidden_tokens" && in.Name == subject
	}
	return slices.Contains([]Code{FixtureScanBlocked, SourceScanBlocked, InputChanged, NegativeCaseUnproven}, f.Code) ||
		slices.ContainsFunc(r.Inputs, policy)
}

// elsewhere reports codes of checks that need more than the documents: the manifest, the scan, what changed meanwhile.
func elsewhere(c Code) bool {
	return strings.HasPrefix(string(c), "CROWN_JEWEL_") || slices.Contains([]Code{ManifestEmpty, ManifestPath, AuthorityClaimed, InputChanged}, c)
}
