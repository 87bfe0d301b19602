package campaign

import (
	"errors"
	"fmt"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/oneline"
)

// Error is a problem of something that was read: a record, a word of a closed set. File is the name given by the
// caller, Line and Col where they are known, Key the dotted path, Allowed the whole set where it is closed.
type Error = fault.Error

func word(names []string, i int) string {
	if i >= len(names) {
		return fmt.Sprintf("unknown(%d)", i)
	}
	return names[i]
}

func unword(names []string, text []byte) (int, error) {
	for i, n := range names {
		if n == string(text) {
			return i, nil
		}
	}
	return 0, &Error{Code: "word", Err: errors.New(oneline.Quote(string(text), 64) + " is not a known word"), Allowed: names}
}
