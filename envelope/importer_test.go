package envelope

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A module of somebody else, outside this tree, imports the package, builds, runs, and links no module but yaml.v3.
func TestImporter(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	_, self, _, _ := runtime.Caller(0)
	repository := filepath.Dir(filepath.Dir(self))
	mod, err := os.ReadFile(filepath.Join(repository, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	module := strings.Fields(string(mod))[1]
	sum, err := os.ReadFile(filepath.Join(repository, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module importer\n\ngo 1.26\n\nrequire (\n\t" + module + " v0.0.0\n\tgopkg.in/yaml.v3 v3.0.1\n)\n\nreplace " + module + " => " + repository + "\n",
		"go.sum": string(sum),
		"main.go": "package main\n\nimport (\n\t\"fmt\"\n\n\t\"" + module + "/envelope\"\n)\n\nfunc main() {\n" +
			"\tdoc, err := envelope.Dir{Root: \"nowhere\"}.Get(\"dave\")\n\t_ = doc\n" +
			"\tvar e *envelope.Envelope\n\tfmt.Println(e.StateOf(\"x\").Permits(envelope.Explore), err != nil)\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	goRun := func(args ...string) string {
		c := exec.Command("go", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	if got := goRun("run", "."); !strings.HasSuffix(got, "escalate true\n") {
		t.Errorf("the program says %q", got)
	}
	var linked []string
	for _, m := range strings.Fields(goRun("list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")) {
		if m != module && m != "importer" && !slices.Contains(linked, m) {
			linked = append(linked, m)
		}
	}
	if !slices.Equal(linked, []string{"gopkg.in/yaml.v3"}) {
		t.Errorf("it links %v", linked)
	}
}
