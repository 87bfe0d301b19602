package tiers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
)

// realBash runs lines under bash, in an empty folder, with nothing on PATH but stubs that record their names. Runners
// record theirs and start the real program, so that what they start is recorded as well.
type realBash struct {
	bash, bin, work, log string
	runs                 int
}

// stubs are the programs that only record that they ran; passing are those that go on to the real one.
var (
	stubs   = []string{"evil", "git", "npm", "rm", "ls", "head", "tail", "wc", "rg", "awk", "sed", "tee", "uniq", "sort", "sh", "bash", "python", "sudo"}
	passing = []string{"cat", "grep", "env", "timeout", "nice", "nohup", "xargs", "find", "printf", "test"}
)

func newRealBash(t testing.TB) *realBash {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("needs bash and Linux tools")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	b := &realBash{bash: bash, bin: filepath.Join(dir, "bin"), work: filepath.Join(dir, "work"), log: filepath.Join(dir, "log")}
	for _, d := range []string{b.bin, b.work} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, body string) {
		if err := os.WriteFile(filepath.Join(b.bin, name), []byte("#!"+bash+" --norc\nbuiltin echo \"${0##*/}\" >> \"$AMBIT_TEST_LOG\"\n"+body), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range stubs {
		write(s, "")
	}
	for _, s := range passing {
		if p, err := exec.LookPath(s); err == nil {
			write(s, "exec "+p+" \"$@\"\n")
		}
	}
	return b
}

// workFiles are what lies in the folder.
var workFiles = map[string]string{"a": "alpha\nbeta\n", "n.txt": "a[$(evil)]\n", "cmd.txt": "evil\n"}

// changed gives the names of files in the folder that a line made, changed or removed.
func (b *realBash) changed(t testing.TB) (out []string) {
	t.Helper()
	list, err := os.ReadDir(b.work)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range list {
		data, _ := os.ReadFile(filepath.Join(b.work, f.Name()))
		if text, ok := workFiles[f.Name()]; !ok || text != string(data) {
			out = append(out, f.Name())
		}
		seen++
	}
	if seen < len(workFiles) {
		out = append(out, "a file is gone")
	}
	return out
}

// run gives the names of the programs that the line ran.
func (b *realBash) run(t testing.TB, line string) []string {
	t.Helper()
	_ = os.RemoveAll(b.work)
	if err := os.Mkdir(b.work, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range workFiles {
		if err := os.WriteFile(filepath.Join(b.work, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.runs++
	log := fmt.Sprint(b.log, b.runs) // its own, since an earlier line may have left something running
	defer os.Remove(log)
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, b.bash, "--norc", "--noprofile", "-c", line)
	cmd.Dir = b.work
	cmd.Env = []string{"PATH=" + b.bin, "HOME=" + b.work, "LC_ALL=C.UTF-8", "AMBIT_TEST_LOG=" + log}
	cmd.WaitDelay = 100 * time.Millisecond
	killGroup(cmd)
	_ = cmd.Run()
	data, _ := os.ReadFile(log)
	return strings.Fields(string(data))
}

// listedForBash is what the lines are judged by.
var listedForBash = []string{"cat *", "ls *", "head *", "tail *", "wc *", "grep *", "rg *", "find *", "sort *", "uniq *", "sed *", "awk *", "xargs *", "tee *", "git status", "git log *", "git diff *", "git show *"}

// missed gives the programs that ran though the verdict lets the line run and has no part for them.
func missed(v Verdict, ran []string) []string {
	if !v.Allows() {
		return nil
	}
	var out []string
	for _, name := range ran {
		if !slices.ContainsFunc(v.Parts, func(p Part) bool {
			_, base := programNames(p.Program)
			return base == name || slices.ContainsFunc(p.Via, func(s string) bool { _, b := programNames(s); return b == name })
		}) {
			out = append(out, name)
		}
	}
	return out
}

// TestAgreesWithBash states that what bash runs is what was judged: of generated lines, nasty ones among them, every
// program that ran is among the parts, or the verdict asks or blocks. Only lines that may run unasked are run.
func TestAgreesWithBash(t *testing.T) {
	b := newRealBash(t)
	e := Evaluator{Protocol: protocolOf(t, listedForBash, nil, irreversible), Root: b.work}
	seed := uint64(1)
	if regime.Long() {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", seed)
	g := &lineMaker{rand.New(rand.NewPCG(seed, 2))}
	want := regime.Cases(t, 100, 2000)
	lines, ran := 0, 0
	for ran < want && lines < want*400 {
		line := g.line()
		lines++
		v := e.Evaluate(line)
		if !v.Allows() || strings.TrimSpace(line) == "" {
			continue
		}
		ran++
		if bad := missed(v, b.run(t, line)); len(bad) > 0 {
			t.Errorf("ran unasked: %q in %q\n%s", bad, line, v.Explain())
		}
		if files := b.changed(t); len(files) > 0 {
			t.Errorf("changed unasked: %q by %q\n%s", files, line, v.Explain())
		}
	}
	t.Logf("%d lines, %d of them run under bash", lines, ran)
}
