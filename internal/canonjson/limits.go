package canonjson

// Limits bounds what Parse accepts. A zero field stands for its default.
type Limits struct {
	MaxBytes     int  // length of the input; default DefaultMaxBytes, at most 1 GiB
	MaxDepth     int  // containers inside each other; default DefaultMaxDepth
	MaxIntDigits int  // digits of one integer, sign apart; default DefaultMaxIntDigits
	AnyNumber    bool // take numbers beyond the range of doubles, for edits that keep their spelling; hashes cannot cover them
	AllowBOM     bool // skip a leading byte-order mark; spans still count from the input's first byte
}

// The defaults of Limits.
const (
	DefaultMaxBytes     = 1 << 20 // no file that a person keeps is larger
	DefaultMaxDepth     = 64      // the reader is recursive; no honest file comes near
	DefaultMaxIntDigits = 4300    // what Python reads by default: beyond it the two sides would differ
)

// maxMaxBytes keeps every offset within 32 bits.
const maxMaxBytes = 1 << 30

// maxFaults is how many problems one parse reports: enough for a person, and a bound on the work for a hostile text.
const maxFaults = 16

func (l Limits) orDefaults() Limits {
	if l.MaxBytes <= 0 {
		l.MaxBytes = DefaultMaxBytes
	}
	l.MaxBytes = min(l.MaxBytes, maxMaxBytes)
	if l.MaxDepth <= 0 {
		l.MaxDepth = DefaultMaxDepth
	}
	if l.MaxIntDigits <= 0 {
		l.MaxIntDigits = DefaultMaxIntDigits
	}
	return l
}
