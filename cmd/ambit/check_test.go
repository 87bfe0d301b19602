package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckIsNeverLooserThanTheHook asks both about the same command in the same folder, with every combination of
// protocols in the project's folder, in one below it, and in one below that: check says go ahead only where the hook does.
func TestCheckIsNeverLooserThanTheHook(t *testing.T) {
	protocols := map[string]string{
		"absent":  "",
		"lister":  `{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["ls *"]},"tier3_blocking":{}},"tools":{}}`,
		"pusher":  `{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["git push *"]},"tier3_blocking":{"shell_patterns":["ls *"]}},"tools":{}}`,
		"invalid": `{"version":"2.0"}`,
	}
	root := t.TempDir()
	folders := []string{root, filepath.Join(root, "a"), filepath.Join(root, "a", "b")}
	if err := os.MkdirAll(folders[2], 0o755); err != nil {
		t.Fatal(err)
	}
	place := func(folder, text string) {
		name := filepath.Join(folder, ".aioson", "config", "autonomy-protocol.json")
		if text == "" {
			_ = os.Remove(name)
			return
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ahead, stopped := 0, 0
	for outer, text := range protocols {
		place(folders[0], text)
		for middle, text := range protocols {
			place(folders[1], text)
			for inner, text := range protocols {
				place(folders[2], text)
				for _, folder := range folders {
					t.Chdir(folder)
					for _, command := range []string{"ls -l", "git push", "git status", "make x"} {
						code, out, _ := run(t, "", nil, "check", command)
						_, answer, errs := run(t, bashEvent(folder, command), nil, "hook", "--harness", "claude")
						allowed := strings.Contains(answer, `"permissionDecision":"allow"`)
						if code == exitOK && !allowed {
							t.Errorf("%s, %s, %s: in %s check lets %q go, the hook does not: %s%s%s", outer, middle, inner, folder, command, out, answer, errs)
						}
						if code == exitOK {
							ahead++
						} else {
							stopped++
						}
					}
				}
			}
		}
	}
	if ahead < 50 || stopped < 50 {
		t.Errorf("%d went ahead, %d were stopped", ahead, stopped)
	}
}
