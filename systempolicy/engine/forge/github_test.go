package forge_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/internal/fakehub"
	"example.com/ambit/systempolicy/engine/forge"
)

var shop = forge.Repo{Owner: "acme", Name: "shop"}

func hub(t *testing.T) (*fakehub.Server, forge.GitHub) {
	s := fakehub.New(t)
	return s, forge.GitHub{API: s.URL + "/", Token: s.Token}
}

func TestOpenOnce(t *testing.T) {
	s, g := hub(t)
	n := forge.New{Title: "pause", Body: "b", Head: "ambit/pause", Base: "main"}
	p, err := g.Open(t.Context(), shop, n)
	if err != nil {
		t.Fatal(err)
	}
	want := forge.Pull{Number: 1, URL: s.URL + "/pull/1", State: "open", Head: strings.Repeat("0", 40), Base: "main"}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
	again, err := g.Open(t.Context(), shop, n)
	if diff := cmp.Diff(want, again); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if len(s.Pulls) != 1 {
		t.Errorf("%d pull requests", len(s.Pulls))
	}
	s.Head = func(string) string { return "" }
	if _, err := g.Open(t.Context(), shop, forge.New{Title: "x", Head: "none", Base: "main"}); err == nil {
		t.Error("a pull request of a branch that is not there")
	}
}

func TestForgeFaults(t *testing.T) {
	for _, status := range []int{0, 301, 307, 401, 403, 404, 429, 500, 503} {
		s, g := hub(t)
		s.Fail["POST /repos/acme/shop/pulls"] = status
		_, err := g.Open(t.Context(), shop, forge.New{Title: "x", Head: "h", Base: "main"})
		if err == nil {
			t.Errorf("%d: no error", status)
			continue
		}
		if strings.Contains(err.Error(), s.Token) {
			t.Errorf("%d: the token is in %q", status, err)
		}
		var said *forge.Error
		if status != 0 && (!errors.As(err, &said) || said.Status != status) {
			t.Errorf("%d: %v", status, err)
		}
	}
	long := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(500)
		_, _ = fmt.Fprintf(w, `{"message":%q,"errors":[{"message":"second"}]}`, strings.Repeat("x", 400))
	}))
	defer long.Close()
	if _, err := (forge.GitHub{API: long.URL}).Merge(t.Context(), shop, 1, "a"); err == nil || len(err.Error()) > 400 {
		t.Errorf("long: %v", err)
	}
	silent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(`{"total_count": 1}`)) }))
	defer silent.Close()
	if _, err := (forge.GitHub{API: silent.URL}).Merge(t.Context(), shop, 1, "a"); err == nil {
		t.Error("merged without saying so")
	}
	if _, err := (forge.GitHub{API: silent.URL}).Checks(t.Context(), shop, "a"); err == nil || !strings.Contains(err.Error(), "has 1 checks and showed 0") {
		t.Errorf("a check that is not shown: %v", err)
	}
	for name, body := range map[string]string{"garbage": "<html>", "wrong type": `{"number":"one"}`, "huge": strings.Repeat("x", 5<<20), "empty": ""} {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(body)) }))
		g := forge.GitHub{API: h.URL, Token: "forge-token"}
		if _, err := g.Pull(t.Context(), shop, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
		h.Close()
		if _, err := g.Pull(t.Context(), shop, 1); err == nil {
			t.Errorf("%s: a closed server answered", name)
		}
	}
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer slow.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := (forge.GitHub{API: slow.URL}).Pull(ctx, shop, 1); err == nil || !strings.Contains(err.Error(), "deadline") {
		t.Errorf("slow: %v", err)
	}
	if _, err := (forge.GitHub{API: "http://a b"}).Pull(t.Context(), shop, 1); err == nil {
		t.Error("a broken address was asked")
	}
}

func TestApprove(t *testing.T) {
	ok := fakehub.Check{Name: "ci", State: "completed", Conclusion: "success"}
	sha := strings.Repeat("a", 40)
	for _, c := range []struct {
		name     string
		change   func(*fakehub.Server)
		why      string // "" is merged; "error" is another error
		approved int
	}{
		{"all passed", func(s *fakehub.Server) {
			s.Checks = []fakehub.Check{ok, {Name: "lint", State: "completed", Conclusion: "skipped"}, {Name: "x", State: "completed", Conclusion: "neutral"}}
			s.Statuses = []fakehub.Check{{Name: "ext", State: "success"}}
		}, "", 1},
		{"status only", func(s *fakehub.Server) { s.Checks = nil; s.Statuses = []fakehub.Check{{Name: "ext", State: "success"}} }, "", 1},
		{"one failed", func(s *fakehub.Server) {
			s.Checks = append(s.Checks, fakehub.Check{Name: "t", State: "completed", Conclusion: "failure"})
		}, "failed", 0},
		{"one was cancelled", func(s *fakehub.Server) {
			s.Checks = append(s.Checks, fakehub.Check{Name: "t", State: "completed", Conclusion: "cancelled"})
		}, "failed", 0},
		{"the 150th failed", func(s *fakehub.Server) {
			for i := range 149 {
				s.Checks = append(s.Checks, fakehub.Check{Name: fmt.Sprint(i), State: "completed", Conclusion: "success"})
			}
			s.Checks[149].Conclusion = "failure"
		}, "failed", 0},
		{"a status failed", func(s *fakehub.Server) { s.Statuses = []fakehub.Check{{Name: "ext", State: "error"}} }, "failed", 0},
		{"one runs", func(s *fakehub.Server) { s.Checks = append(s.Checks, fakehub.Check{Name: "t", State: "in_progress"}) }, "pending", 0},
		{"a status is pending", func(s *fakehub.Server) { s.Statuses = []fakehub.Check{{Name: "ext", State: "pending"}} }, "pending", 0},
		{"none", func(s *fakehub.Server) { s.Checks = nil }, "no-checks", 0},
		{"draft", func(s *fakehub.Server) { s.Pulls[0].Draft = true }, "draft", 0},
		{"closed", func(s *fakehub.Server) { s.Pulls[0].State = "closed" }, "closed", 0},
		{"merged", func(s *fakehub.Server) { s.Pulls[0].State, s.Pulls[0].Merged = "closed", true }, "merged", 0},
		{"not there", func(s *fakehub.Server) { s.Pulls = nil }, "error", 0},
		{"no head", func(s *fakehub.Server) { s.Pulls[0].SHA = "" }, "error", 0},
		{"checks unreadable", func(s *fakehub.Server) { s.Fail["GET /repos/acme/shop/commits/"+sha+"/check-runs"] = 500 }, "error", 0},
		{"statuses unreadable", func(s *fakehub.Server) { s.Fail["GET /repos/acme/shop/commits/"+sha+"/status"] = 500 }, "error", 0},
		{"review refused", func(s *fakehub.Server) { s.Fail["POST /repos/acme/shop/pulls/1/reviews"] = 422 }, "error", 0},
		{"merge down", func(s *fakehub.Server) { s.Fail["PUT /repos/acme/shop/pulls/1/merge"] = 502 }, "error", 1},
		{"conflict", func(s *fakehub.Server) { s.Fail["PUT /repos/acme/shop/pulls/1/merge"] = 409 }, "moved", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, g := hub(t)
			s.Pulls = []*fakehub.Pull{{Number: 1, Branch: "fix", Base: "main", State: "open", SHA: sha}}
			s.Checks = []fakehub.Check{ok}
			c.change(s)
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			p, err := forge.Approve(ctx, g, shop, 1, 10*time.Millisecond)
			var not *forge.Unready
			switch {
			case c.why == "":
				if err != nil || !p.Merged || p.Commit != "merged-"+sha || !s.Pulls[0].Merged {
					t.Errorf("%+v, %v", p, err)
				}
			case c.why == "error":
				if err == nil || errors.As(err, &not) {
					t.Errorf("error %v", err)
				}
			case !errors.As(err, &not) || not.Why != c.why || not.Error() != err.Error():
				t.Errorf("error %v, want %s", err, c.why)
			}
			if c.why != "" && c.why != "merged" && len(s.Pulls) > 0 && s.Pulls[0].Merged {
				t.Error("it was merged")
			}
			if len(s.Approved) != c.approved {
				t.Errorf("approved %v", s.Approved)
			}
		})
	}
}

// TestApproveWaits merges once the last check has passed, and only the head that the checks ran on.
func TestApproveWaits(t *testing.T) {
	for _, moved := range []bool{false, true} {
		s, g := hub(t)
		s.Pulls = []*fakehub.Pull{{Number: 1, Branch: "fix", Base: "main", State: "open", SHA: "one"}}
		s.Checks = []fakehub.Check{{Name: "ci", State: "queued"}}
		go func() {
			time.Sleep(30 * time.Millisecond)
			s.Lock()
			defer s.Unlock()
			s.Checks[0] = fakehub.Check{Name: "ci", State: "completed", Conclusion: "success"}
			if moved {
				s.Pulls[0].SHA = "two"
			}
		}()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		p, err := forge.Approve(ctx, g, shop, 1, 5*time.Millisecond)
		cancel()
		var not *forge.Unready
		switch {
		case !moved && (err != nil || !p.Merged):
			t.Errorf("not merged: %v", err)
		case moved && (!errors.As(err, &not) || not.Why != "moved" || s.Pulls[0].Merged):
			t.Errorf("the head moved: %v", err)
		}
	}
}
