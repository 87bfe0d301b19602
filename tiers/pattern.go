package tiers

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of one pattern (T1): matching tries every way to share words among stars.
const (
	MaxPatternWords = 32       // words of a pattern
	MaxPatternStars = 4        // stars of a pattern
	MaxPatternBytes = 32 << 10 // as long as a command may be
)

// ErrPattern is behind every error of [ParsePattern] and [ParseCommandEntry].
var ErrPattern = errors.New("not a pattern")

// errUnclosed tells a text that cannot be read as words from one that holds other shell syntax.
var errUnclosed = errors.New("a quote is not closed")

// Pattern is one entry of an allow or deny set: a simple command, a pipeline of them, or a redirect (T20). The zero
// Pattern matches nothing.
type Pattern struct {
	text   string
	kind   patternKind
	stages [][]word // simple: one word list; pipeline: its stages
	also   [][]word // other spellings of a command entry (T22): through npx and its like
	target word     // redirect: where it writes
}

type patternKind uint8

const (
	patternNone patternKind = iota
	patternSimple
	patternPipeline
	patternRedirect
)

// String gives the text that the pattern was read from, trimmed.
func (p Pattern) String() string { return p.text }

// DenyOnly reports whether the pattern is a pipeline or a redirect, which mean something only in a deny set (T21).
func (p Pattern) DenyOnly() bool { return p.kind == patternPipeline || p.kind == patternRedirect }

// ParsePattern reads a shell pattern (T20): words as the shell reads them, where quotes group and are removed and a
// quoted star is a literal one. A star that is a whole word stands for any number of words, none included; inside a
// word it stands for any characters of that word. `a | b` is a pipeline; `*>*` is a redirect. Any other shell syntax is
// an error, and so are control characters and patterns beyond the limits. Errors wrap [ErrPattern].
func ParsePattern(text string) (Pattern, error) {
	text = strings.TrimSpace(text)
	tokens, err := scanPattern(text)
	if err != nil {
		return Pattern{}, fmt.Errorf("%w: %w", ErrPattern, err)
	}
	p := Pattern{text: text, kind: patternSimple}
	var stage []word
	wantTarget := false
	for _, t := range tokens {
		switch {
		case t.op == 0 && wantTarget:
			if p.target.text != "" {
				return Pattern{}, fmt.Errorf("%w: a redirect has one target", ErrPattern)
			}
			p.target = word{text: t.text}
		case t.op == 0:
			stage = append(stage, word{text: t.text, many: t.text == anyRun})
		case wantTarget || len(stage) == 0:
			return Pattern{}, fmt.Errorf("%w: nothing stands before %q", ErrPattern, t.op)
		case t.op == '|':
			p.kind = patternPipeline
			p.stages = append(p.stages, stage)
			stage = nil
		default:
			if p.kind == patternPipeline {
				return Pattern{}, fmt.Errorf("%w: a pipeline and a redirect in one pattern", ErrPattern)
			}
			p.kind, wantTarget = patternRedirect, true
		}
	}
	if len(stage) == 0 || wantTarget && p.target.text == "" {
		return Pattern{}, fmt.Errorf("%w: a command is missing", ErrPattern)
	}
	p.stages = append(p.stages, stage)
	return p, nil
}

// fetchers are the runners that fetch the program of a command entry and start it (T22).
var fetchers = [][]string{{"npx"}, {"npx", "-y"}, {"pnpm", "dlx"}, {"yarn", "dlx"}, {"bunx"}}

// ParseCommandEntry reads a command entry (T22), such as `memory:reflect-prepare` or `cloud:publish:*`: it matches
// `program name ...`, also through npx, npx -y, pnpm dlx, yarn dlx and bunx; a trailing star is a prefix. A name of
// several words is taken word by word. Errors wrap [ErrPattern].
func ParseCommandEntry(text, program string) (Pattern, error) {
	text = strings.TrimSpace(text)
	p, err := ParsePattern(text)
	if err != nil {
		return Pattern{}, err
	}
	prog, err := ParsePattern(program)
	if err != nil || prog.kind != patternSimple || len(prog.stages[0]) != 1 || !prog.stages[0][0].known() {
		return Pattern{}, fmt.Errorf("%w: %q is not the name of a program", ErrPattern, program)
	}
	if p.kind != patternSimple || p.stages[0][0].many {
		return Pattern{}, fmt.Errorf("%w: %q is not the name of a command", ErrPattern, text)
	}
	words := append([]word{prog.stages[0][0]}, p.stages[0]...)
	if last := words[len(words)-1]; !last.many {
		words = append(words, word{text: anyRun, many: true})
	}
	out := Pattern{text: text, kind: patternSimple, stages: [][]word{words}}
	for _, f := range fetchers {
		out.also = append(out.also, append(knownWords(f...), words...))
	}
	return out, nil
}

// spellings gives the word lists of a simple pattern.
func (p Pattern) spellings() [][]word {
	if p.kind != patternSimple {
		return nil
	}
	return append(p.stages[:1:1], p.also...)
}

type patternToken struct {
	text string
	op   rune // '|' or '>'; 0 for a word
}

// scanPattern splits a pattern into words and operators. It is not a shell parser: what it does not know is an error.
func scanPattern(text string) ([]patternToken, error) {
	if text == "" {
		return nil, errors.New("it is empty")
	}
	if len(text) > MaxPatternBytes {
		return nil, fmt.Errorf("it is longer than %d bytes", MaxPatternBytes)
	}
	if !utf8.ValidString(text) {
		return nil, errors.New("it is not UTF-8")
	}
	var (
		out          []patternToken
		cur          strings.Builder
		in           bool
		quote        rune
		escaped      bool
		words, stars int
	)
	flush := func() {
		if in {
			out = append(out, patternToken{text: cur.String()})
			words++
			cur.Reset()
			in = false
		}
	}
	for i, r := range text {
		switch {
		case unicode.IsControl(r) && r != '\t':
			return nil, fmt.Errorf("control character %U at byte %d", r, i+1)
		case escaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`", r) {
				cur.WriteByte('\\')
			}
			cur.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			in, escaped = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == '"' && (r == '$' || r == '`'):
			return nil, fmt.Errorf("%q at byte %d is shell syntax; a pattern is words and stars", r, i+1)
		case quote != 0:
			cur.WriteRune(r)
		case r == '\'' || r == '"':
			in, quote = true, r
		case r == ' ' || r == '\t':
			flush()
		case r == '*':
			in = true
			stars++
			if !strings.HasSuffix(cur.String(), anyRun) {
				cur.WriteString(anyRun)
			}
		case r == '|' || r == '>':
			flush()
			out = append(out, patternToken{op: r})
		case strings.ContainsRune("$`;&()<", r), r == '#' && !in:
			return nil, fmt.Errorf("%q at byte %d is shell syntax; a pattern is words and stars", r, i+1)
		default:
			in = true
			cur.WriteRune(r)
		}
	}
	if quote != 0 || escaped {
		return nil, errUnclosed
	}
	flush()
	if words > MaxPatternWords || stars > MaxPatternStars {
		return nil, fmt.Errorf("%d words and %d stars; at most %d and %d", words, stars, MaxPatternWords, MaxPatternStars)
	}
	return out, nil
}
