package envelope

import (
	"testing"

	"gopkg.in/yaml.v3"

	"example.com/ambit/internal/span/yamlspan"
)

// A node whose bytes are not known is refused, not guessed at.
func TestNodeWithoutPlace(t *testing.T) {
	doc, err := yamlspan.Parse([]byte("a: b\n"), yamlspan.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	p := &parser{data: []byte("---\na: b\n---\n"), f: front{start: 4, stop: 9, body: 13}, doc: doc}
	if p.node(&yaml.Node{Kind: yaml.ScalarNode, Value: "b"}, "a"); len(p.problems) != 1 || p.problems[0].Code != CodeYAML {
		t.Errorf("%v", p.problems)
	}
}
