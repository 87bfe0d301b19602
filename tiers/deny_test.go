package tiers

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// toolRows are programs of which every kind of option is known.
const toolRows = `
tool: options -o|--output= -v|--verbose -c=? --color=? --quiet --zone=
tool sub: options -s|--size= --shape=
tool odd: onedash
tool odd: options -size=
one: onedash
one: options -exec= -name= -f
fin: globals -a=
fin: complete
py: script 1
py3: shell
plain: reads
short: shortens container
twin push *: does tool send *
other go: does tool run fast *
runner *: does-named tool run *
`

func toolKnowledge(t *testing.T) *Knowledge {
	t.Helper()
	k, err := new(Knowledge).With("tools", toolRows)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestOptionsInWords states which words hold an option: written out, abbreviated, in a cluster, up to a value (T23).
func TestOptionsInWords(t *testing.T) {
	k := toolKnowledge(t)
	for _, c := range []struct {
		program, option string
		holds, not      []string
	}{
		{"tool", "-f", []string{"-f", "-xf", "-fx", "-f=1", "--f", "-f\x00", "-vf"}, []string{"", "-", "f", "+f", "-of", "-cf", "-x", "-\x00f", "-x\x00f", "--force", "--fo", "-x=f"}},
		{"tool", "--force", []string{"--force", "--forc", "--fo", "--f", "--force=1", "--force\x00"}, []string{"-f", "-force", "--forced", "--x", "--", "---", "+force"}},
		{"tool", "--output-dir", []string{"--output-dir", "--output-", "--out"}, []string{"--output", "--output=x"}},
		{"tool", "--verbose", []string{"--verb"}, []string{"--quiet"}},
		{"tool", "+x", []string{"+x", "+yx"}, []string{"-x", "x"}},
		{"one", "-exec", []string{"-exec", "--exec", "-exec=x"}, []string{"-e", "-exe", "-execs", "-x"}},
		{"one", "-f", []string{"-f", "--f"}, []string{"-xf"}},
		{"unknown", "-f", []string{"-of", "-f"}, []string{"-x"}},
		{"unknown", "-exec", []string{"-exec"}, []string{"-e", "-xexec"}},
	} {
		p := k.programs.get(c.program)
		for _, w := range c.holds {
			if !optionIn(p, c.option, w) {
				t.Errorf("%s: %q does not hold %s", c.program, w, c.option)
			}
		}
		for _, w := range c.not {
			if optionIn(p, c.option, w) {
				t.Errorf("%s: %q holds %s", c.program, w, c.option)
			}
		}
	}
}

// TestValuesOfOptions states where the value of an option is: in its word, from a place on, or the next word.
func TestValuesOfOptions(t *testing.T) {
	k := toolKnowledge(t)
	for _, c := range []struct {
		program, word string
		ends          int    // where the value of a letter begins
		value         string // that the word holds
		next, sure    bool   // it takes the next word
		before        bool   // that is sure before a subcommand
	}{
		{"tool", "-o", 0, "", true, true, true},
		{"tool", "-ofile", 2, "file", false, true, true},
		{"tool", "-vofile", 3, "file", false, true, true},
		{"tool", "-vo", 0, "", true, true, true},
		{"tool", "-cred", 0, "", false, true, true},
		{"tool", "-c", 0, "", false, true, true},
		{"tool", "-v", 0, "", false, true, true},
		{"tool", "-z", 0, "", false, false, false},
		{"tool", "-zofile", 3, "file", false, true, true},
		{"tool", "--output", 0, "", true, true, true},
		{"tool", "--output=file", 0, "file", false, true, true},
		{"tool", "--other=file", 0, "file", false, true, true},
		{"tool", "--other", 0, "", false, false, false},
		{"tool", "--color", 0, "", false, true, true},
		{"tool", "+ofile", 0, "", false, false, false},
		{"one", "-exec", 0, "", true, true, true},
		{"one", "-execfile", 0, "", false, false, false},
		{"one", "-fexec", 0, "", false, false, false},
		{"fin", "-a", 0, "", true, true, true},
		{"fin", "-z", 0, "", false, false, true},
		{"unknown", "-ofile", 0, "", false, false, false},
		{"unknown", "--output=file", 0, "file", false, true, true},
	} {
		p := k.programs.get(c.program)
		if got := p.valueEnds(c.word); got != c.ends {
			t.Errorf("%s %s: the value begins at %d, want %d", c.program, c.word, got, c.ends)
		}
		if got := attached(c.word, nil, p); got != c.value {
			t.Errorf("%s %s: it holds %q, want %q", c.program, c.word, got, c.value)
		}
		if next, sure := arity(c.word, nil, p); next != c.next || sure != c.sure {
			t.Errorf("%s %s: next %v, sure %v", c.program, c.word, next, sure)
		}
		if next, sure := arityBefore(c.word, p); next != c.next || sure != c.before {
			t.Errorf("%s %s before the subcommand: next %v, sure %v", c.program, c.word, next, sure)
		}
	}
}

// TestDenyRules states what is made of a pattern: its words in order, and the options that it names (T23).
func TestDenyRules(t *testing.T) {
	k := toolKnowledge(t)
	type need struct {
		Names       []string
		Value, Glob string
	}
	for pattern, want := range map[string]struct {
		Words []string
		Needs []need
	}{
		"tool":                   {},
		"tool a *":               {Words: []string{"a", "\x00"}},
		"* a":                    {Words: []string{"\x00", "a"}},
		"tool ./a":               {Words: []string{"a"}},
		"tool -":                 {Words: []string{"-"}},
		"tool -f a":              {[]string{"a"}, []need{{Names: []string{"-f"}}}},
		"tool a -vf":             {[]string{"a"}, []need{{Names: []string{"-v", "--verbose"}}, {Names: []string{"-f"}}}},
		"tool -ofile":            {nil, []need{{Names: []string{"-o", "--output"}, Value: "file"}}},
		"tool -vofile":           {nil, []need{{Names: []string{"-v", "--verbose"}}, {Names: []string{"-o", "--output"}, Value: "file"}}},
		"tool -o file a":         {[]string{"a"}, []need{{Names: []string{"-o", "--output"}, Value: "file"}}},
		"tool -o *":              {[]string{"\x00"}, []need{{Names: []string{"-o", "--output"}}}},
		"tool -o":                {nil, []need{{Names: []string{"-o", "--output"}}}},
		"tool -v a":              {[]string{"a"}, []need{{Names: []string{"-v", "--verbose"}}}},
		"tool --output=f*e":      {nil, []need{{Names: []string{"--output", "-o"}, Value: "f\x00e"}}},
		"tool --out*":            {nil, []need{{Glob: "--out\x00"}}},
		"tool --out*=x a":        {[]string{"a"}, []need{{Glob: "--out\x00=x"}}},
		"tool -- -f":             {Words: []string{"--", "-f"}},
		"tool sub -s 1":          {[]string{"sub"}, []need{{Names: []string{"-s", "--size"}, Value: "1"}}},
		"tool sub --shape x -of": {[]string{"sub"}, []need{{Names: []string{"--shape"}, Value: "x"}, {Names: []string{"-o", "--output"}}, {Names: []string{"-f"}}}},
		"tool sub -s5":           {[]string{"sub"}, []need{{Names: []string{"-s", "--size"}, Value: "5"}}},
		"tool odd -size 5 a":     {[]string{"odd", "a"}, []need{{Names: []string{"-size"}, Value: "5"}}},
		"one -exec x":            {nil, []need{{Names: []string{"-exec"}, Value: "x"}}},
		"unknown -rf x":          {[]string{"x"}, []need{{Names: []string{"-r"}}, {Names: []string{"-f"}}}},
	} {
		p, err := ParsePattern(pattern)
		if err != nil {
			t.Fatal(err)
		}
		r := k.denyRule(p.stages[0])
		got := want
		got.Words, got.Needs = nil, nil
		for _, w := range r.words {
			got.Words = append(got.Words, w.text)
		}
		for _, n := range r.needs {
			got.Needs = append(got.Needs, need{n.names, n.value, n.glob})
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", pattern, d)
		}
	}
}

// TestBeginsWith states when the first words of a pattern take in those of a row, and what follows them.
func TestBeginsWith(t *testing.T) {
	words := func(text string) []word {
		p, err := ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		return p.stages[0]
	}
	for _, c := range []struct{ pattern, head, rest string }{
		{"git push", "git push", ""},
		{"git push origin main", "git push", "origin main"},
		{"git p* origin", "git push", "origin"},
		{"g* push", "git push", ""},
		{"git", "git push", "no"},
		{"git pull", "git push", "no"},
		{"git *", "git push", "no"},
		{"* push", "git push", "no"},
		{"git push", "git p*", "no"},
	} {
		rest, ok := beginsWith(words(c.pattern), words(c.head))
		var texts []string
		for _, w := range rest {
			texts = append(texts, w.text)
		}
		got := strings.Join(texts, " ")
		if !ok {
			got = "no"
			if rest != nil {
				t.Errorf("%s has %v after %s, which it does not begin with", c.pattern, texts, c.head)
			}
		}
		if got != c.rest {
			t.Errorf("%s after %s: %q, want %q", c.pattern, c.head, got, c.rest)
		}
	}
	for text, want := range map[string]int{"git push *": 2, "git push": 2, "git * push": 3, "*": 0} {
		if got := trimStar(words(text)); len(got) != want || cap(got) != want {
			t.Errorf("%s without its last star has %d words (room for %d), want %d", text, len(got), cap(got), want)
		}
	}
}

// TestProgramNames states what a program is known by.
func TestProgramNames(t *testing.T) {
	k := toolKnowledge(t)
	for base, want := range map[string]string{
		"": "", "tool": "tool", "py3": "py3", "py": "py", "py3.11": "py3", "py3-12": "py3", "py2": "py", "py2.7.1": "py", "eslint@8": "eslint", "x@8": "x", "@8": "@8",
		"plain2": "plain2", "other2": "other2", "123": "123", "tool2": "tool2", "py3.1x": "py3.1x",
	} {
		if got := k.family(base); got != want {
			t.Errorf("%s is of %s, want %s", base, got, want)
		}
	}
	for _, c := range []struct {
		rule string
		is   []string
		not  []string
	}{
		{"git", []string{"git", "/usr/bin/git", "git.exe", `C:\bin\git.exe`, "./git"}, []string{"gi", "gitk", "git/x"}},
		{"g*", []string{"git", "/x/go"}, []string{"xg"}},
		{"/usr/bin/git", []string{"git", "/usr/bin/git", "/usr/bin/../bin/git"}, []string{"gitk"}},
		{"scripts/deploy.sh", []string{"scripts/deploy.sh", "./scripts/deploy.sh", "/repo/scripts/deploy.sh", "scripts/x/../deploy.sh"}, []string{"deploy.sh", "xscripts/deploy.sh", "scripts/deploy", "other/deploy.sh"}},
		{"./deploy.sh", []string{"./deploy.sh", "/repo/deploy.sh"}, []string{"deploy"}},
		{"/opt/x/run", []string{"/opt/x/run", "/opt/./x/run"}, []string{"run", "/a/opt/x/run", "opt/x/run"}},
		{"py", []string{"py2.7", "/usr/bin/py2"}, []string{"py3"}},
	} {
		p, err := ParsePattern(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		r := denyRule{program: p.stages[0][0]}
		for _, name := range append(slices.Clone(c.is), c.not...) {
			if got, want := r.names(k.subject([]word{{text: name}})), slices.Contains(c.is, name); got != want {
				t.Errorf("%s names %s: %v", c.rule, name, got)
			}
		}
	}
	short := k.programs.get("short")
	for text, want := range map[string]bool{"c": false, "co": true, "container": false, "compose": true, "composer": false, "x": false} {
		if got := short.shortened(text, "compose"); got != want {
			t.Errorf("%s is short for compose: %v", text, got)
		}
	}
	if k.programs.get("tool").shortened("co", "compose") || (*program)(nil).shortened("co", "compose") {
		t.Error("a program whose subcommands are written out has short ones")
	}
}

// TestEquivalents states which commands a deny rule is about besides its own: those that the tables say do the same, found
// by what a pattern begins with, however the program is written (T23).
func TestEquivalents(t *testing.T) {
	k := toolKnowledge(t)
	for pattern, want := range map[string][]string{
		"tool send x":          {"tool send x", "twin push x"},
		"tool send *":          {"tool send *", "twin push *"},
		"tool send":            {"tool send", "twin push"},
		"tool se* x":           {"tool se* x", "twin push x"},
		"t* send x":            {"t* send x", "twin push x"},
		"/usr/bin/tool send x": {"/usr/bin/tool send x", "twin push x"},
		"./tool send x":        {"./tool send x", "twin push x"},
		"tool":                 {"tool"},
		"tool *":               {"tool *"},
		"tool receive":         {"tool receive"},
		"* send x":             {"* send x"},
		"tool run fast x":      {"tool run fast x", "other go x", "runner fast x"},
		"tool run build":       {"tool run build", "runner build"},
		"tool run *":           {"tool run *"},
		"tool run b*":          {"tool run b*"},
		"tool run":             {"tool run"},
		"twin push x":          {"twin push x"},
	} {
		p, err := ParsePattern(pattern)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range k.denyRules(p.stages[0]) {
			text := r.program.text
			for _, w := range r.words {
				if !r.program.many || text != w.text { // a star for the program stands among the words as well
					text += " " + w.text
				}
			}
			got = append(got, strings.ReplaceAll(text, anyRun, "*"))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", pattern, d)
		}
	}
}

// relationOf gives how words stand to a deny pattern.
func relationOf(t *testing.T, k *Knowledge, pattern string, cmd []word) relation {
	t.Helper()
	p, err := ParsePattern(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return reading{subjects: []*subject{k.subject(cmd)}, unsure: []bool{false}}.relation(k.denyRules(p.stages[0]))
}

// TestWordsOfDenies states how the words of a command stand to those of a deny rule: options of the command, with their
// values, may stand between; what is not known may be any of them (T23).
func TestWordsOfDenies(t *testing.T) {
	k := toolKnowledge(t)
	// In a command, "?" is a word that is not known, "*" any number of them, and "?" inside a word any run.
	words := func(text string) []word {
		var out []word
		for _, f := range strings.Fields(text) {
			if f == "*" {
				out = append(out, word{text: anyRun, many: true})
			} else {
				out = append(out, word{text: strings.ReplaceAll(f, "?", anyRun)})
			}
		}
		return out
	}
	for pattern, commands := range map[string]map[string]relation{
		"tool a": {
			"tool a": always, "tool b": never, "tool": never, "tool a b": never, "tool b a": never,
			"tool -v a": always, "tool a -v": always, "tool -vx a": always, "tool --quiet a": always, "tool -o x a": always, "tool -ox a": always,
			"tool --output=x a": always, "tool -o a": never, "tool -o x": never, "tool -z a": always, "tool -z x a": always, "tool a -z x": always, "tool -z x": never,
			"tool -- a": always, "tool -- x a": never, "tool -- -x a": never, "tool -- -v": never, "tool a --": always, "tool - a": never,
			"tool ./a": always, "tool x/../a": always, "tool x/a": never, "tool x/y": never, "tool ?/../a": never,
			"tool ?": maybe, "tool ? a": maybe, "tool ? b": never, "tool a ?": maybe, "tool b ?": never, "tool a? b": never, "tool a?": maybe, "tool x? a": never,
			"tool *": maybe, "tool * a": maybe, "tool * b": never, "tool -o *": maybe, "tool -o * a": maybe, "tool -o ? a": always, "tool -v?": never, "tool -v? a": always,
			"tool -- ?": maybe, "tool -- ? a": never, "?": never, "? a": maybe, "other a": never,
		},
		"tool x a": {"tool x a": always, "tool -o * a": maybe, "tool -o f * a": maybe, "tool -o * b": never, "tool x -v a": always, "tool x * a": maybe, "tool * x a": maybe},
		"tool a *": {
			"tool a": always, "tool a b c": always, "tool a -v": always, "tool -v": never, "tool a *": always, "tool a ?": always, "tool": never, "tool ?": maybe, "tool * b": maybe,
		},
		"tool * z": {"tool z": always, "tool a b z": always, "tool a z b": never, "tool a z b z": always, "tool -o z": always, "tool z -v": always, "tool a ?": maybe},
		"tool":     {"tool": always, "tool -v": always, "tool a": never, "tool -o a": always, "tool *": maybe, "tool ?": maybe},
		"tool *":   {"tool": always, "tool a": always, "tool -v a": always, "tool *": always, "too? a": maybe},
		"* a":      {"a": always, "x a": always, "x y a": always, "x": never, "* a": maybe, "? a": always, "x ?": maybe},
		"t* a":     {"tool a": always, "tx a": always, "x a": never, "t? a": always, "? a": maybe},
		"unknown --zone a": {
			"unknown --zone=a": always, "unknown --zone a": always, "unknown a --zone": always, "unknown --zone=b": never, "unknown --other=a": never, "unknown --zone=b a": always,
			"unknown --other=a --zone": never, "unknown a": never,
		},
		"tool --color=red":  {"tool --color=red": always, "tool --color=blue": never, "tool --color": never, "tool --color red": never},
		"tool -f a":         {"tool -f a": always, "tool a -f": always, "tool -vf a": always, "tool a": never, "tool -- a -f": never, "tool a -?": maybe, "tool a ?": maybe, "tool -of a": never},
		"short compose up":  {"short compose up": always, "short co up": always, "short c up": never, "short compose u": never, "short container up": never},
		"tool --out* a":     {"tool --output a": always, "tool --out a": always, "tool --ou a": never, "tool a": never, "tool a ?": maybe, "tool --zone a --out": never},
		"/usr/bin/tool a":   {"tool a": always, "/usr/bin/tool a": always, "/x/tool a": always},
		"scripts/run.sh *":  {"scripts/run.sh": always, "./scripts/run.sh x": always, "run.sh": never},
		"tool -- -f":        {"tool -- -f": always, "tool -f": never, "tool -v -- -f": always},
		"tool sub --size 1": {"tool sub --size 1": always, "tool sub -s 1": always, "tool sub -s1": always, "tool sub -s 2": never, "tool -v sub --size=1": always, "tool sub": never},
	} {
		for command, want := range commands {
			if got := relationOf(t, k, pattern, words(command)); got != want {
				t.Errorf("%s to %s is %v, want %v", command, pattern, got, want)
			}
		}
	}
}

// TestValuesOfDenies states how a command stands to a deny rule whose option has a value: with that value, however it is
// given, it is denied; with another not; with one that is not known it asks.
func TestValuesOfDenies(t *testing.T) {
	k := toolKnowledge(t)
	some := word{text: anyRun}
	many := word{text: anyRun, many: true}
	literal := func(text string) []word { return knownWords(strings.Fields(text)...) }
	for _, c := range []struct {
		cmd  []word
		want relation
	}{
		{literal("tool -o secret"), always},
		{literal("tool a -o secret b"), always},
		{literal("tool --output secret"), always},
		{literal("tool --output=secret"), always},
		{literal("tool --outp=secret"), always},
		{literal("tool -osecret"), always},
		{literal("tool -vosecret"), always},
		{literal("tool -o x -o secret"), always},
		{literal("tool -o x"), never},
		{literal("tool -osecrets"), never},
		{literal("tool secret"), never},
		{literal("tool -o"), never},
		{literal("tool a -o"), never},
		{literal("tool --output="), never},
		{literal("tool -- -o secret"), never},
		{append(literal("tool -o"), some), maybe},
		{append(literal("tool -o"), many), maybe},
		{append(literal("tool -o"), word{text: "s" + anyRun}), maybe},
		{append(literal("tool -o"), word{text: "x" + anyRun}), never},
		{append(literal("tool"), some), maybe},
		{append(literal("tool"), many), maybe},
		{append(literal("tool"), some, word{text: "secret"}), maybe},
		{append(literal("tool"), word{text: "-o" + anyRun}), maybe},
		{append(literal("tool"), word{text: "x" + anyRun}), never},
		{[]word{some}, never},
		{[]word{some, {text: "-o"}, {text: "secret"}}, maybe},
		{[]word{many}, maybe},
	} {
		if got := relationOf(t, k, "tool -o secret *", c.cmd); got != c.want {
			t.Errorf("%+v: %v, want %v", c.cmd, got, c.want)
		}
	}
}
