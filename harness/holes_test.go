package harness_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ambit/harness"
	"example.com/ambit/tiers"
)

// wrap makes a protocol of the tiers and the tools given as JSON.
func wrap(tierText, tools string) string {
	return `{"version": "1.1", "tiers": {` + tierText + `}, "tools": {` + tools + `}}`
}

const derived = `{"derived_from_tiers": ["tier1_silent", "tier2_notified"]}`

// allowed gives the allow rules of Claude's settings.
func claudeList(t testing.TB, root, list string) []string {
	t.Helper()
	var v struct {
		Permissions map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(tree(t, root)[".claude/settings.json"]), &v); err != nil {
		t.Fatal(err)
	}
	var out []string
	if v.Permissions[list] != nil {
		if err := json.Unmarshal(v.Permissions[list], &out); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func codes(notices []harness.Notice) []string {
	var out []string
	for _, n := range notices {
		out = append(out, string(n.Code)+" "+n.Entry)
	}
	return out
}

// TestHoles has one subtest for each hole of the reference generator that concerns what is written.
func TestHoles(t *testing.T) {
	refused := func(t *testing.T, text string) {
		t.Helper()
		if _, err := tiers.Parse("p", []byte(text)); err == nil {
			t.Errorf("taken: %s", text)
		}
	}
	run := func(t *testing.T, protocolText string, files map[string]string, o harness.Options) (string, *harness.Result) {
		t.Helper()
		root := folder(t, files)
		return root, materialize(t, root, protocol(t, protocolText), o)
	}
	tier1 := func(patterns string) string { return `"tier1_silent": {"shell_patterns": [` + patterns + `]}` }
	tier3 := `"tier3_blocking": {"shell_patterns": ["git push *"], "aioson_commands": ["genome:publish"]}`
	claude := `"claude": ` + derived
	planErr := func(t *testing.T, protocolText string, files map[string]string, o harness.Options) (string, error) {
		t.Helper()
		root := folder(t, files)
		before := tree(t, root)
		c, err := harness.Plan(root, protocol(t, protocolText), o)
		if err == nil {
			_, err = harness.Apply(c)
		}
		if err != nil {
			for path, text := range tree(t, root) {
				if before[path] != text {
					t.Errorf("refused, and yet %s", path)
				}
			}
		}
		return root, err
	}
	for _, h := range []struct {
		id  string
		run func(t *testing.T)
	}{
		{"H01", func(t *testing.T) {
			refused(t, wrap(tier3, `"codex": {"derived_from_tiers": [["tier3_blocking"]]}`))
		}},
		{"H02", func(t *testing.T) {
			refused(t, wrap(`"tier1_silent": {"shell_patterns": "git *"}`, claude))
		}},
		{"H03", func(t *testing.T) {
			for _, v := range []string{`"1.2x"`, `"2.0"`, `"v1.1"`, `" 1.1"`, `1.1`} {
				refused(t, `{"version": `+v+`, "tools": {}}`)
			}
		}},
		{"H04", func(t *testing.T) {
			root, _ := run(t, wrap(tier3, `"claude": {"shell_whitelist": ["ls *"]}`), nil, harness.Options{})
			if got := claudeList(t, root, "deny"); !slices.Contains(got, "Bash(git push:*)") {
				t.Errorf("deny %v", got)
			}
			root, _ = run(t, wrap(tier3, `"claude": {"derived_from_tiers": [], "shell_whitelist": ["ls *"]}`), nil, harness.Options{})
			if got := claudeList(t, root, "allow"); len(got) != 0 {
				t.Errorf("allow %v", got)
			}
		}},
		{"H05", func(t *testing.T) { refused(t, wrap(`"tier3_blocked": {}`, claude)) }},
		{"H06", func(t *testing.T) {
			for _, p := range []string{`"git push *"`, `"git  push *"`, `"git push origin"`} {
				root, _ := run(t, wrap(tier1(p)+","+tier3, claude), nil, harness.Options{})
				if got := claudeList(t, root, "allow"); len(got) != 0 {
					t.Errorf("%s: allow %v", p, got)
				}
			}
			if _, err := planErr(t, wrap(tier1(`"git *"`)+","+tier3, claude), nil, harness.Options{}); !errors.Is(err, harness.ErrTier3) {
				t.Errorf("git *: %v", err)
			}
		}},
		{"H07", func(t *testing.T) {
			if _, err := planErr(t, wrap(tier1(`"aioson *"`)+","+tier3, claude), nil, harness.Options{}); !errors.Is(err, harness.ErrTier3) {
				t.Errorf("aioson *: %v", err)
			}
			push := pattern(t, "aioson genome:publish *")
			for _, rule := range []string{"Bash(npx:*)", "Bash(npx aioson:*)", "Bash(npx aioson genome:publish:*)"} {
				if !harness.Opens(harness.Claude, rule, push).Touches {
					t.Errorf("%s does not touch %s", rule, push)
				}
			}
		}},
		{"H08", func(t *testing.T) {
			root, r := run(t, wrap(`"tier3_blocking": {"shell_patterns": ["curl * | sh", "*>*", "git * main *"], "aioson_commands": ["cloud:publish:*"]}`, claude), nil, harness.Options{})
			deny := claudeList(t, root, "deny")
			want := []string{"Bash(git * main *)", "Bash(git main *)", "Bash(aioson cloud:publish*)"}
			if !slices.Equal(deny, want) {
				t.Errorf("deny %v", deny)
			}
			if got := codes(r.Notices); !slices.Contains(got, "inexpressible curl * | sh") || !slices.Contains(got, "inexpressible *>*") {
				t.Errorf("notices %v", got)
			}
			for _, f := range harness.Lint(harness.RuleSet{Deny: deny}) {
				t.Errorf("a rule of ours is odd: %+v", f)
			}
		}},
		{"H09", func(t *testing.T) {
			root, r := run(t, wrap(tier1(`"find . *", "git diff *", "rg *"`), claude), nil, harness.Options{})
			got := codes(r.Notices)
			for _, entry := range []string{"find . *", "git diff *", "rg *"} {
				if !slices.Contains(got, "native_wider "+entry) {
					t.Errorf("no notice about %s: %v", entry, got)
				}
			}
			if len(claudeList(t, root, "allow")) != 3 {
				t.Error("the entries are missing")
			}
			root, _ = run(t, wrap(tier1(`"find . *", "ls *"`), claude), nil, harness.Options{Strict: true})
			if got := claudeList(t, root, "allow"); !slices.Equal(got, []string{"Bash(ls:*)"}) {
				t.Errorf("strict: %v", got)
			}
		}},
		{"H10", func(t *testing.T) {
			settings := map[string]string{".claude/settings.json": `{"permissions":{"allow":["Bash(git push:*)","Bash(*)","Bash","Bash(env git push:*)","Bash(make:*)"],"defaultMode":"bypassPermissions"}}`}
			root, r := run(t, wrap(tier3, claude), settings, harness.Options{})
			if got := claudeList(t, root, "allow"); !slices.Equal(got, []string{"Bash(*)", "Bash", "Bash(make:*)"}) {
				t.Errorf("allow %v", got)
			}
			got := codes(r.Notices)
			for _, want := range []string{"tier3_user_allow Bash(git push:*)", "tier3_user_allow Bash(env git push:*)", "tier3_overlap Bash(*)", "tier3_overlap Bash", "foreign_allow ", "bypass_mode bypassPermissions"} {
				if !slices.Contains(got, want) {
					t.Errorf("no notice %q in %q", want, got)
				}
			}
			if !strings.Contains(tree(t, root)[r.Backups[0]], "git push") {
				t.Error("the backup does not keep it")
			}
			if _, err := planErr(t, wrap(tier3, claude), settings, harness.Options{Strict: true}); !errors.Is(err, harness.ErrStrict) {
				t.Errorf("strict: %v", err)
			}
		}},
		{"H11", func(t *testing.T) {
			for _, text := range []string{"// note\n{\"permissions\":{}}", `{"permissions":{},}`, "\ufeff{}", `{"permissions":{"allow":["x"`, "", "{\"a\":1,\"a\":2}"} {
				_, err := planErr(t, wrap(tier3, claude), map[string]string{".claude/settings.json": text}, harness.Options{})
				var e *harness.Error
				if !errors.Is(err, harness.ErrFormat) || !errors.As(err, &e) || e.Line == 0 || e.Col == 0 || !strings.Contains(e.Hint, "ignores the whole file") {
					t.Errorf("%q: %v", text, err)
				}
			}
		}},
		{"H11a", func(t *testing.T) {
			push := pattern(t, "git push *")
			for _, rule := range []string{"Bash(env git push:*)", "Bash(timeout 5 git push:*)", "Bash(/usr/bin/git push:*)", "Bash(git -C . push:*)"} {
				if !harness.Opens(harness.Claude, rule, push).Inside {
					t.Errorf("%s is not seen as %s", rule, push)
				}
			}
			if !harness.Opens(harness.Claude, "Bash(rm -r -f:*)", pattern(t, "rm -rf *")).Inside {
				t.Error("rm -r -f is not seen as rm -rf")
			}
		}},
		{"H12", func(t *testing.T) {
			for text, at := range map[string]string{
				`["a",{"b":1}]`: "1:1", `"abc"`: "1:1", `null`: "1:1", `{"permissions": "abc"}`: "1:17", `{"permissions": null}`: "1:17",
				"{\"permissions\":\n {\"allow\": \"Bash\"}}": "2:12", `{"permissions": {"deny": {}}}`: "1:26", `{"permissions": {"ask": 1}}`: "1:25",
			} {
				_, err := planErr(t, wrap(tier3, claude), map[string]string{".claude/settings.json": text}, harness.Options{})
				var e *harness.Error
				if !errors.As(err, &e) || e.Code != harness.CodeType || fmt.Sprintf("%d:%d", e.Line, e.Col) != at {
					t.Errorf("%s: %v", text, err)
				}
			}
		}},
		{"H13", func(t *testing.T) { // nothing is written when one file is refused
			all := `"codex": ` + derived + `, "claude": ` + derived + `, "opencode": ` + derived
			root, err := planErr(t, wrap(tier3, all), map[string]string{".claude/settings.json": "null"}, harness.Options{})
			if err == nil || len(tree(t, root)) != 1 {
				t.Errorf("%v, %v", err, tree(t, root))
			}
		}},
		{"H14", func(t *testing.T) {
			text := "{\"b\": 12345678901234567890, \"a\": 1e400, \"1\": -0,\r\n \"permissions\": {\"allow\": []}, \"\\u0061b\": 1.0}"
			root, _ := run(t, wrap(tier1(`"ls"`), claude), map[string]string{".claude/settings.json": text}, harness.Options{})
			if got := tree(t, root)[".claude/settings.json"]; got != strings.Replace(text, "[]", `["Bash(ls)"]`, 1) {
				t.Errorf("%q", got)
			}
			bad := "{\"a\": \"\xff\"}"
			if _, err := planErr(t, wrap(tier3, claude), map[string]string{".claude/settings.json": bad}, harness.Options{}); !errors.Is(err, harness.ErrFormat) {
				t.Errorf("bad UTF-8: %v", err)
			}
		}},
		{"H15", func(t *testing.T) {
			root, _ := run(t, wrap(tier1(`"rm -rf *", "npm *"`), claude), map[string]string{".claude/settings.json": `{"permissions":{"allow":["Bash(mine)"]}}`}, harness.Options{})
			materialize(t, root, protocol(t, wrap(`"tier3_blocking": {"shell_patterns": ["rm -rf *"]}`, claude)), harness.Options{})
			if a, d := claudeList(t, root, "allow"), claudeList(t, root, "deny"); !slices.Equal(a, []string{"Bash(mine)"}) || !slices.Equal(d, []string{"Bash(rm -rf:*)"}) {
				t.Errorf("allow %v, deny %v", a, d)
			}
		}},
		{"H17", func(t *testing.T) { refused(t, `{"version": "1.1",}`) }},
		{"H18", func(t *testing.T) {
			refused(t, wrap(tier3, `"claude": null`))
			refused(t, `null`)
		}},
		{"H21", func(t *testing.T) { // idle runs leave nothing, and no file moves
			root, _ := run(t, small, nil, harness.Options{})
			stamp := func() (out []time.Time) {
				for path := range tree(t, root) {
					info, err := os.Stat(filepath.Join(root, path))
					if err != nil {
						t.Fatal(err)
					}
					out = append(out, info.ModTime())
				}
				slices.SortFunc(out, time.Time.Compare)
				return out
			}
			before := stamp()
			for range 5 {
				materialize(t, root, protocol(t, small), harness.Options{})
			}
			if !slices.Equal(before, stamp()) {
				t.Error("idle runs wrote")
			}
		}},
		{"H26", func(t *testing.T) {
			for _, p := range []string{`"a\nb"`, `"a\u0000b"`, `"a\u001bb"`, `"\ud800"`} {
				refused(t, wrap(tier1(p), claude))
			}
		}},
		{"H28", func(t *testing.T) { // by content, not by time
			root, _ := run(t, small, nil, harness.Options{})
			put(t, root, ".codex/permissions.json", `{"shell_allowed":["*"]}`)
			files, err := harness.Check(root, protocol(t, small))
			if err != nil || files[1].State != harness.Edited {
				t.Errorf("%+v, %v", files, err)
			}
			for _, path := range []string{".claude/settings.json", ".opencode/permissions.yaml"} {
				if err := os.Chtimes(filepath.Join(root, path), time.Unix(0, 0), time.Unix(0, 0)); err != nil {
					t.Fatal(err)
				}
			}
			if files, _ = harness.Check(root, protocol(t, small)); files[0].State != harness.InSync || files[2].State != harness.InSync {
				t.Errorf("old files: %+v", files)
			}
		}},
		{"H32", func(t *testing.T) { // the file has the tool's own mode
			root, _ := run(t, `{"version": "1.1", "global_mode": "guarded", "tools": {"codex": {"mode": "headless", "derived_from_tiers": []}}}`, nil, harness.Options{})
			if got := tree(t, root)[".codex/permissions.json"]; !strings.Contains(got, `"mode": "headless"`) {
				t.Error(got)
			}
		}},
		{"H35", func(t *testing.T) {
			_, r := run(t, small, nil, harness.Options{})
			if got := codes(r.Notices); !slices.Contains(got, "not_read .codex/permissions.json") || !slices.Contains(got, "not_read .opencode/permissions.yaml") {
				t.Errorf("%v", got)
			}
			for _, x := range harness.Targets() {
				if (x.ReadBy() == "") != (x == harness.CodexPermissions || x == harness.OpenCodePermissions) {
					t.Errorf("%v is read by %q", x, x.ReadBy())
				}
			}
		}},
		{"H37", func(t *testing.T) { refused(t, wrap(tier3, `"codex": {"mode": "weird"}`)) }},
		{"H38", func(t *testing.T) {
			root, r := run(t, wrap(tier1(`"a:* b", "ls", "x:*"`)+`, "tier3_blocking": {"shell_patterns": ["x\\)", "git tag:*"]}`, claude), nil, harness.Options{})
			for _, rule := range slices.Concat(claudeList(t, root, "allow"), claudeList(t, root, "deny")) {
				if strings.Count(rule, "(") != 1 || strings.Count(rule, ")") != 1 {
					t.Errorf("%s", rule)
				}
			}
			if deny := claudeList(t, root, "deny"); !slices.Equal(deny, []string{"Bash(git tag*)"}) {
				t.Errorf("deny %v", deny)
			}
			if slices.Contains(claudeList(t, root, "allow"), "Bash(x:*)") {
				t.Errorf("x:* is a word, not a prefix: %v", codes(r.Notices))
			}
		}},
		{"H40", func(t *testing.T) { // 1.0: tier3 is denied all the same
			root, _ := run(t, `{"version": "1.0", "tiers": {`+tier3+`}, "tools": {"claude": {"shell_whitelist": ["ls *"]}}}`, nil, harness.Options{})
			if got := claudeList(t, root, "deny"); !slices.Contains(got, "Bash(git push:*)") {
				t.Errorf("deny %v", got)
			}
		}},
		{"H44", func(t *testing.T) {
			root := folder(t, map[string]string{".claude/settings.json": "{}"})
			c, err := harness.Plan(root, protocol(t, small), harness.Options{})
			if err != nil || c.Files[0].Action != harness.Update || !strings.Contains(c.Files[0].Diff, "+") || c.Files[1].Action != harness.Create {
				t.Errorf("%+v, %v", c, err)
			}
			if _, err := harness.Plan(root, protocol(t, wrap(tier3, claude)), harness.Options{Tools: []harness.Name{harness.Codex}}); !errors.Is(err, harness.ErrUnknown) {
				t.Errorf("an undeclared tool: %v", err)
			}
		}},
		{"H45", func(t *testing.T) { // the ledger ties each file to the protocol that made it
			root, _ := run(t, small, nil, harness.Options{})
			if got := tree(t, root)[harness.LedgerPath]; strings.Count(got, `"protocol": "sha256:`) != 3 {
				t.Error(got)
			}
		}},
		{"H46", func(t *testing.T) {
			for _, p := range []string{`null`, `""`, `"  "`, `5`, `{}`} {
				refused(t, wrap(tier1(p), claude))
			}
		}},
		{"H47", func(t *testing.T) { refused(t, `{"version": "1.1", "version": "1.1"}`) }},
	} {
		t.Run(h.id, h.run)
	}
}
