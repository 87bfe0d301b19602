package tiers_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"example.com/ambit/tiers"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// part makes a part of a text: where piece stands in it.
func part(text, piece string, d tiers.Decision, r tiers.Reason, pattern string, via ...string) tiers.Part {
	i := strings.Index(text, piece)
	return tiers.Part{Text: piece, Start: i, End: i + len(piece), Decision: d, Reason: r, Pattern: pattern, Via: via}
}

func TestExplain(t *testing.T) {
	const two = "git status && git push"
	const sub = "echo $(git push)"
	const cjk = "echo 日本; git push"
	nested := part("timeout 5 git push", "timeout 5 git push", tiers.Block, tiers.ReasonTier3, "git push *", "timeout")
	nested.Text = "git push"
	detailed := part("A=1 x", "A=1 x", tiers.Ask, tiers.ReasonEnvChangesProgram, "")
	detailed.Detail = "A changes what x does, and this is a long sentence that has to go to a line of its own"
	long := strings.Repeat("a ", 60) + "; git push"
	many := strings.Repeat("ls\n", 20) + "git push\n" + strings.Repeat("ls\n", 3)
	for _, tt := range []struct {
		name string
		v    tiers.Verdict
		want string
	}{
		{"two parts", tiers.Verdict{Text: two, Decision: tiers.Block, Parts: []tiers.Part{
			part(two, "git status", tiers.Silent, tiers.ReasonTier1, "git status *"), part(two, "git push", tiers.Block, tiers.ReasonTier3, "git push *")}}, `
block: irreversible or external, a person runs it: git push

  git status && git push
  ----------    ^^^^^^^^

  silent  git status  tier1: git status *
> block   git push    tier3: git push *
`},
		{"inside another", tiers.Verdict{Text: sub, Decision: tiers.Block, Parts: []tiers.Part{
			part(sub, sub, tiers.Silent, tiers.ReasonInert, ""), part(sub, "git push", tiers.Block, tiers.ReasonTier3, "git push *")}}, `
block: irreversible or external, a person runs it: git push

  echo $(git push)
  -------^^^^^^^^-

  silent  echo $(git push)  inert
> block   └ git push        tier3: git push *
`},
		{"through a runner", tiers.Verdict{Text: "timeout 5 git push", Decision: tiers.Block, Parts: []tiers.Part{nested}}, `
block: irreversible or external, a person runs it: git push

  timeout 5 git push
  ^^^^^^^^^^^^^^^^^^

> block   timeout → git push  tier3: git push *
`},
		{"silent has no pointer", tiers.Verdict{Text: "ls; ls", Decision: tiers.Silent, Parts: []tiers.Part{
			part("ls; ls", "ls", tiers.Silent, tiers.ReasonTier1, "ls *"), {Text: "ls", Start: 4, End: 6, Decision: tiers.Silent, Reason: tiers.ReasonTier1, Pattern: "ls *"}}}, `
silent: every part is listed or harmless

  ls; ls
  --  --

  silent  ls  tier1: ls * (2 times)
`},
		{"a long reason goes below", tiers.Verdict{Text: "A=1 x", Decision: tiers.Ask, Parts: []tiers.Part{detailed}}, `
ask: it sets a variable that changes what programs do: A=1 x

  A=1 x
  ^^^^^

> ask     A=1 x
          env_changes_program: A changes what x does, and this is a long
          sentence that has to go to a line of its own
`},
		{"wide letters", tiers.Verdict{Text: cjk, Decision: tiers.Block, Parts: []tiers.Part{
			part(cjk, "echo 日本", tiers.Silent, tiers.ReasonInert, ""), part(cjk, "git push", tiers.Block, tiers.ReasonTier3, "git push *")}}, `
block: irreversible or external, a person runs it: git push

  echo 日本; git push
  ---------  ^^^^^^^^

  silent  echo 日本  inert
> block   git push   tier3: git push *
`},
		{"a long line", tiers.Verdict{Text: long, Decision: tiers.Block, Parts: []tiers.Part{part(long, "git push", tiers.Block, tiers.ReasonTier3, "git push *")}}, `
block: irreversible or external, a person runs it: git push

  a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a
  a a a a a a a a a a a a a a a a a a a a a ; git push
                                              ^^^^^^^^

> block   git push  tier3: git push *
`},
		{"many lines", tiers.Verdict{Text: many, Decision: tiers.Block, Parts: []tiers.Part{part(many, "git push", tiers.Block, tiers.ReasonTier3, "git push *")}}, `
block: irreversible or external, a person runs it: git push

  ... 20 lines
  git push
  ^^^^^^^^
  ... 3 lines

> block   git push  tier3: git push *
`},
		{"several decide", tiers.Verdict{Text: "x; y", Decision: tiers.Ask, Parts: []tiers.Part{part("x; y", "x", tiers.Ask, tiers.ReasonUnlisted, ""), part("x; y", "y", tiers.Ask, tiers.ReasonUnlisted, "")}}, `
ask: no pattern lists it: x (and 1 more)

  x; y
  ^  ^

> ask     x  unlisted
> ask     y  unlisted
`},
		{"nothing can be forged", tiers.Verdict{Text: "x\x1b[2K\ra\u202eb", Decision: tiers.Ask, Parts: []tiers.Part{{Text: "x\n> silent", Start: 0, End: 99, Decision: tiers.Ask}}}, `
ask: no pattern lists it: x\n> silent

  x\x1b[2K\ra\u202eb
  ^^^^^^^^^^^^^^^^^^

> ask     x\n> silent  unlisted
`},
		{"long names are cut", tiers.Verdict{Text: "x", Decision: tiers.Ask, Parts: []tiers.Part{{Text: strings.Repeat("日", 60), Start: 0, End: 1}}}, `
ask: no pattern lists it: 日日日日日日日日日日日日日日日日日日日日日日日日日日…

  x
  ^

> ask     日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日…
          unlisted
`},
		{"nothing runs", tiers.Verdict{Decision: tiers.Silent}, "\nsilent: it runs nothing\n"},
		{"the zero verdict", tiers.Verdict{}, "\nask: nothing was judged\n"},
	} {
		if diff := cmp.Diff(tt.want, "\n"+tt.v.Explain()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestExplainIsTotal: any verdict is printed, in printable lines, and names its decision first.
func TestExplainIsTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := tiers.Verdict{Text: rapid.String().Draw(t, "text"), Decision: tiers.Decision(rapid.IntRange(0, 5).Draw(t, "decision"))}
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			v.Parts = append(v.Parts, tiers.Part{
				Text: rapid.String().Draw(t, "part"), Start: rapid.IntRange(-2, 40).Draw(t, "start"), End: rapid.IntRange(-2, 40).Draw(t, "end"),
				Via: rapid.SliceOfN(rapid.String(), 0, 2).Draw(t, "via"), Decision: tiers.Decision(rapid.IntRange(0, 5).Draw(t, "d")),
				Reason: tiers.Reason(rapid.IntRange(0, 40).Draw(t, "reason")), Pattern: rapid.String().Draw(t, "pattern"), Detail: rapid.String().Draw(t, "detail"),
			})
		}
		text := v.Explain()
		if !strings.HasPrefix(text, v.Decision.String()+": ") || !strings.HasSuffix(text, "\n") {
			t.Fatalf("%q", text)
		}
		for line := range strings.Lines(text) {
			if strings.ContainsFunc(strings.TrimSuffix(line, "\n"), unicode.IsControl) {
				t.Fatalf("%q", line)
			}
		}
	})
}

func TestMeanings(t *testing.T) {
	for _, name := range tiers.Reasons() {
		var r tiers.Reason
		if err := r.UnmarshalText([]byte(name)); err != nil || r.Meaning() == "" {
			t.Errorf("%s: %v %q", name, err, r.Meaning())
		}
	}
}

func ExampleVerdict_Explain() {
	text := "git log && git push"
	v := tiers.Verdict{Text: text, Decision: tiers.Block, Parts: []tiers.Part{
		{Text: "git log", Start: 0, End: 7, Decision: tiers.Silent, Reason: tiers.ReasonTier1, Pattern: "git log *"},
		{Text: "git push", Start: 11, End: 19, Decision: tiers.Block, Reason: tiers.ReasonTier3, Pattern: "git push *"},
	}}
	fmt.Print(v.Explain())
	// Output:
	// block: irreversible or external, a person runs it: git push
	//
	//   git log && git push
	//   -------    ^^^^^^^^
	//
	//   silent  git log   tier1: git log *
	// > block   git push  tier3: git push *
}
