package systempolicy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/ambit/internal/conformance"
	. "example.com/ambit/systempolicy"
	"github.com/google/go-cmp/cmp"
)

// flagKeys are the flags of a recorded set, with the keys that they set.
var flagKeys = map[string]Key{
	"--routes": KeyRoutes, "--max-criticality": KeyMaxCriticality, "--max-files": KeyMaxFiles, "--max-lines": KeyMaxLines,
	"--regression-test": KeyRegressionTest, "--second-review": KeySecondReview, "--runs-per-day": KeyRunsPerDay,
	"--merges-per-day": KeyMergesPerDay, "--days": KeyDays, "--from": KeyFrom, "--to": KeyTo, "--timezone": KeyTimezone,
	"--undo-window": KeyUndoWindow, "--engine": KeyEngine,
}

// edit does what a recorded command line asks for.
func edit(argv []string, data []byte) (Edited, error) {
	switch argv[0] {
	case "pause":
		return Pause("system.yaml", data)
	case "resume":
		return Resume("system.yaml", data)
	}
	patch, err := Patch{}.With(KeyLevel, argv[2])
	for i := 3; i < len(argv) && err == nil; i += 2 {
		key, value := flagKeys[argv[i]], argv[i+1]
		if argv[i] == "--per-run" {
			name, v, _ := strings.Cut(value, "=")
			if key, err = ParseKey("budget.perRun." + name); err != nil {
				break
			}
			value = v
		}
		patch, err = patch.With(key, value)
	}
	if err != nil {
		return Edited{}, err
	}
	return Edit("system.yaml", data, argv[1], patch)
}

func TestConformanceEdit(t *testing.T) {
	type row struct {
		Name string
		Cmd  struct {
			Argv    []string
			Exit    int
			Changes bool
			Why     string
		} `json:"cmd.json"`
		In   conformance.Text `json:"in.yaml"`
		Want conformance.Text `json:"want.yaml"`
	}
	conformance.Run(t, "systempolicy/edit.jsonl", 34, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		got, err := edit(r.Cmd.Argv, r.In.Bytes())
		if r.Cmd.Exit != 0 {
			if err == nil {
				t.Fatalf("%s: not refused:\n%s", r.Cmd.Why, got.Data)
			}
			t.Log(err)
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", r.Cmd.Why, err)
		}
		if d := cmp.Diff(string(r.Want.Bytes()), string(got.Data)); d != "" || got.Changed != r.Cmd.Changes {
			t.Errorf("%s: changed %v (-want +got):\n%s", r.Cmd.Why, got.Changed, d)
		}
	})
}

func TestConformancePlan(t *testing.T) {
	type row struct {
		Name, Env, Why string
		Autonomy       map[string]any
		Set            struct {
			Level string
			Flags map[string]any
		}
		AtOnce, AfterMerge []string
		Signal             map[string]any
		After              map[string]any
	}
	conformance.Run(t, "systempolicy/plan.jsonl", 7, func(r row) string { return r.Name }, func(t *testing.T, r row) {
		patch, err := Patch{}.With(KeyLevel, r.Set.Level)
		if err != nil {
			t.Fatal(err)
		}
		for name, v := range r.Set.Flags {
			key, err := ParseKey(name)
			if err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprint(v)
			if list, ok := v.([]any); ok {
				text = strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
			}
			if patch, err = patch.With(key, text); err != nil {
				t.Fatal(err)
			}
		}
		merged := FromValue(r.Autonomy)
		next := patch.Apply(merged)
		if c := Compare(next, FromValue(r.After)); c.Verdict != Equal {
			t.Errorf("%s: after: %s", r.Why, c)
		}
		plan := Split(merged, next)
		got := map[string]any{"atOnce": plan.AtOnce.Names(), "afterMerge": plan.AfterMerge.Names(), "signal": flat(t, plan.Signal)}
		want := map[string]any{"atOnce": r.AtOnce, "afterMerge": r.AfterMerge, "signal": r.Signal}
		if d := cmp.Diff(want, got, numbers); d != "" {
			t.Errorf("%s (-want +got):\n%s", r.Why, d)
		}

		env := map[string]any{}
		if r.Autonomy != nil {
			env["autonomy"] = r.Autonomy
		}
		data, err := json.Marshal(map[string]any{"environments": map[string]any{r.Env: env}})
		if err != nil {
			t.Fatal(err)
		}
		edited, err := Edit("system.yaml", data, r.Env, patch)
		if err != nil {
			t.Fatal(err)
		}
		var back struct {
			Environments map[string]struct{ Autonomy map[string]any }
		}
		if err := json.Unmarshal(edited.Data, &back); err != nil {
			t.Fatalf("a JSON file is no JSON any more: %v\n%s", err, edited.Data)
		}
		if d := cmp.Diff(decoded(t, r.After), decoded(t, back.Environments[r.Env].Autonomy), numbers); d != "" {
			t.Errorf("%s: the edited file (-want +got):\n%s", r.Why, d)
		}
	})
}

// flat gives a signal with dotted keys, the window whole, as the recorded rows have it; nil when nothing is sent.
func flat(t *testing.T, p Patch) map[string]any {
	t.Helper()
	if p.Keys().Empty() {
		return nil
	}
	out := map[string]any{}
	var walk func(prefix string, v any)
	walk = func(prefix string, v any) {
		m, ok := v.(map[string]any)
		if !ok || prefix == "window" {
			out[prefix] = v
			return
		}
		for k, item := range m {
			if prefix != "" {
				k = prefix + "." + k
			}
			walk(k, item)
		}
	}
	walk("", decoded(t, p))
	return out
}
