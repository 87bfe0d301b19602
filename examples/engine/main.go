// Command engine is a small always-on engine: it keeps to the autonomy that a system declares.
//
//	CPLAT_ENGINE_TOKEN=... GH_TOKEN=... engine -clone /srv/gitops -system shop -store runs.db -listen 127.0.0.1:8080
//
// It reads autonomy.json from main, at most every five minutes and with the commit's SHA, serves /v1/signals and /v1/status, and takes
// fixes from standard input, one JSON object a line. Each fix is judged by what is in force at that moment; one that is inside every guardrail is
// merged, if its head is still the one that was judged, and recorded. Every other waits for a person, and the engine says why.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"time"

	"example.com/ambit/systempolicy/engine"
	"example.com/ambit/systempolicy/engine/forge"
	"example.com/ambit/systempolicy/engine/sqlstore/sqlite"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Getenv); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(1)
	}
}

// run is the whole engine; it returns when fixes ends or ctx does.
func run(ctx context.Context, args []string, fixes io.Reader, out io.Writer, getenv func(string) string) error {
	flags := flag.NewFlagSet("engine", flag.ContinueOnError)
	clone := flags.String("clone", ".", "a clone of the gitops repository")
	system := flags.String("system", "", "the system's name")
	store := flags.String("store", "runs.db", "the run store")
	listen := flags.String("listen", "127.0.0.1:8080", "where to serve; put TLS in front of any other address than the loopback")
	api := flags.String("forge-api", "https://api.github.com", "the forge's REST API")
	if err := flags.Parse(args); err != nil {
		return err
	}
	token := getenv(engine.TokenVariable)
	if *system == "" || token == "" {
		return errors.New("needs -system and " + engine.TokenVariable)
	}
	runs, err := sqlite.Open(ctx, *store)
	if err != nil {
		return err
	}
	defer runs.Close()
	main := &mainBranch{git: forge.Git{Dir: *clone, Hide: []string{engine.TokenVariable}}, system: *system, store: runs}
	if err := main.refresh(ctx); err != nil {
		return fmt.Errorf("main cannot be read: %w", err)
	}
	watching, stop := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		main.watch(watching, func(err error) { fmt.Fprintf(out, "main cannot be read: %v\n", err) })
	}()
	defer func() { stop(); <-watched }()
	e := worker{
		guard: engine.Guard{System: *system, Store: runs, Merged: main.Read},
		forge: forge.GitHub{API: *api, Token: getenv("GH_TOKEN")},
		out:   out,
	}
	handler := &engine.Handler{Token: token, Store: runs, Merged: func(ctx context.Context, name string) (engine.Merged, error) {
		if name != *system {
			return engine.Merged{}, engine.ErrUnknownSystem
		}
		return main.Read(ctx)
	}}
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	fmt.Fprintf(out, "listening on http://%s\n", listener.Addr())
	err = e.work(ctx, fixes)
	return errors.Join(err, server.Shutdown(context.WithoutCancel(ctx)), ignore(<-served, http.ErrServerClosed))
}

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// fix is one line of input: a change that the engine has made, and its pull request.
type fix struct {
	engine.Change        // Environment, Component, Head and Facts
	Pull          string // OWNER/REPO#N
	From, To      string // the versions before and after
}

type worker struct {
	guard engine.Guard
	forge forge.Forge
	out   io.Writer
}

func (e worker) work(ctx context.Context, fixes io.Reader) error {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for sc := bufio.NewScanner(fixes); sc.Scan(); {
			select {
			case lines <- sc.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case line, more := <-lines:
			if !more {
				return nil
			}
			var f fix
			if err := json.Unmarshal([]byte(line), &f); err != nil {
				fmt.Fprintf(e.out, "unreadable: %v\n", err)
				continue
			}
			if err := e.judge(ctx, f); err != nil {
				fmt.Fprintf(e.out, "%s: failed: %v\n", f.Pull, err)
			}
		}
	}
}

// judge merges a fix that is inside every guardrail, and says of every other why a person decides.
func (e worker) judge(ctx context.Context, f fix) error {
	repo, number, err := forge.ParsePull(f.Pull)
	if err != nil {
		return err
	}
	// What a crash left open counts until main proves that it was not merged.
	if err := engine.SettleExpired(ctx, e.guard.Store, e.guard.System, time.Now(), e.onMain); err != nil {
		fmt.Fprintf(e.out, "not settled: %v\n", err)
	}
	e.guard.Holder = f.Pull // by which onMain finds it again
	permit, err := e.guard.Reserve(ctx, f.Change)
	if err != nil {
		return err
	}
	if !permit.Merge {
		fmt.Fprintf(e.out, "%s: a person decides: %s\n", f.Pull, strings.Join(permit.Reasons(), ", "))
		return nil
	}
	merging, cancel := context.WithDeadline(ctx, permit.Lease.Expires) // later, the lease is not ours any more
	defer cancel()
	commit, err := e.forge.Merge(merging, repo, number, f.Head)
	switch {
	case errors.Is(err, forge.ErrMoved): // surely not merged: the merge is given back
		_, settle := e.guard.Store.Settle(ctx, permit.Lease, engine.Evidence{Main: permit.InForce.Commit, At: time.Now()})
		return errors.Join(err, settle)
	case err != nil: // merged or not: it counts until SettleExpired knows
		return err
	}
	if _, err := e.guard.Store.Settle(ctx, permit.Lease, engine.Evidence{Merged: true, Main: commit, At: time.Now()}); err != nil {
		return err
	}
	err = e.guard.Store.RecordEvent(ctx, engine.Event{ID: permit.Lease.ID, At: time.Now(), System: e.guard.System, Environment: f.Environment, Component: f.Component,
		Action: "merge", Level: permit.Effective.String(), Commit: permit.InForce.Commit, From: f.From, To: f.To, PR: f.Pull})
	if err != nil {
		return err
	}
	fmt.Fprintf(e.out, "%s: merged as %s\n", f.Pull, commit)
	return nil
}

// onMain asks the forge whether a lease's pull request, which is its holder, was merged at the lease's head.
func (e worker) onMain(ctx context.Context, l engine.Lease) (main string, merged bool, err error) {
	repo, number, err := forge.ParsePull(l.Holder)
	if err != nil {
		return "", false, err
	}
	pull, err := e.forge.Pull(ctx, repo, number)
	if err != nil {
		return "", false, err
	}
	if pull.Merged && pull.Head == l.Head {
		return pull.Commit, true, nil
	}
	now, err := e.guard.Merged(ctx)
	return now.Commit, false, err
}
