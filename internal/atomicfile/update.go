package atomicfile

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"
)

// Update replaces a file by what edit makes of it, under the lock of its folder: the file is read after the lock is
// held, so concurrent updates are one after the other and none is lost. A new file has mode 0644 less umask. If
// somebody who takes no lock changes the file meanwhile, it starts over once. It reports whether anything was written.
// limit is as in Read, wait as in Lock.
func Update(root, path string, limit int64, wait time.Duration, edit Edit) (changed bool, err error) {
	for try := 0; ; try++ {
		changed, err = locked(root, path, limit, wait, 0o644, edit)
		if try > 0 || !errors.Is(err, ErrChanged) {
			return changed, err
		}
	}
}

// Write replaces a file by data, or makes it with the mode perm less umask, under the lock of its folder, for which it
// waits as long as DefaultWait. The mode of a file that exists is kept. Equal bytes are not written.
func Write(root, path string, data []byte, perm fs.FileMode) error {
	_, err := locked(root, path, math.MaxInt64, 0, perm, func([]byte, bool) ([]byte, error) { return whole(data), nil })
	return err
}

// Create makes a file that does not exist, whole or not at all, under the lock of its folder, for which it waits as
// long as DefaultWait. It fails with fs.ErrExist when there is anything, a dangling link too; of many at once one succeeds.
func Create(root, path string, data []byte, perm fs.FileMode) error {
	exists := &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	if _, err := os.Lstat(path); err == nil {
		return exists
	}
	_, err := locked(root, path, math.MaxInt64, 0, perm, func(_ []byte, already bool) ([]byte, error) {
		if already {
			return nil, exists
		}
		return whole(data), nil
	})
	if errors.Is(err, ErrNotRegular) || errors.Is(err, fs.ErrExist) {
		return exists // it came to be after the look
	}
	return err
}

// whole is data, and not nil, which would write nothing.
func whole(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

func locked(root, path string, limit int64, wait time.Duration, perm fs.FileMode, edit Edit) (changed bool, err error) {
	real, err := Resolve(root, path)
	if err != nil {
		return false, err
	}
	dir, name, err := open(root, real)
	if err != nil {
		return false, err
	}
	unlock, err := lockIn(dir, filepath.Dir(real), wait)
	if err != nil {
		return false, errors.Join(err, dir.Close())
	}
	defer func() { _ = unlock() }()
	p := &Pending{dir: dir, name: name, path: path, limit: limit, perm: perm}
	defer func() { _ = p.Discard() }() // before the lock goes
	// While the lock was waited for, the path may have come to lead to another folder, which is not locked.
	again, err := Resolve(root, path)
	if err != nil || again != real || !sameFolder(dir, filepath.Dir(real)) {
		return false, errors.Join(&fs.PathError{Op: "write", Path: path, Err: ErrChanged}, err)
	}
	if err := p.prepare(edit); err != nil {
		return false, err
	}
	if err := p.Commit(); err != nil {
		return errors.Is(err, ErrNotDurable), err
	}
	return p.Changed(), nil
}

func sameFolder(dir *os.Root, path string) bool {
	opened, err := dir.Stat(".")
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(opened, named)
}
