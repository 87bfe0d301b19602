package tiers

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"

	"example.com/ambit/internal/regime"
)

// drawLine draws a line of the kinds that lineMaker makes.
func drawLine(t *rapid.T, label string) string {
	g := &lineMaker{rand.New(rand.NewPCG(rapid.Uint64().Draw(t, label), 3))}
	return g.line()
}

// drawPattern draws a pattern that has something to do with the lines.
func drawPattern(t *rapid.T, label string) string {
	return rapid.SampledFrom([]string{
		"evil *", "evil", "cat *", "ls *", "echo *", "* evil", "e* *", "grep x *", "git *", "git log *", "git push *", "*",
		"find * -delete", "xargs *", "sh *", "env *", "cat * | grep *", "* | sh", "*>*", "head a", "true", "git status",
	}).Draw(t, label)
}

func loose(v Verdict) bool { return v.Allows() }

// TestMonotonic states T37: more in tier3 never loosens, more in tier1 or tier2 never changes a block, and a text is
// never looser than a line of it that stands on its own.
func TestMonotonic(t *testing.T) {
	regime.Rapid(t, 2000, 100000)
	cache := map[string]*Protocol{}
	protocol := func(t1, t2, t3 []string) *Protocol {
		key := fmt.Sprint(t1, t2, t3)
		if cache[key] == nil {
			cache[key] = protocolOf(t, t1, t2, t3)
		}
		return cache[key]
	}
	rapid.Check(t, func(t *rapid.T) {
		line := drawLine(t, "line")
		p := drawPattern(t, "pattern")
		t1, t3 := listedForBash, []string{"git push *"}
		if q := rapid.SampledFrom([]string{"", "evil *", "cat *"}).Draw(t, "also"); q != "" {
			t3 = append(t3[:1:1], q)
		}
		with := func(t1, t2, t3 []string) Verdict {
			return Evaluator{Protocol: protocol(t1, t2, t3), Root: "/repo"}.Evaluate(line)
		}
		base := with(t1, nil, t3)
		if more := with(t1, nil, append(t3[:len(t3):len(t3)], p)); !loose(base) && loose(more) {
			t.Fatalf("%q in tier3 loosens %q: %s to %s", p, line, base.Decision, more.Decision)
		}
		if more := with(append(t1[:len(t1):len(t1)], p), nil, t3); base.Decision == Block && more.Decision != Block {
			t.Fatalf("%q in tier1 unblocks %q: %s", p, line, more.Decision)
		}
		if more := with(t1, []string{p}, t3); base.Decision == Block && more.Decision != Block {
			t.Fatalf("%q in tier2 unblocks %q: %s", p, line, more.Decision)
		}
	})
}

// TestLinesNeverLoosen states that two texts that parse on their own are, as two lines, never looser than either, and
// that `; cmd` after a text never loosens it.
func TestLinesNeverLoosen(t *testing.T) {
	regime.Rapid(t, 2000, 100000)
	e := Evaluator{Protocol: protocolOf(t, listedForBash, nil, irreversible), Root: "/repo"}
	parses := func(s string) bool {
		_, err := syntax.NewParser().Parse(strings.NewReader(s), "")
		return err == nil
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawLine(t, "a"), drawLine(t, "b")
		va := e.Evaluate(a)
		if !parses(a) {
			return
		}
		if !loose(va) {
			for _, more := range []string{"; ls", "\nls", "; echo x", " && true"} {
				if v := e.Evaluate(a + more); loose(v) && !strings.Contains(a, "#") {
					t.Fatalf("%q after %q loosens it\n%s\n%s", more, a, va.Explain(), v.Explain())
				}
			}
		}
		if !parses(b) {
			return
		}
		vb := e.Evaluate(b)
		if v := e.Evaluate(a + "\n" + b); loose(v) && (!loose(va) || !loose(vb)) {
			t.Fatalf("%q and %q are looser together: %s, %s, %s", a, b, va.Decision, vb.Decision, v.Decision)
		}
	})
}

// TestQuotingChangesNothing states that quotes which bash removes change no verdict.
func TestQuotingChangesNothing(t *testing.T) {
	regime.Rapid(t, 2000, 100000)
	e := Evaluator{Protocol: protocolOf(t, append([]string{"make test", "npm run *", "evil2 --x *"}, listedForBash...), nil, irreversible), Root: "/repo"}
	words := []string{
		"git", "push", "status", "log", "-C", ".", "rm", "-rf", "-r", "-f", "d", "npm", "publish", "run", "cat", "a", "sort", "-o", "find", "-delete",
		"-exec", "timeout", "5", "env", "sudo", "xargs", "bash", "-c", "make", "test", "evil", "evil2", "--x", "--", "--help", "--output=f", "grep", "tee", "sed", "p", "awk", "1", "python", "cd", "echo",
	}
	quotes := []func(string) string{
		func(w string) string { return w },
		func(w string) string { return "'" + w + "'" },
		func(w string) string { return `"` + w + `"` },
		func(w string) string { return `\` + w },
		func(w string) string { return w[:1] + "''" + w[1:] },
		func(w string) string { return "$'" + w + "'" },
		func(w string) string { return w[:1] + "\\\n" + w[1:] },
		func(w string) string { return `"` + w[:1] + `"` + w[1:] },
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "words")
		var bare, quoted []string
		for range n {
			w := rapid.SampledFrom(words).Draw(t, "word")
			bare = append(bare, w)
			quoted = append(quoted, rapid.SampledFrom(quotes).Draw(t, "quotes")(w))
		}
		a, b := e.Evaluate(strings.Join(bare, " ")), e.Evaluate(strings.Join(quoted, " "))
		if a.Decision != b.Decision {
			t.Fatalf("%q is %s, %q is %s\n%s\n%s", bare, a.Decision, quoted, b.Decision, a.Explain(), b.Explain())
		}
	})
}

// FuzzEvaluate states that any text gives a verdict, whose parts lie in the text, and that a line break and a harmless
// command after it do not loosen it.
func FuzzEvaluate(f *testing.F) {
	for _, s := range nasty {
		f.Add(s)
	}
	for _, s := range []string{"", " ", "\x00", "\xff", "# x", strings.Repeat("(", 200), strings.Repeat("a ", 2000), strings.Repeat("$(", 99)} {
		f.Add(s)
	}
	e := Evaluator{Protocol: protocolOf(f, listedForBash, nil, irreversible, "notes/**"), Root: "/repo"}
	if v := e.Evaluate("git push"); v.Decision != Block {
		f.Fatal("the seed git push does not block")
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		v := e.Evaluate(text)
		if took := time.Since(start); took > time.Second {
			t.Errorf("%v for %d bytes", took, len(text))
		}
		strictest := Silent
		for _, p := range v.Parts {
			if p.Start < 0 || p.Start > p.End || p.End > len(text) {
				t.Errorf("part %+v is outside the text", p)
			}
			if p.Decision.Strictness() > strictest.Strictness() {
				strictest = p.Decision
			}
		}
		if v.Decision != strictest {
			t.Errorf("verdict %s, strictest part %s", v.Decision, strictest)
		}
		if v.Explain() == "" {
			t.Error("no explanation")
		}
	})
}
