package harness_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"example.com/ambit/harness"
	"github.com/google/go-cmp/cmp"
)

const openCodeOnly = `{"version": "1.1", "tiers": {"tier1_silent": {"shell_patterns": ["git log *", "cat src/*", "x\\?"]},
	"tier3_blocking": {"shell_patterns": ["git push *", "npm * publish", "a | b"], "aioson_commands": ["cloud:*"]}},
	"tools": {"opencode": {"derived_from_tiers": ["tier1_silent"]}}}`

// ours is what the protocol above adds to an empty map, on one line.
const ours = `"git log *": "allow", "git push *": "deny", "npm * publish": "deny", "npm publish": "deny", "aioson cloud*": "deny"`

func TestOpenCodeMerge(t *testing.T) {
	for _, tt := range []struct{ name, before, after string }{
		{"a text for all tools", `{"permission": "ask"}`, `{"permission": {"*": "ask", "bash": {` + ours + `}}}`},
		{"a text for bash", `{"permission": {"bash": "ask", "edit": "deny"}}`, `{"permission": {"bash": {"*": "ask", ` + ours + `}, "edit": "deny"}}`},
		{"an empty map", `{"permission": {"bash": {}}}`, `{"permission": {"bash": {` + ours + `}}}`},
		{"no permission", `{"a": 1}`, `{"a": 1, "permission": {"bash": {` + ours + `}}}`},
		{"a comment in an empty map", `{"permission": {"bash": { /* mine */ }}}`, `{"permission": {"bash": { /* mine */ ` + ours + `}}}`},
		{"comments and commas", "{\"permission\": {\"bash\": {\"a\": \"ask\", /* b */ \"git push *\": \"allow\" /* d */ , // c\n},},}",
			"{\"permission\": {\"bash\": {\"a\": \"ask\", /* b */  /* gone */ " + ours + "  // c\n},},}"},
		{"an ask of the user wins over our allow", `{"permission": {"bash": {"*": "allow", "git log -p *": "ask"}}}`,
			`{"permission": {"bash": {"*": "allow", "git log -p *": "ask", ` + strings.TrimPrefix(ours, `"git log *": "allow", `) + `}}}`},
		{"our allow is the user's too", `{"permission": {"bash": {"git log *": "allow"}}}`, `{"permission": {"bash": {` + ours + `}}}`},
		{"an allow that is tier3", `{"permission": {"bash": {"git push origin": "allow", "b": "ask"}}}`, `{"permission": {"bash": {"b": "ask", ` + ours + `}}}`},
	} {
		root := folder(t, map[string]string{"opencode.json": tt.before})
		materialize(t, root, protocol(t, openCodeOnly), harness.Options{Native: true})
		got := tree(t, root)["opencode.json"]
		if tt.name == "comments and commas" { // the order of commas and comments is not the matter: both comments stay, and it reads
			if !strings.Contains(got, "/* b */") || !strings.Contains(got, "// c") || !strings.Contains(got, "/* d */") || strings.Contains(got, `"allow", // c`) {
				t.Errorf("%s: %s", tt.name, got)
			}
			if set, err := harness.ReadRules("opencode.json", []byte(got)); err != nil || len(set.Ordered) != 6 || set.Ordered[1].Key != "git log *" || set.Ordered[2].Effect != "deny" {
				t.Errorf("%s: %+v, %v\n%s", tt.name, set, err, got)
			}
		} else if d := cmp.Diff(tt.after, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
		if r := materialize(t, root, protocol(t, openCodeOnly), harness.Options{Native: true}); r.Stamp != "" {
			t.Errorf("%s: the second run wrote\n%s", tt.name, tree(t, root)["opencode.json"])
		}
		// With nothing to say any more, what was the user's is all there.
		materialize(t, root, protocol(t, `{"version": "1.1", "tiers": {"tier3_blocking": {}}, "tools": {"opencode": {"derived_from_tiers": []}}}`), harness.Options{Native: true})
		if left := tree(t, root)["opencode.json"]; strings.Contains(left, `"npm publish"`) || strings.Contains(left, "deny\", \"aioson") {
			t.Errorf("%s: still ours: %s", tt.name, left)
		}
	}
}

func TestOpenCodeRefusals(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		code       string
		at         [2]int
	}{
		{"the newer shape", `{"permissions": []}`, harness.CodeShape, [2]int{1, 17}},
		{"layers", `{"permission": []}`, harness.CodeShape, [2]int{1, 16}},
		{"a number", `{"permission": 1}`, harness.CodeType, [2]int{1, 16}},
		{"a list for bash", "{// x\n\"permission\": {\"bash\": []}}", harness.CodeType, [2]int{2, 24}},
		{"a root of another type", `[]`, harness.CodeType, [2]int{1, 1}},
		{"a key twice", `{"a": 1, /* */ "a": 2}`, "json_duplicate", [2]int{1, 16}},
		{"no JSON", `{"a"`, "json_syntax", [2]int{1, 5}},
		{"a byte-order mark", "\ufeff{}", "json_bom", [2]int{1, 1}},
		{"deep", strings.Repeat("[", 100000), "json_depth", [2]int{1, 65}},
	} {
		root := folder(t, map[string]string{"opencode.jsonc": tt.text})
		c, err := harness.Plan(root, protocol(t, openCodeOnly), harness.Options{Native: true})
		if err != nil {
			t.Fatal(err)
		}
		var e *harness.Error
		if _, err = harness.Apply(c); !errors.As(err, &e) || e.Code != tt.code || e.Line != tt.at[0] || e.Col != tt.at[1] {
			t.Errorf("%s: %v %+v", tt.name, err, e)
		}
		if got := tree(t, root); len(got) != 1 || got["opencode.jsonc"] != tt.text {
			t.Errorf("%s: refused, and yet %v", tt.name, got)
		}
	}
	root := folder(t, map[string]string{"opencode.jsonc": "{}", "opencode.json": "{}"})
	c, err := harness.Plan(root, protocol(t, openCodeOnly), harness.Options{Native: true})
	if err != nil {
		t.Fatal(err)
	}
	var e *harness.Error
	if err := c.Err(); !errors.As(err, &e) || e.Code != harness.CodeTwoFiles || !errors.Is(err, harness.ErrRefused) {
		t.Errorf("two files: %v", err)
	}
	if files, err := harness.Check(root, protocol(t, small)); err != nil || len(files) != 3 {
		t.Errorf("what was never written is not checked: %+v, %v", files, err)
	}
}

// TestOpenCodeReopened finds what is looked at after our rules (K5).
func TestOpenCodeReopened(t *testing.T) {
	for text, want := range map[string]string{
		`{"permission": {"bash": {}, "*": "allow"}}`:                                "tier3_reopened permission.*",
		`{"permission": {"bash": {}, "b*": {"git push origin": "allow"}}}`:          "tier3_reopened permission.b*",
		`{"permission": {"*": "allow", "bash": {}}}`:                                "",
		`{"permission": {"bash": {}, "edit": "allow"}}`:                             "",
		`{"permission": {"bash": {}, "*": {"ls *": "allow", "git push *": "ask"}}}`: "",
		`{"agent": {"build": {"permission": {"bash": "allow"}}}}`:                   "tier3_reopened agent.build.permission.bash",
		`{"mode": {"plan": {"permission": {"bash": {"git *": "allow"}}}}}`:          "tier3_reopened mode.plan.permission.bash",
		`{"agent": {"build": {"permission": {"edit": "allow"}}}}`:                   "",
		`{"permission": {"bash": {"git *": "allow"}}}`:                              "tier3_overlap git *",
	} {
		root := folder(t, map[string]string{"opencode.json": text})
		r := materialize(t, root, protocol(t, openCodeOnly), harness.Options{Native: true})
		var got []string
		for _, n := range r.Notices {
			if n.Code == harness.NoticeTier3Reopened || n.Code == harness.NoticeTier3Overlap {
				got = append(got, string(n.Code)+" "+n.Entry)
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		root = folder(t, map[string]string{"opencode.json": text})
		c, err := harness.Plan(root, protocol(t, openCodeOnly), harness.Options{Native: true, Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		if refused := errors.Is(c.Err(), harness.ErrStrict); refused != (want != "") {
			t.Errorf("%s: strict: %v", text, c.Err())
		}
	}
}

// TestOpenCodeLaterFile looks at the file that OpenCode reads after the one in the root.
func TestOpenCodeLaterFile(t *testing.T) {
	for text, want := range map[string]string{
		`{"permission": "allow"}`:                                "tier3_reopened .opencode/opencode.json: permission",
		`{"permission": {"bash": {"git push origin": "allow"}}}`: "tier3_reopened .opencode/opencode.json: permission.bash",
		`{"permission": {"bash": {"ls": "allow"}}}`:              "",
		`{"theme": "x"}`:                                         "",
	} {
		root := folder(t, map[string]string{".opencode/opencode.json": text})
		r := materialize(t, root, protocol(t, openCodeOnly), harness.Options{Native: true})
		got := slices.DeleteFunc(codes(r.Notices), func(c string) bool { return !strings.HasPrefix(c, "tier3_reopened") })
		if strings.Join(got, ";") != want {
			t.Errorf("%s: %v", text, got)
		}
		if after := tree(t, root)[".opencode/opencode.json"]; after != text {
			t.Errorf("it was written: %s", after)
		}
	}
	root := folder(t, map[string]string{".opencode/opencode.json": "{"})
	c, err := harness.Plan(root, protocol(t, openCodeOnly), harness.Options{Native: true})
	if err != nil || !errors.Is(c.Err(), harness.ErrFormat) {
		t.Errorf("unreadable: %v, %v", err, c.Err())
	}
}

func TestTier3Ask(t *testing.T) {
	text := strings.Replace(small, `"claude": {`, `"claude": {"shell_blacklist": ["dd *"], `, 1)
	root := folder(t, nil)
	materialize(t, root, protocol(t, text), harness.Options{Native: true, Tier3Ask: true})
	if ask, deny := claudeList(t, root, "ask"), claudeList(t, root, "deny"); !slices.Equal(ask, []string{"Bash(git push:*)", "Bash(aioson cloud:publish*)"}) || !slices.Equal(deny, []string{"Bash(dd:*)"}) {
		t.Errorf("ask %v, deny %v", ask, deny)
	}
	got := tree(t, root)
	if !strings.Contains(got["opencode.json"], `"git push *": "ask"`) || !strings.Contains(got[".codex/rules/ambit.rules"], `"prompt"`) {
		t.Errorf("%v", got)
	}
	files, err := harness.Check(root, protocol(t, text))
	if err != nil || harness.InStep(files) != nil || len(files) != 5 {
		t.Errorf("the check knows how it was written: %+v, %v", files, err)
	}
	materialize(t, root, protocol(t, text), harness.Options{Native: true})
	if ask, deny := claudeList(t, root, "ask"), claudeList(t, root, "deny"); len(ask) != 0 || len(deny) != 3 {
		t.Errorf("back: ask %v, deny %v", ask, deny)
	}
}

func TestCheckStates(t *testing.T) {
	root := folder(t, nil)
	materialize(t, root, protocol(t, small), harness.Options{})
	put(t, root, ".opencode/permissions.yaml", "mine: 1\n")
	put(t, root, ".claude/settings.json", "{")
	files, err := harness.Check(root, protocol(t, secondLife))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.Target.String()+" "+f.State.String())
	}
	if d := cmp.Diff([]string{"claude unknown", "codex drifted", "opencode edited"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if err := harness.InStep(files); !errors.Is(err, harness.ErrDrift) || !errors.Is(err, harness.ErrFormat) {
		t.Errorf("%v", err)
	}
	if files, err = harness.Check(folder(t, nil), protocol(t, small)); err != nil || files[0].State != harness.Missing {
		t.Errorf("%+v, %v", files, err)
	}
	if _, err := harness.Check(root+"/absent", protocol(t, small)); err == nil {
		t.Error("a root that is not there")
	}
	if _, err := harness.Check(root+"/.claude/settings.json", protocol(t, small)); err == nil {
		t.Error("a root that is a file")
	}
}
