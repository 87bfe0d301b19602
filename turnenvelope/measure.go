package turnenvelope

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/ambit/internal/canonjson"
)

// E12.1: the measures of one output.

func measure(o Output) Row {
	policy, format := o.Policy, "json"
	if policy == "" {
		policy = defaultPolicy
	}
	row := Row{ID: o.ID, Policy: &policy, Format: &format}
	set := func(i, n int) { m := int64(n); row.Metrics[i] = &m }
	set(0, utf8.RuneCount(o.Text))
	set(1, len(o.Text))
	set(2, countLines(o.Text))
	v, err := canonjson.Parse("", o.Text, limits)
	if err != nil || v.Kind() != object && v.Kind() != array {
		format = "markdown"
		row.Headings = headings(string(o.Text))
		if len(row.Headings) > 0 {
			row.Anchor = &row.Headings[0]
		}
		return row
	}
	set(3, utf8.RuneCount(v.AppendCompact(nil)))
	for k := range v.Members() {
		row.SemanticKeys = append(row.SemanticKeys, k.Text())
	}
	slices.Sort(row.SemanticKeys)
	row.ShapePaths = shapePaths(v)
	row.Digest, row.Coverages = signatureSemantics(v)
	return row
}

func countLines(b []byte) int {
	n := bytes.Count(b, []byte{'\n'})
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// headings gives the Markdown headings, outside fenced blocks.
func headings(s string) []string {
	var out []string
	fence := ""
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(line, fence) {
				fence = ""
			}
		case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
			fence = line[:3]
		default:
			if rest := strings.TrimLeft(line, "#"); rest != line && len(line)-len(rest) <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
				out = append(out, line)
			}
		}
	}
	return out
}

// shapePaths gives the distinct paths of a document, sorted: "$", ".key" per member, "[]" per array.
func shapePaths(v value) []string {
	seen := map[string]bool{}
	var walk func(path string, v value)
	walk = func(path string, v value) {
		if len(seen) < maxPaths {
			seen[path] = true
		}
		for k, x := range v.Members() {
			walk(path+"."+k.Text(), x)
		}
		for x := range v.Items() {
			walk(path+"[]", x)
		}
	}
	walk("$", v)
	out := make([]string, 0, len(seen))
	for p := range seen {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// maxPaths bounds the shape of a document that is all keys.
const maxPaths = 10_000

// signatureSemantics gives the digest over every action_signature in a document, and their coverages, sorted. The
// digest sees coverage, schema, matches and which hashes are there, not their values. It is nil when there is none.
func signatureSemantics(v value) (digest *string, coverages []string) {
	records := canonjson.Array{}
	var walk func(path string, v value)
	walk = func(path string, v value) {
		for k, x := range v.Members() {
			at := path + "." + k.Text()
			if k.Text() == "action_signature" {
				records = append(records, canonjson.Object{{Key: "path", Value: canonjson.String(at)}, {Key: "value", Value: signatureShape(x)}})
				if c := obj(x).Get("coverage").Text(); c != "" && !slices.Contains(coverages, c) {
					coverages = append(coverages, c)
				}
			}
			walk(at, x)
		}
		for x := range v.Items() {
			walk(path+"[]", x)
		}
	}
	walk("$", v)
	slices.Sort(coverages)
	if len(records) == 0 {
		return nil, coverages
	}
	sum := sha256.Sum256(canonjson.Canonical(records))
	hash := hex.EncodeToString(sum[:])
	return &hash, coverages
}

// signatureShape is what the digest sees of one signature. E12.1
func signatureShape(v value) canonjson.Node {
	if v.Kind() != object {
		return v
	}
	source, envelope := v.Get("source_hash"), v.Get("envelope_hash")
	return canonjson.Object{
		{Key: "schema_version", Value: v.Get("schema_version")},
		{Key: "coverage", Value: v.Get("coverage")},
		{Key: "matches", Value: v.Get("matches")},
		{Key: "source_envelope_hashes_present", Value: canonjson.Bool(source.Exists() && envelope.Exists())},
		{Key: "source_envelope_match", Value: canonjson.Bool(string(canonjson.Canonical(source)) == string(canonjson.Canonical(envelope)))},
		{Key: "source_decision_hash_present", Value: canonjson.Bool(v.Get("source_decision_hash").Exists())},
	}
}
