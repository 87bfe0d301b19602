//go:build unix

package envelope

import (
	"io/fs"
	"syscall"

	"example.com/ambit/internal/atomicfile"
)

// readHead reads the beginning of a file, at least to the end of its frontmatter, into buffer, which it may grow. It
// uses the system calls themselves: os.Open registers each file with the poller, which doubles the cost of a list.
// A link is left to the careful way, and so is anything that is not a plain file.
func readHead(file string, buffer []byte) ([]byte, error) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(file, syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	})
	if err == syscall.ENOENT {
		return buffer, fs.ErrNotExist
	}
	if err != nil {
		return buffer, errNotPlain
	}
	defer func() { _ = syscall.Close(fd) }()
	var stat syscall.Stat_t
	if err := syscall.Fstat(fd, &stat); err != nil || stat.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return buffer, errNotPlain
	}
	if stat.Size > maxFile {
		return buffer, atomicfile.ErrTooLarge
	}
	data := buffer[:0]
	for {
		n, err := retry(func() (int, error) { return syscall.Read(fd, data[len(data):cap(data)]) })
		if err != nil {
			return data, errNotPlain
		}
		data = data[:len(data)+n]
		if n == 0 || int64(len(data)) >= stat.Size || headDone(data) {
			return data, nil
		}
		if len(data) == cap(data) {
			data = append(data, make([]byte, len(data))...)[:len(data)]
		}
	}
}

func retry(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != syscall.EINTR {
			return n, err
		}
	}
}
