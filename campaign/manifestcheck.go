package campaign

import (
	"example.com/ambit/internal/canonjson"
)

// importClass is what a manifest of copied source modules calls itself.
const importClass = "copied_non_secret_macro_body"

// knownAnchors are the words that the contract's own modules must contain, by source_ref. // C5
var knownAnchors = map[string][]string{
	"tools/meta/control/reactions_engine.py":                   {"reaction", "campaign"},
	"tools/meta/factory/build_compliance_autocure_campaign.py": {"campaign", "compliance"},
	BuilderRef: {"campaign", "standard"},
}

// normalized are the relations of a copy that differs from its source on purpose.
var normalized = []string{
	"source_faithful_public_safe_normalized_copy", "source_faithful_public_safe_path_normalized_copy",
}

// check judges the manifest and all its rows. git says that the repository is one of git's, where every source must be
// there. Drift is never excused: who may write a claim could also write the source. // C5, P40, H21, H22
func (s *sources) check(git bool) []Finding {
	if s.bad == InputMissing {
		return []Finding{finding(SourceManifestMissing, named(s.name))}
	}
	var found []Finding
	if s.bad != "" {
		found = append(found, finding(s.bad, named(s.name)))
	}
	if class := s.root.Get("source_import_class"); class.Text() != importClass {
		f := finding(SourceImportClass, named(s.name)).expected(importClass)
		if class.Is(canonjson.KindString) {
			f = f.observed(named(class.Text()))
		}
		found = append(found, f)
	}
	if len(s.rows) == 0 {
		found = append(found, finding(ManifestEmpty, named(s.name)))
	}
	top := inDocument(named(s.name))
	var authority some
	claims(s.root, &top, &authority)
	found = append(found, authority.all()...)
	var rows []Finding
	for _, m := range s.rows {
		rows = append(rows, m.check(git)...)
	}
	return append(found, capped(rows)...)
}

// check judges one row. // C5.1, C5.2
func (m module) check(git bool) []Finding {
	t := m.target
	normal := m.row.Get("source_to_target_relation").Text() == normalized[0] || m.row.Get("source_to_target_relation").Text() == normalized[1]
	listed := t.exists && m.says("sha256", t.sum) && m.says("target_sha256", t.sum)
	exact := listed && m.says("source_sha256", t.sum)
	transformed := truthy(m.row.Get("public_safe_transform")) || truthy(m.row.Get("public_safe_mode")) || truthy(m.row.Get("public_safety_transformations"))

	var same, match bool // the copy is its live source; its digests are the listed ones
	switch both := m.source.exists && t.exists; {
	case both && normal:
		original := m.row.Get("original_source_sha256")
		same = listed && m.says("source_sha256", m.source.sum) && (!truthy(original) || m.says("original_source_sha256", m.source.sum)) && transformed
		match = same
	case both:
		same, match = m.source.sum == t.sum, exact
	case normal && t.exists && !git && !m.source.exists:
		same = listed && (truthy(m.row.Get("original_source_sha256")) || truthy(m.row.Get("source_sha256"))) && transformed
		match = same
	default:
		same, match = !git && !m.source.exists && exact, !git && !m.source.exists && exact
	}

	var found []Finding
	ref, path := namedRef(m.ref), namedRef(m.path)
	add := func(when bool, f Finding) {
		if when {
			found = append(found, f)
		}
	}
	add(git && !m.source.exists, finding(SourceRefMissing, ref))
	add(m.namesItself(), finding(SourceSelfReference, ref))
	add(m.badPath || m.badSource, finding(ManifestPath, ref))
	add(!t.exists, finding(SourceTargetMissing, path))
	if normal && !match {
		found = append(found, finding(SourceNormalizedCopy, ref))
	} else {
		add((git || m.source.exists) && !same, finding(SourceBodyCopyMismatch, ref))
	}
	digest := finding(SourceDigestMismatch, ref)
	if want := m.row.Get("sha256"); want.Is(canonjson.KindString) {
		digest = digest.expected(named(want.Text()))
	}
	if t.exists {
		digest = digest.observed(t.sum)
	}
	add(!match, digest)
	count := finding(SourceLineCount, ref)
	if t.exists {
		count = count.observed(t.lines)
	}
	add(!m.lineCountMatches(), count)
	if missing := t.lacks(knownAnchors[m.ref]); len(missing) > 0 {
		found = append(found, finding(SourceAnchorMissing, ref).expected(knownAnchors[m.ref]).observed(missing))
	}
	return found
}

// namesItself reports a row whose source is its own copy. // C5.1
func (m module) namesItself() bool {
	if !truthy(m.row.Get("original_source_ref")) {
		return false
	}
	fromRoot := ""
	if m.path != "" {
		fromRoot = publicRoot + m.path
	}
	return m.ref == m.row.Get("target_ref").Text() || m.ref == m.path || m.ref == fromRoot
}

// truthy reports a value that says anything at all. // C3
func truthy(v canonjson.Value) bool {
	switch v.Kind() {
	case canonjson.KindString:
		return v.Text() != ""
	case canonjson.KindBool:
		return v.True()
	case canonjson.KindInt, canonjson.KindFloat:
		f, _ := v.Float64()
		return f != 0
	}
	return !v.Empty()
}
