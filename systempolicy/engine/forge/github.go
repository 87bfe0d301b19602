package forge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// GitHub speaks GitHub's REST API. It follows no redirect: the token goes to API and nowhere else.
type GitHub struct {
	API       string            // as https://api.github.com or https://github.example.com/api/v3
	Token     string            // "" asks without one
	Transport http.RoundTripper // nil is http.DefaultTransport
}

var _ Forge = GitHub{}

const (
	maxAnswer = 4 << 20
	maxPages  = 20 // of 100 checks
)

// Error is an answer of the forge that is no success.
type Error struct {
	Status  int    // the HTTP status
	Message string // the forge's words, shortened
}

// Error gives the status and the forge's words.
func (e *Error) Error() string { return fmt.Sprintf("the forge answered %d: %s", e.Status, e.Message) }

// Open opens a pull request, or gives the one that is open for the same branches.
func (g GitHub) Open(ctx context.Context, repo Repo, n New) (Pull, error) {
	var p wirePull
	err := g.call(ctx, "POST", "/repos/"+repo.String()+"/pulls", map[string]any{"title": n.Title, "body": n.Body, "head": n.Head, "base": n.Base, "maintainer_can_modify": true}, &p)
	var said *Error
	if errors.As(err, &said) && said.Status == http.StatusUnprocessableEntity {
		query := url.Values{"state": {"open"}, "head": {repo.Owner + ":" + n.Head}, "base": {n.Base}}
		var there []wirePull
		if g.call(ctx, "GET", "/repos/"+repo.String()+"/pulls?"+query.Encode(), nil, &there) == nil && len(there) == 1 {
			return there[0].pull(), nil
		}
	}
	if err != nil {
		return Pull{}, err
	}
	return p.pull(), nil
}

// Pull reads a pull request.
func (g GitHub) Pull(ctx context.Context, repo Repo, number int) (Pull, error) {
	var p wirePull
	if err := g.call(ctx, "GET", "/repos/"+repo.String()+"/pulls/"+strconv.Itoa(number), nil, &p); err != nil {
		return Pull{}, err
	}
	return p.pull(), nil
}

// Checks gives the check runs and the commit statuses of a commit.
func (g GitHub) Checks(ctx context.Context, repo Repo, sha string) ([]Check, error) {
	var checks []Check
	base := "/repos/" + repo.String() + "/commits/" + url.PathEscape(sha)
	for page := 1; ; page++ {
		var runs struct {
			Total int                                         `json:"total_count"`
			Runs  []struct{ Name, Status, Conclusion string } `json:"check_runs"`
		}
		if err := g.call(ctx, "GET", base+"/check-runs?per_page=100&page="+strconv.Itoa(page), nil, &runs); err != nil {
			return nil, err
		}
		for _, r := range runs.Runs {
			passed := r.Conclusion == "success" || r.Conclusion == "neutral" || r.Conclusion == "skipped"
			said := r.Conclusion
			if r.Status != "completed" {
				said = r.Status
			}
			checks = append(checks, Check{Name: r.Name, Done: r.Status == "completed", Passed: r.Status == "completed" && passed, Said: said})
		}
		if len(checks) >= runs.Total {
			break
		}
		if len(runs.Runs) == 0 || page == maxPages {
			return nil, fmt.Errorf("the forge has %d checks and showed %d", runs.Total, len(checks))
		}
	}
	seen := len(checks)
	for page := 1; ; page++ {
		var status struct {
			Total    int `json:"total_count"`
			Statuses []struct{ Context, State string }
		}
		if err := g.call(ctx, "GET", base+"/status?per_page=100&page="+strconv.Itoa(page), nil, &status); err != nil {
			return nil, err
		}
		for _, s := range status.Statuses {
			checks = append(checks, Check{Name: s.Context, Done: s.State != "pending", Passed: s.State == "success", Said: s.State})
		}
		if len(checks)-seen >= status.Total {
			return checks, nil
		}
		if len(status.Statuses) == 0 || page == maxPages {
			return nil, fmt.Errorf("the forge has %d statuses and showed %d", status.Total, len(checks)-seen)
		}
	}
}

// Approve approves the pull request at that commit.
func (g GitHub) Approve(ctx context.Context, repo Repo, number int, sha string) error {
	return g.call(ctx, "POST", "/repos/"+repo.String()+"/pulls/"+strconv.Itoa(number)+"/reviews", map[string]any{"commit_id": sha, "event": "APPROVE"}, nil)
}

// Merge merges the pull request if its head is that commit.
func (g GitHub) Merge(ctx context.Context, repo Repo, number int, sha string) (string, error) {
	var m struct {
		SHA    string
		Merged bool
	}
	err := g.call(ctx, "PUT", "/repos/"+repo.String()+"/pulls/"+strconv.Itoa(number)+"/merge", map[string]any{"sha": sha}, &m)
	var said *Error
	switch {
	case errors.As(err, &said) && (said.Status == http.StatusConflict || said.Status == http.StatusMethodNotAllowed):
		return "", fmt.Errorf("%w: %s", ErrMoved, said.Message)
	case err != nil:
		return "", err
	case !m.Merged:
		return "", fmt.Errorf("the forge did not say that it merged")
	}
	return m.SHA, nil
}

type wirePull struct {
	Number int
	URL    string `json:"html_url"`
	State  string
	Draft  bool
	Merged bool
	Head   struct{ SHA string }
	Base   struct{ Ref string }
	Commit string `json:"merge_commit_sha"`
}

func (p wirePull) pull() Pull {
	out := Pull{Number: p.Number, URL: p.URL, State: p.State, Draft: p.Draft, Merged: p.Merged, Head: p.Head.SHA, Base: p.Base.Ref}
	if p.Merged {
		out.Commit = p.Commit
	}
	return out
}

// call makes one request and reads its JSON answer.
func (g GitHub) call(ctx context.Context, method, path string, body, into any) error {
	var reader io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		reader = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(g.API, "/")+path, reader)
	if err != nil {
		return errors.New("the forge's address cannot be read")
	}
	req.Header.Set("Accept", "application/vnd.github+json")
	req.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	req.Header.Set("User-Agent", "ambit")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if g.Token != "" {
		req.Header.Set("Authorization", "Bearer "+g.Token)
	}
	client := http.Client{Transport: g.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("the forge did not answer: %s", g.hide(reason(ctx, err)))
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return fmt.Errorf("the forge's answer broke off: %s", g.hide(reason(ctx, err)))
	case len(data) > maxAnswer:
		return fmt.Errorf("the forge's answer is larger than %d bytes", maxAnswer)
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		var said struct {
			Message string
			Errors  []struct{ Message string }
		}
		_ = json.Unmarshal(data, &said)
		for _, e := range said.Errors {
			if e.Message != "" {
				said.Message += "; " + e.Message
			}
		}
		if said.Message == "" {
			said.Message = http.StatusText(resp.StatusCode)
		}
		return &Error{Status: resp.StatusCode, Message: g.hide(said.Message)}
	case into == nil:
		return nil
	}
	if err := json.Unmarshal(data, into); err != nil {
		return errors.New("the forge's answer cannot be read")
	}
	return nil
}

// hide keeps the token out of what is said, and what is said short.
func (g GitHub) hide(text string) string {
	if g.Token != "" {
		text = strings.ReplaceAll(text, g.Token, "[token]")
	}
	if len(text) > 300 {
		text = text[:300] + "..."
	}
	return strings.ToValidUTF8(text, "?")
}

// reason is the error without the address.
func reason(ctx context.Context, err error) string {
	var u *url.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err().Error()
	case errors.As(err, &u):
		return u.Err.Error()
	}
	return err.Error()
}
