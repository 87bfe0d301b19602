package harness_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ambit/harness"
	"github.com/google/go-cmp/cmp"
)

func placeHook(t testing.TB, root string, install bool) *harness.Result {
	t.Helper()
	c, err := harness.PlanHook(root, harness.Claude, install, harness.Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	r, err := harness.Apply(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestHookAndRulesShareTheFile: installing and materializing may come in any order, and each takes back only its own.
func TestHookAndRulesShareTheFile(t *testing.T) {
	settings := `{"permissions": {"allow": ["Read"]}, "hooks": {}}`
	alone := folder(t, map[string]string{".claude/settings.json": settings})
	materialize(t, alone, protocol(t, small), harness.Options{})
	for _, first := range []bool{true, false} {
		root := folder(t, map[string]string{".claude/settings.json": settings})
		if first {
			placeHook(t, root, true)
		}
		materialize(t, root, protocol(t, small), harness.Options{})
		if !first {
			placeHook(t, root, true)
		}
		if files, err := harness.Check(root, protocol(t, small)); err != nil || harness.InStep(files) != nil {
			t.Errorf("with the hook: %+v, %v", files, err)
		}
		placeHook(t, root, false)
		if d := cmp.Diff(tree(t, alone)[".claude/settings.json"], tree(t, root)[".claude/settings.json"]); d != "" {
			t.Errorf("(-without +taken back):\n%s", d)
		}
		materialize(t, root, protocol(t, strings.Replace(small, `"git status", `, "", 1)), harness.Options{})
		if got := claudeList(t, root, "allow"); strings.Contains(strings.Join(got, " "), "git status") {
			t.Errorf("ownership was lost on the way: %v", got)
		}
	}
}

func TestHookMakesAndRemovesTheFile(t *testing.T) {
	root := folder(t, nil)
	if r := placeHook(t, root, false); r.Files[0].Action != harness.Same {
		t.Errorf("nothing to take out: %v", r.Files[0].Action)
	}
	placeHook(t, root, true)
	// A failure puts the removed file back; so does an edit meanwhile.
	for _, fail := range []string{"prepare 0", "commit 0", "ledger"} {
		c, err := harness.PlanHook(root, harness.Claude, false, harness.Options{Now: clock})
		if err != nil {
			t.Fatal(err)
		}
		harness.SetFault(c, func(step string) error {
			if step == fail {
				return errors.New("injected")
			}
			return nil
		})
		before := tree(t, root)
		if _, err := harness.Apply(c); err == nil {
			t.Errorf("%s: no error", fail)
		}
		if d := cmp.Diff(before, tree(t, root)); d != "" {
			t.Errorf("%s (-before +after):\n%s", fail, d)
		}
	}
	c, err := harness.PlanHook(root, harness.Claude, false, harness.Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	harness.SetFault(c, func(step string) error {
		if step == "commit 0" {
			put(t, root, ".claude/settings.json", `{"mine": 1}`)
		}
		return nil
	})
	if _, err := harness.Apply(c); err != nil {
		t.Errorf("it starts over: %v", err)
	}
	if got := tree(t, root)[".claude/settings.json"]; got != `{"mine": 1}` {
		t.Errorf("the edit is lost: %q", got)
	}
	if err := os.Remove(filepath.Join(root, ".claude/settings.json")); err != nil {
		t.Fatal(err)
	}
	placeHook(t, root, true)
	r := placeHook(t, root, false)
	if r.Files[0].Action != harness.Remove || !strings.Contains(r.Files[0].Diff, "+++ /dev/null") || len(r.Backups) != 1 {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(root, ".claude/settings.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("still there: %v", err)
	}
}

func TestHookRefusals(t *testing.T) {
	for text, code := range map[string]string{
		`{"hooks": []}`: harness.CodeType, `{"hooks": {"PreToolUse": {}}}`: harness.CodeType, `[]`: harness.CodeType, `{"a": 1 // x` + "\n}": "json_comment",
	} {
		root := folder(t, map[string]string{".claude/settings.json": text})
		for _, install := range []bool{true, false} {
			c, err := harness.PlanHook(root, harness.Claude, install, harness.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var e *harness.Error
			if _, err := harness.Apply(c); !errors.As(err, &e) || e.Code != code || e.Line != 1 || !strings.HasSuffix(e.File, "settings.json") {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	for _, n := range []harness.Name{harness.Codex, harness.OpenCode, harness.Gemini, harness.Cursor} {
		if _, err := harness.PlanHook(t.TempDir(), n, true, harness.Options{}); !errors.Is(err, harness.ErrUnknown) || !strings.Contains(err.Error(), n.String()) {
			t.Errorf("%v: %v", n, err)
		}
	}
}
