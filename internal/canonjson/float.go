package canonjson

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

func parseFloat(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64) // the grammar was checked, so its only error is the range, and then f is infinite
	return f
}

// AppendFloat writes a finite double as Python's repr does: the shortest digits that read back, positional from 1e-4 to
// below 1e16, else with an exponent of at least two digits; always with a point or an exponent.
func AppendFloat(dst []byte, f float64) []byte {
	if abs := math.Abs(f); abs != 0 && (abs < 1e-4 || abs >= 1e16) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	from := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if bytes.IndexByte(dst[from:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}

// plainFloat reports that a number's text is surely its own repr: no exponent, at most 15 digits, of which doubles lose
// none, no zero too many at the end, and not so small that repr would use an exponent.
func plainFloat(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, fraction, _ := strings.Cut(s, ".")
	if len(s) > 16 || fraction == "" || strings.IndexByte(fraction, 'e') >= 0 || strings.IndexByte(fraction, 'E') >= 0 {
		return false
	}
	if fraction[len(fraction)-1] == '0' {
		return fraction == "0"
	}
	return whole != "0" || !strings.HasPrefix(fraction, "0000")
}
