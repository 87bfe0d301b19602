//go:build unix

package campaign

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
	"github.com/google/go-cmp/cmp"
)

// setups are the ways in which a builder can be held: as strongly as this machine can, and each weaker way.
func setups() map[string]func(Builder) Builder {
	m := map[string]func(Builder) Builder{
		"strongest": func(b Builder) Builder { return b },
		"unbound":   func(b Builder) Builder { b.unbound = true; return b },
	}
	if runtime.GOOS == "linux" {
		m["user namespace"] = func(b Builder) Builder { b.weaker = 1; return b }
		m["group"] = func(b Builder) Builder { b.weaker = 2; return b }
		m["group unbound"] = func(b Builder) Builder { b.weaker, b.unbound = 2, true; return b }
	}
	return m
}

func eachSetup(t *testing.T, f func(t *testing.T, setup func(Builder) Builder)) {
	for name, setup := range setups() {
		t.Run(name, func(t *testing.T) { f(t, setup) })
	}
}

func TestBuilderPasses(t *testing.T) {
	eachSetup(t, func(t *testing.T, setup func(Builder) Builder) {
		r := newRepo(t)
		o := setup(r.builder(t, "scratch", "devnull", "stdin", "good")).Observe(context.Background(), 3)
		if o.Status() != Pass || o.Mode() != LiveBuilder || o.ErrorCode != "" {
			t.Fatalf("%v %v: %+v", o.Status(), o.ErrorCode, o.Live)
		}
		l := o.Live
		if o.BuilderRef != "builder.steps" || o.SourceDigest != "d00d" || l.Targets != 4 || l.Slug != "toy-slug" {
			t.Errorf("%+v %+v", o, l)
		}
		if l.StderrSHA256 != hexOf(nil) { // what a step was denied is told there
			t.Error("something was denied that must not be")
		}
		if l.StdoutSHA256 != hexOf([]byte(goodReport+"\n")) || l.StdoutBytes != int64(len(goodReport))+1 {
			t.Error("the output's hash is not that of the output")
		}
		if l.TreeBefore != l.TreeAfter || l.TreeFiles < 10 {
			t.Errorf("tree %d %s %s", l.TreeFiles, l.TreeBefore, l.TreeAfter)
		}
	})
}

// writing are the ways of writing that are tried: what the builder does, what of it Landlock stops, and the path that
// the snapshot names.
var writing = []struct {
	name, step, path string
	landlock         bool
}{
	{"a file in the root", "create made", "root/made", true},
	{"a file outside the root", "create ../made", "made", true},
	{"a file deep in the root", "create deep/er/y", "root/deep/er/y", true},
	{"more of a file", "append source.go", "root/source.go", true},
	{"a mode", "chmod source.go", "root/source.go", false},
	{"a mode outside the root", "chmod ../README", "README", false},
	{"a folder's mode", "chmod deep", "root/deep", false},
	{"a replaced link", "link link", "root/link", true},
	{"a new link", "symlink new", "root/new", true},
	{"a removed file", "remove source.go", "root/source.go", true},
	{"a folder", "mkdir new", "root/new", true},
	{"a new ref", "create ../.git/refs/heads/sneaky", ".git/refs/heads/sneaky", true},
	{"a moved ref", "append ../.git/refs/heads/main", ".git/refs/heads/main", true},
	{"the index", "append ../.git/index", ".git/index", true},
	{"the configuration", "append ../.git/config", ".git/config", true},
	{"a new object", "create ../.git/objects/ab/new", ".git/objects/ab/new", true},
	{"itself", "append builder.steps", "root/builder.steps", true},
}

// TestBuilderThatWrites is the claim itself: the builder's own word is not believed. // P33, H18
func TestBuilderThatWrites(t *testing.T) {
	for _, tt := range writing {
		t.Run(tt.name, func(t *testing.T) {
			r := newRepo(t)
			b := r.builder(t, tt.step, "good")
			b.unbound = true
			o := b.Observe(context.Background(), 3)
			if o.Status() != Blocked || o.ErrorCode != BuilderWrote || !slices.Contains(o.Live.Changed, tt.path) {
				t.Errorf("%v %v %q, want %q", o.Status(), o.ErrorCode, o.Live.Changed, tt.path)
			}
			if o.Live.Confinement != "snapshot" || o.Live.LandlockABI != 0 {
				t.Errorf("confinement %q, level %d", o.Live.Confinement, o.Live.LandlockABI)
			}
			in := sample()
			e := Evaluate(context.Background(), in, replayed{o})
			want := []Code{WitnessBlocked, PacketSubprocessFailed, BuilderWrote}
			if d := cmp.Diff(want, codesOf(e.Findings)); d != "" || e.Status() != Blocked {
				t.Error(d)
			}
			if got := fmt.Sprint(e.Findings[2].Observed); !strings.Contains(got, tt.path) {
				t.Errorf("the finding says %s, want %s", got, tt.path)
			}
		})
	}
}

// TestLandlock shows that where the kernel has Landlock the writing itself fails, and the modes it does not cover are
// still found out.
func TestLandlock(t *testing.T) {
	r := newRepo(t)
	if o := r.builder(t, "good").Observe(context.Background(), 1); o.Live.LandlockABI == 0 {
		t.Skipf("no Landlock here: %s", o.Live.Confinement)
	}
	for _, tt := range writing {
		t.Run(tt.name, func(t *testing.T) {
			r := newRepo(t)
			o := r.builder(t, tt.step, "good").Observe(context.Background(), 3)
			denied := hexOf([]byte("denied: " + strings.Fields(tt.step)[0] + "\n"))
			switch l := o.Live; {
			case l.Confinement != "landlock+snapshot" || l.LandlockABI < 1:
				t.Errorf("confinement %q, level %d", l.Confinement, l.LandlockABI)
			case tt.landlock && (l.StderrSHA256 != denied || !l.unchanged() || o.Status() != Pass):
				t.Errorf("it was not denied: %v, %q", o.Status(), l.Changed)
			case !tt.landlock && (o.ErrorCode != BuilderWrote || !slices.Contains(l.Changed, tt.path)):
				t.Errorf("%v %q, want %q", o.ErrorCode, l.Changed, tt.path)
			}
		})
	}
	if runtime.GOOS != "linux" {
		return
	}
	// The domain held for one thread, which is gone: this process may write, and gain privileges, as before.
	if err := os.WriteFile(filepath.Join(r.root, "ours"), nil, 0o644); err != nil {
		t.Error(err)
	}
	own, _ := os.ReadFile("/proc/self/status")
	noNew := func(status []byte) bool { return strings.Contains(string(status), "NoNewPrivs:\t1") }
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		left := 0
		tasks, _ := filepath.Glob("/proc/self/task/*/status")
		for _, task := range tasks {
			if data, err := os.ReadFile(task); err == nil && noNew(data) {
				left++
			}
		}
		if left == 0 || noNew(own) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d threads are still confined", left)
		}
	}
}

func TestBuilderTimeLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for processes to be killed")
	}
	t.Parallel()
	held := setups()
	if !regime.Long() {
		for name := range held {
			if name != "strongest" && name != "group unbound" {
				delete(held, name)
			}
		}
	}
	late := filepath.Join(t.TempDir(), "late")
	var longest time.Duration
	for name, steps := range map[string][]string{
		"sleeps":                   {"good", "sleep 60s"},
		"ignores signals":          {"stubborn", "good", "sleep 60s"},
		"has a child":              {"child group 2 " + late, "sleep 60s"},
		"has a child that left":    {"child setsid 2 " + late, "sleep 60s"},
		"has a child, and ignores": {"stubborn", "child setsid 2 " + late, "sleep 60s"},
	} {
		for how, setup := range held {
			b := setup(newRepo(t).builder(t, steps...))
			b.Timeout = 200 * time.Millisecond
			from := time.Now()
			o := b.Observe(context.Background(), 3)
			over := time.Since(from) - b.Timeout
			if longest = max(longest, over); over > time.Second+slack {
				t.Errorf("%s, %s: it took %v longer than its limit", name, how, over)
			}
			if o.Status() != Blocked || o.ErrorCode != BuilderTimeout || o.Live.ReturnCode != nil {
				t.Errorf("%s, %s: %v %v", name, how, o.Status(), o.ErrorCode)
			}
		}
	}
	t.Logf("the longest, snapshots included, took %v longer than its limit", longest)
	time.Sleep(2200 * time.Millisecond)
	if _, err := os.Stat(late); err == nil {
		t.Error("a descendant lived on and wrote")
	}
}

// slack is what the race detector and a busy machine may add.
const slack = 2 * time.Second

func TestBuilderIsInterrupted(t *testing.T) {
	b := newRepo(t).builder(t, "sleep 60s")
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	from := time.Now()
	if o := b.Observe(ctx, 3); o.ErrorCode != BuilderTimeout || time.Since(from) > 5*time.Second {
		t.Errorf("%v after %v", o.ErrorCode, time.Since(from))
	}
	cancel()
	if o := b.Observe(ctx, 3); o.Status() != Blocked || o.Live != nil {
		t.Errorf("%v: it was started after the end", o.ErrorCode)
	}
}

// TestBuilderLeavesAChild holds that nothing outlives a builder that ends well, and that what a child holds open costs
// no time. // H16
func TestBuilderLeavesAChild(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for processes to be killed")
	}
	t.Parallel()
	var late []string
	for _, where := range []string{"group", "setsid"} {
		for how, setup := range setups() {
			r := newRepo(t)
			file := filepath.Join(r.root, "late")
			late = append(late, file)
			from := time.Now()
			o := setup(r.builder(t, "child "+where+" 1.5 "+file, "good")).Observe(context.Background(), 3)
			if o.Status() != Pass {
				t.Errorf("%s, %s: %v %v", where, how, o.Status(), o.ErrorCode)
			}
			if took := time.Since(from); took > time.Second+slack {
				t.Errorf("%s, %s: it took %v", where, how, took)
			}
		}
	}
	time.Sleep(1700 * time.Millisecond)
	for _, file := range late {
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s: the child wrote after the builder had ended", file)
		}
	}
}

// TestHiddenChild holds what is claimed of a child that left the group and dropped its environment: in a namespace it is
// gone; without one it may live, which the observation does not deny, and costs no more than the grace.
func TestHiddenChild(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for processes to be killed")
	}
	t.Parallel()
	dir := t.TempDir()
	var late []string // by children that were in a namespace
	for how, setup := range setups() {
		file := filepath.Join(dir, strings.ReplaceAll(how, " ", "-"))
		b := setup(newRepo(t).builder(t, "child hidden 1 "+file, "good"))
		b.unbound = true
		from := time.Now()
		o := b.Observe(context.Background(), 3)
		if took := time.Since(from); o.Status() != Pass || took > time.Second+slack {
			t.Errorf("%s: %v %v after %v", how, o.Status(), o.ErrorCode, took)
		}
		if o.Live.Containment == "pid_namespace" {
			late = append(late, file)
		}
	}
	t.Logf("%d in a namespace", len(late))
	time.Sleep(1300 * time.Millisecond)
	for _, file := range late {
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s: it lived on in a namespace", file)
		}
	}
}

// TestNothingIsLeft holds that watching leaves no goroutine, no file and no open pipe behind, and that a scratch folder
// inside the tree is not taken for a change.
func TestNothingIsLeft(t *testing.T) {
	r := newRepo(t)
	t.Setenv("TMPDIR", r.root)
	pipes := func() int { files, _ := os.ReadDir("/proc/self/fd"); return len(files) }
	before, open := runtime.NumGoroutine(), pipes()
	for range 5 {
		if o := r.builder(t, "scratch", "good").Observe(context.Background(), 2); o.Status() != Pass {
			t.Fatalf("%v %q", o.ErrorCode, o.Live.Changed)
		}
		b := r.builder(t, "sleep 10s")
		b.Timeout = 50 * time.Millisecond
		b.Observe(context.Background(), 2)
	}
	left, _ := filepath.Glob(filepath.Join(r.root, "ambit-campaign-*"))
	if len(left) > 0 {
		t.Error(left)
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before || pipes() > open; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines and %d files, before %d and %d", runtime.NumGoroutine(), pipes(), before, open)
		}
	}
}

// TestToolIsKilled holds that a builder does not outlive the program that watches it.
func TestToolIsKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a child")
	}
	b := newRepo(t).builder(t, "sleep 30s")
	cmd := exec.Command(b.Interpreter, "observe", b.Path, b.Root)
	must(t, cmd.Start())
	runs := func() bool {
		files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		return slices.ContainsFunc(files, func(f string) bool {
			data, _ := os.ReadFile(f)
			return strings.Contains(string(data), b.Path+"\x00--check")
		})
	}
	wait := func(want bool) {
		t.Helper()
		for end := time.Now().Add(10 * time.Second); runs() != want; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the builder runs: %v", !want)
			}
		}
	}
	wait(true)
	must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	wait(false)
}

// TestMemory measures what watching a builder costs that prints 4 GiB, in a process of its own.
func TestMemory(t *testing.T) {
	if regime.Race {
		t.Skip("the race detector's memory is not ours")
	}
	b := newRepo(t).builder(t, "flood stdout")
	out, err := exec.Command(b.Interpreter, "observe", b.Path, b.Root).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var code string
	var kib int64
	if _, err := fmt.Sscan(string(out), &code, &kib); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("%s with %d KiB", code, kib)
	if Code(code) != BuilderOutputLarge || kib > 64<<10 {
		t.Errorf("%s with %d KiB, at most 64 MiB", code, kib)
	}
}

func TestBuilderFloods(t *testing.T) {
	for _, where := range []string{"stdout", "stderr"} {
		t.Run(where, func(t *testing.T) {
			eachSetup(t, func(t *testing.T, setup func(Builder) Builder) {
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				o := setup(newRepo(t).builder(t, "flood "+where)).Observe(context.Background(), 3)
				runtime.ReadMemStats(&after)
				if o.ErrorCode != BuilderOutputLarge || o.Status() != Blocked {
					t.Errorf("%v %v", o.Status(), o.ErrorCode)
				}
				if n := o.Live.StdoutBytes + o.Live.StderrBytes; n < MaxOutput || n > 2*MaxOutput {
					t.Errorf("%d bytes were read", n)
				}
				if grown := after.TotalAlloc - before.TotalAlloc; grown > 32<<20 {
					t.Errorf("%d bytes were allocated", grown)
				}
			})
		})
	}
}

// TestBuilderSeesNothingOfOurs holds what reaches a builder. // H17
func TestBuilderSeesNothingOfOurs(t *testing.T) {
	t.Setenv("SECRET_OF_OURS", "hunter2")
	b := newRepo(t).builder(t, "good")
	env := b.environment("/scratch", "n")
	for _, kv := range env {
		if strings.Contains(kv, "hunter2") || strings.HasPrefix(kv, "SECRET") {
			t.Error(kv)
		}
	}
	want := []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/scratch", "TMPDIR=/scratch", "LANG=C.UTF-8", "TZ=UTC", "PYTHONDONTWRITEBYTECODE=1", "AMBIT_CAMPAIGN_NONCE=n"}
	if d := cmp.Diff(want, env); d != "" {
		t.Error(d)
	}
	b.Env = []string{"NAMED=x"}
	if env := b.environment("/scratch", "n"); !slices.Contains(env, "NAMED=x") {
		t.Error("what the caller names is missing")
	}
}

func TestBuilderIsNotStarted(t *testing.T) {
	r := newRepo(t)
	good := r.builder(t, "good")
	self := good.Interpreter
	plain := filepath.Join(r.root, "plain")
	open := filepath.Join(r.root, "open")
	link := filepath.Join(r.root, "builder.link")
	for path, mode := range map[string]os.FileMode{plain: 0o644, open: 0o757} {
		if err := os.WriteFile(path, []byte("good\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("builder.steps", link); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]Builder{
		"nothing":                     {},
		"a relative path":             {Path: "builder.steps", Interpreter: self, Root: r.root},
		"a relative root":             {Path: good.Path, Interpreter: self, Root: "."},
		"a relative interpreter":      {Path: good.Path, Interpreter: "sh", Root: r.root},
		"no root":                     {Path: good.Path, Interpreter: self, Root: filepath.Join(r.root, "none")},
		"a file for a root":           {Path: good.Path, Interpreter: self, Root: plain},
		"no builder":                  {Path: filepath.Join(r.root, "none"), Interpreter: self, Root: r.root},
		"a folder for a builder":      {Path: r.root, Interpreter: self, Root: r.root},
		"a link for a builder":        {Path: link, Interpreter: self, Root: r.root},
		"a builder anyone may change": {Path: open, Interpreter: self, Root: r.root},
		"an interpreter like that":    {Path: good.Path, Interpreter: open, Root: r.root},
		"no interpreter":              {Path: good.Path, Interpreter: filepath.Join(r.root, "none"), Root: r.root},
		"one that cannot run":         {Path: good.Path, Interpreter: plain, Root: r.root},
		"a builder that cannot run":   {Path: plain, Root: r.root},
		"a path to watch that climbs": {Path: good.Path, Interpreter: self, Root: r.root, Watch: []string{"../x"}},
	} {
		o := b.Observe(context.Background(), 3)
		if o.Status() != Blocked || o.ErrorCode != BuilderNotStarted || o.Live != nil {
			t.Errorf("%s: %v %v %+v", name, o.Status(), o.ErrorCode, o.Live)
		}
		e := Evaluate(context.Background(), sample(), b)
		if d := cmp.Diff([]Code{WitnessBlocked, PacketSubprocessFailed, BuilderNotStarted, CandidatePacketEmpty}, codesOf(e.Findings)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestBuilderEnds(t *testing.T) {
	for name, tt := range map[string]struct {
		steps []string
		code  Code
		rc    int
	}{
		"with 3":                 {[]string{"good", "exit 3"}, "", 3},
		"saying nothing":         {nil, BuilderReportInvalid, 0},
		"with an unknown step":   {[]string{"nonsense"}, "", 8},
		"with a log line":        {[]string{"print starting", "good"}, BuilderReportInvalid, 0},
		"saying it twice":        {[]string{"good", "good"}, BuilderReportInvalid, 0},
		"with a list":            {[]string{"print []"}, BuilderReportInvalid, 0},
		"with a key twice":       {[]string{`print {"wrote_packet":"x","wrote_packet":null}`}, BuilderReportInvalid, 0},
		"with a number too much": {[]string{"print " + strings.Replace(goodReport, "4", "NaN", 1)}, BuilderReportInvalid, 0},
		"with a broken error":    {[]string{"complain \xff", "good"}, BuilderReportInvalid, 0},
	} {
		o := newRepo(t).builder(t, tt.steps...).Observe(context.Background(), 3)
		rc := -99
		if o.Live != nil && o.Live.ReturnCode != nil {
			rc = *o.Live.ReturnCode
		}
		if o.Status() != Blocked || o.ErrorCode != tt.code || rc != tt.rc {
			t.Errorf("%s: %v %q, return code %d", name, o.Status(), o.ErrorCode, rc)
		}
	}
}

// TestBuilderDies holds the return code of a signal, where the builder is not the first process of its namespace.
func TestBuilderDies(t *testing.T) {
	b := newRepo(t).builder(t, "die")
	b.weaker = len(containments) - 2
	o := b.Observe(context.Background(), 3)
	if o.Live == nil || o.Live.ReturnCode == nil || *o.Live.ReturnCode != -9 {
		t.Errorf("%+v", o.Live)
	}
}

// TestBuilderIsTold holds the command line. // P31
func TestBuilderIsTold(t *testing.T) {
	o := newRepo(t).builder(t, "args", "good").Observe(context.Background(), 7)
	if want := hexOf([]byte("args [--check --report --max-targets 7]\n")); o.Live.StderrSHA256 != want {
		t.Error("not --check --report --max-targets 7")
	}
}
