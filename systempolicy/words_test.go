package systempolicy_test

import (
	"slices"
	"testing"

	"example.com/ambit/internal/enum/enumtest"
	. "example.com/ambit/systempolicy"
	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	enumtest.Words[Answer](t, "unknown", "unknown", "no", "yes")
	enumtest.Words[Criticality](t, "low", "low", "medium", "high")
	enumtest.Words[Guardrail](t, "guardrail(200)", AllGuardrails.Names()...)
	enumtest.Words[Level](t, "observe", "observe", "advise", "propose", "act", "improve")
	enumtest.Words[SignalKind](t, "pause", "pause", "resume", "set")
	enumtest.Words[Verdict](t, "incomparable", "incomparable", "looser", "equal", "tighter")
	var paths []string
	for k := KeyLevel; k <= KeyUndoWindow; k++ {
		paths = append(paths, k.String())
	}
	enumtest.Words[Key](t, "key(200)", paths...)
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
