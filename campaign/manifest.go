package campaign

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"example.com/ambit/internal/canonjson"
)

// BuilderRef is the contract's own campaign builder, relative to its repository. It is the default of Manifest.BuilderRef.
const BuilderRef = "tools/meta/factory/build_standard_skill_pairing_campaign.py"

// maxModule is the longest copied source module that is read.
const maxModule = 4 << 20

// Manifest is the witness of a copied source module: it believes that a builder exists and can do the work when the
// copy that the manifest names is the listed one. Nothing ran, and it says nothing that only a run could show. // P35
type Manifest struct {
	File       string // the manifest; the modules lie below its folder
	BuilderRef string // source_ref of the builder's row; "" is the constant BuilderRef
}

// Observe reads the manifest and the copied module, each once.
func (m Manifest) Observe(ctx context.Context, maxTargets int) Observation {
	return readManifest(m.File, "").witness(m.BuilderRef).Observe(ctx, maxTargets)
}

// sources is a manifest and the modules that it names, read once. All checks work on these bytes. // H13, H33
type sources struct {
	name string // base name of the manifest
	data []byte
	err  error
	bad  Code // why the manifest cannot be used; "" when it can
	root canonjson.Value
	rows []module
}

// module is a row of the manifest with what its paths lead to.
type module struct {
	row       canonjson.Value
	ref       string // source_ref
	path      string
	target    file
	source    file // in the repository; only Run looks at it
	badPath   bool // the copy's path is absolute, climbs, or ends in a link
	badSource bool // so does the source's
}

type file struct {
	data   []byte
	exists bool
	text   bool   // it is UTF-8
	sum    string // hexadecimal digits
	lines  int
}

func newFile(data []byte) file {
	return file{data: data, exists: true, text: utf8.Valid(data), sum: hexOf(data), lines: countLines(data)}
}

// readManifest reads a manifest and all modules that it names. repo may be "".
func readManifest(name, repo string) *sources {
	s := &sources{name: filepath.Base(name)}
	folder, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		s.bad, s.err = InputMissing, unlessAbsent(err)
		return s
	}
	defer func() { _ = folder.Close() }()
	data, err := readRegular(folder, s.name, MaxDocument)
	if err != nil {
		s.bad, s.err = InputMissing, unlessAbsent(err)
		if s.err != nil {
			s.bad = InputInvalidJSON
		}
		return s
	}
	var top *os.Root
	if repo != "" {
		if top, err = os.OpenRoot(repo); err == nil {
			defer func() { _ = top.Close() }()
		}
	}
	s.parse(data)
	for i := range s.rows {
		s.rows[i].open(folder, top)
	}
	return s
}

// unlessAbsent drops the errors that mean that there is no such file.
func unlessAbsent(err error) error {
	if err == nil || absent(err) {
		return nil
	}
	return err
}

// parse reads the manifest's bytes. Rows that are no objects are left out, as the contract has it. // C5
func (s *sources) parse(data []byte) {
	s.data, s.bad, s.rows = data, "", nil
	d := readDocument(s.name, data)
	if s.bad = d.fault(); s.bad != "" {
		return
	}
	s.root = d.root
	for row := range d.root.Get("modules").Items() {
		if row.Is(canonjson.KindObject) {
			s.rows = append(s.rows, module{row: row, ref: row.Get("source_ref").Text(), path: row.Get("path").Text()})
		}
	}
}

// open reads what a row's paths lead to. A path is relative, stays below its root, and ends in a regular file. // H11
func (m *module) open(folder, repo *os.Root) {
	switch ref := m.row.Get("target_ref").Text(); {
	case m.path != "":
		m.target, m.badPath = openFile(folder, m.path)
	case ref != "" && repo != nil:
		if m.target, m.badPath = openFile(repo, ref); !m.target.exists && !strings.HasPrefix(ref, publicRoot) {
			m.target, m.badPath = openFile(repo, publicRoot+ref)
		}
	}
	if m.ref != "" && repo != nil {
		m.source, m.badSource = openFile(repo, m.ref)
	}
}

// publicRoot is where, in its repository, the contract's components keep what they publish.
const publicRoot = "microcosm-substrate/"

func openFile(root *os.Root, name string) (f file, bad bool) {
	if !fs.ValidPath(name) || strings.Contains(name, `\`) {
		return file{}, true
	}
	info, err := root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return file{}, !absent(err)
	}
	if !info.Mode().IsRegular() {
		return file{}, info.Mode()&fs.ModeSymlink != 0
	}
	data, err := readRegular(root, filepath.FromSlash(name), maxModule)
	if err != nil {
		return file{}, !absent(err)
	}
	return newFile(data), false
}

// countLines counts lines as text readers do: LF, CR LF and a lone CR end one, and an unterminated last one counts.
func countLines(data []byte) int {
	n := 0
	for i, c := range data {
		if c == '\n' && (i == 0 || data[i-1] != '\r') || c == '\r' {
			n++
		}
	}
	if len(data) > 0 && data[len(data)-1] != '\n' && data[len(data)-1] != '\r' {
		n++
	}
	return n
}

// witness gives the witness of these sources.
func (s *sources) witness(builderRef string) Witness {
	if builderRef == "" {
		builderRef = BuilderRef
	}
	return copied{s, builderRef}
}

type copied struct {
	*sources
	ref string
}

// Observe judges the row of the builder. // C6.2, P35
func (c copied) Observe(context.Context, int) Observation {
	o := Observation{BuilderRef: c.ref}
	switch {
	case c.bad == InputMissing:
		o.ErrorCode = ManifestMissing
		return o
	case c.bad != "" || c.root.Get("modules").Exists() && !c.root.Get("modules").Is(canonjson.KindArray):
		o.ErrorCode = ManifestInvalid
		return o
	}
	i := c.row(c.ref)
	switch {
	case i < 0:
		o.ErrorCode = SourceModuleMissing
	case c.rows[i].badPath:
		o.ErrorCode = ManifestPath
	case c.rows[i].path == "" || !c.rows[i].target.exists: // what target_ref names lies elsewhere
		o.ErrorCode = BuilderTargetMissing
	default:
		anchors, ok := c.rows[i].anchors()
		if !ok {
			o.ErrorCode = ManifestAnchors
			return o
		}
		m := c.rows[i]
		o.SourceDigest = m.target.sum
		o.Copied = &Copied{
			DigestMatch:    m.says("sha256", m.target.sum) && m.says("target_sha256", m.target.sum),
			LineCountMatch: m.lineCountMatches(),
			Anchors:        len(anchors),
			Missing:        m.target.lacks(anchors),
			ManifestSHA256: hexOf(c.data),
		}
	}
	return o
}

// anchors gives the words that the copy must contain: a list, not empty, of words of at least three letters. // H12
func (m module) anchors() (words []string, ok bool) {
	list := m.row.Get("required_anchors")
	for item := range list.Items() {
		words = append(words, item.Text())
		if utf8.RuneCountInString(fold(item.Text())) < 3 {
			return nil, false
		}
	}
	return words, list.Is(canonjson.KindArray) && len(words) > 0
}

// lacks gives those of the words that the file does not contain. // C6.2
func (f file) lacks(words []string) []string {
	var missing []string
	for _, w := range words {
		if !strings.Contains(string(f.data), w) {
			missing = append(missing, w)
		}
	}
	return missing
}

// says reports whether a key of the row is exactly a text.
func (m module) says(key, text string) bool {
	v := m.row.Get(key)
	return v.Is(canonjson.KindString) && v.Text() == text
}

// lineCountMatches compares by value: 3.0 is 3, true is not 1, and no count is the count of a file that is not there.
func (m module) lineCountMatches() bool {
	v := m.row.Get("line_count")
	if !m.target.exists {
		return !v.Exists() || v.Is(canonjson.KindNull)
	}
	n, ok := v.Float64()
	return ok && m.target.text && n == float64(m.target.lines)
}
