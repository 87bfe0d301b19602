package envelope

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// place writes an envelope below a root and gives its path.
func place(t testing.TB, root, agent, data string) string {
	t.Helper()
	file := filepath.Join(root, Folder, agent, FileName)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func sampleOf(agent string) string { return strings.ReplaceAll(sample, "dave", agent) }

func at(root string, now time.Time) Dir {
	return Dir{Root: root, Now: func() time.Time { return now }}
}

func codeOf(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return fmt.Sprintf("%v", err)
	}
	return e.Code
}

func read(t testing.TB, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestInit(t *testing.T) {
	root := t.TempDir()
	d := at(root, later)
	if err := d.Init("dave", " Zoë: ops "); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, Folder, "dave", FileName)
	want := "---\nagent: dave\nowner: \"Zoë: ops\"\nupdated: 2026-08-01T10:00:00Z\ntaskTypes: []\n---\n\n# Autonomy envelope; dave\n\n## Current state\n\n" +
		"| Task type | State | Since | Note |\n|---|---|---|---|\n\n## History\n"
	if diff := cmp.Diff(want, read(t, file)); diff != "" {
		t.Errorf("a fresh envelope (-want +got):\n%s", diff)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(file)
	if err := d.Init("dave", "mallory"); !errors.Is(err, ErrExists) || codeOf(err) != CodeExists {
		t.Errorf("a second init: %v", err)
	}
	after, _ := os.Stat(file)
	if read(t, file) != want || !after.ModTime().Equal(before.ModTime()) || after.Mode() != before.Mode() {
		t.Error("a second init touched the file")
	}
	doc, err := d.Get("dave")
	if err != nil || len(doc.Warnings()) != 0 || doc.Envelope().Owner != "Zoë: ops" {
		t.Errorf("a fresh envelope reads as %v, %v", doc, err)
	}
	for _, name := range []string{"no", "null", "y"} { // names that YAML takes for something else
		if err := d.Init(name, "no"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if doc, err := d.Get(name); err != nil || doc.Envelope().Agent != name || doc.Envelope().Owner != "no" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{"Dave": CodeBadName, "con": CodeBadName, "../x": CodeBadName} {
		if err := d.Init(name, "x"); codeOf(err) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := d.Init("x", ""); codeOf(err) != CodeUsage {
		t.Errorf("no owner: %v", err)
	}
	if err := at(root, time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)).Init("x", "y"); codeOf(err) != CodeUsage {
		t.Errorf("a year of five digits: %v", err)
	}
	if err := at(filepath.Join(root, "nowhere"), later).Init("x", "y"); !errors.Is(err, ErrNoRoot) {
		t.Errorf("no root: %v", err)
	}
	if err := at(file, later).Init("x", "y"); !errors.Is(err, ErrNoRoot) {
		t.Errorf("a root that is a file: %v", err)
	}
	if err := os.WriteFile(filepath.Join(root, Folder, "plain"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := d.Init("plain", "y"); codeOf(err) != CodeIO {
		t.Errorf("an agent that is a file: %v", err)
	}
}

// Of twenty calls of Init at once one succeeds. // R48
func TestInitRace(t *testing.T) {
	d := at(t.TempDir(), later)
	var wg sync.WaitGroup
	errs := make(chan error, 20)
	for range 20 {
		wg.Go(func() { errs <- d.Init("dave", "barry") })
	}
	wg.Wait()
	close(errs)
	won := 0
	for err := range errs {
		switch {
		case err == nil:
			won++
		case !errors.Is(err, ErrExists):
			t.Error(err)
		}
	}
	if won != 1 {
		t.Errorf("%d succeeded", won)
	}
}

func TestGetAndSet(t *testing.T) {
	root := t.TempDir()
	file := place(t, root, "dave", sample)
	d := at(root, later)
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	r, err := d.Set("dave", Change{Task: "code-dispatch", State: CheckBeforeCommitting, Note: note("Slow down.")})
	if err != nil || !r.Changed || r.From != FullyApproved || !r.Updated.Equal(later) {
		t.Fatalf("%+v %v", r, err)
	}
	doc, err := d.Get("dave")
	if err != nil || doc.Envelope().StateOf("code-dispatch") != CheckBeforeCommitting {
		t.Errorf("set, then get: %v", err)
	}
	before, _ := os.Stat(file)
	if r, err := d.Set("dave", Change{Task: "code-dispatch", State: CheckBeforeCommitting}); err != nil || r.Changed {
		t.Errorf("%+v %v", r, err)
	}
	after, _ := os.Stat(file)
	if !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) || runtime.GOOS != "windows" && after.Mode().Perm() != 0o640 {
		t.Error("an act that changes nothing wrote the file, or the mode was not kept")
	}
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*")); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
	for _, tt := range []struct {
		agent string
		c     Change
		want  string
	}{
		{"Dave", Change{Task: "x"}, CodeBadName}, {"dave", Change{Task: "X"}, CodeBadName}, {"dave", Change{Task: "x", Note: note("\n")}, CodeUsage},
		{"erin", Change{Task: "x"}, CodeUnknownAgent},
	} {
		if _, err := d.Set(tt.agent, tt.c); codeOf(err) != tt.want {
			t.Errorf("%s %+v: %v", tt.agent, tt.c, err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, Folder, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	place(t, root, "broken", strings.Replace(sampleOf("broken"), "owner: barry\n", "", 1))
	place(t, root, "mismatch", sample)
	for agent, want := range map[string]string{"Dave": CodeBadName, "erin": CodeUnknownAgent, "empty": CodeUnknownAgent, "broken": CodeMissingKey, "mismatch": CodeAgentMismatch} {
		if _, err := d.Get(agent); codeOf(err) != want {
			t.Errorf("get %s: %v", agent, err)
		}
		if _, err := d.Set(agent, Change{Task: "x", State: FullyApproved}); codeOf(err) != want {
			t.Errorf("set %s: %v", agent, err)
		}
		if _, err := d.Render(agent); codeOf(err) != want {
			t.Errorf("render %s: %v", agent, err)
		}
		if _, err := d.ListAgent(agent); agent == "Dave" && codeOf(err) != want || agent == "erin" && !errors.Is(err, ErrUnknownAgent) {
			t.Errorf("list %s: %v", agent, err)
		}
	}
	nowhere := Dir{Root: filepath.Join(root, "nowhere")}
	_, get := nowhere.Get("dave")
	_, set := nowhere.Set("dave", Change{Task: "x"})
	_, list := nowhere.List()
	_, one := nowhere.ListAgent("dave")
	_, render := nowhere.Render("dave")
	for _, err := range []error{get, set, list, one, render} {
		if !errors.Is(err, ErrNoRoot) {
			t.Errorf("no root: %v", err)
		}
	}
	bare := Dir{Root: t.TempDir()}
	if _, err := bare.Get("dave"); codeOf(err) != CodeUnknownAgent {
		t.Errorf("a root without agents: %v", err)
	}
	if _, err := bare.List(); codeOf(err) != CodeNoRoot {
		t.Errorf("a list of a root without agents: %v", err)
	}
}

// The zero Dir is the current folder and the machine's clock.
func TestZeroDir(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	var d Dir
	if err := d.Init("dave", "barry"); err != nil {
		t.Fatal(err)
	}
	doc, err := d.Get("dave")
	if err != nil || time.Since(doc.Envelope().Updated) > time.Minute {
		t.Errorf("%v", err)
	}
}

// Get opens one file and reads no folder. // S20
func TestGetOpensOneFile(t *testing.T) {
	root := t.TempDir()
	file := place(t, root, "dave", sample)
	place(t, root, "erin", sampleOf("erin"))
	var seen []string
	d := Dir{Root: root, observe: func(operation, path string) { seen = append(seen, operation+" "+path) }}
	if _, err := d.Get("dave"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"read " + file}, seen); diff != "" {
		t.Errorf("opened (-want +got):\n%s", diff)
	}
}

func TestFilesByPath(t *testing.T) {
	root := t.TempDir()
	drift := strings.Replace(sample, "| fullyApproved |", "| x |", 1)
	file := place(t, root, "dave", drift)
	if d, err := (Dir{}).ReadFile(file); err != nil || len(d.Warnings()) != 1 {
		t.Errorf("%v", err)
	}
	if changed, err := (Dir{}).RenderFile(file); !changed || err != nil || read(t, file) != sample {
		t.Errorf("%v %v", changed, err)
	}
	if changed, err := at(root, later).Render("dave"); changed || err != nil {
		t.Errorf("%v %v", changed, err)
	}
	// The folder's name counts only where the path says that it is an agent's.
	other := place(t, root, "erin", sample)
	if _, err := (Dir{}).ReadFile(other); codeOf(err) != CodeAgentMismatch {
		t.Errorf("%v", err)
	}
	t.Chdir(filepath.Dir(other))
	if _, err := (Dir{}).ReadFile(FileName); codeOf(err) != CodeAgentMismatch {
		t.Errorf("from inside: %v", err)
	}
	loose := filepath.Join(root, "loose.md")
	if err := os.WriteFile(loose, []byte(sample), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := (Dir{}).ReadFile(loose); err != nil {
		t.Error(err)
	}
	if _, err := (Dir{}).ReadFile(filepath.Join(root, "nothing.md")); codeOf(err) != CodeIO {
		t.Errorf("%v", err)
	}
	if _, err := (Dir{}).RenderFile(filepath.Join(root, "nothing.md")); codeOf(err) != CodeIO {
		t.Errorf("%v", err)
	}
}

// rows walks a list.
func rows(t testing.TB, d Dir) (out []Listed) {
	t.Helper()
	all, err := d.List()
	if err != nil {
		t.Fatal(err)
	}
	for l := range all {
		out = append(out, l)
	}
	return out
}

func TestList(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"zoe", "dave", "b-2", "b1"} {
		place(t, root, name, sampleOf(name))
	}
	place(t, root, "_template", sample)
	place(t, root, ".hidden", sample)
	place(t, root, "Bad Name", sample)
	place(t, root, "other", strings.Replace(sampleOf("other"), "owner: barry", "owner:   'barry'", 1))
	place(t, root, "broken", "---\n")
	place(t, root, "body-only", sampleOf("body-only")+"\x00\xff")
	place(t, root, "not-utf8", strings.Replace(sampleOf("not-utf8"), "barry", "\xff", 1))
	if err := os.MkdirAll(filepath.Join(root, Folder, "Empty One"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, Folder, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, Folder, "README.md"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	d := at(root, later)
	var got []string
	for _, l := range rows(t, d) {
		if (l.Err == nil) != (l.Envelope != nil) || l.Envelope.StateOf("code-dispatch") != FullyApproved && l.Err == nil {
			t.Errorf("%+v", l)
		}
		text := l.Agent
		if l.Err != nil {
			text += " " + codeOf(l.Err)
		} else if one, err := d.ListAgent(l.Agent); err != nil || !cmp.Equal(one.Envelope, l.Envelope) {
			t.Errorf("the row of one agent is another: %+v %v", one, err)
		}
		got = append(got, text)
	}
	want := []string{"Bad Name bad-name", "b-2", "b1", "body-only", "broken no-frontmatter", "dave", "not-utf8 not-utf8", "other", "zoe"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
}

// A list of many is in order, whatever is done first; leaving the loop early leaves no goroutine behind.
func TestListOfMany(t *testing.T) {
	root := t.TempDir()
	const many = 3 * listChunk
	for i := range many {
		place(t, root, fmt.Sprintf("a%04d", i), sampleOf(fmt.Sprintf("a%04d", i)))
	}
	got := rows(t, Dir{Root: root})
	for i, l := range got {
		if l.Agent != fmt.Sprintf("a%04d", i) || l.Err != nil {
			t.Fatalf("row %d is %+v", i, l)
		}
	}
	if len(got) != many {
		t.Errorf("%d rows", len(got))
	}
	before := runtime.NumGoroutine()
	all, err := Dir{Root: root}.List()
	if err != nil {
		t.Fatal(err)
	}
	for range all {
		break
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// Heads of every size are read to their end and no further than the limit.
func TestListReadsLongFrontmatters(t *testing.T) {
	root := t.TempDir()
	long := func(agent string, pad int) string {
		return strings.Replace(sampleOf(agent), "---\n", "---\n# "+strings.Repeat("x", pad)+"\n", 1)
	}
	for i, pad := range []int{headSize - 100, headSize - 3, headSize, 3 * headSize, 200 << 10, 257 << 10, 400 << 10} {
		agent := fmt.Sprintf("a%d", i)
		place(t, root, agent, long(agent, pad)+strings.Repeat("x\n", 1<<20))
		l, err := Dir{Root: root}.ListAgent(agent)
		all := rows(t, Dir{Root: root})
		if err != nil || pad < maxFrontmatter != (l.Err == nil) || pad > maxFrontmatter && codeOf(l.Err) != CodeTooLarge {
			t.Errorf("%d bytes: %v %v", pad, err, l.Err)
		}
		if last := all[len(all)-1]; codeOf(last.Err) != codeOf(l.Err) || !cmp.Equal(last.Envelope, l.Envelope) {
			t.Errorf("%d bytes: %v, %v", pad, last.Err, l.Err)
		}
	}
	huge := place(t, root, "huge", sampleOf("huge"))
	if err := os.Truncate(huge, maxFile+1); err != nil {
		t.Fatal(err)
	}
	if l, _ := (Dir{Root: root}).ListAgent("huge"); codeOf(l.Err) != CodeTooLarge {
		t.Errorf("%v", l.Err)
	}
	if all := rows(t, Dir{Root: root}); codeOf(all[len(all)-1].Err) != CodeTooLarge {
		t.Errorf("%v", all[len(all)-1].Err)
	}
	if _, err := (Dir{Root: root}).Get("huge"); codeOf(err) != CodeTooLarge {
		t.Errorf("%v", err)
	}
}

// Links are followed while they stay inside the root. // R49
func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	outside, root := t.TempDir(), t.TempDir()
	secret := place(t, outside, "dave", sample)
	target := filepath.Join(root, "shared.md")
	link := func(old, name string) string {
		file := filepath.Join(root, Folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.Symlink(old, file)); err != nil {
			t.Fatal(err)
		}
		return file
	}
	if err := os.WriteFile(target, []byte(sampleOf("inside")), 0o644); err != nil {
		t.Fatal(err)
	}
	inside := link(target, "inside/"+FileName)
	link(secret, "outside/"+FileName)
	link(filepath.Dir(secret), "folder")
	link(filepath.Join(root, "nothing"), "dangling/"+FileName)
	place(t, root, "moved", sampleOf("linked"))
	link("moved", "linked")
	link("README", "file")
	d := at(root, later)
	if _, err := d.Set("inside", Change{Task: "x", State: FullyApproved}); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(inside); err != nil || info.Mode()&fs.ModeSymlink == 0 || !strings.Contains(read(t, target), "id: x") {
		t.Errorf("the link did not stay, or the target did not change: %v", err)
	}
	for agent, want := range map[string]string{"outside": CodeOutsideRoot, "folder": CodeOutsideRoot} {
		if _, err := d.Get(agent); codeOf(err) != want {
			t.Errorf("get %s: %v", agent, err)
		}
		if _, err := d.Set(agent, Change{Task: "x", State: FullyApproved}); codeOf(err) != want {
			t.Errorf("set %s: %v", agent, err)
		}
	}
	if err := d.Init("dangling", "x"); !errors.Is(err, ErrExists) {
		t.Errorf("init at a dangling link: %v", err)
	}
	if read(t, secret) != sample {
		t.Error("a file outside the root changed")
	}
	var got []string
	for _, l := range rows(t, d) {
		text := l.Agent
		if l.Err != nil {
			text += " " + codeOf(l.Err)
		}
		got = append(got, text)
	}
	want := []string{"folder outside-root", "inside", "linked", "moved agent-mismatch", "outside outside-root"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	away := filepath.Join(t.TempDir(), "root")
	if err := errors.Join(os.Mkdir(away, 0o755), os.Symlink(filepath.Join(root, Folder), filepath.Join(away, Folder))); err != nil {
		t.Fatal(err)
	}
	if _, err := at(away, later).List(); codeOf(err) != CodeOutsideRoot {
		t.Errorf("agents outside the root: %v", err)
	}
}

func TestNotRegular(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, Folder, "dave", FileName), 0o755); err != nil {
		t.Fatal(err)
	}
	d := at(root, later)
	if _, err := d.Get("dave"); codeOf(err) != CodeNotRegular {
		t.Error(err)
	}
	if _, err := d.Set("dave", Change{Task: "x"}); codeOf(err) != CodeNotRegular {
		t.Error(err)
	}
	if err := d.Init("dave", "x"); !errors.Is(err, ErrExists) {
		t.Error(err)
	}
	if all := rows(t, d); len(all) != 1 || codeOf(all[0].Err) != CodeNotRegular {
		t.Errorf("%+v", all)
	}
}

// An act that waited for the lock is of the time at which it got it: none of them seems to lie before the one that it waited for.
func TestSetReadsTheClockUnderTheLock(t *testing.T) {
	var seconds atomic.Int64
	d := Dir{Root: t.TempDir(), Now: func() time.Time {
		return time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(seconds.Add(1)) * time.Second)
	}}
	if err := os.Mkdir(filepath.Join(d.Root, Folder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := d.Init("dave", "barry"); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			r, err := d.Set("dave", Change{Task: fmt.Sprint("task-", i), State: FullyApproved})
			if err != nil || len(r.Warnings) > 0 {
				t.Errorf("%v %v", r.Warnings, err)
			}
		})
	}
	wg.Wait()
}
