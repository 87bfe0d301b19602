//go:build unix

package campaign

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openFlags keep a look at a file from following a link that was put in its place, and from waiting on a FIFO.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// notFolder reports the error of a path that leads through a file.
func notFolder(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

// trusted reports whether a program belongs to root or to us, and nobody else may change it. // H31
func trusted(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().Perm()&0o002 == 0 && (st.Uid == 0 || int(st.Uid) == os.Geteuid())
}
