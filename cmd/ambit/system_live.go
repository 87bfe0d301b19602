package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
)

// environmentLive is what an environment's engine and run store say.
type environmentLive struct {
	Supervised string     // "supervised", or why it is not
	Lines      [][]string // more to show: label and text
	JSON       any        // the same for --format json
}

// liveEnvironment is its JSON.
type liveEnvironment struct {
	Supervised bool                `json:"supervised"`
	Why        *string             `json:"why"`
	State      *engine.State       `json:"state"`   // what the engine says is in force; null when it does not
	Pending    []engine.SignalNote `json:"pending"` // signals in force that no merge has caught up with
	Behind     bool                `json:"behind"`  // the engine reads another commit than main's as last seen here
	Today      *engine.Usage       `json:"today"`
	Events     []liveEvent         `json:"events"` // of the last 24 hours; null when no run store was named
}

// liveEvent is an event with whether it can still be undone.
type liveEvent struct {
	Event     engine.Event `json:"event"`
	UndoUntil *string      `json:"undoUntil"`
	Refusals  []string     `json:"refusals"` // why it cannot be undone; the version is judged by undo itself
}

// systemLive asks the engines of the environments that have one, and the run store where one is named.
func (c *call) systemLive(sys *systempolicy.System, names []string) map[string]environmentLive {
	engines := map[string]string{}
	for _, env := range names {
		if u := sys.Policy(env).Engine(); u != "" {
			engines[env] = u
		}
	}
	deadline, err := c.deadline()
	if err != nil {
		c.fail("usage", err)
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*deadline)
	defer cancel()
	store, err := c.openStore(ctx)
	if err != nil {
		c.warn("store", err)
	}
	if store != nil {
		defer func() { _ = store.Close() }()
	}
	if len(engines) == 0 && store == nil {
		return nil
	}
	asked := sortedKeys(engines)
	reports := c.client(deadline).Status(ctx, sys.Name(), asked, func(env string) string { return engines[env] })
	main := ""
	if path, _ := c.systemPath(); len(asked) > 0 {
		if r, err := c.repository(ctx, path); err == nil {
			main = r.commit
		}
	}
	out := map[string]environmentLive{}
	for _, env := range names {
		live := liveEnvironment{Pending: []engine.SignalNote{}, Why: optional(string(engine.WhyNoEngine))}
		if i := slices.Index(asked, env); i >= 0 {
			r := reports[i]
			live.Supervised, live.Why, live.State = r.Supervised, optional(string(r.Why)), r.State
		}
		if s := live.State; s != nil {
			live.Today, live.Behind = &s.Today, main != "" && s.Commit != main
			live.Pending = append(live.Pending, s.Signals...)
		}
		if store != nil {
			c.fromStore(ctx, store, sys, env, &live)
		}
		out[env] = environmentLive{Supervised: supervisedText(live), Lines: c.liveLines(sys, env, live, store != nil), JSON: live}
	}
	return out
}

func supervisedText(l liveEnvironment) string {
	if l.Supervised {
		return "supervised"
	}
	return "not supervised: " + *l.Why
}

// fromStore adds the day's counters and what the engine did in the last 24 hours.
func (c *call) fromStore(ctx context.Context, store engine.Store, sys *systempolicy.System, env string, live *liveEnvironment) {
	if live.Today == nil && !c.now.IsZero() {
		if used, err := store.Used(ctx, sys.Name(), env, engine.Day(c.now)); err == nil {
			live.Today = &used
		} else {
			c.warn("store", err)
		}
	}
	events, err := store.Events(ctx, sys.Name(), env, c.now.Add(-24*time.Hour))
	if err != nil {
		c.warn("store", err)
		return
	}
	live.Events = []liveEvent{}
	for _, e := range events {
		// The pin's history is not looked at here: only undo itself does.
		d := sys.Undo(systempolicy.Event{ID: e.ID, Environment: e.Environment, Component: e.Component, Level: e.Level, At: e.At, From: e.From, To: e.To,
			Undone: systempolicy.Is(e.Undone != engine.Undo{})}, systempolicy.Pins{Before: []string{e.From}, Current: e.To}, "", c.now)
		l := liveEvent{Event: e, Refusals: d.Refusals}
		if d.Allowed {
			until := e.At.Add(sys.Policy(env).UndoWindow().Duration()).UTC().Format(time.RFC3339)
			l.UndoUntil = &until
		}
		live.Events = append(live.Events, l)
	}
}

// liveLines says it for people.
func (c *call) liveLines(sys *systempolicy.System, env string, l liveEnvironment, stored bool) [][]string {
	var lines [][]string
	say := func(label, format string, args ...any) {
		lines = append(lines, []string{label, fmt.Sprintf(format, args...)})
	}
	if s := l.State; s != nil {
		paused := ""
		switch {
		case s.Paused.Git:
			paused = ", paused in git"
		case s.Paused.Signal:
			paused = ", paused by a signal"
		}
		say("in force", "acts as %s%s; it reads commit %.12s of %s", s.Effective, paused, s.Commit, s.ReadAt.UTC().Format(time.RFC3339))
		if l.Behind {
			say("", "that is not the main that was last seen here")
		}
	}
	for _, n := range l.Pending {
		pr := ""
		if n.PR != nil {
			pr = ", " + *n.PR
		}
		say("pending", "%s by %s at %s, by signal (%s%s)", n.Kind, cmp.Or(n.By, "unknown"), n.At.UTC().Format(time.RFC3339), n.ID, pr)
	}
	if u := l.Today; u != nil {
		p := sys.Policy(env)
		say("today", "%d of %d runs, %d of %d merges (UTC day %s)", u.Runs, p.RunsPerDay(), u.Merges, p.MergesPerDay(), u.Day)
	}
	for i, e := range l.Events {
		label := ""
		if i == 0 {
			label = "last 24h"
		}
		undo := "cannot be undone: " + strings.Join(e.Refusals, ", ")
		switch {
		case e.Event.Undone.By != "":
			undo = "undone by " + e.Event.Undone.By
		case e.UndoUntil != nil:
			undo = "undo until " + *e.UndoUntil
		}
		say(label, "%s %s %s of %s at %s by commit %.12s, %s -> %s; %s", e.Event.ID, e.Event.At.UTC().Format(time.RFC3339), e.Event.Action, e.Event.Component,
			e.Event.Level, e.Event.Commit, cmp.Or(e.Event.From, "?"), cmp.Or(e.Event.To, "?"), undo)
	}
	if stored && len(l.Events) == 0 {
		say("last 24h", "nothing was done on its own")
	}
	return lines
}
