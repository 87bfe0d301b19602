package harness

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"
)

const codexWant = `{
  "version": "1.1",
  "mode": "trusted",
  "shell_allowed": [
    "git log *"
  ],
  "aioson_allowed": [],
  "shell_denied": [
    "curl * | sh",
    "a && b <c>"
  ],
  "aioson_denied": [],
  "requires_tty": true
}
`

const openCodeWant = `# Written by ambit from the autonomy protocol; OpenCode itself reads opencode.json.
version: "1.1"
mode: "trusted"
requires_tty: true
shell_allowed:
  - "git log *"
aioson_allowed: []
shell_denied:
  - "curl * | sh"
  - "a && b <c>"
aioson_denied: []
`

func TestRenderOwnFormats(t *testing.T) {
	l := lists{Mode: "trusted", ShellAllowed: []string{"git log *"}, ShellDenied: []string{"curl * | sh", "a && b <c>"}, RequiresTTY: true}
	if d := cmp.Diff(codexWant, string(renderCodexPermissions(l))); d != "" {
		t.Errorf("K1 (-want +got):\n%s", d)
	}
	if d := cmp.Diff(openCodeWant, string(renderOpenCodePermissions(l))); d != "" {
		t.Errorf("K2 (-want +got):\n%s", d)
	}
}

type readBack struct {
	Version string   `yaml:"version" json:"version"`
	Mode    string   `yaml:"mode" json:"mode"`
	TTY     bool     `yaml:"requires_tty" json:"requires_tty"`
	SA      []string `yaml:"shell_allowed" json:"shell_allowed"`
	NA      []string `yaml:"aioson_allowed" json:"aioson_allowed"`
	SD      []string `yaml:"shell_denied" json:"shell_denied"`
	ND      []string `yaml:"aioson_denied" json:"aioson_denied"`
}

// TestOwnFormatsReadBack reads every character of the first planes back, then random texts, through both formats.
func TestOwnFormatsReadBack(t *testing.T) {
	check := func(t interface {
		Helper()
		Fatalf(string, ...any)
	}, texts []string) {
		t.Helper()
		l := lists{Mode: "guarded", ShellAllowed: texts, NamedDenied: texts}
		want := readBack{Version: "1.1", Mode: "guarded", SA: texts, NA: []string{}, SD: []string{}, ND: texts}
		var y, j readBack
		if err := yaml.Unmarshal(renderOpenCodePermissions(l), &y); err != nil {
			t.Fatalf("yaml: %v", err)
		}
		if err := json.Unmarshal(renderCodexPermissions(l), &j); err != nil {
			t.Fatalf("json: %v", err)
		}
		if d := cmp.Diff(want, y); d != "" {
			t.Fatalf("yaml (-want +got):\n%s", d)
		}
		if d := cmp.Diff(want, j); d != "" {
			t.Fatalf("json (-want +got):\n%s", d)
		}
	}
	var all []string
	for r := rune(1); r < 0x3000; r++ {
		all = append(all, "a"+string(r)+"b")
	}
	all = append(all, "\U0001F600", "\U000E0001", "\uFEFFx", "\uFFFF", " lead", "trail ", "- x", "# y", strings.Repeat("x", 10000))
	check(t, all)
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "texts")) })
}
