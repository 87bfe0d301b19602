package tiers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rows walks the rows of the embedded tables.
func rows(t *testing.T, f func(file string, subject, verb string, args []string)) {
	t.Helper()
	for _, table := range tables() {
		for line := range strings.Lines(table.text) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			subject, rest, _ := strings.Cut(line, ": ")
			fields := strings.Fields(rest)
			f(table.name, subject, fields[0], fields[1:])
		}
	}
}

// TestEveryRow tries every row of the tables: what it says must be seen in a verdict. A row of a kind that has no test
// here is an error.
func TestEveryRow(t *testing.T) {
	k, err := embeddedKnowledge()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("programs/*.txt")
	if err != nil || len(files) != len(tables()) {
		t.Fatalf("%d tables are embedded, the folder has %q, %v", len(tables()), files, err)
	}
	for i, table := range tables() {
		if data, err := os.ReadFile(files[i]); err != nil || string(data) != table.text {
			t.Errorf("%s is not the table %s: %v", files[i], table.name, err)
		}
		if err := check(table.name, table.text); err != nil {
			t.Error(err)
		}
	}
	tried := 0
	judge := func(allow []string, line string) Verdict {
		tried++
		return Evaluator{Protocol: protocolOf(t, allow, nil, []string{"zzz *"}), Root: "/repo"}.Evaluate(line)
	}
	sample := func(o option, name string) string {
		switch {
		case o.value == noValue:
			return name
		case strings.HasPrefix(name, "--") || o.value == attachedValue && len(name) > 2:
			return name + "=v"
		case o.value == attachedValue:
			return name + "v"
		}
		return name + " v"
	}
	rows(t, func(file, subject, verb string, args []string) {
		for s := range strings.SplitSeq(subject, ",") {
			s = strings.TrimSpace(s)
			words := strings.Fields(s)
			if len(words) == 0 {
				continue
			}
			p := k.programs.get(s)
			shellWord := words[0] == "." || words[0] == ":" || words[0] == "["
			reached := p == nil || p.builtin == "" && p.runner == "" && !p.shell && p.procedure == "" && !shellWord
			switch verb {
			case "runs", "saves", "changes", "code":
				for _, a := range args {
					o, err := parseOption(a)
					if err != nil {
						t.Fatal(err)
					}
					for _, name := range o.names {
						line := s + " " + sample(o, name)
						if v := judge([]string{words[0] + " *", s + " *"}, line); v.Allows() {
							t.Errorf("%s: %s %s: %q is %s", file, s, verb, line, v.Decision)
						}
					}
				}
			case "reads":
				if v := judge([]string{s + " *"}, s+" x"); reached && v.Decision != Silent {
					t.Errorf("%s: %q reads, but %q is %s\n%s", file, s, s+" x", v.Decision, v.Explain())
				}
				if v := judge([]string{s + " *"}, s+" zzz x"); reached && p.writes == 0 && v.Decision != Silent {
					t.Errorf("%s: %q reads, but %q is %s", file, s, s+" zzz x", v.Decision)
				}
			case "reads-plainly":
				if v := judge([]string{s + " *"}, s+" p .claude/settings.json"); v.Decision == Block {
					t.Errorf("%s: %q is blocked", file, s)
				}
			case "copies":
				for line, want := range map[string]Decision{" .claude/settings.json x": Silent, " x .claude/settings.json": Block, " -l .claude/settings.json x": Block} {
					if v := judge([]string{s + " *"}, s+line); v.Decision != want {
						t.Errorf("%s: %q is %s", file, s+line, v.Decision)
					}
				}
			case "norun", "alters", "reads-operands":
				if v := judge([]string{s + " *"}, s+" a zzz x"); reached && p.script == 0 && p.writes == 0 && v.Decision == Ask && v.Reasons()[0] == ReasonUnknownRunner {
					t.Errorf("%s: %q does not run its words, but %q asks: %v", file, s, s+" a zzz x", v.Reasons())
				}
			case "script":
				if p.shell || p.runner != "" {
					continue
				}
				if v := judge([]string{s + " *"}, s+strings.Repeat(" w", p.script)); v.Allows() {
					t.Errorf("%s: %q takes a script, but %q is %s", file, s, s+" x", v.Decision)
				}
				line := s + strings.Repeat(" w", p.script)
				if v := judge([]string{line}, line); !v.Allows() {
					t.Errorf("%s: %q spelled out is %s %v", file, line, v.Decision, v.Reasons())
				}
			case "stdin":
				if v := judge([]string{s}, "cat f | "+s); v.Allows() {
					t.Errorf("%s: %q reads code from its input, but is %s", file, s, v.Decision)
				}
			case "writes":
				if v := judge([]string{s + " *"}, s+strings.Repeat(" x", p.writes)); v.Allows() {
					t.Errorf("%s: %q writes its operand, but is %s", file, s, v.Decision)
				}
			case "acts":
				for _, a := range args {
					if v := judge([]string{s + " *"}, s+" "+a+" x"); v.Allows() {
						t.Errorf("%s: %q acts, but is %s", file, s+" "+a, v.Decision)
					}
				}
			case "runner":
				line := s + strings.Repeat(" 1", p.skip) + " zzz x"
				if v := judge([]string{words[0] + " *"}, line); v.Decision != Block {
					t.Errorf("%s: %q starts what tier3 matches, but is %s\n%s", file, line, v.Decision, v.Explain())
				}
				line = s + strings.Repeat(" 1", p.skip) + " ls"
				v := judge([]string{words[0] + " *", "ls *"}, line)
				if want := map[string]Decision{"transparent": Silent, "asks": Ask, "listed": Ask}[p.runner]; v.Decision != want {
					t.Errorf("%s: %q is %s, want %s\n%s", file, line, v.Decision, want, v.Explain())
				}
				if v := judge([]string{line + " *"}, line+" f"); p.runner == "listed" && v.Decision != Silent {
					t.Errorf("%s: %q spelled out is %s\n%s", file, line, v.Decision, v.Explain())
				}
			case "builtin":
				if v := judge(nil, s); args[0] == "inert" && v.Decision != Silent || args[0] == "asks" && v.Allows() {
					t.Errorf("%s: builtin %q is %s", file, s, v.Decision)
				}
			case "changes-programs":
				for _, a := range args {
					name := strings.ReplaceAll(a, "*", "X")
					if k.harmless.has(name) {
						continue
					}
					for _, line := range []string{name + "=x true", name + "=x", "export " + name + "=x", "read " + name, "for " + name + " in x; do :; done", "env " + name + "=x true"} {
						if v := judge(nil, line); v.Allows() {
							t.Errorf("%s: %q is %s", file, line, v.Decision)
						}
					}
				}
			case "set-evaluates":
				for _, a := range args {
					if v := judge(nil, a+"=x"); v.Allows() {
						t.Errorf("%s: %q is %s", file, a+"=x", v.Decision)
					}
				}
			case "is-harmless":
				for _, a := range args {
					if v := judge(nil, a+"=x true"); v.Decision != Silent {
						t.Errorf("%s: %q is %s", file, a+"=x true", v.Decision)
					}
				}
			case "blocks", "asks-for":
				want := map[string]Decision{"blocks": Block, "asks-for": Ask}[verb]
				for _, a := range args {
					path := strings.NewReplacer("**", "x/y", "*", "x").Replace(a)
					for _, line := range []string{": > " + path, ": > sub/" + strings.ToUpper(path), "cp f " + path} {
						if v := (Evaluator{Protocol: protocolOf(t, []string{"cp *"}, nil, nil, "**"), Root: "/repo"}).Evaluate(line); v.Decision != want {
							t.Errorf("%s: %q is %s, want %s", file, line, v.Decision, want)
						}
						tried++
					}
				}
			case "does", "does-named":
				from := strings.ReplaceAll(subject, "*", "x")
				deny := strings.Join(args, " ")
				if verb == "does-named" {
					deny = strings.TrimSuffix(deny, "*") + "x"
				}
				v := Evaluator{Protocol: protocolOf(t, []string{words[0] + " *"}, nil, []string{deny}), Root: "/repo"}.Evaluate(from)
				if tried++; v.Decision != Block {
					t.Errorf("%s: %q does %q, but is %s", file, from, deny, v.Decision)
				}
			case "help":
				for _, a := range args {
					for name := range strings.SplitSeq(a, "|") {
						line := s + " x " + name
						v := Evaluator{Protocol: protocolOf(t, nil, nil, []string{s + " *"}), Root: "/repo"}.Evaluate(line)
						if tried++; v.Decision != Ask || v.Reasons()[0] != ReasonHelpOrDryRun {
							t.Errorf("%s: %q is %s", file, line, v.Decision)
						}
					}
				}
			case "inert":
				for _, a := range args {
					for name := range strings.SplitSeq(a, "|") {
						if v := judge([]string{s + " status"}, s+" "+name+" status"); v.Decision != Silent {
							t.Errorf("%s: %q is %s", file, s+" "+name+" status", v.Decision)
						}
					}
				}
			case "globals":
				for _, a := range args {
					o, _ := parseOption(a)
					for _, name := range o.names {
						if name == "-h" || name == "--help" {
							continue // only tells
						}
						line := s + " " + sample(o, name) + " zzz x"
						v := Evaluator{Protocol: protocolOf(t, nil, nil, []string{s + " zzz *"}), Root: "/repo"}.Evaluate(line)
						if tried++; v.Decision != Block {
							t.Errorf("%s: %q is %s, want block", file, line, v.Decision)
						}
					}
				}
			case "options":
				for _, a := range args {
					o, _ := parseOption(a)
					if len(o.names) < 2 || o.value != noValue || p.help.has(o.names[0]) || s == "time" {
						continue // the shell has a time of its own
					}
					line := s + " " + o.names[1] + " x"
					v := Evaluator{Protocol: protocolOf(t, nil, nil, []string{s + " " + o.names[0] + " *"}), Root: "/repo"}.Evaluate(line)
					if tried++; v.Decision != Block {
						t.Errorf("%s: %q is %s: not seen as %s", file, line, v.Decision, o.names[0])
					}
				}
			case "alone":
				for _, a := range args {
					for _, name := range strings.Split(a, "|") {
						if v := judge([]string{s + " *"}, s+" "+name); v.Decision != Silent {
							t.Errorf("%s: %q is %s", file, s+" "+name, v.Decision)
						}
					}
				}
			case "spelled":
				if v := judge([]string{words[0] + " *"}, s+" x"); v.Allows() {
					t.Errorf("%s: %q is not spelled out, but is %s", file, s, v.Decision)
				}
				if v := judge([]string{s + " *"}, s+" x"); v.Decision != Silent {
					t.Errorf("%s: %q spelled out is %s", file, s, v.Decision)
				}
			case "stdout":
				for _, a := range args {
					if v := judge([]string{s + " *"}, s+" "+a+" - x"); v.Decision != Silent {
						t.Errorf("%s: %q is %s", file, s+" "+a+" -", v.Decision)
					}
				}
			case "plainly":
				for _, a := range args {
					if v := judge([]string{s + " *"}, s+" "+strings.Replace(a, "=", " ", 1)+" x"); v.Decision != Silent {
						t.Errorf("%s: %q is %s", file, s+" "+a, v.Decision)
					}
				}
			case "implies":
				for _, a := range args {
					for _, o := range p.changes.list {
						line := s + " " + a + " v " + sample(o, o.names[0])
						if v := judge([]string{s + " " + a + " v *"}, line); o.names[0] != a && v.Decision != Silent {
							t.Errorf("%s: %q is %s", file, line, v.Decision)
						}
					}
				}
			case "shortens":
				if v := judge([]string{s + " *"}, s+" zz x"); v.Allows() {
					t.Errorf("%s: %q is %s", file, s+" zz x", v.Decision)
				}
				for _, a := range args {
					v := Evaluator{Protocol: protocolOf(t, nil, nil, []string{s + " " + a + "zzz *"}), Root: "/repo"}.Evaluate(s + " " + a + " x")
					if tried++; v.Decision != Ask {
						t.Errorf("%s: %q is %s", file, s+" "+a, v.Decision)
					}
				}
			case "also-script":
				for line, want := range map[string]Decision{"": Silent, " a b": Ask} {
					if v := judge([]string{s + " -e 1 *"}, s+" -e 1"+line); v.Decision != want {
						t.Errorf("%s: %q is %s", file, s+" -e 1"+line, v.Decision)
					}
				}
			case "targets":
				for line, want := range map[string]Decision{" a": Silent, " a V=1": Silent, " a b": Ask, " a SHELL=b": Ask, " a -- b": Ask} {
					if v := judge([]string{s + " a *"}, s+line); v.Decision != want {
						t.Errorf("%s: %q is %s", file, s+line, v.Decision)
					}
				}
			case "skip", "complete", "onedash", "assignments", "joins", "shell", "bundled", "procedure", "reads-with":
				// Seen through the rows that they qualify, and in forms.txt.
			default:
				t.Errorf("%s: the verb %s has no test", file, verb)
			}
		}
	})
	t.Logf("%d verdicts", tried)
}

// TestKnowledgeWith states that callers can add rows, that the given tables stay as they are, and what is refused.
func TestKnowledgeWith(t *testing.T) {
	k := DefaultKnowledge()
	more, err := k.With("mine.txt", "# mine\nmytool: runs -x|--exec=\nmytool: reads\nmysudo: runner asks\nmytool ship *: does git push *\nvariables: changes-programs MYTOOL_*\nfiles: blocks .mytool/**\n")
	if err != nil {
		t.Fatal(err)
	}
	p := protocolOf(t, []string{"mytool *"}, nil, irreversible)
	for _, c := range []struct {
		line          string
		without, with Decision
	}{
		{"mytool a", Silent, Silent},
		{"mytool --exec=a", Silent, Ask},
		{"mytool --ex a", Silent, Ask},
		{"mytool -vx a", Silent, Ask},
		{`mytool "$x"`, Ask, Ask}, // it may run its words
		{"mytool git push", Ask, Silent},
		{"mytool ship x", Silent, Block},
		{"mysudo git push", Ask, Block},
		{"MYTOOL_A=1 mytool a", Silent, Ask},
		{"mytool a > .mytool/x", Ask, Block},
	} {
		e := Evaluator{Protocol: p, Root: "/repo"}
		if got := e.Evaluate(c.line).Decision; got != c.without {
			t.Errorf("without: %q is %s, want %s", c.line, got, c.without)
		}
		e.Knowledge = more
		if got := e.Evaluate(c.line).Decision; got != c.with {
			t.Errorf("with: %q is %s, want %s", c.line, got, c.with)
		}
	}
	for _, bad := range []string{"x", "x: y", "x: runs exec", "x: script a", "x: writes 0", "x: runner maybe", "a | b: does git push *", "* x: does git push *", "a: does b | c", "a: does ;", "a: does", ";: does a", "x: runs -a=b="} {
		if _, err := k.With("bad.txt", bad); !errors.Is(err, ErrKnowledge) || !strings.Contains(fmt.Sprint(err), "bad.txt:1:") {
			t.Errorf("With(%q): %v", bad, err)
		}
	}
	// The zero Knowledge knows nothing, and lets nothing but plain words through.
	e := Evaluator{Protocol: p, Root: "/repo", Knowledge: new(Knowledge)}
	if got := e.Evaluate("mytool a").Decision; got != Silent {
		t.Errorf("plain words: %s", got)
	}
	if got := e.Evaluate("git push").Decision; got != Block {
		t.Errorf("git push: %s", got)
	}
}
