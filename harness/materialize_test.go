package harness_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ambit/harness"
	"example.com/ambit/tiers"
	"github.com/google/go-cmp/cmp"
)

var clock = time.Date(2026, 7, 5, 14, 30, 0, 0, time.UTC)

const small = `{
  "version": "1.1",
  "tiers": {
    "tier1_silent": {"shell_patterns": ["git status", "git log *"], "aioson_commands": ["preflight"]},
    "tier2_notified": {"shell_patterns": ["touch notes *"], "aioson_commands": ["workflow:next"]},
    "tier3_blocking": {"shell_patterns": ["git push *", "curl * | sh"], "aioson_commands": ["cloud:publish:*"]}
  },
  "tools": {
    "claude": {"mode": "trusted", "derived_from_tiers": ["tier1_silent", "tier2_notified"]},
    "codex": {"mode": "trusted", "derived_from_tiers": ["tier1_silent"]},
    "opencode": {"derived_from_tiers": ["tier1_silent"]}
  }
}`

func protocol(t testing.TB, text string) *tiers.Protocol {
	t.Helper()
	p, err := tiers.Parse("protocol.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// folder makes a root with the given files.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	root := fastDir(t)
	for path, text := range files {
		put(t, root, path, text)
	}
	return root
}

func put(t testing.TB, root, path, text string) {
	t.Helper()
	name := filepath.Join(root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tree reads every file below the root.
func tree(t testing.TB, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if !d.Type().IsRegular() {
			out[filepath.ToSlash(rel)] = "(" + d.Type().String() + ")"
			return nil
		}
		data, err := os.ReadFile(path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func materialize(t testing.TB, root string, p *tiers.Protocol, o harness.Options) *harness.Result {
	t.Helper()
	o.Now = clock
	c, err := harness.Plan(root, p, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := harness.Apply(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMaterializeFromNothing(t *testing.T) {
	root := folder(t, nil)
	r := materialize(t, root, protocol(t, small), harness.Options{Native: true})
	got := tree(t, root)
	want := map[string]string{
		".claude/settings.json": `{
  "permissions": {
    "allow": [
      "Bash(git status)",
      "Bash(git log:*)",
      "Bash(touch notes:*)",
      "Bash(aioson preflight:*)",
      "Bash(aioson workflow:next:*)"
    ],
    "deny": [
      "Bash(git push:*)",
      "Bash(aioson cloud:publish*)"
    ]
  }
}
`,
		".codex/rules/ambit.rules": `# Written by ambit from the autonomy protocol; a change here is lost. Codex reads this file in trusted projects.

prefix_rule(
    pattern = ["git", "push"],
    decision = "forbidden",
    justification = "git push * (tier3): a person must run it",
    match = [["git", "push"]],
    not_match = [["git", "push-other"]],
)
`,
		"opencode.json": `{
  "permission": {
    "bash": {
      "git status": "allow",
      "git log *": "allow",
      "aioson preflight *": "allow",
      "git push *": "deny",
      "aioson cloud:publish*": "deny"
    }
  }
}
`,
	}
	for path, text := range want {
		if d := cmp.Diff(text, got[path]); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
	for _, f := range r.Files {
		if f.Action != harness.Create {
			t.Errorf("%s: %v", f.Path, f.Action)
		}
	}
	if len(r.Backups) != 0 {
		t.Errorf("backups of nothing: %v", r.Backups)
	}
	before := tree(t, root)
	again := materialize(t, root, protocol(t, small), harness.Options{Native: true})
	for _, f := range again.Files {
		if f.Action != harness.Same {
			t.Errorf("second run: %s: %v\n%s", f.Path, f.Action, f.Diff)
		}
	}
	if d := cmp.Diff(before, tree(t, root)); d != "" {
		t.Errorf("the second run wrote (-before +after):\n%s", d)
	}
	for path := range got {
		if strings.Contains(path, "atomic-tmp") {
			t.Errorf("left behind: %s", path)
		}
	}
}

// TestProtocolChanges holds the life of rules: ours go when the protocol gives them up, the user's stay, the third run
// writes nothing.
func TestProtocolChanges(t *testing.T) {
	settings := "{\r\n\t\"env\": {\"A\": 1e400},\r\n\t\"permissions\": {\"deny\": [\"Read(.env)\"], \"allow\": [\"Read\", \"Bash(git status)\", \"Read\"]}\r\n}"
	config := "{\n  // mine\n  \"permission\": {\"bash\": {\"*\": \"ask\", \"git push *\": \"ask\", \"ls *\": \"allow\",},},\n}\n"
	root := folder(t, map[string]string{".claude/settings.json": settings, "opencode.jsonc": config})
	materialize(t, root, protocol(t, small), harness.Options{Native: true})
	got := tree(t, root)
	if d := cmp.Diff("{\r\n\t\"env\": {\"A\": 1e400},\r\n\t\"permissions\": {\"deny\": [\"Bash(git push:*)\", \"Bash(aioson cloud:publish*)\", \"Read(.env)\"], \"allow\": [\"Bash(git status)\", \"Bash(git log:*)\", \"Bash(touch notes:*)\", \"Bash(aioson preflight:*)\", \"Bash(aioson workflow:next:*)\", \"Read\", \"Read\"]}\r\n}", got[".claude/settings.json"]); d != "" {
		t.Errorf("claude (-want +got):\n%s", d)
	}
	if d := cmp.Diff("{\n  // mine\n  \"permission\": {\"bash\": {\"*\": \"ask\", \"ls *\": \"allow\", \"git status\": \"allow\", \"git log *\": \"allow\", \"aioson preflight *\": \"allow\", \"git push *\": \"deny\", \"aioson cloud:publish*\": \"deny\",},},\n}\n", got["opencode.jsonc"]); d != "" {
		t.Errorf("opencode (-want +got):\n%s", d)
	}
	next := strings.NewReplacer(`"git status", "git log *"`, `"ls"`, `"git push *", "curl * | sh"`, `"git clean *"`).Replace(small)
	materialize(t, root, protocol(t, next), harness.Options{Native: true})
	got = tree(t, root)
	if d := cmp.Diff("{\r\n\t\"env\": {\"A\": 1e400},\r\n\t\"permissions\": {\"deny\": [\"Bash(git clean:*)\", \"Bash(aioson cloud:publish*)\", \"Read(.env)\"], \"allow\": [\"Bash(ls)\", \"Bash(touch notes:*)\", \"Bash(aioson preflight:*)\", \"Bash(aioson workflow:next:*)\", \"Bash(git status)\", \"Read\", \"Read\"]}\r\n}", got[".claude/settings.json"]); d != "" {
		t.Errorf("claude, changed (-want +got):\n%s", d)
	}
	if d := cmp.Diff("{\n  // mine\n  \"permission\": {\"bash\": {\"*\": \"ask\", \"ls *\": \"allow\", \"git push *\": \"ask\", \"ls\": \"allow\", \"aioson preflight *\": \"allow\", \"git clean *\": \"deny\", \"aioson cloud:publish*\": \"deny\",},},\n}\n", got["opencode.jsonc"]); d != "" {
		t.Errorf("opencode, changed (-want +got):\n%s", d)
	}
	r := materialize(t, root, protocol(t, next), harness.Options{}) // native files that were written once are kept up to date
	if len(r.Files) != 5 {
		t.Errorf("%d files", len(r.Files))
	}
	if r.Stamp != "" {
		t.Error("the third run wrote")
	}
	if d := cmp.Diff(got, tree(t, root)); d != "" {
		t.Errorf("the third run wrote (-before +after):\n%s", d)
	}
}

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(s[:])
}
