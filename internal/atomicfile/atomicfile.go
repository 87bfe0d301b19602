// Package atomicfile answers: how does a file go from one whole content to the next, whatever happens in between?
//
// A write makes a temporary file in the target's folder, syncs it, renames it over the target and syncs the folder, so
// that a reader, and whoever comes after a crash, sees the old bytes or the new ones and never others. Symbolic links
// are resolved first, so that the target is replaced and the link stays; a target outside the root is refused. All
// work happens relative to the opened folder: a link that is planted meanwhile leads nowhere else.
//
// The temporary file has one fixed name per target (TempName). A crash leaves at most that one file, and the next
// write of the target removes it. The fixed name is why writers of a file must exclude each other: Update, Write and
// Create hold the lock of the target's folder; whoever uses Prepare holds a lock (Lock) that all writers share.
//
// Mode and, where permitted, owner of a replaced file are kept; hard links, ACLs and extended attributes are not.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

var (
	// ErrLocked says that another process held the lock until the deadline.
	ErrLocked = errors.New("locked by another process")
	// ErrOutsideRoot says that a path, its links resolved, lies outside the root.
	ErrOutsideRoot = errors.New("outside the root")
	// ErrNotRegular says that a path names a folder, a FIFO, a device or a socket.
	ErrNotRegular = errors.New("not a regular file")
	// ErrTooLarge says that a file is larger than the caller's limit.
	ErrTooLarge = errors.New("file too large")
	// ErrChanged says that somebody who does not take the lock changed the file between reading and replacing it.
	ErrChanged = errors.New("changed by someone else meanwhile")
)

// Read gives the bytes of a regular file of at most limit bytes, and what Stat says of it. Links are followed; with a
// root other than "" they must end below it. It takes no lock and never blocks, on a FIFO either. The error is a
// *fs.PathError around one of the sentinels or the system's error.
func Read(root, path string, limit int64) ([]byte, fs.FileInfo, error) {
	dir, name, err := open(root, path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = dir.Close() }()
	return readIn(dir, name, path, limit)
}

func readIn(dir *os.Root, name, path string, limit int64) ([]byte, fs.FileInfo, error) {
	fail := func(err error) ([]byte, fs.FileInfo, error) {
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: Cause(err)}
	}
	// Looked at before it is opened, since opening a device may act on it, and after, since it may be another by then.
	info, err := dir.Lstat(name)
	if err != nil {
		return fail(err)
	}
	if !info.Mode().IsRegular() {
		return fail(ErrNotRegular)
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return fail(err)
	}
	defer func() { _ = f.Close() }()
	if info, err = f.Stat(); err != nil {
		return fail(err)
	}
	if !info.Mode().IsRegular() {
		return fail(ErrNotRegular)
	}
	if info.Size() > limit {
		return fail(fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, info.Size(), limit))
	}
	data := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit: // it grew while being read, or lies about its size as those of /proc do
			return fail(fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit))
		case err == io.EOF:
			return data, info, nil
		case err != nil:
			return fail(err)
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// Cause takes the system's error out of a PathError or LinkError whose path is only a name in an opened folder.
func Cause(err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	if le := (*os.LinkError)(nil); errors.As(err, &le) {
		return le.Err
	}
	return err
}
