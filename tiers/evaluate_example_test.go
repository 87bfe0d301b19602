package tiers_test

import (
	"fmt"

	"example.com/ambit/tiers"
)

func ExampleEvaluate() {
	for _, line := range []string{"git status", "git status && git push", "$cmd --force"} {
		v := tiers.Evaluate(line)
		fmt.Println(v.Decision, v.Reasons())
	}
	// Output:
	// silent [tier1]
	// block [tier3]
	// ask [dynamic_command]
}

func ExampleEvaluator_Evaluate() {
	protocol, err := tiers.Parse("autonomy-protocol.json", []byte(`{
  "version": "1.1",
  "tiers": {
    "tier1_silent": {"shell_patterns": ["go test *", "grep *"]},
    "tier2_notified": {"shell_patterns": ["git commit *"], "write_paths": ["notes/**"]},
    "tier3_blocking": {"shell_patterns": ["git push *"]}
  }
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	e := tiers.Evaluator{Protocol: protocol, Root: "/home/ann/project"}
	for _, line := range []string{
		"go test ./... 2>&1 | grep FAIL",
		"git commit -m 'do not git push yet'",
		"go test ./... > notes/result.txt",
		"timeout 60 bash -c 'go test ./... && git -C . push'",
	} {
		fmt.Println(e.Evaluate(line).Decision)
	}
	// Output:
	// silent
	// notify
	// notify
	// block
}

func ExampleVerdict_Deciding() {
	v := tiers.Evaluate("ls && sudo git push origin main")
	for _, p := range v.Deciding() {
		fmt.Printf("%q, started by %q, is what %q blocks\n", p.Text, p.Via, p.Pattern)
	}
	// Output:
	// "sudo git push origin main", started by [], is what "git push *" blocks
	// "git push origin main", started by ["sudo"], is what "git push *" blocks
}

func ExampleParsePattern() {
	p, err := tiers.ParsePattern("git push *")
	fmt.Println(p, err)
	_, err = tiers.ParsePattern("git push; rm")
	fmt.Println(err)
	// Output:
	// git push * <nil>
	// not a pattern: ';' at byte 9 is shell syntax; a pattern is words and stars
}

func ExampleParseCommandEntry() {
	p, _ := tiers.ParseCommandEntry("cloud:publish:*", "aioson")
	q, _ := tiers.ParsePattern("npx aioson cloud:publish:skills")
	fmt.Println(q.Inside(p))
	// Output: true
}

func ExamplePattern_Overlaps() {
	push, _ := tiers.ParsePattern("git push *")
	for _, text := range []string{"git push origin *", "git *", "git status *"} {
		p, _ := tiers.ParsePattern(text)
		fmt.Println(text, p.Inside(push), p.Overlaps(push))
	}
	// Output:
	// git push origin * true true
	// git * false true
	// git status * false false
}

func ExampleKnowledge_With() {
	k, err := tiers.DefaultKnowledge().With("ours.txt", `
# ship is our way to push, and run-in starts its arguments elsewhere
ship *: does git push *
run-in: runner asks
run-in: skip 1
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := tiers.Evaluator{Protocol: tiers.Default(), Knowledge: k}
	fmt.Println(e.Evaluate("ship it").Decision)
	fmt.Println(e.Evaluate("run-in staging git push").Decision)
	// Output:
	// block
	// block
}
