package harness

import (
	"strings"

	"example.com/ambit/internal/regular"
)

// A rule of each native grammar as the set of commands that it matches. The commands are taken with a virtual blank in
// front, so that "a word follows" is the same everywhere: a blank, then the word.

// words is the universe of grammars that see a command as words, at least one, with one blank between them.
func words() *regular.Pattern {
	var p regular.Pattern
	oneWord(&p)
	p.Repeat(oneWord)
	return &p
}

// notBlank is the universe of grammars that see a command as it is written: anything that holds a word.
func notBlank() *regular.Pattern {
	var p regular.Pattern
	p.Many(regular.AnyChar())
	p.One(regular.NonBlank())
	p.Many(regular.AnyChar())
	return &p
}

func oneWord(p *regular.Pattern) {
	p.One(regular.Literal(' '))
	p.One(regular.NonBlank())
	p.Many(regular.NonBlank())
}

// claudeRule is one rule of Claude's permission lists taken apart: Tool(content), or a bare tool.
type claudeRule struct {
	tool    string
	content string
	bare    bool // no parentheses, or (*): every use of the tool
}

func parseClaudeRule(rule string) claudeRule {
	tool, rest, ok := strings.Cut(strings.TrimSpace(rule), "(")
	content, closed := strings.CutSuffix(rest, ")")
	if !ok || !closed {
		return claudeRule{tool: strings.TrimSpace(rule), bare: true}
	}
	return claudeRule{tool: strings.TrimSpace(tool), content: strings.Join(strings.Fields(content), " "), bare: content == "*" || content == ""}
}

// language gives the commands that a Bash rule matches: ":*" at the end is a prefix with a word boundary; a star is any
// run of characters, blanks too; a trailing " *" matches the bare command as well; anything else is the exact text.
func (r claudeRule) language() *regular.Pattern {
	var p regular.Pattern
	p.Text(" ")
	if r.bare {
		p.Many(regular.AnyChar())
		return &p
	}
	if prefix, ok := strings.CutSuffix(r.content, ":*"); ok {
		globText(&p, prefix)
		boundary(&p)
		return &p
	}
	if prefix, ok := strings.CutSuffix(r.content, " *"); ok {
		globText(&p, prefix)
		boundary(&p)
		return &p
	}
	globText(&p, r.content)
	return &p
}

// boundary appends: the end, or a blank and anything.
func boundary(p *regular.Pattern) {
	p.Choice(func(*regular.Pattern) {}, func(p *regular.Pattern) {
		p.Text(" ")
		p.Many(regular.AnyChar())
	})
}

func globText(p *regular.Pattern, s string) {
	for _, r := range s {
		if r == '*' {
			p.Many(regular.AnyChar())
		} else {
			p.One(regular.Literal(r))
		}
	}
}

// codexLanguage gives the commands that a prefix_rule matches: its tokens, literal, each one of its alternatives, then
// anything.
func codexLanguage(tokens [][]string) *regular.Pattern {
	var p regular.Pattern
	for _, alternatives := range tokens {
		p.Text(" ")
		branches := make([]func(*regular.Pattern), len(alternatives))
		for i, a := range alternatives {
			branches[i] = func(p *regular.Pattern) { p.Text(a) }
		}
		p.Choice(branches...)
	}
	p.Repeat(oneWord)
	return &p
}

// openCodeLanguage gives the commands that a key of OpenCode's permission.bash matches: "*" any run of characters, "?"
// one, blanks as they stand; a trailing " *" matches the bare command as well.
func openCodeLanguage(key string) *regular.Pattern {
	var p regular.Pattern
	p.Text(" ")
	prefix, trailing := strings.CutSuffix(key, " *")
	for _, r := range prefix {
		switch r {
		case '*':
			p.Many(regular.AnyChar())
		case '?':
			p.One(regular.AnyChar())
		default:
			p.One(regular.Literal(r))
		}
	}
	if trailing {
		boundary(&p)
	}
	return &p
}
