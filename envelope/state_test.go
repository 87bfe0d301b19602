package envelope

import (
	"encoding"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The whole table of what a state permits.
func TestPermits(t *testing.T) {
	want := map[State][3]Permission{ // commit, draft, explore
		NeedsFullSupervision:  {Escalate, Escalate, Escalate},
		CheckBeforeCommitting: {SignOff, Act, Act},
		FullyApproved:         {Act, Act, Act},
		State(3):              {Escalate, Escalate, Escalate},
		State(255):            {Escalate, Escalate, Escalate},
	}
	for s, row := range want {
		for p, permission := range row {
			if got := s.Permits(Phase(p)); got != permission {
				t.Errorf("%s (%d) permits %s at %s, want %s", s, s, got, Phase(p), permission)
			}
		}
		if got := s.Permits(Phase(3)); got != s.Permits(Commit) {
			t.Errorf("%s permits %s in the first phase beyond, want as at commit", s, got)
		}
		if got := s.Permits(Phase(9)); got != s.Permits(Commit) {
			t.Errorf("%s permits %s in an unknown phase, want as of commit", s, got)
		}
	}
}

// Every enumeration speaks text both ways, its zero value is the strictest, and an unknown text is an error that
// lists the words.
func TestEnumerations(t *testing.T) {
	type enum interface {
		encoding.TextMarshaler
		fmt.Stringer
	}
	type reader interface {
		enum
		encoding.TextUnmarshaler
	}
	var s State
	var p Phase
	var m Permission
	for _, tt := range []struct {
		read  reader
		make  func(uint8) enum
		words []string
	}{
		{&s, func(i uint8) enum { return State(i) }, []string{"needsFullSupervision", "checkBeforeCommitting", "fullyApproved"}},
		{&p, func(i uint8) enum { return Phase(i) }, []string{"commit", "draft", "explore"}},
		{&m, func(i uint8) enum { return Permission(i) }, []string{"escalate", "signOff", "act"}},
	} {
		if got := tt.read.String(); got != tt.words[0] {
			t.Errorf("the zero value is %s, want %s", got, tt.words[0])
		}
		for i, word := range tt.words {
			text, err := tt.make(uint8(i)).MarshalText()
			if string(text) != word || err != nil {
				t.Errorf("%d is written %q, %v, want %q", i, text, err, word)
			}
			if err := tt.read.UnmarshalText([]byte(word)); err != nil || tt.read.String() != word {
				t.Errorf("%q reads as %s, %v", word, tt.read, err)
			}
		}
		if got := tt.make(77).String(); got != tt.words[0] {
			t.Errorf("77 is %s, want %s", got, tt.words[0])
		}
		for _, bad := range []string{"", "FullyApproved", "act ", "approved"} {
			err := tt.read.UnmarshalText([]byte(bad))
			if err == nil || !strings.Contains(err.Error(), strings.Join(tt.words, ", ")) {
				t.Errorf("%q: %v does not list the words", bad, err)
			}
			if tt.read.String() != tt.words[0] {
				t.Errorf("%q reads as %s", bad, tt.read)
			}
		}
	}
	if err := s.UnmarshalText([]byte("x")); !errors.Is(err, ErrInvalidState) {
		t.Errorf("%v is not ErrInvalidState", err)
	}
	if words := States(); len(words) != 3 || words[0] != "needsFullSupervision" {
		t.Errorf("States: %v", words)
	}
}
