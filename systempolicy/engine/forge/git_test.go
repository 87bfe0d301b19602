package forge_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/systempolicy/engine/forge"
)

// clone makes a bare repository with one commit on main and a clone of it, and gives both.
func clone(t *testing.T) (bare string, g forge.Git) {
	t.Helper()
	dir := t.TempDir()
	bare, work := filepath.Join(dir, "acme", "shop.git"), filepath.Join(dir, "work")
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(dir, "gitconfig"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	write(t, filepath.Join(dir, "gitconfig"), "[user]\n\tname = ana\n\temail = ana@example.com\n[init]\n\tdefaultBranch = main\n")
	git(t, dir, "init", "-q", "--bare", bare)
	git(t, dir, "clone", "-q", bare, work)
	write(t, filepath.Join(work, "system.yaml"), "name: shop\n")
	write(t, filepath.Join(work, "run.sh"), "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(work, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, work, "add", "-A")
	git(t, work, "commit", "-q", "-m", "first")
	git(t, work, "push", "-q", "-u", "origin", "main")
	return bare, forge.Git{Dir: work}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestCommitAndPush(t *testing.T) {
	bare, g := clone(t)
	ctx := t.Context()
	base, err := g.Fetch(ctx, "origin", "main")
	if err != nil || base != git(t, g.Dir, "rev-parse", "HEAD") {
		t.Fatalf("Fetch = %q, %v", base, err)
	}
	// A dirty work tree, a staged change and hostile hooks: none of them matters, none is touched or run.
	write(t, filepath.Join(g.Dir, "system.yaml"), "name: dirty\n")
	write(t, filepath.Join(g.Dir, "staged"), "staged\n")
	git(t, g.Dir, "add", "staged")
	before := git(t, g.Dir, "status", "--porcelain")
	for _, hook := range []string{"pre-push", "pre-commit", "reference-transaction", "post-index-change"} {
		path := filepath.Join(g.Dir, ".git", "hooks", hook)
		write(t, path, "#!/bin/sh\ntouch "+filepath.Join(g.Dir, "hook-ran")+"\nexit 1\n")
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	commit, err := g.Commit(ctx, base, map[string][]byte{"system.yaml": []byte("name: shop\nautonomy: {paused: true}\n"), "run.sh": []byte("#!/bin/sh\necho\n"), "new/deep.json": []byte("{}\n")}, "pause")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Push(ctx, "origin", commit, "ambit/pause"); err != nil {
		t.Fatal(err)
	}
	if got := git(t, bare, "diff-tree", "-r", "--name-status", "main", "ambit/pause"); got != "A\tnew/deep.json\nM\trun.sh\nM\tsystem.yaml" {
		t.Errorf("the branch changes\n%s", got)
	}
	if got := git(t, bare, "ls-tree", "ambit/pause", "run.sh"); !strings.HasPrefix(got, "100755") {
		t.Errorf("the mode was not kept: %s", got)
	}
	if _, err := os.Stat(filepath.Join(g.Dir, "hook-ran")); err == nil {
		t.Error("a hook ran")
	}
	if err := os.RemoveAll(filepath.Join(g.Dir, ".git", "hooks")); err != nil { // git status has hooks of its own
		t.Fatal(err)
	}
	if after := git(t, g.Dir, "status", "--porcelain"); after != before {
		t.Errorf("the work tree was touched:\n%s\nwas\n%s", after, before)
	}
	// The same commit again is no harm; another one is refused and nothing overwritten.
	if err := g.Push(ctx, "origin", commit, "ambit/pause"); err != nil {
		t.Errorf("the same push again: %v", err)
	}
	other, err := g.Commit(ctx, base, map[string][]byte{"run.sh": nil}, "other")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Push(ctx, "origin", other, "ambit/pause"); !errors.Is(err, forge.ErrExists) {
		t.Errorf("another push to the same branch: %v", err)
	}
	if got := git(t, bare, "rev-parse", "ambit/pause"); got != commit {
		t.Error("the branch was overwritten")
	}
	if got := git(t, bare, "diff-tree", "-r", "--name-status", base, commit); got == "" {
		t.Error("nothing changed")
	}
	if _, ok, err := g.Read(ctx, other, "run.sh"); ok || err != nil {
		t.Errorf("a deleted file is there: %v", err)
	}
}

func TestPushRace(t *testing.T) {
	if testing.Short() {
		t.Skip("not one of the quick tests")
	}
	bare, g := clone(t)
	ctx := t.Context()
	base, err := g.Resolve(ctx, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	second := filepath.Join(t.TempDir(), "second")
	git(t, filepath.Dir(second), "clone", "-q", bare, second)
	var wg sync.WaitGroup
	results := make([]error, 6)
	for i := range results {
		own := g
		if i%2 == 1 {
			own.Dir = second
		}
		wg.Go(func() {
			commit, err := own.Commit(ctx, base, map[string][]byte{"who": {byte('a' + i)}}, "undo")
			if err == nil {
				err = own.Push(ctx, "origin", commit, "ambit/undo-ev-1")
			}
			results[i] = err
		})
	}
	wg.Wait()
	won := 0
	for _, err := range results {
		if err == nil {
			won++
		} else if !errors.Is(err, forge.ErrExists) {
			t.Error(err)
		}
	}
	if won != 1 {
		t.Errorf("%d pushes won, want one", won)
	}
}

func TestRead(t *testing.T) {
	_, g := clone(t)
	ctx := t.Context()
	if err := os.Symlink("run.sh", filepath.Join(g.Dir, "link")); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	write(t, filepath.Join(g.Dir, "dir", "file"), "x")
	write(t, filepath.Join(g.Dir, "-n"), "dash")
	git(t, g.Dir, "add", "-A")
	git(t, g.Dir, "commit", "-q", "-m", "more")
	head, err := g.Resolve(ctx, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"system.yaml": "name: shop\n", "dir/file": "x", "-n": "dash", "link": "", "dir": "", "none": "", "../x": ""} {
		data, ok, err := g.Read(ctx, head, path)
		if path == "../x" {
			if ok {
				t.Error("read outside the repository")
			}
			continue
		}
		if err != nil || ok != (want != "") || string(data) != want {
			t.Errorf("Read(%q) = %q, %v, %v", path, data, ok, err)
		}
	}
	if sha, err := g.Resolve(ctx, "no-such-branch"); sha != "" || err != nil {
		t.Errorf("Resolve of nothing = %q, %v", sha, err)
	}
	if sha, err := g.Resolve(ctx, "--all"); sha != "" {
		t.Errorf("an option as a revision = %q, %v", sha, err)
	}
	if _, err := g.Commit(ctx, head, map[string][]byte{"link": []byte("x")}, "m"); err == nil {
		t.Error("a link was replaced by a file")
	}
	if name := g.Identity(ctx); name != "ana" {
		t.Errorf("identity %q", name)
	}
	top, err := (forge.Git{Dir: filepath.Join(g.Dir, "dir")}).Top(ctx)
	want, _ := filepath.EvalSymlinks(g.Dir)
	if got, _ := filepath.EvalSymlinks(top); err != nil || got != want {
		t.Errorf("Top = %q, %v", top, err)
	}
	if _, err := (forge.Git{Dir: t.TempDir()}).Top(ctx); err == nil {
		t.Error("a folder without a repository has a top")
	}
	if _, err := g.Remote(ctx, "nowhere"); err == nil {
		t.Error("an unknown remote has an address")
	}
	if _, err := g.Fetch(ctx, "origin", "nowhere"); err == nil {
		t.Error("an unknown branch was fetched")
	}
	if _, err := (forge.Git{Dir: g.Dir, Program: "no-such-git"}).Resolve(ctx, "HEAD"); err == nil {
		t.Error("no git, no error")
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := g.Resolve(done, "HEAD"); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("not one of the quick tests")
	}
	_, g := clone(t)
	ctx := t.Context()
	path := "deploy/100%/overlay.yaml"
	for _, v := range []string{"v1", "v2", "v1", ""} {
		if v == "" {
			git(t, g.Dir, "rm", "-q", path)
		} else {
			write(t, filepath.Join(g.Dir, filepath.FromSlash(path)), v+"\n")
			git(t, g.Dir, "add", "-A")
		}
		git(t, g.Dir, "commit", "-q", "-m", v+".")
	}
	// A side branch wins a merge: what main had in between stays in the history.
	git(t, g.Dir, "checkout", "-q", "-b", "side", "HEAD~1")
	write(t, filepath.Join(g.Dir, filepath.FromSlash(path)), "v3\n")
	git(t, g.Dir, "commit", "-q", "-am", "v3")
	git(t, g.Dir, "checkout", "-q", "main")
	write(t, filepath.Join(g.Dir, filepath.FromSlash(path)), "v4\n")
	git(t, g.Dir, "add", "-A")
	git(t, g.Dir, "commit", "-q", "-m", "v4")
	git(t, g.Dir, "merge", "-q", "-s", "ours", "--no-commit", "side")
	git(t, g.Dir, "checkout", "-q", "side", "--", path)
	git(t, g.Dir, "commit", "-q", "-m", "merge")
	versions, err := g.History(ctx, "HEAD", path)
	if err != nil {
		t.Fatal(err)
	}
	got := string(bytes.Join(versions, nil))
	for _, v := range []string{"v1\n", "v2\n", "v3\n", "v4\n"} {
		if strings.Count(got, v) != 1 {
			t.Errorf("history %q has %q %d times", got, v, strings.Count(got, v))
		}
	}
	if none, err := g.History(ctx, "HEAD", "nothing"); err != nil || len(none) != 0 {
		t.Errorf("history of nothing: %v, %v", none, err)
	}
}

func TestHidden(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a shell script stands in for git")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "fakegit")
	write(t, program, "#!/bin/sh\nenv\n")
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CPLAT_ENGINE_TOKEN", "engine-secret")
	t.Setenv("GIT_DIR", "/elsewhere")
	t.Setenv("GIT_TRACE_CURL", "1")
	out, err := (forge.Git{Dir: dir, Program: program, Hide: []string{"CPLAT_ENGINE_TOKEN"}}).Resolve(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"engine-secret", "/elsewhere", "TRACE_CURL"} {
		if strings.Contains(out, secret) {
			t.Errorf("git sees %q", secret)
		}
	}
}

// TestGitIsBounded: a program that floods is cut off, and an error is short.
func TestGitIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("not one of the quick tests")
	}
	if runtime.GOOS == "windows" {
		t.Skip("a shell script stands in for git")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "fakegit")
	for script, want := range map[string]string{
		"head -c 70000000 /dev/zero":                       "more than 67108864 bytes",
		"for i in 1 2 3 4 5; do echo $i >&2; done; exit 9": "exit status 9: 3; 4; 5",
		"exit 9": "exit status 9",
		"echo https://ana:pw@example.com/x >&2; exit 9": "exit status 9: https://example.com/x",
	} {
		write(t, program, "#!/bin/sh\n"+script+"\n")
		if err := os.Chmod(program, 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := (forge.Git{Dir: dir, Program: program}).Resolve(t.Context(), "HEAD"); err == nil || !strings.HasSuffix(strings.Split(err.Error(), " of output")[0], want) {
			t.Errorf("%s: %v", script, err)
		}
		g := forge.Git{Dir: dir, Program: program}
		if name := g.Identity(t.Context()); name != "" {
			t.Errorf("identity %q", name)
		}
		if _, err := g.Commit(t.Context(), "HEAD", nil, ""); err == nil {
			t.Error("no error")
		}
		if _, err := g.History(t.Context(), "HEAD", "x"); err == nil {
			t.Error("no error")
		}
	}
	// What cat-file answers is read with care.
	write(t, program, "#!/bin/sh\ncase \"$*\" in *cat-file*) echo nonsense;; *) echo x;; esac\n")
	if _, err := (forge.Git{Dir: dir, Program: program}).History(t.Context(), "HEAD", "x"); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("%v", err)
	}
}

func TestUnpush(t *testing.T) {
	bare, g := clone(t)
	ctx := t.Context()
	base, err := g.Resolve(ctx, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	commit, err := g.Commit(ctx, base, map[string][]byte{"a": []byte("a")}, "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Push(ctx, "origin", commit, "ambit/x"); err != nil {
		t.Fatal(err)
	}
	if err := g.Unpush(ctx, "origin", base, "ambit/x"); err == nil {
		t.Error("another's commit was removed")
	}
	if err := g.Unpush(ctx, "origin", commit, "ambit/x"); err != nil {
		t.Error(err)
	}
	if refs := git(t, bare, "for-each-ref", "refs/heads/ambit"); refs != "" {
		t.Error(refs)
	}
	if err := g.Push(ctx, "nowhere", commit, "ambit/x"); err == nil {
		t.Error("pushed to nowhere")
	}
}

func TestRepos(t *testing.T) {
	type found struct {
		Host, Repo string
		Bad        bool
	}
	for remote, want := range map[string]found{
		"https://github.com/acme/shop.git":             {"github.com", "acme/shop", false},
		"https://ana:pw@github.com/acme/shop":          {"github.com", "acme/shop", false},
		"git@github.com:acme/shop.git":                 {"github.com", "acme/shop", false},
		"ssh://git@GitHub.example.com:2222/acme/shop/": {"github.example.com", "acme/shop", false},
		"/srv/git/acme/shop.git":                       {"", "acme/shop", false},
		"file:///srv/git/acme/shop.git":                {"", "acme/shop", false},
		`C:\git\acme\shop.git`:                         {"", "acme/shop", false},
		"../acme/shop.git":                             {"", "acme/shop", false},
		"https://github.com/shop":                      {"", "", true},
		"https://github.com/acme/sh op":                {"", "", true},
		"https://github.com/acme/..":                   {"", "", true},
		"":                                             {"", "", true},
	} {
		host, repo, err := forge.RepoOf(remote)
		got := found{host, repo.String(), err != nil}
		if got.Bad {
			got = found{Bad: true}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", remote, diff)
		}
	}
	for text, want := range map[string]bool{"acme/shop#12": true, "acme/shop": false, "acme/shop#0": false, "acme/shop#012": false, "acme#1": false,
		"acme/shop#-1": false, "a/b/c#1": false, "acme/shop#1x": false, "acme/../x#1": false} {
		if _, _, err := forge.ParsePull(text); (err == nil) != want {
			t.Errorf("ParsePull(%q): %v", text, err)
		}
	}
}
