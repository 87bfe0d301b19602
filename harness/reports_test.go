package harness_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ambit/harness"
	"example.com/ambit/internal/conformance"
)

// report is a public report of a bug in an agent or in a tool that writes agents' files.
type report struct {
	ID       string
	Source   string
	Kind     string
	Expected string
	Input    struct {
		Type, Harness, Event, Path, Before, Stdout, Stdin string
		Command                                           string `json:"own_command"`
		Allow, Deny                                       []string
		Exit                                              int
		Rules                                             json.RawMessage `json:"rules"`
		Ordered                                           [][]string      `json:"rules_ordered"`
		Policy                                            map[string]map[string]string
		Target                                            string
	}
}

// TestReports replays the public reports that are about rules, files and hook answers. What a report says of another
// program's behaviour is turned into what this package must do in its place.
func TestReports(t *testing.T) {
	conformance.Run(t, "harness/reports.jsonl", 28, func(r report) string { return r.ID }, func(t *testing.T, r report) {
		check := map[string]func(*testing.T, report){"rules": reportedRules, "generate": reportedGeneration, "file": reportedFile, "hook": reportedHook}[r.Input.Type]
		if r.Kind == "ordering" && r.Input.Type == "shell" {
			check = reportedOrder
		}
		if check == nil {
			t.Skip("about commands, scopes or paths: the evaluator's matter, or the agent's own")
		}
		check(t, r)
	})
}

// reportedRules: every rule of the report is found by Lint, or blocks what its own tool must run.
func reportedRules(t *testing.T, r report) {
	found := map[string]bool{}
	for _, f := range harness.Lint(harness.RuleSet{Allow: r.Input.Allow, Deny: r.Input.Deny}) {
		if f.Code == harness.DeadRule || r.Kind != "dead-rule" {
			found[f.Rule] = true
		}
	}
	for _, rule := range slices.Concat(r.Input.Allow, r.Input.Deny) {
		if !found[rule] {
			t.Errorf("%s: %s passes", r.Expected, rule)
		}
	}
}

// reportedGeneration writes the policy for the target and looks for a live rule.
func reportedGeneration(t *testing.T, r report) {
	var entries []string
	for entry, effect := range r.Input.Policy["bash"] {
		if effect == "deny" {
			entries = append(entries, entry)
		}
	}
	text, err := json.Marshal(map[string]any{"version": "1.1", "tiers": map[string]any{"tier3_blocking": map[string]any{"shell_patterns": entries}},
		"tools": map[string]any{r.Input.Target: map[string]any{"derived_from_tiers": []string{}}}})
	if err != nil {
		t.Fatal(err)
	}
	root := fastDir(t)
	materialize(t, root, protocol(t, string(text)), harness.Options{Native: true})
	rules, err := harness.ReadCodexRules("ambit.rules", []byte(tree(t, root)[".codex/rules/ambit.rules"]))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		words := strings.Fields(strings.TrimSuffix(entry, " *"))
		if !slices.ContainsFunc(rules, func(p harness.PrefixRule) bool { return p.Decision == "forbidden" && p.Matches(words) }) {
			t.Errorf("nothing forbids %v", words)
		}
	}
}

// reportedOrder: where the order decides, ours stand last and the reported order is found.
func reportedOrder(t *testing.T, r report) {
	s := harness.RuleSet{Harness: harness.OpenCode}
	var live []string
	for _, rule := range r.Input.Ordered {
		s.Ordered = append(s.Ordered, harness.OrderRule{Key: rule[0], Effect: rule[1]})
		live = append(live, fmt.Sprintf("%q: %q", rule[0], rule[1]))
	}
	found := slices.ContainsFunc(harness.Lint(s), func(f harness.Finding) bool {
		return f.Code == harness.ShadowedRule || f.Code == harness.OrderDependent
	})
	if first := r.Input.Ordered[0]; first[1] == "deny" && first[0] != "*" && !found {
		t.Errorf("the order passes: %v", r.Input.Ordered)
	}
	root := folder(t, map[string]string{"opencode.json": `{"permission": {"bash": {` + strings.Join(live, ", ") + `}}}`})
	materialize(t, root, protocol(t, small), harness.Options{Native: true})
	var v struct {
		Permission struct{ Bash json.RawMessage }
	}
	if err := json.Unmarshal([]byte(tree(t, root)["opencode.json"]), &v); err != nil {
		t.Fatal(err)
	}
	if at, last := strings.Index(string(v.Permission.Bash), `"git push *": "deny"`), strings.LastIndex(string(v.Permission.Bash), `"allow"`); at < last {
		t.Errorf("our deny stands before an allow: %s", v.Permission.Bash)
	}
}

// reportedFile lays a file like the reported one, runs, and holds what every report of that kind asks for: nothing that
// a person wrote is lost, nothing grows, links stay.
func reportedFile(t *testing.T, r report) {
	before := r.Input.Before
	if !strings.HasPrefix(before, "{") && !strings.HasPrefix(before, "//") {
		before = `{"hooks": {"Stop": []}, "env": {"X": "1"}, "permissions": {"allow": ["Bash(ls:*)"]}}` // the report describes it in words
	}
	root := folder(t, map[string]string{".claude/x": ""})
	name := filepath.Join(root, ".claude/settings.json")
	if r.Kind == "symlink" {
		put(t, root, "dotfiles/settings.json", before)
		put(t, root, "dotfiles/x", "")
		for link, to := range map[string]string{filepath.Join(root, "dotfiles/second"): "settings.json", name: "../dotfiles/second"} {
			if err := os.Symlink(to, link); err != nil {
				t.Skip(err)
			}
		}
	} else {
		put(t, root, ".claude/settings.json", before)
	}
	run := func() error {
		for _, plan := range []func() (*harness.Changes, error){
			func() (*harness.Changes, error) {
				return harness.Plan(root, protocol(t, small), harness.Options{Now: clock})
			},
			func() (*harness.Changes, error) {
				return harness.PlanHook(root, harness.Claude, true, harness.Options{Now: clock})
			},
		} {
			c, err := plan()
			if err == nil {
				_, err = harness.Apply(c)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if strings.HasPrefix(before, "//") { // a file that the agent takes with comments and Claude does not
		if err := run(); err == nil {
			t.Error("a comment passes")
		}
		if got, _ := os.ReadFile(name); string(got) != before {
			t.Errorf("refused, and yet %s", got)
		}
		return
	}
	for range 3 {
		if err := run(); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var was, is map[string]any
	if json.Unmarshal([]byte(before), &was) != nil || json.Unmarshal(data, &is) != nil {
		t.Fatalf("unreadable: %s", data)
	}
	contains(t, "", was, is)
	allow := claudeAllow(is)
	if slices.Sort(allow); len(slices.Compact(slices.Clone(allow))) != len(allow) {
		t.Errorf("rules stand twice: %v", allow)
	}
	if r.Kind == "symlink" {
		for _, link := range []string{name, filepath.Join(root, "dotfiles/second")} {
			if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Errorf("%s is no link any more", link)
			}
		}
	}
	// Uninstalling leaves what the run before the installation left.
	c, err := harness.PlanHook(root, harness.Claude, false, harness.Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := harness.Apply(c); err != nil {
		t.Fatal(err)
	}
	if data, _ = os.ReadFile(name); strings.Contains(string(data), "ambit hook") {
		t.Errorf("the hook is still there: %s", data)
	}
}

func claudeAllow(settings map[string]any) (out []string) {
	p, _ := settings["permissions"].(map[string]any)
	list, _ := p["allow"].([]any)
	for _, v := range list {
		out = append(out, fmt.Sprint(v))
	}
	return out
}

// contains reports everything of was that is not in is.
func contains(t *testing.T, path string, was, is any) {
	t.Helper()
	switch w := was.(type) {
	case map[string]any:
		m, _ := is.(map[string]any)
		for k, v := range w {
			contains(t, path+"."+k, v, m[k])
		}
	case []any:
		list, _ := is.([]any)
		for _, v := range w {
			if !slices.ContainsFunc(list, func(x any) bool { return fmt.Sprint(x) == fmt.Sprint(v) }) {
				t.Errorf("%s lost %v", path, v)
			}
		}
	default:
		if fmt.Sprint(was) != fmt.Sprint(is) {
			t.Errorf("%s: %v became %v", path, was, is)
		}
	}
}

// reportedHook answers a tier3 command and an input that cannot be read, and holds the form against the reports: inside
// hookSpecificOutput, with the event's name and a word that the agent knows, or exit 2.
func reportedHook(t *testing.T, r report) {
	var n harness.Name
	if err := n.UnmarshalText([]byte(r.Input.Harness)); err != nil {
		t.Skip(err)
	}
	stdin := [][]byte{event(n, shellTool[n], map[string]any{"command": "git push origin main"}, nil), []byte("not JSON"), nil}
	if r.Input.Stdin != "" {
		stdin = append(stdin, []byte(r.Input.Stdin))
	}
	for _, in := range stdin {
		out := hook(t, harness.Hook{}).Respond(n, harness.PreToolUse, in)
		switch {
		case n == harness.Cursor && !strings.Contains(string(out.Stdout), `"permission":"deny"`):
			t.Errorf("%q: %+v", in, out)
		case n == harness.Cursor || n == harness.Gemini:
		case out.Exit == 2 && len(out.Stderr) > 0:
		default:
			var v struct {
				Hook struct{ HookEventName, PermissionDecision, PermissionDecisionReason string } `json:"hookSpecificOutput"`
			}
			if err := json.Unmarshal(out.Stdout, &v); err != nil || v.Hook.HookEventName != "PreToolUse" || v.Hook.PermissionDecision != "deny" || v.Hook.PermissionDecisionReason == "" {
				t.Errorf("%q: %s (%v)", in, out.Stdout, err)
			}
		}
	}
}
