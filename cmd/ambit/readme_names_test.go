package main

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// packages are those that the README's picture must show.
var packages = []string{"envelope", "tiers", "harness", "systempolicy", "turnenvelope", "campaign"}

var (
	edge = regexp.MustCompile(`^  (\S.*?) (?:-- [^->|]+ )?--> (\S.*)$`)
	node = regexp.MustCompile(`^([a-z]+)(?:\(\[[^\]]+\]\)|\{\{[^}]+\}\}|\[\([^)]+\)\])?$`)
)

// picture reads a flow chart: every line is an edge between two nodes, a node without a label is a package of this
// module, one with a label is labelled once, and all packages are there.
func (p *page) picture(block string) string {
	lines := strings.Split(strings.TrimSuffix(block, "\n"), "\n")
	if lines[0] != "flowchart LR" {
		p.t.Errorf("a picture that begins with %q", lines[0])
	}
	labelled := map[string]bool{}
	var seen []string
	for _, line := range lines[1:] {
		m := edge.FindStringSubmatch(line)
		if m == nil {
			p.t.Errorf("no edge: %q", line)
			continue
		}
		for _, text := range m[1:] {
			n := node.FindStringSubmatch(text)
			if n == nil {
				p.t.Errorf("no node: %q in %q", text, line)
				continue
			}
			if text != n[1] && labelled[n[1]] {
				p.t.Errorf("%s has two labels", n[1])
			}
			labelled[n[1]] = labelled[n[1]] || text != n[1]
			seen = append(seen, n[1])
		}
	}
	for _, name := range seen {
		if !labelled[name] && !slices.Contains(packages, name) {
			p.t.Errorf("%s has no label and is no package", name)
		}
	}
	for _, name := range packages {
		if !slices.Contains(seen, name) {
			p.t.Errorf("%s is not in the picture", name)
		}
		if exportedNames(p.t, filepath.Join(p.root, name)) == nil {
			p.t.Errorf("%s is no package", name)
		}
	}
	return block
}

var (
	asked   = regexp.MustCompile("^\\| .+ \\| \\[`([a-z/]+)`\\]\\(([a-z/]+)\\) \\| (.+) \\|$")
	claimed = regexp.MustCompile("^\\| .+ \\| `go test -run '?([A-Za-z0-9\\\\|]+)'? (.+)` \\|$")
	quoted  = regexp.MustCompile("`([A-Za-z.]+)`")
)

// TestReadmeNames holds that every function that the README's table sends to is one, that each package is sent to, and
// that every test that it calls a check exists where it says.
func TestReadmeNames(t *testing.T) {
	root := repositoryRoot(t)
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	sent := map[string]bool{}
	claims := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if m := asked.FindStringSubmatch(line); m != nil {
			names := exportedNames(t, filepath.Join(root, m[1]))
			list := quoted.FindAllStringSubmatch(m[3], -1)
			for _, q := range list {
				if !names[q[1]] {
					t.Errorf("%s has no %s", m[1], q[1])
				}
			}
			if m[1] != m[2] || len(list) == 0 {
				t.Errorf("a row of another shape: %s", line)
			}
			sent[m[1]] = true
		}
		if m := claimed.FindStringSubmatch(line); m != nil {
			claims++
			for name := range strings.SplitSeq(m[1], `\|`) {
				if !testExists(t, root, name, strings.Fields(m[2])) {
					t.Errorf("no test %s in %s", name, m[2])
				}
			}
		} else if strings.Contains(line, "`go test -run") {
			t.Errorf("a claim of another shape: %s", line)
		}
	}
	for _, name := range packages {
		if !sent[name] {
			t.Errorf("no row sends to %s", name)
		}
	}
	if claims < 5 {
		t.Errorf("%d claims name their check", claims)
	}
}

// exportedNames gives what a folder's package exports, as Name and Type.Method; nil where there is no package.
func exportedNames(t *testing.T, dir string) map[string]bool {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if files == nil {
		return nil
	}
	p, err := doc.NewFromFiles(fset, files, dir)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range p.Funcs {
		names[f.Name] = true
	}
	for _, typ := range p.Types {
		names[typ.Name] = true
		for _, f := range typ.Funcs {
			names[f.Name] = true
		}
		for _, f := range typ.Methods {
			names[typ.Name+"."+f.Name] = true
		}
	}
	return names
}

// testExists looks for a test among the test files of the folders.
func testExists(t *testing.T, root, name string, dirs []string) bool {
	t.Helper()
	for _, dir := range dirs {
		paths, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(data), "func "+name) {
				return true
			}
		}
	}
	return false
}
