package main

import (
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"example.com/ambit/internal/oneline"
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
		fits(t, "ambit "+c.name+" --help", stdout)
	}
}

// fits holds that a text can be read at 80 columns: no line is wider, but one that is a single word.
func fits(t *testing.T, name, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := oneline.Columns(line); n > width && len(strings.Fields(line)) > 1 {
			t.Errorf("%s: %d columns: %s", name, n, line)
		}
	}
}

// TestOverviews holds that the help of ambit and of every noun lists its commands, has an example, and fits.
func TestOverviews(t *testing.T) {
	nouns := map[string][]string{"": nil}
	for _, c := range commands() {
		if noun, verb, two := strings.Cut(c.name, " "); two {
			nouns[noun] = append(nouns[noun], verb)
		} else {
			nouns[""] = append(nouns[""], noun)
		}
	}
	for noun, verbs := range nouns {
		if slices.ContainsFunc(commands(), func(c command) bool { return c.name == noun }) {
			continue // a command, with help of its own
		}
		code, stdout, stderr := run(t, "", nil, append(strings.Fields(noun), "--help")...)
		if code != exitOK || stderr != "" {
			t.Errorf("ambit %s --help: exit %d, %s", noun, code, stderr)
		}
		for _, verb := range verbs {
			if !strings.Contains(stdout, "\n  "+verb+" ") {
				t.Errorf("ambit %s --help does not list %s", noun, verb)
			}
		}
		_, example, _ := strings.Cut(stdout, "\nExample:\n  ambit "+noun)
		example, _, _ = strings.Cut(example, "\n")
		if len(exampleWords(t, "ambit "+noun+example)) < 2 {
			t.Errorf("ambit %s --help has no example:\n%s", noun, stdout)
		}
		fits(t, "ambit "+noun+" --help", stdout)
	}
}

// TestUnknownCommand holds that what is no command is a wrong call, said on standard error with the nearest name.
func TestUnknownCommand(t *testing.T) {
	for _, tt := range []struct{ args, hint string }{
		{"chek", "did you mean check?"},
		{"evnelope get", "did you mean envelope?"},
		{"envelope gte", "did you mean get?"},
		{"envelope get dave --rot x", "did you mean --root?"},
		{"zzzz", "ambit --help lists them"},
		{"help", "ambit --help, or ambit COMMAND --help"},
	} {
		code, stdout, stderr := run(t, "", nil, strings.Fields(tt.args)...)
		if code != exitUsage || stdout != "" || !strings.HasPrefix(stderr, "ambit: error: ") || !strings.HasSuffix(stderr, "\nambit: hint: "+tt.hint+"\n") {
			t.Errorf("%s: exit %d\n%s%s", tt.args, code, stdout, stderr)
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
