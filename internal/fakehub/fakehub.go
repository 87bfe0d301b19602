// Package fakehub is a local HTTP server that follows the part of GitHub's REST API that pull requests need, for tests.
package fakehub

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Server is the fake. Its fields may be set before or between requests, under Lock.
type Server struct {
	sync.Mutex
	URL   string
	Token string // what the Authorization header must carry
	// Fail answers a request with that status: "POST /repos/o/r/pulls" -> 500. 0 breaks the connection off.
	Fail map[string]int
	// Head gives the commit of a branch, "" when there is none.
	Head     func(branch string) string
	Pulls    []*Pull
	Checks   []Check
	Statuses []Check
	Requests []string // method and path, in order
	Approved []string // "number sha"
	Wrong    int      // requests without the token
}

// Pull is one pull request.
type Pull struct {
	Number                    int
	Title, Body, Branch, Base string
	State                     string
	Draft, Merged             bool
	SHA                       string
}

// Check is a check run (State is its status, Conclusion its conclusion) or a commit status (State).
type Check struct{ Name, State, Conclusion string }

var (
	pullsPath  = regexp.MustCompile(`^/repos/([^/]+)/([^/]+)/pulls$`)
	pullPath   = regexp.MustCompile(`^/repos/[^/]+/[^/]+/pulls/(\d+)(/reviews|/merge)?$`)
	commitPath = regexp.MustCompile(`^/repos/[^/]+/[^/]+/commits/([^/]+)/(check-runs|status)$`)
)

// New starts a server that ends with the test.
func New(t testing.TB) *Server {
	s := &Server{Token: "forge-token", Fail: map[string]int{}}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	line := r.Method + " " + r.URL.Path
	s.Requests = append(s.Requests, line)
	if status, fails := s.Fail[line]; fails {
		if status == 0 {
			panic(http.ErrAbortHandler)
		}
		if status/100 == 3 {
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
		}
		answer(w, status, map[string]any{"message": "told to fail, and your header was " + r.Header.Get("Authorization")})
		return
	}
	if r.Header.Get("Authorization") != "Bearer "+s.Token {
		s.Wrong++
		answer(w, 401, map[string]any{"message": "Bad credentials"})
		return
	}
	switch {
	case pullsPath.MatchString(r.URL.Path) && r.Method == "POST":
		s.open(w, r)
	case pullsPath.MatchString(r.URL.Path) && r.Method == "GET":
		list := []any{}
		owner := pullsPath.FindStringSubmatch(r.URL.Path)[1]
		for _, p := range s.Pulls {
			if p.State == r.FormValue("state") && owner+":"+p.Branch == r.FormValue("head") && p.Base == r.FormValue("base") {
				list = append(list, s.wire(p))
			}
		}
		answer(w, 200, list)
	case pullPath.MatchString(r.URL.Path):
		s.pull(w, r)
	case commitPath.MatchString(r.URL.Path) && r.Method == "GET":
		s.commit(w, r)
	default:
		answer(w, 404, map[string]any{"message": "Not Found"})
	}
}

func (s *Server) open(w http.ResponseWriter, r *http.Request) {
	var in struct{ Title, Body, Head, Base string }
	if json.NewDecoder(r.Body).Decode(&in) != nil || in.Title == "" || in.Head == "" || in.Base == "" {
		answer(w, 422, map[string]any{"message": "Validation Failed"})
		return
	}
	sha := "0000000000000000000000000000000000000000"
	if s.Head != nil {
		if sha = s.Head(in.Head); sha == "" {
			answer(w, 422, map[string]any{"message": "Validation Failed", "errors": []any{map[string]any{"field": "head", "code": "invalid"}}})
			return
		}
	}
	for _, p := range s.Pulls {
		if p.Branch == in.Head && p.State == "open" {
			answer(w, 422, map[string]any{"message": "Validation Failed", "errors": []any{map[string]any{"message": "A pull request already exists for " + in.Head + "."}}})
			return
		}
	}
	p := &Pull{Number: len(s.Pulls) + 1, Title: in.Title, Body: in.Body, Branch: in.Head, Base: in.Base, State: "open", SHA: sha}
	s.Pulls = append(s.Pulls, p)
	answer(w, 201, s.wire(p))
}

func (s *Server) pull(w http.ResponseWriter, r *http.Request) {
	m := pullPath.FindStringSubmatch(r.URL.Path)
	n, _ := strconv.Atoi(m[1])
	if n < 1 || n > len(s.Pulls) {
		answer(w, 404, map[string]any{"message": "Not Found"})
		return
	}
	p := s.Pulls[n-1]
	switch r.Method + m[2] {
	case "GET":
		answer(w, 200, s.wire(p))
	case "POST/reviews":
		var in struct {
			Commit string `json:"commit_id"`
			Event  string
		}
		if json.NewDecoder(r.Body).Decode(&in) != nil || in.Event != "APPROVE" {
			answer(w, 422, map[string]any{"message": "Validation Failed"})
			return
		}
		s.Approved = append(s.Approved, fmt.Sprint(n, " ", in.Commit))
		answer(w, 200, map[string]any{"state": "APPROVED"})
	case "PUT/merge":
		var in struct{ SHA string }
		_ = json.NewDecoder(r.Body).Decode(&in)
		switch {
		case p.Merged || p.State != "open":
			answer(w, 405, map[string]any{"message": "Pull Request is not mergeable"})
		case in.SHA != p.SHA:
			answer(w, 409, map[string]any{"message": "Head branch was modified. Review and try the merge again."})
		default:
			p.Merged, p.State = true, "closed"
			answer(w, 200, map[string]any{"sha": "merged-" + p.SHA, "merged": true, "message": "Pull Request successfully merged"})
		}
	default:
		answer(w, 404, map[string]any{"message": "Not Found"})
	}
}

// commit pages as GitHub does.
func (s *Server) commit(w http.ResponseWriter, r *http.Request) {
	per, _ := strconv.Atoi(r.FormValue("per_page"))
	page, _ := strconv.Atoi(r.FormValue("page"))
	if per < 1 || per > 100 {
		per = 30
	}
	if page < 1 {
		page = 1
	}
	list, key := s.Checks, "check_runs"
	if strings.HasSuffix(r.URL.Path, "/status") {
		list, key = s.Statuses, "statuses"
	}
	total := len(list)
	list = list[min(total, (page-1)*per):min(total, page*per)]
	out := []any{}
	for _, c := range list {
		if key == "statuses" {
			out = append(out, map[string]any{"context": c.Name, "state": c.State})
		} else {
			var conclusion any
			if c.Conclusion != "" {
				conclusion = c.Conclusion
			}
			out = append(out, map[string]any{"name": c.Name, "status": c.State, "conclusion": conclusion})
		}
	}
	answer(w, 200, map[string]any{"total_count": total, key: out})
}

func (s *Server) wire(p *Pull) any {
	return map[string]any{"number": p.Number, "html_url": fmt.Sprintf("%s/pull/%d", s.URL, p.Number), "state": p.State, "draft": p.Draft, "merged": p.Merged,
		"head": map[string]any{"sha": p.SHA, "ref": p.Branch}, "base": map[string]any{"ref": p.Base}, "merge_commit_sha": "merged-" + p.SHA}
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
