//go:build unix

package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestManifest judges copied modules row by row. // C5, P35
func TestManifest(t *testing.T) {
	sum := hexOf([]byte(moduleText))
	normal := map[string]any{
		"source_to_target_relation": normalized[1], "public_safe_transform": "paths", "source_sha256": hexOf([]byte("# live\n")),
		"original_source_sha256": hexOf([]byte("# live\n")),
	}
	and := func(a map[string]any, k string, v any) map[string]any {
		b := map[string]any{k: v}
		for key, value := range a {
			if key != k {
				b[key] = value
			}
		}
		return b
	}
	witnessed := []Code{WitnessBlocked, PacketSubprocessFailed}
	for name, tt := range map[string]struct {
		row  map[string]any
		live string // the source in the repository; "" is none
		git  bool
		want []Code
	}{
		"good":                   {nil, "", false, nil},
		"good and live":          {nil, moduleText, true, nil},
		"live and drifted":       {nil, "# other\n", false, []Code{SourceBodyCopyMismatch}},
		"not in its repository":  {nil, "", true, []Code{SourceRefMissing, SourceBodyCopyMismatch, SourceDigestMismatch}},
		"another digest":         {map[string]any{"sha256": strings.Repeat("0", 64)}, "", false, append([]Code{SourceDigestMismatch}, witnessed...)},
		"another source digest":  {map[string]any{"source_sha256": "x y"}, "", false, []Code{SourceDigestMismatch}},
		"capital digits":         {map[string]any{"sha256": strings.ToUpper(sum)}, "", false, append([]Code{SourceDigestMismatch}, witnessed...)},
		"another count":          {map[string]any{"line_count": 3}, "", false, append([]Code{SourceLineCount}, witnessed...)},
		"a count as text":        {map[string]any{"line_count": "2"}, "", false, append([]Code{SourceLineCount}, witnessed...)},
		"a count as 2.0":         {map[string]any{"line_count": json.Number("2.0")}, "", false, nil},
		"its own source":         {map[string]any{"original_source_ref": "x", "target_ref": BuilderRef}, "", false, []Code{SourceSelfReference}},
		"its own path":           {map[string]any{"original_source_ref": "x", "path": BuilderRef}, "", false, append([]Code{SourceSelfReference, SourceTargetMissing, SourceDigestMismatch, SourceLineCount, SourceAnchorMissing}, append(witnessed, CandidatePacketEmpty)...)},
		"an anchor of its row":   {map[string]any{"required_anchors": []any{"nowhere"}}, "", false, witnessed},
		"normal and live":        {normal, "# live\n", false, nil},
		"normal, not live":       {normal, "", false, nil},
		"normal, not in git":     {normal, "", true, []Code{SourceRefMissing, SourceNormalizedCopy, SourceDigestMismatch}},
		"normal, untransformed":  {and(normal, "public_safe_transform", ""), "", false, []Code{SourceNormalizedCopy, SourceDigestMismatch}},
		"normal, other original": {and(normal, "original_source_sha256", "0"), "# live\n", false, []Code{SourceNormalizedCopy, SourceDigestMismatch}},
		"transformed by a list":  {and(and(normal, "public_safe_transform", nil), "public_safety_transformations", []any{"x"}), "", false, nil},
		"transformed by a count": {and(normal, "public_safe_transform", 1), "", false, nil},
		"not transformed, true":  {and(normal, "public_safe_transform", false), "", false, []Code{SourceNormalizedCopy, SourceDigestMismatch}},
		"authority":              {map[string]any{"release_authorized": true}, "", false, []Code{AuthorityClaimed}},
	} {
		w := newWorld(t)
		w.write(w.manifest, manifestOf(builderRow(tt.row)))
		c := w.config()
		c.RepoRoot = t.TempDir()
		if tt.live != "" {
			w.write(filepath.Join(c.RepoRoot, filepath.FromSlash(BuilderRef)), tt.live)
		}
		if tt.git {
			must(t, os.Mkdir(filepath.Join(c.RepoRoot, ".git"), 0o755))
		}
		r := w.run(c)
		want := tt.want
		if want == nil {
			want = []Code{}
		}
		if d := cmp.Diff(want, codesOf(r.Findings)); d != "" || (r.Status == Pass) != (len(want) == 0) {
			t.Errorf("%s: %v\n%s", name, r.Status, d)
		}
		in, err := Load(w.in)
		must(t, err)
		if v := (Evidence{Inputs: in, Manifest: c.Manifest, RepoRoot: c.RepoRoot}).Verify(r.Render()); !v.OK() {
			t.Errorf("%s: its record does not verify: %v", name, v.Problems)
		}
		for _, n := range r.Negative {
			if r.Status == Pass && n.Status == NotProven {
				t.Errorf("%s: %s: %v", name, n.ID, n.Codes)
			}
		}
	}
}

// TestManifestFile judges the file itself, and modules named by target_ref.
func TestManifestFile(t *testing.T) {
	ctx := context.Background()
	for name, tt := range map[string]struct {
		text string
		code Code
		want []Code
	}{
		"not JSON":         {"{", ManifestInvalid, []Code{InputInvalidJSON, SourceImportClass, ManifestEmpty}},
		"a list":           {"[]", ManifestInvalid, []Code{InputNotObject, SourceImportClass, ManifestEmpty}},
		"modules a text":   {`{"source_import_class":"copied_non_secret_macro_body","modules":"x"}`, ManifestInvalid, []Code{ManifestEmpty}},
		"another class":    {`{"source_import_class":"other thing"}`, SourceModuleMissing, []Code{SourceImportClass, ManifestEmpty}},
		"another module":   {manifestOf(builderRow(map[string]any{"source_ref": "tools/x.py"})), SourceModuleMissing, []Code{}},
		"no path":          {manifestOf(builderRow(map[string]any{"path": nil})), BuilderTargetMissing, []Code{SourceTargetMissing, SourceDigestMismatch, SourceLineCount, SourceAnchorMissing}},
		"nothing there":    {manifestOf(builderRow(map[string]any{"path": "x/y", "line_count": nil})), BuilderTargetMissing, []Code{SourceTargetMissing, SourceDigestMismatch, SourceAnchorMissing}},
		"a folder":         {manifestOf(builderRow(map[string]any{"path": "modules", "line_count": nil})), BuilderTargetMissing, []Code{SourceTargetMissing, SourceDigestMismatch, SourceAnchorMissing}},
		"through a file":   {manifestOf(builderRow(map[string]any{"path": "modules/builder.py/x", "line_count": nil})), BuilderTargetMissing, []Code{SourceTargetMissing, SourceDigestMismatch, SourceAnchorMissing}},
		"a row of no kind": {`{"source_import_class":"copied_non_secret_macro_body","modules":[7]}`, SourceModuleMissing, []Code{ManifestEmpty}},
	} {
		w := newWorld(t)
		w.write(w.manifest, tt.text)
		if o := (Manifest{File: w.manifest}).Observe(ctx, 2); o.ErrorCode != tt.code || o.Status() != Blocked {
			t.Errorf("%s: %v %v", name, o.Status(), o.ErrorCode)
		}
		if d := cmp.Diff(tt.want, codesOf(readManifest(w.manifest, "").check(false))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	w := newWorld(t)
	must(t, os.Remove(w.manifest))
	for _, file := range []string{w.manifest, filepath.Join(w.bundle, "none", "x"), w.bundle, filepath.Join(w.bundle, "modules", "builder.py", "x")} {
		if o := (Manifest{File: file}).Observe(ctx, 2); o.ErrorCode != ManifestMissing {
			t.Errorf("%s: %v", file, o.ErrorCode)
		}
		if got := codesOf(readManifest(file, "").check(false)); !slices.Equal(got, []Code{SourceManifestMissing}) {
			t.Errorf("%s: %v", file, got)
		}
	}
	w.write(filepath.Join(w.bundle, "modules", "binary"), "campaign standard\xff\n")
	w.write(w.manifest, manifestOf(builderRow(map[string]any{"path": "modules/binary", "sha256": hexOf([]byte("campaign standard\xff\n")), "target_sha256": hexOf([]byte("campaign standard\xff\n")), "line_count": 1})))
	if o := (Manifest{File: w.manifest}).Observe(ctx, 2); o.Status() != Blocked || o.Copied.LineCountMatch || !o.Copied.DigestMatch {
		t.Errorf("a module that is no text: %+v", o.Copied)
	}
	for _, at := range []string{"published/builder.py", publicRoot + "published/builder.py"} {
		repo := t.TempDir()
		w.write(filepath.Join(repo, filepath.FromSlash(at)), moduleText)
		w.write(w.manifest, manifestOf(builderRow(map[string]any{"path": nil, "target_ref": "published/builder.py"})))
		if o := (Manifest{File: w.manifest}).Observe(ctx, 2); o.ErrorCode != BuilderTargetMissing {
			t.Errorf("%s: %v", at, o.ErrorCode)
		}
		if found := readManifest(w.manifest, repo).check(false); len(found) != 0 {
			t.Errorf("%s: %v", at, codesOf(found))
		}
	}
}

// TestTokens judges policies of forbidden tokens. // P46
func TestTokens(t *testing.T) {
	if testing.Short() {
		t.Skip("not one of the quick tests")
	}
	for name, tt := range map[string]struct {
		policy string
		status string
		want   []Code
	}{
		"none":              {`{}`, "pass", []Code{}},
		"no hit":            {`{"classes":[{"terms":[{"token":"QQ"}]}]}`, "pass", []Code{}},
		"not JSON":          {`{`, "blocked", []Code{InputInvalidJSON}},
		"a list":            {`[]`, "blocked", []Code{InputNotObject}},
		"classes no list":   {`{"classes":7}`, "blocked", []Code{InputInvalidJSON}},
		"a class no object": {`{"classes":[7]}`, "blocked", []Code{InputInvalidJSON}},
		"terms no list":     {`{"classes":[{"terms":"QQ"}]}`, "blocked", []Code{InputInvalidJSON}},
		"a token no text":   {`{"classes":[{"terms":[{"token":7}]}]}`, "blocked", []Code{InputInvalidJSON}},
		"a hit":             {`{"classes":[{"class_id":"toy","terms":[{"token":"allowed_actions"}]}]}`, "blocked", []Code{FixtureScanBlocked}},
		"a hit in all":      {`{"classes":[{"terms":[{"token":"{"}]}]}`, "blocked", nil},
	} {
		w := newWorld(t)
		c := w.config()
		c.ForbiddenTokens = filepath.Join(t.TempDir(), "policy.json")
		w.write(c.ForbiddenTokens, tt.policy)
		r := w.run(c)
		if tt.want != nil {
			if d := cmp.Diff(tt.want, codesOf(r.Findings)); d != "" {
				t.Errorf("%s: %s", name, d)
			}
		} else if !r.Refusal {
			t.Errorf("%s: no refusal", name)
		}
		if r.Scan != tt.status || r.Scan == "pass" != (r.Status == Pass) {
			t.Errorf("%s: scan %s, %v", name, r.Scan, r.Status)
		}
	}
	w := newWorld(t)
	c := w.config()
	c.ForbiddenTokens = filepath.Join(w.in, "none")
	if r := w.run(c); !slices.Equal(codesOf(r.Findings), []Code{InputMissing}) || r.Scan != "blocked" {
		t.Errorf("no policy where one is named: %v", codesOf(r.Findings))
	}
	c.ForbiddenTokens = filepath.Join(t.TempDir(), "policy.json")
	w.write(c.ForbiddenTokens, `{"classes":[{"terms":[{"token":"QQ"}]}]}`)
	inside := c
	inside.ForbiddenTokens = filepath.Join(w.in, "policy.json")
	w.write(inside.ForbiddenTokens, `{"classes":[{"terms":[{"token":"QQ"}]}]}`)
	if r := w.run(inside); r.Status != Pass {
		t.Errorf("the policy beside the documents: %v", codesOf(r.Findings))
	}
	must(t, os.Remove(inside.ForbiddenTokens))
	w.write(filepath.Join(w.in, "huge"), strings.Repeat("x", maxScanBytes+1))
	must(t, os.Symlink("huge", filepath.Join(w.in, "link")))
	if r := w.run(c); r.Status != Blocked || r.Scanned.Unread != 1 {
		t.Errorf("a file that is not read: %v, %+v", r.Status, r.Scanned)
	}
	must(t, os.Remove(filepath.Join(w.in, "huge")))
	for i := range maxScanFiles {
		w.write(filepath.Join(w.in, "many", fmt.Sprint(i)), "x")
	}
	if r := w.run(c); r.Status != Blocked || r.Scanned.Unread != 1 {
		t.Errorf("too many files: %v, %+v", r.Status, r.Scanned)
	}
	c.Input = filepath.Join(w.in, "none")
	if r := w.run(c); r.Status != Blocked || !slices.Equal(codesOf(r.Findings), []Code{InputMissing, InputMissing, InputMissing, InputMissing}) {
		t.Errorf("no folder: %v", codesOf(r.Findings))
	}
}

// TestBundle holds what the two modes share and differ in. // P40
func TestBundle(t *testing.T) {
	w := newWorld(t)
	a := w.run(w.config())
	b, err := RunBundle(t.Context(), w.config())
	if err != nil || b.InputMode != BundleMode || a.InputMode != FixtureMode || b.Status != a.Status || !cmp.Equal(a.Negative, b.Negative) {
		t.Errorf("%v: %v and %v", err, a.InputMode, b.InputMode)
	}
	c := w.config()
	c.Out, c.Now = "", nil
	if r := w.run(c); r.CreatedAt.Year() < 2026 {
		t.Errorf("created at %v", r.CreatedAt)
	}
	if d := cmp.Diff([]string{
		"source_write_campaign_packet", "repeated_failed_campaign_digest", "authority_flag_claimed", "builder_claims_write", "tree_changed",
		"digest_drift", "plan_already_failed", "authorising_row", "oversized_count",
	}, NegativeCases()); d != "" {
		t.Error(d)
	}
	w.doc(ledgerDoc, `{}`)
	if n, err := RunNegative(t.Context(), "repeated_failed_campaign_digest", w.config()); err != nil || n.Status != Proven {
		t.Errorf("an empty ledger: %v %v", n, err)
	}
}

// TestWriting holds that records are written all or none, and that what cannot be read or written is an error beside a
// record that is blocked. // P41, P44
func TestWriting(t *testing.T) {
	w := newWorld(t)
	w.run(w.written())
	before, err := os.ReadFile(filepath.Join(w.out, ResultFile))
	must(t, err)
	must(t, os.Remove(filepath.Join(w.out, ReceiptFile)))
	must(t, os.Mkdir(filepath.Join(w.out, ReceiptFile), 0o755))
	w.doc(policyDoc, `{"max_candidate_count":1}`)
	if _, err := Run(t.Context(), w.written()); err == nil {
		t.Error("a folder in a record's place: no error")
	}
	after, err := os.ReadFile(filepath.Join(w.out, ResultFile))
	if err != nil || string(before) != string(after) {
		t.Errorf("%v: one of the three was written", err)
	}
	if os.Geteuid() == 0 {
		return // root reads and writes everything
	}
	must(t, os.Remove(filepath.Join(w.out, ReceiptFile)))
	must(t, os.Chmod(filepath.Join(w.in, GapsFile), 0))
	r, err := Run(t.Context(), w.written())
	if err == nil || r.Status != Blocked || !slices.Contains(codesOf(r.Findings), InputInvalidJSON) {
		t.Errorf("unreadable gaps: %v %v", r.Status, err)
	}
	if _, err := os.Stat(filepath.Join(w.out, ReceiptFile)); err != nil {
		t.Error("no record of it")
	}
	must(t, os.Chmod(w.in, 0))
	defer func() { _ = os.Chmod(w.in, 0o755) }()
	if _, err := Load(w.in); err == nil {
		t.Error("an unreadable folder: no error")
	}
	must(t, os.Chmod(w.manifest, 0))
	if s := readManifest(w.manifest, ""); s.err == nil || s.bad != InputInvalidJSON {
		t.Errorf("an unreadable manifest: %v %v", s.bad, s.err)
	}
}

// TestLoad holds which files are read and which are not.
func TestLoad(t *testing.T) {
	w := newWorld(t)
	gaps := filepath.Join(w.in, GapsFile)
	must(t, os.WriteFile(gaps, []byte(`{"a":"`+strings.Repeat("x", MaxDocument)+`"}`), 0o644))
	in, err := Load(w.in)
	must(t, err)
	refused(t, judged(in), InputInvalidJSON)
	must(t, os.Remove(gaps))
	must(t, os.Mkdir(gaps, 0o755))
	in, err = Load(w.in)
	must(t, err)
	refused(t, judged(in), InputMissing)
	for _, dir := range []string{filepath.Join(w.in, "none"), filepath.Join(w.in, PolicyFile)} {
		in, err = Load(dir)
		must(t, err)
		refused(t, judged(in), InputMissing, InputMissing, InputMissing, InputMissing)
	}
}

func TestReadRecord(t *testing.T) {
	for _, text := range []string{"", "{", "[]", "7", `{"version":1}{}`, `{"version":1,"version":1}`, `{"nothing":1}`, `{"status":"fine"}`, strings.Repeat(" ", MaxRecord+1)} {
		if _, err := ReadRecord("record.json", []byte(text)); err == nil {
			t.Errorf("accepted: %.40s", text)
		} else if !strings.HasPrefix(err.Error(), "record.json:") {
			t.Errorf("%.40s: %v", text, err)
		}
	}
	if list := errorsOf(errors.New("plain")); len(list) != 1 || list[0].Code != "record_shape" {
		t.Error(list)
	}
}

// TestMermaid pins the picture of a run that passes and of one that is refused. // P45
func TestMermaid(t *testing.T) {
	w := newWorld(t)
	golden(t, "pass.mmd", []byte(w.run(w.config()).Mermaid()))
	w.doc(policyDoc, `{"allowed_actions":["write_source"]}`)
	golden(t, "refused.mmd", []byte(w.run(w.config()).Mermaid()))
	for c := range sentences {
		n := 0
		for _, g := range gates {
			if g.codes(c) {
				n++
			}
		}
		record := c != NegativeCaseUnsupported && c != BuilderTimeout && c != ManifestMissing && c != ManifestInvalid && c != SourceModuleMissing && c != BuilderTargetMissing
		if record && n != 1 {
			t.Errorf("%s is refused by %d gates", c, n)
		}
	}
}

func TestCleanPath(t *testing.T) {
	for in, want := range map[string]string{
		"a/b": "a/b", "a\nb": `a\u000ab`, "\u202ea": `\u202ea`, "日本": "日本",
		strings.Repeat("x", 600): "sha256:" + hexOf([]byte(strings.Repeat("x", 600))),
	} {
		if got := cleanPath(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"/r/b.sh": "b.sh", "/r/x/b.sh": "x/b.sh", "/elsewhere/b.sh": "b.sh", "/r/..b": "..b",
		"/r/a\nb": "sha256:" + hexOf([]byte("a\nb")),
	} {
		if got := (Builder{Root: "/r", Path: in}).ref(); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestOnlyTheWitnessStartsProcesses holds that no other file can.
func TestOnlyTheWitnessStartsProcesses(t *testing.T) {
	files, err := filepath.Glob("*.go")
	must(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "witness") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		must(t, err)
		for _, imp := range f.Imports {
			if p := strings.Trim(imp.Path.Value, `"`); p == "os/exec" || strings.HasPrefix(p, "github.com/landlock") || p == "syscall" && name != "system_unix.go" {
				t.Errorf("%s imports %s", name, p)
			}
		}
	}
}
