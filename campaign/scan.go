package campaign

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/ambit/internal/canonjson"
)

// Bounds of what a scan reads of the input folder: more is refused, not skipped. // P46
const (
	maxScanFiles = 1000
	maxScanBytes = 4 << 20 // of one file
)

// tokens is a policy of forbidden tokens. // C7.2
type tokens struct {
	terms []term
}

// term is one token with the names that a record may say instead of it.
type term struct{ token, class, id string }

// parseTokens reads a policy. A shape that it does not have is a code and where: a policy that cannot be read whole
// must not pass for one that forbids nothing.
func parseTokens(name string, data []byte) (t tokens, code Code, where string) {
	d := readDocument(name, data)
	if c := d.fault(); c != "" {
		return t, c, named(name)
	}
	top := inDocument(named(name))
	at := top.key("classes")
	classes := d.root.Get("classes")
	if classes.Exists() && !classes.Is(canonjson.KindArray) {
		return t, InputInvalidJSON, at.String()
	}
	i := 0
	for class := range classes.Items() {
		terms := class.Get("terms")
		if !class.Is(canonjson.KindObject) || terms.Exists() && !terms.Is(canonjson.KindArray) {
			return t, InputInvalidJSON, spell(at.index(i))
		}
		id := class.Get("class_id").Text()
		if id == "" {
			id = "forbidden_content_body"
		}
		j := 0
		for row := range terms.Items() {
			of := at.index(i)
			list := of.key("terms")
			place := list.index(j)
			if !row.Get("token").Is(canonjson.KindString) {
				return t, InputInvalidJSON, place.String()
			}
			token := strings.TrimSpace(row.Get("token").Text())
			if token != "" {
				// A term without a name of its own is named by its place: the default of the contract is the token itself.
				name := row.Get("term_id").Text()
				if name == "" || strings.Contains(name, token) {
					name = strings.ReplaceAll(place.String(), "#/", ":")
				}
				t.terms = append(t.terms, term{token, named(id), namedRef(name)})
			}
			j++
		}
		i++
	}
	return t, "", ""
}

// Hit is a forbidden token that was found: where, and under which names. Never the token.
type Hit struct {
	File  string `json:"file"`     // base name, or source ref
	Class string `json:"class_id"` // the class's name in the policy
	Term  string `json:"term_id"`  // the token's name in the policy
}

// in gives the hits in a file: in its raw bytes, and in every string and key that it spells with escapes.
func (t tokens) in(name string, data []byte) []Hit {
	var hits []Hit
	var doc canonjson.Value
	if len(t.terms) > 0 {
		doc, _ = canonjson.Parse(name, data, canonjson.Limits{MaxBytes: maxScanBytes})
	}
	for _, term := range t.terms {
		if bytes.Contains(data, []byte(term.token)) || says(doc, term.token) {
			hits = append(hits, Hit{namedRef(name), term.class, term.id})
		}
	}
	return hits
}

func says(v canonjson.Value, token string) bool {
	switch v.Kind() {
	case canonjson.KindString:
		return strings.Contains(v.Text(), token)
	case canonjson.KindArray:
		for item := range v.Items() {
			if says(item, token) {
				return true
			}
		}
	case canonjson.KindObject:
		for key, value := range v.Members() {
			if says(key, token) || says(value, token) {
				return true
			}
		}
	}
	return false
}

// folder gives the hits in every file below a folder, and how many it could not read. No path excuses anything, and
// links are not followed; only the policy itself, which cannot but say its tokens, is left out. // H23
func (t tokens) folder(dir, policy string) (hits []Hit, files, unread int) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, 0, 0 // there is no folder, and every document is missing
	}
	defer func() { _ = root.Close() }()
	itself, _ := os.Lstat(policy)
	_ = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			unread++
			return nil
		case !d.Type().IsRegular():
			return nil
		case files+unread >= maxScanFiles:
			unread++
			return fs.SkipAll
		}
		if info, err := d.Info(); err == nil && itself != nil && os.SameFile(info, itself) {
			return nil
		}
		data, err := readRegular(root, filepath.FromSlash(p), maxScanBytes)
		if err != nil {
			unread++
			return nil
		}
		files++
		hits = append(hits, t.in(p, data)...)
		return nil
	})
	return hits, files, unread
}

// inSources gives the hits in a manifest and its modules.
func (t tokens) inSources(s *sources) []Hit {
	hits := t.in(s.name, s.data)
	for _, m := range s.rows {
		if m.target.exists {
			hits = append(hits, t.in(m.path, m.target.data)...)
		}
	}
	return hits
}
