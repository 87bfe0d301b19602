package ambit_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "example.com/ambit"

// linked says, per package, which modules its importer may link besides the standard library and this module.
var linked = map[string][]string{
	"envelope":     {"gopkg.in/yaml.v3"},
	"tiers":        bashParser,
	"harness":      append([]string{"gopkg.in/yaml.v3", "github.com/tailscale/hujson"}, bashParser...),
	"systempolicy": {"gopkg.in/yaml.v3"},
	"turnenvelope": nil,
}

// bashParser is the parser and the one package of its own module that it stands on.
var bashParser = []string{"mvdan.cc/sh/v3/syntax", "mvdan.cc/sh/v3/fileutil"}

// pure packages judge: no network, no processes, no flags, no database, no command-line package.
var pure = []string{"envelope", "tiers", "systempolicy", "turnenvelope"}

var forbidden = []string{"net/http", "os/exec", "flag", "database/sql"}

var siblings = []string{"envelope", "tiers", "harness", "systempolicy", "turnenvelope", "campaign"}

func TestPackagesDoNotImportEachOther(t *testing.T) {
	for _, p := range existing(t) {
		for _, d := range deps(t, p) {
			rest, ok := strings.CutPrefix(d, module+"/")
			if !ok || strings.HasPrefix(rest, "internal/") || rest == p {
				continue
			}
			if p == "harness" && rest == "tiers" {
				continue
			}
			t.Errorf("%s imports %s", p, rest)
		}
	}
}

func TestPurePackages(t *testing.T) {
	for _, p := range existing(t) {
		if !slices.Contains(pure, p) {
			continue
		}
		for _, d := range deps(t, p) {
			if slices.Contains(forbidden, d) {
				t.Errorf("%s imports %s", p, d)
			}
		}
	}
}

func TestLinkedModules(t *testing.T) {
	for _, p := range existing(t) {
		allowed, limited := linked[p]
		if !limited {
			continue
		}
		for _, d := range deps(t, p) {
			first, _, _ := strings.Cut(d, "/")
			if !strings.Contains(first, ".") || strings.HasPrefix(d, module) {
				continue
			}
			if !slices.ContainsFunc(allowed, func(a string) bool { return d == a }) {
				t.Errorf("importing %s links %s", p, d)
			}
		}
	}
}

// TestModulePathIsSpelledOnce holds what keeps a rename mechanical: outside go.mod, imports and README's replace line,
// nothing spells the module's path.
func TestModulePathIsSpelledOnce(t *testing.T) {
	out, err := exec.Command("git", "grep", "-n", module).Output()
	if err != nil {
		t.Skipf("git grep: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		name, rest, _ := strings.Cut(line, ":")
		_, text, _ := strings.Cut(rest, ":")
		text = strings.TrimSpace(text)
		imported := strings.HasSuffix(name, ".go") && (strings.HasSuffix(text, `"`) && (strings.HasPrefix(text, `"`) || strings.Contains(strings.Fields(text)[0], `import`) || strings.Contains(text, ` "`+module)))
		switch {
		case name == "go.mod" || name == "README.md" || name == "doc.go" || name == "architecture_test.go", imported:
		case strings.HasSuffix(name, "go.mod"):
		default:
			t.Errorf("%s spells the module's path: %s", name, text)
		}
	}
}

func existing(t *testing.T) []string {
	var out []string
	for _, p := range siblings {
		if _, err := os.Stat(p); err == nil {
			out = append(out, p)
		}
	}
	return out
}

func deps(t *testing.T, p string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "./"+p).Output()
	if err != nil {
		t.Fatalf("go list -deps %s: %v", p, err)
	}
	list := strings.Fields(string(out))
	return slices.DeleteFunc(list, func(d string) bool { return d == module+"/"+p })
}
