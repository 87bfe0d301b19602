package campaign

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Config says what Run judges. Everything is explicit: no program and no policy is ever looked for. // P40, H31
type Config struct {
	Input           string           // folder of the four documents
	Out             string           // folder of the three records; "" writes nothing
	Witness         Witness          // nil: the manifest's, and without one none
	Manifest        string           // file; validated whole when it is given
	BuilderRef      string           // the builder's row in the manifest; "" is the constant BuilderRef
	RepoRoot        string           // folder in which a manifest's live sources lie; "" compares none
	ForbiddenTokens string           // file; "" scans nothing, and the record says so
	Actions         []string         // that the policy may allow beside DefaultActions
	Now             func() time.Time // nil is time.Now
}

// Run judges a campaign and writes its record: the documents, the manifest, the four checks under one observation, the
// negative cases, and the scan. A refusal is a Record with Status Blocked and no error. The error is for what could not
// be read or written; a record is written all the same when its folder can be. // P40, P41, P44
func Run(ctx context.Context, c Config) (Record, error) { return c.run(ctx, FixtureMode) }

// RunBundle is Run for an exported bundle; the same checks guard both. // P40
func RunBundle(ctx context.Context, c Config) (Record, error) { return c.run(ctx, BundleMode) }

// RunNegative runs one negative case: it judges the campaign as Run does, without writing, and spoils it. // P42
func RunNegative(ctx context.Context, id string, c Config) (NegativeCase, error) {
	s := c.read()
	e, _ := s.judge(ctx)
	return s.baseline(e).negative(id), errors.Join(s.errs...)
}

// session is what a run has read, once.
type session struct {
	Config
	in     Inputs
	src    *sources // nil without a manifest
	git    bool     // the repository is one of git's
	policy file     // forbidden tokens
	tokens tokens
	faults []Finding // of the policy of forbidden tokens
	errs   []error
}

func (c Config) read() *session {
	s := &session{Config: c}
	var err error
	s.in, err = Load(c.Input)
	s.in.Actions = c.Actions
	s.note(err)
	if c.Manifest != "" {
		s.src = readManifest(c.Manifest, c.RepoRoot)
		s.note(s.src.err)
	}
	if c.RepoRoot != "" {
		info, err := os.Lstat(filepath.Join(c.RepoRoot, ".git"))
		s.git = err == nil && info.IsDir()
	}
	if c.ForbiddenTokens != "" {
		name := filepath.Base(c.ForbiddenTokens)
		data, err := readOutside(c.ForbiddenTokens, MaxDocument)
		s.note(unlessAbsent(err))
		if err == nil {
			s.policy = newFile(data)
		}
		var code Code
		var where string
		if s.tokens, code, where = parseTokens(name, data); code != "" {
			s.faults = []Finding{finding(code, where)}
		}
	}
	return s
}

func (s *session) note(err error) {
	if err != nil {
		s.errs = append(s.errs, err)
	}
}

// readOutside reads a file that stands on its own.
func readOutside(name string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return readRegular(root, filepath.Base(name), limit)
}

// judge evaluates, and gives the manifest's findings apart.
func (s *session) judge(ctx context.Context) (Evaluation, []Finding) {
	w := s.Witness
	var manifest []Finding
	if s.src != nil {
		manifest = s.src.check(s.git)
		if w == nil {
			w = s.src.witness(s.BuilderRef)
		}
	}
	return Evaluate(ctx, s.in, w), manifest
}

func (s *session) baseline(e Evaluation) baseline {
	ref := s.BuilderRef
	if ref == "" {
		ref = BuilderRef
	}
	b := baseline{in: s.in, obs: e.Observation, src: s.src, ref: ref, git: s.git}
	b.passing = e.Status() == Pass && len(b.judge(nil)) == 0
	return b
}

func (c Config) run(ctx context.Context, mode string) (Record, error) {
	s := c.read()
	e, manifest := s.judge(ctx)
	docs := len(read(s.in).findings)

	r := Record{
		Version: 1, Schema: RecordSchema, Status: Blocked, InputMode: mode, Inputs: s.digests(), Actions: nonNil(distinct(c.Actions)),
		Packet: e.Packet, Witness: witnessRecord(e.Observation), Review: "none",
		Counts:    Counts{e.GapCount, e.FailedDigestCount, e.RepeatedDigestCount},
		CreatedAt: s.now(),
	}
	r.Findings = slices.Concat(e.Findings[:docs], manifest, s.sourceHits(), e.Findings[docs:], s.changed())
	b := s.baseline(e)
	for _, id := range NegativeCases() {
		n := b.negative(id)
		r.Negative = append(r.Negative, n)
		if n.Status == NotProven {
			r.Findings = append(r.Findings, finding(NegativeCaseUnproven, "").ofCase(n.ID))
		}
	}
	r.Findings = append(r.Findings, s.scan(&r)...)
	r.Findings = nonNil(r.Findings)
	if len(r.Findings) == 0 && e.Status() == Pass && len(s.errs) == 0 {
		r.Status = Pass
	}
	r = s.sealed(r)
	if c.Out != "" {
		s.note(r.write(c.Out))
	}
	return r, errors.Join(s.errs...)
}

func (s *session) now() time.Time {
	now := time.Now
	if s.Now != nil {
		now = s.Now
	}
	return now().UTC().Truncate(time.Second)
}

func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// digests lists every file that was judged. // H32
func (s *session) digests() []InputDigest {
	var out []InputDigest
	add := func(name, role string, f file) {
		d := InputDigest{Name: namedRef(name), Role: role, Bytes: len(f.data)}
		if f.exists {
			d.SHA256 = &f.sum
		}
		out = append(out, d)
	}
	for i, d := range s.in.docs {
		f := file{}
		if d.data != nil {
			f = newFile(d.data)
		}
		add(documentNames[i], "document", f)
	}
	if s.src != nil {
		f := file{}
		if s.src.data != nil {
			f = newFile(s.src.data)
		}
		add(s.src.name, "manifest", f)
		for _, m := range s.src.rows[:min(len(s.src.rows), maxFindings)] {
			add(m.ref, "module", m.target)
			if m.source.exists {
				add(m.ref, "source", m.source)
			}
		}
	}
	if s.ForbiddenTokens != "" {
		add(filepath.Base(s.ForbiddenTokens), "forbidden_tokens", s.policy)
	}
	return out
}

// changed reads every input once more, and names those that are no longer what was judged. // H33
func (s *session) changed() []Finding {
	var found []Finding
	now, _ := Load(s.Input)
	for i, d := range s.in.docs {
		if string(d.data) != string(now.docs[i].data) {
			found = append(found, finding(InputChanged, documentNames[i]))
		}
	}
	if s.src != nil {
		again := readManifest(s.Manifest, s.RepoRoot)
		if string(again.data) != string(s.src.data) {
			return append(found, finding(InputChanged, named(s.src.name)))
		}
		for i, m := range s.src.rows {
			if m.target.sum != again.rows[i].target.sum || m.source.sum != again.rows[i].source.sum {
				found = append(found, finding(InputChanged, namedRef(m.ref)))
			}
		}
	}
	if s.ForbiddenTokens != "" {
		if data, _ := readOutside(s.ForbiddenTokens, MaxDocument); string(data) != string(s.policy.data) {
			found = append(found, finding(InputChanged, named(filepath.Base(s.ForbiddenTokens))))
		}
	}
	return capped(found)
}

// sourceHits scans the manifest and its modules. // C5.2
func (s *session) sourceHits() []Finding {
	if s.src == nil {
		return nil
	}
	if n := len(s.tokens.inSources(s.src)); n > 0 {
		return []Finding{finding(SourceScanBlocked, named(s.src.name)).observed(n)}
	}
	return nil
}

// scan scans the documents as they were judged, and every other file of their folder. // P46
func (s *session) scan(r *Record) []Finding {
	r.Scan = "none"
	if s.ForbiddenTokens == "" {
		return nil
	}
	var hits []Hit
	for i, d := range s.in.docs {
		hits = append(hits, s.tokens.in(documentNames[i], d.data)...)
	}
	more, files, unread := s.tokens.folder(s.Input, s.ForbiddenTokens)
	for _, h := range more {
		if !slices.Contains(hits, h) {
			hits = append(hits, h)
		}
	}
	r.Scan, r.Scanned = "pass", &Scanned{files, unread, nonNil(hits[:min(len(hits), maxFindings)])}
	found := slices.Clone(s.faults)
	if len(hits)+unread > 0 {
		found = append(found, finding(FixtureScanBlocked, "").observed(len(hits)+unread))
	}
	if len(found) > 0 {
		r.Scan = "blocked"
	}
	return found
}

// sealed puts the digest into a record. A record that says a forbidden token itself is replaced by a refusal that says
// codes and nothing else. // P41, H14
func (s *session) sealed(r Record) Record {
	r.Digest = r.digest()
	if len(s.tokens.in("record", r.Render())) == 0 && len(r.Render()) <= MaxRecord {
		return r
	}
	m := Record{
		Version: r.Version, Schema: r.Schema, Status: Blocked, InputMode: r.InputMode, Refusal: true, Witness: witnessRecord(Observation{}),
		Inputs: []InputDigest{}, Actions: []string{}, Findings: []Finding{}, Negative: []NegativeCase{},
		Scan: "blocked", Review: r.Review, CreatedAt: r.CreatedAt,
	}
	for _, f := range r.Findings {
		m.Findings = append(m.Findings, finding(f.Code, ""))
	}
	if !slices.Contains(codesOf(m.Findings), FixtureScanBlocked) {
		m.Findings = append(m.Findings, finding(FixtureScanBlocked, ""))
	}
	m.Digest = m.digest()
	return m
}
