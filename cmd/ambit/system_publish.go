package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"example.com/ambit/internal/atomicfile"
	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
)

// publication is a change on its way over the network: what is sent, and what became of it.
type publication struct {
	systemChange
	repo    *repo // nil outside a clone
	merged  mergedSystem
	by      string
	signals []engine.Signal
	sent    []engine.Delivery
	opened  *opened
	written bool // the file on the disk was changed
}

// systemPublish carries a change out over the network: it signals the engines, changes the file, and opens the pull request, in that order and
// each whatever became of the one before (S14); with --dry-run it prints what it would do.
func (c *call) systemPublish(ch systemChange) int {
	deadline, err := c.deadline()
	if err != nil {
		return c.usage(err)
	}
	ctx := context.Background()
	p := publication{systemChange: ch}
	var repoErr error
	here, cancel := context.WithTimeout(ctx, deadline) // only this disk is read; a signal does not wait for a disk that hangs either
	if p.repo, repoErr = c.repository(here, ch.path); repoErr != nil {
		p.repo = nil
	}
	p.merged = c.merged(here, p.repo, ch.path, ch.before)
	p.by = c.by(here, p.repo)
	cancel()
	if p.merged.name == "" {
		c.warn("no-name", errors.New("the system has no name, so its engines will not know which one is meant"))
	}
	p.prepare(c)
	if c.is("dry-run") {
		c.writePublication(p)
		return exitOK
	}
	code := exitOK
	if len(p.signals) > 0 {
		p.sent = c.client(deadline).Send(ctx, p.signals, func(env string) string { return p.merged.engines[env] })
	}
	for _, d := range p.sent {
		if d.Word != engine.Confirmed && d.Why != engine.WhyNoEngine {
			code = exitRefused
			c.warnDelivery(ch.kind, d)
		}
	}
	if ch.edited.Changed {
		switch err := c.writeFile(ch); {
		case err != nil:
			c.fail("io", fmt.Errorf("the file was not changed: %w", err))
			code = exitRefused
		default:
			p.written = true
		}
	}
	switch {
	case repoErr != nil:
		c.fail("repository", fmt.Errorf("the pull request was not opened: %w", repoErr))
		code = exitRefused
	case p.repo.commit == "":
		c.fail("repository", errors.New("the pull request was not opened: the repository has no commit"))
		code = exitRefused
	case !p.wanted():
		if ch.kind == systempolicy.PauseSignal && ch.edited.Data == nil {
			c.fail("refused", errors.New("the pull request was not opened: there is no safe place for the pause in the file"))
			code = exitRefused
		}
	default:
		o, err := c.propose(ctx, p.repo, p.proposal(), deadline)
		if p.opened = &o; err != nil {
			c.reportProposal(o, err)
			code = exitRefused
		}
	}
	c.writePublication(p)
	return code
}

// prepare plans the signals: a pause or resume to every environment's engine (S9), a set's tighter keys to its environment's (S2).
func (p *publication) prepare(c *call) {
	kinds := map[systempolicy.SignalKind]engine.SignalKind{systempolicy.PauseSignal: engine.Pause, systempolicy.ResumeSignal: engine.Resume, systempolicy.SetSignal: engine.Set}
	signal := func(env string) engine.Signal {
		return engine.Signal{Version: 1, ID: engine.NewID(), System: p.merged.name, Environment: env, Kind: kinds[p.kind], Base: p.merged.commit, By: p.by, At: c.now}
	}
	if p.kind != systempolicy.SetSignal {
		for _, env := range sortedKeys(p.merged.engines) {
			p.signals = append(p.signals, signal(env))
		}
		return
	}
	if p.merged.data != nil && !bytes.Equal(p.merged.data, p.before) { // main's file, not this one, is what the engine compares with
		after := p.merged.sys
		if edited, err := p.edit(p.merged.data); err == nil {
			after, _ = systempolicy.Parse(p.path, edited.Data)
		}
		p.plan = systempolicy.Split(policyOf(p.merged.sys, p.env), policyOf(after, p.env))
	}
	if patch := p.systemChange.signal(); patch != nil && p.merged.engines[p.env] != "" {
		s := signal(p.env)
		s.Policy, _ = json.Marshal(patch)
		p.signals = []engine.Signal{s}
	}
}

// wanted reports whether there is something to record by a pull request: E9.
func (p *publication) wanted() bool {
	if p.merged.data == nil {
		return p.edited.Changed
	}
	edited, err := p.edit(p.merged.data)
	return err == nil && edited.Changed || err != nil && p.edited.Changed
}

// writeFile makes the planned edit on the disk, on what the file then holds.
func (c *call) writeFile(ch systemChange) error {
	_, err := atomicfile.Update(ch.within, ch.path, maxSystemFile, 0, func(old []byte, exists bool) ([]byte, error) {
		if !exists {
			return nil, fmt.Errorf("%s: %w", ch.path, fs.ErrNotExist)
		}
		edited, err := ch.edit(old)
		return edited.Data, err
	})
	return err
}

// proposal is the pull request that records the change: the edit on main's own file, and the autonomy.json that follows from it where main has one.
func (p *publication) proposal() proposal {
	verb := p.kind.String()
	what := verb
	if p.kind == systempolicy.SetSignal {
		what = verb + "-" + slug(p.env)
	}
	id := engine.NewID()
	if len(p.signals) > 0 {
		id = p.signals[0].ID
	}
	title := map[systempolicy.SignalKind]string{systempolicy.PauseSignal: "Pause autonomy", systempolicy.ResumeSignal: "Resume autonomy",
		systempolicy.SetSignal: "Set the autonomy of " + printable(p.env)}[p.kind]
	body := p.body()
	return proposal{branch: "ambit/" + what + "-" + id[:8], title: title, body: body, message: title + "\n\n" + body, files: p.files}
}

func (p *publication) files(ctx context.Context, r *repo, base string) (map[string][]byte, error) {
	data, ok, err := r.git.Read(ctx, base, r.file)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("main has no %s", r.file)
	}
	edited, err := p.edit(data)
	if err != nil || !edited.Changed {
		return nil, err
	}
	files := map[string][]byte{r.file: edited.Data}
	after, err := systempolicy.Parse(r.file, edited.Data)
	if err != nil || !filepath.IsLocal(after.Name()) || strings.ContainsAny(after.Name(), `/\`) {
		return files, nil // a pause in a file that is not valid: what follows from it cannot be rendered
	}
	target := path.Join(path.Dir(r.file), "applications", after.Name(), "autonomy.json")
	old, ok, err := r.git.Read(ctx, base, target)
	if err != nil || !ok {
		return files, err // rendered elsewhere
	}
	rendered, err := after.Render()
	if err == nil && !bytes.Equal(rendered, old) {
		files[target] = rendered
	}
	return files, err
}

// body says in the pull request what acts already and what waits for the merge.
func (p *publication) body() string {
	var b strings.Builder
	if p.kind == systempolicy.SetSignal {
		fmt.Fprintf(&b, "At once, by signal: %s\nAfter the merge: %s\n", cmp.Or(p.plan.AtOnce.String(), "nothing"), cmp.Or(p.plan.AfterMerge.String(), "nothing"))
	}
	for _, d := range p.sent {
		fmt.Fprintf(&b, "Signal to %s: %s%s\n", printable(d.Environment), d.Word, because(d.Why))
	}
	fmt.Fprintf(&b, "By: %s\n", printable(p.by))
	return b.String()
}

// slug makes a part of a branch's name of any text; two texts never have the same one.
func slug(text string) string {
	s := strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, text), "-")
	const longest = 64
	if s == text && len(s) <= longest {
		return s
	}
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%s-%x", strings.TrimRight(s[:min(len(s), longest)], "-"), sum[:6])
}
