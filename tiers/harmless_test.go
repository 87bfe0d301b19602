package tiers

import "testing"

// TestHarmlessOptions states that what only tells, or writes nowhere, is let through, and what is beside it is not.
func TestHarmlessOptions(t *testing.T) {
	allow := []string{"curl *", "sort *", "awk *", "date *", "hostname *", "gh run list *", "python3 --version", "node *", "tclsh *", "go test *"}
	e := Evaluator{Protocol: protocolOf(t, allow, nil, irreversible), Root: "/repo"}
	for text, want := range map[string]Decision{
		"curl -s -o /dev/null -w '%{http_code}' http://localhost/": Silent,
		"curl -so/dev/null http://localhost/":                      Silent,
		"curl --output=/dev/null http://localhost/":                Silent,
		"curl --output /dev/null http://localhost/ --output f":     Ask,
		"curl -o \"$f\" http://localhost/":                         Ask,
		"curl -o":                                                  Ask,
		"curl -O /dev/null":                                        Ask,
		"sort -o /dev/null f":                                      Silent,
		"awk '$3 >= 1000 {print $1}' f":                            Silent,
		"awk '{print >= 1 > \"f\"}' f":                             Ask,
		"python3 --version":                                        Silent,
		"node --version":                                           Silent,
		"node --version x.js":                                      Ask,
		"tclsh --version":                                          Ask,
		"date +%s":                                                 Silent,
		"date -u -d yesterday \"+$format\"":                        Silent,
		"date 010100002020":                                        Ask,
		"date -u 010100002020":                                     Ask,
		"date $x":                                                  Ask,
		"hostname -f":                                              Silent,
		"hostname other":                                           Ask,
		"gh run list -L 5":                                         Silent,
		"CGO_ENABLED=0 go test ./...":                              Silent,
		"CGO_CFLAGS=-fplugin=x go test ./...":                      Ask,
		"x=a; printf 'x%n' y; printf %5d%% \"$x\"; printf \"a$x\" 1": Silent,
		"printf \"$x\" \"$y\"": Ask,
	} {
		if v := e.Evaluate(text); v.Decision != want {
			t.Errorf("%s: %s, want %s\n%s", text, v.Decision, want, v.Explain())
		}
	}
}

// TestStarsOfPatterns states that a star of a pattern spells out no folder, no script and no control file (T33, T34a).
func TestStarsOfPatterns(t *testing.T) {
	for _, c := range []struct {
		allow, text string
		want        Decision
	}{
		{"git -C * status", "git -C other status", Ask},
		{"git -C sub status", "git -C sub status", Silent},
		{"git -c * log", "git -c core.pager=x log", Ask},
		{"awk -f *", "awk -f prog x", Ask},
		{"awk -f prog *", "awk -f prog x", Silent},
		{"cp *", "cp x .c*/settings.json", Ask},
		{"cp *", "cp x .*/settings.json", Ask},
		{"cp *", "cp x .Cla?de/settings.json", Ask},
		{"cp *", "cp open*.json x", Silent},
		{"cp *", "cp x open*.json", Ask},
		{"mv *", "mv open*.json x", Ask},
		{"cp *", "cp src/*.go out/", Silent},
		{"cp *", "cp a* b", Silent},
		{"cp *", "cp a .claude/\u017fettings.json", Block},
		{"cp *", "cp a .CL\u200cAUDE/settings.json", Block},
		{"cp *", "cp a '.claude/settings.json::$DATA'", Block},
		{"cp *", "cp a .claude/settings.json:x", Block},
		{"cp *", "cp a :x b", Silent},
		{"ls *", "/usr/bin/env ls", Silent},
		{"ls *", "/bin/bash -c ls", Silent},
		{"ls *", "/tmp/env ls", Ask},
		{"cat *", "cat < /dev/fd/$n", Silent},
		{"cat *", "cat < $f", Silent},
	} {
		e := Evaluator{Protocol: protocolOf(t, []string{c.allow}, nil, irreversible), Root: "/repo"}
		if v := e.Evaluate(c.text); v.Decision != c.want {
			t.Errorf("%s: %s: %s, want %s\n%s", c.allow, c.text, v.Decision, c.want, v.Explain())
		}
	}
}
