package enum

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/internal/fault"
)

type light uint8

var words = []string{"red", "amber", "green"}

func TestWords(t *testing.T) {
	for v, want := range map[light][2]string{0: {"red", "red"}, 2: {"green", "green"}, 3: {"red", "light(3)"}, 255: {"red", "light(255)"}} {
		if got := [2]string{Word(words, v), Name("light", words, v)}; got != want {
			t.Errorf("%d: %q, want %q", v, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	for i, w := range words {
		if v, err := Parse[light]("a light", words, []byte(w)); err != nil || v != light(i) {
			t.Errorf("%s: %d, %v", w, v, err)
		}
	}
	for text, want := range map[string][2]string{
		"gren":                   {`"gren" is not a light; allowed: red, amber, green`, "did you mean green?"},
		"Red":                    {`"Red" is not a light; allowed: red, amber, green`, "did you mean red?"},
		"":                       {`"" is not a light; allowed: red, amber, green`, ""},
		strings.Repeat("x", 100): {`"` + strings.Repeat("x", 80) + `…" is not a light; allowed: red, amber, green`, ""},
	} {
		v, err := Parse[light]("a light", words, []byte(text))
		var e *fault.Error
		if !errors.As(err, &e) || v != 0 || e.Code != CodeNotAllowed {
			t.Fatalf("%q: %d, %v", text, v, err)
		}
		if diff := cmp.Diff(want, [2]string{e.Error(), e.Hint}); diff != "" {
			t.Error(diff)
		}
		e.Allowed[0] = "spoilt"
	}
}
