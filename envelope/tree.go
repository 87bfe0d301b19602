package envelope

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"sync"

	"gopkg.in/yaml.v3"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/span"
	"example.com/ambit/internal/span/yamlspan"
)

type kind uint8

const (
	kindScalar kind = iota
	kindMapping
	kindSequence
)

// node is a YAML node with the bytes it stands on.
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

// parser makes nodes of a parsed frontmatter, and gathers what is wrong with it.
type parser struct {
	data     []byte
	f        front
	doc      *yamlspan.Document
	problems fault.List
}

// parseTree reads the YAML of a frontmatter. An empty one is an empty mapping.
func parseTree(data []byte, f front) (*node, fault.List) {
	p := &parser{data: data, f: f}
	var err error
	p.doc, err = yamlspan.Parse(data[f.start:f.stop], yamlspan.Limits{Bytes: maxFrontmatter, Depth: maxDepth})
	if err != nil {
		return nil, fault.List{p.syntax(err)}
	}
	if p.doc.Root == nil {
		return &node{kind: kindMapping, start: f.start, end: f.start}, nil
	}
	root := p.node(p.doc.Root, "")
	if len(p.problems) > 0 {
		return nil, p.problems
	}
	return root, nil
}

var unknownAlias = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`unknown anchor '([^']*)' referenced`) })

// syntax makes an error about the file of one about its YAML. The parser's lines are sometimes one off or missing, so
// the sentence says "near"; an alias without anchor is looked up.
func (p *parser) syntax(err error) *Error {
	e := fault.All(err)[0]
	e.Line++ // the line that opens the frontmatter
	if e.Code == yamlspan.CodeTooDeep {
		e.Code = CodeTooLarge
	}
	if e.Code != yamlspan.CodeSyntax {
		return e
	}
	if m := unknownAlias().FindStringSubmatch(e.Err.Error()); m != nil {
		if i := bytes.Index(p.data[p.f.start:p.f.stop], []byte("*"+m[1])); i >= 0 {
			return p.problem(p.f.start+i, "", CodeYAMLFeature, errFeature)
		}
	}
	e.Code, e.Err = CodeYAML, fmt.Errorf("the frontmatter is not YAML near line %d: %w", e.Line, e.Err)
	return e
}

var errFeature = errors.New("anchors, aliases and tags are not allowed in the frontmatter")

func (p *parser) problem(at int, key, code string, err error) *Error {
	lineNo, col := span.Position(p.data, at)
	return &Error{Line: lineNo, Col: col, Key: key, Code: code, Err: err}
}

func (p *parser) fail(at int, key, code, format string, args ...any) {
	p.problems.Add(p.problem(at, key, code, fmt.Errorf(format, args...)))
}

func (p *parser) node(y *yaml.Node, key string) *node {
	place, err := p.doc.Place(y)
	if err != nil {
		p.fail(p.f.start, key, CodeYAML, "the frontmatter cannot be edited: %w", err)
		return &node{}
	}
	n := &node{start: p.f.start + place.Value.Start, end: p.f.start + place.Value.End}
	// A tag or an anchor stands before the value that it is of; "! x" shows as a plain text. // R33
	if y.Kind == yaml.AliasNode || place.Whole.Start < place.Value.Start {
		p.fail(p.f.start+place.Whole.Start, key, CodeYAMLFeature, "%w", errFeature)
		return n
	}
	n.flow = y.Style&yaml.FlowStyle != 0
	switch y.Kind {
	case yaml.ScalarNode:
		n.scalar(y)
	case yaml.SequenceNode:
		n.kind = kindSequence
		for i, c := range y.Content {
			n.values = append(n.values, p.node(c, fmt.Sprintf("%s[%d]", key, i)))
		}
	case yaml.MappingNode:
		n.kind = kindMapping
		p.mapping(n, y, key)
	}
	return n
}

func (p *parser) mapping(n *node, y *yaml.Node, key string) {
	seen := make(map[string]bool, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		k := p.node(y.Content[i], key)
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
		v := p.node(y.Content[i+1], name)
		n.keys, n.values = append(n.keys, k), append(n.values, v)
	}
}

// quotes gives the first byte of a scalar by its style.
var quotes = map[yaml.Style]byte{yaml.DoubleQuotedStyle: '"', yaml.SingleQuotedStyle: '\'', yaml.LiteralStyle: '|', yaml.FoldedStyle: '>'}

func (n *node) scalar(y *yaml.Node) {
	n.text = y.Value
	n.quote = quotes[y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle)]
	n.null = n.quote == 0 && (y.Value == "" || y.Value == "~" || y.Value == "null")
}
