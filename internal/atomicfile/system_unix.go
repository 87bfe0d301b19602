//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// nonblock keeps the opening of a FIFO from waiting for its other end.
const nonblock = syscall.O_NONBLOCK

func openLock(dir *os.Root) (*os.File, error) { return dir.Open(".") }

func tryLock(f *os.File) (bool, error) {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}

// syncFolder makes a rename durable. Some file systems cannot sync a folder and say so.
func syncFolder(dir *os.Root) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// keepOwner gives f the owner of the file that it replaces. It is an attempt: only root may give files away.
func keepOwner(f *os.File, old fs.FileInfo) {
	was, ok := old.Sys().(*syscall.Stat_t)
	if !ok || (int(was.Uid) == os.Geteuid() && int(was.Gid) == os.Getegid()) {
		return
	}
	_ = f.Chown(int(was.Uid), int(was.Gid))
}

// passing reports whether a failed rename may succeed a moment later.
func passing(error) bool { return false }
