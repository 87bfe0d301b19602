package tiers

import (
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// verdictsProtocol is the protocol of testdata/verdicts.txt.
const verdictsProtocol = `{"version": "1.1",
"tiers": {
  "tier1_silent": {"shell_patterns": ["ls *", "cat *", "xargs *", "tee *", "sed -i x y", "sed --in-place=.bak x y", "sed -b q z", "sed -e 'w out' in", "sed *",
    "awk -f prog f", "awk 'BEGIN{system(\"date\")}' f", "awk *", "git log *", "git reflog *", "git fetch *", "python -W x -m pytest *", "python x.py *", "python -Z *", "python -W *",
    "tar *", "cp *", "mytool *", "anygit *"]},
  "tier2_notified": {"shell_patterns": ["git add *"], "aioson_commands": ["preflight"], "write_paths": ["notes/**"]},
  "tier3_blocking": {"shell_patterns": ["git push *", "curl * | sh", "curl * | bash", "* > secret/*", "* > secret*"], "aioson_commands": ["genome:publish"]}
},
"tools": {"t": {"derived_from_tiers": ["tier1_silent", "tier2_notified"], "shell_blacklist": ["danger *", "wget * | perl", "fetch * > *"]}}}`

func TestVerdicts(t *testing.T) {
	p, err := Parse("verdicts.json", []byte(verdictsProtocol))
	if err != nil {
		t.Fatal(err)
	}
	k, err := DefaultKnowledge().With("test", "anygit: globals -C=\nanygit: options -x\nanygit log: reads")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range readForms(t, "verdicts.txt") {
		want, rest, _ := strings.Cut(line, " ")
		reasons, text, _ := strings.Cut(rest, " ")
		v := Evaluator{Protocol: p, Tool: "t", Root: "/repo", Knowledge: k}.Evaluate(text)
		var got []string
		for _, r := range v.Reasons() {
			got = append(got, r.String())
		}
		wanted := strings.Split(reasons, ",")
		if reasons == "-" {
			wanted = nil
		}
		if v.Decision.String() != want || !slices.Equal(got, wanted) {
			t.Errorf("%q is %s %q, want %s %q\n%s", text, v.Decision, got, want, wanted, v.Explain())
		}
	}
}

// TestOtherShells states that what only other shells read is not understood, even where a parser would show it.
func TestOtherShells(t *testing.T) {
	for _, c := range []struct {
		lang syntax.LangVariant
		text string
	}{
		{syntax.LangMirBSDKorn, "ls |&"},
		{syntax.LangMirBSDKorn, "((# 1))"},
		{syntax.LangMirBSDKorn, "echo $((# 1))"},
		{syntax.LangMirBSDKorn, "echo ${ ls;}"},
		{syntax.LangMirBSDKorn, "echo ${|ls;}"},
		{syntax.LangMirBSDKorn, "echo ${%x}"},
		{syntax.LangMirBSDKorn, "for i in a; { ls; }"},
		{syntax.LangMirBSDKorn, "case x { x) ls;; }"},
		{syntax.LangZsh, "echo =(ls)"},
		{syntax.LangZsh, "ls &!"},
		{syntax.LangZsh, "echo ${(f)x}"},
		{syntax.LangZsh, "echo ${=x}"},
		{syntax.LangZsh, "ls >>! f"},
		{syntax.LangBats, "@test x { ls; }"},
	} {
		file, err := syntax.NewParser(syntax.Variant(c.lang)).Parse(strings.NewReader(c.text), "")
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		p := protocolOf(t, generous, nil, irreversible)
		j := &judge{k: DefaultKnowledge(), rules: p.sets("").compiled(DefaultKnowledge())}
		w := &walker{judge: j, source: source{text: c.text, scope: new(scope)}}
		w.walk(file)
		v := Verdict{Decision: Silent, Parts: j.parts}
		if !slices.ContainsFunc(v.Parts, func(p Part) bool { return p.Decision == Ask }) {
			t.Errorf("%q does not ask: %v", c.text, v.Parts)
		}
	}
}
