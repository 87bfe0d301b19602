package tiers_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.com/ambit/internal/regime"
	"example.com/ambit/tiers"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func allowTexts(s tiers.Sets) []string {
	out := []string{}
	for e := range s.Allow.All() {
		out = append(out, fmt.Sprintf("%v %v %s", e.Source, e.Kind, e.Text))
	}
	return out
}

func denyTexts(s tiers.Sets) []string {
	out := []string{}
	for _, e := range s.Deny {
		out = append(out, fmt.Sprintf("%v %v %s", e.Source, e.Kind, e.Text))
	}
	return out
}

const threeTiers = `"tiers":{
	"tier1_silent":{"shell_patterns":["git status","git log *","git status"],"aioson_commands":["preflight"],"write_paths":["a/**"]},
	"tier2_notified":{"shell_patterns":["touch notes *","git status"],"aioson_commands":["workflow:next"],"write_paths":["b","a/**"]},
	"tier3_blocking":{"shell_patterns":["git push *"],"aioson_commands":["genome:publish"],"write_paths":["c"]}}`

func TestResolve(t *testing.T) {
	deny := []string{"tier3 shell git push *", "tier3 command genome:publish"}
	tier1 := []string{"tier1 shell git status", "tier1 shell git log *", "tier1 command preflight"}
	tier2 := []string{"tier2 shell touch notes *", "tier2 command workflow:next"}
	for _, tt := range []struct {
		name, version, tool string // of the declared tool claude, or another
		declared            string // what claude declares
		allow, deny, paths  []string
		notices             []string
	}{
		{"two tiers", "1.1", "claude", `"derived_from_tiers":["tier1_silent","tier2_notified"]`, join(tier1, tier2), deny, []string{"a/**", "b"}, nil},
		{"the order listed decides", "1.1", "claude", `"derived_from_tiers":["tier2_notified","tier1_silent"]`,
			[]string{"tier2 shell touch notes *", "tier2 shell git status", "tier2 command workflow:next", "tier1 shell git log *", "tier1 command preflight"}, deny, []string{"b", "a/**"}, nil},
		{"one tier", "1.5", "claude", `"derived_from_tiers":["tier1_silent"]`, tier1, deny, []string{"a/**"}, nil},
		{"a tier twice", "1.1", "claude", `"derived_from_tiers":["tier1_silent","tier1_silent"]`, tier1, deny, []string{"a/**"}, nil},
		{"an empty list is nothing (T10)", "1.1", "claude", `"derived_from_tiers":[],"shell_whitelist":["ls"]`, nil, deny, nil, []string{"dead_whitelist ls"}},
		{"tier3 adds nothing (H01)", "1.1", "claude", `"derived_from_tiers":["tier3_blocking","tier1_silent","tier3_blocking"]`, tier1, deny, []string{"a/**"},
			[]string{"tier3_listed tier3_blocking", "tier3_listed tier3_blocking"}},
		{"whitelists (T11)", "1.1", "claude", `"shell_whitelist":["ls","pwd","ls"],"aioson_whitelist":["x","x"]`,
			[]string{"whitelist shell ls", "whitelist shell pwd", "whitelist command x"}, deny, nil, nil},
		{"1.0 denies tier3 too (H04)", "1.0", "claude", `"derived_from_tiers":["tier1_silent"],"shell_whitelist":["ls"]`, []string{"whitelist shell ls"}, deny, nil, []string{"dead_tiers derived_from_tiers"}},
		{"blacklists follow tier3, on both paths", "1.1", "claude", `"derived_from_tiers":["tier1_silent"],"shell_blacklist":["git log *","git push *","make x"],"aioson_blacklist":["preflight"]`,
			[]string{"tier1 shell git status"}, append(deny[:2:2], "blacklist shell git log *", "blacklist shell make x", "blacklist command preflight"), []string{"a/**"},
			[]string{"tier3_dropped git log *<git log *", "tier3_dropped preflight<preflight"}},
		{"nothing declared", "1.1", "claude", ``, nil, deny, nil, nil},
		{"a tool that is not declared", "1.1", "zed", `"shell_whitelist":["ls"],"shell_blacklist":["make x"]`, nil, deny, nil, nil},
		{"no tool is all of tier1 and tier2, and every blacklist", "1.1", "", `"derived_from_tiers":[],"shell_blacklist":["make x"]`, join(tier1, tier2), append(deny[:2:2], "blacklist shell make x"), []string{"a/**", "b"}, nil},
		{"1.0 without tiers has nothing to say", "1.0", "claude", `"shell_whitelist":["ls"]`, []string{"whitelist shell ls"}, deny, nil, nil},
		{"no tool in a 1.0 protocol", "1.0", "", `"shell_whitelist":["ls"]`, nil, deny, nil, nil},
		{"the same text in both is denied, whatever it matches", "1.1", "claude", `"shell_whitelist":["* deploy","ls"],"shell_blacklist":["* deploy"]`,
			[]string{"whitelist shell ls"}, append(deny[:2:2], "blacklist shell * deploy"), nil, []string{"tier3_dropped * deploy<* deploy"}},
		{"a command of the program is no other command of that name", "1.1", "claude", `"aioson_whitelist":["deploy"],"shell_blacklist":["deploy"]`,
			[]string{"whitelist command deploy"}, append(deny[:2:2], "blacklist shell deploy"), nil, nil},
		{"pipes and redirects are no allow (T21)", "1.1", "claude", `"shell_whitelist":["curl * | sh","*>*","ls"]`, []string{"whitelist shell ls"}, deny, nil,
			[]string{"not_an_allow curl * | sh", "not_an_allow *>*"}},
	} {
		p := parse(t, `{"version":"`+tt.version+`",`+threeTiers+`,"tools":{"claude":{`+tt.declared+`}}}`)
		s := p.Resolve(tt.tool)
		holdsInvariant(t, s)
		got := []string{}
		for _, n := range s.Notices {
			text := string(n.Code) + " " + n.Entry
			if n.Other != "" {
				text += "<" + n.Other
			}
			if n.Tool != tt.tool || n.Key == "" || n.Line == 0 || n.Message == "" {
				t.Errorf("%s: notice without its place: %+v", tt.name, n)
			}
			got = append(got, text)
		}
		for what, pair := range map[string][2][]string{
			"allow": {tt.allow, allowTexts(s)}, "deny": {tt.deny, denyTexts(s)}, "write paths": {tt.paths, s.WritePaths}, "notices": {tt.notices, got},
		} {
			if diff := cmp.Diff(append([]string{}, pair[0]...), append([]string{}, pair[1]...)); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", tt.name, what, diff)
			}
		}
	}
}

func join(a, b []string) []string { return append(append([]string{}, a...), b...) }

// TestInvariantByMeaning: what lies inside tier3 is dropped, what can match it is named (T13, H06, H07).
func TestInvariantByMeaning(t *testing.T) {
	for _, tt := range []struct {
		allow, deny, deniedCommand string
		want                       tiers.NoticeCode // "" is: stays, without a word
	}{
		{"git push *", "git push *", "", tiers.NoticeTier3Dropped},
		{"git  push  *", "git push *", "", tiers.NoticeTier3Dropped},
		{"git push", "git push *", "", tiers.NoticeTier3Dropped},
		{"git push origin main", "git push *", "", tiers.NoticeTier3Dropped},
		{"git -C x push *", "git push *", "", tiers.NoticeTier3Dropped},
		{"/usr/bin/git push", "git push *", "", tiers.NoticeTier3Dropped},
		{"git 'push' *", "git push *", "", tiers.NoticeTier3Dropped},
		{"git push -f", "git push --force *", "", tiers.NoticeTier3Dropped},
		{"rm -fr *", "rm -rf *", "", tiers.NoticeTier3Dropped},
		{"git *", "git push *", "", tiers.NoticeTier3Overlap},
		{"*", "git push *", "", tiers.NoticeTier3Overlap},
		{"git pu* origin", "git push *", "", tiers.NoticeTier3Overlap},
		{"rm *", "rm -rf *", "", tiers.NoticeTier3Overlap},
		{"git log *", "git push *", "", ""},
		{"make test", "git push *", "", ""},
		{"aioson *", "x", "genome:publish", tiers.NoticeTier3Overlap},
		{"aioson genome:publish", "x", "genome:publish", tiers.NoticeTier3Dropped},
		{"aioson genome:publish *", "x", "genome:*", tiers.NoticeTier3Dropped},
		{"aioson preflight *", "x", "genome:publish", ""},
		{"npx aioson genome:publish", "x", "genome:publish", tiers.NoticeTier3Dropped},
		{"pnpm dlx aioson genome:publish x", "x", "genome:publish", tiers.NoticeTier3Dropped},
		{"npx *", "x", "genome:publish", tiers.NoticeTier3Overlap},
		{"npx -y aioson *", "x", "genome:publish", tiers.NoticeTier3Overlap},
		{"sudo git push", "git push *", "", tiers.NoticeTier3Dropped},
		{"env git push *", "git push *", "", tiers.NoticeTier3Dropped},
		{"timeout 5 *", "git push *", "", tiers.NoticeTier3Overlap},
		{"xargs git *", "git push *", "", tiers.NoticeTier3Overlap},
	} {
		commands := "[]"
		if tt.deniedCommand != "" {
			commands = fmt.Sprintf("[%q]", tt.deniedCommand)
		}
		p := parse(t, fmt.Sprintf(`{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":[%q]},"tier3_blocking":{"shell_patterns":[%q],"aioson_commands":%s}},
			"tools":{"claude":{"derived_from_tiers":["tier1_silent"]}}}`, tt.allow, tt.deny, commands))
		s := p.Resolve("claude")
		holdsInvariant(t, s)
		var got tiers.NoticeCode
		if len(s.Notices) > 0 {
			got = s.Notices[0].Code
		}
		if got != tt.want || (s.Allow.Len() == 0) != (tt.want == tiers.NoticeTier3Dropped) {
			t.Errorf("%q beside %q %q: %q with %d left, want %q", tt.allow, tt.deny, tt.deniedCommand, got, s.Allow.Len(), tt.want)
		}
		err := p.Strict()
		var one *tiers.Error
		if (err != nil) != (tt.want == tiers.NoticeTier3Overlap) || err != nil && (!errors.As(err, &one) || one.Code != tiers.CodeTier3Allow || one.Line != 1 || !strings.Contains(err.Error(), tt.allow)) {
			t.Errorf("%q beside %q: strict gives %v", tt.allow, tt.deny, err)
		}
	}
}

// TestCommandsInsideCommands: the invariant holds between command entries too, prefixes included.
func TestCommandsInsideCommands(t *testing.T) {
	p := parse(t, `{"version":"1.1","tiers":{"tier1_silent":{"aioson_commands":["dossier:show","dossier:*","preflight","dossier"]},"tier3_blocking":{"aioson_commands":["dossier:show:*","dossier:s*"]}}}`)
	s := p.Resolve("")
	holdsInvariant(t, s)
	if diff := cmp.Diff([]string{"tier1 command dossier:*", "tier1 command preflight", "tier1 command dossier"}, allowTexts(s)); diff != "" {
		t.Error(diff)
	}
}

func TestWithProgram(t *testing.T) {
	p := parse(t, `{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["tool a","other b"],"aioson_commands":["c"]},"tier3_blocking":{"aioson_commands":["a","b"]}},
		"tools":{"claude":{"shell_whitelist":["tool x"],"aioson_whitelist":["y","\"open"],"aioson_blacklist":["x"]}}}`)
	q, err := p.WithProgram("tool")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"tier1 shell other b", "tier1 command c"}
	if diff := cmp.Diff(want, allowTexts(q.Resolve(""))); diff != "" {
		t.Errorf("the deny of tool a drops it (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"whitelist command y", `whitelist command "open`}, allowTexts(q.Resolve("claude"))); diff != "" {
		t.Error(diff)
	}
	if p.Program() != "aioson" || q.Program() != "tool" || q.Resolve("zed").Program != "tool" || len(allowTexts(p.Resolve(""))) != 3 {
		t.Error("the first protocol changed, or the second did not")
	}
	for _, bad := range []string{"", "a b", "*", "a;b", "\x00"} {
		if _, err := p.WithProgram(bad); !errors.Is(err, tiers.ErrPattern) {
			t.Errorf("program %q: %v", bad, err)
		}
	}
}

// TestResolveHandsOutCopies: nothing that a caller does changes what the next one sees.
func TestResolveHandsOutCopies(t *testing.T) {
	p := parse(t, good)
	before := fmt.Sprint(p.Resolve("codex"), p.Notices())
	s := p.Resolve("codex")
	s.Deny[0] = tiers.DenyEntry{}
	s.WritePaths[0] = "/"
	tool, _ := p.Tool("codex")
	list, _ := tool.DerivedFrom()
	list[0] = tiers.Tier3Blocking
	if after := fmt.Sprint(p.Resolve("codex"), p.Notices()); after != before {
		t.Errorf("%s became %s", before, after)
	}
}

func TestNames(t *testing.T) {
	if got := fmt.Sprint(tiers.KindShell, tiers.KindCommand, tiers.SourceNone, tiers.SourceTier1, tiers.SourceTier2, tiers.SourceWhitelist, tiers.SourceTier3, tiers.SourceBlacklist, tiers.Source(99)); got !=
		"shell command none tier1 tier2 whitelist tier3 blacklist none" {
		t.Error(got)
	}
	if tiers.Source(99).Tier() != tiers.TierNone || tiers.SourceBlacklist.Tier() != tiers.Tier3Blocking || tiers.SourceWhitelist.Tier() != tiers.Tier1Silent {
		t.Error("a source's tier")
	}
}

// words of random protocols: few, so that entries meet.
var (
	someWords = []string{"git", "/usr/bin/git", "push", "pu*", "*", "-f", "--force", "rm", "-rf", "-r", "-C", "x", "aioson", "genome:publish", "npx", "'push'", "--", "origin", "log", "|", "sh"}
	someNames = []string{"genome:publish", "genome:*", "a", "cloud:publish:*", "publish x"}
	someTiers = []string{"tier1_silent", "tier2_notified", "tier3_blocking"}
	someTools = []string{"claude", "codex", "opencode", "zed", ""}
)

// randomProtocol draws a protocol's text; most are valid.
func randomProtocol(t *rapid.T) string {
	pattern := rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf("%q", strings.Join(rapid.SliceOfN(rapid.SampledFrom(someWords), 1, 4).Draw(t, "words"), " "))
	})
	list := func(of *rapid.Generator[string]) string {
		return "[" + strings.Join(rapid.SliceOfN(of, 0, 4).Draw(t, "list"), ",") + "]"
	}
	name := rapid.Custom(func(t *rapid.T) string { return fmt.Sprintf("%q", rapid.SampledFrom(someNames).Draw(t, "name")) })
	tier := rapid.Custom(func(t *rapid.T) string { return fmt.Sprintf("%q", rapid.SampledFrom(someTiers).Draw(t, "tier")) })
	var b strings.Builder
	fmt.Fprintf(&b, `{"version":%q,"tiers":{`, rapid.SampledFrom([]string{"1.0", "1.1", "1.7"}).Draw(t, "version"))
	for i, name1 := range someTiers {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `%q:{"shell_patterns":%s,"aioson_commands":%s}`, name1, list(pattern), list(name))
	}
	b.WriteString(`},"tools":{`)
	for i, tool := range someTools[:rapid.IntRange(0, 4).Draw(t, "tools")] {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `%q:{`, tool)
		if rapid.Bool().Draw(t, "derives") {
			fmt.Fprintf(&b, `"derived_from_tiers":%s,`, list(tier))
		}
		fmt.Fprintf(&b, `"shell_whitelist":%s,"shell_blacklist":%s,"aioson_whitelist":%s}`, list(pattern), list(pattern), list(name))
	}
	b.WriteString("}}")
	return b.String()
}

// TestInvariantHolds: no tier3 entry, and nothing inside one, is in an allow list, for any protocol and any tool (T13);
// resolving is deterministic (T14); another tier3 entry never widens an allow list.
func TestInvariantHolds(t *testing.T) {
	regime.Rapid(t, 2000, 100_000)
	valid := 0
	rapid.Check(t, func(t *rapid.T) {
		text := randomProtocol(t)
		p, err := tiers.Parse("p", []byte(text))
		if err != nil {
			return
		}
		valid++
		again, err := tiers.Parse("p", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		more, err := tiers.Parse("p", []byte(strings.Replace(text, `"tier3_blocking":{"shell_patterns":[`, `"tier3_blocking":{"shell_patterns":["git push *",`, 1)))
		if err != nil {
			more, err = tiers.Parse("p", []byte(strings.Replace(text, `"tier3_blocking":{"shell_patterns":[]`, `"tier3_blocking":{"shell_patterns":["git push *"]`, 1)))
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range someTools {
			s := p.Resolve(tool)
			holdsInvariant(t, s)
			if a, b := fmt.Sprint(s), fmt.Sprint(again.Resolve(tool)); a != b {
				t.Fatalf("%q resolves to %s and to %s", tool, a, b)
			}
			kept := map[string]bool{}
			for _, e := range allowTexts(s) {
				kept[e] = true
			}
			for _, e := range allowTexts(more.Resolve(tool)) {
				if !kept[e] {
					t.Fatalf("%q: more in tier3 let %s in", tool, e)
				}
			}
		}
	})
	if valid == 0 {
		t.Error("no random protocol was valid")
	}
}

// FuzzParse: any bytes give a protocol that keeps the invariant, or positioned errors; never both, never a panic.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{good, "{}", `{"version":"1.1","tools":{"claude":{"shell_whitelist":["git push","*","a|b"],"shell_blacklist":["git push *"]}}}`, "\ufeff[]", string(tiers.DefaultSource())} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := tiers.Parse("f", data)
		if (p == nil) == (err == nil) {
			t.Fatalf("%v with %v", p, err)
		}
		if err != nil {
			if len(problems(err)) == 0 {
				t.Fatalf("no position in %v", err)
			}
			return
		}
		for tool := range p.Tools() {
			holdsInvariant(t, p.Resolve(tool.Name))
		}
		holdsInvariant(t, p.Resolve(""))
	})
}

func BenchmarkResolve(b *testing.B) {
	p := tiers.Default()
	b.ReportAllocs()
	for b.Loop() {
		p.Resolve("claude")
	}
}

func BenchmarkParse(b *testing.B) {
	data := tiers.DefaultSource()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tiers.Parse("p", data); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleProtocol_Resolve() {
	p, _ := tiers.Parse("p.json", []byte(`{
		"version": "1.1",
		"tiers": {
			"tier1_silent": {"shell_patterns": ["git status", "git push origin"]},
			"tier3_blocking": {"shell_patterns": ["git push *"]}
		},
		"tools": {"claude": {"derived_from_tiers": ["tier1_silent", "tier3_blocking"]}}
	}`))
	s := p.Resolve("claude")
	for e := range s.Allow.All() {
		fmt.Println("allow", e.Text)
	}
	for _, e := range s.Deny {
		fmt.Println("deny", e.Text)
	}
	for _, n := range s.Notices {
		fmt.Println(n.Code, n.Entry)
	}
	// Output:
	// allow git status
	// deny git push *
	// tier3_listed tier3_blocking
	// tier3_dropped git push origin
}

func ExampleProtocol_Strict() {
	p, _ := tiers.Parse("p.json", []byte(`{"version":"1.1","tools":{"claude":{"shell_whitelist":["git *"],"shell_blacklist":["git push *"]}}}`))
	fmt.Println(p.Strict())
	// Output: p.json:1:56: tools.claude.shell_whitelist[0]: tool "claude" allows "git *", which can match "git push *" of tier3
}
