package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.com/ambit/internal/atomicfile"
	"example.com/ambit/internal/fault"
	"example.com/ambit/tiers"
)

// Options say how native files are written. The zero Options write the contract's three files, tier3 denied.
type Options struct {
	Tools      []Name // only these agents; none is all that the protocol declares
	Native     bool   // also what Codex and OpenCode themselves read; what was written before is kept up to date anyway
	CodexAllow bool   // allow rules for Codex too: an allow there also leaves its sandbox (K4)
	Tier3Ask   bool   // tier3 asks the person inside the agent instead of being denied (K19)
	Strict     bool   // what would only be a notice about tier3 is an error (K3, K5, K13)
	Force      bool   // overwrite whole files that were edited since they were written (K14)

	Now  time.Time     // the clock, for the names of backups
	Wait time.Duration // for the lock of the root; 0 is 30 s, less than 0 not at all
}

// Plan reads the live files below root and says what the protocol makes of each (K10): one for every target of every
// tool that the protocol declares, in the order of [Targets]. A file that cannot be written as it should is refused with
// the reason; an error of Plan itself means that nothing could be judged. It writes nothing.
func Plan(root string, p *tiers.Protocol, o Options) (*Changes, error) {
	return steady(root, func(c *Changes) error { return c.plan(p) }, o)
}

// maxReads bounds how often a plan is made anew because another run finished meanwhile.
const maxReads = 20

// steady makes a plan from a ledger and files that belong together: a run of somebody else writes the ledger before and
// after it writes files, so that files read between two equal ledgers are those that it is about.
func steady(root string, plan func(*Changes) error, o Options) (*Changes, error) {
	for try := 1; ; try++ {
		c, err := newChanges(root, o)
		if err != nil {
			return nil, err
		}
		c.again = func() (*Changes, error) { return steady(root, plan, o) }
		if err := plan(c); err != nil {
			return nil, err
		}
		now, exists, _, err := readLive(root, LedgerPath)
		if err != nil {
			return nil, err
		}
		if exists == c.ledgerExists && string(now) == string(c.ledgerBytes) || try == maxReads {
			return c, nil
		}
	}
}

func (c *Changes) plan(p *tiers.Protocol) error {
	o := c.options
	declared, err := declaredTools(p, o.Tools)
	if err != nil {
		return err
	}
	c.next.Options = o.ledger()
	sum := digest(p)
	for _, t := range Targets() {
		tool, ok := declared[t.Tool()]
		if !ok && len(o.Tools) == 0 && c.retired(p, t) {
			tool, ok = undeclaredTool(t), true
			c.Notices = append(c.Notices, Notice{Code: NoticeUndeclared, Target: t.String(), Entry: t.Tool().String(),
				Message: fmt.Sprintf("the protocol no longer declares %s: nothing of it is allowed there any more, tier3 stays denied", t.Tool())})
		}
		if !ok || t.Native() && !o.Native && !c.ledger.has(t) {
			continue
		}
		f, notices, r := planTarget(c, t, newSets(p, tool), sum)
		c.Files = append(c.Files, f)
		c.Notices = append(c.Notices, notices...)
		if r != nil {
			c.next.Files[f.Path] = r
		}
	}
	return nil
}

// undeclaredTool is a tool that the protocol does not know: it may do nothing without asking, and tier3 never.
func undeclaredTool(t Target) tiers.Tool { return tiers.Tool{Name: t.Tool().String()} }

// retired reports whether an earlier run wrote rules into a file of a tool that the protocol no longer declares, and the
// file is still there: what that run allowed must not stay in force for ever (K14).
func (c *Changes) retired(p *tiers.Protocol, t Target) bool {
	if _, declared := p.Tool(t.Tool().String()); declared {
		return false
	}
	for path, r := range c.ledger.Files {
		if r.Target != t || !t.row().whole && r.Pending == nil && len(r.Ours)+len(r.Replaced) == 0 {
			continue
		}
		if _, exists, _, err := readLive(c.Root, path); exists || err != nil {
			return true
		}
	}
	return false
}

// newChanges reads the ledger and starts a plan without files.
func newChanges(root string, o Options) (*Changes, error) {
	info, err := os.Stat(root)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, &fs.PathError{Op: "plan", Path: root, Err: errors.New("not a folder")}
	}
	c := &Changes{Root: root, options: o}
	path := filepath.Join(root, filepath.FromSlash(LedgerPath))
	c.ledgerBytes, c.ledgerExists, _, err = readLive(root, LedgerPath)
	if err != nil {
		return nil, err
	}
	if c.ledger, err = readLedger(path, c.ledgerBytes, c.ledgerExists); err != nil {
		return nil, err
	}
	c.next = &ledger{Version: ledgerVersion, Options: c.ledger.Options, Files: map[string]*record{}}
	for path, r := range c.ledger.Files {
		c.next.Files[path] = r
	}
	return c, nil
}

func declaredTools(p *tiers.Protocol, only []Name) (map[Name]tiers.Tool, error) {
	declared := map[Name]tiers.Tool{}
	for t := range p.Tools() {
		var n Name
		if n.UnmarshalText([]byte(t.Name)) == nil {
			declared[n] = t
		}
	}
	var missing []error
	for _, n := range only {
		if _, ok := declared[n]; !ok {
			missing = append(missing, fmt.Errorf("the protocol declares no tool %q: %w", n, ErrUnknown))
		}
	}
	for n := range declared {
		if len(only) > 0 && !slices.Contains(only, n) {
			delete(declared, n)
		}
	}
	return declared, errors.Join(missing...)
}

// planTarget makes one file's change, the notices about it and what the ledger would say; no record for a refused file.
func planTarget(c *Changes, t Target, s setsOf, sum string) (FileChange, []Notice, *record) {
	f := FileChange{Target: t, Path: t.Path(), mode: 0o644}
	refuse := func(err error) (FileChange, []Notice, *record) {
		f.Action, f.Err = Refuse, err
		return f, nil, nil
	}
	var err error
	if t == OpenCodeConfig {
		if f.Path, err = openCodePath(c.Root); err != nil {
			return refuse(err)
		}
	}
	name := filepath.Join(c.Root, filepath.FromSlash(f.Path))
	if f.old, f.exists, f.mode, err = readLive(c.Root, f.Path); err != nil {
		return refuse(err)
	}
	was := c.ledger.Files[f.Path]
	in := input{name: name, old: f.old, exists: f.exists, was: was.standing(f.old), sets: s, options: c.options}
	d, err := t.row().draft(in)
	if err == nil && t == OpenCodeConfig {
		err = in.later(c.Root, &d)
	}
	if err != nil {
		return refuse(err)
	}
	notices, err := ownership(t, name, f, was, d, c.options)
	if err != nil {
		return refuse(err)
	}
	if err := prove(t, name, d.data, d.generated, s); err != nil {
		return refuse(err)
	}
	f.become(d.data)
	r := &record{Target: t, SHA256: hash(d.data), Protocol: sum, Ours: d.ours, Theirs: d.theirs, Replaced: d.replaced, Options: new(c.options.ledger())}
	if in.was != nil {
		r.Hook = in.was.Hook
	}
	if was != nil && was.equal(r) {
		r = was
	}
	return f, append(d.notices, notices...), r
}

// ownership holds a whole file against the ledger (K14): one that was edited since it was written is refused, one that
// this package did not write is replaced and named.
func ownership(t Target, name string, f FileChange, was *record, d draft, o Options) ([]Notice, error) {
	if !t.row().whole || !f.exists || string(f.old) == string(d.data) || was.written(f.old) {
		return nil, nil
	}
	if was == nil || was.SHA256 == "" {
		return []Notice{{Code: NoticeUnownedOverwritten, Target: t.String(), Entry: f.Path,
			Message: fmt.Sprintf("%s was not written by ambit and is replaced; the backup keeps it", f.Path)}}, nil
	}
	if o.Force {
		return []Notice{{Code: NoticeUnownedOverwritten, Target: t.String(), Entry: f.Path,
			Message: fmt.Sprintf("%s was edited since ambit wrote it and is replaced; the backup keeps it", f.Path)}}, nil
	}
	return nil, &Error{File: name, Code: CodeEdited, Err: ErrEdited, Hint: "move the edit into the protocol, or overwrite it with --force; a backup is kept"}
}

// readLive reads one file below the root; a file that is not there is no error. Anything that is not a regular file
// below the root is (K17).
func readLive(root, path string) (data []byte, exists bool, mode fs.FileMode, err error) {
	name := filepath.Join(root, filepath.FromSlash(path))
	data, info, err := atomicfile.Read(root, name, MaxFile)
	switch {
	case err == nil:
		return data, true, info.Mode().Perm(), nil
	case errors.Is(err, fs.ErrNotExist):
		// What a write would resolve to must lie below the root as well: a dangling link, a folder that is a link.
		if err := wouldLie(root, name); err != nil {
			return nil, false, 0, &Error{File: name, Code: CodeFile, Err: err}
		}
		return nil, false, 0o644, nil
	}
	return nil, false, 0, &Error{File: name, Code: CodeFile, Err: atomicfile.Cause(err)}
}

// wouldLie checks where a file that is not there would be made: the first folder above it that exists is below the root,
// and nothing on the way is a link that leads nowhere.
func wouldLie(root, name string) error {
	_, err := atomicfile.Resolve(root, name)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return atomicfile.Cause(err)
	}
	dir := filepath.Dir(name)
	if info, lerr := os.Lstat(dir); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a link that leads nowhere", dir)
	}
	if filepath.Clean(dir) == filepath.Clean(root) {
		return atomicfile.Cause(err)
	}
	return wouldLie(root, dir)
}

// openCodePath finds OpenCode's configuration; two in one folder are refused, since both would be read (K5).
func openCodePath(root string) (string, error) {
	var found []string
	for _, name := range [...]string{"opencode.json", "opencode.jsonc"} {
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil {
			found = append(found, name)
		}
	}
	switch len(found) {
	case 0:
		return OpenCodeConfig.Path(), nil
	case 1:
		return found[0], nil
	}
	return OpenCodeConfig.Path(), &fault.Error{File: filepath.Join(root, found[0]), Code: CodeTwoFiles,
		Err: fmt.Errorf("%s stands beside it and both are read: %w", found[1], ErrRefused), Hint: "keep one of the two"}
}
