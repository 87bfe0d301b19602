package campaign

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"example.com/ambit/internal/canonjson"
)

// MaxDocument is the longest input file in bytes: no document that a person keeps is larger. // P2
const MaxDocument = 1 << 20

// limits is the one reader's: strict JSON, at most 1 MiB, 64 levels deep. // P2
var limits = canonjson.Limits{MaxBytes: MaxDocument, MaxDepth: 64}

var (
	errNotRegular = errors.New("not a regular file")
	errTooLarge   = errors.New("larger than the limit")
)

// readRegular reads a file of at most limit bytes below root. A link, a folder, a FIFO or a device in its place is
// errNotRegular: what is judged is never what a link leads to. // H11, H33
func readRegular(root *os.Root, name string, limit int64) ([]byte, error) {
	before, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, errNotRegular)
	}
	f, err := root.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	after, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(before, after) {
		return nil, fmt.Errorf("%s: %w", name, errNotRegular)
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s: %w", name, errTooLarge)
	}
	return data, err
}

// absent reports the errors that mean that there is no such file, as opposed to one that cannot be read.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotRegular) || notFolder(err)
}
