package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// blockKinds is every kind of fenced block that a page may have, and what is done with one: what it gives stands in
// the page in its place. A block of another kind fails the test: nothing is shown that is not tried.
var blockKinds = map[string]func(*page, string) string{
	"console": (*page).console, // run, and what is printed is held against what is shown
	"sh":      (*page).shell,   // run
	"go.mod":  (*page).goMod,   // begins a module of somebody else, in the folder yours
	"go":      (*page).goFile,  // its main.go
	"mermaid": (*page).picture, // its nodes are looked up
}

// TestReadme runs every fenced block of the README, in order. AMBIT_UPDATE=1 writes what was printed into the README.
// With -short what needs the go command is left out.
func TestReadme(t *testing.T) {
	if ran := holdPage(t, "README.md"); ran["console"] < 20 || ran["sh"] < 2 || ran["go"] != 1 || ran["go.mod"] != 1 || ran["mermaid"] != 1 {
		t.Errorf("the README has %v, want a tour, a module of one's own, and a picture", ran)
	}
}

// TestOtherPages does the same with the pages beside it, and below examples.
func TestOtherPages(t *testing.T) {
	root := repositoryRoot(t)
	for _, pattern := range []string{"*.md", "examples/*.md", "examples/*/*.md"} {
		pages, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range pages {
			name, err := filepath.Rel(root, path)
			if err != nil {
				t.Fatal(err)
			}
			if name != "README.md" {
				t.Run(name, func(t *testing.T) { holdPage(t, name) })
			}
		}
	}
}

// TestUnknownBlock holds that a block of a kind that nothing runs is not passed over.
func TestUnknownBlock(t *testing.T) {
	for _, tt := range []struct{ page, want string }{
		{"a\n```python\nprint()\n```\n", `line 2: a block of the unknown kind "python"`},
		{"```\nplain\n```\n", `line 1: a block of the unknown kind ""`},
		{"```sh\n", "line 1: a block that is not closed"},
		{"~~~\nx\n~~~\n", "line 1: a fence of ~~~, want one of ```"},
		{"1. a\n   ```sh\n", "line 2: a fence that is set in, which this test does not run"},
		{"```sh\ntrue\n```\n", ""},
	} {
		_, err := splitPage(tt.page)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.page, got, tt.want)
		}
	}
}

// page is one run of a page's blocks.
type page struct {
	t     *testing.T
	bash  string
	root  string // the repository; nothing is written there
	work  string // where a reader would stand: a copy of what the tour reads and changes
	yours string // the module of somebody else, once there is one
	env   []string
	ran   map[string]int // commands, and blocks of the other kinds

	offline bool // modules that were never downloaded cannot be had
}

// holdPage runs the blocks of a page and holds it against what they give.
func holdPage(t *testing.T, name string) map[string]int {
	root := repositoryRoot(t)
	path := filepath.Join(root, name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := splitPage(string(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(parts) == 1 {
		return nil // nothing but words
	}
	if name != "README.md" && testing.Short() {
		t.Skip("builds programs")
	}
	bash, err := exec.LookPath("bash")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no bash")
	}
	if _, err := exec.LookPath("git"); err != nil && strings.Contains(string(text), "$ git ") {
		t.Skip("no git")
	}
	p := &page{t: t, bash: bash, root: root, work: t.TempDir(), ran: map[string]int{}}
	p.settle()
	var out strings.Builder
	for _, part := range parts {
		if part.kind == words {
			out.WriteString(part.text)
			continue
		}
		if part.kind != "console" {
			p.ran[part.kind]++
		}
		out.WriteString("```" + part.kind + "\n" + blockKinds[part.kind](p, part.text) + "```\n")
	}
	if os.Getenv("AMBIT_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if d := cmp.Diff(string(text), out.String()); d != "" {
		t.Errorf("%s shows something else than is printed (-page +printed):\n%s", name, d)
	}
	return p.ran
}

// settle makes the folder that the blocks run in, with an ambit on the path until a block installs one.
func (p *page) settle() {
	p.check(os.CopyFS(filepath.Join(p.work, "examples"), os.DirFS(filepath.Join(p.root, "examples"))))
	self, err := os.Executable()
	p.check(err)
	bin := filepath.Join(p.work, ".bin")
	p.check(os.Mkdir(bin, 0o755))
	p.check(os.Symlink(self, filepath.Join(bin, "ambit")))
	p.env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + p.work, "TMPDIR=" + p.t.TempDir(), "LC_ALL=C.UTF-8", "TZ=UTC"}
	if testing.CoverMode() != "" {
		p.env = append(p.env, "GOCOVERDIR="+p.t.TempDir()) // else each process complains on standard error
	}
	if testing.Short() {
		return
	}
	// With the caches that this test itself was built from, and a GOPATH of its own.
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOPRIVATE"} {
		value, err := exec.Command("go", "env", name).Output()
		p.check(err)
		p.env = append(p.env, name+"="+strings.TrimSpace(string(value)))
	}
	p.env = append(p.env, "GOPATH="+filepath.Join(p.work, ".go"), "GOWORK=off", "GOTOOLCHAIN=local", "GOFLAGS=-buildvcs=false")
}

func (p *page) check(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// run gives what a text of shell prints, and whether it ended well.
func (p *page) run(dir, text string) (printed string, ok bool) {
	p.t.Helper()
	cmd := exec.Command(p.bash, "--norc", "-c", text)
	cmd.Dir, cmd.Env = dir, p.env
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		p.t.Fatalf("%s: %v", text, err)
	}
	return string(out), err == nil
}

// dir is where a block's commands run: in the reader's own module once there is one; what is built and what only reads
// this repository, in the repository.
func (p *page) dir(command string) string {
	switch {
	case strings.Contains(command, "./cmd/") || strings.Contains(command, "./internal/"):
		return p.root
	case p.yours != "":
		return p.yours
	}
	return p.work
}

// console runs the commands of a block and gives them with what they print.
func (p *page) console(block string) string {
	var out strings.Builder
	for _, c := range commandsOf(block) {
		p.ran["console"]++
		out.WriteString("$ " + strings.ReplaceAll(c.text, "\n", "\n> ") + "\n")
		printed := c.shown
		switch ambit, isAmbit := strings.CutPrefix(c.text, "go run ./cmd/ambit "); {
		case p.offline && strings.HasPrefix(c.text, "go mod tidy"):
			printed = p.inside()
		case !strings.HasPrefix(c.text, "go "), !testing.Short():
			printed, _ = p.run(p.dir(c.text), c.text)
		case isAmbit: // without the go command, which says how its program ended
			printed, _ = p.run(p.work, "ambit "+ambit+` || echo "exit status $?"`)
		}
		out.WriteString(printed)
		if printed != "" && !strings.HasSuffix(printed, "\n") {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// shell runs a block that prints nothing worth showing. Whatever it exports is kept.
func (p *page) shell(block string) string {
	if testing.Short() {
		return block
	}
	dir := p.dir(block)
	if strings.Contains(block, "go test ./...") {
		dir = filepath.Join(p.root, "examples") // the same command on less, else this test would run itself
	}
	printed, ok := p.run(dir, "set -e\n"+block+"\nprintf '\\n%s' \"$PATH\"")
	if !ok {
		p.t.Errorf("%s fails:\n%s", block, printed)
		return block
	}
	p.env[0] = "PATH=" + printed[strings.LastIndexByte(printed, '\n')+1:]
	if strings.Contains(block, "go install") {
		if where, _ := p.run(p.work, "command -v ambit"); !strings.HasPrefix(where, filepath.Join(p.work, ".go", "bin")) {
			p.t.Errorf("after %s the command is %s", block, where)
		}
	}
	return block
}

// goMod begins a module beside this one, from exactly the bytes that are shown.
func (p *page) goMod(block string) string {
	p.yours = filepath.Join(p.work, "yours")
	p.check(os.Mkdir(p.yours, 0o755))
	p.check(os.WriteFile(filepath.Join(p.yours, "go.mod"), []byte(block), 0o644))
	p.check(os.Symlink(p.root, filepath.Join(p.work, "ambit")))
	return block
}

func (p *page) goFile(block string) string {
	if p.yours == "" {
		p.t.Fatal("a Go program before the module that it is part of")
	}
	p.check(os.WriteFile(filepath.Join(p.yours, "main.go"), []byte(block), 0o644))
	if testing.Short() {
		return block
	}
	if out, err := exec.Command("gofmt", "-l", p.yours).CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 {
		p.t.Errorf("not formatted: %s (%v)", out, err)
	}
	// Whatever a bare machine downloads is downloaded here, in a copy, so that the page need not show it. What cannot be
	// had, offline and for the first time, leaves the program to be built as this repository builds its own.
	warm := filepath.Join(p.work, "warm")
	p.check(os.CopyFS(warm, os.DirFS(p.yours)))
	if printed, ok := p.run(warm, "go mod tidy && go build -o /dev/null ."); !ok {
		p.t.Logf("a module that is new cannot be settled here: %s", printed)
		p.offline = true
	}
	return block
}

// inside gives what the program of the reader's module prints when it is a package of this module: for want of the
// module graph, which alone cannot be had offline.
func (p *page) inside() string {
	overlay := filepath.Join(p.work, "overlay.json")
	place := filepath.Join(p.root, "examples", "yours", "main.go")
	p.check(os.WriteFile(overlay, fmt.Appendf(nil, `{"Replace": {%q: %q}}`, place, filepath.Join(p.yours, "main.go")), 0o644))
	bin := filepath.Join(p.work, "inside")
	if printed, ok := p.run(p.root, "go build -overlay "+overlay+" -o "+bin+" ./examples/yours"); !ok {
		p.t.Errorf("the program does not build: %s", printed)
	}
	printed, _ := p.run(p.yours, bin)
	return printed
}
