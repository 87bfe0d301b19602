package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"example.com/ambit/internal/atomicfile"
	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
	"example.com/ambit/systempolicy/engine/forge"
)

// undoReasons says each refusal in words.
var undoReasons = map[string]string{
	systempolicy.NoEvent:   "there is no such event, or no such environment, or none that can be undone",
	systempolicy.NotAct:    "it was not done at level act",
	systempolicy.NoWindow:  "it is outside the environment's undo window",
	systempolicy.NotOnce:   "it was undone already, or that is not known",
	systempolicy.NotTarget: "the event does not say what it changed from",
	systempolicy.NotPinned: "that version is pinned now, or the overlay never pinned it by git history",
}

// undoing is one undo on its way.
type undoing struct {
	event    engine.Event
	decision systempolicy.UndoDecision
	current  string // the version that is pinned now
	overlay  string // its path in the repository
	opened   *opened
	written  bool
}

func systemUndo(c *call) int {
	deadline, err := c.deadline()
	if err != nil {
		return c.usage(err)
	}
	ctx := context.Background()
	opening, cancel := context.WithTimeout(ctx, deadline)
	store, err := c.openStore(opening)
	cancel()
	switch {
	case err != nil:
		c.fail("store", err)
		return exitIO
	case store == nil:
		return c.usage(hinted{errors.New("undo needs the engine's run store"), "name it with --store or AMBIT_STORE"})
	}
	defer func() { _ = store.Close() }()
	path, working, code := c.systemData()
	if code != exitOK {
		return code
	}
	r, err := c.repository(ctx, path)
	if err != nil {
		c.fail("repository", err)
		return exitIO
	}
	if c.is("pr") && !c.is("dry-run") { // what is pinned is what main says now
		fetching, cancel := context.WithTimeout(ctx, deadline)
		commit, err := r.git.Fetch(fetching, r.remote, r.branch)
		cancel()
		if err != nil {
			c.fail("fetch", fmt.Errorf("nothing was undone: main could not be fetched: %w", err))
			return exitIO
		}
		r.commit = commit
	}
	m := c.merged(ctx, r, path, working)
	var u undoing
	u.event, err = store.Event(ctx, c.operands[0])
	if errors.Is(err, engine.ErrNoEvent) || err == nil && u.event.System != m.name {
		u.event, err = engine.Event{}, nil
	}
	if err != nil {
		c.fail("store", err)
		return exitIO
	}
	var pins systempolicy.Pins
	if u.event.ID != "" {
		below, err := c.overlayPath(u.event.System, u.event.Component, u.event.Environment)
		if err == nil {
			u.overlay = r.beside(below)
			pins, err = r.pins(ctx, u.overlay, u.event.Component)
		}
		if err != nil {
			c.warn("overlay", err)
		}
	}
	u.current = pins.Current
	u.decision = m.sys.Undo(systempolicy.Event{ID: u.event.ID, Environment: u.event.Environment, Component: u.event.Component, Level: u.event.Level, At: u.event.At,
		From: u.event.From, To: u.event.To, Undone: systempolicy.Is(u.event.Undone != engine.Undo{})}, pins, "", c.now)
	if code = c.judgeUndo(&u); code == exitOK && !c.is("dry-run") {
		if c.is("pr") {
			code = c.carryOutUndo(ctx, store, r, &u, deadline)
		} else {
			code = c.writeOverlay(r, &u)
		}
	}
	c.writeUndo(u)
	return code
}

// judgeUndo reports every refusal, in order, and warns of a pin that has moved on.
func (c *call) judgeUndo(u *undoing) int {
	for _, code := range u.decision.Refusals {
		c.fail(code, fmt.Errorf("%s: %s", c.operands[0], undoReasons[code]))
	}
	if !u.decision.Allowed {
		return exitRefused
	}
	if u.decision.MovedOn {
		c.warn("moved-on", fmt.Errorf("%s pins %q now, not %q: it has moved on since the action", u.event.Environment, u.current, u.event.To))
	}
	return exitOK
}

// carryOutUndo claims the undo and opens its pull request. The store decides between those that share it, and the remote's branch, which is named after
// the event, between all others: only one wins. A claim whose pull request was not opened is given back. // U5, U9
func (c *call) carryOutUndo(ctx context.Context, store engine.Store, r *repo, u *undoing, deadline time.Duration) int {
	claim := engine.Undo{By: c.by(ctx, r), At: c.now}
	if claim.At.IsZero() {
		claim.At = time.Now().UTC()
	}
	switch err := store.ClaimUndo(ctx, u.event.ID, claim); {
	case errors.Is(err, engine.ErrUndone):
		u.decision.Allowed, u.decision.Refusals = false, append(u.decision.Refusals, systempolicy.NotOnce)
		c.fail(systempolicy.NotOnce, fmt.Errorf("%s: %s", u.event.ID, undoReasons[systempolicy.NotOnce]))
		return exitRefused
	case err != nil:
		c.fail("store", err)
		return exitIO
	}
	title := fmt.Sprintf("Undo %s: %s back to %s in %s", printable(u.event.ID), printable(u.event.Component), printable(u.decision.Target), printable(u.event.Environment))
	body := fmt.Sprintf("%s\n\nThe action: %s at %s, %s -> %s, at level %s by commit %s.\nBy: %s\n", strings.Join(u.decision.Command, " "), printable(u.event.Action),
		u.event.At.Format(time.RFC3339), printable(u.event.From), printable(u.event.To), printable(u.event.Level), printable(u.event.Commit), printable(claim.By))
	if u.decision.MovedOn {
		body += fmt.Sprintf("The pin has moved on since: it is %s now.\n", printable(u.current))
	}
	o, err := c.propose(ctx, r, proposal{branch: "ambit/undo-" + slug(u.event.ID), title: title, body: body,
		// The request's id makes the commit this one's own: two machines would else write the same commit in the same second, and both believe that
		// theirs arrived.
		message: title + "\n\n" + body + "Request: " + engine.NewID() + "\n",
		files: func(ctx context.Context, r *repo, base string) (map[string][]byte, error) {
			data, ok, err := r.git.Read(ctx, base, u.overlay)
			if err == nil && !ok {
				err = fmt.Errorf("main has no %s", u.overlay)
			}
			if err != nil {
				return nil, err
			}
			data, err = repin(data, u.event.Component, u.decision.Target)
			return map[string][]byte{u.overlay: data}, err
		}}, deadline)
	u.opened = &o
	if err == nil {
		claim.PR = o.name()
		if err := store.FinishUndo(ctx, u.event.ID, claim); err != nil {
			c.warn("store", fmt.Errorf("the pull request is open, but the run store does not say which it is: %w", err))
		}
		return exitOK
	}
	return c.giveUp(ctx, store, r, u, claim, o, err)
}

// giveUp takes back what a failed undo left: the branch, and the claim.
func (c *call) giveUp(ctx context.Context, store engine.Store, r *repo, u *undoing, claim engine.Undo, o opened, err error) int {
	if errors.Is(err, forge.ErrExists) { // the claim stays: somebody else undoes it
		u.decision.Allowed, u.decision.Refusals = false, append(u.decision.Refusals, systempolicy.NotOnce)
		c.fail(systempolicy.NotOnce, hinted{fmt.Errorf("%s: %s: its branch %s is on the remote", u.event.ID, undoReasons[systempolicy.NotOnce], o.Branch),
			"when that undo was given up, delete the branch, and mark the event by hand"})
		return exitRefused
	}
	var s stepError
	if errors.As(err, &s) && o.Pushed {
		if gone := r.git.Unpush(ctx, r.remote, o.Commit, o.Branch); gone != nil {
			c.warn("branch", fmt.Errorf("the branch %s is still on the remote: %w", o.Branch, gone))
		} else {
			o.Pushed = false
			u.opened = &o
		}
	}
	if back := store.ReleaseUndo(ctx, u.event.ID, claim); back != nil {
		c.warn("store", fmt.Errorf("the event is marked as undone, though it is not: %w", back))
	}
	step := "pull-request"
	if errors.As(err, &s) {
		step, err = s.step, s.error
	}
	c.fail(step, fmt.Errorf("nothing was undone: %s: %w", step, err))
	return exitIO
}

// writeOverlay changes the overlay's file on the disk.
func (c *call) writeOverlay(r *repo, u *undoing) int {
	path := filepath.Join(r.top, filepath.FromSlash(u.overlay))
	_, err := atomicfile.Update(r.top, path, maxOverlay, 0, func(old []byte, exists bool) ([]byte, error) {
		if !exists {
			return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
		}
		return repin(old, u.event.Component, u.decision.Target)
	})
	if err != nil {
		c.fail("io", fmt.Errorf("nothing was undone: %w", err))
		return exitIO
	}
	u.written = true
	return exitOK
}

func (c *call) writeUndo(u undoing) {
	if c.json {
		out := struct {
			Version     int           `json:"version"`
			Event       *engine.Event `json:"event"`
			Allowed     bool          `json:"allowed"`
			Refusals    []string      `json:"refusals"`
			Target      *string       `json:"target"`
			Current     *string       `json:"current"`
			MovedOn     bool          `json:"movedOn"`
			Command     []string      `json:"command"`
			Changed     bool          `json:"changed"`
			PullRequest *opened       `json:"pullRequest"`
		}{1, nil, u.decision.Allowed, u.decision.Refusals, optional(u.decision.Target), optional(u.current), u.decision.Allowed && u.decision.MovedOn, []string{}, u.written, u.opened}
		if u.event.ID != "" {
			out.Event = &u.event
		}
		out.Command = append(out.Command, u.decision.Command...)
		writeJSON(c.stdout, out)
		return
	}
	if !u.decision.Allowed {
		return
	}
	e := u.event
	fmt.Fprintf(c.stdout, "%s: %s of %s in %s at %s, %s -> %s\n", printable(e.ID), printable(e.Action), printable(e.Component), printable(e.Environment),
		e.At.Format(time.RFC3339), printable(e.From), printable(e.To))
	fmt.Fprintf(c.stdout, "undo: %s\n", printable(strings.Join(u.decision.Command, " ")))
	switch {
	case u.opened != nil && u.opened.URL != "":
		fmt.Fprintf(c.stdout, "pull request: %s\n", printable(u.opened.URL))
	case u.written:
		fmt.Fprintf(c.stdout, "%s: changed; nothing was sent, and the event is not marked as undone\n", printable(u.overlay))
	case c.is("dry-run"):
		fmt.Fprintln(c.stdout, "nothing was done")
	}
}
