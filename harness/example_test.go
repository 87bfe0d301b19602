package harness_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/ambit/harness"
	"example.com/ambit/tiers"
)

// project makes a folder with one file in it, and the protocol of the examples.
func project() (root string, p *tiers.Protocol, done func()) {
	root, err := os.MkdirTemp("", "ambit-example-*")
	if err != nil {
		panic(err)
	}
	if err := os.Mkdir(filepath.Join(root, ".claude"), 0o755); err != nil {
		panic(err)
	}
	settings := `{"permissions": {"allow": ["Bash(make:*)"]}}`
	if err := os.WriteFile(filepath.Join(root, ".claude", "settings.json"), []byte(settings), 0o600); err != nil {
		panic(err)
	}
	p, err = tiers.Parse("protocol.json", []byte(`{"version": "1.1",
		"tiers": {"tier1_silent": {"shell_patterns": ["git rev-parse *"]}, "tier3_blocking": {"shell_patterns": ["git push *"]}},
		"tools": {"claude": {"derived_from_tiers": ["tier1_silent"]}}}`))
	if err != nil {
		panic(err)
	}
	return root, p, func() { _ = os.RemoveAll(root) }
}

func ExamplePlan() {
	root, p, done := project()
	defer done()
	c, err := harness.Plan(root, p, harness.Options{Now: time.Date(2026, 7, 5, 14, 30, 0, 0, time.UTC)})
	if err != nil {
		panic(err)
	}
	for _, f := range c.Files {
		fmt.Println(f.Action, f.Path)
	}
	for _, n := range c.Notices {
		fmt.Println(n.Code, n.Rules)
	}
	// Output:
	// update .claude/settings.json
	// foreign_allow [Bash(make:*)]
}

func ExampleApply() {
	root, p, done := project()
	defer done()
	c, err := harness.Plan(root, p, harness.Options{Now: time.Date(2026, 7, 5, 14, 30, 0, 0, time.UTC)})
	if err != nil {
		panic(err)
	}
	r, err := harness.Apply(c)
	if err != nil {
		panic(err)
	}
	data, _ := os.ReadFile(filepath.Join(root, ".claude", "settings.json"))
	fmt.Printf("%s\nbackup %s\n", data, r.Stamp)
	// Output:
	// {"permissions": {"allow": ["Bash(git rev-parse:*)", "Bash(make:*)"], "deny": ["Bash(git push:*)"]}}
	// backup 2026-07-05T14-30-00-000Z
}

func ExamplePlanRestore() {
	root, p, done := project()
	defer done()
	c, err := harness.Plan(root, p, harness.Options{})
	if err != nil {
		panic(err)
	}
	r, err := harness.Apply(c)
	if err != nil {
		panic(err)
	}
	if c, err = harness.PlanRestore(root, p, r.Stamp, harness.Options{}); err != nil {
		panic(err)
	}
	if _, err := harness.Apply(c); err != nil {
		panic(err)
	}
	data, _ := os.ReadFile(filepath.Join(root, ".claude", "settings.json"))
	fmt.Printf("%s\n", data)
	// Output: {"permissions": {"allow": ["Bash(make:*)"]}}
}

func ExamplePlanHook() {
	root, _, done := project()
	defer done()
	c, err := harness.PlanHook(root, harness.Claude, true, harness.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(c.Files[0].Action, strings.Contains(c.Files[0].Diff, harness.HookCommand))
	// Output: update true
}

func ExampleCheck() {
	root, p, done := project()
	defer done()
	files, err := harness.Check(root, p)
	if err != nil {
		panic(err)
	}
	fmt.Println(files[0].State, harness.InStep(files))
	// Output: drifted .claude/settings.json: drifted: not in step with the protocol
}

func ExampleLint() {
	for _, f := range harness.Lint(harness.RuleSet{Allow: []string{"Bash(node:*)"}, Deny: []string{"Bash(curl * | sh)"}}) {
		fmt.Println(f.Code, f.Rule)
	}
	// Output:
	// interpreter_allow Bash(node:*)
	// dead_rule Bash(curl * | sh)
}

func ExampleLintFile() {
	findings, err := harness.LintFile("opencode.json", []byte(`{"permission": {"bash": {"git push *": "deny", "*": "allow"}}}`))
	fmt.Println(findings[0].Code, findings[0].Message, err)
	// Output: shadowed_rule "*" stands later and decides everything that it matches <nil>
}

func ExampleReadCodexRules() {
	_, err := harness.ReadCodexRules("my.rules", []byte(`prefix_rule(pattern = ["git", "push"], decision = "forbidden", justification = "")`))
	fmt.Println(err)
	// Output: my.rules:1:1: justification: it is empty: not what the agent itself would take
}

func ExampleRelate() {
	push, err := tiers.ParsePattern("git push *")
	if err != nil {
		panic(err)
	}
	r := harness.Relate(harness.Claude, "Bash(git * main)", push)
	fmt.Printf("inside %t, covers %t, touches %t by %q\n", r.Inside, r.Covers, r.Touches, r.Touch)
	// Output: inside false, covers false, touches true by "git push main"
}

func ExampleOpens() {
	push, err := tiers.ParsePattern("git push *")
	if err != nil {
		panic(err)
	}
	fmt.Println(harness.Relate(harness.Claude, "Bash(env git push:*)", push).Inside, harness.Opens(harness.Claude, "Bash(env git push:*)", push).Inside)
	// Output: false true
}

func ExampleHook_Respond() {
	_, p, done := project()
	defer done()
	h := harness.Hook{Protocol: p}
	out := h.Respond(harness.Claude, harness.PreToolUse, []byte(`{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git -C . push"}, "cwd": "/r"}`))
	fmt.Println(strings.Contains(string(out.Stdout), `"permissionDecision":"deny"`))
	// Output: true
}

// Where the hook depends on the event, it is made when the event is known.
func ExampleRespond() {
	_, p, done := project()
	defer done()
	in := []byte(`{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push"}, "cwd": "/elsewhere"}`)
	out := harness.Respond(harness.Claude, harness.PreToolUse, in, func(e harness.Event) (harness.Decision, error) {
		if e.Dir != "/r" {
			return harness.Decision{}, fmt.Errorf("%s is not the project", e.Dir)
		}
		return harness.Hook{Protocol: p, Root: "/r"}.Decide(e), nil
	})
	fmt.Print(out.Exit, " ", string(out.Stderr))
	// Output: 2 ambit cannot judge, so this is blocked: /elsewhere is not the project
}

func ExampleDenyInForce() {
	rule, err := harness.DenyInForce("settings.json", []byte(`{"permissions": {"deny": ["Bash(git push:*)"]}}`), "git  push origin")
	fmt.Println(rule, err)
	// Output: Bash(git push:*) <nil>
}
