package systempolicy

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// UndoWindow is for how long after an action a person may take it back. It keeps the words in which it was declared and
// compares as a duration: 24h, 1d and 1440m are equal, and a day is 24 hours. The zero value is no time at all.
type UndoWindow struct {
	text string
	d    time.Duration
}

// ParseUndoWindow reads "<n>m", "<n>h" or "<n>d" with a whole n of 1 or more, without leading zeros, at most 106751d.
// (R19, A-undo-1 to A-undo-3)
func ParseUndoWindow(text string) (UndoWindow, error) {
	bad := fmt.Errorf("%q is not a duration; allowed: <n>m, <n>h or <n>d", text)
	if len(text) < 2 || text[0] < '1' || text[0] > '9' {
		return UndoWindow{}, bad
	}
	n, err := strconv.ParseInt(text[:len(text)-1], 10, 64)
	unit, ok := map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour}[text[len(text)-1]]
	if err != nil || !ok || n > math.MaxInt64/int64(unit) {
		return UndoWindow{}, bad
	}
	return UndoWindow{text, time.Duration(n) * unit}, nil
}

// Duration gives the window's length.
func (u UndoWindow) Duration() time.Duration { return u.d }

// String gives the words in which the window was declared; "" for the zero value.
func (u UndoWindow) String() string { return u.text }

// MarshalText gives the words in which the window was declared.
func (u UndoWindow) MarshalText() ([]byte, error) { return []byte(u.text), nil }

// UnmarshalText reads what ParseUndoWindow reads; on an error the window is empty.
func (u *UndoWindow) UnmarshalText(text []byte) (err error) {
	*u, err = ParseUndoWindow(string(text))
	return err
}
