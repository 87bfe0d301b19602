package harness_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"example.com/ambit/harness"
	"github.com/google/go-cmp/cmp"
)

// TestQuotedDeny: agents compare texts, so a deny whose entry has quotes holds for the words as they are plainly typed, too
// (K3, T20).
func TestQuotedDeny(t *testing.T) {
	for entry, want := range map[string]struct{ claude, openCode []string }{
		`"git" push *`:        {[]string{`Bash("git" push:*)`, "Bash(git push:*)"}, []string{`"git" push *`, "git push *"}},
		`g\it push`:           {[]string{`Bash(g\it push)`, "Bash(git push)"}, []string{`g\it push`, "git push"}},
		`git push 'origin'`:   {[]string{"Bash(git push 'origin')", "Bash(git push origin)"}, []string{"git push 'origin'", "git push origin"}},
		`git * 'x' *`:         {[]string{"Bash(git * 'x' *)", "Bash(git 'x' *)", "Bash(git * x *)", "Bash(git x *)"}, []string{"git * 'x' *", "git 'x' *", "git * x *", "git x *"}},
		`echo "a  b" *`:       {[]string{`Bash(echo "a  b":*)`}, []string{`echo "a  b" *`}}, // its words cannot be typed without quotes
		`echo "" *`:           {[]string{`Bash(echo "":*)`}, []string{`echo "" *`}},
		`echo '$x'`:           {[]string{"Bash(echo '$x')"}, []string{"echo '$x'"}},
		`git push --force`:    {[]string{"Bash(git push --force)"}, []string{"git push --force"}},
		`git push   origin *`: {[]string{"Bash(git push   origin:*)"}, []string{"git push origin *"}},
	} {
		quoted, err := json.Marshal(entry)
		if err != nil {
			t.Fatal(err)
		}
		root := folder(t, nil)
		materialize(t, root, protocol(t, `{"version":"1.1","tiers":{"tier3_blocking":{"shell_patterns":[`+string(quoted)+`]}},"tools":{"claude":{},"opencode":{}}}`), harness.Options{Native: true})
		files := tree(t, root)
		rules, err := harness.ReadRules("settings.json", []byte(files[".claude/settings.json"]))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want.claude, rules.Deny); d != "" {
			t.Errorf("%s, claude (-want +got):\n%s", entry, d)
		}
		var config struct {
			Permission struct{ Bash map[string]string }
		}
		if err := json.Unmarshal([]byte(files["opencode.json"]), &config); err != nil {
			t.Fatal(err)
		}
		slices.Sort(want.openCode)
		if d := cmp.Diff(want.openCode, slices.Sorted(maps.Keys(config.Permission.Bash))); d != "" {
			t.Errorf("%s, opencode (-want +got):\n%s", entry, d)
		}
	}
}
