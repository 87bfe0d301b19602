package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// layFolder writes testdata/doctor/NAME.txtar, whose comment is a sentence and the findings in order. A file that begins
// with @link is a link, with @exec executable, with @go a Go string of bytes. Nobody's home knows of the folder.
func layFolder(t testing.TB, name string) (root string, env, want []string) {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "doctor", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(archive.Comment), "\n\n")
	for line := range strings.Lines(list) {
		if line = strings.TrimSpace(line); line != "" {
			want = append(want, line)
		}
	}
	root = t.TempDir()
	bin := filepath.Join(t.TempDir(), "bin")
	for _, f := range archive.Files {
		at := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		data, mode := f.Data, fs.FileMode(0o644)
		if rest, ok := bytes.CutPrefix(data, []byte("@exec\n")); ok {
			data, mode = rest, 0o755
		}
		if to, ok := bytes.CutPrefix(data, []byte("@link ")); ok {
			if err := os.Symlink(string(bytes.TrimSpace(to)), at); err != nil {
				t.Skip(err)
			}
			continue
		}
		if quoted, ok := bytes.CutPrefix(data, []byte("@go ")); ok {
			text, err := strconv.Unquote(string(bytes.TrimSpace(quoted)))
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			data = nil
			for _, r := range text {
				data = append(data, byte(r))
			}
		}
		if err := os.WriteFile(at, data, mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, program := range []string{"ambit", "jq", "xargs", "ls", "git", "cat", "python3", "bash"} {
		at := filepath.Join(bin, program)
		if err := os.MkdirAll(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root, []string{"AMBIT_NOW=2026-07-10T12:00:00Z", "HOME=" + t.TempDir(), "PATH=" + bin}, want
}

// folderNames are the folders of testdata that say what is found in them.
func folderNames(t testing.TB) (names []string) {
	files, err := filepath.Glob(filepath.Join("testdata", "doctor", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".txtar"); name != "clean" && name != "faults" {
			names = append(names, name)
		}
	}
	return names
}

// TestDoctorFolders diagnoses whole folders: what is planted is named, in order, and nothing else; what is sound is left
// alone; the exit code follows; nothing is written; the text says as much as the JSON; the same folder gives the same bytes.
func TestDoctorFolders(t *testing.T) {
	for _, name := range folderNames(t) {
		if testing.Short() && name != "agents" && name != "sound-user-rules" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			root, env, want := layFolder(t, name)
			before := treeOf(t, root)
			code, found := diagnose(t, root, env)
			if d := cmp.Diff(want, found); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			errors := slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, severityError) })
			if errors != (code == exitRefused) || !errors && code != exitOK {
				t.Errorf("exit %d", code)
			}
			if strings.HasPrefix(name, "sound") && slices.ContainsFunc(found, func(f string) bool {
				return !strings.HasPrefix(f, severityNote) && !strings.HasSuffix(f, ".codex/permissions.json not_in_force") && !strings.HasSuffix(f, ".opencode/permissions.yaml not_in_force")
			}) {
				t.Error("a sound folder is said to have faults")
			}
			_, text, _ := run(t, "", env, "doctor", "--root", root)
			_, again, _ := run(t, "", env, "doctor", "--root", root)
			if text != again {
				t.Error("the same folder gave other bytes")
			}
			said := 0
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, "  error ") || strings.HasPrefix(line, "  warning ") || strings.HasPrefix(line, "  note ") {
					said++
				}
				if bare := strings.TrimRight(line, "\n"); len([]rune(bare)) > width && strings.Contains(strings.TrimSpace(bare), " ") {
					t.Errorf("%d columns: %s", len([]rune(bare)), bare)
				}
			}
			if said != len(found) {
				t.Errorf("the text has %d findings, the JSON %d", said, len(found))
			}
			if d := cmp.Diff(before, treeOf(t, root)); d != "" {
				t.Errorf("the folder was changed (-before +after):\n%s", d)
			}
		})
	}
}

// treeOf gives what is in a folder, by name: mode, and content or target.
func treeOf(t testing.TB, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			text += " " + info.ModTime().String() + " " + string(data)
		case info.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(p)
			text += " " + to
		}
		out[p] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// fixPrograms are what a fix begins with that is a whole command; any other is a sentence.
var fixPrograms = []string{"ambit", "mkdir", "mv", "rm", "chmod", "sed"}

// TestDoctorFixes breaks the clean folder in one way at a time and runs every command that is offered: it succeeds, and
// what it mends is said no more.
func TestDoctorFixes(t *testing.T) {
	if testing.Short() {
		t.Skip("writes every fault's folder anew for each command")
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	ran := 0
	for _, tt := range doctorKinds() {
		t.Run(tt.name, func(t *testing.T) {
			root, env := doctorFolder(t, "clean", true)
			tt.change(folder{t, root})
			for _, f := range findingsOf(t, root, env) {
				if f.Fix == nil {
					continue
				}
				program, rest, _ := strings.Cut(*f.Fix, " ")
				if !slices.Contains(fixPrograms, program) {
					continue
				}
				ran++
				if program == "ambit" {
					words, ok := invocations("ambit " + rest)
					if !ok || len(words) != 1 {
						t.Fatalf("not one command: %s", *f.Fix)
					}
					if code, stdout, stderr := inFolder(t, root, env, words[0].words[1:]); code != exitOK {
						t.Fatalf("%s: exit %d: %s%s", *f.Fix, code, stdout, stderr)
					}
				} else {
					cmd := exec.Command(shell, "-c", *f.Fix)
					cmd.Dir = root
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Fatalf("%s: %v: %s", *f.Fix, err, out)
					}
				}
				for _, g := range findingsOf(t, root, env) {
					if g.Code == f.Code && g.File == f.File && g.Message == f.Message {
						t.Errorf("%s: it is still said: %s", *f.Fix, g.Message)
					}
				}
			}
		})
	}
	if ran < 15 {
		t.Errorf("only %d commands were offered", ran)
	}
}

// inFolder runs the program as in a folder.
func inFolder(t *testing.T, root string, env, args []string) (code int, stdout, stderr string) {
	t.Helper()
	t.Chdir(root)
	return run(t, "", env, args...)
}

func findingsOf(t *testing.T, root string, env []string) []finding {
	t.Helper()
	_, stdout, _ := run(t, "", env, "doctor", "--format", "json", "--root", root)
	var report struct{ Findings []finding }
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatal(err)
	}
	return report.Findings
}

// TestDoctorFixesQuote plants names that a shell would run: whatever is offered stays one command of this program, in
// which the name is one word.
func TestDoctorFixesQuote(t *testing.T) {
	const hostile, hostileTask = "x; touch pwned $(touch pwned)", "t; touch pwned"
	root, env := doctorFolder(t, "clean", true)
	f := folder{t, root}
	f.put(systemFile, `name: shop
environments:
  "`+hostile+`":
    autonomy: {level: act}
  "`+hostile+` 2":
    autonomy: {level: act, engine: "http://a.example.com", budget: {mergesPerDay: 0}}
  "`+hostile+` 3":
    autonomy: {level: propose}
`)
	f.sub(claudeSettings, hookLine, "ambit hook --harness claude --agent dave --task '"+hostileTask+"' || exit 2")
	env = append(env, "CPLAT_ENGINE_TOKEN=x")
	_, stdout, _ := run(t, "", env, "doctor", "--ask-engines", "--deadline", "1ms", "--format", "json", "--root", root)
	var report struct{ Findings []finding }
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatal(err)
	}
	offered := map[string]bool{}
	for _, f := range report.Findings {
		if f.Fix == nil || !strings.Contains(*f.Fix, "touch") {
			continue
		}
		offered[f.Code] = true
		at := strings.Index(*f.Fix, "ambit ")
		if at < 0 {
			t.Errorf("%s: no command: %s", f.Code, *f.Fix)
			continue
		}
		words, ok := invocations((*f.Fix)[at:])
		if !ok || len(words) != 1 || !slices.ContainsFunc(words[0].words, func(w string) bool { return strings.HasPrefix(w, hostile) || w == hostileTask }) {
			t.Errorf("%s: not one command with the name as a word: %s", f.Code, *f.Fix)
		}
	}
	for _, code := range []string{"no-engine", "plain-http", "engine_not_supervised", "never_merges", "hook_wrong"} {
		if !offered[code] {
			t.Errorf("no fix with the name for %s in %v", code, offered)
		}
	}
}

// TestDoctorRemovesNothing holds that no command throws away what is only in the wrong place, or cannot be read.
func TestDoctorRemovesNothing(t *testing.T) {
	root, env := doctorFolder(t, "clean", true)
	f := folder{t, root}
	f.put("precious", "a person's own\n")
	f.link(bootstrapFolder, "../../precious")
	f.put(".ambit/materialized.json", "{")
	for _, said := range findingsOf(t, root, env) {
		if said.Fix != nil && strings.HasPrefix(*said.Fix, "rm ") {
			t.Errorf("%s %s: %s", said.File, said.Code, *said.Fix)
		}
	}
}
