package engine

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Handler serves POST /v1/signals and GET /v1/status. Under an engine URL with a path, wrap it in http.StripPrefix.
// Serve it over TLS or on the loopback: the bearer token travels in every request.
type Handler struct {
	// Token is what every request must carry. An empty one refuses every request.
	Token string
	// Merged gives what was read from main of a system (R50), or ErrUnknownSystem. On another error a pause is accepted all the
	// same; everything else is refused. It ends when its context does: a pause waits for it for PauseWait only.
	Merged func(ctx context.Context, system string) (Merged, error)
	Store  Store            // shared by all replicas of the engine
	Now    func() time.Time // nil is time.Now
}

// PauseWait is how long a pause waits for Handler.Merged, which may be waiting for a forge that is down. // S14
const PauseWait = 2 * time.Second

// ErrUnknownSystem is what Handler.Merged gives for a system that the engine does not run.
var ErrUnknownSystem = errors.New("unknown system")

// statuses is the HTTP status of each refusal.
var statuses = map[string]int{
	RefusedToken: http.StatusUnauthorized, RefusedBody: http.StatusBadRequest, RefusedPolicy: http.StatusBadRequest,
	RefusedSize: http.StatusRequestEntityTooLarge, RefusedMethod: http.StatusMethodNotAllowed, RefusedUnknown: http.StatusNotFound,
	RefusedLoosens: http.StatusConflict, RefusedOlder: http.StatusConflict, RefusedEarly: http.StatusConflict, RefusedReused: http.StatusConflict,
	RefusedUnavailable: http.StatusServiceUnavailable,
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	switch {
	case !h.authorized(r):
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, &Refusal{Code: RefusedToken, Message: "the bearer token is missing or wrong"})
	case r.URL.Path == "/v1/signals" && r.Method == http.MethodPost:
		h.signal(w, r)
	case r.URL.Path == "/v1/status" && r.Method == http.MethodGet:
		h.status(w, r)
	case r.URL.Path == "/v1/signals":
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, &Refusal{Code: RefusedMethod, Message: "signals are posted"})
	case r.URL.Path == "/v1/status":
		w.Header().Set("Allow", http.MethodGet)
		refuse(w, &Refusal{Code: RefusedMethod, Message: "the status is read with GET"})
	default:
		refuse(w, &Refusal{Code: RefusedUnknown, Message: "no such path"})
	}
}

// authorized compares the bearer token in constant time. Their hashes are compared, so that the length does not show either.
func (h *Handler) authorized(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(h.Token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && h.Token != "" && strings.EqualFold(scheme, "Bearer") && len(r.Header.Values("Authorization")) == 1
}

func (h *Handler) signal(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		refuse(w, &Refusal{Code: RefusedSize, Message: "the signal is too large"})
		return
	case err != nil:
		refuse(w, &Refusal{Code: RefusedBody, Message: "the body broke off", Keys: []string{}})
		return
	}
	now := h.now()
	sig, refused := ReadSignal(body, now)
	if refused != nil {
		refuse(w, refused)
		return
	}
	reading := r.Context()
	if sig.Kind == Pause {
		var cancel context.CancelFunc
		reading, cancel = context.WithTimeout(reading, PauseWait)
		defer cancel()
	}
	merged, err := h.Merged(reading, sig.System)
	switch {
	case errors.Is(err, ErrUnknownSystem):
		refuse(w, &Refusal{ID: sig.ID, Code: RefusedUnknown, Message: "no such system"})
		return
	case err != nil:
		merged = Merged{}
	}
	// Once read, a signal is carried out even when its sender hangs up: a pause must not be lost to a short deadline.
	ctx := context.WithoutCancel(r.Context())
	var after Signals
	err = h.Store.ChangeSignals(ctx, sig.System, sig.Environment, func(s Signals) (Signals, error) {
		after, refused = merged.Accept(s, sig, now)
		if refused != nil {
			return s, errRefused
		}
		return after, nil
	})
	switch {
	case refused != nil:
		refuse(w, refused)
		return
	case err != nil:
		refuse(w, &Refusal{ID: sig.ID, Code: RefusedUnavailable, Message: "the store did not take the signal"})
		return
	}
	state, err := h.state(ctx, sig.System, sig.Environment, merged, after)
	if err != nil { // it is in force; only the day's counters cannot be told
		refuse(w, &Refusal{ID: sig.ID, Code: RefusedUnavailable, Message: "accepted, but the store does not tell what is in force"})
		return
	}
	reply(w, http.StatusOK, Answer{ID: sig.ID, Accepted: true, Commit: merged.Commit, InForce: state})
}

// errRefused keeps a refused signal from being written; the refusal itself goes to the sender.
var errRefused = errors.New("refused")

func (h *Handler) status(w http.ResponseWriter, r *http.Request) {
	system := r.URL.Query().Get("system")
	if system == "" {
		refuse(w, &Refusal{Code: RefusedBody, Message: "which system?", Keys: []string{"system"}})
		return
	}
	merged, err := h.Merged(r.Context(), system)
	switch {
	case errors.Is(err, ErrUnknownSystem):
		refuse(w, &Refusal{Code: RefusedUnknown, Message: "no such system"})
		return
	case err != nil:
		refuse(w, &Refusal{Code: RefusedUnavailable, Message: "what is merged cannot be read"})
		return
	}
	if err := Reconcile(r.Context(), h.Store, system, merged); err != nil {
		refuse(w, &Refusal{Code: RefusedUnavailable, Message: "the store cannot be read"})
		return
	}
	out := Status{Version: 1, System: system, Environments: map[string]State{}}
	for _, env := range slices.Collect(merged.System.Environments()) {
		s, err := h.Store.Signals(r.Context(), system, env)
		if err == nil {
			out.Environments[env], err = h.state(r.Context(), system, env, merged, s)
		}
		if err != nil {
			refuse(w, &Refusal{Code: RefusedUnavailable, Message: "the store cannot be read"})
			return
		}
	}
	reply(w, http.StatusOK, out)
}

// state tells what is in force as the wire has it.
func (h *Handler) state(ctx context.Context, system, env string, m Merged, s Signals) (State, error) {
	used, err := h.Store.Used(ctx, system, env, Day(h.now()))
	if err != nil {
		return State{}, err
	}
	f := m.InForce(env, s)
	policy := json.RawMessage("null")
	if m.System.Has(env) && f.Policy.Closed().Empty() { // else what is in force cannot be said by a policy
		if policy, err = json.Marshal(f.Policy); err != nil {
			return State{}, err
		}
	}
	return State{Commit: m.Commit, ReadAt: m.ReadAt.UTC(), Level: f.Level.String(), Effective: f.Effective.String(), Paused: f.Paused,
		Signals: f.Signals, Policy: policy, Today: used}, nil
}

// Reconcile drops the set signals that main has caught up with, in every environment. An engine calls it whenever it has read main;
// Handler does too. // S8
func Reconcile(ctx context.Context, store Store, system string, m Merged) error {
	for _, env := range slices.Collect(m.System.Environments()) {
		s, err := store.Signals(ctx, system, env)
		if err != nil {
			return err
		}
		if _, changed := m.Reconcile(env, s); !changed {
			continue
		}
		if err := store.ChangeSignals(ctx, system, env, func(s Signals) (Signals, error) {
			s, _ = m.Reconcile(env, s)
			return s, nil
		}); err != nil {
			return err
		}
	}
	return nil
}

func (h *Handler) now() time.Time {
	if h.Now != nil {
		return h.Now()
	}
	return time.Now()
}

func refuse(w http.ResponseWriter, r *Refusal) { reply(w, statuses[r.Code], r) }

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(body) // the connection is all that can fail
}
