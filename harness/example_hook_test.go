package harness_test

import (
	"errors"
	"fmt"
	"path/filepath"

	"example.com/ambit/harness"
	"example.com/ambit/tiers"
)

// The three steps of a hook, for those who put something of their own between them; Hook.Respond does all of them.
func ExampleDecode() {
	stdin := []byte(`{"hook_event_name": "PreToolUse", "cwd": "/repo", "tool_name": "Bash", "tool_input": {"command": "git push"}}`)
	event, err := harness.Decode(harness.Claude, stdin, harness.PreToolUse)
	if err != nil {
		fmt.Println(harness.Fault(harness.Claude, event.Kind, err).Exit)
		return
	}
	fmt.Println(event.Kind, event.Class, event.Command, event.Dir)

	hook := harness.Hook{Protocol: tiers.Default(), Supervision: harness.Act, Root: "/repo"}
	decision := hook.Decide(event)
	out := harness.Encode(harness.Claude, event.Kind, decision, event.PromptsOff)
	fmt.Println(decision.Answer, out.Exit)
	// Output:
	// PreToolUse shell git push /repo
	// deny 2
}

// Whatever goes wrong before there is a decision, blocks.
func ExampleFault() {
	out := harness.Fault(harness.Gemini, harness.PreToolUse, errors.New("no protocol"))
	fmt.Printf("%s exit %d\n", out.Stdout, out.Exit)
	// Output:
	// {"decision":"deny","reason":"ambit cannot judge, so this is blocked: no protocol"}
	//  exit 0
}

func ExampleParseKind() {
	fmt.Println(harness.EventNames(harness.Gemini))
	kind, err := harness.ParseKind(harness.Gemini, "BeforeTool")
	fmt.Println(kind, err)
	// Output:
	// [BeforeTool]
	// PreToolUse <nil>
}

func ExampleTargets() {
	for _, target := range harness.Targets() {
		fmt.Println(target, target.Path(), "of", target.Tool(), target.Native())
	}
	// Output:
	// claude .claude/settings.json of claude false
	// codex .codex/permissions.json of codex false
	// opencode .opencode/permissions.yaml of opencode false
	// codex-rules .codex/rules/ambit.rules of codex true
	// opencode-config opencode.json of opencode true
}

func ExampleReadRules() {
	rules, err := harness.ReadRules("settings.json", []byte(`{"permissions": {"allow": ["Bash(make test)"], "deny": ["Bash(git push:*)"]}}`))
	fmt.Println(rules.Harness, rules.Allow, rules.Deny, err)
	// Output:
	// claude [Bash(make test)] [Bash(git push:*)] <nil>
}

func ExampleLintPaths() {
	root, _, done := project()
	defer done()
	for _, path := range harness.LintPaths(root) {
		name, err := filepath.Rel(root, path)
		fmt.Println(filepath.ToSlash(name), err)
	}
	// Output:
	// .claude/settings.json <nil>
}
