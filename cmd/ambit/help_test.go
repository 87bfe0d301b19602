package main

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// TestHelpHasExamples holds that the help of every command ends in an example that this program would take: its words
// name the command, its flags are the command's, and its operands are as many as it takes.
func TestHelpHasExamples(t *testing.T) {
	table := commands()
	for _, c := range table {
		code, stdout, stderr := run(t, "", nil, append(strings.Fields(c.name), "--help")...)
		if code != exitOK || stderr != "" || !strings.Contains(stdout, "\nExample:\n  "+c.example+"\n") || c.example == "" {
			t.Errorf("ambit %s --help: exit %d, no example:\n%s%s", c.name, code, stdout, stderr)
			continue
		}
		words := exampleWords(t, c.example)
		if words == nil {
			t.Errorf("%s: the example runs something else: %s", c.name, c.example)
			continue
		}
		p, err := parseArgs(words, table)
		switch {
		case err != nil:
			t.Errorf("%s: %s: %v", c.name, c.example, err)
		case p.cmd == nil || p.cmd.name != c.name:
			t.Errorf("%s: the example is of another command: %s", c.name, c.example)
		case len(p.operands) < c.min || c.max >= 0 && len(p.operands) > c.max:
			t.Errorf("%s: the example has %d operands: %s", c.name, len(p.operands), c.example)
		}
		for line := range strings.Lines(stdout) {
			if n := len([]rune(strings.TrimSpace(line))); n > width && strings.Contains(strings.TrimSpace(line), " ") && !strings.Contains(line, c.example) {
				t.Errorf("ambit %s --help: %d columns: %s", c.name, n, line)
			}
		}
	}
}

// exampleWords gives the arguments of the ambit that an example's line of shell runs.
func exampleWords(t *testing.T, example string) (args []string) {
	t.Helper()
	file, err := syntax.NewParser().Parse(strings.NewReader(example), "")
	if err != nil {
		t.Errorf("%s: %v", example, err)
		return nil
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 || call.Args[0].Lit() != "ambit" || args != nil {
			return true
		}
		args = []string{}
		for _, w := range call.Args[1:] {
			args = append(args, literal(w))
		}
		return true
	})
	return args
}

func literal(w *syntax.Word) string {
	var b strings.Builder
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lit:
			b.WriteString(n.Value)
		case *syntax.SglQuoted:
			b.WriteString(n.Value)
		}
		return true
	})
	return b.String()
}
