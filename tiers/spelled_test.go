package tiers

import (
	"slices"
	"strings"
	"testing"
)

// TestRowsOfSubcommands holds every row about a subcommand to what its program says: where the pattern must spell out
// what runs, a row that only lists options must not take that away.
func TestRowsOfSubcommands(t *testing.T) {
	vouch := []string{"reads", "norun", "alters", "reads-operands", "reads-plainly", "script", "runner"}
	k := DefaultKnowledge()
	asked := 0
	for name := range k.programs.rows {
		rows := k.programs.rowsOf(name)
		program, _, sub := strings.Cut(name, " ")
		p := k.programs.get(program)
		if !sub || p == nil || p.script == 0 || p.shell {
			continue
		}
		if slices.ContainsFunc(rows, func(r string) bool { verb, _, _ := strings.Cut(r, " "); return slices.Contains(vouch, verb) }) {
			continue
		}
		asked++
		v := Evaluator{Protocol: protocolOf(t, []string{program + " *"}, nil, nil), Root: "/repo"}.Evaluate(name + " x")
		if v.Allows() {
			t.Errorf("%s x runs unasked by %s *, though its rows only say %q", name, program, rows)
		}
		v = Evaluator{Protocol: protocolOf(t, []string{name + " *"}, nil, nil), Root: "/repo"}.Evaluate(name)
		if !v.Allows() {
			t.Errorf("%s asks, though %s * spells it out\n%s", name, name, v.Explain())
		}
	}
	if asked < 10 {
		t.Errorf("%d rows were asked, want at least 10", asked)
	}
}
