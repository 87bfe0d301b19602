package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Renames that a virus scanner or another reader hinders on Windows are tried again this often, this far apart.
const (
	renameTries = 50
	renameStep  = 10 * time.Millisecond
)

// TempName is the name of the temporary file beside the target of that name.
func TempName(name string) string { return "." + name + ".atomic-tmp" }

// Pending is a prepared replacement of one file: its new bytes are on the disk, under another name.
type Pending struct {
	dir       *os.Root // the folder of the resolved target
	name      string   // of the target in it
	path      string   // as the caller said it, for messages
	limit     int64
	old, data []byte
	info      fs.FileInfo // of the old file; nil when there was none
	perm      fs.FileMode // of a file that did not exist, before umask
	temp      fs.FileInfo // of the temporary file; nil when there is none
	committed bool
	fault     func(step string) error // what a test wants to go wrong; else nil
}

// do makes a step of the system, unless a test lets it fail.
func (p *Pending) do(step string, f func() error) error {
	if p.fault != nil {
		if err := p.fault(step); err != nil {
			return err
		}
	}
	return f()
}

// Edit says the new bytes of a file. A file that does not exist is given as (nil, false); a nil result then makes none.
// Equal bytes write nothing. An error leaves everything, and comes back to the caller as it is.
type Edit = func(old []byte, exists bool) ([]byte, error)

// Prepare reads the file, lets edit say its new bytes, and writes them to the temporary file, so that Commit is only a
// rename. The caller holds a lock that all writers of the file take. perm is the mode, less umask, of a file that does
// not exist yet. Discard must be called in the end, after Commit too.
func Prepare(root, path string, limit int64, perm fs.FileMode, edit Edit) (*Pending, error) {
	dir, name, err := open(root, path)
	if err != nil {
		return nil, err
	}
	p := &Pending{dir: dir, name: name, path: path, limit: limit, perm: perm}
	if err := p.prepare(edit); err != nil {
		return nil, errors.Join(err, p.Discard())
	}
	return p, nil
}

func (p *Pending) prepare(edit Edit) (err error) {
	if p.old, p.info, err = readIn(p.dir, p.name, p.path, p.limit); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	given := bytes.Clone(p.old) // edit may write into what it gets
	if p.data, err = edit(given, p.info != nil); err != nil {
		return err
	}
	p.data = bytes.Clone(p.data)
	if !p.Changed() {
		_ = p.removeTemp() // of a crash; if it cannot be removed, that is for the next write to say
		return nil
	}
	return p.writeTemp(p.data)
}

// Changed reports whether Commit has something to do.
func (p *Pending) Changed() bool {
	return !bytes.Equal(p.old, p.data) || (p.info == nil && p.data != nil)
}

// Commit replaces the file. It fails with ErrChanged, and leaves everything, when the file's bytes are no longer those
// that Prepare read. An error that wraps ErrNotDurable comes after the replacement.
func (p *Pending) Commit() error {
	if !p.Changed() || p.committed {
		return nil
	}
	if err := p.unchanged(p.old, p.info != nil); err != nil {
		return err
	}
	if err := p.rename(p.info != nil); err != nil {
		return err
	}
	p.committed = true
	return p.sync()
}

// Undo takes back a Commit: the old bytes again, or no file where there was none. It fails with ErrChanged when the
// file is no longer the committed one. Without a Commit it does nothing.
func (p *Pending) Undo() error {
	if !p.committed {
		return nil
	}
	if err := p.unchanged(p.data, true); err != nil {
		return err
	}
	if p.info == nil {
		if err := p.dir.Remove(p.name); err != nil {
			return p.fail("undo", err)
		}
	} else {
		if err := p.writeTemp(p.old); err != nil {
			return err
		}
		if err := p.rename(true); err != nil {
			return err
		}
	}
	p.committed = false
	return p.sync()
}

// Discard removes the temporary file, if it is there, and frees the folder. It may be called more than once.
func (p *Pending) Discard() error {
	if p.dir == nil {
		return nil
	}
	var err error
	if p.temp != nil {
		err = p.removeTemp()
		p.temp = nil
	}
	err = errors.Join(err, p.dir.Close())
	p.dir = nil
	return err
}

// ErrNotDurable says that a file was replaced, but the system could not promise that a power cut leaves it so.
var ErrNotDurable = errors.New("replaced, but the folder could not be synced")

func (p *Pending) sync() error {
	if err := p.do("sync", func() error { return syncFolder(p.dir) }); err != nil {
		return p.fail("sync", fmt.Errorf("%w: %w", ErrNotDurable, Cause(err)))
	}
	return nil
}

func (p *Pending) unchanged(want []byte, exists bool) error {
	now, _, err := readIn(p.dir, p.name, p.path, p.limit)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !exists:
		return nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrTooLarge), errors.Is(err, ErrNotRegular):
		return p.fail("write", ErrChanged)
	case err != nil:
		return err
	case !exists || !bytes.Equal(now, want):
		return p.fail("write", ErrChanged)
	}
	return nil
}

// writeTemp makes the temporary file anew. Whatever stands at its name is removed and never opened or followed.
func (p *Pending) writeTemp(data []byte) error {
	if err := p.removeTemp(); err != nil {
		return err
	}
	perm := p.perm
	if p.info != nil {
		perm = 0o600 // until it has its mode: it must not be readable by more than the file was
	}
	f, err := p.dir.OpenFile(TempName(p.name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return p.fail("write", err)
	}
	_, err = f.Write(data)
	if err == nil && p.info != nil {
		keepOwner(f, p.info)
		err = f.Chmod(p.info.Mode())
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		p.temp, err = f.Stat()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		p.temp = nil
		_ = p.removeTemp()
		return p.fail("write", err)
	}
	return nil
}

func (p *Pending) removeTemp() error {
	if err := p.dir.Remove(TempName(p.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return p.fail("remove "+TempName(p.name)+" of", err)
	}
	return nil
}

// rename moves the temporary file to the target. Where there should be none, one that appeared meanwhile stays.
func (p *Pending) rename(replace bool) error {
	temp, reserved := TempName(p.name), false
	// A writer that does not hold the lock may have put its own half-written file there.
	if now, err := p.dir.Lstat(temp); err != nil || !os.SameFile(now, p.temp) {
		p.temp = nil
		return p.fail("write", ErrChanged)
	}
	if !replace {
		err := p.do("link", func() error { return p.dir.Link(temp, p.name) })
		if err == nil {
			p.temp = nil
			return p.removeTemp()
		}
		if errors.Is(err, fs.ErrExist) {
			return p.fail("write", fmt.Errorf("%w: %w", ErrChanged, fs.ErrExist))
		}
		// No hard links here: reserve the name, then replace the reservation.
		f, err := p.dir.OpenFile(p.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, p.perm)
		if err != nil {
			return p.fail("write", err)
		}
		_ = f.Close()
		reserved = true
	}
	rename := func() error { return p.dir.Rename(temp, p.name) }
	err := p.do("rename", rename)
	for try := 1; err != nil && passing(err) && try < renameTries; try++ {
		time.Sleep(renameStep)
		err = p.do("rename", rename)
	}
	if err != nil {
		if reserved {
			_ = p.dir.Remove(p.name)
		}
		return p.fail("write", err)
	}
	p.temp = nil
	return nil
}

func (p *Pending) fail(op string, err error) error {
	return &fs.PathError{Op: op, Path: p.path, Err: Cause(err)}
}
