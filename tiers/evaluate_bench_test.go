package tiers

import (
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
)

var ordinary = []string{
	"git status", "ls -la src", "cat README.md | head -20", "grep -rn 'git push' . | wc -l", "git log --oneline -20",
	"find . -name '*.go' -newer go.mod", "sed -n '1,20p' main.go", "git push origin main", "go test ./...", "echo done",
}

// BenchmarkEvaluate judges ordinary commands: 20 µs each is the floor of 50,000 a second.
func BenchmarkEvaluate(b *testing.B) {
	e := Evaluator{Protocol: protocolOf(b, append([]string{"go test *"}, generous...), nil, irreversible), Root: "/repo"}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		e.Evaluate(ordinary[i%len(ordinary)])
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commands/s")
}

// hostile are texts at the limits of T36, each bad for another part of the evaluator.
func hostile() map[string]string {
	fill := func(s string) string { return strings.Repeat(s, MaxTextBytes/len(s)) }
	return map[string]string{
		"words":        fill("a "),
		"lists":        strings.Repeat("ls a b c d e f g h;", MaxSeparators-1),
		"pipes":        strings.Repeat("ls a|", MaxSeparators-1) + "ls",
		"ands":         strings.Repeat("ls a&&", MaxSeparators/2-1) + "ls",
		"parens":       strings.Repeat("(", 99) + "ls" + strings.Repeat(")", 99),
		"substs":       strings.Repeat("echo $(", 99) + "ls" + strings.Repeat(")", 99),
		"shells":       "timeout 1 " + fill("timeout 1 ")[:20000] + "git push",
		"envs":         "env " + fill("env ")[:20000] + "git push",
		"sudos":        fill("sudo ")[:4900] + "git push",
		"dashes":       "npm " + fill("-x ")[:20000] + "publish",
		"unknown":      fill("sudo --foo ")[:4000] + "git push",
		"quotes":       "echo " + fill(`"a"'b'`)[:30000],
		"params":       "echo " + fill("$x ")[:3000],
		"arith":        "echo $((" + fill("1+")[:30000] + "1))",
		"unary":        "echo $((" + fill("-")[:1400] + "1))",
		"ternary":      "echo $((" + fill("1?1:")[:1400] + "1))",
		"assigns":      "echo $((" + fill("a=")[:1400] + "1))",
		"tests":        "[[ " + strings.Repeat("! ", 99) + "x ]]",
		"arrays":       "a=(" + fill("1 ")[:30000] + ")",
		"braces":       "echo " + fill("{a,b}")[:5000],
		"heredocs":     strings.Repeat("cat <<E\nx\nE\n", 300),
		"heredoc":      "cat <<E\n" + fill("line of text\n")[:12000] + "E\n",
		"functions":    strings.Repeat("f() { ls; }\n", 900)[:9000],
		"ints":         strings.Repeat("n=1; echo $((n+1));", 300),
		"assignments":  strings.Repeat("a=1 ", 8000) + "ls",
		"redirects":    "ls " + strings.Repeat(">/dev/null ", 2900),
		"finds":        "find . " + strings.Repeat("-exec ls {} ; ", 10) + strings.Repeat(`-exec ls {} \; `, 900),
		"evals":        strings.Repeat("eval ", 6000) + "ls",
		"nested":       "bash -c '" + strings.Repeat("ls;", 900) + "'",
		"stars":        "x " + fill("a b ")[:30000],
		"comments":     strings.Repeat("# it's\n", 990),
		"backticks":    strings.Repeat("echo `ls` ", 49),
		"cds":          strings.Repeat("cd a;", 990),
		"cases":        "case x in " + strings.Repeat("a) ls;;", 490) + "esac",
		"literal":      "echo " + fill("x")[:32000],
		"xargs":        fill("xargs ")[:5900] + "git push",
		"lotsofparams": "echo " + strings.Repeat("${x:-", 99) + strings.Repeat("}", 99),
	}
}

// TestHostileTextsAreQuick states T36: at most 10 ms for any text below the limits. The bound of the test is twice that,
// for slow machines; the benchmark has the figure.
func TestHostileTextsAreQuick(t *testing.T) {
	tier3 := append([]string{"a b a b *", "* x * y * z"}, irreversible...)
	e := Evaluator{Protocol: protocolOf(t, append([]string{"* a * b * c *", "x * a * b *"}, generous...), nil, tier3), Root: "/repo"}
	e.Evaluate("ls")
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			regime.Within(t, 20*time.Millisecond, func() { e.Evaluate(text) })
		})
	}
}

// BenchmarkHostile has the worst text below the limits.
func BenchmarkHostile(b *testing.B) {
	e := Evaluator{Protocol: protocolOf(b, generous, nil, irreversible), Root: "/repo"}
	for name, text := range hostile() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.Evaluate(text)
			}
		})
	}
}
