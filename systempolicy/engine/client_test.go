package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
)

func client(deadline time.Duration) engine.Client {
	return engine.Client{Tokens: engine.Tokens{Variable: token}, Deadline: deadline}
}

// TestSendWords holds every fault of an engine to its word of S10.
func TestSendWords(t *testing.T) {
	type want struct {
		Word       engine.Word
		Why        engine.Why
		Supervised bool
		HTTP       int
		Loosens    []string
	}
	paused := func(id string) string {
		return `{"id":"` + id + `","accepted":true,"commit":"c","inForce":{"level":"act","effective":"observe","paused":{"git":false,"signal":true}}}`
	}
	status := func(effective, pausedText, signals string) string {
		return `{"version":1,"system":"shop","environments":{"dev":{"level":"act","effective":"` + effective + `","paused":` + pausedText + `,"signals":[` + signals + `]}}}`
	}
	acting := status("act", `{"git":false,"signal":false}`, "")
	// Of another host: it must never see a request.
	var trapped atomic.Int64
	trap := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		trapped.Add(1)
		if strings.Contains(fmt.Sprint(r.Header, r.URL), token) {
			t.Error("the token went to another host")
		}
		_, _ = w.Write([]byte(paused("p1")))
	}))
	defer trap.Close()
	answer := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(code); _, _ = w.Write([]byte(body)) }
	}
	echo := func(w http.ResponseWriter, r *http.Request) { // an engine that tells everybody what it was told
		w.Header().Set("Location", trap.URL+"/?"+url.QueryEscape(r.Header.Get("Authorization")))
		w.WriteHeader(409)
		_ = json.NewEncoder(w).Encode(map[string]any{"accepted": false, "message": r.Header.Get("Authorization"), "loosens": []string{r.Header.Get("Authorization"), "riskGate.maxFiles", "window"}})
	}
	slow := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	}
	drip := func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < 500 && r.Context().Err() == nil; i++ {
			_, _ = w.Write([]byte(" "))
			w.(http.Flusher).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	}
	hangUp := func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }
	raw := func(w http.ResponseWriter, r *http.Request) { // no HTTP at all, and the token in it
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_, _ = conn.Write([]byte("HELO " + r.Header.Get("Authorization") + "\r\n"))
			_ = conn.Close()
		}
	}
	for _, c := range []struct {
		name    string
		signals http.HandlerFunc
		status  http.HandlerFunc
		want    want
	}{
		{"obeys", answer(200, paused("p1")), answer(500, ""), want{Word: engine.Confirmed, Supervised: true, HTTP: 200}},
		{"obeys, with a plain boolean", answer(201, `{"id":"p1","accepted":true,"inForce":{"effective":"observe","paused":true}}`), answer(500, ""), want{Word: engine.Confirmed, Supervised: true, HTTP: 201}},
		{"paused by git already", answer(200, strings.Replace(paused("p1"), `"git":false,"signal":true`, `"git":true,"signal":false`, 1)), answer(500, ""), want{Word: engine.Confirmed, Supervised: true, HTTP: 200}},
		{"401", answer(401, `{}`), answer(200, acting), want{Why: engine.WhyToken, HTTP: 401}},
		{"403", answer(403, ""), answer(200, acting), want{Why: engine.WhyToken, HTTP: 403}},
		{"404", answer(404, `{"accepted":false}`), answer(200, acting), want{Why: engine.WhyStatus, HTTP: 404, Supervised: true}},
		{"500", answer(500, "oops"), answer(500, "oops"), want{Why: engine.WhyStatus, HTTP: 500}},
		{"500, and a status that still acts", answer(500, "oops"), answer(200, acting), want{Why: engine.WhyStatus, HTTP: 500, Supervised: true}},
		{"502, though it was carried out", answer(502, ""), answer(200, status("observe", `{"git":false,"signal":true}`, `{"id":"p1","kind":"pause"}`)), want{Word: engine.Confirmed, HTTP: 502, Supervised: true}},
		{"502, paused by another signal", answer(502, ""), answer(200, status("observe", `{"git":false,"signal":true}`, `{"id":"p0","kind":"pause"}`)), want{Why: engine.WhyStatus, HTTP: 502, Supervised: true}},
		{"garbage", answer(200, "<html>"), answer(200, "<html>"), want{Why: engine.WhyUnreadable, HTTP: 200}},
		{"nothing", answer(200, ""), answer(200, ""), want{Why: engine.WhyUnreadable, HTTP: 200}},
		{"204", answer(204, ""), answer(200, acting), want{Why: engine.WhyUnreadable, HTTP: 204, Supervised: true}},
		{"huge", answer(200, strings.Repeat(" ", engine.MaxStatus+1)), answer(404, ""), want{Why: engine.WhyUnreadable, HTTP: 200}},
		{"wrong id", answer(200, paused("p2")), answer(404, ""), want{Why: engine.WhyOtherSignal, HTTP: 200}},
		{"no id", answer(200, `{"accepted":true,"inForce":{"effective":"observe","paused":{"git":false,"signal":true}}}`), answer(404, ""), want{Why: engine.WhyOtherSignal, HTTP: 200}},
		{"not accepted", answer(200, `{"id":"p1","accepted":false}`), answer(404, ""), want{Why: engine.WhyRefused, HTTP: 200}},
		{"accepted, and acts", answer(200, `{"id":"p1","accepted":true,"inForce":{"effective":"act","paused":{"git":false,"signal":true}}}`), answer(200, acting), want{Why: engine.WhyLooser, HTTP: 200, Supervised: true}},
		{"accepted, and knows no pause", answer(200, `{"id":"p1","accepted":true,"inForce":{"effective":"observe"}}`), answer(404, ""), want{Why: engine.WhyLooser, HTTP: 200}},
		{"accepted, and half a pause", answer(200, `{"id":"p1","accepted":true,"inForce":{"effective":"observe","paused":{"git":false}}}`), answer(404, ""), want{Why: engine.WhyUnreadable, HTTP: 200}},
		{"old status", hangUp, answer(200, acting), want{Why: engine.WhyUnreachable, Supervised: true}},
		{"status of another version", hangUp, answer(200, strings.Replace(acting, `"version":1`, `"version":2`, 1)), want{Why: engine.WhyUnreachable}},
		{"status of another system", hangUp, answer(200, strings.Replace(acting, "shop", "shoe", 1)), want{Why: engine.WhyUnreachable}},
		{"status without the environment", hangUp, answer(200, strings.Replace(acting, `"dev"`, `"prod"`, 1)), want{Why: engine.WhyUnreachable}},
		{"status with an unknown level", hangUp, answer(200, status("auto", `true`, "")), want{Why: engine.WhyUnreachable}},
		{"refuses", answer(409, `{"accepted":false,"loosens":["riskGate.maxFiles","nonsense","window","window"]}`), answer(200, acting), want{Why: engine.WhyRefused, HTTP: 409, Supervised: true, Loosens: []string{"riskGate.maxFiles", "window"}}},
		{"refuses, and echoes", echo, answer(200, acting), want{Why: engine.WhyRefused, HTTP: 409, Supervised: true}},
		{"refuses, though something else pauses", echo, answer(200, status("observe", `true`, `{"id":"p1","kind":"pause"}`)), want{Why: engine.WhyRefused, HTTP: 409, Supervised: true}},
		{"obeys, and echoes the token", answer(200, strings.Replace(paused("p1"), `"commit":"c"`, `"commit":"`+token+`"`, 1)), answer(200, status("observe", `true`, `{"id":"p1","kind":"pause","by":"`+token+`"}`)), want{Why: engine.WhyUnreadable, HTTP: 200}},
		{"redirect to another host", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, trap.URL+r.URL.Path, http.StatusTemporaryRedirect)
		}, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, trap.URL+r.URL.Path, http.StatusFound)
		}, want{Why: engine.WhyRedirect, HTTP: 307}},
		{"redirect to itself", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusPermanentRedirect)
		}, answer(404, ""), want{Why: engine.WhyRedirect, HTTP: 308}},
		{"slow", slow, slow, want{Why: engine.WhyTimeout}},
		{"drips", drip, answer(404, ""), want{Why: engine.WhyTimeout, HTTP: 200}},
		{"hangs up", hangUp, hangUp, want{Why: engine.WhyUnreachable}},
		{"no HTTP", raw, raw, want{Why: engine.WhyUnreachable}},
	} {
		t.Run(c.name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.HandleFunc("POST /base/v1/signals", c.signals)
			mux.HandleFunc("GET /base/v1/status", c.status)
			var wrong atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "Bearer "+token || strings.Contains(r.URL.String(), token) {
					wrong.Add(1)
				}
				mux.ServeHTTP(w, r)
			}))
			server.Config.ErrorLog = nil
			defer server.Close()
			deadline := 5 * time.Second
			if c.want.Why == engine.WhyTimeout {
				deadline = 300 * time.Millisecond
			}
			start := time.Now()
			got := client(deadline).Send(t.Context(), []engine.Signal{signal(engine.Pause, "p1", noon, "")}, func(string) string { return server.URL + "/base/" })[0]
			if took := time.Since(start); took > deadline+2*time.Second {
				t.Errorf("took %v", took)
			}
			if diff := cmp.Diff(c.want, want{got.Word, got.Why, got.Supervised, got.HTTP, got.Loosens}); diff != "" {
				t.Error(diff)
			}
			if got.Environment != "dev" || got.ID != "p1" || got.Engine != server.URL+"/base/" || got.Supervised != (got.State != nil) {
				t.Errorf("%+v", got)
			}
			if wrong.Load() > 0 {
				t.Error("a request without the token, or with the token elsewhere")
			}
			text, err := json.Marshal(got)
			if err != nil || strings.Contains(string(text)+fmt.Sprintf("%+v %v", got, got.State), token) {
				t.Errorf("the token is in the result: %s, %v", text, err)
			}
		})
	}
	if trapped.Load() > 0 {
		t.Errorf("%d requests went to another host", trapped.Load())
	}
}

func TestSendNothing(t *testing.T) {
	tls := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("asked in spite of its certificate") }))
	tls.Config.ErrorLog = nil
	defer tls.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, url string
		tokens    engine.Tokens
		word      engine.Word
		why       engine.Why
	}{
		{"no engine", "", engine.Tokens{Variable: token}, engine.NotSent, engine.WhyNoEngine},
		{"no token", tls.URL, engine.Tokens{}, engine.NotSent, engine.WhyNoToken},
		{"no token in the keychain", tls.URL, engine.Tokens{Keychain: keychain{}}, engine.NotSent, engine.WhyNoToken},
		{"a keychain that fails", tls.URL, engine.Tokens{Keychain: keychain{"": errors.New("locked")}}, engine.NotSent, engine.WhyNoToken},
		{"a token with a line end", tls.URL, engine.Tokens{Variable: token + "\n"}, engine.NotSent, engine.WhyNoToken},
		{"user information", "https://good@evil.example.com", engine.Tokens{Variable: token}, engine.NotSent, engine.WhyURL},
		{"untrusted certificate", tls.URL, engine.Tokens{Variable: token}, engine.NotConfirmed, engine.WhyTLS},
		{"nobody listens", nobody, engine.Tokens{Variable: token}, engine.NotConfirmed, engine.WhyUnreachable},
		{"no such host", "http://host.invalid", engine.Tokens{Variable: token}, engine.NotConfirmed, engine.WhyUnreachable},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := engine.Client{Tokens: c.tokens, Deadline: 3 * time.Second}.Send(t.Context(), []engine.Signal{signal(engine.Pause, "p1", noon, "")}, func(string) string { return c.url })[0]
			if got.Word != c.word || got.Why != c.why && !(c.why == engine.WhyUnreachable && got.Why == engine.WhyTimeout) || got.Supervised {
				t.Errorf("%+v", got)
			}
		})
	}
}

// keychain maps accounts to secrets; "" is an error for every account.
type keychain map[string]any

func (k keychain) Secret(_ context.Context, service, account string) (string, error) {
	if err, ok := k[""].(error); ok {
		return "", err
	}
	secret, _ := k[service+" "+account].(string)
	return secret, nil
}

func TestToken(t *testing.T) {
	chain := keychain{"sdlc-foundry engine:ai-ops.dev.example.com": "from-keychain", "sdlc-foundry engine:::1": "loopback"}
	for _, c := range []struct{ variable, url, want string }{
		{"", "https://AI-ops.dev.example.com.:8443/x", "from-keychain"},
		{"from-variable", "https://ai-ops.dev.example.com", "from-variable"},
		{"", "http://[::1]:80", "loopback"},
		{"", "https://other.example.com", ""},
	} {
		e, err := systempolicy.ParseEngineURL(c.url)
		if err != nil {
			t.Fatal(err)
		}
		got, err := engine.Tokens{Variable: c.variable, Keychain: chain}.Token(t.Context(), e)
		if got != c.want || (err == nil) != (c.want != "") || err != nil && !errors.Is(err, engine.ErrNoToken) {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}

// TestSetAndResume runs the client against the handler: what one says is what the other proves.
func TestSetAndResume(t *testing.T) {
	f := newFixture(t, merged(t, `{"level": "act", "engine": "https://e.example.com", "window": {"timezone": "Europe/Berlin"}}`, false))
	server := httptest.NewServer(http.StripPrefix("/engine", f.http))
	defer server.Close()
	send := func(s engine.Signal) engine.Delivery {
		t.Helper()
		return client(5*time.Second).Send(t.Context(), []engine.Signal{s}, func(string) string { return server.URL + "/engine" })[0]
	}
	for i, c := range []struct {
		kind   engine.SignalKind
		policy string
		word   engine.Word
		why    engine.Why
	}{
		{engine.Pause, "", engine.Confirmed, ""},
		{engine.Resume, "", engine.Confirmed, ""},
		{engine.Set, `{"riskGate": {"maxFiles": 3}}`, engine.Confirmed, ""},
		{engine.Set, `{"riskGate": {"maxFiles": 6}}`, engine.NotConfirmed, engine.WhyRefused},
		{engine.Set, `{"level": "observe"}`, engine.Confirmed, ""},
		{engine.Set, `{"engine": null}`, engine.Confirmed, ""},
		{engine.Set, `{"window": {"days": ["mon"], "from": "10:00", "to": "15:00", "timezone": "UTC"}, "undoWindow": "2d"}`, engine.Confirmed, ""}, // two windows in force
		{engine.Set, `{"budget": {"perRun": {"cost": 0.5}}, "autoMerge": {"routes": []}}`, engine.Confirmed, ""},
	} {
		got := send(signal(c.kind, fmt.Sprint("s", i), noon.Add(time.Duration(i)), c.policy))
		if got.Word != c.word || got.Why != c.why || !got.Supervised {
			t.Errorf("%s %s: %+v", c.kind, c.policy, got)
		}
	}
	// A resume that does not lift the pause in git is confirmed all the same, and shows that it is still paused.
	f.set(func(f *fixture) { f.main = merged(t, actAutonomy, true) })
	if got := send(signal(engine.Resume, "last", noon.Add(time.Second), "")); got.Word != engine.Confirmed || !got.State.Paused.Git || got.State.Effective != "observe" {
		t.Errorf("%+v", got)
	}
	// One that is older is refused, and not confirmed.
	if got := send(signal(engine.Resume, "old", noon.Add(-time.Second), "")); got.Word != engine.NotConfirmed || got.Why != engine.WhyRefused {
		t.Errorf("%+v", got)
	}
}

// TestSendInParallel: one slow engine delays none of the others, and the order of the results is that of the signals.
func TestSendInParallel(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	f := newFixture(t, merged(t, actAutonomy, false))
	good := httptest.NewServer(f.http)
	defer good.Close()
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then is a closed connection noticed
		<-r.Context().Done()
	}))
	defer slow.Close()
	var signals []engine.Signal
	for i := range 40 {
		s := signal(engine.Pause, fmt.Sprint("p", i), noon, "")
		if s.Environment = "dev"; i%2 == 1 {
			s.Environment = "prod"
		}
		signals = append(signals, s)
	}
	start := time.Now()
	got := client(time.Second).Send(t.Context(), signals[:16], func(env string) string {
		if env == "prod" {
			return slow.URL
		}
		return good.URL
	})
	if took := time.Since(start); took > 4*time.Second {
		t.Errorf("took %v", took)
	}
	for i, d := range got {
		want := engine.Confirmed
		if i%2 == 1 {
			want = engine.NotConfirmed
		}
		if d.ID != signals[i].ID || d.Word != want {
			t.Errorf("%d: %+v", i, d)
		}
	}
	// Every engine is asked for its status once, however many environments it has.
	var asked sync.Map
	var n atomic.Int64
	count := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.Path, true)
		n.Add(1)
		f.http.ServeHTTP(w, r)
	}))
	defer count.Close()
	reports := client(time.Second).Status(t.Context(), "shop", []string{"dev", "prod", "none", "elsewhere", "bad"}, func(env string) string {
		return map[string]string{"elsewhere": "", "bad": slow.URL}[env] + map[string]string{"dev": count.URL, "prod": count.URL, "none": count.URL}[env]
	})
	var lines []string
	for _, r := range reports {
		lines = append(lines, fmt.Sprint(r.Environment, " ", r.Supervised, " ", r.Why, " ", r.State != nil))
	}
	if diff := cmp.Diff([]string{"dev true  true", "prod true  true", "none false the answer cannot be read false", "elsewhere false no engine false", "bad false no answer in time false"}, lines); diff != "" {
		t.Error(diff)
	}
	if n.Load() != 1 {
		t.Errorf("asked %d times", n.Load())
	}
}

// TestShownPolicy: an engine that does not show the whole policy in force does not prove that a set is obeyed.
func TestShownPolicy(t *testing.T) {
	whole := `{"level":"act","engine":null,"autoMerge":{"routes":["fix"],"maxCriticality":"low"},"riskGate":{"maxFiles":3,"maxLines":200,"regressionTest":true,"secondReview":true},"budget":{"runsPerDay":5,"mergesPerDay":2,"perRun":{"minutes":60,"invocations":20,"reruns":2,"cost":3}},"window":{"days":["mon"],"from":"09:00","to":"17:00","timezone":"UTC"},"undoWindow":"24h"}`
	for policy, want := range map[string]engine.Word{
		whole: engine.Confirmed,
		strings.Replace(whole, `"maxFiles":3`, `"maxFiles":2`, 1):       engine.Confirmed,
		strings.Replace(whole, `"maxFiles":3`, `"maxFiles":4`, 1):       engine.NotConfirmed,
		strings.Replace(whole, `"maxFiles":3`, `"maxFiles":"3"`, 1):     engine.NotConfirmed,
		strings.Replace(whole, `"maxFiles":3,`, ``, 1):                  engine.NotConfirmed,
		strings.Replace(whole, `"level":"act"`, `"level":"propose"`, 1): engine.NotConfirmed, // it contradicts the state's level
		strings.Replace(whole, `"engine":null,`, ``, 1):                 engine.NotConfirmed,
		strings.Replace(whole, `"days":["mon"]`, `"days":[]`, 1):        engine.NotConfirmed,
		`null`: engine.NotConfirmed, `{}`: engine.NotConfirmed, `[]`: engine.NotConfirmed, `{"window":[]}`: engine.NotConfirmed,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "GET" {
				w.WriteHeader(404)
				return
			}
			_, _ = w.Write([]byte(`{"id":"s","accepted":true,"inForce":{"level":"act","effective":"act","paused":{"git":false,"signal":false},"policy":` + policy + `}}`))
		}))
		got := client(3*time.Second).Send(t.Context(), []engine.Signal{signal(engine.Set, "s", noon, `{"riskGate":{"maxFiles":3}}`)}, func(string) string { return server.URL })[0]
		if got.Word != want {
			t.Errorf("%s: %+v", policy, got)
		}
		server.Close()
	}
}

func TestNewID(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		id := engine.NewID()
		if len(id) != 36 || id[14] != '4' || !strings.ContainsRune("89ab", rune(id[19])) || seen[id] {
			t.Fatal(id)
		}
		seen[id] = true
	}
}

func TestWords(t *testing.T) {
	for w, want := range map[engine.Word]string{engine.Confirmed: "confirmed", engine.NotConfirmed: "not confirmed", engine.NotSent: "not sent", 9: "not confirmed"} {
		if text, err := w.MarshalText(); err != nil || string(text) != want {
			t.Errorf("%d: %s", w, text)
		}
	}
}

// TestResumeIsTold holds that a resume is confirmed only by an answer that says whether a signal still pauses.
func TestResumeIsTold(t *testing.T) {
	const confirmed, looser, failed = "confirmed ", "not confirmed what is in force is still looser", "not confirmed the engine answered with an error"
	inForce := func(state string) string {
		return `{"id":"r","accepted":true,"inForce":{"effective":"act"` + state + `}}`
	}
	status := func(state string) string {
		return `{"version":1,"system":"shop","environments":{"dev":{"effective":"act"` + state + `}}}`
	}
	for _, c := range []struct {
		code         int
		body, status string
		want         string
	}{
		{200, inForce(`,"paused":{"git":false,"signal":false}`), "", confirmed},
		{200, inForce(`,"paused":{"git":true,"signal":false}`), "", confirmed},
		{200, inForce(`,"paused":false`), "", confirmed},
		{200, inForce(`,"paused":{"git":false,"signal":true}`), "", looser},
		{200, inForce(``), "", looser},
		{200, inForce(`,"paused":null`), "", looser},
		{200, inForce(``), status(`,"paused":false`), confirmed},
		{500, ``, status(`,"paused":{"git":false,"signal":false}`), confirmed},
		{500, ``, status(`,"paused":{"git":false,"signal":true}`), failed},
		{500, ``, status(``), failed},
		{500, ``, status(`,"paused":null`), failed},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				_, _ = w.Write([]byte(c.status))
				return
			}
			w.WriteHeader(c.code)
			_, _ = w.Write([]byte(c.body))
		}))
		d := client(5*time.Second).Send(t.Context(), []engine.Signal{signal(engine.Resume, "r", noon, "")}, func(string) string { return server.URL })[0]
		server.Close()
		if got := d.Word.String() + " " + string(d.Why); got != c.want {
			t.Errorf("%d %s, %s: %q, want %q", c.code, c.body, c.status, got, c.want)
		}
	}
}
