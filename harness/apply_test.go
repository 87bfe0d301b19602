package harness_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/ambit/harness"
	"github.com/google/go-cmp/cmp"
)

// TestEveryFailureTakesEverythingBack lets every step fail in turn.
func TestEveryFailureTakesEverythingBack(t *testing.T) {
	for _, first := range []bool{true, false} {
		var steps []string
		apply := func(root, fail string) (*harness.Result, error) {
			c, err := harness.Plan(root, protocol(t, secondLife), harness.Options{Native: true, Now: clock})
			if err != nil {
				t.Fatal(err)
			}
			harness.SetFault(c, func(step string) error {
				steps = append(steps, step)
				if step == fail {
					return errors.New("injected")
				}
				return nil
			})
			return harness.Apply(c)
		}
		lived := func() string {
			root := fastDir(t)
			if first {
				return root
			}
			for path, text := range livedFiles {
				put(t, root, path, text)
			}
			materialize(t, root, protocol(t, firstLife), harness.Options{Native: true})
			return root
		}
		if _, err := apply(lived(), ""); err != nil {
			t.Fatal(err)
		}
		all := slices.Clone(steps)
		if len(all) < 12 {
			t.Fatalf("only the steps %v", all)
		}
		for _, fail := range all {
			root := lived()
			before := tree(t, root)
			r, err := apply(root, fail)
			if fail == "confirm" {
				if err != nil || !slices.ContainsFunc(r.Notices, func(n harness.Notice) bool { return n.Code == harness.NoticeLedgerPending }) {
					t.Errorf("confirm: %v", err)
				}
				again := materialize(t, root, protocol(t, secondLife), harness.Options{Native: true})
				if again.Stamp != "" || strings.Contains(tree(t, root)[harness.LedgerPath], "pending") {
					t.Error("the next run did not complete the ledger")
				}
				continue
			}
			if err == nil || !strings.Contains(err.Error(), "injected") {
				t.Errorf("%s: %v", fail, err)
			}
			if d := cmp.Diff(before, tree(t, root)); d != "" {
				t.Errorf("%s (-before +after):\n%s", fail, d)
			}
			if entries, _ := os.ReadDir(root); first && len(entries) > 1 || first && len(entries) == 1 && entries[0].Name() != ".aioson" {
				t.Errorf("%s left folders: %v", fail, entries)
			}
		}
	}
}

// TestSomebodyElseWrites changes files between the plan and its application (K17).
func TestSomebodyElseWrites(t *testing.T) {
	root := folder(t, livedFiles)
	c, err := harness.Plan(root, protocol(t, small), harness.Options{Native: true, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	put(t, root, ".claude/settings.json", `{"permissions": {"allow": ["WebFetch"]}}`)
	if _, err := harness.Apply(c); err != nil {
		t.Fatalf("it starts over once: %v", err)
	}
	if got := tree(t, root)[".claude/settings.json"]; !strings.Contains(got, "WebFetch") {
		t.Errorf("the edit is lost: %s", got)
	}
	// Somebody who never stops.
	if c, err = harness.Plan(root, protocol(t, secondLife), harness.Options{Native: true, Now: clock}); err != nil {
		t.Fatal(err)
	}
	n := 0
	harness.SetFault(c, func(step string) error {
		if step == "commit 0" {
			n++
			put(t, root, ".claude/settings.json", fmt.Sprintf(`{"n": %d}`, n))
		}
		return nil
	})
	before := tree(t, root)
	if _, err := harness.Apply(c); !errors.Is(err, harness.ErrChanged) {
		t.Errorf("it refuses the second time: %v", err)
	}
	after := tree(t, root)
	if after[".claude/settings.json"] != `{"n": 2}` {
		t.Errorf("the edit is lost: %s", after[".claude/settings.json"])
	}
	before[".claude/settings.json"] = after[".claude/settings.json"]
	if d := cmp.Diff(before, after); d != "" {
		t.Errorf("(-before +after):\n%s", d)
	}
}

// TestManyRunsAtOnce runs several at the same time: none fails, and in the end all agree.
func TestManyRunsAtOnce(t *testing.T) {
	root := folder(t, livedFiles)
	var wg sync.WaitGroup
	errs := make(chan error, 100)
	for i := range 6 {
		wg.Go(func() {
			for j := range 3 {
				text := firstLife
				if (i+j)%2 == 0 {
					text = secondLife
				}
				p := protocol(t, text)
				c, err := harness.Plan(root, p, harness.Options{Native: true, Now: clock})
				if err == nil {
					_, err = harness.Apply(c)
				}
				if err != nil {
					errs <- err
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
	materialize(t, root, protocol(t, firstLife), harness.Options{Native: true})
	one := folder(t, livedFiles)
	materialize(t, one, protocol(t, firstLife), harness.Options{Native: true})
	got, want := tree(t, root), tree(t, one)
	for _, path := range []string{".claude/settings.json", ".codex/permissions.json", ".opencode/permissions.yaml", ".codex/rules/ambit.rules"} {
		if d := cmp.Diff(want[path], got[path]); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}

// TestBackupsAndRestore holds K16.
func TestBackupsAndRestore(t *testing.T) {
	root := folder(t, map[string]string{".claude/settings.json": `{"permissions": {"allow": ["Read"]}, "env": {"TOKEN": "x"}}`})
	settings := filepath.Join(root, ".claude/settings.json")
	if err := os.Chmod(settings, 0o600); err != nil {
		t.Fatal(err)
	}
	before := tree(t, root)[".claude/settings.json"]
	r := materialize(t, root, protocol(t, small), harness.Options{})
	want := []string{harness.BackupsPath + "/2026-07-05T14-30-00-000Z/permissions/.claude/settings.json"}
	if d := cmp.Diff(want, r.Backups); d != "" {
		t.Fatalf("backups (-want +got):\n%s", d)
	}
	for path, mode := range map[string]os.FileMode{r.Backups[0]: 0o600, harness.BackupsPath + "/" + r.Stamp: os.ModeDir | 0o700, ".claude/settings.json": 0o600} {
		info, err := os.Stat(filepath.Join(root, path))
		if err != nil || info.Mode() != mode {
			t.Errorf("%s: mode %v, want %v (%v)", path, info.Mode(), mode, err)
		}
	}
	// The same moment again: a counter, nothing replaced (H22).
	r2 := materialize(t, root, protocol(t, secondLife), harness.Options{})
	if r2.Stamp != r.Stamp+"-2" {
		t.Errorf("second stamp %q", r2.Stamp)
	}
	if got := tree(t, root)[r.Backups[0]]; got != before {
		t.Errorf("the first backup changed: %s", got)
	}
	c, err := harness.PlanRestore(root, protocol(t, small), r.Stamp, harness.Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := harness.Apply(c); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, root)[".claude/settings.json"]; got != before {
		t.Errorf("restored: %s", got)
	}
	// What was restored is not ours to take: the next run adds its rules and the user's stay.
	materialize(t, root, protocol(t, small), harness.Options{})
	if got := tree(t, root)[".claude/settings.json"]; !strings.Contains(got, `"Read"]`) {
		t.Errorf("after the next run: %s", got)
	}

	refuse := func(name, stamp string, target error, spoil func()) {
		t.Helper()
		spoil()
		c, err := harness.PlanRestore(root, protocol(t, small), stamp, harness.Options{Now: clock})
		if err == nil {
			err = c.Err()
		}
		if !errors.Is(err, target) {
			t.Errorf("%s: %v", name, err)
		}
	}
	refuse("no such backup", "2020-01-01T00-00-00-000Z", harness.ErrUnknown, func() {})
	refuse("not a stamp", "../../x", harness.ErrUnknown, func() {})
	manifest := harness.BackupsPath + "/" + r.Stamp + "/permissions/manifest.json"
	good := tree(t, root)[manifest]
	refuse("another path", r.Stamp, harness.ErrRefused, func() {
		put(t, root, manifest, strings.Replace(good, `".claude/settings.json"`, `"../outside.json"`, 1))
	})
	refuse("another hash", r.Stamp, harness.ErrRefused, func() {
		put(t, root, manifest, good)
		put(t, root, r.Backups[0], before+"\n")
	})
	bad := `{"permissions": {"allow": ["Bash(git push:*)"]}}`
	refuse("tier3 does not come back", r.Stamp, harness.ErrTier3, func() {
		put(t, root, r.Backups[0], bad)
		put(t, root, manifest, strings.Replace(good, sum(before), sum(bad), 1))
	})
	for name, text := range map[string]string{"no JSON": "{", "another shape": `{"version": "1"}`, "another version": strings.Replace(good, `"version": 1`, `"version": 2`, 1)} {
		put(t, root, manifest, text)
		if _, err := harness.PlanRestore(root, protocol(t, small), r.Stamp, harness.Options{}); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestWholeFilesHaveAnOwner(t *testing.T) {
	root := folder(t, map[string]string{".codex/permissions.json": `{"old": 1}`})
	r := materialize(t, root, protocol(t, small), harness.Options{})
	if !slices.ContainsFunc(r.Notices, func(n harness.Notice) bool { return n.Code == harness.NoticeUnownedOverwritten && n.Target == "codex" }) {
		t.Errorf("no notice: %+v", r.Notices)
	}
	put(t, root, ".codex/permissions.json", `{"mine": 1}`)
	c, err := harness.Plan(root, protocol(t, small), harness.Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	before := tree(t, root)
	if _, err := harness.Apply(c); !errors.Is(err, harness.ErrEdited) {
		t.Errorf("edited: %v", err)
	}
	if d := cmp.Diff(before, tree(t, root)); d != "" {
		t.Errorf("refused, and yet: %s", d)
	}
	r = materialize(t, root, protocol(t, small), harness.Options{Force: true})
	if got := tree(t, root)[r.Backups[0]]; got != `{"mine": 1}` {
		t.Errorf("the backup has %q", got)
	}
	// A lost ledger only means that nothing is taken back.
	if err := os.RemoveAll(filepath.Join(root, ".ambit")); err != nil {
		t.Fatal(err)
	}
	materialize(t, root, protocol(t, secondLife), harness.Options{})
	if got := tree(t, root)[".claude/settings.json"]; !strings.Contains(got, "Bash(git status)") || !strings.Contains(got, "Bash(git push:*)") {
		t.Errorf("taken back without a ledger: %s", got)
	}
}

func TestLedgerIsReadStrictly(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON": "{", "another version": `{"version": 9, "files": {}}`, "an unknown key": `{"version": 1, "x": 1}`, "a null entry": `{"version": 1, "files": {"a": null}}`,
		"a twice key": `{"version": 1, "version": 1}`, "pending twice": `{"version": 1, "files": {"a": {"target": "claude", "pending": {"target": "claude", "pending": {"target": "claude"}}}}}`,
		"an unknown target": `{"version": 1, "files": {"a": {"target": "zed"}}}`,
		"null":              "null", "an array": "[]", "keys in another case": `{"Version": 1, "version": 1, "FILES": {}}`,
		"an option in another case": `{"version": 1, "options": {"STRICT": true}}`, "an entry's key in another case": `{"version": 1, "files": {"a": {"target": "claude", "Ours": {}}}}`,
		"a key of what is pending": `{"version": 1, "files": {"a": {"target": "claude", "pending": {"target": "claude", "x": 1}}}}`,
		"a number for a rule":      `{"version": 1, "files": {"a": {"target": "claude", "ours": {"allow": [1]}}}}`, "nothing": "",
	} {
		root := folder(t, map[string]string{harness.LedgerPath: text})
		_, err := harness.Plan(root, protocol(t, small), harness.Options{})
		var at *harness.Error
		if !errors.Is(err, harness.ErrLedger) || !errors.As(err, &at) || at.Line != 1 || at.Col == 0 || at.Hint == "" || strings.Contains(err.Error(), "Go ") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := harness.Check(root, protocol(t, small)); err == nil {
			t.Errorf("%s: Check took it", name)
		}
		if _, err := harness.PlanHook(root, harness.Claude, true, harness.Options{}); err == nil {
			t.Errorf("%s: PlanHook took it", name)
		}
	}
	root := folder(t, map[string]string{harness.LedgerPath: `{"version": 1}`})
	materialize(t, root, protocol(t, small), harness.Options{})
}
