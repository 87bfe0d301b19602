package harness

import (
	"errors"
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
	touches, touch, errT := regular.Meet(p, q, within)
	inside, outside, errI := regular.Inside(p, q, within)
	covers, notCovered, errC := regular.Inside(q, p, within)
	if errors.Join(errT, errI, errC) != nil {
		return Relation{Inside: true, Covers: true, Touches: true}
	}
	return Relation{
		Inside: touches && inside, Covers: touches && covers, Touches: touches,
		Touch: command(touch), Outside: command(outside), NotCovered: command(notCovered),
	}
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
	meaning := rulePattern(n, rule)
	if meaning.Inside(tier3) {
		r.Inside, r.Outside = true, ""
	}
	r.Touches = r.Touches || meaning.Overlaps(tier3)
	return r
}

// rulePattern reads a native rule as a pattern of the protocol's grammar. The zero pattern, which matches nothing, stands
// for a rule that cannot be said there.
func rulePattern(n Name, rule string) tiers.Pattern {
	text := rule
	switch n {
	case Claude:
		r := parseClaudeRule(rule)
		if r.tool != "Bash" {
			return tiers.Pattern{}
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
	p, _ := tiers.ParsePattern(text)
	return p
}
