package envelope

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
)

// fleet makes a folder of many envelopes.
func fleet(b *testing.B, n int) string {
	b.Helper()
	root := b.TempDir()
	for i := range n {
		agent := fmt.Sprintf("agent-%06d", i)
		place(b, root, agent, sampleOf(agent))
	}
	return root
}

// floor is what a list cannot be faster than: the folder, and every file read whole by as many workers.
func floor(b *testing.B, root string) {
	agents := filepath.Join(root, Folder)
	entries, err := os.ReadDir(agents)
	if err != nil {
		b.Fatal(err)
	}
	var wg sync.WaitGroup
	chunks := make(chan []os.DirEntry, len(entries)/listChunk+1)
	for len(entries) > 0 {
		n := min(listChunk, len(entries))
		chunks <- entries[:n]
		entries = entries[n:]
	}
	close(chunks)
	for range workers() {
		wg.Go(func() {
			for chunk := range chunks {
				for _, e := range chunk {
					if _, err := os.ReadFile(filepath.Join(agents, e.Name(), FileName)); err != nil {
						b.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkList compares a list with its floor in the same run, in turns, and with grep where there is one. With
// AMBIT_LONG=1 the fleet has 100,000 envelopes, else 5,000.
func BenchmarkList(b *testing.B) {
	n := 5_000
	if regime.Long() {
		n = 100_000
	}
	root := fleet(b, n)
	list := func() {
		all, err := Dir{Root: root}.List()
		if err != nil {
			b.Fatal(err)
		}
		found := 0
		for l := range all {
			if l.Err == nil {
				found++
			}
		}
		if found != n {
			b.Fatalf("%d of %d", found, n)
		}
	}
	grep := func() {
		out, err := exec.Command("grep", "-r", "-m1", "^updated:", filepath.Join(root, Folder)).Output()
		if err != nil || len(out) == 0 {
			b.Fatalf("grep: %v", err)
		}
	}
	if _, err := exec.LookPath("grep"); err != nil {
		grep = func() {}
	}
	list() // warm
	floor(b, root)
	b.ReportAllocs()
	b.ResetTimer()
	var lists, floors, greps []time.Duration
	timed := func(f func()) time.Duration { start := time.Now(); f(); return time.Since(start) }
	for b.Loop() {
		lists = append(lists, timed(list))
		b.StopTimer()
		floors = append(floors, timed(func() { floor(b, root) }))
		greps = append(greps, timed(grep))
		b.StartTimer()
	}
	b.ReportMetric(float64(median(lists))/float64(median(floors)), "x-floor")
	b.ReportMetric(float64(median(lists))/float64(median(greps)), "x-grep")
	b.ReportMetric(float64(median(lists))/float64(n), "ns/envelope")
}

func median(d []time.Duration) time.Duration {
	d = append([]time.Duration(nil), d...)
	for i := range d {
		for j := i; j > 0 && d[j] < d[j-1]; j-- {
			d[j], d[j-1] = d[j-1], d[j]
		}
	}
	return d[len(d)/2]
}

// BenchmarkGet is the hot path of every session: one agent's file, read and checked whole.
func BenchmarkGet(b *testing.B) {
	root := b.TempDir()
	place(b, root, "dave", sample)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Dir{Root: root}).Get("dave"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFrontmatter compares the two ways of reading one.
func BenchmarkFrontmatter(b *testing.B) {
	data := []byte(sample)
	b.Run("fast", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, ok := fastFront("dave", data); !ok {
				b.Fatal("refused")
			}
		}
	})
	b.Run("full", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := readHeadOnly("x.md", "dave", data); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSet is one act on a file with a long history, without the disk.
func BenchmarkSet(b *testing.B) {
	for _, entries := range []int{2, 6400} {
		b.Run(fmt.Sprint(entries), func(b *testing.B) {
			data := []byte(sample)
			for i := range entries - 2 {
				data = append(data, fmt.Sprintf("\n### 2026-07-01T09:00:00Z; li-comment-draft set to checkBeforeCommitting\nOperator note: p%d.\n", i)...)
			}
			b.ReportAllocs()
			for b.Loop() {
				d, err := ParseDocument("x.md", "dave", data)
				if err != nil {
					b.Fatal(err)
				}
				text := "n"
				if _, err := d.Set(Change{Task: "code-dispatch", Note: &text, Now: later}); err != nil {
					b.Fatal(err)
				}
				_ = d.Bytes()
			}
		})
	}
}
