package yamlspan

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ambit/internal/span"
)

// Check parses the text of an edited document and holds it against the old one: every value outside the changed paths
// must be there, in the same order, with the same text, tag, style, anchor and alias. A changed path may lead to
// nothing in either text; of a sequence only the last items may come or go. The result is the new document, for the caller to see that what it asked for is there.
func (d *Document) Check(edited []byte, changed ...[]any) (*Document, error) {
	now, err := Parse(edited, d.limits)
	if err != nil {
		return nil, fmt.Errorf("the edited text: %w", err)
	}
	c := comparison{changed: span.Paths(changed)}
	c.compare(d.Root, now.Root, "")
	if c.differs != "" {
		return nil, fmt.Errorf("the edit would change %s as well", c.differs)
	}
	return now, nil
}

type comparison struct {
	changed map[string]bool
	differs string // where, first
}

func (c *comparison) compare(a, b *yaml.Node, path string) {
	if c.differs != "" || path == "" && c.changed[path] {
		return
	}
	as, bs := c.kept(a, path), c.kept(b, path)
	if a == nil || b == nil || a.Kind != b.Kind {
		// Null, or nothing, became a collection of changed entries, or the other way round.
		if !hollow(a, as) || !hollow(b, bs) || anchor(a) != anchor(b) {
			c.say(path)
		}
		return
	}
	grown := a.Kind != yaml.ScalarNode && len(as) == 0 && len(bs) == 0 && (len(a.Content) == 0 || len(b.Content) == 0)
	switch {
	case a.Tag != b.Tag, a.Value != b.Value, a.Anchor != b.Anchor, len(as) != len(bs), a.Style != b.Style && !grown:
		c.say(path)
		return
	}
	for i := range as {
		if as[i].key != nil {
			c.compare(as[i].key, bs[i].key, as[i].path+"?")
		}
		if as[i].path != bs[i].path {
			c.say(as[i].path)
			return
		}
		c.compare(as[i].value, bs[i].value, as[i].path)
	}
}

func (c *comparison) say(path string) {
	if c.differs == "" {
		c.differs = strings.TrimPrefix(path, ".")
		if path == "" {
			c.differs = "the document"
		}
	}
}

// hollow reports whether nothing is lost when the node goes: there is none, it is null, or a collection without
// entries but changed ones.
func hollow(n *yaml.Node, kept []child) bool {
	return n == nil || IsNull(n) || (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) && len(kept) == 0
}

func anchor(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	return n.Anchor
}

type child struct {
	key, value *yaml.Node
	path       string
}

// kept gives the entries that must not change.
func (c *comparison) kept(n *yaml.Node, path string) []child {
	var out []child
	taken := map[string]bool{} // of equal keys, a path means the first
	drop := func(p string) bool {
		first := c.changed[p] && !taken[p]
		taken[p] = true
		return first
	}
	switch {
	case n == nil:
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			p := path + "?" + strconv.Itoa(len(out)) // a key that is no scalar has no path to be named by
			if k.Kind == yaml.ScalarNode {
				p = path + span.PathOf(k.Value)
			}
			if !drop(p) {
				out = append(out, child{k, n.Content[i+1], p})
			}
		}
	case n.Kind == yaml.SequenceNode:
		for i, item := range n.Content {
			if p := path + span.PathOf(i); !drop(p) {
				out = append(out, child{nil, item, p})
			}
		}
	}
	return out
}
