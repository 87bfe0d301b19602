package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/fakehub"
	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
	"example.com/ambit/systempolicy/engine/forge"
	"example.com/ambit/systempolicy/engine/sqlstore/sqlite"
)

const systemYAML = `name: shop
environments:
  dev:
    autonomy:
      level: act
      engine: http://127.0.0.1:8080
      budget: {mergesPerDay: 2}
      window: {days: [mon, tue, wed, thu, fri, sat, sun], from: "00:01", to: "00:00"}
components:
  shop-api: {instances: {dev: {}}}
  pay: {instances: {dev: {autonomy: {max: propose}}}}
`

// TestEngine runs the whole engine: it merges what is inside, asks for what is not, stops when it is told to, and remembers.
func TestEngine(t *testing.T) {
	clone := gitops(t)
	hub := fakehub.New(t)
	for i := range 5 {
		hub.Pulls = append(hub.Pulls, &fakehub.Pull{Number: i + 1, State: "open", SHA: fmt.Sprint("sha", i+1)})
	}
	store := filepath.Join(t.TempDir(), "runs.db")
	env := map[string]string{"CPLAT_ENGINE_TOKEN": "engine-token", "GH_TOKEN": hub.Token}
	args := []string{"-clone", clone, "-system", "shop", "-store", store, "-listen", "127.0.0.1:0", "-forge-api", hub.URL}
	start := func() (say func(string) string, send func(kind engine.SignalKind) engine.Delivery, stop func()) {
		in, fixes := io.Pipe()
		out, w := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- run(context.Background(), args, in, w, func(name string) string { return env[name] }) }()
		lines := bufio.NewScanner(out)
		next := func() string {
			t.Helper()
			if !lines.Scan() {
				t.Fatalf("the engine stopped: %v", lines.Err())
			}
			return lines.Text()
		}
		address := strings.TrimPrefix(next(), "listening on ")
		say = func(line string) string {
			t.Helper()
			if _, err := io.WriteString(fixes, line+"\n"); err != nil {
				t.Fatal(err)
			}
			return next()
		}
		send = func(kind engine.SignalKind) engine.Delivery {
			client := engine.Client{Tokens: engine.Tokens{Variable: "engine-token"}}
			return client.Send(t.Context(), []engine.Signal{{Version: 1, ID: engine.NewID(), System: "shop", Environment: "dev", Kind: kind, By: "ana", At: time.Now()}},
				func(string) string { return address })[0]
		}
		stop = func() {
			t.Helper()
			_ = fixes.Close()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		return say, send, stop
	}
	fix := func(n int, component string, files int) string {
		return fmt.Sprintf(`{"environment": "dev", "component": %q, "head": "sha%d", "pull": "acme/shop#%d", "from": "v1", "to": "v2", "facts": {"route": "fix", "criticality": "low",
			"files": %d, "adds": 9, "deletes": 1, "regressionTest": true, "secondReview": true}}`, component, n, n, files)
	}
	oneLine := func(s string) string { return strings.ReplaceAll(s, "\n", " ") }
	expect := func(got, want string) {
		t.Helper()
		if !strings.HasPrefix(got, want) {
			t.Errorf("the engine says %q, want %q", got, want)
		}
	}
	if now := time.Now().UTC(); now.Hour() == 23 && now.Minute() > 57 || now.Hour() == 0 && now.Minute() < 2 {
		t.Skip("the window misses this minute, and the day's budget would change")
	}

	say, send, stop := start()
	expect(say(oneLine(fix(1, "shop-api", 3))), "acme/shop#1: merged as merged-sha1")
	expect(say(oneLine(fix(2, "shop-api", 6))), "acme/shop#2: a person decides: riskGate.maxFiles")
	expect(say(oneLine(fix(2, "pay", 6))), "acme/shop#2: a person decides: level, riskGate.maxFiles")
	expect(say("{"), "unreadable")
	if d := send(engine.Pause); d.Word != engine.Confirmed {
		t.Errorf("%+v", d)
	}
	expect(say(oneLine(fix(2, "shop-api", 3))), "acme/shop#2: a person decides: level")
	stop()

	say, send, stop = start() // a restart does not resume
	expect(say(oneLine(fix(2, "shop-api", 3))), "acme/shop#2: a person decides: level")
	if d := send(engine.Resume); d.Word != engine.Confirmed {
		t.Errorf("%+v", d)
	}
	hub.Lock()
	hub.Pulls[1].SHA = "moved"
	hub.Unlock()
	expect(say(oneLine(fix(2, "shop-api", 3))), "acme/shop#2: failed: the pull request has moved on") // and its merge is given back
	expect(say(oneLine(fix(3, "shop-api", 3))), "acme/shop#3: merged as merged-sha3")
	expect(say(oneLine(fix(4, "shop-api", 3))), "acme/shop#4: a person decides: budget.mergesPerDay")
	stop()

	runs, err := sqlite.Open(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	defer runs.Close()
	events, err := runs.Events(t.Context(), "shop", "dev", time.Time{})
	if err != nil || len(events) != 2 || events[0].PR != "acme/shop#1" || events[1].Level != "act" || len(events[1].Commit) != 40 {
		t.Errorf("%+v, %v", events, err)
	}
	used, err := runs.Used(t.Context(), "shop", "dev", engine.Day(time.Now()))
	if err != nil || used.Merges != 2 {
		t.Errorf("%+v, %v", used, err)
	}
}

func TestOnMain(t *testing.T) {
	hub := fakehub.New(t)
	hub.Pulls = []*fakehub.Pull{{Number: 1, State: "closed", Merged: true, SHA: "a"}, {Number: 2, State: "open", SHA: "b"}}
	w := worker{forge: forge.GitHub{API: hub.URL, Token: hub.Token}, guard: engine.Guard{Merged: func(context.Context) (engine.Merged, error) { return engine.Merged{Commit: "main1"}, nil }}}
	for _, c := range []struct {
		holder, head, main string
		merged, fails      bool
	}{
		{"acme/shop#1", "a", "merged-a", true, false},
		{"acme/shop#1", "other", "main1", false, false},
		{"acme/shop#2", "b", "main1", false, false},
		{"acme/shop#3", "c", "", false, true},
		{"nobody", "c", "", false, true},
	} {
		main, merged, err := w.onMain(t.Context(), engine.Lease{Holder: c.holder, Head: c.head})
		if main != c.main || merged != c.merged || (err != nil) != c.fails {
			t.Errorf("%+v: %q, %v, %v", c, main, merged, err)
		}
	}
}

func TestRunNeeds(t *testing.T) {
	for _, args := range [][]string{{}, {"-system", "shop"}, {"-nothing"}} {
		if err := run(t.Context(), args, strings.NewReader(""), io.Discard, func(string) string { return "" }); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

func TestStaleMain(t *testing.T) {
	m := &mainBranch{git: forge.Git{Dir: t.TempDir()}, last: engine.Merged{Commit: "c", ReadAt: time.Now().Add(-stale - time.Second)}}
	if _, err := m.Read(t.Context()); err == nil {
		t.Error("an old reading is trusted")
	}
	m.last.ReadAt = time.Now().Add(-every)
	if _, err := m.Read(t.Context()); err != nil {
		t.Error(err)
	}
	if err := m.refresh(t.Context()); err == nil {
		t.Error("read without a repository")
	}
}

// gitops makes a gitops repository with the system's autonomy.json, and a clone of it.
func gitops(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	work, clone := filepath.Join(dir, "work"), filepath.Join(dir, "clone")
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(dir, "gitconfig"))
	sys, err := systempolicy.Parse("system.yaml", []byte(systemYAML))
	if err != nil {
		t.Fatal(err)
	}
	data, err := sys.Render()
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{filepath.Join(dir, "gitconfig"): "[user]\n\tname = ana\n\temail = ana@example.com\n", filepath.Join(work, "applications", "shop", "autonomy.json"): string(data)} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "first"}, {"clone", "-q", ".", clone}} {
		cmd := exec.Command("git", c...)
		cmd.Dir = work
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", c, err, out)
		}
	}
	return clone
}
