package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
	"example.com/ambit/systempolicy/engine/sqlstore/sqlite"
)

var noon = time.Date(2026, 7, 22, 12, 0, 0, 0, time.UTC) // a Wednesday

const (
	actAutonomy = `{"level": "act", "engine": "https://e.example.com", "riskGate": {"maxFiles": 5}}`
	token       = "engine-token-7f3a9c"
)

// rendered gives the System that an engine reads, of a system with this autonomy in dev, and shop-api capped in it.
func rendered(t testing.TB, autonomy string, paused bool) *systempolicy.System {
	t.Helper()
	text := fmt.Sprintf(`{"name": "shop", "autonomy": {"paused": %v}, "environments": {"dev": {"autonomy": %s}, "prod": {}},
		"components": {"shop-api": {"instances": {"dev": {}}}, "pay": {"instances": {"dev": {"autonomy": {"max": "propose"}}}}}}`, paused, autonomy)
	sys, err := systempolicy.Parse("system.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	data, err := sys.Render()
	if err != nil {
		t.Fatal(err)
	}
	if sys, err = systempolicy.LoadRendered("autonomy.json", data); err != nil {
		t.Fatal(err)
	}
	return sys
}

func merged(t testing.TB, autonomy string, paused bool) engine.Merged {
	return engine.Merged{System: rendered(t, autonomy, paused), Commit: "c1", ReadAt: noon.Add(-time.Minute)}
}

func signal(kind engine.SignalKind, id string, at time.Time, policy string) engine.Signal {
	return engine.Signal{Version: 1, ID: id, System: "shop", Environment: "dev", Kind: kind, Policy: json.RawMessage(policy), By: "ana", At: at}
}

// fixture is an engine: a handler over a fresh SQLite store, with a main and a clock that a test may change.
type fixture struct {
	t     testing.TB
	path  string
	store engine.Store
	http  http.Handler

	mu   sync.Mutex
	main engine.Merged
	err  error
	now  time.Time
}

func newFixture(t testing.TB, m engine.Merged) *fixture {
	t.Helper()
	f := &fixture{t: t, path: filepath.Join(t.TempDir(), "store.db"), main: m, now: noon}
	f.start()
	t.Cleanup(func() { _ = f.store.Close() })
	return f
}

// start is what a restart does.
func (f *fixture) start() {
	f.t.Helper()
	s, err := sqlite.Open(context.Background(), f.path)
	if err != nil {
		f.t.Fatal(err)
	}
	f.store = s
	f.http = record(f.t, &engine.Handler{Token: token, Store: s, Now: f.clock, Merged: f.read})
}

func (f *fixture) restart() {
	f.t.Helper()
	if err := f.store.Close(); err != nil {
		f.t.Fatal(err)
	}
	f.start()
}

func (f *fixture) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

func (f *fixture) read(_ context.Context, system string) (engine.Merged, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if system != "shop" {
		return engine.Merged{}, engine.ErrUnknownSystem
	}
	return f.main, f.err
}

func (f *fixture) set(change func(*fixture)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// do makes one request.
func (f *fixture) do(method, path, bearer string, body []byte) (int, []byte) {
	f.t.Helper()
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	w := httptest.NewRecorder()
	f.http.ServeHTTP(w, r)
	return w.Code, w.Body.Bytes()
}

// send posts a signal and gives the answer, or the refusal.
func (f *fixture) send(s engine.Signal) (int, engine.Answer, engine.Refusal) {
	f.t.Helper()
	body, err := json.Marshal(s)
	if err != nil {
		f.t.Fatal(err)
	}
	code, data := f.do("POST", "/v1/signals", token, body)
	var a engine.Answer
	var r engine.Refusal
	if code == 200 {
		err = json.Unmarshal(data, &a)
	} else {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		f.t.Fatalf("%d %s: %v", code, data, err)
	}
	return code, a, r
}

func (f *fixture) status() engine.Status {
	f.t.Helper()
	code, data := f.do("GET", "/v1/status?system=shop", token, nil)
	var s engine.Status
	if err := json.Unmarshal(data, &s); code != 200 || err != nil {
		f.t.Fatalf("status: %d %s %v", code, data, err)
	}
	return s
}

var exchanges atomic.Int64

// record writes every exchange into the folder AMBIT_RECORD, where another module's test holds them against the contract.
func record(t testing.TB, h http.Handler) http.Handler {
	dir := os.Getenv("AMBIT_RECORD")
	if dir == "" {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		seen := httptest.NewRecorder()
		h.ServeHTTP(seen, r)
		for k, v := range seen.Header() {
			w.Header()[k] = v
		}
		w.WriteHeader(seen.Code)
		_, _ = w.Write(seen.Body.Bytes())
		text, err := json.Marshal(map[string]any{"test": t.Name(), "method": r.Method, "url": r.URL.String(), "authorization": r.Header.Get("Authorization") != "",
			"body": body, "status": seen.Code, "type": seen.Header().Get("Content-Type"), "answer": seen.Body.Bytes()})
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, strconv.FormatInt(exchanges.Add(1), 10)+".json"), text, 0o600)
		}
		if err != nil {
			t.Error(err)
		}
	})
}
