package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/ambit/internal/oneline"
	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine/forge"
)

// repo is the clone that the system's file lies in, with what is known of its main branch.
type repo struct {
	git            forge.Git
	top            string
	remote, branch string
	file           string // the system's file below top, with slashes
	commit         string // of main as last seen here; "" when there is none
}

// repository finds the clone. nothing is asked of the network.
func (c *call) repository(ctx context.Context, path string) (*repo, error) {
	program, err := c.lookPath("git")
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(path)
	if err == nil {
		abs, err = filepath.EvalSymlinks(filepath.Dir(abs))
	}
	if err != nil {
		return nil, err
	}
	r := &repo{git: forge.Git{Dir: abs, Program: program, Env: c.environ()}, remote: "origin", branch: "main"}
	if v, ok := c.flag("remote"); ok {
		r.remote = v
	}
	if v, ok := c.flag("base"); ok {
		r.branch = v
	}
	if strings.HasPrefix(r.remote, "-") || strings.HasPrefix(r.branch, "-") || strings.ContainsAny(r.remote+r.branch, ": \t\n*?[\\^~") {
		return nil, errors.New("--remote or --base is no name")
	}
	if r.top, err = r.git.Top(ctx); err != nil {
		return nil, err
	}
	if r.top, err = filepath.EvalSymlinks(filepath.FromSlash(r.top)); err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(r.top, filepath.Join(abs, filepath.Base(path)))
	if err != nil || !filepath.IsLocal(rel) {
		return nil, fmt.Errorf("%s does not lie in the repository %s", path, r.top)
	}
	r.git.Dir, r.file = r.top, filepath.ToSlash(rel)
	for _, revision := range []string{"refs/remotes/" + r.remote + "/" + r.branch, "HEAD"} {
		if r.commit, err = r.git.Resolve(ctx, revision); err != nil || r.commit != "" {
			return r, err
		}
	}
	return r, nil
}

// read gives a file of main as last seen here; nil when there is none.
func (r *repo) read(ctx context.Context, path string) []byte {
	if r == nil || r.commit == "" {
		return nil
	}
	data, _, err := r.git.Read(ctx, r.commit, path)
	if err != nil {
		return nil
	}
	return data
}

// beside gives the path of a file that lies beside the system's.
func (r *repo) beside(parts ...string) string {
	dir, _ := filepath.Split(filepath.FromSlash(r.file))
	return filepath.ToSlash(filepath.Join(append([]string{dir}, parts...)...))
}

// mergedSystem is what is merged, as well as it can be told here: the system's file of main, else its autonomy.json, else the file
// itself. name is the system's.
type mergedSystem struct {
	sys     *systempolicy.System
	data    []byte // of main's file; nil when main has none
	commit  string
	name    string
	engines map[string]string
}

func (c *call) merged(ctx context.Context, r *repo, path string, working []byte) mergedSystem {
	var m mergedSystem
	if r != nil {
		m.commit = r.commit
		m.data = r.read(ctx, r.file)
	}
	source := m.data
	if source == nil {
		source = working
	}
	m.sys, _ = systempolicy.Parse(path, source)
	m.name = cmp.Or(m.sys.Name(), systempolicy.NameOf(source), systempolicy.NameOf(working))
	m.engines = enginesOf(m.sys)
	if m.sys.Valid() && m.sys.Declared() {
		return m
	}
	rendered, name := c.lastRendered(ctx, r, path, m.name)
	m.name = cmp.Or(m.name, name)
	if len(rendered) > 0 { // what the engines read, where the file that it came from is silent
		sys, _ := systempolicy.LoadRendered("autonomy.json", rendered)
		for env, u := range enginesOf(sys) {
			if m.engines[env] == "" {
				m.engines[env] = u
			}
		}
	}
	return m
}

// lastRendered finds the last autonomy.json, of main or beside the file, and the system's name by its folder.
func (c *call) lastRendered(ctx context.Context, r *repo, path, name string) ([]byte, string) {
	names := []string{name}
	folder := filepath.Join(filepath.Dir(path), "applications")
	if name == "" {
		entries, _ := os.ReadDir(folder)
		names = nil
		for _, e := range entries {
			names = append(names, e.Name())
		}
	}
	var data []byte
	found := ""
	for _, n := range names {
		if n == "" || !filepath.IsLocal(n) {
			continue
		}
		text := r.besideOf(ctx, "applications", n, "autonomy.json")
		if text == nil {
			text, _ = c.readInput(filepath.Join(folder, n, "autonomy.json"), "", systempolicy.MaxRenderedBytes)
		}
		if text != nil && found != "" {
			return nil, "" // two systems: which one is meant cannot be told
		}
		if text != nil {
			data, found = text, n
		}
	}
	return data, found
}

func (r *repo) besideOf(ctx context.Context, parts ...string) []byte {
	if r == nil {
		return nil
	}
	return r.read(ctx, r.beside(parts...))
}

// proposal is a pull request to be made.
type proposal struct {
	branch, title, body, message string
	files                        func(ctx context.Context, r *repo, base string) (map[string][]byte, error) // nil: nothing to change on main
}

// opened is what became of a proposal; each step that was reached is filled in.
type opened struct {
	Branch string `json:"branch"`
	Commit string `json:"commit"`
	Pushed bool   `json:"pushed"`
	Number int    `json:"number"`
	URL    string `json:"url"`

	repo forge.Repo
	none bool // main has it already
}

// name gives OWNER/REPO#N.
func (o opened) name() string { return fmt.Sprintf("%s#%d", o.repo, o.Number) }

// stepError is an error of one step of a pull request.
type stepError struct {
	step string // fetch, commit, push, pull-request
	error
}

func (s stepError) Unwrap() error { return s.error }

// propose fetches main, writes the commit on top of it, pushes it as a new branch and opens the pull request.
func (c *call) propose(ctx context.Context, r *repo, p proposal, deadline time.Duration) (out opened, err error) {
	step := func(name string, err error) error { return stepError{name, err} }
	ctx, cancel := context.WithTimeout(ctx, 3*deadline) // git twice, the forge once
	defer cancel()
	out.Branch = p.branch
	address, err := r.git.Remote(ctx, r.remote)
	if err != nil {
		return out, step("fetch", err)
	}
	host, name, err := forge.RepoOf(address)
	if err != nil {
		return out, step("fetch", err)
	}
	out.repo = name
	base, err := r.git.Fetch(ctx, r.remote, r.branch)
	if err != nil {
		return out, step("fetch", err)
	}
	files, err := p.files(ctx, r, base)
	if err != nil {
		return out, step("commit", err)
	}
	if files == nil {
		out.none = true
		return out, nil
	}
	if out.Commit, err = r.git.Commit(ctx, base, files, p.message); err != nil {
		return out, step("commit", err)
	}
	if err = r.git.Push(ctx, r.remote, out.Commit, p.branch); err != nil {
		return out, step("push", err)
	}
	out.Pushed = true
	client, err := c.forgeClient(host)
	if err != nil {
		return out, step("pull-request", err)
	}
	pull, err := client.Open(ctx, name, forge.New{Title: p.title, Body: p.body, Head: p.branch, Base: r.branch})
	if err != nil {
		return out, step("pull-request", err)
	}
	out.Number, out.URL = pull.Number, pull.URL
	return out, nil
}

// reportProposal says what became of a pull request, exactly as far as it came.
func (c *call) reportProposal(o opened, err error) {
	var s stepError
	if !errors.As(err, &s) {
		return
	}
	what := map[string]string{
		"fetch": "the pull request was not opened: main could not be fetched", "commit": "the pull request was not opened: its commit could not be made",
		"push":         "the pull request was not opened: the branch " + o.Branch + " could not be pushed",
		"pull-request": "the pull request was not opened, though its branch " + o.Branch + " is pushed",
	}[s.step]
	failure := fmt.Errorf("%s: %w", what, s.error)
	if s.step == "pull-request" {
		c.fail(s.step, hinted{failure, "open it from that branch by hand"})
		return
	}
	c.fail(s.step, failure)
}

// by says who acts: the name that git commits under, else the user's.
func (c *call) by(ctx context.Context, r *repo) string {
	name := ""
	if r != nil {
		name = r.git.Identity(ctx)
	}
	name = cmp.Or(name, c.env["GIT_AUTHOR_NAME"], c.env["USER"], c.env["USERNAME"], "unknown")
	return strings.Map(func(r rune) rune {
		if oneline.Escaped(r) {
			return -1
		}
		return r
	}, name[:min(len(name), 100)])
}
