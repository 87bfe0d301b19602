package envelope

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"example.com/ambit/internal/fault"
)

type kind uint8

const (
	kindScalar kind = iota
	kindMapping
	kindSequence
)

// node is a YAML node with the bytes it stands on. yaml.v3 gives the start of a node as a line and a column in
// characters, and no end: the ends are found here, each against the value that the parser read, so that what is
// replaced is what was read.
type node struct {
	kind       kind
	text       string // of a scalar, as it reads; never its resolved type (R59)
	null       bool   // an empty plain scalar, ~ or null
	quote      byte   // ' or " or | or > ; 0 is plain
	flow       bool   // a collection in braces or brackets
	start, end int    // offsets in the file; of a block collection, from its first to its last value
	keys       []*node
	values     []*node // of a mapping, one per key; of a sequence, the items
}

// get gives the value of a key, nil when there is none.
func (n *node) get(key string) *node {
	if i := n.find(key); i >= 0 {
		return n.values[i]
	}
	return nil
}

func (n *node) find(key string) int {
	for i, k := range n.keys {
		if k.text == key {
			return i
		}
	}
	return -1
}

// parser turns yaml.v3's tree into nodes.
type parser struct {
	data     []byte
	f        front
	lines    []int // offset of each line of the YAML
	problems fault.List
}

// parseTree reads the YAML of a frontmatter. An empty one is an empty mapping.
func parseTree(data []byte, f front) (*node, fault.List) {
	p := &parser{data: data, f: f}
	for from := f.start; from < f.stop; {
		p.lines = append(p.lines, from)
		from = lineAt(data, from).next
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data[f.start:f.stop], &doc); err != nil {
		return nil, fault.List{p.syntax(err)}
	}
	if doc.Kind == 0 || doc.Content[0].Kind == yaml.ScalarNode && doc.Content[0].Value == "" && doc.Content[0].Style == 0 {
		return &node{kind: kindMapping, start: f.start, end: f.start}, nil
	}
	root := p.node(doc.Content[0], "", -1, 1)
	if len(p.problems) > 0 {
		return nil, p.problems
	}
	return root, nil
}

var (
	errorLine    = regexp.MustCompile(`line ([0-9]+): `)
	unknownAlias = regexp.MustCompile(`unknown anchor '([^']*)' referenced`)
)

// syntax makes a positioned error of yaml.v3's text. Its lines are sometimes one off or missing, so the sentence says
// "near"; an alias without anchor is looked up.
func (p *parser) syntax(err error) *Error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if m := unknownAlias.FindStringSubmatch(text); m != nil {
		if i := bytes.Index(p.data[p.f.start:p.f.stop], []byte("*"+m[1])); i >= 0 {
			return p.problem(p.f.start+i, "", CodeYAMLFeature, errors.New("the frontmatter holds an alias"))
		}
	}
	lineNo := 1
	if m := errorLine.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		lineNo = min(n+1, len(p.lines)+1)
		text = strings.Replace(text, m[0], "", 1)
	}
	return &Error{Line: lineNo, Code: CodeYAML, Err: fmt.Errorf("the frontmatter is not YAML near line %d: %s", lineNo, text)}
}

func (p *parser) problem(at int, key, code string, err error) *Error {
	lineNo, col := position(p.data, at)
	return &Error{Line: lineNo, Col: col, Key: key, Code: code, Err: err}
}

func (p *parser) fail(at int, key, code, format string, args ...any) {
	p.problems.Add(p.problem(at, key, code, fmt.Errorf(format, args...)))
}

func (p *parser) offset(y *yaml.Node) int {
	if y.Line < 1 || y.Line > len(p.lines) {
		return p.f.stop
	}
	at := p.lines[y.Line-1]
	for range y.Column - 1 {
		if at >= p.f.stop {
			return p.f.stop
		}
		_, size := utf8.DecodeRune(p.data[at:p.f.stop])
		at += size
	}
	return at
}

// node reads one node. parent is the column of the collection that holds it, -1 at the top: what a block scalar must be
// deeper than.
func (p *parser) node(y *yaml.Node, key string, parent, depth int) *node {
	n := &node{start: p.offset(y)}
	n.end = n.start
	first := byte(0)
	if n.start < p.f.stop {
		first = p.data[n.start]
	}
	// A tag or an anchor stands before the node that it is of; "! x" shows as a plain text. // R33
	if y.Kind == yaml.AliasNode || y.Anchor != "" || first == '*' || first == '&' || first == '!' {
		p.fail(n.start, key, CodeYAMLFeature, "anchors, aliases and tags are not allowed in the frontmatter")
		return n
	}
	if depth > maxDepth {
		p.fail(n.start, key, CodeTooLarge, "nested deeper than %d levels", maxDepth)
		return n
	}
	switch y.Kind {
	case yaml.ScalarNode:
		p.scalar(n, y, key, parent)
	case yaml.SequenceNode:
		n.kind, n.flow = kindSequence, first == '['
		for i, c := range y.Content {
			item := p.node(c, fmt.Sprintf("%s[%d]", key, i), y.Column-1, depth+1)
			n.values = append(n.values, item)
			n.end = max(n.end, item.end)
		}
	case yaml.MappingNode:
		n.kind, n.flow = kindMapping, first == '{'
		p.mapping(n, y, key, depth)
	}
	if n.flow {
		n.end = p.closing(n)
	}
	return n
}

func (p *parser) mapping(n *node, y *yaml.Node, key string, depth int) {
	seen := make(map[string]bool, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		k := p.node(y.Content[i], key, y.Column-1, depth+1)
		name := k.text
		if key != "" {
			name = key + "." + name
		}
		switch {
		case k.kind != kindScalar:
			p.fail(k.start, key, CodeWrongType, "a key of the frontmatter is not a text")
		case k.text == "<<" && k.quote == 0:
			p.fail(k.start, key, CodeYAMLFeature, "merge keys are not allowed in the frontmatter")
		case seen[k.text]:
			p.fail(k.start, name, CodeDuplicateKey, "duplicate key %q", clip(k.text)) // R32
		}
		seen[k.text] = true
		v := p.node(y.Content[i+1], name, y.Column-1, depth+1)
		n.keys, n.values = append(n.keys, k), append(n.values, v)
		n.end = max(n.end, k.end, v.end)
	}
}

// scalar finds the end of a scalar.
func (p *parser) scalar(n *node, y *yaml.Node, key string, parent int) {
	n.text = y.Value
	src, ok := p.data[:p.f.stop], true
	switch {
	case y.Style&yaml.DoubleQuotedStyle != 0:
		n.quote = '"'
		n.end, ok = endOfDoubleQuoted(src, n.start)
	case y.Style&yaml.SingleQuotedStyle != 0:
		n.quote = '\''
		n.end, ok = endOfSingleQuoted(src, n.start)
	case y.Style&yaml.LiteralStyle != 0:
		n.quote = '|'
		n.end, ok = endOfBlock(src, n.start, '|', parent)
	case y.Style&yaml.FoldedStyle != 0:
		n.quote = '>'
		n.end, ok = endOfBlock(src, n.start, '>', parent)
	default:
		n.null = y.Value == "" || y.Value == "~" || y.Value == "null"
		n.end, ok = endOfPlain(src, n.start, y.Value)
	}
	if !ok {
		n.end = n.start
		p.fail(n.start, key, CodeYAML, "the frontmatter holds a text whose extent in the file is not clear")
	}
}

// closing finds the end of a flow collection: after its last value come blanks, comments, a comma and the bracket.
func (p *parser) closing(n *node) int {
	at := max(n.end, n.start+1)
	for at < p.f.stop {
		switch c := p.data[at]; c {
		case ']', '}':
			return at + 1
		case '#':
			at = lineAt(p.data, at).next
		default:
			at++
		}
	}
	p.fail(n.start, "", CodeYAML, "the frontmatter holds a bracket that is not closed")
	return n.end
}
