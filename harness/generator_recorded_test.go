package harness_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/ambit/harness"
	"example.com/ambit/internal/conformance"
	"example.com/ambit/tiers"
	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// generatorCase is one recorded run of the reference generator.
type generatorCase struct {
	Name     string
	Protocol conformance.Text
	Existing conformance.Tree
	Expected conformance.Tree
	Holes    []string
	Result   struct {
		Written []string
		Options struct {
			DryRun json.RawMessage
			Tools  json.RawMessage
		}
	}
}

// TestGeneratorAgainstTheReference replays every recorded run. Where the reference is plainly right the lists must be
// equal, after trimming and with first occurrences only; where it has holes, what comes out must keep every promise of
// this package, or nothing may be written.
func TestGeneratorAgainstTheReference(t *testing.T) {
	counts := map[string]int{}
	conformance.Run(t, "harness/generator.jsonl", 246, func(c generatorCase) string { return c.Name }, func(t *testing.T, c generatorCase) {
		root := fastDir(t)
		c.Existing.Write(t, root)
		before := tree(t, root)
		p, err := tiers.Parse("protocol", c.Protocol.Bytes())
		if err != nil {
			if len(c.Holes) == 0 && len(c.Expected) > len(c.Existing) && !refusedByRule(c.Protocol.Bytes()) {
				t.Fatalf("refused: %v", err)
			}
			counts["protocol refused"]++
			return
		}
		options := harness.Options{Now: clock}
		var only []string
		filtered := json.Unmarshal(c.Result.Options.Tools, &only) == nil && c.Result.Options.Tools != nil
		for _, name := range only {
			var n harness.Name
			if _, declared := p.Tool(name); declared && n.UnmarshalText([]byte(name)) == nil {
				options.Tools = append(options.Tools, n)
			}
		}
		if filtered && len(options.Tools) == 0 {
			counts["no tool"]++
			return
		}
		plan, err := harness.Plan(root, p, options)
		if err != nil {
			t.Fatal(err)
		}
		if dry := string(c.Result.Options.DryRun); dry != "" && dry != "false" {
			if d := cmp.Diff(before, tree(t, root)); d != "" {
				t.Errorf("a plan wrote: %s", d)
			}
		}
		if _, err = harness.Apply(plan); err != nil {
			counts["refused"]++
			if len(c.Holes) == 0 {
				t.Fatalf("refused: %v", err)
			}
			if !errors.Is(err, harness.ErrTier3) && !errors.Is(err, harness.ErrFormat) {
				t.Errorf("refused for another reason: %v", err)
			}
			if d := cmp.Diff(before, tree(t, root)); d != "" {
				t.Errorf("refused, and yet (-before +after):\n%s", d)
			}
			return
		}
		after := tree(t, root)
		keepsPromises(t, p, before, after)
		again := materialize(t, root, p, options)
		if again.Stamp != "" || cmp.Diff(after, tree(t, root)) != "" {
			t.Error("a second run wrote")
		}
		if len(c.Holes) > 0 {
			counts["promises"]++
			return
		}
		counts["equal"]++
		for _, path := range c.Result.Written {
			want, recorded := c.Expected[path]
			if dry := string(c.Result.Options.DryRun); dry != "" && dry != "false" || !recorded {
				continue
			}
			if d := cmp.Diff(asSpec(listsOf(t, path, string(want.Bytes()))), listsOf(t, path, after[path])); d != "" {
				t.Errorf("%s (-recorded +got):\n%s", path, d)
			}
		}
		for path, text := range before {
			if !slices.Contains(c.Result.Written, path) && after[path] != text {
				t.Errorf("%s was not to be written", path)
			}
		}
	})
	t.Log(counts)
}

// refusedByRule reports what the reference took and the rules refuse although nothing is unsafe in it: bytes that are
// not UTF-8 (T1) and tabs inside entries (T4).
func refusedByRule(data []byte) bool { return !utf8.Valid(data) || bytes.Contains(data, []byte(`\t`)) }

// listsOf reads the lists and settings of one of the contract's files.
func listsOf(t *testing.T, path, text string) map[string]any {
	t.Helper()
	out := map[string]any{}
	read := json.Unmarshal
	if strings.HasSuffix(path, ".yaml") {
		read = yaml.Unmarshal
	}
	if err := read([]byte(text), &out); err != nil {
		t.Fatalf("%s: %v\n%s", path, err, text)
	}
	if filepath.Base(path) == "settings.json" {
		p, _ := out["permissions"].(map[string]any)
		out = map[string]any{"allow": p["allow"], "deny": p["deny"], "ask": p["ask"]}
	}
	for k, v := range out {
		list, ok := v.([]any)
		if !ok {
			continue
		}
		texts := []string{}
		for _, item := range list {
			s, ok := item.(string)
			if !ok {
				b, _ := json.Marshal(item)
				s = "json " + string(b)
			}
			if s = strings.TrimSpace(s); s != "" && !slices.Contains(texts, s) {
				texts = append(texts, s)
			}
		}
		if out[k] = texts; len(texts) == 0 {
			delete(out, k)
		}
	}
	for k, v := range out {
		if v == nil {
			delete(out, k)
		}
	}
	return out
}

// asSpec is a recorded file as the rules have it where they differ from the reference without a hole: no pipeline or
// redirect in an allow list (T21), no allow rule that Claude would take for more than its entry (K3), and no ":*" behind
// another star.
func asSpec(lists map[string]any) map[string]any {
	for key, v := range lists {
		list, ok := v.([]string)
		if !ok {
			continue
		}
		var out []string
		for _, s := range list {
			content := strings.TrimSuffix(strings.TrimPrefix(s, "Bash("), ")")
			inWord := false
			for w := range strings.FieldsSeq(content) {
				inWord = inWord || strings.Contains(w, "*") && strings.Trim(w, "*") != ""
			}
			prefix, open := strings.CutSuffix(content, ":*")
			switch {
			case strings.Contains(key, "allow") && strings.ContainsAny(content, "|>"):
			case key == "allow" && strings.HasPrefix(s, "Bash(") && inWord && !open:
			case open && strings.Contains(prefix, "*"):
				out = append(out, "Bash("+prefix+" *)")
			default:
				out = append(out, s)
			}
		}
		lists[key] = out
	}
	return lists
}

// keepsPromises holds what was written against what every run must keep, by a plain model of its own: no allow list has
// a tier3 entry's text, every rule of the user is there but an allow that is tier3, and nothing else in the settings
// changed.
func keepsPromises(t *testing.T, p *tiers.Protocol, before, after map[string]string) {
	t.Helper()
	for tool := range p.Tools() {
		s := p.Resolve(tool.Name)
		for path, text := range after {
			if strings.HasPrefix(path, ".aioson") || strings.HasPrefix(path, ".ambit") {
				continue
			}
			lists := listsOf(t, path, text)
			for _, key := range []string{"allow", "shell_allowed", "aioson_allowed"} {
				list, _ := lists[key].([]string)
				for _, d := range s.Deny {
					if d.Source != tiers.SourceTier3 {
						continue
					}
					for _, rule := range list {
						if opened(rule, key, d) {
							t.Errorf("%s: %s has %q, which is tier3 (%s)", path, key, rule, d.Text)
						}
					}
				}
			}
		}
	}
	const settings = ".claude/settings.json"
	if before[settings] == "" || after[settings] == before[settings] {
		return
	}
	was, is := listsOf(t, settings, before[settings]), listsOf(t, settings, after[settings])
	for _, key := range []string{"allow", "deny", "ask"} {
		old, _ := was[key].([]string)
		now, _ := is[key].([]string)
		for _, rule := range old {
			if !slices.Contains(now, rule) && !(key == "allow" && isTier3(p, rule)) {
				t.Errorf("%s lost the user's %q", key, rule)
			}
		}
	}
}

func opened(rule, key string, d tiers.DenyEntry) bool {
	switch key {
	case "allow":
		prefix := strings.TrimSuffix(d.Text, " *")
		return d.Kind == tiers.KindShell && (rule == "Bash("+prefix+":*)" || rule == "Bash("+d.Text+")")
	case "shell_allowed":
		return d.Kind == tiers.KindShell && rule == d.Text
	}
	return d.Kind == tiers.KindCommand && rule == d.Text
}

func isTier3(p *tiers.Protocol, rule string) bool {
	for tool := range p.Tools() {
		for _, d := range p.Resolve(tool.Name).Deny {
			if harness.Opens(harness.Claude, rule, d.Pattern).Inside {
				return true
			}
		}
	}
	return false
}
