package tiers

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"mvdan.cc/sh/v3/syntax"
)

// TestUnknownNodes states that a tree with nodes that no rule names asks: the parser may learn new ones.
func TestUnknownNodes(t *testing.T) {
	lit := func(s string) *syntax.Word { return &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: s}}} }
	brace := &syntax.Word{Parts: []syntax.WordPart{&syntax.BraceExp{Elems: []*syntax.Word{lit("a")}}}}
	for name, cmd := range map[string]syntax.Command{
		"loop":       &syntax.ForClause{},
		"operator":   &syntax.BinaryCmd{X: &syntax.Stmt{}, Y: &syntax.Stmt{}},
		"word part":  &syntax.CallExpr{Args: []*syntax.Word{brace}},
		"assignment": &syntax.CallExpr{Assigns: []*syntax.Assign{{Value: lit("a")}}, Args: []*syntax.Word{lit("true")}},
		"test":       &syntax.TestClause{X: &syntax.BinaryTest{Op: syntax.TsEql, X: &syntax.ParenTest{X: lit("a")}, Y: lit("1")}},
		"arithmetic": &syntax.ArithmCmd{X: &syntax.FlagsArithm{Flags: &syntax.Lit{}, X: &syntax.Word{Parts: []syntax.WordPart{&syntax.ProcSubst{Op: syntax.CmdIn}}}}},
	} {
		w := &walker{judge: &judge{k: DefaultKnowledge(), rules: new(ruleSet)}, source: source{scope: new(scope)}}
		w.stmt(&syntax.Stmt{Cmd: cmd}, w.scope, nil)
		if !slices.ContainsFunc(w.parts, func(p Part) bool { return p.Decision == Ask }) {
			t.Errorf("%s does not ask: %v", name, w.parts)
		}
	}
	if _, quoted, ok := delimiter(brace); !quoted || ok {
		t.Error("an unknown word ends a here-document")
	}
	dbl := &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{&syntax.ParamExp{Param: &syntax.Lit{Value: "x"}}}}}}
	if _, quoted, ok := delimiter(dbl); !quoted || ok {
		t.Error("an expansion ends a here-document")
	}
	w := &walker{judge: &judge{k: DefaultKnowledge(), rules: new(ruleSet)}, source: source{scope: new(scope)}}
	w.testExpr(unknownTest{}, w.scope)
	if len(w.parts) != 1 || w.parts[0].Decision != Ask {
		t.Errorf("an unknown test gives %v", w.parts)
	}
}

// unknownTest is a test that no rule names.
type unknownTest struct{ syntax.TestExpr }

func (unknownTest) Pos() syntax.Pos { return syntax.Pos{} }
func (unknownTest) End() syntax.Pos { return syntax.Pos{} }

// TestLimits states T36's limits: just below they are judged, just beyond they ask.
func TestLimits(t *testing.T) {
	e := Evaluator{Protocol: protocolOf(t, []string{"ls *"}, nil, nil), Root: "/repo"}
	for _, c := range []struct {
		name, text string
		want       Decision
		reason     Reason
	}{
		{"bytes", "echo " + strings.Repeat("x", MaxTextBytes-5), Silent, ReasonInert},
		{"too many bytes", "echo " + strings.Repeat("x", MaxTextBytes-4), Ask, ReasonTooLong},
		{"separators", strings.Repeat("ls;", MaxSeparators), Silent, ReasonTier1},
		{"too many separators", strings.Repeat("ls;", MaxSeparators+1), Ask, ReasonTooMany},
		{"nesting", strings.Repeat("( ", MaxNesting) + "ls" + strings.Repeat(")", MaxNesting), Silent, ReasonTier1},
		{"too deep", strings.Repeat("( ", MaxNesting+1) + "ls" + strings.Repeat(")", MaxNesting+1), Ask, ReasonTooDeep},
		{"too deep in words", strings.Repeat("if ", MaxNesting+1), Ask, ReasonTooDeep},
		{"too deep in quotes", strings.Repeat(`echo "$(`, MaxNesting+1) + strings.Repeat(`)"`, MaxNesting+1), Ask, ReasonTooDeep},
		{"words", "ls" + strings.Repeat(" a", MaxWords-1), Silent, ReasonTier1},
		{"too many words", "ls" + strings.Repeat(" a", MaxWords), Ask, ReasonTooMany},
		{"too many words of braces", "ls" + strings.Repeat(" {1..60}", 20), Ask, ReasonTooMany},
		{"too many words, with a command in them", "ls" + strings.Repeat(" a", MaxWords) + " $(ls)", Ask, ReasonTooMany},
		{"operators", "echo $((" + strings.Repeat("1+", 900) + "1))", Silent, ReasonInert},
		{"too many operators", "echo $((" + strings.Repeat("1+", 1001) + "1))", Ask, ReasonTooMany},
		{"NUL", "ls\x00", Ask, ReasonSuspiciousText},
		{"not UTF-8", "ls \xff", Ask, ReasonSuspiciousText},
		{"carriage return", "ls\r", Ask, ReasonHiddenExpansion},
		{"work", strings.Repeat("ls "+strings.Repeat("a ", 900)+";", 17), Silent, ReasonTier1},
		{"too much work", strings.Repeat("eval 'eval \"ls "+strings.Repeat("a ", 10)+"; ls; ls; ls; ls; ls; ls; ls\"';", 90), Silent, ReasonTier1},
	} {
		v := e.Evaluate(c.text)
		if v.Decision != c.want || v.Reasons()[0] != c.reason {
			t.Errorf("%s: %s %v, want %s %s", c.name, v.Decision, v.Reasons(), c.want, c.reason)
		}
	}
	// The bound on work holds whatever asks for it.
	w := &walker{judge: &judge{k: DefaultKnowledge(), rules: new(ruleSet), steps: maxSteps}, source: source{text: "ls", scope: new(scope)}}
	file, err := syntax.NewParser().Parse(strings.NewReader("ls; (( 1 ))"), "")
	if err != nil {
		t.Fatal(err)
	}
	w.stmts(file.Stmts, w.scope)
	if w.isArithm(&syntax.ParenArithm{}, w.scope) {
		t.Error("arithmetic is judged beyond the bound on work")
	}
	c := &call{walker: w, sc: w.scope, args: []arg{{}}}
	c.judge()
	c.nested("ls", arg{}, "eval", w.scope)
	if len(w.parts) != 1 || w.parts[0].Reason != ReasonTooMany {
		t.Errorf("beyond the bound on work: %v", w.parts)
	}
}

// TestTexts states that decisions and reasons keep their names through JSON, and that other texts are refused.
func TestTexts(t *testing.T) {
	for d := range Decision(5) {
		got := Decision(99)
		if err := got.UnmarshalText([]byte(d.String())); err != nil || d <= Block && got != d {
			t.Errorf("%d: %s, %v", d, got, err)
		}
	}
	for i, name := range Reasons() {
		var got Reason
		if err := got.UnmarshalText([]byte(name)); err != nil || got != Reason(i) || got.String() != name {
			t.Errorf("%s: %d, %v", name, got, err)
		}
	}
	if err := new(Decision).UnmarshalText([]byte("allow")); err == nil || !strings.Contains(err.Error(), "silent") {
		t.Errorf("allow: %v", err)
	}
	if err := new(Reason).UnmarshalText([]byte("because")); err == nil || !strings.Contains(err.Error(), "too_deep") {
		t.Errorf("because: %v", err)
	}
	if Reason(200).String() != "unlisted" || Decision(200).Strictness() != Ask.Strictness() || Decision(200).String() != "ask" {
		t.Error("what is no decision or reason does not ask")
	}
	v := Evaluate("git push")
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var back Verdict
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(v, back); d != "" {
		t.Error(d)
	}
}

// TestZero states that zero values are the safest.
func TestZero(t *testing.T) {
	if v := (Verdict{}); v.Decision != Ask || v.Allows() {
		t.Error("the zero verdict does not ask")
	}
	if v := (Evaluator{}).Evaluate("ls"); v.Decision != Ask {
		t.Errorf("the zero evaluator: %s", v.Decision)
	}
	if v := (Evaluator{}).Evaluate("echo a"); v.Decision != Silent {
		t.Errorf("an inert builtin: %s", v.Decision)
	}
	var p Pattern
	if p.Inside(mustPattern(t, "*")) || p.Overlaps(mustPattern(t, "*")) || p.String() != "" {
		t.Error("the zero pattern matches something")
	}
}

// TestPlaces states where parts lie: those of nested texts have the place of the word that holds them.
func TestPlaces(t *testing.T) {
	text := `ls; bash -c 'ls; git push' && echo "$(git push)"`
	v := Evaluator{Protocol: protocolOf(t, []string{"ls *"}, nil, irreversible), Root: "/repo"}.Evaluate(text)
	type place struct {
		Text, At string
		Via      []string
		Decision Decision
	}
	var got []place
	for _, p := range v.Parts {
		got = append(got, place{p.Text, text[p.Start:p.End], p.Via, p.Decision})
	}
	want := []place{
		{"ls", "ls", nil, Silent},
		{"ls", "'ls; git push'", []string{"bash"}, Silent},
		{"git push", "'ls; git push'", []string{"bash"}, Block},
		{`echo "$(git push)"`, `echo "$(git push)"`, nil, Silent},
		{"git push", "git push", nil, Block},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestRoots states how paths stand to Root and Dir (T34).
func TestRoots(t *testing.T) {
	p := protocolOf(t, []string{"ls *", "git status"}, nil, nil, "notes/**", "/tmp/x/*", "deep/**/x")
	for _, c := range []struct {
		root, dir, line string
		want            Decision
	}{
		{"/repo", "", "ls > notes/a", Notify},
		{"/repo", "", "ls > notes/a/b", Notify},
		{"/repo", "notes", "ls > a", Notify},
		{"/repo", "/repo/notes", "ls > a", Notify},
		{"/repo/", "./notes/", "ls > a", Notify},
		{"/repo", "src", "ls > notes/a", Ask},
		{"/repo", "../x", "ls > notes/a", Ask},
		{"/repo", "/elsewhere", "ls > notes/a", Ask},
		{"", "", "ls > /repo/notes/a", Ask},
		{"", "", "ls > notes/a", Notify},
		{"", "/repo", "ls > notes/a", Ask},
		{"/repo", "", "ls > /tmp/x/a", Notify},
		{"/repo", "", "ls > /tmp/x/a/b", Ask},
		{"/repo", "", "ls > /tmp/y", Ask},
		{"/repo", "", "ls > deep/a/b/x", Notify},
		{"/repo", "", "ls > deep/x", Notify},
		{"/repo", "", "ls > deep/a/y", Ask},
		{"/", "", "ls > /notes/a", Notify},
		{"/repo", "", "git status", Silent},
		{"/repo", "sub", "git status", Ask},
		{"/repo", "/repo", "git status", Silent},
		{"/repo", "sub", "cd /repo && ls", Silent},
	} {
		if v := (Evaluator{Protocol: p, Root: c.root, Dir: c.dir}).Evaluate(c.line); v.Decision != c.want {
			t.Errorf("root %q dir %q: %q is %s, want %s\n%s", c.root, c.dir, c.line, v.Decision, c.want, v.Explain())
		}
	}
}
