package tiers_test

import (
	"fmt"
	"testing"

	"example.com/ambit/tiers"
	"github.com/google/go-cmp/cmp"
)

func TestVerdictWrites(t *testing.T) {
	p, err := tiers.Parse("p", []byte(`{"version":"1.1","tiers":{
		"tier1_silent":{"shell_patterns":["echo *","tee *"]},
		"tier2_notified":{"write_paths":["out/**"]},
		"tier3_blocking":{"shell_patterns":["git push *"]}},
		"tools":{"x":{"derived_from_tiers":["tier1_silent","tier2_notified"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"echo a > out/b; echo c | tee out/d > out/b":   {"out/b", "out/d"},
		"cd out && echo a >> e":                        {"out/e"},
		"echo a > /r/out/f":                            {"out/f"},
		"echo a > elsewhere":                           nil,
		"echo a > /dev/null":                           nil,
		"case a in a) cd ..;; esac; echo a > out/b":    nil,
		"case a in a) cd ..;; esac; echo a > /r/out/b": {"out/b"},
	} {
		v := tiers.Evaluator{Protocol: p, Root: "/r", Dir: "/r"}.Evaluate(text)
		if d := cmp.Diff(want, v.Writes); d != "" {
			t.Errorf("%s (-want +got):\n%s", text, d)
		}
	}
}

// TestSteeringFromWithin states that a control file is known wherever the shell stands when it is written (T34a).
func TestSteeringFromWithin(t *testing.T) {
	p, err := tiers.Parse("p", []byte(`{"version":"1.1","tiers":{
		"tier1_silent":{"shell_patterns":["cp *","git status"]},
		"tier2_notified":{"write_paths":["**"]},
		"tier3_blocking":{"shell_patterns":["git push *"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	many := "for i in 1 2; do cp a b; done;"
	for d := range 400 {
		many += fmt.Sprintf("cd d%d; cd ..; cp a b;", d)
	}
	branches := func(n int) string {
		out := "case a in"
		for d := range n {
			out += fmt.Sprintf(" %d) cd d%d;;", d, d)
		}
		return out + " esac; echo x > a"
	}
	for text, want := range map[string]tiers.Decision{
		"cd .claude && echo x > settings.json":                             tiers.Block,
		"cd .claude; cp a settings.json":                                   tiers.Block,
		"cd sub && cd .codex && cp a config.toml":                          tiers.Block,
		"f() { cp a settings.json; }; cd .claude; f":                       tiers.Block,
		"for i in 1 2; do echo x > settings.json; cd .claude; done":        tiers.Block,
		"for i in 1 2; do cp a settings.json; \"cd\" .claude; done":        tiers.Block,
		"eval 'cd .claude'; cp a settings.json":                            tiers.Block,
		"cd .git/hooks && cp a pre-commit":                                 tiers.Ask,
		"for i in 1 2; do cp a pre-commit; cd .git; cd hooks; done":        tiers.Ask,
		"f() { echo x > a; }; cd sub; f":                                   tiers.Ask,
		"for i in 1 2; do echo x > a; cd sub; done":                        tiers.Ask,
		"for i in 1 2; do echo x > a; done; cd sub":                        tiers.Notify,
		"for i in 1 2; do git status; done; cd sub":                        tiers.Silent,
		"cd sub && cp a settings.json":                                     tiers.Silent,
		"for i in 1 2; do cp a b; done; cd sub":                            tiers.Silent,
		"n=0; for f in a b; do n=$((n+1)); echo $((n*2)); done; read line": tiers.Silent,
		many:        tiers.Ask,
		branches(7): tiers.Notify, // with where it began, the shell may stand in eight folders
		branches(8): tiers.Ask,    // nine are too many to follow
	} {
		if v := (tiers.Evaluator{Protocol: p, Root: "/r", Dir: "/r"}).Evaluate(text); v.Decision != want {
			t.Errorf("%.80s: %s, want %s\n%.800s", text, v.Decision, want, v.Explain())
		}
	}
}
