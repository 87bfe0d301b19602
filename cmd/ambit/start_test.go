package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkStart times ambit from its start to the first byte of its help, beside an empty Go program from its start to
// its end, in turns. Both are built as a release is.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	source := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	build := func(name, source string) string {
		out := filepath.Join(dir, name)
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, source)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if text, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, text)
		}
		return out
	}
	empty, ambit := build("empty", source), build("ambit", ".")
	var floors, helps []time.Duration
	for b.Loop() {
		start := time.Now()
		if err := exec.Command(empty).Run(); err != nil {
			b.Fatal(err)
		}
		floors = append(floors, time.Since(start))
		helps = append(helps, firstByte(b, ambit, "--help"))
	}
	slices.Sort(floors)
	slices.Sort(helps)
	floor, help := floors[len(floors)/2], helps[len(helps)/2]
	b.ReportMetric(floor.Seconds()*1e3, "empty-ms")
	b.ReportMetric(help.Seconds()*1e3, "help-ms")
	b.ReportMetric(float64(help)/float64(floor), "help/empty")
}

// firstByte gives how long a program takes from its start to its first byte of output.
func firstByte(b *testing.B, program string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(program, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
		b.Fatal(err)
	}
	took := time.Since(start)
	if _, err := io.Copy(io.Discard, out); err != nil {
		b.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	return took
}
