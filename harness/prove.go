package harness

import (
	"fmt"
	"slices"
	"strings"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/regular"
	"example.com/ambit/tiers"
)

// guard is one tier3 pattern, made ready for many questions.
type guard struct {
	text    string
	pattern tiers.Pattern
	regular *regular.Pattern
	prefix  string // what every command of it begins with, with one blank between words
}

// newGuard gives nil for a pipeline or a redirect, which no rule of one command can open.
func newGuard(text string, p tiers.Pattern) *guard {
	language := patternLanguage(p)
	if language == nil {
		return nil
	}
	g := &guard{text: text, pattern: p, regular: language}
	var words []string
	for _, w := range p.Spellings()[0] {
		if w.Many {
			break
		}
		words = append(words, w.Parts[0])
		if len(w.Parts) > 1 {
			break // a star begins within the word
		}
	}
	g.prefix = strings.Join(words, " ")
	return g
}

// rule is one allow rule of an agent, made ready for many questions.
type rule struct {
	regular  *regular.Pattern // nil: not about shell commands
	within   *regular.Pattern
	prefix   string          // what every command of it begins with
	raw      bool            // the grammar sees blanks as they are written
	meanings []tiers.Pattern // by what its words mean
	tooLarge bool            // more than can be judged: counts as opening everything
}

func newRule(n Name, text string) rule {
	r := rule{raw: n == OpenCode}
	r.regular, r.within = nativeLanguage(n, text)
	if r.regular == nil {
		return r
	}
	r.meanings = []tiers.Pattern{rulePattern(n, text)}
	switch n {
	case Claude:
		content := strings.TrimSuffix(parseClaudeRule(text).content, ":*")
		r.prefix, _, _ = strings.Cut(strings.TrimSuffix(content, " *"), "*")
	case Codex:
		r.prefix = strings.Join(strings.Fields(text), " ")
	case OpenCode:
		if i := strings.IndexAny(strings.TrimSuffix(text, " *"), "*?"); i >= 0 {
			r.prefix = text[:i]
		} else {
			r.prefix = strings.TrimSuffix(text, " *")
		}
	}
	return r
}

// apart reports whether no command that begins so can be one of the rule: an exact answer where it says yes.
func (r rule) apart(prefix string) bool {
	p, q := r.prefix, prefix
	if r.raw { // several blanks may stand between two words
		p, _, _ = strings.Cut(p, " ")
		q, _, _ = strings.Cut(q, " ")
	}
	n := min(len(p), len(q))
	return p[:n] != q[:n]
}

// inside reports whether every command of the rule is tier3, by its text or by what its words mean.
func (r rule) inside(g guard) bool {
	if r.regular != nil && !r.apart(g.prefix) {
		if in, _, err := regular.Inside(r.regular, g.regular, r.within); in || err != nil {
			return true
		}
	}
	return r.tooLarge || slices.ContainsFunc(r.meanings, func(m tiers.Pattern) bool { return m.Inside(g.pattern) })
}

// touches reports whether some command of the rule is tier3.
func (r rule) touches(g guard) bool {
	if r.regular != nil && !r.apart(g.prefix) {
		if meet, _, err := regular.Meet(r.regular, g.regular, r.within); meet || err != nil {
			return true
		}
	}
	return r.tooLarge || slices.ContainsFunc(r.meanings, func(m tiers.Pattern) bool { return m.Overlaps(g.pattern) })
}

// covers reports whether every command of the tier3 pattern is allowed by the rule's text.
func (r rule) covers(g guard) bool {
	if r.regular == nil || r.apart(g.prefix) {
		return r.tooLarge
	}
	in, _, err := regular.Inside(g.regular, r.regular, r.within)
	return in || err != nil
}

// tier3 gives the first tier3 entry that the rule lies inside, "" when there is none.
func (r rule) tier3(guards []guard) string {
	for _, g := range guards {
		if r.inside(g) {
			return g.text
		}
	}
	return ""
}

// judge holds one rule of the user against all of tier3: the entry that it lies inside, if any, and those that it
// touches.
func judge(r rule, guards []guard) (inside string, touched []string) {
	if inside = r.tier3(guards); inside != "" {
		return inside, nil
	}
	for _, g := range guards {
		if r.touches(g) {
			touched = append(touched, g.text)
		}
	}
	return "", touched
}

// covered gives a tier3 entry of which every command is allowed by the rule, "" when there is none.
func covered(r rule, guards []guard) string {
	for _, g := range guards {
		if r.covers(g) {
			return g.text
		}
	}
	return ""
}

// prove reads the finished bytes of a file again and holds every allow rule in them against tier3 (K15): none may be
// tier3, and none that this package generated may cover a tier3 entry. It does not care how the bytes came to be.
func prove(t Target, name string, data []byte, generated []string, s setsOf) error {
	row := t.row()
	allows, err := row.allows(name, data)
	if err != nil {
		return fmt.Errorf("the finished file does not read back: %w", err)
	}
	var faults fault.List
	for _, text := range allows {
		r := proofRule(t, text, s.Program)
		inside := r.tier3(s.guards)
		problem := ""
		if inside != "" {
			problem = fmt.Sprintf("the allow rule %s is tier3 (%s)", text, inside)
		} else if slices.Contains(generated, text) {
			if over := covered(r, s.guards); over != "" {
				problem = fmt.Sprintf("the allow rule %s covers tier3 (%s)", text, over)
			}
		}
		if problem != "" {
			faults.Add(&Error{File: name, Code: CodeTier3, Err: fmt.Errorf("%s: %w", problem, ErrTier3),
				Hint: "narrow the entry in the protocol, or take it out; nothing was written"})
		}
	}
	return faults.Err()
}

// proofRule reads an allow rule of a file in that file's grammar.
func proofRule(t Target, text, program string) rule {
	switch t {
	case CodexPermissions, OpenCodePermissions:
		return protocolRule(text, program)
	case CodexRules:
		return codexRule(text)
	}
	return newRule(t.Tool(), text)
}

// commandMark stands before a command entry of the contract's own formats, where the proof keeps both kinds in one list.
const commandMark = "command "

// protocolRule reads an entry of the contract's own two formats: the protocol's grammar.
func protocolRule(text, program string) rule {
	r := rule{within: words()}
	var p tiers.Pattern // one that cannot be read, or can only deny, matches nothing
	if name, ok := strings.CutPrefix(text, commandMark); ok {
		p, _ = tiers.ParseCommandEntry(name, program)
	} else {
		p, _ = tiers.ParsePattern(strings.TrimPrefix(text, shellMark))
	}
	r.regular = patternLanguage(p)
	r.meanings = []tiers.Pattern{p}
	return r
}

// shellMark stands before a shell pattern there.
const shellMark = "shell "
