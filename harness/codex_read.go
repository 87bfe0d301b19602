package harness

import (
	"fmt"
	"strings"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/span"
)

// ReadCodexRules reads a rules file of Codex strictly: prefix_rule calls with literal arguments, and the other calls that
// Codex knows, which are skipped. One mistake makes Codex drop every rule of the user and the project, so whatever is
// not plainly right here is an error: a wrong type, an empty justification, an example that the rule contradicts (K4).
// name is for messages; the errors are positioned and joined.
func ReadCodexRules(name string, data []byte) ([]PrefixRule, error) {
	p := &starlark{name: name, src: string(data)}
	var rules []PrefixRule
	var faults fault.List
	for p.skip(); p.at < len(p.src) && p.err == nil; p.skip() {
		start := p.at
		call := p.word()
		args := p.arguments()
		if p.err != nil {
			break
		}
		switch call {
		case "prefix_rule":
			r, err := p.prefixRule(start, args)
			if err != nil {
				faults.Add(p.fault(start, err))
				continue
			}
			rules = append(rules, r)
		case "host_executable", "network_rule":
		default:
			p.fail(start, fmt.Errorf("%q is not a rule", call))
		}
	}
	if p.err != nil {
		faults.Add(p.err)
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return rules, nil
}

func (p *starlark) prefixRule(start int, args map[string]any) (PrefixRule, error) {
	line, _ := span.Position([]byte(p.src), start)
	r := PrefixRule{Decision: "allow", Line: line}
	for key, v := range args {
		var err error
		switch key {
		case "pattern":
			r.Pattern, err = tokenList(v)
		case "decision":
			r.Decision, err = oneText(v)
		case "justification":
			if r.Justification, err = oneText(v); err == nil && strings.TrimSpace(r.Justification) == "" {
				err = fmt.Errorf("it is empty")
			}
		case "match":
			r.Match, err = examples(v)
		case "not_match":
			r.NotMatch, err = examples(v)
		default:
			err = fmt.Errorf("prefix_rule has no such argument")
		}
		if err != nil {
			return r, fmt.Errorf("%s: %w", key, err)
		}
	}
	if len(r.Pattern) == 0 {
		return r, fmt.Errorf("pattern is missing or empty")
	}
	if r.Decision != "allow" && r.Decision != "prompt" && r.Decision != "forbidden" {
		return r, fmt.Errorf("decision %q; allowed: allow, prompt, forbidden", r.Decision)
	}
	for _, m := range r.Match {
		if !r.Matches(m) {
			return r, fmt.Errorf("match: the rule does not match %q", m)
		}
	}
	for _, m := range r.NotMatch {
		if r.Matches(m) {
			return r, fmt.Errorf("not_match: the rule matches %q", m)
		}
	}
	return r, nil
}

func oneText(v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("not a string")
	}
	return s, nil
}

// tokenList reads ["git", ["push", "send-pack"]].
func tokenList(v any) ([][]string, error) {
	items, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("not a list")
	}
	var out [][]string
	for _, item := range items {
		alternatives, ok := item.([]any)
		if !ok {
			alternatives = []any{item}
		}
		words, err := texts(alternatives)
		if err != nil {
			return nil, err
		}
		if len(words) == 0 {
			return nil, fmt.Errorf("an empty list of alternatives")
		}
		out = append(out, words)
	}
	return out, nil
}

func texts(items []any) ([]string, error) {
	var out []string
	for _, item := range items {
		s, err := oneText(item)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// examples reads commands given as texts or as lists of words.
func examples(v any) ([][]string, error) {
	items, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("not a list")
	}
	var out [][]string
	for _, item := range items {
		if s, ok := item.(string); ok {
			if strings.ContainsAny(s, `"'\`) {
				return nil, fmt.Errorf("an example with quotes must be a list of words")
			}
			out = append(out, strings.Fields(s))
			continue
		}
		list, ok := item.([]any)
		if !ok {
			return nil, fmt.Errorf("not a command")
		}
		words, err := texts(list)
		if err != nil {
			return nil, err
		}
		out = append(out, words)
	}
	return out, nil
}
