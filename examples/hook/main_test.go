package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func bash(dir, command string) string {
	return `{"hook_event_name":"PreToolUse","cwd":"` + filepath.ToSlash(dir) + `","tool_name":"Bash","tool_input":{"command":"` + command + `"}}`
}

func TestAnswer(t *testing.T) {
	fleet, err := filepath.Abs("../fleet")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, stdin string
		args        []string
		exit        int
		stdout      string
	}{
		{"tier1", bash(fleet, "git status"), []string{fleet}, 0, `"permissionDecision":"allow"`},
		{"tier3", bash(fleet, "git -C . push"), []string{fleet}, 2, `"permissionDecision":"deny"`},
		{"unlisted", bash(fleet, "make all"), []string{fleet}, 0, `"permissionDecision":"ask"`},
		{"approved", bash(fleet, "git status"), []string{fleet, "dave", "code-dispatch"}, 0, `"allow"`},
		{"supervised", bash(fleet, "git status"), []string{fleet, "dave", "git-commit-push"}, 0, `"ask"`},
		{"broken envelope", bash(fleet, "git status"), []string{fleet, "erin", "code-dispatch"}, 0, `"ask"`},
		{"garbage", "x", []string{fleet}, 2, ""},
		{"wrong call", bash(fleet, "git status"), nil, 2, ""},
	} {
		out := answer(tt.args, strings.NewReader(tt.stdin))
		if out.Exit != tt.exit || !strings.Contains(string(out.Stdout), tt.stdout) {
			t.Errorf("%s: exit %d, %s%s", tt.name, out.Exit, out.Stdout, out.Stderr)
		}
	}
}

// BenchmarkProcess times the whole process from the event on standard input to the answer, beside an empty Go program
// and the ambit command, in turns.
func BenchmarkProcess(b *testing.B) {
	dir := b.TempDir()
	empty := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(empty, []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	build := func(name, source string) string {
		out := filepath.Join(dir, name)
		if text, err := exec.Command("go", "build", "-o", out, source).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, text)
		}
		return out
	}
	programs := [][]string{{build("empty", empty)}, {build("hook", "."), "../fleet"}, {build("ambit", "../../cmd/ambit"), "hook", "--harness", "claude", "--root", "../fleet"}}
	fleet, err := filepath.Abs("../fleet")
	if err != nil {
		b.Fatal(err)
	}
	event := bash(fleet, "git status")
	took := make([][]time.Duration, len(programs))
	for b.Loop() {
		for i, p := range programs {
			cmd := exec.Command(p[0], p[1:]...)
			cmd.Stdin = strings.NewReader(event)
			start := time.Now()
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], time.Since(start))
		}
	}
	median := func(d []time.Duration) float64 { slices.Sort(d); return d[len(d)/2].Seconds() * 1e3 }
	floor := median(took[0])
	b.ReportMetric(floor, "empty-ms")
	b.ReportMetric(median(took[1]), "hook-ms")
	b.ReportMetric(median(took[1])/floor, "hook/empty")
	b.ReportMetric(median(took[2]), "ambit-ms")
	b.ReportMetric(median(took[2])/floor, "ambit/empty")
}
