package engine

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"example.com/ambit/systempolicy"
)

// Client sends signals to engines and reads their status. It sends an engine's token to that engine's host and nowhere else: it follows
// no redirect, and asks no proxy for a plain http address. It logs nothing, and nothing that an engine says reaches its results
// but states, keys and numbers.
type Client struct {
	Tokens    Tokens            // where the engines' tokens are
	Deadline  time.Duration     // for everything that one call does; 0 is DefaultDeadline
	Transport http.RoundTripper // nil is one that is made for the call
}

// DefaultDeadline is how long a Client waits for all engines together.
const DefaultDeadline = 10 * time.Second

// Send sends each signal to its environment's engine, all in parallel, and says what became of each, in their order. engines
// gives the URL of an environment's engine, "" for none. Where the answer does not prove that the engine obeys, its status is asked
// once, within the same deadline. // S9, S10
func (c Client) Send(ctx context.Context, signals []Signal, engines func(environment string) string) []Delivery {
	ctx, cancel := context.WithTimeout(ctx, c.deadline())
	defer cancel()
	out := make([]Delivery, len(signals))
	c.each(len(signals), func(client *http.Client, i int) {
		out[i] = c.send(ctx, client, signals[i], engines(signals[i].Environment))
	})
	return out
}

// Report is one engine's status for one environment.
type Report struct {
	Environment string // which one
	Engine      string // its URL; "" when none is declared
	Supervised  bool   // the engine gave a usable status
	Why         Why    // why not
	State       *State // nil when not supervised
}

// Status asks the engine of every environment for its status, all in parallel, each engine once. // S10
func (c Client) Status(ctx context.Context, system string, environments []string, engines func(environment string) string) []Report {
	ctx, cancel := context.WithTimeout(ctx, c.deadline())
	defer cancel()
	var urls []string
	for _, env := range environments {
		if u := engines(env); u != "" && !slices.Contains(urls, u) {
			urls = append(urls, u)
		}
	}
	status, why := make([]*Status, len(urls)), make([]Why, len(urls))
	c.each(len(urls), func(client *http.Client, i int) {
		e, token, w := c.address(ctx, urls[i])
		if w == "" {
			status[i], w = c.status(ctx, client, e, token, system)
		}
		why[i] = w
	})
	out := make([]Report, len(environments))
	for i, env := range environments {
		r := Report{Environment: env, Engine: engines(env), Why: WhyNoEngine}
		if at := slices.Index(urls, r.Engine); at >= 0 {
			r.Why = why[at]
			if s := status[at]; s != nil {
				if r.State, r.Why = s.usable(env), WhyUnreadable; r.State != nil {
					r.Supervised, r.Why = true, ""
				}
			}
		}
		out[i] = r
	}
	return out
}

// each runs f for 0..n-1, at most 16 at once, over one transport, and leaves no connection behind.
func (c Client) each(n int, f func(client *http.Client, i int)) {
	transport := c.Transport
	if transport == nil {
		t := &http.Transport{Proxy: proxy, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: 64 << 10, TLSHandshakeTimeout: 10 * time.Second}
		defer t.CloseIdleConnections()
		transport = t
	}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	var wg sync.WaitGroup
	slots := make(chan struct{}, 16)
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			f(client, i)
		})
	}
	wg.Wait()
}

// proxy is the environment's, but never for plain http: a proxy would read the token.
func proxy(r *http.Request) (*url.URL, error) {
	if r.URL.Scheme != "https" {
		return nil, nil
	}
	return http.ProxyFromEnvironment(r)
}

// address takes an engine's URL apart and finds its token.
func (c Client) address(ctx context.Context, engine string) (systempolicy.EngineURL, string, Why) {
	if engine == "" {
		return systempolicy.EngineURL{}, "", WhyNoEngine
	}
	e, err := systempolicy.ParseEngineURL(engine)
	if err != nil {
		return e, "", WhyURL
	}
	token, err := c.Tokens.Token(ctx, e)
	if err != nil {
		return e, "", WhyNoToken
	}
	return e, token, ""
}

func (c Client) send(ctx context.Context, client *http.Client, sig Signal, engine string) Delivery {
	d := Delivery{Environment: sig.Environment, Engine: engine, ID: sig.ID}
	e, token, why := c.address(ctx, engine)
	if why != "" {
		d.Word, d.Why = NotSent, why
		return d
	}
	body, err := json.Marshal(sig)
	if err != nil {
		d.Word, d.Why = NotSent, WhyUnreadable
		return d
	}
	// The last third of the time is for asking the status.
	first := ctx
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		first, cancel = context.WithDeadline(ctx, end.Add(-time.Until(end)/3))
		defer cancel()
	}
	d.post(first, client, e.Signals(), token, body, sig)
	if d.Word == Confirmed || d.Why == WhyToken {
		return d
	}
	status, _ := c.status(ctx, client, e, token, sig.System)
	if status == nil {
		return d
	}
	state := status.usable(sig.Environment)
	d.Supervised, d.State = state != nil, state
	if state == nil || d.Why == WhyRefused {
		return d // a refusal stays one, whatever else is in force
	}
	if named := slices.ContainsFunc(state.Signals, func(n SignalNote) bool { return n.ID == sig.ID }); (named || sig.Kind == Resume && told(status.text, "environments", sig.Environment, "paused")) && obeys(*state, sig) {
		d.Word, d.Why = Confirmed, ""
	}
	return d
}

// post sends the signal and reads the answer.
func (d *Delivery) post(ctx context.Context, client *http.Client, address, token string, body []byte, sig Signal) {
	status, data, why := call(ctx, client, http.MethodPost, address, token, body)
	d.HTTP, d.Why = status, why
	if status == http.StatusConflict {
		var r Refusal
		if d.Why = WhyRefused; json.Unmarshal(data, &r) == nil {
			d.Loosens = known(r.Loosens)
		}
	}
	if d.Why != "" {
		return
	}
	var a Answer
	switch {
	case json.Unmarshal(data, &a) != nil:
		d.Why = WhyUnreadable
	case a.ID != sig.ID:
		d.Why = WhyOtherSignal
	case !a.Accepted:
		d.Why = WhyRefused
	case !obeys(a.InForce, sig), sig.Kind == Resume && !told(data, "inForce", "paused"):
		d.Why = WhyLooser
	default:
		d.Word, d.Supervised, d.State = Confirmed, true, &a.InForce
	}
}

// status reads an engine's status of a system; nil when it is not usable at all.
func (c Client) status(ctx context.Context, client *http.Client, e systempolicy.EngineURL, token, system string) (*Status, Why) {
	_, data, why := call(ctx, client, http.MethodGet, e.Status()+"?system="+url.QueryEscape(system), token, nil)
	if why != "" {
		return nil, why
	}
	var s Status
	if json.Unmarshal(data, &s) != nil || s.Version != 1 || s.System != system {
		return nil, WhyUnreadable
	}
	s.text = data
	return &s, ""
}

// told reports whether an answer has a value at a path: an engine that leaves out whether it is paused has not said that it is not.
func told(answer json.RawMessage, path ...string) bool {
	for _, key := range path {
		var object map[string]json.RawMessage
		if json.Unmarshal(answer, &object) != nil {
			return false
		}
		answer = object[key]
	}
	return len(answer) > 0 && string(answer) != "null"
}

// usable gives the state of an environment, if the status has one that can be read.
func (s *Status) usable(environment string) *State {
	state, ok := s.Environments[environment]
	if !ok {
		return nil
	}
	if _, err := systempolicy.ParseLevel(state.Effective); err != nil {
		return nil
	}
	return &state
}

// call makes one request. why is "" for an answer of 2xx that was read whole.
func call(ctx context.Context, client *http.Client, method, address, token string, body []byte) (status int, data []byte, why Why) {
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, WhyURL
	}
	if body == nil {
		req.Body, req.GetBody, req.ContentLength = http.NoBody, nil, 0
	} else {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "ambit")
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, reason(ctx, err)
	}
	defer resp.Body.Close()
	data, err = io.ReadAll(io.LimitReader(resp.Body, MaxStatus+1))
	code := resp.StatusCode
	switch {
	case err != nil:
		return code, nil, reason(ctx, err)
	case len(data) > MaxStatus, bytes.Contains(data, []byte(token)): // what repeats the token must not be shown
		return code, nil, WhyUnreadable
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return code, nil, WhyToken
	case code >= 300 && code < 400:
		return code, nil, WhyRedirect
	case code < 200 || code > 299:
		return code, data, WhyStatus
	}
	return code, data, ""
}

// reason puts a failed request into one of our words; what the other side said is in none of them.
func reason(ctx context.Context, err error) Why {
	var timeout interface{ Timeout() bool }
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case ctx.Err() != nil, errors.As(err, &timeout) && timeout.Timeout():
		return WhyTimeout
	case errors.As(err, &unknown), errors.As(err, &name), errors.As(err, &invalid):
		return WhyTLS
	}
	return WhyUnreachable
}

// known keeps the names that are keys, each once.
func known(names []string) (keys []string) {
	for _, n := range names {
		if _, err := systempolicy.ParseKey(n); (err == nil || n == "window") && !slices.Contains(keys, n) {
			keys = append(keys, n)
		}
	}
	return keys
}

func (c Client) deadline() time.Duration {
	if c.Deadline > 0 {
		return c.Deadline
	}
	return DefaultDeadline
}

// NewID gives a random UUID for a signal.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
