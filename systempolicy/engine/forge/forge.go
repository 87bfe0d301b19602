// Package forge answers: how does a change reach the main branch of a repository? It writes the commit with git, without
// touching the work tree, and opens, reads, approves and merges pull requests over the forge's REST API.
package forge

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Forge is what is asked of the place where pull requests live. [GitHub] is one.
type Forge interface {
	// Open opens a pull request. One that is open for the same head branch already is the same pull request.
	Open(ctx context.Context, repo Repo, n New) (Pull, error)
	// Pull reads a pull request.
	Pull(ctx context.Context, repo Repo, number int) (Pull, error)
	// Checks gives everything that was run on a commit.
	Checks(ctx context.Context, repo Repo, sha string) ([]Check, error)
	// Approve approves a pull request as it stands at a commit.
	Approve(ctx context.Context, repo Repo, number int, sha string) error
	// Merge merges it if its head is still that commit, and gives the commit on main. ErrMoved when it is not.
	Merge(ctx context.Context, repo Repo, number int, sha string) (merged string, err error)
}

// ErrMoved means that a pull request's head is no longer the commit that was judged, or that it cannot be merged as it stands.
var ErrMoved = errors.New("the pull request has moved on or cannot be merged")

// ErrExists means that the branch is on the remote already, with other work.
var ErrExists = errors.New("the branch exists already")

// Repo names a repository.
type Repo struct {
	Owner string // a person or an organisation
	Name  string // without .git
}

// String gives OWNER/NAME.
func (r Repo) String() string { return r.Owner + "/" + r.Name }

var repoPattern = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,100}$`)

// ParseRepo reads OWNER/NAME.
func ParseRepo(text string) (Repo, error) {
	owner, name, ok := strings.Cut(text, "/")
	if !ok || !repoPattern.MatchString(owner) || !repoPattern.MatchString(name) || strings.Trim(owner, ".") == "" || strings.Trim(name, ".") == "" {
		return Repo{}, fmt.Errorf("%q is not OWNER/REPO", text)
	}
	return Repo{owner, name}, nil
}

// ParsePull reads OWNER/NAME#NUMBER.
func ParsePull(text string) (Repo, int, error) {
	repo, number, _ := strings.Cut(text, "#")
	r, err := ParseRepo(repo)
	n, err2 := strconv.Atoi(number)
	if err != nil || err2 != nil || n <= 0 || strconv.Itoa(n) != number {
		return Repo{}, 0, fmt.Errorf("%q is not OWNER/REPO#N", text)
	}
	return r, n, nil
}

// RepoOf finds host and repository in a remote's URL: https, ssh, the scp form, or a path, of which the last two parts count.
// host is "" for a path.
func RepoOf(remote string) (host string, r Repo, err error) {
	path := remote
	switch scheme, rest, ok := strings.Cut(remote, "://"); {
	case ok && scheme == "file":
		path = rest
	case ok:
		host, path, _ = strings.Cut(rest, "/")
	case !strings.HasPrefix(remote, "/") && !strings.HasPrefix(remote, "."):
		if at, after, ok := strings.Cut(remote, ":"); ok && !strings.Contains(at, "/") && len(at) > 1 {
			host, path = at, after
		}
	}
	if _, after, ok := strings.Cut(host, "@"); ok {
		host = after
	}
	host, _, _ = strings.Cut(host, ":")
	parts := strings.Split(strings.Trim(strings.ReplaceAll(path, `\`, "/"), "/"), "/")
	if len(parts) < 2 {
		return "", Repo{}, fmt.Errorf("no OWNER/REPO in the remote's address")
	}
	r, err = ParseRepo(parts[len(parts)-2] + "/" + strings.TrimSuffix(parts[len(parts)-1], ".git"))
	return strings.ToLower(host), r, err
}

// New is a pull request to be opened.
type New struct {
	Title, Body string // for people
	Head, Base  string // branches
}

// Pull is a pull request.
type Pull struct {
	Number int    // within its repository
	URL    string // where a person looks at it
	State  string // open or closed
	Draft  bool   // not ready to be merged
	Merged bool   // it is in main
	Head   string // the head commit
	Base   string // the branch that it goes to
	Commit string // the merge's commit, once merged
}

// Check is one thing that was run on a commit.
type Check struct {
	Name   string // as the forge lists it
	Done   bool   // it has a result
	Passed bool   // success, neutral or skipped
	Said   string // the forge's word for the result
}
