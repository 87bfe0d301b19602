//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/internal/fakehub"
	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
	"example.com/ambit/systempolicy/engine/sqlstore/sqlite"
)

const (
	engineToken = "engine-token-41c9"
	netNow      = "2026-07-22T12:00:00Z"
)

// world is a clone with a remote, a forge, and an engine that reads main.
type world struct {
	t               *testing.T
	dir, work, bare string
	hub             *fakehub.Server
	engine          *httptest.Server
	store           engine.Store
	storePath       string
	mu              sync.Mutex
	up              bool // the engine answers
	env             []string
	headers         []string // Authorization headers that the engine saw
}

const worldSystem = `name: shop
environments:
  dev:
    autonomy:
      level: act # of the team
      engine: ENGINE
      riskGate: {maxFiles: 5}
  prod: {}
components:
  shop-api:
    instances: {dev: {}, prod: {}}
`

func newWorld(t *testing.T, system string) *world {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	w := &world{t: t, dir: t.TempDir(), up: true}
	w.bare, w.work, w.storePath = filepath.Join(w.dir, "acme", "shop.git"), filepath.Join(w.dir, "work"), filepath.Join(w.dir, "runs.db")
	store, err := sqlite.Open(t.Context(), w.storePath)
	if err != nil {
		t.Fatal(err)
	}
	w.store = store
	t.Cleanup(func() { _ = store.Close() })
	handler := &engine.Handler{Token: engineToken, Store: store, Now: func() time.Time { return at(t, netNow) }, Merged: w.merged}
	w.engine = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.headers = append(w.headers, r.Header.Get("Authorization"))
		up := w.up
		w.mu.Unlock()
		if !up {
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(rw, r)
	}))
	t.Cleanup(w.engine.Close)
	w.hub = fakehub.New(t)
	w.hub.Head = func(branch string) string {
		out, err := exec.Command("git", "-C", w.bare, "rev-parse", "--verify", "--quiet", branch).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	w.put(filepath.Join(w.dir, "gitconfig"), "[user]\n\tname = ana\n\temail = ana@example.com\n[init]\n\tdefaultBranch = main\n")
	w.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.dir, "GIT_CONFIG_GLOBAL=" + filepath.Join(w.dir, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1",
		"AMBIT_NOW=" + netNow, "AMBIT_ROOT=" + w.work, "AMBIT_FORGE_API=" + w.hub.URL, "GH_TOKEN=" + w.hub.Token, "CPLAT_ENGINE_TOKEN=" + engineToken}
	w.git(w.dir, "init", "-q", "--bare", w.bare)
	w.git(w.dir, "clone", "-q", w.bare, w.work)
	w.put(filepath.Join(w.work, "system.yaml"), strings.ReplaceAll(system, "ENGINE", w.engine.URL))
	if sys, err := systempolicy.Parse("", []byte(w.read("system.yaml"))); err == nil {
		data, err := sys.Render()
		if err != nil {
			t.Fatal(err)
		}
		w.put(filepath.Join(w.work, "applications", "shop", "autonomy.json"), string(data))
	}
	w.commit("first")
	return w
}

func at(t *testing.T, text string) time.Time {
	when, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

// merged is what the world's engine reads: autonomy.json of the remote's main.
func (w *world) merged(_ context.Context, system string) (engine.Merged, error) {
	if system != "shop" {
		return engine.Merged{}, engine.ErrUnknownSystem
	}
	data := w.git(w.bare, "show", "main:applications/shop/autonomy.json")
	sys, _ := systempolicy.LoadRendered("autonomy.json", []byte(data))
	return engine.Merged{System: sys, Commit: w.git(w.bare, "rev-parse", "main"), ReadAt: at(w.t, netNow)}, nil
}

func (w *world) put(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.work, name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

func (w *world) git(dir string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), w.env...)
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

func (w *world) commit(message string) {
	w.t.Helper()
	w.git(w.work, "add", "-A")
	w.git(w.work, "commit", "-q", "-m", message)
	w.git(w.work, "push", "-q", "-u", "origin", "main")
}

// ambit runs a command and holds that no token is in what it says, nor in any file that it left.
func (w *world) ambit(args ...string) (code int, stdout, stderr string) {
	w.t.Helper()
	code, stdout, stderr = run(w.t, "", w.env, args...)
	for _, token := range []string{engineToken, w.hub.Token} {
		if strings.Contains(stdout+stderr, token) {
			w.t.Errorf("%v: a token is in the output", args)
		}
	}
	for _, dir := range []string{w.work, w.bare} {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			data, _ := os.ReadFile(path)
			if bytes.Contains(data, []byte(engineToken)) || bytes.Contains(data, []byte(w.hub.Token)) {
				w.t.Errorf("%v: a token is in %s", args, path)
			}
			return nil
		})
	}
	w.hub.Lock()
	defer w.hub.Unlock()
	for _, p := range w.hub.Pulls {
		if strings.Contains(p.Title+p.Body+p.Branch, engineToken) {
			w.t.Errorf("%v: the engine's token is in the pull request", args)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range w.headers {
		if h != "Bearer "+engineToken {
			w.t.Errorf("the engine saw %q", h)
		}
	}
	return code, stdout, stderr
}

// clean holds that no token is in any object of the repositories.
func (w *world) clean() {
	w.t.Helper()
	for _, dir := range []string{w.work, w.bare} {
		objects := w.git(dir, "cat-file", "--batch-all-objects", "--batch")
		if objects == "" || strings.Contains(objects, engineToken) || strings.Contains(objects, w.hub.Token) {
			w.t.Errorf("a token is in an object of %s", dir)
		}
	}
}

func (w *world) paused() bool {
	w.t.Helper()
	s, err := w.store.Signals(w.t.Context(), "shop", "dev")
	if err != nil {
		w.t.Fatal(err)
	}
	return s.Paused()
}

func (w *world) pulls() int {
	w.hub.Lock()
	defer w.hub.Unlock()
	return len(w.hub.Pulls)
}

type publishedJSON struct {
	Changed     bool
	Signals     []struct{ Environment, Word, Why string }
	PullRequest *struct {
		URL, Branch string
		Pushed      bool
	}
}

// TestPausePublished: whatever is down, what can be stopped is stopped, the file is changed, and the report says exactly what did not happen.
func TestPausePublished(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	const invalid = "\n    bad: [\n"
	for _, c := range []struct {
		name   string
		break_ func(*world)
		code   int
		paused bool // the engine
		pull   bool
		file   bool // the file says paused
		word   string
		says   []string
	}{
		{name: "all is well", paused: true, pull: true, file: true, word: "confirmed"},
		{name: "the engine is down", break_: func(w *world) { w.up = false }, code: 2, pull: true, file: true, word: "not confirmed",
			says: []string{"dev: the pause is not confirmed (unreachable); assume that its engine still acts as before"}},
		{name: "no token", break_: func(w *world) { w.env = append(w.env, "CPLAT_ENGINE_TOKEN=") }, code: 2, pull: true, file: true, word: "not sent",
			says: []string{"dev: the pause is not sent (no engine token)"}},
		{name: "the forge is down", break_: func(w *world) { w.hub.Fail["POST /repos/acme/shop/pulls"] = 502 }, code: 2, paused: true, file: true, word: "confirmed",
			says: []string{"the pull request was not opened, though its branch ambit/pause-", "502"}},
		{name: "the forge hangs up", break_: func(w *world) { w.hub.Fail["POST /repos/acme/shop/pulls"] = 0 }, code: 2, paused: true, file: true, word: "confirmed",
			says: []string{"the pull request was not opened, though its branch"}},
		{name: "the forge redirects", break_: func(w *world) { w.hub.Fail["POST /repos/acme/shop/pulls"] = 307 }, code: 2, paused: true, file: true, word: "confirmed",
			says: []string{"the pull request was not opened, though its branch"}},
		{name: "no forge token", break_: func(w *world) { w.env = append(w.env, "GH_TOKEN=") }, code: 2, paused: true, file: true, word: "confirmed",
			says: []string{"no forge token"}},
		{name: "the forge is not named", break_: func(w *world) { w.env = append(w.env, "AMBIT_FORGE_API=") }, code: 2, paused: true, file: true, word: "confirmed",
			says: []string{"--forge-api"}},
		{name: "the remote is gone", break_: func(w *world) { _ = os.RemoveAll(w.bare); _ = os.MkdirAll(w.bare, 0o755) }, code: 2, file: true, word: "not confirmed",
			says: []string{"the pull request was not opened: main could not be fetched"}},
		{name: "the remote takes no push", break_: func(w *world) {
			w.put(filepath.Join(w.bare, "hooks", "pre-receive"), "#!/bin/sh\nexit 1\n")
			_ = os.Chmod(filepath.Join(w.bare, "hooks", "pre-receive"), 0o755)
		}, code: 2, paused: true, file: true, word: "confirmed", says: []string{"the branch ambit/pause-", "could not be pushed"}},
		{name: "everything is down", break_: func(w *world) { w.up = false; w.hub.Fail["POST /repos/acme/shop/pulls"] = 500 }, code: 2, file: true, word: "not confirmed",
			says: []string{"dev: the pause is not confirmed", "the pull request was not opened"}},
		{name: "the file is not valid", break_: func(w *world) {
			w.put(filepath.Join(w.work, "system.yaml"), strings.Replace(w.read("system.yaml"), "maxFiles: 5", "maxFiles: five", 1))
		},
			paused: true, pull: true, file: true, word: "confirmed"},
		{name: "the file is not valid, on main neither", break_: func(w *world) {
			w.put(filepath.Join(w.work, "system.yaml"), strings.Replace(w.read("system.yaml"), "maxFiles: 5", "maxFiles: five", 1))
			w.commit("broken")
		}, paused: true, pull: true, file: true, word: "confirmed"},
		{name: "the file is no YAML, on main neither", break_: func(w *world) {
			w.put(filepath.Join(w.work, "system.yaml"), w.read("system.yaml")+invalid)
			w.commit("broken")
		}, code: 2, paused: true, word: "confirmed", says: []string{"the pull request was not opened: there is no safe place for the pause in the file"}},
		{name: "the file is gone", break_: func(w *world) { _ = os.Remove(filepath.Join(w.work, "system.yaml")) }, code: 3, paused: true, pull: true, word: "confirmed",
			says: []string{"system.yaml"}},
		{name: "no repository", break_: func(w *world) { _ = os.RemoveAll(filepath.Join(w.work, ".git")) }, code: 2, paused: true, file: true, word: "confirmed",
			says: []string{"the pull request was not opened"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.code != 0 && c.name != "everything is down" {
				t.Skip("short")
			}
			w := newWorld(t, worldSystem)
			if c.break_ != nil {
				c.break_(w)
			}
			if c.name == "the remote is gone" { // then the engine cannot read main either, but this one asks git for it
				w.up = false
			}
			code, stdout, stderr := w.ambit("system", "pause", "--pr", "--format", "json", "--deadline", "5s")
			var got publishedJSON
			if err := json.Unmarshal([]byte(stdout), &got); err != nil {
				t.Fatalf("%v: %s%s", err, stdout, stderr)
			}
			if code != c.code || w.paused() != c.paused {
				t.Errorf("exit %d, engine paused %v\n%s%s", code, w.paused(), stdout, stderr)
			}
			if opened := got.PullRequest != nil && got.PullRequest.URL != ""; opened != c.pull || (w.pulls() == 1) != c.pull {
				t.Errorf("pull request %+v, %d in the forge", got.PullRequest, w.pulls())
			}
			word := ""
			for _, s := range got.Signals {
				if s.Environment == "dev" {
					word = s.Word
				}
			}
			if word != c.word {
				t.Errorf("the signal is %q, want %q", word, c.word)
			}
			text, _ := os.ReadFile(filepath.Join(w.work, "system.yaml"))
			if strings.Contains(string(text), "paused: true") != c.file {
				t.Errorf("the file:\n%s", text)
			}
			for _, say := range c.says {
				if !strings.Contains(stderr, say) {
					t.Errorf("does not say %q:\n%s", say, stderr)
				}
			}
			if c.pull { // the pull request changes the pause and what follows from it, nothing else
				names := w.git(w.bare, "diff", "--name-only", "main", got.PullRequest.Branch)
				want := "applications/shop/autonomy.json\nsystem.yaml"
				if strings.HasSuffix(c.name, "on main neither") {
					want = "system.yaml"
				}
				if names != want {
					t.Errorf("the pull request changes %q", names)
				}
				if diff := w.git(w.bare, "diff", "--numstat", "main", got.PullRequest.Branch, "--", "system.yaml"); diff != "1\t0\tsystem.yaml" {
					t.Errorf("the pull request changes more than a line: %s", diff)
				}
			}
		})
	}
}

func TestResumePublished(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	w := newWorld(t, worldSystem)
	if code, out, errs := w.ambit("system", "pause", "--pr"); code != 0 || !strings.Contains(out, "pull request: "+w.hub.URL) {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	w.git(w.bare, "update-ref", "refs/heads/main", w.git(w.bare, "for-each-ref", "--format=%(objectname)", "refs/heads/ambit"))
	w.git(w.work, "checkout", "-q", "--", ".")
	w.git(w.work, "pull", "-q", "--ff-only")
	code, out, errs := w.ambit("system", "resume", "--pr", "--now", "2026-07-22T12:00:05Z")
	if code != 0 || w.paused() || w.pulls() != 2 {
		t.Errorf("%d %v %s%s", code, w.paused(), out, errs)
	}
	// Nothing to lift: the signal still goes out, no pull request is opened. // E9
	w2 := newWorld(t, worldSystem)
	if code, out, errs = w2.ambit("system", "resume", "--pr"); code != 0 || w2.pulls() != 0 || !strings.Contains(out, "pull request: none") || !strings.Contains(out, "confirmed") {
		t.Errorf("%d %s%s", code, out, errs)
	}
}

func TestSetPublished(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	w := newWorld(t, worldSystem)
	before := w.read("system.yaml")
	code, out, errs := w.ambit("system", "set", "dev", "act", "--max-files", "3", "--max-lines", "300", "--pr", "--dry-run")
	if code != 0 || w.read("system.yaml") != before || w.pulls() != 0 || len(w.headers) != 0 {
		t.Fatalf("a dry run did something: %d %s%s", code, out, errs)
	}
	for _, say := range []string{"would change", "at once:", "riskGate.maxFiles", "after the merge:", "riskGate.maxLines", "would be sent", "would be opened as ambit/set-dev-"} {
		if !strings.Contains(out, say) {
			t.Errorf("the plan does not say %q:\n%s", say, out)
		}
	}
	code, out, errs = w.ambit("system", "set", "dev", "act", "--max-files", "3", "--max-lines", "300", "--pr", "--format", "json")
	var got struct {
		publishedJSON
		AtOnce, AfterMerge []string
		Signal             map[string]any
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
		t.Fatalf("%d %v %s%s", code, err, out, errs)
	}
	if diff := cmp.Diff([]any{[]string{"riskGate.maxFiles"}, []string{"riskGate.maxLines"}, map[string]any{"riskGate": map[string]any{"maxFiles": 3.0}}, "confirmed"},
		[]any{got.AtOnce, got.AfterMerge, got.Signal, got.Signals[0].Word}); diff != "" {
		t.Error(diff)
	}
	s, err := w.store.Signals(t.Context(), "shop", "dev")
	if err != nil || s.Set == nil || string(s.Set.Policy) != `{"riskGate":{"maxFiles":3}}` && string(s.Set.Policy) != `{"riskGate": {"maxFiles": 3}}` {
		t.Errorf("the engine holds %+v", s.Set)
	}
	if s.Set.By != "ana" || s.Set.Base != w.git(w.bare, "rev-parse", "main") {
		t.Errorf("by %q, base %q", s.Set.By, s.Set.Base)
	}
	if !strings.Contains(w.read("system.yaml"), "maxLines: 300") || !strings.Contains(w.read("system.yaml"), "# of the team") {
		t.Errorf("the file:\n%s", w.read("system.yaml"))
	}
	w.clean()
	// Only what loosens: no signal.
	w = newWorld(t, worldSystem)
	asked := len(w.headers)
	if code, out, errs = w.ambit("system", "set", "dev", "act", "--max-files", "9", "--pr"); code != 0 || len(w.headers) != asked || w.pulls() != 1 {
		t.Errorf("%d %s%s", code, out, errs)
	}
	// What main has already is no pull request, though this clone's file is older.
	w = newWorld(t, worldSystem)
	w.put(filepath.Join(w.work, "system.yaml"), strings.Replace(w.read("system.yaml"), "maxFiles: 5", "maxFiles: 9", 1))
	if code, out, errs = w.ambit("system", "set", "dev", "act", "--max-files", "5", "--pr"); code != 0 || w.pulls() != 0 || !strings.Contains(out, "pull request: none") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	// An unknown environment, and a bad deadline.
	if code, _, errs = w.ambit("system", "set", "dve", "act", "--pr"); code != 2 || !strings.Contains(errs, "did you mean dev?") {
		t.Errorf("%d %s", code, errs)
	}
	if code, _, errs = w.ambit("system", "pause", "--pr", "--deadline", "soon"); code != 1 {
		t.Errorf("%d %s", code, errs)
	}
}

func TestApproveCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("not one of the quick tests")
	}
	w := newWorld(t, worldSystem)
	w.hub.Pulls = []*fakehub.Pull{{Number: 1, Branch: "fix", Base: "main", State: "open", SHA: "abc"}}
	w.hub.Checks = []fakehub.Check{{Name: "ci", State: "in_progress"}}
	if code, out, errs := w.ambit("system", "approve", "acme/shop#1", "--deadline", "300ms"); code != 2 || !strings.Contains(errs, "not done: ci") || len(w.hub.Approved) != 0 {
		t.Errorf("pending: %d %s%s", code, out, errs)
	}
	w.hub.Checks[0] = fakehub.Check{Name: "ci", State: "completed", Conclusion: "success"}
	code, out, errs := w.ambit("system", "approve", "acme/shop#1", "--format", "json")
	var got struct {
		Merged       bool
		Head, Commit string
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || !got.Merged || got.Head != "abc" || !w.hub.Pulls[0].Merged {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if code, _, errs := w.ambit("system", "approve", "acme/shop#1"); code != 2 || !strings.Contains(errs, "merged already") {
		t.Errorf("again: %d %s", code, errs)
	}
	if code, _, _ := w.ambit("system", "approve", "acme/shop#9"); code != 3 {
		t.Errorf("unknown: %d", code)
	}
	if code, _, _ := w.ambit("system", "approve", "acme/shop"); code != 1 {
		t.Errorf("no number: %d", code)
	}
	w.env = append(w.env, "GH_TOKEN=")
	if code, _, errs := w.ambit("system", "approve", "acme/shop#1"); code != 2 || !strings.Contains(errs, "GH_TOKEN") {
		t.Errorf("no token: %d %s", code, errs)
	}
	for _, api := range []string{"http://forge.example.com", "https://user@forge.example.com", "forge", "https://x/?a=b"} {
		if code, _, errs := w.ambit("system", "approve", "acme/shop#1", "--forge-api", api); code != 2 || !strings.Contains(errs, "https:// URL") {
			t.Errorf("%s: %d %s", api, code, errs)
		}
	}
}

func TestShowLive(t *testing.T) {
	if testing.Short() {
		t.Skip("not one of the quick tests")
	}
	w := newWorld(t, worldSystem)
	w.event("ev-1", nil)
	w.event("ev-2", func(e *engine.Event) { e.Level, e.Action = "propose", "comment" })
	w.event("ev-0", func(e *engine.Event) { e.At = e.At.Add(-48 * time.Hour) })
	lease, ok, err := w.store.Reserve(t.Context(), engine.Reservation{System: "shop", Environment: "dev", Kind: engine.Merge, Limit: 2, At: at(t, netNow), Head: "h"})
	if err != nil || !ok || lease.ID == "" {
		t.Fatal(err)
	}
	if code, _, errs := w.ambit("system", "pause", "--pr"); code != 0 {
		t.Fatal(errs)
	}
	w.git(w.work, "checkout", "-q", "--", ".")
	code, out, errs := w.ambit("system", "show", "dev", "--store", w.storePath)
	if code != 0 {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	noStore := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(noStore, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := w.ambit("system", "show", "dev", "--store", noStore); code != 0 || !strings.Contains(errs, "run store") {
		t.Errorf("a store that is none: %d %s", code, errs)
	}
	flat := strings.Join(strings.Fields(out), " ")
	for _, say := range []string{"(supervised)", "acts as observe, paused by a signal", "pause by ana at 2026-07-22T12:00:00Z", "0 of 5 runs, 1 of 2 merges (UTC day 2026-07-22)",
		"ev-1 2026-07-22T10:00:00Z merge of shop-api at act by commit c0ffee, v1.4.1 -> v1.4.2; undo until 2026-07-23T10:00:00Z", "ev-2", "cannot be undone: level"} {
		if !strings.Contains(flat, say) {
			t.Errorf("does not say %q:\n%s", say, out)
		}
	}
	if strings.Contains(out, "ev-0") {
		t.Error("shows what is older than a day")
	}
	w.up = false
	if _, out, _ = w.ambit("system", "show", "dev", "--deadline", "2s"); !strings.Contains(out, "not supervised: unreachable") {
		t.Errorf("the engine is down:\n%s", out)
	}
	w.env = append(w.env, "CPLAT_ENGINE_TOKEN=")
	code, out, _ = w.ambit("system", "show", "--format", "json")
	var got struct {
		Environments []struct {
			Environment string
			Supervised  *string
			Live        *struct {
				Supervised bool
				Why        string
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || got.Environments[0].Live == nil || got.Environments[0].Live.Why != "no engine token" {
		t.Errorf("%d %v %s", code, err, out)
	}
}
