package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"example.com/ambit/internal/atomicfile"
)

// Result is what [Apply] did.
type Result struct {
	Files   []FileChange // what was done with each
	Notices []Notice     // what a person should know
	Stamp   string       // of the backup; "" when there was nothing to back up
	Backups []string     // the copies, slash-separated, below the root
}

// Apply writes a plan, all of it or nothing (K11): under the lock of the root every file is prepared before the first is
// replaced, and an error puts the old ones back. The ledger is written first, with what is about to come, so that a run
// that was killed is completed by the next. Where somebody changed a file since it was read, the plan is made anew, once
// and under the lock; then the error wraps [ErrChanged]. A plan with a refused file writes nothing.
func Apply(c *Changes) (*Result, error) {
	unlock, err := atomicfile.Lock(c.Root, c.options.Wait)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unlock() }()
	r, err := c.apply()
	if err == nil || c.Err() == nil && !errors.Is(err, atomicfile.ErrChanged) {
		return r, err
	}
	// A refusal is looked at again too: what was read while another run wrote may not have belonged together.
	fault := c.fault
	if c, err = c.again(); err != nil {
		return nil, err
	}
	c.fault = fault
	if r, err = c.apply(); errors.Is(err, atomicfile.ErrChanged) {
		err = fmt.Errorf("%w: %w", ErrChanged, err)
	}
	return r, err
}

// apply writes the plan; the lock is held.
func (c *Changes) apply() (*Result, error) {
	if err := c.Err(); err != nil {
		return nil, err
	}
	w := &writing{changes: c}
	defer w.discard()
	r, err := w.run()
	if err != nil {
		return nil, errors.Join(err, w.undo())
	}
	return r, nil
}

// replacement is one file on its way from its old bytes to the new.
type replacement interface {
	Commit() error
	Undo() error
	Discard() error
}

// writing is one application of a plan.
type writing struct {
	changes   *Changes
	files     []replacement
	ledger    replacement // the one with what is pending; nil before
	committed []replacement
	folders   []string // that were made, outermost first
	backup    *backup
}

func (w *writing) step(name string) error {
	if w.changes.fault != nil {
		return w.changes.fault(name)
	}
	return nil
}

func (w *writing) run() (*Result, error) {
	c := w.changes
	r := &Result{Files: c.Files, Notices: c.Notices}
	final := c.next.bytes()
	if err := w.prepare(); err != nil {
		return nil, err
	}
	if !c.Changed() {
		if len(c.next.Files) == 0 && !c.ledgerExists || string(final) == string(c.ledgerBytes) {
			return r, nil
		}
		return r, w.writeLedger(c.ledgerBytes, final)
	}
	var err error
	if w.backup, err = c.backUp(); err != nil {
		return nil, err
	}
	if w.backup != nil {
		r.Stamp, r.Backups = w.backup.stamp, w.backup.copies
	}
	pending := c.ledger.pending(c.next).bytes()
	if err := w.writeLedger(c.ledgerBytes, pending); err != nil {
		return nil, err
	}
	for i, f := range w.files {
		if err := w.step(fmt.Sprintf("commit %d", i)); err != nil {
			return nil, err
		}
		w.committed = append(w.committed, f) // also when only the sync of its folder fails
		if err := f.Commit(); err != nil {
			return nil, err
		}
	}
	// From here on everything is as it shall be: what is left is a note that it is, which the next run can make.
	if err := w.confirm(pending, final); err != nil {
		r.Notices = append(slices.Clip(r.Notices), Notice{Code: NoticeLedgerPending, Entry: LedgerPath,
			Message: fmt.Sprintf("every file is written, but the ledger could not be completed (%v); the next run does it", err)})
	}
	return r, nil
}

// prepare reads every file again and puts the new bytes beside it.
func (w *writing) prepare() error {
	for i, f := range w.changes.Files {
		if err := w.step(fmt.Sprintf("prepare %d", i)); err != nil {
			return err
		}
		p, err := w.prepareFile(f)
		if err != nil {
			return err
		}
		w.files = append(w.files, p)
	}
	return nil
}

func (w *writing) prepareFile(f FileChange) (replacement, error) {
	root := w.changes.Root
	name := filepath.Join(root, filepath.FromSlash(f.Path))
	if f.Action == Create {
		if err := w.makeFolder(filepath.Dir(name), 0o755); err != nil {
			return nil, err
		}
	}
	edit := func(old []byte, exists bool) ([]byte, error) {
		if exists != f.exists || string(old) != string(f.old) {
			return nil, &fs.PathError{Op: "write", Path: name, Err: atomicfile.ErrChanged}
		}
		return f.new, nil
	}
	if f.Action == Same && !f.exists {
		return untouched{}, nil
	}
	if f.Action == Remove {
		data, exists, _, err := readLive(root, f.Path)
		if err == nil {
			_, err = edit(data, exists)
		}
		return &removal{root: root, name: name, old: f.old, mode: f.mode}, err
	}
	return atomicfile.Prepare(root, name, MaxFile, f.mode, edit)
}

// makeFolder makes a folder and remembers those that were not there, so that they can go again.
func (w *writing) makeFolder(dir string, mode fs.FileMode) error {
	var missing []string
	for d := dir; d != filepath.Dir(d); d = filepath.Dir(d) {
		if _, err := os.Lstat(d); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, d)
	}
	slices.Reverse(missing)
	w.folders = append(w.folders, missing...)
	return atomicfile.MkdirAll(w.changes.Root, dir, mode)
}

// writeLedger replaces the ledger; the first time it is remembered for undo.
func (w *writing) writeLedger(old, data []byte) error {
	if err := w.step("ledger"); err != nil {
		return err
	}
	p, err := w.prepareFile(FileChange{Path: LedgerPath, Action: Create, exists: w.changes.ledgerExists, old: old, new: data, mode: 0o644})
	if err != nil {
		return err
	}
	w.ledger = p
	return p.Commit()
}

// confirm writes the ledger without what was pending.
func (w *writing) confirm(pending, final []byte) error {
	if err := w.step("confirm"); err != nil {
		return err
	}
	p, err := w.prepareFile(FileChange{Path: LedgerPath, Action: Update, exists: true, old: pending, new: final, mode: 0o644})
	if err != nil {
		return err
	}
	return errors.Join(p.Commit(), p.Discard())
}

// undo takes everything back, last first.
func (w *writing) undo() error {
	var errs []error
	for _, f := range slices.Backward(w.committed) {
		errs = append(errs, f.Undo())
	}
	if w.ledger != nil {
		errs = append(errs, w.ledger.Undo())
	}
	w.discard()
	if errors.Join(errs...) == nil { // else the backup is what is left of the old files
		w.backup.remove()
	}
	for _, dir := range slices.Backward(w.folders) {
		_ = os.Remove(dir) // one that is not empty stays
	}
	return errors.Join(errs...)
}

// discard removes what lies beside the files.
func (w *writing) discard() {
	for _, f := range w.files {
		_ = f.Discard()
	}
	if w.ledger != nil {
		_ = w.ledger.Discard()
	}
}

// untouched is a file that is not there and is not to be.
type untouched struct{}

func (untouched) Commit() error  { return nil }
func (untouched) Undo() error    { return nil }
func (untouched) Discard() error { return nil }

// removal takes a file away.
type removal struct {
	root, name string
	old        []byte
	mode       fs.FileMode
	done       bool
}

func (r *removal) Commit() error {
	now, _, err := atomicfile.Read(r.root, r.name, MaxFile)
	if err != nil || string(now) != string(r.old) {
		return errors.Join(&fs.PathError{Op: "remove", Path: r.name, Err: atomicfile.ErrChanged}, err)
	}
	real, err := atomicfile.Resolve(r.root, r.name)
	if err != nil {
		return err
	}
	if err := os.Remove(real); err != nil {
		return err
	}
	r.done = true
	return nil
}

func (r *removal) Undo() error {
	if !r.done {
		return nil
	}
	return atomicfile.Create(r.root, r.name, r.old, r.mode)
}

func (r *removal) Discard() error { return nil }
