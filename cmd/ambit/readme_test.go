package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadme runs every console block of the README, in order and in one copy of the repository's examples, and holds
// what is printed against what the README shows. AMBIT_UPDATE=1 writes what was printed into the README.
func TestReadme(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no bash")
	}
	path := filepath.Join(repositoryRoot(t), "README.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	if err := os.CopyFS(filepath.Join(work, "examples"), os.DirFS(filepath.Join(repositoryRoot(t), "examples"))); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(work, ".bin")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "ambit")); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + work, "LC_ALL=C.UTF-8", "TZ=UTC"}
	if testing.CoverMode() != "" {
		env = append(env, "GOCOVERDIR="+t.TempDir()) // else each process complains on standard error
	}
	var out strings.Builder
	ran := 0
	for i, part := range strings.Split(string(text), "```") {
		if i > 0 {
			out.WriteString("```")
		}
		body, ok := strings.CutPrefix(part, "console\n")
		if i%2 == 0 || !ok {
			out.WriteString(part)
			continue
		}
		out.WriteString("console\n")
		for _, command := range commandsOf(body) {
			ran++
			cmd := exec.Command(bash, "--norc", "-c", strings.ReplaceAll(command, "go run ./cmd/ambit", "ambit"))
			cmd.Dir, cmd.Env = work, env
			printed, err := cmd.CombinedOutput()
			if _, exited := err.(*exec.ExitError); err != nil && !exited {
				t.Fatalf("%s: %v", command, err)
			}
			out.WriteString("$ " + strings.ReplaceAll(command, "\n", "\n> ") + "\n" + string(printed))
			if len(printed) > 0 && printed[len(printed)-1] != '\n' {
				out.WriteByte('\n')
			}
		}
	}
	if ran < 8 {
		t.Errorf("the README has %d commands, want a tour", ran)
	}
	if os.Getenv("AMBIT_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(text), out.String()); d != "" {
		t.Errorf("README shows something else than is printed (-README +printed):\n%s", d)
	}
}

// commandsOf gives the commands of a console block: what follows "$ ", with continuation lines behind "> ".
func commandsOf(block string) []string {
	var out []string
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(line, "\n")
		if c, ok := strings.CutPrefix(line, "$ "); ok {
			out = append(out, c)
		} else if c, ok := strings.CutPrefix(line, "> "); ok && len(out) > 0 && strings.HasSuffix(out[len(out)-1], `\`) {
			out[len(out)-1] += "\n" + c
		}
	}
	return out
}
