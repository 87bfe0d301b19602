package tiers_test

import (
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
		"echo a > out/b; echo c | tee out/d > out/b": {"out/b", "out/d"},
		"cd out && echo a >> e":                      {"out/e"},
		"echo a > /r/out/f":                          {"out/f"},
		"echo a > elsewhere":                         nil,
		"echo a > /dev/null":                         nil,
	} {
		v := tiers.Evaluator{Protocol: p, Root: "/r", Dir: "/r"}.Evaluate(text)
		if d := cmp.Diff(want, v.Writes); d != "" {
			t.Errorf("%s (-want +got):\n%s", text, d)
		}
	}
}
