package harness

import (
	"bytes"
	"fmt"

	"github.com/tailscale/hujson"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/nesting"
	"example.com/ambit/internal/span"
	"example.com/ambit/internal/span/jsonspan"
)

const openCodeIgnored = "OpenCode does not start with the file as it stands; mend it first"

// config is OpenCode's configuration: JSON with comments and trailing commas. plain is the same text with a blank in the
// place of each byte that JSON does not have, so that every offset holds in both.
type config struct {
	name   string
	source []byte
	plain  *jsonspan.Document
}

func openConfig(name string, data []byte) (*config, error) {
	if bytes.HasPrefix(data, []byte(span.BOM)) {
		return nil, &Error{File: name, Line: 1, Col: 1, Code: canonjson.CodeBOM, Err: fmt.Errorf("a byte-order mark: %w", ErrFormat), Hint: openCodeIgnored}
	}
	if len(data) > MaxFile {
		return nil, &Error{File: name, Code: canonjson.CodeSize, Err: fmt.Errorf("longer than %d bytes: %w", MaxFile, ErrFormat)}
	}
	plain := data
	if nested := nesting.Depth(data); nested <= maxDepth { // the parser of comments is recursive; the strict one below says what is wrong
		if v, err := hujson.Parse(bytes.Clone(data)); err == nil {
			v.Standardize()
			plain = v.Pack()
		}
	}
	doc, err := jsonspan.Parse(name, plain, jsonLimits)
	if err != nil {
		return nil, advise(err, ErrFormat, openCodeIgnored)
	}
	c := &config{name: name, source: data, plain: doc}
	if !doc.Root.Is(canonjson.KindObject) {
		return nil, wrongType(name, data, doc.Root, "", "an object")
	}
	if v := doc.Root.Get("permissions"); v.Exists() {
		return nil, c.refuse(v, "permissions", CodeShape, "a permissions array is OpenCode's newer form, which ambit does not write; both in one file are not read", ErrRefused)
	}
	permission := doc.Root.Get("permission")
	switch permission.Kind() {
	case canonjson.KindMissing, canonjson.KindString:
		return c, nil
	case canonjson.KindArray:
		return nil, c.refuse(permission, "permission", CodeShape, "a list of layers, which ambit does not write", ErrRefused)
	case canonjson.KindObject:
	default:
		return nil, wrongType(name, data, permission, "permission", "an object or a string")
	}
	if v := permission.Get("bash"); v.Exists() && !v.Is(canonjson.KindObject) && !v.Is(canonjson.KindString) {
		return nil, wrongType(name, data, v, "permission.bash", "an object or a string")
	}
	return c, nil
}

// refuse says why a value is refused, and as what: ErrRefused or ErrStrict.
func (c *config) refuse(v canonjson.Value, key, code, why string, as error) error {
	start, _ := v.Span()
	line, col := span.Position(c.source, start)
	return &Error{File: c.name, Line: line, Col: col, Key: key, Code: code, Err: fmt.Errorf("%s: %w", why, as)}
}

// keyed is one entry of permission.bash.
type keyed struct {
	key    string
	effect canonjson.Value
}

func (c *config) rules() []keyed {
	var out []keyed
	bash := c.plain.Root.At("permission", "bash")
	for k, v := range bash.Members() {
		out = append(out, keyed{k.Text(), v})
	}
	return out
}

// draftOpenCodeConfig merges the generated rules into permission.bash (K5). The last rule that matches decides there, so
// ours stand behind everything else, deny rules last.
func draftOpenCodeConfig(in input) (draft, error) {
	data := in.old
	if !in.exists {
		data = []byte(emptySettings)
	}
	c, err := openConfig(in.name, data)
	if err != nil {
		return draft{}, err
	}
	rules := emitRules(OpenCodeConfig, in.sets, in.options, openCodeAllow, openCodeDeny)
	d := draft{ours: map[string][]string{}, theirs: map[string][]string{}, replaced: map[string]string{}, notices: rules.notices}
	m := openCodeMerge{in: in, d: &d, config: c}
	if err := m.sort(rules); err != nil {
		return draft{}, err
	}
	if err := m.reopened(); err != nil {
		return draft{}, err
	}
	if c, err = m.write(); err != nil {
		return draft{}, err
	}
	d.data = c.source
	return d, nil
}

// bashMap makes permission.bash a map: a text becomes the rule of every command.
func (c *config) bashMap() (*config, error) {
	all := func(v canonjson.Value) canonjson.Node {
		return canonjson.Object{{Key: "*", Value: canonjson.String(v.Text())}}
	}
	var err error
	if f, ok := c.plain.Locate("permission"); ok && f.Value.Is(canonjson.KindString) {
		if c, err = c.edit(c.plain.Replace(f, all(f.Value)), "permission"); err != nil {
			return nil, err
		}
	} else if !ok {
		root, _ := c.plain.Locate()
		splices, err := c.plain.Insert(root, "permission", canonjson.Object{{Key: "bash", Value: canonjson.Object{}}})
		if err != nil {
			return nil, err
		}
		return c.edit(splices, "permission")
	}
	if f, ok := c.plain.Locate("permission", "bash"); ok && f.Value.Is(canonjson.KindString) {
		return c.edit(c.plain.Replace(f, all(f.Value)), "permission", "bash")
	} else if !ok {
		f, _ := c.plain.Locate("permission")
		splices, err := c.plain.Insert(f, "bash", canonjson.Object{})
		if err != nil {
			return nil, err
		}
		return c.edit(splices, "permission", "bash")
	}
	return c, nil
}
