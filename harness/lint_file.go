package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.com/ambit/internal/canonjson"
)

// LintPaths lists the files below root that agents read and [LintFile] understands, those that are there.
func LintPaths(root string) []string {
	var out []string
	for _, path := range [...]string{".claude/settings.json", ".claude/settings.local.json", "opencode.json", "opencode.jsonc"} {
		name := filepath.Join(root, filepath.FromSlash(path))
		if _, err := os.Stat(name); err == nil {
			out = append(out, name)
		}
	}
	dir := filepath.Join(root, ".codex", "rules")
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".rules") {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

// LintFile reads a file of an agent by its name, *.rules for Codex, opencode.json or .jsonc for OpenCode, any other .json
// for Claude, and says which of its rules do not do what they seem to (K21). A file that the agent itself would not take
// is an error.
func LintFile(name string, data []byte) ([]Finding, error) {
	s, err := ReadRules(name, data)
	if err != nil {
		return nil, err
	}
	return Lint(s), nil
}

// ReadRules reads the rules of a file as [LintFile] does.
func ReadRules(name string, data []byte) (RuleSet, error) {
	base := filepath.Base(name)
	switch {
	case strings.HasSuffix(base, ".rules"):
		return readCodexSet(name, data)
	case base == "opencode.json" || strings.HasSuffix(base, ".jsonc"):
		c, err := openConfig(name, data)
		if err != nil {
			return RuleSet{}, err
		}
		s := RuleSet{Harness: OpenCode}
		for _, text := range [...]string{c.plain.Root.Get("permission").Text(), c.plain.Root.At("permission", "bash").Text()} {
			if text != "" {
				s.Ordered = append(s.Ordered, OrderRule{"*", text})
			}
		}
		for _, e := range c.rules() {
			s.Ordered = append(s.Ordered, OrderRule{e.key, e.effect.Text()})
		}
		return s, nil
	case strings.HasSuffix(base, ".json"):
		doc, err := openSettings(name, data, true)
		if err != nil {
			return RuleSet{}, err
		}
		list := func(key string) (out []string) {
			for v := range doc.Root.At("permissions", key).Items() {
				if v.Is(canonjson.KindString) {
					out = append(out, v.Text())
				}
			}
			return out
		}
		return RuleSet{Harness: Claude, Allow: list("allow"), Ask: list("ask"), Deny: list("deny")}, nil
	}
	return RuleSet{}, &Error{File: name, Code: CodeFile, Err: fmt.Errorf("the agent of this file is %w; want *.rules, opencode.json or Claude's settings.json", ErrUnknown)}
}

func readCodexSet(name string, data []byte) (RuleSet, error) {
	rules, err := ReadCodexRules(name, data)
	s := RuleSet{Harness: Codex}
	for _, r := range rules {
		switch r.Decision {
		case "allow":
			s.Allow = append(s.Allow, r.Text())
		case "prompt":
			s.Ask = append(s.Ask, r.Text())
		default:
			s.Deny = append(s.Deny, r.Text())
		}
	}
	return s, err
}
