package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ambit/harness"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

const doctorNow = "AMBIT_NOW=2026-07-08T10:00:00Z"

// doctorFolder lays out testdata/doctor/NAME.txtar, and a home in which Claude Code trusts the folder or does not.
func doctorFolder(t *testing.T, name string, trusted bool) (root string, env []string) {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "doctor", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	root, home := t.TempDir(), t.TempDir()
	for _, f := range archive.Files {
		writeFile(t, filepath.Join(root, filepath.FromSlash(f.Name)), f.Data)
	}
	state, err := json.Marshal(map[string]any{"projects": map[string]any{root: map[string]any{"hasTrustDialogAccepted": trusted}}})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(home, ".claude.json"), state)
	level := map[bool]string{true: "trusted", false: "untrusted"}[trusted]
	writeFile(t, filepath.Join(home, ".codex", "config.toml"), []byte(fmt.Sprintf("[projects.%q]\ntrust_level = %q\n", root, level)))
	program := filepath.Join(home, "bin", "ambit")
	writeFile(t, program, nil)
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	return root, []string{doctorNow, "HOME=" + home, "PATH=" + filepath.Dir(program)}
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// diagnose runs doctor on a folder and gives "severity file:line code" of each finding.
func diagnose(t *testing.T, root string, env []string, args ...string) (code int, found []string) {
	t.Helper()
	code, stdout, stderr := run(t, "", env, append([]string{"doctor", "--format", "json", "--root", root}, args...)...)
	var report struct {
		Version                 int
		Findings                []finding
		Documents               []examined
		Errors, Warnings, Notes int
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || report.Version != 1 || stderr != "" {
		t.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	for _, f := range report.Findings {
		if f.Message == "" || f.Severity != severityNote && f.Fix == nil {
			t.Errorf("a finding without a sentence or a fix: %+v", f)
		}
		place := f.File
		if f.Line != nil {
			place += fmt.Sprintf(":%d", *f.Line)
		}
		found = append(found, f.Severity+" "+place+" "+f.Code)
	}
	if n := len(report.Findings); n != report.Errors+report.Warnings+report.Notes {
		t.Errorf("%d findings, counted %d, %d, %d", n, report.Errors, report.Warnings, report.Notes)
	}
	return code, found
}

func TestDoctorCleanFolder(t *testing.T) {
	root, env := doctorFolder(t, "clean", true)
	code, found := diagnose(t, root, env)
	if d := cmp.Diff([]string{"note system.yaml engine_not_asked"}, found); d != "" || code != exitOK {
		t.Errorf("exit %d (-want +got):\n%s", code, d)
	}
	if code, found := diagnose(t, t.TempDir(), env); code != exitOK || found != nil {
		t.Errorf("an empty folder: exit %d, %v", code, found)
	}
}

// TestDoctorPlantedFaults plants a fault of every kind: each is named, and nothing else is.
func TestDoctorPlantedFaults(t *testing.T) {
	root, env := doctorFolder(t, "faults", false)
	code, found := diagnose(t, root, env)
	want := []string{
		"error agents/dave/autonomy-envelope.md table-drift",
		"error agents/erin/autonomy-envelope.md:8 bad-value",
		"warning agents/frank/autonomy-envelope.md stale",
		"warning agents/frank/autonomy-envelope.md:13 title-mismatch",
		"warning .aioson/config/autonomy-protocol.json:4 tier3_overlap",
		"warning .aioson/config/autonomy-protocol.json:5 unknown_field",
		"error .claude/settings.json tier3",
		"error .claude/settings.json:8 tier3_allowed",
		"error .claude/settings.json:18 hook_not_executable",
		"error .claude/settings.json:19 hook_missing",
		"warning .claude/settings.json not_in_force",
		"warning .claude/settings.json not_in_force",
		"warning .claude/settings.json:6 duplicate_rule",
		"warning .claude/settings.json:7 interpreter_allow",
		"warning .claude/settings.json:11 dead_rule",
		"warning .claude/settings.json:20 hook_fails_open",
		"note .claude/settings.json:20 not_asked",
		"error .codex/permissions.json drifted", // the protocol declares the tool no more
		"error .codex/rules/ambit.rules edited",
		"error .codex/rules/ambit.rules:3 rules",
		"warning opencode.json:3 other_shape",
		"error .opencode/permissions.yaml drifted",
		"warning .opencode/permissions.yaml not_in_force",
		"warning .gemini/policies/guard.toml not_in_force",
		"error .cursor/cli.json:2 json_comment",
		"warning .cursor/hooks.json:3 hook_fails_open",
		"warning system.yaml:11 no-engine",
		"note system.yaml window_closed",
		"note system.yaml engine_not_asked",
		"error applications/other/autonomy.json:3 wrong-type",
		"error applications/shop/autonomy.json:11 autonomy_drift",
		"error campaign/campaign_policy.json:1 BOUNDED_AUTONOMY_SOURCE_WRITE_FORBIDDEN",
		"error campaign/coverage_gaps.json:3 CAMPAIGN_GAPS_INVALID",
		"error campaign/failed_campaign_digests.json BOUNDED_AUTONOMY_REPEATED_FAILED_DIGEST",
		"error campaign/projection_protocol.json:2 CAMPAIGN_AUTHORITY_CLAIMED",
		"error turns/tampered.turn.json:1 source_hash_differs",
		"error turns/tampered.turn.json:1 envelope_hash_differs",
		"error turns/turn-envelope.json:1 schema",
		"warning .aioson/context/bootstrap bootstrap_missing",
		"warning .codex not_in_force",
	}
	if d := cmp.Diff(want, found); d != "" || code != exitRefused {
		t.Errorf("exit %d (-want +got):\n%s", code, d)
	}
	if faults := slices.DeleteFunc(slices.Clone(found), func(f string) bool { return strings.HasPrefix(f, severityNote) }); len(faults) < 20 {
		t.Errorf("only %d faults are planted", len(faults))
	}
}

// TestDoctorOneFault changes one thing of the clean folder at a time.
func TestDoctorOneFault(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, root string)
		want   []string
	}{
		{"a folder in place of a file", func(t *testing.T, root string) {
			remove(t, root, "system.yaml")
			writeFile(t, filepath.Join(root, "system.yaml", "x"), nil)
		}, []string{"error system.yaml unreadable"}},
		{"no autonomy.json", func(t *testing.T, root string) { remove(t, root, "applications/shop/autonomy.json") },
			[]string{"error applications/shop/autonomy.json autonomy_missing"}},
		{"a stale autonomy.json", func(t *testing.T, root string) {
			writeFile(t, filepath.Join(root, "system.yaml"), []byte("name: shop\n"))
		}, []string{"error applications/shop/autonomy.json autonomy_stale"}},
		{"an autonomy.json by rules but not by schema", func(t *testing.T, root string) {
			replace(t, root, "applications/shop/autonomy.json", `"promotion": {"forward": false, "rollback": ["dev"]},`, "")
		}, []string{"error applications/shop/autonomy.json:1 schema", "error applications/shop/autonomy.json:4 autonomy_drift"}},
		{"an invalid system", func(t *testing.T, root string) { replace(t, root, "system.yaml", "level: act", "level: acts") },
			[]string{"error system.yaml:5 not-allowed"}},
		{"an invalid protocol", func(t *testing.T, root string) {
			replace(t, root, protocolFile, "tier1_silent\": {", "tier1\": {")
		}, []string{"error " + protocolFile + ":4 unknown_tier"}},
		{"a document is missing", func(t *testing.T, root string) { remove(t, root, "campaign/projection_protocol.json") },
			[]string{"error campaign/projection_protocol.json CROWN_JEWEL_INPUT_MISSING"}},
		{"a broken turn envelope", func(t *testing.T, root string) {
			writeFile(t, filepath.Join(root, "turns", "one.turn.json"), []byte("{\"a\":1,\n\"a\":2}"))
		}, []string{"error turns/one.turn.json:2 json_duplicate"}},
		{"broken settings", func(t *testing.T, root string) {
			writeFile(t, filepath.Join(root, claudeSettings), []byte("{\"permissions\": {},}"))
		}, []string{"error .claude/settings.json:1 json_syntax"}},
		{"settings of the wrong shape", func(t *testing.T, root string) {
			writeFile(t, filepath.Join(root, claudeSettings), []byte("{\"permissions\": {\"allow\": \"Bash\",\n\"deny\": [1], \"defaultMode\": \"bypassPermissions\"}, \"disableAllHooks\": true}"))
		}, []string{"error .claude/settings.json:1 wrong_type", "error .claude/settings.json:2 wrong_type", "warning .claude/settings.json:2 bypass_mode", "warning .claude/settings.json:2 hooks_off"}},
		{"permissions that are none", func(t *testing.T, root string) {
			writeFile(t, filepath.Join(root, claudeSettings), []byte(`{"permissions": []}`))
		}, []string{"error .claude/settings.json:1 wrong_type"}},
		{"rules of one's own", func(t *testing.T, root string) {
			writeFile(t, filepath.Join(root, claudeLocal), []byte(`{"permissions": {"allow": ["Bash(make test)"]}}`))
		}, []string{"note .claude/settings.local.json:1 local_allows"}},
		{"two files of OpenCode, the laxer rule last", func(t *testing.T, root string) {
			writeFile(t, filepath.Join(root, "opencode.json"), []byte(`{"permission": {"bash": {"*": "ask", "git push *": "deny"}}}`))
			writeFile(t, filepath.Join(root, "opencode.jsonc"), []byte("{\"permission\": {\"bash\": {\n\"git push *\": \"deny\", // never\n\"git *\": \"allow\", \"x\": 1}}}"))
		}, []string{"error opencode.json two_files", "error opencode.jsonc:3 wrong_type", "warning opencode.jsonc:2 shadowed_rule", "warning opencode.jsonc:3 broad_allow"}},
		{"files that no agent reads", func(t *testing.T, root string) {
			for _, file := range []string{".codex/rules/ambit.rules", "opencode.json", harness.LedgerPath} {
				remove(t, root, file)
			}
		}, []string{"warning .codex/permissions.json not_in_force", "warning .opencode/permissions.yaml not_in_force"}},
		{"drift", func(t *testing.T, root string) {
			replace(t, root, ".codex/permissions.json", "guarded", "trusted")
			replace(t, root, protocolFile, `"git log *"`, `"git show *"`)
			remove(t, root, ".opencode/permissions.yaml")
		}, []string{"error .claude/settings.json drifted", "error .codex/permissions.json edited", "error opencode.json drifted", "error .opencode/permissions.yaml missing"}},
		{"no protocol any more", func(t *testing.T, root string) { remove(t, root, protocolFile) },
			[]string{"error " + protocolFile + " protocol_missing"}},
		{"no hook any more", func(t *testing.T, root string) { replace(t, root, claudeSettings, "ambit hook", "true") },
			[]string{"note .claude/settings.json no_hook"}},
		{"a rule of one's own that reaches tier3", func(t *testing.T, root string) {
			replace(t, root, claudeSettings, `"Bash(git log:*)",`, `"Bash(git log:*)", "Bash(npm * --tag x)", "Bash(* main)", "Bash(npm publish --dry-run)",`)
		}, []string{"error .claude/settings.json edited", "error .claude/settings.json:5 tier3_allowed",
			"warning .claude/settings.json:5 broad_allow", "warning .claude/settings.json:5 shadowed_rule", "warning .claude/settings.json:5 tier3_overlap"}},
		{"a file with another name", func(t *testing.T, root string) {
			writeFile(t, filepath.Join(root, "system.yml"), []byte("autonomy: {}\n"))
		},
			[]string{"warning system.yml not_in_force"}},
		{"a broken ledger", func(t *testing.T, root string) {
			writeFile(t, filepath.Join(root, ".ambit", "materialized.json"), []byte(`{"version": 2}`))
		}, []string{"error .ambit/materialized.json:1 ledger"}},
		{"nothing written yet", func(t *testing.T, root string) {
			for _, file := range []string{claudeSettings, ".codex/permissions.json", ".codex/rules/ambit.rules", "opencode.json", ".opencode/permissions.yaml", harness.LedgerPath} {
				remove(t, root, file)
			}
		}, []string{"note " + protocolFile + " not_materialized"}},
		{"a hook of Gemini and one of Copilot", func(t *testing.T, root string) {
			writeFile(t, filepath.Join(root, ".gemini/settings.json"), []byte(`{"policyPaths": ["./.gemini/policies"], "hooks": {"BeforeTool": [{"hooks": [{"command": "./gone"}]}]}}`))
			writeFile(t, filepath.Join(root, ".gemini/policies/a.toml"), nil)
			writeFile(t, filepath.Join(root, ".github/hooks/a.json"), []byte("{"))
		}, []string{"error .gemini/settings.json:1 hook_missing", "error .github/hooks/a.json:1 json_syntax"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, env := doctorFolder(t, "clean", true)
			tt.change(t, root)
			_, found := diagnose(t, root, env)
			found = slices.DeleteFunc(found, func(f string) bool { return strings.HasSuffix(f, "engine_not_asked") })
			if d := cmp.Diff(tt.want, found); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestDoctorAsksEngines asks an engine that is not there.
func TestDoctorAsksEngines(t *testing.T) {
	root, env := doctorFolder(t, "clean", true)
	replace(t, root, "system.yaml", "https://ai-ops.dev.example.com", "http://127.0.0.1:1")
	replace(t, root, "applications/shop/autonomy.json", "https://ai-ops.dev.example.com", "http://127.0.0.1:1")
	_, found := diagnose(t, root, append(env, "CPLAT_ENGINE_TOKEN=x"), "--ask-engines", "--deadline", "1s")
	if d := cmp.Diff([]string{"warning system.yaml engine_not_supervised"}, found); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func remove(t *testing.T, root, file string) {
	t.Helper()
	if err := os.Remove(filepath.Join(root, filepath.FromSlash(file))); err != nil {
		t.Fatal(err)
	}
}

func replace(t *testing.T, root, file, old, new string) {
	t.Helper()
	name := filepath.Join(root, filepath.FromSlash(file))
	data, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(data), old) {
		t.Fatalf("%v: no %q in %s", err, old, file)
	}
	writeFile(t, name, []byte(strings.Replace(string(data), old, new, 1)))
}

func TestDoctorRootThatIsNone(t *testing.T) {
	for _, root := range []string{filepath.Join(t.TempDir(), "gone"), "doctor_test.go"} {
		if code, stdout, stderr := run(t, "", nil, "doctor", "--root", root); code != exitRefused || stdout != "" || !strings.Contains(stderr, "ambit: error: ") {
			t.Errorf("%s: exit %d, %q, %q", root, code, stdout, stderr)
		}
	}
}

// TestDoctorTextIsNarrow holds that text output is readable at 80 columns wherever a line can be broken.
func TestDoctorTextIsNarrow(t *testing.T) {
	root, env := doctorFolder(t, "faults", false)
	_, stdout, _ := run(t, "", env, "doctor", "--root", root)
	for line := range strings.Lines(stdout) {
		if text := strings.TrimRight(line, "\n"); len([]rune(text)) > width && strings.Contains(strings.TrimSpace(text), " ") {
			t.Errorf("%d columns: %s", len([]rune(text)), text)
		}
	}
	last := stdout[strings.LastIndex(strings.TrimSuffix(stdout, "\n"), "\n")+1:]
	if !strings.Contains(last, " documents: ") || !strings.Contains(last, " errors, ") {
		t.Errorf("the last line sums up nothing: %q", last)
	}
}

func TestHookNeeds(t *testing.T) {
	for command, want := range map[string][]script{
		"ambit hook --harness claude || exit 2":            nil,
		"./guard.sh":                                       {{"guard.sh", true}},
		`"$CLAUDE_PROJECT_DIR"/hooks/guard.sh --fast`:      {{"hooks/guard.sh", true}},
		`"${CLAUDE_PROJECT_DIR:-.}/a b/guard.sh"`:          {{"a b/guard.sh", true}},
		"${CLAUDE_PROJECT_DIR}/guard":                      {{"guard", true}},
		"bash -e x/guard.sh a/b":                           nil,
		"bash -u x/guard.sh a/b":                           {{"x/guard.sh", false}},
		"python3 tools/h.py && /opt/bin/next; sh -c 'a/b'": {{"tools/h.py", false}, {"/opt/bin/next", true}},
		"cat x | ./guard.sh; (./other.sh)":                 {{"guard.sh", true}, {"other.sh", true}},
		"$HOME/guard.sh":                                   nil,
		"~/guard.sh":                                       nil,
		"node guard.js":                                    {{"guard.js", false}},
		"[ -f a.sh ] && ./a.sh":                            nil,
		"test -x a.sh && ./a.sh || true":                   nil,
		"if [ -f a.sh ]; then ./a.sh; fi":                  nil,
		"cd sub && ./a.sh":                                 nil,
		"./a.sh || ./b.sh":                                 {{"a.sh", true}},
		"a='":                                              nil,
	} {
		var got []script
		calls, _ := invocations(command)
		for _, c := range calls {
			if s, ok := c.needs(); ok {
				got = append(got, s)
			}
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(script{})); d != "" {
			t.Errorf("%s (-want +got):\n%s", command, d)
		}
	}
}

func TestCodexTrust(t *testing.T) {
	for config, want := range map[string]int{
		"": trustNone,
		"[projects.\"/w/p\"]\ntrust_level = \"trusted\"\n":                    trustHere,
		"[projects.'/w/p']\ntrust_level='trusted'":                            trustHere,
		"[projects.\"/w/p\"]\ntrust_level = \"untrusted\"\n":                  trustNone,
		"[projects.\"/w/q\"]\ntrust_level = \"trusted\"\n":                    trustNone,
		"[projects.\"/w/p/q\"]\ntrust_level = \"trusted\"\n":                  trustNone,
		"[projects.\"/w/p\"]\n[x]\ntrust_level = \"trusted\"\n":               trustNone,
		"[projects.\"/w/p\"]\r\n# said once\r\ntrust_level = \"trusted\"\r\n": trustHere,
		"[projects.\"/w\"]\ntrust_level = \"trusted\"\n":                      trustAbove,
		"[projects.\"/\"]\ntrust_level = \"trusted\"\n":                       trustAbove,
		"[projects": trustUnknown,
		"a = \"" + strings.Repeat(".", 500) + "\"\n[projects.\"/w/p\"]\n": trustUnknown,
	} {
		trusted, known := codexTrusts([]byte(config))
		if got := trustOf("/w/p", known, trusted); got != want {
			t.Errorf("%.80q: %d, want %d", config, got, want)
		}
	}
	if _, known := codexTrusts(nil); known {
		t.Error("settings that are not there are known")
	}
}

// TestDoctorTrustAbove trusts the folder above: whether that counts is up to the agent, and nothing is said to be out of force.
func TestDoctorTrustAbove(t *testing.T) {
	root, env := doctorFolder(t, "clean", false)
	home := t.TempDir()
	above := filepath.Dir(root)
	state, err := json.Marshal(map[string]any{"projects": map[string]any{above: map[string]any{"hasTrustDialogAccepted": true}}})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(home, ".claude.json"), state)
	writeFile(t, filepath.Join(home, ".codex", "config.toml"), fmt.Appendf(nil, "[projects.%q]\ntrust_level = \"trusted\"\n", above))
	writeFile(t, filepath.Join(root, codexHooks), []byte("{}"))
	env = slices.DeleteFunc(env, func(v string) bool { return strings.HasPrefix(v, "HOME=") })
	_, found := diagnose(t, root, append(env, "HOME="+home))
	want := []string{"note .claude/settings.json trust_unknown", "note .codex trust_unknown"}
	if got := slices.DeleteFunc(found, func(f string) bool {
		return !strings.HasSuffix(f, "trust_unknown") && !strings.HasSuffix(f, "not_in_force")
	}); !cmp.Equal(want, got) {
		t.Errorf("%q, want %q", got, want)
	}
}
