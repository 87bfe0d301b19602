package harness

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/ambit/tiers"
)

// PrefixRule is one prefix_rule of a Codex rules file: a command matches when its first words are the pattern's, each one
// of its alternatives.
type PrefixRule struct {
	Pattern       [][]string // one list of alternatives a word
	Decision      string     // allow, prompt or forbidden; as Codex reads it, allow when it is not said
	Justification string     // for people; "" when there is none
	Match         [][]string // commands that the rule must match
	NotMatch      [][]string // and that it must not
	Line          int        // 1-based
}

// Text gives the first alternative of every token, joined by blanks.
func (r PrefixRule) Text() string {
	var words []string
	for _, alternatives := range r.Pattern {
		words = append(words, strings.Join(alternatives, "|"))
	}
	return strings.Join(words, " ")
}

// Matches reports whether a command, as words, is one of the rule's.
func (r PrefixRule) Matches(words []string) bool {
	if len(words) < len(r.Pattern) {
		return false
	}
	for i, alternatives := range r.Pattern {
		found := false
		for _, a := range alternatives {
			found = found || a == words[i]
		}
		if !found {
			return false
		}
	}
	return true
}

const codexHeader = "# Written by ambit from the autonomy protocol; a change here is lost. Codex reads this file in trusted projects.\n"

// draftCodexRules writes the rules file (K4): tier3 as forbidden, or prompt; allow rules only when asked for, since an
// allow also leaves Codex's sandbox.
func draftCodexRules(in input) (draft, error) {
	var d draft
	var b strings.Builder
	b.WriteString(codexHeader)
	written := map[string]bool{}
	add := func(tokens []string, decision, justification string) {
		text := codexRuleText(tokens, decision, justification)
		if !written[text] {
			written[text] = true
			b.WriteString("\n" + text)
		}
	}
	for e := range denyByKind(in.sets.Deny) {
		tokens, ok := codexTokens(e.Pattern)
		if !ok {
			d.notices = append(d.notices, inexpressible(CodexRules, "deny", e.Text))
			continue
		}
		decision, why := "forbidden", "a person must run it"
		if in.options.asks(e) {
			decision, why = "prompt", "a person must agree"
		}
		add(tokens, decision, fmt.Sprintf("%s (%s): %s", e.Text, e.Source, why))
	}
	if in.options.CodexAllow {
		for e := range byKind(in.sets.Allow) {
			tokens, ok := codexTokens(e.Pattern)
			switch {
			case !ok || !prefixPattern(e.Pattern):
				d.notices = append(d.notices, inexpressible(CodexRules, "allow", e.Text))
				continue
			case e.Pattern.Misusable():
				d.notices = append(d.notices, nativeWider(CodexRules, e.Text, fmt.Sprintf("prefix_rule %q", tokens)))
				if in.options.Strict {
					continue
				}
			}
			add(tokens, "allow", fmt.Sprintf("%s (%s)", e.Text, e.Source))
			d.generated = append(d.generated, quoteTokens(singles(tokens)))
		}
	}
	d.data = []byte(b.String())
	return d, nil
}

// codexTokens gives the literal words of a pattern, without its last star; ok is false when a star stands anywhere else.
func codexTokens(p tiers.Pattern) (tokens []string, ok bool) {
	spellings := p.Spellings()
	if len(spellings) == 0 {
		return nil, false
	}
	for i, w := range spellings[0] {
		if w.Many && i == len(spellings[0])-1 {
			break
		}
		if w.Many || len(w.Parts) != 1 {
			return nil, false
		}
		tokens = append(tokens, w.Parts[0])
	}
	return tokens, len(tokens) > 0
}

// prefixPattern reports whether the pattern ends in a star that is a word: only then does a prefix rule match no more.
func prefixPattern(p tiers.Pattern) bool {
	words := p.Spellings()[0]
	return words[len(words)-1].Many
}

func singles(tokens []string) [][]string {
	out := make([][]string, len(tokens))
	for i, t := range tokens {
		out[i] = []string{t}
	}
	return out
}

func codexRuleText(tokens []string, decision, justification string) string {
	other := append([]string{}, tokens...)
	other[len(other)-1] += "-other"
	return fmt.Sprintf("prefix_rule(\n    pattern = %s,\n    decision = %s,\n    justification = %s,\n    match = [%s],\n    not_match = [%s],\n)\n",
		starlarkList(tokens), starlarkQuote(decision), starlarkQuote(justification), starlarkList(tokens), starlarkList(other))
}

func starlarkList(items []string) string {
	quoted := make([]string, len(items))
	for i, s := range items {
		quoted[i] = starlarkQuote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// starlarkQuote writes a text in double quotes with the few escapes that Starlark and this package's reader share.
func starlarkQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s) + `"`
}

// codexRulesAllows gives the allow rules of a rules file, each quoted so that it is one text.
func codexRulesAllows(name string, data []byte) ([]string, error) {
	rules, err := ReadCodexRules(name, data)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, r := range rules {
		if r.Decision == "allow" {
			out = append(out, quoteTokens(r.Pattern))
		}
	}
	return out, nil
}

// quoteTokens writes tokens with their alternatives as one text that codexRule reads back.
func quoteTokens(tokens [][]string) string {
	parts := make([]string, len(tokens))
	for i, alternatives := range tokens {
		quoted := make([]string, len(alternatives))
		for j, a := range alternatives {
			quoted[j] = strconv.Quote(a)
		}
		parts[i] = strings.Join(quoted, "|")
	}
	return strings.Join(parts, " ")
}

// codexRule prepares a rule whose tokens are written by quoteTokens.
func codexRule(text string) rule {
	var tokens [][]string
	for rest := text; rest != ""; {
		var alternatives []string
		for {
			q, err := strconv.QuotedPrefix(rest)
			if err != nil {
				break
			}
			s, _ := strconv.Unquote(q)
			alternatives = append(alternatives, s)
			rest = strings.TrimPrefix(rest[len(q):], "|")
			if !strings.HasPrefix(rest, `"`) {
				break
			}
		}
		rest = strings.TrimPrefix(rest, " ")
		if len(alternatives) == 0 {
			break
		}
		tokens = append(tokens, alternatives)
	}
	r := rule{regular: codexLanguage(tokens), within: words()}
	spellings, ok := product(tokens)
	r.tooLarge = !ok
	for _, words := range spellings {
		if p, err := tiers.ParsePattern(quoteWords(words) + " *"); err == nil {
			r.meanings = append(r.meanings, p)
		}
	}
	return r
}

// maxSpellings bounds how many spellings of a rule with alternatives are judged by meaning; more than a person writes.
const maxSpellings = 256

// product gives every choice of alternatives; ok is false when there are too many.
func product(tokens [][]string) (out [][]string, ok bool) {
	out = [][]string{nil}
	for _, alternatives := range tokens {
		var next [][]string
		for _, words := range out {
			for _, a := range alternatives {
				next = append(next, append(append([]string{}, words...), a))
			}
		}
		if out = next; len(out) > maxSpellings {
			return nil, false
		}
	}
	return out, true
}

func quoteWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = shellQuote(w)
	}
	return strings.Join(quoted, " ")
}
