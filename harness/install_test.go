package harness

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/ambit/internal/regime"
)

// TestUninstallIsTheInverse installs the hook into random settings and takes it out again: byte for byte what was there.
func TestUninstallIsTheInverse(t *testing.T) {
	n := regime.Cases(t, 5_000, 50_000)
	o := &odd{r: rand.New(rand.NewPCG(5, 6))}
	hooks := []string{`{}`, `{ }`, "{\n}", `{"PreToolUse": []}`, `{"PreToolUse": [ ]}`, "{\"PreToolUse\": [\n ]}", `{"PreToolUse":[{"matcher":"x","hooks":[{"command":"mine"}]}]}`,
		"{\n\t\"Stop\": [],\n\t\"PreToolUse\": [\n\t\t{\"matcher\": \"x\"},  {\"matcher\":\n\"y\"}\n\t]\n}", `{"SessionStart":[{"hooks":[]}]}`}
	installed := 0
	for range n {
		text := o.settings()
		if with := pick(o.r, hooks); o.r.IntN(3) > 0 && !strings.Contains(text, `"hooks"`) {
			if i := strings.IndexByte(text, '{'); strings.TrimSpace(text[i+1:])[0] == '}' {
				text = text[:i+1] + `"hooks":` + with + text[i+1:]
			} else {
				text = text[:i+1] + `"hooks" : ` + with + "," + text[i+1:]
			}
		}
		doc, err := openSettings("f", []byte(text), true)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		with, r, err := installHook(doc, nil)
		if err != nil {
			if e := (*Error)(nil); !errors.As(err, &e) || e.Code != CodeType || e.Line == 0 {
				t.Fatalf("%v\n%s", err, text)
			}
			continue // hooks of another type are refused
		}
		installed++
		if !strings.Contains(string(with.Source), HookCommand) || !json.Valid(with.Source) {
			t.Fatalf("not installed:\n%s\n->\n%s", text, with.Source)
		}
		if err := samePermissions(doc, with); err != nil {
			t.Fatal(err)
		}
		twice, _, err := installHook(with, r)
		if err != nil || string(twice.Source) != string(with.Source) {
			t.Fatalf("installed twice: %v\n%s", err, twice.Source)
		}
		without, err := uninstallHook(with, r)
		if err != nil || string(without.Source) != text {
			t.Fatalf("%v\nbefore %q\nwith   %q\nafter  %q", err, text, with.Source, without.Source)
		}
	}
	t.Logf("installed %d of %d", installed, n)
	if installed < n/2 {
		t.Error("hardly any")
	}
}

// TestUninstallAmongOthers takes out no more than the command, whatever became of its entry.
func TestUninstallAmongOthers(t *testing.T) {
	quoted, err := json.Marshal(HookCommand)
	if err != nil {
		t.Fatal(err)
	}
	ours := `{"type":"command","command":` + string(quoted) + `}`
	for _, tt := range []struct{ before, after string }{
		{`{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"command":"mine"},` + ours + `]}]}}`, `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"command":"mine"}]}]}}`},
		{`{"hooks":{"PreToolUse":[{"matcher":"edited","hooks":[` + ours + `]},{"matcher":"b"}]}}`, `{"hooks":{"PreToolUse":[{"matcher":"b"}]}}`},
		{`{"hooks":{"PreToolUse":[{"hooks":[` + ours + `]}]}}`, `{"hooks":{"PreToolUse":[]}}`},
		{`{"hooks":{"PreToolUse":[{"matcher":"b"}]}}`, `{"hooks":{"PreToolUse":[{"matcher":"b"}]}}`},
		{`{}`, `{}`},
	} {
		doc, err := openSettings("f", []byte(tt.before), true)
		if err != nil {
			t.Fatal(err)
		}
		got, err := uninstallHook(doc, nil)
		if err != nil || string(got.Source) != tt.after {
			t.Errorf("%s\n-> %v %s\nwant %s", tt.before, err, got.Source, tt.after)
		}
	}
	for _, text := range []string{`{"hooks": []}`, `{"hooks": {"PreToolUse": {}}}`} {
		doc, err := openSettings("f", []byte(text), true)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := uninstallHook(doc, nil); err == nil {
			t.Errorf("taken: %s", text)
		}
	}
}
