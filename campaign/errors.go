package campaign

import "example.com/ambit/internal/fault"

// Error is a problem of something that was read: a record, a word of a closed set. File is the name given by the
// caller, Line and Col where they are known, Key the dotted path, Allowed the whole set where it is closed.
type Error = fault.Error
