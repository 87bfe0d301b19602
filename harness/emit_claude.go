package harness

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"example.com/ambit/internal/regular"
	"example.com/ambit/tiers"
)

// NoticeCode is a stable code of something that a person should know about native files.
type NoticeCode string

// The notices of this package, beside those of the protocol (tiers.NoticeCode).
const (
	NoticeInexpressible      NoticeCode = "inexpressible"       // K3: the native grammar cannot say the entry; the evaluator still enforces it
	NoticeNativeWider        NoticeCode = "native_wider"        // K3: an allowed program has options that run or write; the native rule does not see them
	NoticeTier3Overlap       NoticeCode = "tier3_overlap"       // K13: a user's allow rule can match a tier3 command; the deny wins
	NoticeTier3UserAllow     NoticeCode = "tier3_user_allow"    // K13: a user's allow rule that is tier3 was taken out
	NoticeForeignAllow       NoticeCode = "foreign_allow"       // K13: allow rules that this package did not write
	NoticeUnownedOverwritten NoticeCode = "unowned_overwritten" // K14: a whole file that this package did not write was replaced
	NoticeTier3Reopened      NoticeCode = "tier3_reopened"      // K5: a rule of the user would reopen tier3
	NoticeRuleMoved          NoticeCode = "rule_moved"          // K5: a key of ours with the user's value was moved last and replaced
	NoticeBypassMode         NoticeCode = "bypass_mode"         // H10: the settings ask for a mode without questions
	NoticeUserStricter       NoticeCode = "user_stricter"       // K5: an allow of ours was left out: the user asks about or denies some of it
	NoticeLedgerPending      NoticeCode = "ledger_pending"      // K11: all files are written, the ledger's last step is left to the next run
	NoticeUndeclared         NoticeCode = "undeclared"          // K14: the protocol no longer declares a tool whose file was written: what it allowed goes
	NoticeNotRead            NoticeCode = "not_read"            // the contract's own file, which the agent itself does not read
)

// Notice is something that a person should know about a file that was or would be written.
type Notice struct {
	Code    NoticeCode // one of the NoticeCode constants
	Target  string     // the target's name, as claude or codex-rules
	Entry   string     // the rule or entry that it is about
	Other   string     // the tier3 entry on the other side, if any
	Rules   []string   // foreign_allow: the rules
	Message string     // one sentence, lower case
}

// ruled is one protocol entry, from an allow or a deny set, about to become native rules.
type ruled struct {
	text    string
	kind    tiers.Kind
	pattern tiers.Pattern
}

// quoting are the characters by which an entry's text is not its words with blanks between them.
const quoting = `'"\\`

// plain gives an entry with quotes as a person would type its words: agents compare texts, and a deny must hold for the
// plain one too. ok is false where there are no quotes, or a word cannot be typed without.
func (e ruled) plain() (plain ruled, ok bool) {
	if e.kind != tiers.KindShell || e.pattern.DenyOnly() || !strings.ContainsAny(e.text, quoting) {
		return e, false
	}
	var words []string
	for _, w := range e.pattern.Spellings()[0] {
		text := strings.Join(w.Parts, "")
		switch {
		case w.Many:
			words = append(words, "*")
			continue
		case text == "" || strings.ContainsAny(text, quoting+" \t\n$`&|;<>()#*"):
			return e, false
		}
		words = append(words, strings.Join(w.Parts, "*"))
	}
	e.text = strings.Join(words, " ")
	return e, true
}

// claudeAllow gives Claude's rule of an allow entry; ok is false when no rule matches the entry's commands and nothing
// else (K3).
func claudeAllow(e ruled, program string) (rule string, ok bool) {
	content, ok := claudeContent(e, program)
	if !ok {
		return "", false
	}
	// Of an entry that ends in a star of its own the rule is a prefix by construction; any other star is looked at.
	checked := content
	if e.kind == tiers.KindCommand || strings.HasSuffix(e.text, " *") {
		checked = strings.TrimSuffix(content, ":*")
	}
	if strings.ContainsRune(checked, '*') {
		inside, _, err := regular.Inside(parseClaudeRule("Bash("+content+")").language(), rawLanguage(e, program), words())
		if err != nil || !inside {
			return "", false
		}
	}
	return "Bash(" + content + ")", true
}

// claudeDeny gives Claude's rules of a deny entry, which together match all the entry's commands; none when the grammar
// cannot say it.
func claudeDeny(e ruled, program string) []string {
	if prefix, ok := strings.CutSuffix(e.text, "*"); e.kind == tiers.KindCommand && ok {
		return []string{"Bash(" + program + " " + strings.TrimRight(prefix, ": ") + "*)"}
	}
	content, ok := claudeContent(e, program)
	if !ok {
		return nil
	}
	if prefix, ok := strings.CutSuffix(e.text, ":*"); ok { // a word's own colon, which Claude would read as the end of a prefix
		content = prefix + "*"
	}
	var rules []string
	for _, c := range withoutMiddleStars(content) {
		rules = append(rules, "Bash("+c+")")
	}
	return rules
}

// withoutMiddleStars gives a text and, for every star of it that is a middle word, the text without it: in the protocol
// such a star may stand for no word at all, in the agents' grammars both blanks around it must be there.
func withoutMiddleStars(text string) []string {
	out := []string{text}
	for i := 0; i < len(out) && len(out) <= 1<<tiers.MaxPatternStars; i++ {
		fields := strings.Fields(out[i])
		for j, f := range fields[:max(0, len(fields)-1)] {
			if strings.Trim(f, "*") == "" {
				out = appendNew(out, strings.Join(slices.Concat(fields[:j:j], fields[j+1:]), " "))
			}
		}
	}
	return out
}

// claudeContent writes an entry between a rule's parentheses: a trailing " *" as ":*". What the grammar has no way to
// say is refused: a parenthesis, a literal star, a pipeline or a redirect.
func claudeContent(e ruled, program string) (content string, ok bool) {
	if e.pattern.DenyOnly() || strings.ContainsAny(e.text, "()") || e.text == "" {
		return "", false
	}
	if e.kind == tiers.KindCommand {
		if strings.ContainsRune(e.text, '*') {
			return "", false
		}
		return program + " " + e.text + ":*", true
	}
	if literalStar(e) {
		return "", false
	}
	prefix, ok := strings.CutSuffix(e.text, " *")
	switch prefix = strings.TrimRight(prefix, " "); {
	case ok && strings.ContainsRune(prefix, '*'):
		return prefix + " *", true // means the same, and ":*" behind another star matches nothing in some versions
	case ok:
		return prefix + ":*", true
	}
	return e.text, true
}

// literalStar reports whether a star of the text is quoted: Claude has no escape, so its rule would be a wildcard.
func literalStar(e ruled) bool {
	for _, spelling := range e.pattern.Spellings() {
		for _, w := range spelling {
			if slices.ContainsFunc(w.Parts, func(p string) bool { return strings.ContainsRune(p, '*') }) {
				return true
			}
		}
	}
	return false
}

// rawLanguage is patternLanguage with the entry's words as they are written, quotes and all: that is the text which
// Claude compares.
func rawLanguage(e ruled, program string) *regular.Pattern {
	text := e.text
	if e.kind == tiers.KindCommand {
		text = program + " " + text + " *"
	}
	var q regular.Pattern
	for w := range strings.FieldsSeq(text) {
		if strings.Trim(w, "*") == "" {
			q.Repeat(blanksAndWord)
			continue
		}
		blanks(&q)
		for i, part := range strings.Split(w, "*") {
			if i > 0 {
				q.Many(regular.NonBlank())
			}
			q.Text(part)
		}
	}
	q.Many(regular.Literal(' '))
	return &q
}

// nativeRules is what one tool's sets become in an agent's own grammar: each rule once, in protocol order, with what
// could not be said.
type nativeRules struct {
	allow, ask, deny []string
	notices          []Notice
}

// of gives one list by its name.
func (r nativeRules) of(list string) []string {
	return map[string][]string{"allow": r.allow, "ask": r.ask, "deny": r.deny}[list]
}

// claudeRules gives Claude's rules of one tool. Strict leaves out an allow whose program has dangerous options (K3).
func claudeRules(s setsOf, o Options) nativeRules {
	return emitRules(ClaudeSettings, s, o, claudeAllow, claudeDeny)
}

func emitRules(t Target, s setsOf, o Options, allowRule func(ruled, string) (string, bool), denyRules func(ruled, string) []string) nativeRules {
	var out nativeRules
	for e := range byKind(s.Allow) {
		rule, ok := allowRule(ruled{e.Text, e.Kind, e.Pattern}, s.Program)
		switch {
		case !ok:
			out.notices = append(out.notices, inexpressible(t, "allow", e.Text))
			continue
		case e.Pattern.Misusable():
			out.notices = append(out.notices, nativeWider(t, e.Text, rule))
			if o.Strict {
				continue
			}
		}
		out.allow = appendNew(out.allow, rule)
	}
	for e := range denyByKind(s.Deny) {
		entry := ruled{e.Text, e.Kind, e.Pattern}
		rules := denyRules(entry, s.Program)
		if plain, ok := entry.plain(); ok {
			for _, r := range denyRules(plain, s.Program) {
				rules = appendNew(rules, r)
			}
		}
		if len(rules) == 0 {
			out.notices = append(out.notices, inexpressible(t, "deny", e.Text))
		}
		for _, r := range rules {
			if o.asks(e) {
				out.ask = appendNew(out.ask, r)
			} else {
				out.deny = appendNew(out.deny, r)
			}
		}
	}
	return out
}

func nativeWider(t Target, entry, rule string) Notice {
	return Notice{Code: NoticeNativeWider, Target: t.String(), Entry: entry,
		Message: fmt.Sprintf("%s lets options of that program through that run or write something; the agent compares texts only, the hook looks at them", rule)}
}

// byKind walks an allow list in the order in which native files have it: shell patterns, then commands.
func byKind(l tiers.AllowList) iter.Seq[tiers.AllowEntry] {
	return func(yield func(tiers.AllowEntry) bool) {
		for _, kind := range [...]tiers.Kind{tiers.KindShell, tiers.KindCommand} {
			for e := range l.All() {
				if e.Kind == kind && !yield(e) {
					return
				}
			}
		}
	}
}

func denyByKind(deny []tiers.DenyEntry) iter.Seq[tiers.DenyEntry] {
	return func(yield func(tiers.DenyEntry) bool) {
		for _, kind := range [...]tiers.Kind{tiers.KindShell, tiers.KindCommand} {
			for _, e := range deny {
				if e.Kind == kind && !yield(e) {
					return
				}
			}
		}
	}
}

func inexpressible(t Target, list, entry string) Notice {
	return Notice{Code: NoticeInexpressible, Target: t.String(), Entry: entry,
		Message: fmt.Sprintf("%s cannot say the %s %q; the evaluator behind the hook still keeps it", t, list, entry)}
}

func appendNew(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}
