// Package enumtest holds what every enum's words must do.
package enumtest

import (
	"encoding"
	"strings"
	"testing"
)

type text interface {
	String() string
	encoding.TextMarshaler
}

// Words holds that the values 0, 1, ... of an enum are these words and go there and back, that any other text is an error
// that lists them and leaves the zero value, and what a value beyond them is called.
func Words[T interface {
	~uint8
	text
}, P interface {
	*T
	encoding.TextUnmarshaler
}](t testing.TB, beyond string, words ...string) {
	t.Helper()
	for i, w := range words {
		v, back := T(i), T(200)
		written, err := v.MarshalText()
		if v.String() != w || string(written) != w || err != nil {
			t.Errorf("%T(%d) is %q and written %q, %v; want %q", v, i, v.String(), written, err, w)
		}
		if err := P(&back).UnmarshalText([]byte(w)); err != nil || back != v {
			t.Errorf("%q is read as %q, %v", w, back.String(), err)
		}
	}
	if v := T(200); v.String() != beyond {
		t.Errorf("%T beyond the set is %q, want %q", v, v.String(), beyond)
	}
	for _, other := range []string{"", strings.ToUpper(words[0]) + "x", words[0] + " "} {
		v := T(200)
		if err := P(&v).UnmarshalText([]byte(other)); err == nil || v != 0 || !strings.Contains(err.Error(), strings.Join(words, ", ")) {
			t.Errorf("%q is read as %q, %v", other, v.String(), err)
		}
	}
}
