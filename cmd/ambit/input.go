package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"example.com/ambit/internal/atomicfile"
)

// readInput reads a file, or standard input for "-"; within is the folder that the file must lie in, "" is anywhere. What
// is longer than limit is an error that wraps [atomicfile.ErrTooLarge].
func (c *call) readInput(path, within string, limit int64) ([]byte, error) {
	if path != "-" {
		data, _, err := atomicfile.Read(within, path, limit)
		return data, err
	}
	data, err := io.ReadAll(io.LimitReader(c.stdin, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("standard input: %w", err)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("standard input: %w: it has more than %d bytes", atomicfile.ErrTooLarge, limit)
	}
	return data, nil
}

// readCodes are the codes of a file that is not there, is too large, or cannot be read.
type readCodes struct{ absent, large, unreadable string }

var ioCodes = readCodes{"io", "io", "io"}

// readFailed reports why a file could not be read and gives the exit code: what is too large is refused as what it is, of
// the others nothing can be judged.
func (c *call) readFailed(codes readCodes, err error) int {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.fail(codes.absent, err)
	case errors.Is(err, atomicfile.ErrTooLarge):
		c.fail(codes.large, err)
		return exitRefused
	default:
		c.fail(codes.unreadable, err)
	}
	return exitIO
}
