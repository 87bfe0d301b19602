package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// oneFault is a change to the clean folder, and what it must be named as.
type oneFault struct {
	name   string
	change func(f folder)
	want   []string
}

// folder is a root that a test breaks.
type folder struct {
	*testing.T
	root string
}

func (f folder) put(file, text string) {
	writeFile(f.T, filepath.Join(f.root, filepath.FromSlash(file)), []byte(text))
}

func (f folder) sub(file, old, new string) { replace(f.T, f.root, file, old, new) }

func (f folder) move(file, to string) {
	f.Helper()
	at := filepath.Join(f.root, filepath.FromSlash(to))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		f.Fatal(err)
	}
	if err := os.Rename(filepath.Join(f.root, filepath.FromSlash(file)), at); err != nil {
		f.Fatal(err)
	}
}

// link puts a link in place of whatever is there.
func (f folder) link(file, to string) {
	f.Helper()
	at := filepath.Join(f.root, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		f.Fatal(err)
	}
	if err := os.RemoveAll(at); err != nil {
		f.Fatal(err)
	}
	if err := os.Symlink(to, at); err != nil {
		f.Skip(err)
	}
}

// runFaults breaks the clean folder in one way at a time. Notes of what cannot be seen are left out.
func runFaults(t *testing.T, faults []oneFault) {
	for i, tt := range faults {
		if testing.Short() && i%8 != 0 {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			root, env := doctorFolder(t, "clean", true)
			tt.change(folder{t, root})
			_, found := diagnose(t, root, env)
			found = slices.DeleteFunc(found, func(f string) bool { return strings.HasSuffix(f, "engine_not_asked") })
			if d := cmp.Diff(tt.want, found); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestDoctorStrayLinks puts a link to nowhere in place of every document.
func TestDoctorStrayLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a folder for each document")
	}
	var faults []oneFault
	for _, file := range []string{protocolFile, claudeSettings, claudeLocal, ".codex/hooks.json", codexConfig, ".codex/rules/ambit.rules", "opencode.json", ".gemini/settings.json", ".cursor/cli.json", systemFile, "campaign/campaign_policy.json", "turns/turn-envelope.json", ".ambit/materialized.json", "agents/dave/autonomy-envelope.md", ".claude", "agents/dave", ".aioson/runtime/ambit-events.sqlite"} {
		faults = append(faults, oneFault{file, func(f folder) { f.link(file, "nowhere") }, []string{"error " + file + " unreadable"}})
	}
	for _, tt := range faults {
		t.Run(tt.name, func(t *testing.T) {
			root, env := doctorFolder(t, "clean", true)
			tt.change(folder{t, root})
			code, found := diagnose(t, root, env)
			if !slices.Contains(found, tt.want[0]) || code != exitRefused {
				t.Errorf("exit %d, %q is not among %q", code, tt.want, found)
			}
		})
	}
}

// TestDoctorMisnamed gives documents almost the right name, or almost the right place.
func TestDoctorMisnamed(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a folder for each name")
	}
	const settings, rule = `{"permissions": {"deny": ["Bash(curl:*)"]}}`, `prefix_rule(pattern=["curl"], decision="forbidden", justification="x")`
	for file, text := range map[string]string{
		".claude/settings.yml": settings, ".claude/settings.jsonc": settings, ".claude/setting.json": settings, ".claude/Settings.json": settings, ".claude/permissions.json": settings,
		".claude/settings-local.json": settings, ".claude/settings.local.jsonc": settings, "claude/settings.json": settings, ".claude.json": settings, ".claude/hooks.json": settings,
		".codex/config.yaml": "a: 1", ".codex/hook.json": "{}", ".codex/mine.rules": rule, ".codex/rules/mine.rule": rule, ".codex/rules/mine": rule, ".codex/rules/more/mine.rules": rule,
		"opencode.yaml": "permission: {}", ".opencode.json": `{"permission": "ask"}`, ".opencode/config.json": "{}", ".opencode/permissions.yml": "a: 1",
		".gemini/settings.yaml": "a: 1", ".cursor/cli-config.json": settings, ".cursor/hooks.yaml": "a: 1", ".github/hooks/a.yaml": "a: 1", ".github/copilot/settings.jsonc": "{}",
		".aioson/autonomy-protocol.json": "{}", ".aioson/config/autonomy-protocol.jsonc": "{}", ".aioson/config/autonomy_protocol.json": "{}", "autonomy-protocol.json": "{}",
		"system.yml": "autonomy: {}", "System.yaml": "autonomy: {}", "sytem.yaml": "autonomy: {}", "system.json": `{"autonomy": {}}`,
		"applications/autonomy.json": "{}", "application/shop/autonomy.json": "{}", "applications/shop/autonomy.yaml": "{}", "applications/shop/Autonomy.json": "{}",
		"autonomy-envelope.md": "---", "agents/dave.md": "---\ntaskTypes: []\n---\n", "agents/dave/autonomy-envelope.yml": "a: 1", "agents/dave/autonomy_envelope.md": "---", "agents/dave/Autonomy-Envelope.md": "---",
		"agents/dave/autonomy-envelope.md.txt": "---", "agents/team/erin/autonomy-envelope.md": "---", "agent/erin/autonomy-envelope.md": "---",
		"campaign/campaign-policy.json": "{}", "campaign/coverage_gap.json": "{}", "campaign/campaign_policy.yaml": "a: 1",
		"turns/turn_envelope.json": `"loopx_turn_envelope_v0"`, "turnenvelope.json": `"loopx_turn_envelope_v0"`, "turns/turn-envelope.jsonc": `"loopx_turn_envelope_v0"`,
	} {
		t.Run(file, func(t *testing.T) {
			root, env := doctorFolder(t, "clean", true)
			folder{t, root}.put(file, text)
			code, found := diagnose(t, root, env)
			found = slices.DeleteFunc(found, func(f string) bool { return strings.HasSuffix(f, "engine_not_asked") })
			if d := cmp.Diff([]string{"warning " + file + " not_in_force"}, found); d != "" || code != exitOK {
				t.Errorf("exit %d (-want +got):\n%s", code, d)
			}
		})
	}
}

// TestDoctorOtherNames holds that names which are only alike, or say that the file is no document, are nobody's fault.
func TestDoctorOtherNames(t *testing.T) {
	root, env := doctorFolder(t, "clean", true)
	for _, file := range []string{
		".claude/settings.json.bak", ".claude/settings.example.json", ".claude/agents/dave.md", ".claude/mcp.json", ".codex/notes.md", ".codex/rules/README.md", ".codex/rules/mine.rules.bak",
		".opencode/agent/x.md", ".opencode/package.json", ".aioson/config/autonomy-protocol.schema.json", ".aioson/config/agents.json", "system.json", "systems.md", "subsystem.yaml",
		"applications/shop/application.yaml", "applications/README.md", "agents/README.md", "agents/erin.md", "agents/_template/autonomy_envelope.md", "agents/dave/persona.md", "agents/dave/notes/x.md",
		"campaigns/gaps.json", "other/campaign-policy.json", "turns/turn_envelope.json", "docs/turnenvelope.md", "apps/web/package.json", "agent/main.go", "services/api/system.yaml", "services/api/agents/a/autonomy-envelope.md", ".github/workflows/hooks.yml",
	} {
		folder{t, root}.put(file, "prefix_rule(\n# permission\n")
	}
	_, found := diagnose(t, root, env)
	if d := cmp.Diff([]string{"note system.yaml engine_not_asked"}, found); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
