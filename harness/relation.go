package harness

import (
	"strings"

	"example.com/ambit/internal/regular"
	"example.com/ambit/tiers"
)

// Relation is how the commands that a native allow rule matches stand to those of a tier3 pattern (K20). It is decided
// exactly, since both are regular languages; every answer that opens something has a witness. The zero value is a rule
// that has nothing to do with the pattern.
type Relation struct {
	Inside  bool // every command of the rule is tier3
	Covers  bool // every command of the pattern is allowed
	Touches bool // some command is both

	Touch      string // Touches: a command that both match
	Outside    string // not Inside: a command that only the rule matches
	NotCovered string // not Covers: a command that only the pattern matches
}

// Relate compares an allow rule in an agent's own grammar with a tier3 pattern, as texts: quoting, global options and
// runners are not looked through here, [Opens] does. For Claude the rule is as in permissions.allow, for OpenCode a key
// of permission.bash, for Codex the tokens of a prefix_rule joined by blanks. A rule that is not about shell commands,
// and a pattern that is a pipeline or a redirect, match nothing here. Patterns too large to compare count as inside,
// covering and touching.
func Relate(n Name, rule string, tier3 tiers.Pattern) Relation {
	p, within := nativeLanguage(n, rule)
	if p == nil {
		return Relation{}
	}
	return relate(p, patternLanguage(tier3), within)
}

// nativeLanguage gives the commands that a rule matches, and the universe in which its grammar sees them; nil for a rule
// that is not about shell commands.
func nativeLanguage(n Name, rule string) (p, within *regular.Pattern) {
	switch n {
	case OpenCode:
		return openCodeLanguage(rule), notBlank()
	case Codex:
		var tokens [][]string
		for w := range strings.FieldsSeq(rule) {
			tokens = append(tokens, []string{w})
		}
		return codexLanguage(tokens), words()
	case Claude:
		r := parseClaudeRule(rule)
		if r.tool == "Bash" || r.tool == "*" {
			return r.language(), words()
		}
	}
	return nil, nil
}

func relate(p, q, within *regular.Pattern) Relation {
	if q == nil {
		return Relation{}
	}
	var r Relation
	var errs [3]error
	r.Touches, r.Touch, errs[0] = regular.Meet(p, q, within)
	if errs[0] == nil && !r.Touches {
		_, r.Outside, errs[1] = regular.Inside(p, q, within)
		_, r.NotCovered, errs[2] = regular.Inside(q, p, within)
	} else {
		r.Inside, r.Outside, errs[1] = regular.Inside(p, q, within)
		r.Covers, r.NotCovered, errs[2] = regular.Inside(q, p, within)
	}
	for _, err := range errs {
		if err != nil {
			return Relation{Inside: true, Covers: true, Touches: true}
		}
	}
	r.Touch, r.Outside, r.NotCovered = command(r.Touch), command(r.Outside), command(r.NotCovered)
	return r
}

// command takes the virtual blank off a witness.
func command(witness string) string { return strings.TrimPrefix(witness, " ") }

// patternLanguage gives the commands that a pattern matches as words, with any number of blanks between them; nil for a
// pipeline or a redirect. Of a command entry only its own spelling counts: the fetchers of T22 are runners.
func patternLanguage(p tiers.Pattern) *regular.Pattern {
	spellings := p.Spellings()
	if len(spellings) == 0 {
		return nil
	}
	var q regular.Pattern
	for _, w := range spellings[0] {
		if w.Many {
			q.Repeat(blanksAndWord)
			continue
		}
		blanks(&q)
		for i, part := range w.Parts {
			if i > 0 {
				q.Many(regular.NonBlank())
			}
			q.Text(part)
		}
	}
	q.Many(regular.Literal(' '))
	return &q
}

func blanks(p *regular.Pattern) {
	p.One(regular.Literal(' '))
	p.Many(regular.Literal(' '))
}

func blanksAndWord(p *regular.Pattern) {
	blanks(p)
	p.One(regular.NonBlank())
	p.Many(regular.NonBlank())
}

// Opens judges a rule against a tier3 pattern in both ways of K20: as a text, and by what its words mean, since
// `git -C . push` shares no text with `git push *` and pushes all the same. A hit by either counts.
func Opens(n Name, rule string, tier3 tiers.Pattern) Relation {
	r := Relate(n, rule, tier3)
	meaning, ok := rulePattern(n, rule)
	if !ok {
		return r
	}
	if meaning.Inside(tier3) {
		r.Inside, r.Outside = true, ""
	}
	r.Touches = r.Touches || meaning.Overlaps(tier3)
	return r
}

// rulePattern reads a native rule as a pattern of the protocol's grammar; ok is false when it cannot be said there.
func rulePattern(n Name, rule string) (tiers.Pattern, bool) {
	text := rule
	switch n {
	case Claude:
		r := parseClaudeRule(rule)
		if r.tool != "Bash" {
			return tiers.Pattern{}, false
		}
		text = r.content
		if r.bare {
			text = "*"
		} else if prefix, ok := strings.CutSuffix(text, ":*"); ok {
			text = prefix + " *"
		}
	case Codex:
		text += " *"
	}
	p, err := tiers.ParsePattern(text)
	return p, err == nil && !p.DenyOnly()
}
