package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestBashCompletion lets a real bash complete with the printed script.
func TestBashCompletion(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	code, script, errs := run(t, "", nil, "completion", "bash")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for _, tt := range []struct{ typed, want string }{
		{"ambit compl", "completion"},
		{"ambit completion z", "zsh"},
		{"ambit --root completion completion f", "fish"},
		{"ambit completion --form", "--format"},
	} {
		cmd := exec.Command("bash", "--norc", "-c", script+`
COMP_WORDS=($1); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); _ambit; printf '%s\n' "${COMPREPLY[@]}"`, "bash", tt.typed)
		out, err := cmd.CombinedOutput()
		if err != nil || !slices.Contains(strings.Fields(string(out)), tt.want) {
			t.Errorf("%q completes to %q (%v), want %q among it", tt.typed, out, err, tt.want)
		}
	}
}

func TestCompletionKnowsEveryCommand(t *testing.T) {
	for shell := range shells {
		_, script, _ := run(t, "", nil, "completion", shell)
		for _, c := range commands() {
			for w := range strings.FieldsSeq(c.name) {
				if !strings.Contains(script, w) {
					t.Errorf("%s: %s is missing", shell, c.name)
				}
			}
		}
	}
	if code, _, errs := run(t, "", nil, "completion", "csh"); code != exitUsage || !strings.Contains(errs, "allowed: bash, zsh, fish") {
		t.Errorf("csh: exit %d, %s", code, errs)
	}
}
