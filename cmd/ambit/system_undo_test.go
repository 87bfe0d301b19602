//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/systempolicy/engine"
)

// overlay lays shop-api's overlay of an environment with each version in turn.
func (w *world) overlay(env string, versions ...string) {
	w.t.Helper()
	for _, v := range versions {
		w.put(filepath.Join(w.work, "applications", "shop", "shop-api", "overlays", env, "kustomization.yaml"),
			"# pins\nimages:\n  - name: registry.example.com/acme/shop-api\n    newTag: "+v+" # by promote\n  - name: sidecar\n    newTag: v9\n")
		w.commit(v)
	}
}

func (w *world) event(id string, change func(*engine.Event)) {
	w.t.Helper()
	e := engine.Event{ID: id, At: at(w.t, "2026-07-22T10:00:00Z"), System: "shop", Environment: "dev", Component: "shop-api", Action: "merge", Level: "act", Commit: "c0ffee",
		From: "v1.4.1", To: "v1.4.2"}
	if change != nil {
		change(&e)
	}
	if err := w.store.RecordEvent(w.t.Context(), e); err != nil {
		w.t.Fatal(err)
	}
}

func TestUndoCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	type want struct {
		code     int
		refusals string
		moved    bool
	}
	worlds := map[string]*world{} // by what the overlay pinned; a dry run changes nothing
	for _, c := range []struct {
		name     string
		versions []string
		change   func(*engine.Event)
		event    string
		now      string
		want     want
	}{
		{name: "allowed", versions: []string{"v1.4.1", "v1.4.2"}},
		{name: "moved on", versions: []string{"v1.4.1", "v1.4.2", "v1.4.3"}, want: want{moved: true}},
		{name: "no such event", versions: []string{"v1.4.1"}, event: "ev-9", want: want{2, "event level window target version", false}},
		{name: "of another system", versions: []string{"v1.4.1", "v1.4.2"}, change: func(e *engine.Event) { e.System = "shoe" }, want: want{2, "event level window target version", false}},
		{name: "at advise", versions: []string{"v1.4.1", "v1.4.2"}, change: func(e *engine.Event) { e.Level = "advise" }, want: want{2, "level", false}},
		{name: "too late", versions: []string{"v1.4.1", "v1.4.2"}, now: "2026-07-23T10:00:00Z", want: want{2, "window", false}},
		{name: "undone", versions: []string{"v1.4.1", "v1.4.2"}, change: func(e *engine.Event) { e.Undone = engine.Undo{By: "bo", At: e.At} }, want: want{2, "once", false}},
		{name: "never pinned", versions: []string{"v1.3.0", "v1.4.2"}, want: want{2, "version", false}},
		{name: "pinned now", versions: []string{"v1.4.2", "v1.4.1"}, want: want{2, "version", false}},
		{name: "no overlay", want: want{2, "version", false}},
		{name: "another environment", versions: []string{"v1.4.1", "v1.4.2"}, change: func(e *engine.Event) { e.Environment = "qa" }, want: want{2, "event window version", false}},
		{name: "all", versions: []string{"v1.4.2"}, now: "2026-07-24T10:00:00Z", change: func(e *engine.Event) { e.Level, e.Undone = "observe", engine.Undo{By: "bo", At: e.At} }, want: want{2, "level window once version", false}},
	} {
		history := strings.Join(c.versions, " ")
		if worlds[history] == nil {
			worlds[history] = newWorld(t, worldSystem)
			worlds[history].overlay("dev", c.versions...)
		}
		t.Run(c.name, func(t *testing.T) {
			w := worlds[history]
			event := strings.ReplaceAll(c.name, " ", "-")
			w.event(event, c.change)
			if c.event != "" {
				event = c.event
			}
			args := []string{"system", "undo", event, "--store", w.storePath, "--dry-run", "--format", "json"}
			if c.now != "" {
				args = append(args, "--now", c.now)
			}
			code, out, errs := w.ambit(args...)
			var got struct {
				Allowed, MovedOn bool
				Refusals         []string
				Command          []string
			}
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatalf("%v %s%s", err, out, errs)
			}
			if diff := cmp.Diff(fmt.Sprint(c.want), fmt.Sprint(want{code, strings.Join(got.Refusals, " "), got.MovedOn})); diff != "" {
				t.Error(diff, errs)
			}
			if got.Allowed != (c.want.code == 0) || got.Allowed && strings.Join(got.Command, " ") != "/instance:promote shop-api --to dev --version v1.4.1" {
				t.Errorf("%+v", got)
			}
			if c.want.moved && !strings.Contains(errs, `dev pins \"v1.4.3\" now, not \"v1.4.2\"`) {
				t.Errorf("the plan does not name the moved pin: %s", errs)
			}
		})
	}
}

func TestUndoPublished(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts many processes, or waits")
	}
	w := newWorld(t, worldSystem)
	w.overlay("dev", "v1.4.1", "v1.4.2")
	w.event("ev-1", nil)
	w.env = append(w.env, "AMBIT_STORE="+w.storePath)
	code, out, errs := w.ambit("system", "undo", "ev-1", "--pr")
	if code != 0 || w.pulls() != 1 || !strings.Contains(out, "pull request: "+w.hub.URL) {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if diff := w.git(w.bare, "diff", "-U0", "main", "ambit/undo-ev-1"); !strings.Contains(diff, "-    newTag: v1.4.2 # by promote\n+    newTag: v1.4.1 # by promote") && !strings.Contains(diff, "+    newTag: \"v1.4.1\" # by promote") {
		t.Errorf("the pull request:\n%s", diff)
	}
	e, err := w.store.Event(t.Context(), "ev-1")
	if err != nil || e.Undone.By != "ana" || e.Undone.PR != "acme/shop#1" {
		t.Errorf("%+v, %v", e.Undone, err)
	}
	if code, out, errs = w.ambit("system", "undo", "ev-1", "--pr"); code != 2 || w.pulls() != 1 || !strings.Contains(errs, "undone already") {
		t.Errorf("a second time: %d %s%s", code, out, errs)
	}
	w.clean()
	// Without --pr only the file changes.
	w = newWorld(t, worldSystem)
	w.overlay("dev", "v1.4.1", "v1.4.2")
	w.event("ev-1", nil)
	if code, out, errs = w.ambit("system", "undo", "ev-1", "--store", w.storePath); code != 0 || w.pulls() != 0 || !strings.Contains(w.read("applications/shop/shop-api/overlays/dev/kustomization.yaml"), "v1.4.1") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	// Without a store there is nothing to undo.
	if code, _, errs = w.ambit("system", "undo", "ev-1"); code != 1 || !strings.Contains(errs, "--store") {
		t.Errorf("%d %s", code, errs)
	}
	if code, _, errs = w.ambit("system", "undo", "ev-1", "--store", w.storePath+"x"); code != 3 {
		t.Errorf("%d %s", code, errs)
	}
}

// TestUndoFails: a failure at any step leaves neither a claim nor a branch, so that the undo can be tried again.
func TestUndoFails(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts many processes, or waits")
	}
	for name, fail := range map[string]func(*world){
		"forge": func(w *world) { w.hub.Fail["POST /repos/acme/shop/pulls"] = 500 },
		"token": func(w *world) { w.env = append(w.env, "GH_TOKEN=") },
		"push": func(w *world) {
			w.put(filepath.Join(w.bare, "hooks", "pre-receive"), "#!/bin/sh\nexit 1\n")
			_ = os.Chmod(filepath.Join(w.bare, "hooks", "pre-receive"), 0o755)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, worldSystem)
			w.overlay("dev", "v1.4.1", "v1.4.2")
			w.event("ev-1", nil)
			good := w.env
			fail(w)
			code, out, errs := w.ambit("system", "undo", "ev-1", "--pr", "--store", w.storePath)
			if code != 3 || !strings.Contains(errs, "nothing was undone") {
				t.Errorf("%d %s%s", code, out, errs)
			}
			if e, err := w.store.Event(t.Context(), "ev-1"); err != nil || e.Undone.By != "" {
				t.Errorf("still claimed: %+v, %v", e.Undone, err)
			}
			if refs := w.git(w.bare, "for-each-ref", "refs/heads/ambit"); refs != "" {
				t.Errorf("a branch was left: %s", refs)
			}
			w.env, w.hub.Fail = good, map[string]int{}
			_ = os.Remove(filepath.Join(w.bare, "hooks", "pre-receive"))
			if code, out, errs = w.ambit("system", "undo", "ev-1", "--pr", "--store", w.storePath); code != 0 {
				t.Errorf("again: %d %s%s", code, out, errs)
			}
		})
	}
}

// TestUndoFromManyMachines: of several machines at once, one undoes; with one run store that they share, and with one each.
func TestUndoFromManyMachines(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts many processes, or waits")
	}
	for _, shared := range []bool{true, false} {
		t.Run(fmt.Sprint("shared ", shared), func(t *testing.T) {
			w := newWorld(t, worldSystem)
			w.overlay("dev", "v1.4.1", "v1.4.2")
			w.event("ev-1", nil)
			if err := w.store.Close(); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(w.storePath)
			if err != nil {
				t.Fatal(err)
			}
			const machines = 4
			codes := make([]int, machines)
			said := make([]string, machines)
			var wg sync.WaitGroup
			for i := range machines {
				root, store := filepath.Join(w.dir, fmt.Sprint("machine", i)), w.storePath
				w.git(w.dir, "clone", "-q", w.bare, root)
				if !shared {
					store = filepath.Join(w.dir, fmt.Sprint(i, ".db"))
					if err := os.WriteFile(store, data, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				wg.Go(func() {
					var out, errs string
					codes[i], out, errs = run(t, "", w.env, "system", "undo", "ev-1", "--pr", "--store", store, "--root", root)
					said[i] = out + errs
				})
			}
			wg.Wait()
			won := 0
			for i, code := range codes {
				switch {
				case code == 0:
					won++
				case code != 2 || !strings.Contains(said[i], "undone already"):
					t.Errorf("machine %d: %d %s", i, code, said[i])
				}
			}
			if won != 1 || w.pulls() != 1 {
				t.Errorf("%d won, %d pull requests", won, w.pulls())
			}
		})
	}
}

// TestSlug holds that no two events share a branch: the second undo would be refused as done.
func TestSlug(t *testing.T) {
	seen := map[string]string{}
	for _, id := range []string{"ev-1", "ev.1", "ev/1", "ev 1", "-ev-1", "ev-1-", "", "-", "?", "é", strings.Repeat("x", 64), strings.Repeat("x", 65), strings.Repeat("x", 66)} {
		s := slug(id)
		if other, taken := seen[s]; taken {
			t.Errorf("%q and %q are both %q", id, other, s)
		}
		seen[s] = id
		if len(s) > 80 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			t.Errorf("%q is %q", id, s)
		}
	}
	if s := slug("ev-1"); s != "ev-1" {
		t.Errorf("ev-1 is %q", s)
	}
}
