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
		{"ambit check --format js", "json"},
		{"ambit campaign show --format m", "mermaid"},
		{"ambit hook --harness cu", "cursor"},
		{"ambit --format text envelope li", "list"},
	} {
		cmd := exec.Command("bash", "--norc", "-c", script+`
COMP_WORDS=($1); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); _ambit; printf '%s\n' "${COMPREPLY[@]}"`, "bash", tt.typed)
		out, err := cmd.CombinedOutput()
		if err != nil || !slices.Contains(strings.Fields(string(out)), tt.want) {
			t.Errorf("%q completes to %q (%v), want %q among it", tt.typed, out, err, tt.want)
		}
	}
}

// A value that may be anything is completed by the shell, as a file; one of a closed set by the set.
func TestCompletionOfValues(t *testing.T) {
	_, script, _ := run(t, "", nil, "completion", "bash")
	if bash, err := exec.LookPath("bash"); err == nil {
		out, err := exec.Command(bash, "--norc", "-c", script+"\nCOMP_WORDS=(ambit check --protocol ''); COMP_CWORD=3; _ambit; echo \"${#COMPREPLY[@]}\"").CombinedOutput()
		if err != nil || string(out) != "0\n" {
			t.Errorf("%v: %s", err, out)
		}
	}
	_, script, _ = run(t, "", nil, "completion", "fish")
	for _, want := range []string{"from show' -l format -x -a 'text mermaid json'\n", "-l root -r\n", "-l dry-run\n"} {
		if !strings.Contains(script, want) {
			t.Errorf("fish: no %q", want)
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
