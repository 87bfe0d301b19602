package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// completionCases are what is typed, up to the cursor, and what must and must not be offered; no want is the shell's own
// files.
var completionCases = []struct {
	typed string
	want  []string
	not   string
}{
	{"ambit ", []string{"check", "envelope", "system", "doctor", "completion"}, "get"},
	{"ambit compl", []string{"completion"}, "check"},
	{"ambit envelope ", []string{"init", "get", "set", "list", "check"}, "materialize"},
	{"ambit envelope check --f", []string{"--format", "--fix"}, "--tool"},
	{"ambit hook ", []string{"install", "uninstall"}, ""},
	{"ambit hook --h", []string{"--harness", "--help"}, ""},
	{"ambit completion z", []string{"zsh"}, "bash"},
	{"ambit --root completion completion f", []string{"fish"}, "zsh"},
	{"ambit completion --form", []string{"--format"}, ""},
	{"ambit check --format js", []string{"json"}, "mermaid"},
	{"ambit check --format=js", []string{"json"}, "mermaid"},
	{"ambit check --format=", []string{"json", "text"}, "mermaid"},
	{"ambit campaign show --format m", []string{"mermaid"}, ""},
	{"ambit hook --harness cu", []string{"cursor"}, "codex"},
	{"ambit hook install --harness ", []string{"claude"}, "install"},
	{"ambit --format text envelope li", []string{"list"}, ""},
	{"ambit envelope set dave code ", []string{"fullyApproved", "needsFullSupervision"}, "act"},
	{"ambit envelope set dave code --note because f", []string{"fullyApproved"}, ""},
	{"ambit envelope set da", nil, "fullyApproved"},
	{"ambit system set dev a", []string{"act", "advise"}, "observe"},
	{"ambit system set --max-criticality ", []string{"low", "medium", "high"}, "act"},
	{"ambit turn project --profile codex", []string{"codex_cli"}, "claude_code"},
	{"ambit notify --level w", []string{"warn"}, "info"},
	{"ambit check --protocol ", nil, "json"},
	{"ambit doctor --", []string{"--ask-engines", "--deadline", "--help"}, "--tool"},
}

// TestCompletion lets the real shells complete with the printed scripts, those that are installed.
func TestCompletion(t *testing.T) {
	for shell, driver := range map[string]string{
		"bash": `
set -f; line="$1"; COMP_WORDS=(${line//=/ = }); case "$line" in *\ ) COMP_WORDS+=('') ;; esac
COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); _ambit; printf '%s\n' "${COMPREPLY[@]}"`,
		"zsh": `
compadd() { shift; print -rl -- "$@" | grep -- "^${cur#*=}" }; compset() { true }; _files() { true }
line="$1"; words=(${=line}); [[ "$line" == *\  ]] && words+=(''); CURRENT=${#words}; _ambit; true`,
		"fish": `
complete -C "$argv[1]" | string replace -r '\t.*' '' | string replace -r '^--[a-z]*=' ''; true`,
	} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skip("not installed")
			}
			if testing.Short() && shell != "bash" {
				t.Skip("starts a shell for each case")
			}
			code, script, errs := run(t, "", nil, "completion", shell)
			if code != exitOK {
				t.Fatalf("exit %d: %s", code, errs)
			}
			script = strings.Replace(script, "compdef _ambit ambit", "", 1) // of zsh's completion system, which is not started here
			for _, tt := range completionCases {
				args := []string{"-c", script + driver, shell, tt.typed}
				if shell == "fish" {
					args = []string{"--no-config", "-c", script + driver, tt.typed}
				}
				cmd := exec.Command(path, args...)
				cmd.Dir = t.TempDir()
				cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + cmd.Dir, "LC_ALL=C.UTF-8"}
				out, err := cmd.CombinedOutput()
				got := strings.Fields(string(out))
				if err != nil {
					t.Errorf("%q: %v\n%s", tt.typed, err, out)
				}
				for _, want := range tt.want {
					if !slices.Contains(got, want) {
						t.Errorf("%q completes to %q, want %s among it", tt.typed, got, want)
					}
				}
				if tt.not != "" && slices.Contains(got, tt.not) || tt.want == nil && len(got) > 0 {
					t.Errorf("%q completes to %q", tt.typed, got)
				}
			}
		})
	}
}

// TestCompletionKnowsEveryCommand holds that every word of a command, every flag and every value of a closed set is in
// every script, and that the sets of operands belong to commands that have them.
func TestCompletionKnowsEveryCommand(t *testing.T) {
	sets := 0
	for shell := range shells {
		_, script, _ := run(t, "", nil, "completion", shell)
		for _, c := range commands() {
			words := strings.Fields(c.name)
			for _, f := range c.flags {
				words = append(words, strings.TrimLeft(f.spelling(), "-"))
				words = append(words, f.oneOf...)
			}
			for i, set := range operandWords(c.name) {
				words = append(words, set...)
				if sets++; i >= c.max {
					t.Errorf("%s has no operand %d", c.name, i)
				}
			}
			for _, w := range words {
				if !strings.Contains(script, w) {
					t.Errorf("%s: %s of %s is missing", shell, w, c.name)
				}
			}
		}
	}
	if sets < 3*4 {
		t.Errorf("%d sets of operands", sets)
	}
	if code, _, errs := run(t, "", nil, "completion", "csh"); code != exitUsage || !strings.Contains(errs, "allowed: bash, zsh, fish") {
		t.Errorf("csh: exit %d, %s", code, errs)
	}
}
