// Package yamlspan answers: which bytes of a YAML text hold a value, and which must change to edit it?
//
// yaml.v3 parses and never prints. Its nodes say where a value begins, in characters; this package finds the byte at
// which it begins and the one at which it ends, for every style. Parse costs little more than yaml.v3's own parse;
// spans are computed when an edit first asks for them. An edit is a list of splices; whoever applies them calls Check,
// which parses the result and holds every value that was not to change against the old one.
package yamlspan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/span"
	"gopkg.in/yaml.v3"
)

// The codes of Parse's errors.
const (
	CodeNotUTF8   = "not-utf8"  // a byte that is no UTF-8
	CodeBadChar   = "bad-char"  // NUL and other controls, a CR without LF, U+0085, U+2028, U+2029, U+FEFF inside, U+FFFE, U+FFFF
	CodeTooLarge  = "too-large" // more bytes than Limits say
	CodeTooDeep   = "too-deep"  // nested more deeply than Limits say
	CodeAliases   = "too-many-aliases"
	CodeDocuments = "documents" // a second document
	CodeSyntax    = "syntax"    // what yaml.v3 says
)

// Limits bound what Parse takes on. A field that is 0 has the default: 1 MiB, a depth of 100, 10,000 aliases.
type Limits struct{ Bytes, Depth, Aliases int }

func (l Limits) filled() Limits {
	for _, f := range []struct {
		v   *int
		def int
	}{{&l.Bytes, 1 << 20}, {&l.Depth, 100}, {&l.Aliases, 10_000}} {
		if *f.v == 0 {
			*f.v = f.def
		}
	}
	return l
}

// Document is a parsed text. It is not safe for concurrent use, since spans are computed when first asked for.
type Document struct {
	Source []byte     // as given, byte order mark included; not to be changed
	Root   *yaml.Node // the value of the document; nil when the text holds none

	limits  Limits
	base    int   // length of the byte order mark
	lines   []int // offsets at which lines begin
	at      cursor
	places  map[*yaml.Node]Place
	err     error // of computing places
	aliased map[*yaml.Node]bool
}

// Parse reads one YAML document. The error is a *fault.Error with a code of this package, and a line that exists; of
// syntax errors it is the one that yaml.v3 names, which may be off by one, without a column.
func Parse(src []byte, limits Limits) (*Document, error) {
	d := &Document{Source: src, limits: limits.filled()}
	if bytes.HasPrefix(src, []byte(span.BOM)) {
		d.base = len(span.BOM)
	}
	if err := d.scan(); err != nil {
		return nil, err
	}
	if err := d.parse(); err != nil {
		return nil, err
	}
	if d.Root != nil {
		if n := tooDeep(d.Root, d.limits.Depth); n != nil {
			line, col := d.Position(n)
			return nil, &fault.Error{Line: line, Col: col, Code: CodeTooDeep, Err: fmt.Errorf("nested more than %d deep", d.limits.Depth)}
		}
		if n := d.Root; n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 && n.Anchor == "" {
			d.Root = nil // nothing is written there
		}
	}
	return d, nil
}

func (d *Document) fail(off int, code, format string, args ...any) *fault.Error {
	line, col := span.Position(d.Source, off)
	return &fault.Error{Line: line, Col: col, Code: code, Err: fmt.Errorf(format, args...)}
}

// scan refuses what yaml.v3 would read differently from other readers, or take too long for.
func (d *Document) scan() *fault.Error {
	src := d.Source
	if len(src) > d.limits.Bytes {
		return d.fail(d.limits.Bytes, CodeTooLarge, "%d bytes, at most %d", len(src), d.limits.Bytes)
	}
	for i := d.base; i < len(src); {
		c := src[i]
		switch {
		case c >= 0x20 && c < 0x7f, c == '\n', c == '\t':
			i++
		case c == '\r' && i+1 < len(src) && src[i+1] == '\n':
			i += 2
		case c == '\r':
			return d.fail(i, CodeBadChar, "a carriage return without line feed")
		case c < 0x20, c == 0x7f:
			return d.fail(i, CodeBadChar, "the control character U+%04X", c)
		default:
			r, n := utf8.DecodeRune(src[i:])
			if r == utf8.RuneError && n == 1 {
				return d.fail(i, CodeNotUTF8, "the byte 0x%02X is not UTF-8", c)
			}
			if r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r&^1 == 0xfffe {
				return d.fail(i, CodeBadChar, "the character U+%04X", r)
			}
			i += n
		}
	}
	if bytes.Count(src, []byte("*")) > d.limits.Aliases {
		n := 0
		for i, c := range src {
			if c == '*' && (i == d.base || strings.IndexByte(" \t\n[{,:-?", src[i-1]) >= 0) && i+1 < len(src) && !blank(src[i+1]) {
				if n++; n > d.limits.Aliases {
					return d.fail(i, CodeAliases, "more than %d aliases", d.limits.Aliases)
				}
			}
		}
	}
	return nil
}

func (d *Document) parse() (ferr error) {
	defer func() {
		// yaml.v3 gives most errors back and panics at some that it believes to be its own.
		if r := recover(); r != nil {
			ferr = &fault.Error{Line: 1, Code: CodeSyntax, Err: fmt.Errorf("%v", r)}
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(d.Source[d.base:]))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return d.syntax(err)
	}
	d.Root = doc.Content[0]
	var next yaml.Node
	switch err := dec.Decode(&next); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return d.syntax(err)
	}
	line, col := d.Position(&next)
	return &fault.Error{Line: line, Col: col, Code: CodeDocuments, Err: errors.New("a second document begins here")}
}

var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^line (\d+): `) })

func (d *Document) syntax(err error) *fault.Error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if m := yamlLine().FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	last, _ := span.Position(d.Source, len(d.Source))
	return &fault.Error{Line: min(max(line, 1), last), Code: CodeSyntax, Err: errors.New(text)}
}

// tooDeep finds a node below more than depth collections.
func tooDeep(n *yaml.Node, depth int) *yaml.Node {
	if len(n.Content) == 0 {
		return nil
	}
	if depth == 0 {
		return n
	}
	for _, c := range n.Content {
		if deep := tooDeep(c, depth-1); deep != nil {
			return deep
		}
	}
	return nil
}

// Position gives the line and column, in bytes, at which yaml.v3 says that a node begins: its anchor or tag, if it has
// one. That of a value that is not written is near its key.
func (d *Document) Position(n *yaml.Node) (line, col int) {
	off := d.offset(n)
	return d.at.line, off - d.lines[d.at.line-1] + 1
}

// cursor remembers the last node's place, so that a walk over one long line counts its characters once.
type cursor struct{ line, col, off int }

// offset turns yaml.v3's line and column, both from 1, the column in characters, into a byte offset.
func (d *Document) offset(n *yaml.Node) int {
	if d.lines == nil {
		d.lines = []int{d.base}
		for i, c := range d.Source {
			if c == '\n' {
				d.lines = append(d.lines, i+1)
			}
		}
	}
	line := min(max(n.Line, 1), len(d.lines))
	if d.at.line != line || d.at.col > n.Column {
		d.at = cursor{line, 1, d.lines[line-1]}
	}
	for d.at.col < n.Column && d.at.off < len(d.Source) {
		_, size := utf8.DecodeRune(d.Source[d.at.off:])
		d.at.off += size
		d.at.col++
	}
	return d.at.off
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
