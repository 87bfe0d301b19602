package tiers

import "testing"

// TestDefaultReads: tier1 of the default protocol only reads, and every program in it has a whole row in the tables (T6).
func TestDefaultReads(t *testing.T) {
	k := defaultKnowledge()
	for e := range Default().Resolve("").Allow.All() {
		if e.Kind != KindShell || e.Source != SourceTier1 {
			continue
		}
		words := e.Pattern.stages[0]
		p := k.programs.get(words[0].text)
		if len(words) > 1 && words[1].known() {
			p = k.programs.get(words[0].text + " " + words[1].text)
		}
		if p == nil || !p.reads && p.procedure == "" {
			t.Errorf("%q: no row says that it only reads", e.Text)
		}
		if p != nil && p.runner != "" {
			t.Errorf("%q: a runner", e.Text)
		}
	}
}
