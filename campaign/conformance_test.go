package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/conformance"
	"github.com/google/go-cmp/cmp"
)

// recorded is one recorded case of the reference component.
type recorded struct {
	Case struct {
		ID      string   `json:"id"`
		Title   string   `json:"title"`
		Mode    string   `json:"mode"`
		Parity  string   `json:"parity"`
		Holes   []string `json:"holes"`
		InputAt string   `json:"input_at"`
		Root    string   `json:"root"`
		CaseID  string   `json:"case_id"`
		Argv    []string `json:"argv"`
		Remove  []string `json:"remove"`
		Timeout float64  `json:"timeout_s"`
		Ops     []struct{ Op, Path, Target string }
		Inject  struct {
			Packet     json.RawMessage `json:"packet"`
			ReturnCode *int            `json:"returncode"`
			Witness    struct {
				Status string `json:"status"`
			} `json:"real_campaign_builder_witness"`
		} `json:"inject"`
	} `json:"case"`
	Input    conformance.Tree `json:"input"`
	Repo     conformance.Tree `json:"repo"`
	Expected struct {
		Status string `json:"status"`
		Codes  []Code `json:"finding_codes"`
		Errors []Code `json:"error_codes"`
		Packet struct {
			Candidates []any `json:"candidates"`
		} `json:"candidate_packet"`
	} `json:"expected"`
}

// place is a recorded case laid out on disk.
type place struct{ repo, public, input, out string }

const bundlePath = "examples/bounded_autonomy_campaign_packet/exported_bounded_autonomy_campaign_packet_bundle"

func (r recorded) lay(t *testing.T, base conformance.Tree) place {
	t.Helper()
	p := place{repo: filepath.Join(t.TempDir(), "work"), out: filepath.Join(t.TempDir(), "out")}
	p.public = filepath.Join(p.repo, r.Case.Root)
	p.input = filepath.Join(p.public, filepath.FromSlash(r.Case.InputAt))
	tree := maps.Clone(base)
	maps.Copy(tree, r.Repo)
	for _, gone := range r.Case.Remove {
		delete(tree, gone)
	}
	tree.Write(t, p.repo)
	if err := os.MkdirAll(p.input, 0o755); err != nil {
		t.Fatal(err)
	}
	r.Input.Write(t, p.input)
	for _, op := range r.Case.Ops {
		where, rel, _ := strings.Cut(op.Path, ":")
		path := filepath.Join(map[string]string{"repo": p.repo, "input": p.input}[where], filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		switch op.Op {
		case "mkdir":
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
		case "symlink":
			_ = os.Remove(path)
			if err := os.Symlink(op.Target, path); err != nil {
				t.Fatal(err)
			}
		default:
			t.Skipf("unknown op %q", op.Op)
		}
	}
	return p
}

func (p place) manifest() string {
	return filepath.Join(p.public, filepath.FromSlash(bundlePath), "source_module_manifest.json")
}

// witness picks what the reference component would have picked: the builder when there is one, else the manifest.
func (r recorded) witness(t *testing.T, p place) Witness {
	t.Helper()
	path := filepath.Join(p.repo, filepath.FromSlash(BuilderRef))
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return Manifest{File: p.manifest()}
	}
	b := Builder{Path: path, Root: p.repo, Timeout: time.Duration(r.Case.Timeout * float64(time.Second)), Interpreter: filepath.Join(p.repo, "repo-python")}
	if info, err := os.Stat(b.Interpreter); err != nil || !info.Mode().IsRegular() {
		if b.Interpreter = python(); b.Interpreter == "" {
			return noPython{t}
		}
	}
	return b
}

// python finds an interpreter for the builders that are Python, "" on a machine without one.
func python() string {
	for _, p := range []string{"/usr/bin/python3", "/usr/local/bin/python3"} {
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	p, _ := exec.LookPath("python3")
	return p
}

// noPython skips a case whose builder would really have to run.
type noPython struct{ t *testing.T }

func (n noPython) Observe(context.Context, int) Observation {
	n.t.Skip("no python3")
	return Observation{}
}

// exceptions collects, per mode, the cases in which we refuse more, and by which rule.
type exceptions map[string][]string

func (x exceptions) add(r recorded, rule string) {
	x[r.Case.Mode] = append(x[r.Case.Mode], r.Case.ID+" "+rule)
}

// reference drops our own codes.
func reference(codes []Code) []Code {
	return slices.DeleteFunc(slices.Clone(codes), Code.Own)
}

// within reports whether want is a subsequence of got.
func within(want, got []Code) bool {
	for _, c := range got {
		if len(want) > 0 && want[0] == c {
			want = want[1:]
		}
	}
	return len(want) == 0
}

// documentsOnly drops what the reference component says of a witness and a packet that we, after refused documents,
// never look at. // P11
func documentsOnly(codes []Code) []Code {
	return slices.DeleteFunc(slices.Clone(codes), func(c Code) bool {
		return c == WitnessBlocked || c == PacketSubprocessFailed || c == CandidatePacketEmpty
	})
}

// rule names the rule of the specification by which the findings go beyond the reference's.
func rule(found []Finding, want []Code) string {
	for _, f := range found {
		switch f.Code {
		case GapsInvalid, PolicyInvalid, ActionUnknown, AuthorityClaimed:
			return "P3"
		case LedgerInvalid:
			return "P4"
		case BuilderReportInvalid:
			return "P32"
		case BuilderWrote:
			return "P33"
		case InputInvalidJSON:
			if !slices.Contains(want, InputInvalidJSON) {
				return "P2"
			}
		}
	}
	return "P11"
}

func (x exceptions) evaluate(t *testing.T, r recorded, e Evaluation) {
	t.Helper()
	codes := codesOf(e.Findings)
	switch r.Case.Parity {
	case "must":
		status := cmp.Diff(r.Expected.Status, e.Status().String())
		same := cmp.Diff(r.Expected.Codes, reference(codes))
		rows := diffRows(t, r, e.Packet)
		if status+same+rows == "" {
			return
		}
		why := rule(e.Findings, r.Expected.Codes)
		if e.Status() != Blocked || !within(documentsOnly(r.Expected.Codes), codes) {
			t.Errorf("not excused:\n%s%s%s", status, same, rows)
		}
		if refused := len(e.Findings) > 0 && e.Packet.PlanDigest == ""; refused {
			x.add(r, why)
			return
		}
		if fewer := len(e.Packet.Candidates) == e.GapCount; rows != "" && fewer && e.GapCount < len(r.Expected.Packet.Candidates) {
			why, rows = "P20", "" // rows are never invented
		}
		x.add(r, why)
		if same != "" && !within(r.Expected.Codes, codes) || rows != "" {
			t.Errorf("codes or rows differ by %s:\n%s%s", why, same, rows)
		}
	case "crash":
		if e.Status() != Blocked || len(e.Findings) == 0 {
			t.Errorf("a crash of the reference is %v with %v", e.Status(), codes)
		}
	case "diverge":
		x.diverge(t, r, e.Status(), codes, e.Observation)
		if len(e.Packet.Candidates) > e.GapCount {
			t.Errorf("%d rows for %d gaps", len(e.Packet.Candidates), e.GapCount)
		}
	}
}

// closed are the holes whose better answer is a refusal whatever else the case says.
var closed = []string{"H01", "H03", "H04", "H05", "H07", "H08", "H09", "H10", "H11", "H12", "H14", "H19", "H21", "H22", "H23"}

// wrote are the holes of a builder that writes while it is watched: refused, or kept from writing.
var wrote = []string{"H18", "H33"}

func (x exceptions) diverge(t *testing.T, r recorded, status Status, codes []Code, obs Observation) {
	t.Helper()
	if slices.ContainsFunc(r.Case.Holes, func(h string) bool { return slices.Contains(wrote, h) }) {
		if status != Blocked && (obs.Live == nil || obs.Live.LandlockABI == 0 || !obs.Live.unchanged()) {
			t.Errorf("holes %v: %v with %v under %+v", r.Case.Holes, status, codes, obs.Live)
		}
		return
	}
	must := slices.ContainsFunc(r.Case.Holes, func(h string) bool { return slices.Contains(closed, h) })
	better := slices.Contains(r.Case.Holes, "H16") // what is killed does not keep a good report from being read
	if (must || r.Expected.Status == "blocked" && !better) && status != Blocked {
		t.Errorf("holes %v: %v with %v; the reference: %s", r.Case.Holes, status, codes, r.Expected.Status)
	}
}

func diffRows(t *testing.T, r recorded, p Packet) string {
	t.Helper()
	got := []any{}
	for _, c := range p.Candidates {
		var row map[string]any
		data, err := c.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &row); err != nil {
			t.Fatal(err)
		}
		got = append(got, row)
	}
	want := r.Expected.Packet.Candidates
	if want == nil {
		want = []any{}
	}
	return cmp.Diff(want, got)
}

// gateObservation is a live witness that passes, but for the return code.
func gateObservation(code *int) Observation {
	o := passing()
	o.Live.ReturnCode = code
	return o
}

// passing is an observation of a builder that did all right.
func passing() Observation {
	zero := 0
	empty := hexOf(nil)
	return Observation{BuilderRef: "builder.sh", SourceDigest: "d00d", Live: &Live{
		ReturnCode: &zero, StdoutSHA256: empty, StderrSHA256: empty, Targets: 2, Kind: true, BuilderSHA256: empty,
		Confinement: "snapshot", Containment: "process_group", TreeBefore: empty, TreeAfter: empty,
	}}
}

// TestRecorded replays the recorded cases of the reference component. Where we refuse more, the case and the rule are
// listed; nowhere do we refuse less.
func TestRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	_, standard := conformance.Dir(t)
	var base conformance.Tree
	if err := json.Unmarshal(conformance.File(t, "campaign/base-repo.json"), &base); err != nil {
		t.Fatal(err)
	}
	x := exceptions{}
	must := map[string]int{}
	ctx := context.Background()
	conformance.Run(t, "campaign/cases.jsonl", 315, func(r recorded) string { return r.Case.ID }, func(t *testing.T, r recorded) {
		p := r.lay(t, base)
		switch r.Case.Mode {
		case "evaluate":
			w := r.witness(t, p)
			in, err := Load(p.input)
			if err != nil {
				t.Fatal(err)
			}
			x.evaluate(t, r, Evaluate(ctx, in, w))
		case "gate":
			x.gate(t, r)
		case "negative":
			x.negative(t, r, p)
		case "manifest":
			x.manifest(t, r, p)
		case "cli":
			x.cli(t, r, p)
		default:
			t.Fatalf("unknown mode %q", r.Case.Mode)
		}
		if r.Case.Parity == "must" {
			must[r.Case.Mode]++
		}
	})
	for _, mode := range slices.Sorted(maps.Keys(must)) {
		t.Logf("%s: %d must cases, %d by our own rules: %v", mode, must[mode], len(x[mode]), x[mode])
	}
	if standard && python() != "" {
		var list strings.Builder
		for _, mode := range slices.Sorted(maps.Keys(must)) {
			fmt.Fprintf(&list, "%s: %d must cases, %d by a rule of our own\n", mode, must[mode], len(x[mode]))
			for _, line := range x[mode] {
				fmt.Fprintf(&list, "  %s\n", line)
			}
		}
		golden(t, "exceptions.txt", []byte(list.String()))
	}
	if standard {
		for mode, most := range map[string]int{"evaluate": 64, "negative": 6, "cli": 11, "manifest": 0, "gate": 0} {
			if len(x[mode]) > most {
				t.Errorf("%s: %d exceptions, at most %d are expected", mode, len(x[mode]), most)
			}
		}
	}
}

func (x exceptions) gate(t *testing.T, r recorded) {
	obs := gateObservation(r.Case.Inject.ReturnCode)
	obs.Live.Kind = r.Case.Inject.Witness.Status == "pass"
	codes := codesOf(CheckPacket(r.Case.Inject.Packet, obs))
	if len(codes) == 0 && r.Expected.Status != "pass" || len(codes) == 0 && r.Case.Parity != "must" {
		t.Fatal("nothing found")
	}
	if d := cmp.Diff(r.Expected.Codes, reference(codes)); d != "" && r.Case.Parity == "must" {
		x.add(r, "P12")
		t.Error(d)
	}
}

func (x exceptions) negative(t *testing.T, r recorded, p place) {
	c := Config{Input: p.input, Witness: r.witness(t, p)}
	if _, live := c.Witness.(Builder); !live {
		c.Witness, c.Manifest, c.RepoRoot = nil, p.manifest(), p.repo
	}
	got, err := RunNegative(context.Background(), r.Case.CaseID, c)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case r.Case.Parity != "must":
		if got.Status != NotRun || len(got.Codes) == 0 {
			t.Errorf("%v with %v", got.Status, got.Codes)
		}
	case got.Status == NotRun:
		x.add(r, "P42")
		if len(got.Codes) == 0 {
			t.Error("it did not run, and does not say why")
		}
	default:
		if got.Status != Proven && got.Status != Unsupported {
			t.Error(got.Status)
		}
		if d := cmp.Diff(r.Expected.Errors, got.Codes); d != "" {
			t.Error(d)
		}
	}
}

func (x exceptions) manifest(t *testing.T, r recorded, p place) {
	name := filepath.Join(p.input, "source_module_manifest.json")
	if _, err := os.Stat(name); err != nil {
		name = p.manifest()
	}
	s := Config{Input: p.input, Manifest: name, RepoRoot: p.repo, ForbiddenTokens: filepath.Join(p.public, "core", "private_state_forbidden_classes.json")}.read()
	found := slices.Concat(s.src.check(s.git), s.sourceHits())
	status := Pass
	if len(found) > 0 {
		status = Blocked
	}
	switch r.Case.Parity {
	case "crash":
		if status != Blocked {
			t.Error("a crash of the reference passes")
		}
		return
	case "diverge":
		x.diverge(t, r, status, codesOf(found), Observation{})
		return
	}
	if d := cmp.Diff(r.Expected.Codes, reference(codesOf(found))) + cmp.Diff(r.Expected.Status, status.String()); d != "" {
		x.add(r, "P40")
		t.Error(d)
	}
}

func (x exceptions) cli(t *testing.T, r recorded, p place) {
	manifest := filepath.Join(p.input, "source_module_manifest.json")
	if _, err := os.Stat(manifest); err != nil {
		manifest = p.manifest()
	}
	c := Config{Input: p.input, Out: p.out, Manifest: manifest, RepoRoot: p.repo, ForbiddenTokens: filepath.Join(p.public, "core", "private_state_forbidden_classes.json")}
	if w, live := r.witness(t, p).(Builder); live {
		c.Witness = w
	}
	if r.Expected.Status == "" && r.Case.Parity == "must" {
		return // a usage error: the command's own tests have those
	}
	run := Run
	if slices.Contains(r.Case.Argv, "run-bounded-autonomy-bundle") {
		run = RunBundle
	}
	rec, err := run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(filepath.Join(p.out, ResultFile))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(rec.Render()), string(written)); d != "" {
		t.Error(d)
	}
	codes := codesOf(rec.Findings)
	switch r.Case.Parity {
	case "crash":
		if rec.Status != Blocked || len(codes) == 0 {
			t.Errorf("%v with %v", rec.Status, codes)
		}
		return
	case "diverge":
		x.diverge(t, r, rec.Status, codes, rec.Witness.observation())
		return
	}
	d := cmp.Diff(r.Expected.Status, rec.Status.String()) + cmp.Diff(r.Expected.Codes, reference(codes))
	if d == "" {
		return
	}
	want := slices.CompactFunc(documentsOnly(r.Expected.Codes), func(a, b Code) bool { return a == b })
	marker := slices.ContainsFunc(want, func(c Code) bool { return c == "CROWN_JEWEL_NEGATIVE_CASE_MISSING" }) || r.onlyMarkerIsBad(t)
	switch {
	case marker:
		x.add(r, "P46: marker files are not read")
	case within(want, codes) && rec.Status == Blocked:
		x.add(r, "P46")
	default:
		t.Error(d)
	}
}

// onlyMarkerIsBad reports a case whose documents are fine but whose declaration of a negative case is not JSON or no
// object.
func (r recorded) onlyMarkerIsBad(t *testing.T) bool {
	for _, name := range documentNames {
		if readDocument(name, r.Input[name].Bytes()).fault() != "" {
			return false
		}
	}
	return strings.HasPrefix(fmt.Sprint(r.Expected.Codes), "[CROWN_JEWEL_INPUT_")
}
