//go:build unix

package campaign

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func take(t testing.TB, w watch) tree {
	t.Helper()
	if w.limit.files == 0 {
		w.limit = treeLimit{MaxTreeFiles, MaxTreeBytes}
	}
	tr, err := w.take(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTreeChanges holds what a tree sees, path by path.
func TestTreeChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("not one of the quick tests")
	}
	for name, tt := range map[string]struct {
		do   func(r repo)
		want []string
	}{
		"nothing":      {func(repo) {}, nil},
		"a time":       {func(r repo) { must(t, os.Chtimes(filepath.Join(r.dir, "README"), noon, noon)) }, nil},
		"a file":       {func(r repo) { write(t, filepath.Join(r.dir, "new"), "") }, []string{"new"}},
		"two files":    {func(r repo) { write(t, filepath.Join(r.dir, "z"), ""); write(t, filepath.Join(r.dir, "a"), "") }, []string{"a", "z"}},
		"same size":    {func(r repo) { write(t, filepath.Join(r.dir, "README"), "read mE\n") }, []string{"README"}},
		"gone":         {func(r repo) { must(t, os.Remove(filepath.Join(r.dir, "README"))) }, []string{"README"}},
		"a mode":       {func(r repo) { must(t, os.Chmod(filepath.Join(r.dir, "README"), 0o600)) }, []string{"README"}},
		"a set-id bit": {func(r repo) { must(t, os.Chmod(filepath.Join(r.dir, "README"), 0o644|fs.ModeSetuid)) }, []string{"README"}},
		"a folder":     {func(r repo) { must(t, os.Mkdir(filepath.Join(r.dir, "d"), 0o755)) }, []string{"d"}},
		"a FIFO":       {func(r repo) { must(t, syscall.Mkfifo(filepath.Join(r.dir, "p"), 0o644)) }, []string{"p"}},
		"a file to a folder": {func(r repo) {
			must(t, os.Remove(filepath.Join(r.dir, "README")))
			must(t, os.Mkdir(filepath.Join(r.dir, "README"), 0o755))
		}, []string{"README"}},
		"a link elsewhere": {func(r repo) {
			must(t, os.Remove(filepath.Join(r.root, "link")))
			must(t, os.Symlink("other", filepath.Join(r.root, "link")))
		}, []string{"root/link"}},
		"behind a link":       {func(r repo) { write(t, filepath.Join(r.root, "source.go"), "x") }, []string{"root/source.go"}},
		"a ref":               {func(r repo) { write(t, filepath.Join(r.dir, ".git/refs/heads/x"), "x") }, []string{".git/refs/heads/x"}},
		"a ref named objects": {func(r repo) { write(t, filepath.Join(r.dir, ".git/refs/objects/x"), "x") }, []string{".git/refs/objects", ".git/refs/objects/x"}},
		"packed refs":         {func(r repo) { write(t, filepath.Join(r.dir, ".git/packed-refs"), "x") }, []string{".git/packed-refs"}},
		"a hook":              {func(r repo) { write(t, filepath.Join(r.dir, ".git/hooks/pre-commit"), "x") }, []string{".git/hooks", ".git/hooks/pre-commit"}},
		"an object":           {func(r repo) { write(t, filepath.Join(r.dir, ".git/objects/ab/x"), "x") }, []string{".git/objects/ab/x"}},
		"an object's length":  {func(r repo) { write(t, filepath.Join(r.dir, ".git/objects/ab/cdef"), "x") }, []string{".git/objects/ab/cdef"}},
		"an inner .git":       {func(r repo) { write(t, filepath.Join(r.root, "sub/.git/HEAD"), "x") }, []string{"root/sub", "root/sub/.git", "root/sub/.git/HEAD"}},
		"a module's ref":      {func(r repo) { write(t, filepath.Join(r.dir, ".git/modules/m/refs/objects/x"), "x") }, []string{".git/modules", ".git/modules/m", ".git/modules/m/refs", ".git/modules/m/refs/objects", ".git/modules/m/refs/objects/x"}},
		"a large file":        {func(r repo) { write(t, filepath.Join(r.dir, "large"), strings.Repeat("x", 300<<10)) }, []string{"large"}},
	} {
		r := newRepo(t)
		w := watched(r.root)
		before := take(t, w)
		tt.do(r)
		after := take(t, w)
		if d := cmp.Diff(tt.want, before.changes(after)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if (before.digest() == after.digest()) != (tt.want == nil) {
			t.Errorf("%s: the digests do not say so", name)
		}
	}
}

// TestTreeSums holds that a file's sum is the SHA-256 of all its bytes, at sizes around every read.
func TestTreeSums(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []int{0, 1, 8191, 8192, 128<<10 - 1, 128 << 10, 128<<10 + 1, 256 << 10, 300_001} {
		write(t, filepath.Join(dir, fmt.Sprint(n)), strings.Repeat("y", n))
	}
	for _, e := range take(t, watch{root: dir}).entries {
		data, err := os.ReadFile(filepath.Join(dir, e.path))
		must(t, err)
		if e.sum != sha256.Sum256(data) || e.size != int64(len(data)) {
			t.Errorf("%s: another sum, size %d", e.path, e.size)
		}
	}
}

// TestTreeProperty changes random files of random trees: the changed paths, and no others, are named.
func TestTreeProperty(t *testing.T) {
	regime.Rapid(t, 60, 2000)
	base := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		dir := filepath.Join(base, fmt.Sprint(n))
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-d]{1,3}`), 1, 12, rapid.ID[string]).Draw(rt, "names")
		for _, name := range names {
			write(t, filepath.Join(dir, name), rapid.StringN(0, 20, 40).Draw(rt, "text"))
		}
		before := take(t, watch{root: dir})
		var want []string
		for _, name := range names {
			path := filepath.Join(dir, name)
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0:
				must(t, os.Remove(path))
				want = append(want, name)
			case 1:
				data, err := os.ReadFile(path)
				must(t, err)
				write(t, path, string(data)+"+")
				want = append(want, name)
			case 2:
				write(t, path+"_new", "")
				want = append(want, name+"_new")
			}
		}
		slices.Sort(want)
		if d := cmp.Diff(want, before.changes(take(t, watch{root: dir}))); d != "" {
			rt.Fatal(d)
		}
	})
}

func TestTreeLimits(t *testing.T) {
	r := newRepo(t)
	for _, limit := range []treeLimit{{3, 1 << 30}, {1000, 10}} {
		w := watch{root: r.dir, limit: limit}
		if _, err := w.take(context.Background()); !errors.Is(err, errTreeTooLarge) {
			t.Errorf("%v: %v", limit, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (watch{root: r.dir, limit: treeLimit{1000, 1000}}).take(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	w := watched(r.root)
	w.paths = []string{"README", "none", "root/deep"}
	before := take(t, w)
	write(t, filepath.Join(r.root, "source.go"), "not watched")
	write(t, filepath.Join(r.root, "deep/er/x"), "watched")
	write(t, filepath.Join(r.dir, "none"), "watched")
	write(t, filepath.Join(r.dir, ".git/HEAD"), "always watched")
	if d := cmp.Diff([]string{".git/HEAD", "none", "root/deep/er/x"}, before.changes(take(t, w))); d != "" {
		t.Error(d)
	}
}

// TestNarrowedBuilder holds that a tree that is too large is not watched in part unless the caller says which part, and
// that the record says so.
func TestNarrowedBuilder(t *testing.T) {
	r := newRepo(t)
	b := r.builder(t, "chmod ../README", "good")
	b.Watch = []string{"root"}
	o := b.Observe(context.Background(), 2)
	if d := cmp.Diff([]string{"root"}, o.Live.Watched); o.Status() != Pass || d != "" {
		t.Errorf("%v %v", o.ErrorCode, d)
	}
	b = r.builder(t, "chmod source.go", "good")
	b.Watch = []string{"root"}
	if o := b.Observe(context.Background(), 2); o.ErrorCode != BuilderWrote {
		t.Error(o.ErrorCode)
	}
	// A file with a hole is 5 GiB that nobody has to store; it is read only when it is within the limit.
	f, err := os.Create(filepath.Join(r.dir, "hole"))
	must(t, err)
	must(t, f.Truncate(MaxTreeBytes+1))
	must(t, f.Close())
	if o := r.builder(t, "good").Observe(context.Background(), 2); o.ErrorCode != TreeTooLarge || o.Live != nil {
		t.Errorf("%v", o.ErrorCode)
	}
	refused(t, Evaluate(context.Background(), sample(), r.builder(t, "good")), WitnessBlocked, PacketSubprocessFailed, TreeTooLarge, CandidatePacketEmpty)
}

// TestLinkedWorkTree holds that a linked work tree's own git folder and the shared one are watched.
func TestLinkedWorkTree(t *testing.T) {
	main := newRepo(t)
	linked, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	own := filepath.Join(main.dir, ".git", "worktrees", "linked")
	write(t, filepath.Join(own, "HEAD"), "ref: refs/heads/x\n")
	write(t, filepath.Join(own, "commondir"), "../..\n")
	write(t, filepath.Join(linked, ".git"), "gitdir: "+own+"\n")
	write(t, filepath.Join(linked, "a", "b"), "x")
	w := watched(filepath.Join(linked, "a"))
	if w.root != linked {
		t.Fatalf("root %s", w.root)
	}
	before := take(t, w)
	write(t, filepath.Join(main.dir, ".git/refs/heads/main"), "moved")
	write(t, filepath.Join(main.dir, ".git/objects/ab/x"), "new")
	write(t, filepath.Join(own, "index"), "new")
	want := []string{"git:own/index", "git:shared/objects/ab/x", "git:shared/refs/heads/main", "git:shared/worktrees/linked/index"}
	if d := cmp.Diff(want, before.changes(take(t, w))); d != "" {
		t.Error(d)
	}
	for name, text := range map[string]string{"no prefix": own, "nowhere": "gitdir: /nowhere", "empty": "", "long": strings.Repeat("x", 5000)} {
		write(t, filepath.Join(linked, ".git"), text)
		if w := watched(linked); w.root != linked || w.more != nil {
			t.Errorf("%s: %+v", name, w)
		}
	}
	if w := watched(t.TempDir()); w.more != nil {
		t.Errorf("no git: %+v", w)
	}
}

// TestTreeUnreadable holds that what cannot be read is watched by what can be seen of it.
func TestTreeUnreadable(t *testing.T) {
	dir := t.TempDir()
	e := entry{path: "x", file: filepath.Join(dir, "none")}
	e.read(make([]byte, 8), &budget{})
	if e.link != "unreadable" || e.mode != 0 {
		t.Errorf("%+v", e)
	}
	must(t, syscall.Mkfifo(filepath.Join(dir, "p"), 0o644))
	e = entry{path: "p", file: filepath.Join(dir, "p")}
	e.read(make([]byte, 8), &budget{})
	if e.link != "unreadable" || e.mode&fs.ModeNamedPipe == 0 {
		t.Errorf("%+v", e)
	}
	must(t, os.Symlink("p", filepath.Join(dir, "l")))
	if _, err := readFolder(filepath.Join(dir, "l")); err == nil {
		t.Error("a link was followed")
	}
	if tr := take(t, watch{root: filepath.Join(dir, "none")}); len(tr.entries) != 1 || tr.entries[0].link != "unreadable" {
		t.Errorf("%+v", tr)
	}
	if os.Geteuid() == 0 {
		return // root reads everything
	}
	write(t, filepath.Join(dir, "secret"), "x")
	must(t, os.Chmod(filepath.Join(dir, "secret"), 0))
	before := take(t, watch{root: dir})
	must(t, os.Chmod(filepath.Join(dir, "secret"), 0o644))
	if d := cmp.Diff([]string{"secret"}, before.changes(take(t, watch{root: dir}))); d != "" {
		t.Error(d)
	}
}

// manyFiles lays out 10,000 files of 8 KiB.
func manyFiles(t testing.TB) (dir string, paths []string) {
	t.Helper()
	dir = t.TempDir()
	data := make([]byte, 8<<10)
	for i := range 10_000 {
		path := filepath.Join(dir, fmt.Sprintf("d%02d", i%100), fmt.Sprintf("f%d", i))
		if i < 100 {
			must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		}
		copy(data, path)
		must(t, os.WriteFile(path, data, 0o644))
		paths = append(paths, path)
	}
	return dir, paths
}

// plain reads and hashes files in parallel, and does nothing else: the floor of what a tree can cost.
func plain(t testing.TB, paths []string) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(paths) {
					return
				}
				data, err := os.ReadFile(paths[i])
				if err != nil {
					t.Error(err)
					return
				}
				sha256.Sum256(data)
			}
		})
	}
	wg.Wait()
}

// TestTreeSpeed compares a tree with the floor, both warm and in turns, by their medians.
func TestTreeSpeed(t *testing.T) {
	if regime.Race || testing.Short() {
		t.Skip("a figure of speed")
	}
	dir, paths := manyFiles(t)
	w := watch{root: dir, limit: treeLimit{MaxTreeFiles, MaxTreeBytes}}
	var floor, ours []time.Duration
	for range 5 {
		from := time.Now()
		plain(t, paths)
		floor = append(floor, time.Since(from))
		from = time.Now()
		take(t, w).digest()
		ours = append(ours, time.Since(from))
	}
	slices.Sort(floor)
	slices.Sort(ours)
	ratio := float64(ours[len(ours)/2]) / float64(floor[len(floor)/2])
	best := float64(ours[0]) / float64(floor[0])
	t.Logf("10,000 files of 8 KiB: floor %v, tree %v, ratio of medians %.2f, of minima %.2f", floor[len(floor)/2], ours[len(ours)/2], ratio, best)
	if min(ratio, best) > 1.3 {
		t.Errorf("%.2f times the floor, at most 1.3", min(ratio, best))
	}
}

func BenchmarkTree(b *testing.B) {
	dir, paths := manyFiles(b)
	w := watch{root: dir, limit: treeLimit{MaxTreeFiles, MaxTreeBytes}}
	b.Run("floor", func(b *testing.B) {
		for b.Loop() {
			plain(b, paths)
		}
	})
	b.Run("tree", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			take(b, w).digest()
		}
	})
}
