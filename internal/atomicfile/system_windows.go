package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"unsafe"
)

const nonblock = 0

// lockName is the file that stands for its folder, which Windows cannot lock. It stays there.
const lockName = ".atomic-lock"

const (
	lockfileFailImmediately = 1
	lockfileExclusiveLock   = 2
	errorAccessDenied       = syscall.Errno(5)
	errorSharingViolation   = syscall.Errno(32)
	errorLockViolation      = syscall.Errno(33)
	errorIOPending          = syscall.Errno(997)
)

var procLockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

func openLock(dir *os.Root) (*os.File, error) {
	return dir.OpenFile(lockName, os.O_CREATE|os.O_RDWR, 0o644)
}

func tryLock(f *os.File) (bool, error) {
	var at syscall.Overlapped
	ok, _, err := procLockFileEx.Call(f.Fd(), lockfileFailImmediately|lockfileExclusiveLock, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	switch {
	case ok != 0:
		return true, nil
	case errors.Is(err, errorLockViolation), errors.Is(err, errorIOPending):
		return false, nil
	}
	return false, err
}

// syncFolder does nothing: Windows has no sync of a folder.
func syncFolder(*os.Root) error { return nil }

func keepOwner(*os.File, fs.FileInfo) {}

// passing reports whether a failed rename may succeed a moment later: somebody has the target open, a virus scanner perhaps.
func passing(err error) bool {
	return errors.Is(err, errorAccessDenied) || errors.Is(err, errorSharingViolation)
}
