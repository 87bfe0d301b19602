package unicode14

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"
)

// TestFingerprint compares every property of every character with what Python said of it.
func TestFingerprint(t *testing.T) {
	h := sha256.New()
	buf := make([]byte, 0, 1<<16)
	bit := func(b bool) byte {
		if b {
			return '1'
		}
		return '0'
	}
	for r := rune(0); r < 0x110000; r++ {
		if r >= 0xd800 && r < 0xe000 {
			continue
		}
		buf = fmt.Appendf(buf, "%x ", r)
		buf = append(buf, bit(IsSpace(r)), bit(IsPrint(r)), bit(IsWord(r)), ' ')
		buf = fmt.Appendf(buf, "%d ", Digit(r))
		buf = append(buf, Fold(string(r))...)
		buf = append(buf, '\n')
		if len(buf) > 1<<15 {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	h.Write(buf)
	if got := hex.EncodeToString(h.Sum(nil)); got != fingerprint {
		t.Errorf("fingerprint %s, want %s", got, fingerprint)
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"abc":            "abc",
		"Straße ﬃ":       "strasse ffi",
		"\u0130":         "i\u0307",
		"\u13a0\uab70":   "\u13a0\u13a0",
		"\u2163 Σς \x7f": "\u2173 σσ \x7f",
	} {
		if got := Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
}

func ExampleFold() {
	fmt.Println(Fold("Maße"), IsSpace('\u200b'), IsSpace('\x1c'), Digit('٣'))
	// Output: masse false true 3
}
