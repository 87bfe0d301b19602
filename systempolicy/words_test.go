package systempolicy_test

import (
	"encoding"
	"slices"
	"strings"
	"testing"

	. "example.com/ambit/systempolicy"
	"github.com/google/go-cmp/cmp"
)

// word is an enumeration of this package.
type word[T any] interface {
	*T
	encoding.TextUnmarshaler
	encoding.TextMarshaler
	String() string
}

// testWords holds that names go there and back, that an unknown one is an error that lists them and leaves the safest
// value, and what a value beyond them is called.
func testWords[T comparable, P word[T]](t *testing.T, names []string, safest T, beyond T, called string) {
	t.Helper()
	for _, n := range names {
		var v T
		if err := P(&v).UnmarshalText([]byte(n)); err != nil || P(&v).String() != n {
			t.Errorf("%q became %q, %v", n, P(&v).String(), err)
		}
		if back, err := P(&v).MarshalText(); err != nil || string(back) != n {
			t.Errorf("%q became %q, %v", n, back, err)
		}
	}
	v := beyond
	if got := P(&v).String(); got != called {
		t.Errorf("a value beyond is called %q", got)
	}
	for _, n := range []string{"", strings.ToUpper(names[0]), names[0] + " "} {
		v := beyond
		if err := P(&v).UnmarshalText([]byte(n)); err == nil || v != safest || !strings.Contains(err.Error(), strings.Join(names, ", ")) {
			t.Errorf("%q became %v, %v", n, v, err)
		}
	}
}

func TestWords(t *testing.T) {
	testWords[Level](t, []string{"observe", "advise", "propose", "act", "improve"}, Observe, Level(99), "observe")
	testWords[Criticality](t, []string{"low", "medium", "high"}, Low, Criticality(99), "low")
	testWords[Verdict](t, []string{"incomparable", "looser", "equal", "tighter"}, Incomparable, Verdict(99), "incomparable")
	testWords[SignalKind](t, []string{"pause", "resume", "set"}, PauseSignal, SignalKind(99), "pause")
	testWords[Guardrail](t, AllGuardrails.Names(), Routes, Guardrail(99), "guardrail(99)")
	for a, want := range map[Answer]string{Unknown: "unknown", No: "no", Yes: "yes", Answer(9): "unknown"} {
		if a.String() != want {
			t.Errorf("%d is %q", a, a)
		}
	}
	if Is(true) != Yes || Is(false) != No {
		t.Error("booleans are not answers")
	}
}

func TestSets(t *testing.T) {
	g := Guardrails(0).With(InWindow).With(Routes).With(Guardrail(99))
	if !g.Has(Routes) || g.Has(MaxFiles) || g.Has(Guardrail(99)) || g.Len() != 2 || g.String() != "autoMerge.routes, window" || Guardrails(0).String() != "none" {
		t.Errorf("%v", g)
	}
	for first := range g.All() { // a walk may stop
		if first != Routes {
			t.Errorf("the first is %v", first)
		}
		break
	}
	k := Keys(0).With(KeyTo).With(KeyFrom).With(KeyLevel).With(Key(99))
	if !k.Has(KeyLevel) || k.Has(KeyEngine) || k.Has(Key(99)) || k.Empty() || k.String() != "level, window" || Key(99).String() != "key(99)" {
		t.Errorf("%v", k)
	}
	for first := range k.All() {
		if first != KeyLevel {
			t.Errorf("the first is %v", first)
		}
		break
	}
	if got := slices.Collect(k.All()); cmp.Diff([]Key{KeyLevel, KeyFrom, KeyTo}, got) != "" {
		t.Errorf("%v", got)
	}
	if _, err := ParseKey("riskGate"); err == nil {
		t.Error("a mapping is a key")
	}
	if Tighter.Reverse() != Looser || Looser.Reverse() != Tighter || Equal.Reverse() != Equal || Incomparable.Reverse() != Incomparable {
		t.Error("reversed wrongly")
	}
}
