package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/internal/regime"
	"example.com/ambit/systempolicy/engine"
)

func TestHandlerRefusals(t *testing.T) {
	f := newFixture(t, merged(t, actAutonomy, false))
	pause, err := json.Marshal(signal(engine.Pause, "p", noon, ""))
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(pause), `"shop"`, `"other"`, 1)
	nowhere := strings.Replace(string(pause), `"dev"`, `"nowhere"`, 1)
	for _, c := range []struct {
		name, method, path, token, body string
		status                          int
		code                            string
	}{
		{"no token", "POST", "/v1/signals", "", string(pause), 401, engine.RefusedToken},
		{"wrong token", "POST", "/v1/signals", token + "x", string(pause), 401, engine.RefusedToken},
		{"prefix of the token", "GET", "/v1/status?system=shop", token[:5], "", 401, engine.RefusedToken},
		{"garbage", "POST", "/v1/signals", token, "<html>", 400, engine.RefusedBody},
		{"too large", "POST", "/v1/signals", token, strings.Repeat("x", engine.MaxBody+1), 413, engine.RefusedSize},
		{"unknown system", "POST", "/v1/signals", token, other, 404, engine.RefusedUnknown},
		{"unknown environment", "POST", "/v1/signals", token, nowhere, 404, engine.RefusedUnknown},
		{"method", "GET", "/v1/signals", token, "", 405, engine.RefusedMethod},
		{"method", "DELETE", "/v1/status", token, "", 405, engine.RefusedMethod},
		{"path", "GET", "/v2/status", token, "", 404, engine.RefusedUnknown},
		{"status of what", "GET", "/v1/status", token, "", 400, engine.RefusedBody},
		{"status of another", "GET", "/v1/status?system=other", token, "", 404, engine.RefusedUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, data := f.do(c.method, c.path, c.token, []byte(c.body))
			var r engine.Refusal
			if err := json.Unmarshal(data, &r); err != nil {
				t.Fatalf("%s: %v", data, err)
			}
			if code != c.status || r.Code != c.code || r.Accepted || r.Message == "" {
				t.Errorf("%d %+v", code, r)
			}
			if strings.Contains(string(data), token) {
				t.Error("the token is in the answer")
			}
		})
	}
	open := &engine.Handler{Store: f.store, Merged: f.read} // a handler without a token is closed, not open
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/v1/status?system=shop", nil)
	r.Header.Set("Authorization", "Bearer ")
	if open.ServeHTTP(w, r); w.Code != 401 {
		t.Errorf("no token configured: %d", w.Code)
	}
	twice := httptest.NewRequest("GET", "/v1/status?system=shop", nil)
	twice.Header["Authorization"] = []string{"Bearer " + token, "Bearer x"}
	w = httptest.NewRecorder()
	if f.http.ServeHTTP(w, twice); w.Code != 401 {
		t.Errorf("two tokens: %d", w.Code)
	}
	if state := f.status().Environments["dev"]; state.Paused.Signal {
		t.Error("a refused pause pauses")
	}
}

func TestHandlerTellsTheTruth(t *testing.T) {
	f := newFixture(t, merged(t, actAutonomy, false))
	code, a, _ := f.send(signal(engine.Set, "s1", noon, `{"riskGate": {"maxFiles": 3}}`))
	if code != 200 || !a.Accepted || a.ID != "s1" || a.Commit != "c1" {
		t.Fatalf("%d %+v", code, a)
	}
	code, a, _ = f.send(signal(engine.Pause, "p1", noon, ""))
	if code != 200 || a.InForce.Effective != "observe" || !a.InForce.Paused.Signal || a.InForce.Paused.Git {
		t.Fatalf("%d %+v", code, a)
	}
	lease, ok, err := f.store.Reserve(t.Context(), engine.Reservation{System: "shop", Environment: "dev", Kind: engine.Merge, Limit: 2, At: noon, Head: "h"})
	if err != nil || !ok {
		t.Fatal(err)
	}
	f.restart()
	got := f.status()
	want := engine.State{Commit: "c1", ReadAt: noon.Add(-time.Minute), Level: "act", Effective: "observe", Paused: engine.Paused{Signal: true},
		Signals: []engine.SignalNote{{ID: "p1", Kind: engine.Pause, At: noon, By: "ana"}, {ID: "s1", Kind: engine.Set, At: noon, By: "ana"}},
		Today:   engine.Usage{Day: "2026-07-22", Merges: 1}}
	dev := got.Environments["dev"]
	var policy struct{ RiskGate struct{ MaxFiles int } }
	if err := json.Unmarshal(dev.Policy, &policy); err != nil || policy.RiskGate.MaxFiles != 3 {
		t.Errorf("policy %s", dev.Policy)
	}
	dev.Policy = nil
	if diff := cmp.Diff(want, dev); diff != "" {
		t.Error(diff)
	}
	if prod := got.Environments["prod"]; prod.Effective != "observe" || prod.Paused.Signal {
		t.Errorf("prod %+v", prod)
	}
	if _, err := f.store.Settle(t.Context(), lease, engine.Evidence{Main: "m", At: noon}); err != nil {
		t.Fatal(err)
	}
	// Main goes below the signal: main wins, at the next question.
	f.set(func(f *fixture) {
		f.main = engine.Merged{System: rendered(t, `{"level": "advise", "riskGate": {"maxFiles": 2}}`, true), Commit: "c2", ReadAt: noon.Add(time.Minute)}
	})
	dev = f.status().Environments["dev"]
	if dev.Commit != "c2" || dev.Level != "advise" || !dev.Paused.Git || len(dev.Signals) != 1 || dev.Today.Merges != 0 {
		t.Errorf("%+v", dev)
	}
	// And the set that main has met stays dropped when main is loosened again.
	f.set(func(f *fixture) { f.main = merged(t, actAutonomy, false); f.main.ReadAt = noon.Add(2 * time.Minute) })
	f.restart()
	if dev = f.status().Environments["dev"]; len(dev.Signals) != 1 || dev.Signals[0].Kind != engine.Pause {
		t.Errorf("signals in force: %+v", dev.Signals)
	}
	// A resume lifts the pause.
	if code, a, _ = f.send(signal(engine.Resume, "r1", noon.Add(time.Second), "")); code != 200 || a.InForce.Paused.Signal || a.InForce.Effective != "act" {
		t.Errorf("%d %+v", code, a)
	}
	// Replays are harmless.
	if code, a, _ = f.send(signal(engine.Pause, "p1", noon, "")); code != 200 || a.InForce.Paused.Signal {
		t.Errorf("a replayed pause: %d %+v", code, a)
	}
}

func TestHandlerWithoutMain(t *testing.T) {
	f := newFixture(t, merged(t, actAutonomy, false))
	f.set(func(f *fixture) { f.err = errors.New("github is down") })
	code, a, _ := f.send(signal(engine.Pause, "p", noon, ""))
	if code != 200 || a.Commit != "" || a.InForce.Effective != "observe" || !a.InForce.Paused.Signal {
		t.Errorf("pause: %d %+v", code, a)
	}
	for _, kind := range []engine.SignalKind{engine.Resume, engine.Set} {
		s := signal(kind, "x", noon.Add(1), `{"level": "observe"}`)
		if kind == engine.Resume {
			s.Policy = nil
		}
		if code, _, r := f.send(s); code != 503 || r.Code != engine.RefusedUnavailable {
			t.Errorf("%s: %d %+v", kind, code, r)
		}
	}
	if code, _ := f.do("GET", "/v1/status?system=shop", token, nil); code != 503 {
		t.Errorf("status: %d", code)
	}
	f.set(func(f *fixture) { f.err = nil })
	if !f.status().Environments["dev"].Paused.Signal {
		t.Error("the pause was lost")
	}
}

// TestPauseDoesNotWaitForMain: a forge that hangs does not keep a pause from being in force.
func TestPauseDoesNotWaitForMain(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	f := newFixture(t, merged(t, actAutonomy, false))
	f.http = &engine.Handler{Token: token, Store: f.store, Now: f.clock, Merged: func(ctx context.Context, _ string) (engine.Merged, error) {
		<-ctx.Done()
		return engine.Merged{}, ctx.Err()
	}}
	start := time.Now()
	if code, a, _ := f.send(signal(engine.Pause, "p", noon, "")); code != 200 || !a.InForce.Paused.Signal {
		t.Errorf("%d %+v", code, a)
	}
	if took := time.Since(start); took > engine.PauseWait+3*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestHandlerWithoutStore(t *testing.T) {
	f := newFixture(t, merged(t, actAutonomy, false))
	if err := f.store.Close(); err != nil {
		t.Fatal(err)
	}
	if code, _, r := f.send(signal(engine.Pause, "p", noon, "")); code != 503 || r.Code != engine.RefusedUnavailable {
		t.Errorf("%d %+v", code, r)
	}
	if code, _ := f.do("GET", "/v1/status?system=shop", token, nil); code != 503 {
		t.Errorf("status: %d", code)
	}
	// Open for the next test's clean-up.
	f.start()
}

// TestHandlerKeepsWhatItRead: a sender that hangs up after its pause was read has paused.
func TestHandlerKeepsWhatItRead(t *testing.T) {
	f := newFixture(t, merged(t, actAutonomy, false))
	body, err := json.Marshal(signal(engine.Pause, "p", noon, ""))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequest("POST", "/v1/signals", strings.NewReader(string(body))).WithContext(ctx)
	r.Header.Set("Authorization", "Bearer "+token)
	f.http.ServeHTTP(httptest.NewRecorder(), r)
	if !f.status().Environments["dev"].Paused.Signal {
		t.Error("the pause was lost")
	}
}

// TestHandlerUnderLoad: 64 clients pause, resume, tighten and read at once, while main changes. Every answer is whole, and no state
// is torn: one that shows a pause acts as observe, none is looser than some main of that moment.
func TestHandlerUnderLoad(t *testing.T) {
	const clients = 64
	duration := time.Duration(regime.Cases(t, 20, 300)) * 100 * time.Millisecond
	tight, loose := merged(t, `{"level": "propose", "riskGate": {"maxFiles": 3}}`, false), merged(t, actAutonomy, false)
	f := newFixture(t, loose)
	f.now = time.Now()
	server := httptest.NewServer(f.http)
	defer server.Close()
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	end := time.Now().Add(duration)
	var requests, accepted, refused atomic.Int64
	ask := func(method, path string, body []byte) (int, []byte, error) {
		r, err := http.NewRequest(method, server.URL+path, strings.NewReader(string(body)))
		if err != nil {
			return 0, nil, err
		}
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := client.Do(r)
		if err != nil {
			return 0, nil, err
		}
		defer resp.Body.Close()
		requests.Add(1)
		var raw json.RawMessage
		err = json.NewDecoder(resp.Body).Decode(&raw)
		return resp.StatusCode, raw, err
	}
	whole := func(s engine.State) error {
		var policy struct{ RiskGate struct{ MaxFiles int } }
		if err := json.Unmarshal(s.Policy, &policy); err != nil {
			return err
		}
		switch {
		case s.Paused.Signal && s.Effective != "observe":
			return errors.New("paused and acting")
		case !s.Paused.Signal && s.Effective != s.Level:
			return errors.New("not paused and not acting as its level")
		case s.Level == "act" && s.Commit != "c1":
			return errors.New("looser than its main")
		case s.Commit == "c2" && policy.RiskGate.MaxFiles > 3, policy.RiskGate.MaxFiles > 5:
			return errors.New("more files than its main")
		}
		return nil
	}
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for i := 0; time.Now().Before(end) && !t.Failed(); i++ {
				var code int
				var data []byte
				var err error
				kind := []engine.SignalKind{engine.Pause, engine.Resume, engine.Set, ""}[(c+i)%4]
				if kind == "" {
					code, data, err = ask("GET", "/v1/status?system=shop", nil)
				} else {
					s := signal(kind, fmt.Sprint(c, "-", i), time.Now(), "")
					if kind == engine.Set {
						s.Policy = json.RawMessage(fmt.Sprintf(`{"riskGate": {"maxFiles": %d}}`, 1+i%6))
					}
					body, _ := json.Marshal(s)
					code, data, err = ask("POST", "/v1/signals", body)
				}
				switch {
				case err != nil:
				case code == 200 && kind == "":
					var s engine.Status
					if err = json.Unmarshal(data, &s); err == nil {
						err = whole(s.Environments["dev"])
					}
				case code == 200:
					accepted.Add(1)
					var a engine.Answer
					if err = json.Unmarshal(data, &a); err == nil {
						err = whole(a.InForce)
					}
				case code == 409 && kind != engine.Pause:
					refused.Add(1)
				default:
					err = fmt.Errorf("status %d: %s", code, data)
				}
				if err != nil {
					t.Errorf("client %d: %s: %v", c, kind, err)
				}
			}
		})
	}
	for i := 0; time.Now().Before(end); i++ {
		f.set(func(f *fixture) {
			f.now = time.Now()
			if f.main = loose; i%2 == 0 {
				f.main = tight
				f.main.Commit = "c2"
			}
			f.main.ReadAt = f.now
		})
		time.Sleep(20 * time.Millisecond)
	}
	wg.Wait()
	t.Logf("%d clients, %v: %d requests, %d accepted, %d refused", clients, duration, requests.Load(), accepted.Load(), refused.Load())
	if accepted.Load() == 0 || refused.Load() == 0 {
		t.Error("nothing was tried")
	}
}
