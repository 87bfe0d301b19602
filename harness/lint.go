package harness

import (
	"fmt"
	"slices"
	"strings"
)

// FindingCode is a stable code of [Lint].
type FindingCode string

// What Lint finds (K21).
const (
	DeadRule         FindingCode = "dead_rule"         // can never match in that grammar, or is not a rule of it
	ShadowedRule     FindingCode = "shadowed_rule"     // another rule decides everything that it matches
	DuplicateRule    FindingCode = "duplicate_rule"    // stands twice in its list
	BroadAllow       FindingCode = "broad_allow"       // allows every command, or every command of a program that can do anything
	OrderDependent   FindingCode = "order_dependent"   // OpenCode: two rules disagree about a command, and only their order decides
	InterpreterAllow FindingCode = "interpreter_allow" // allows a program that runs whatever code it is given
)

// RuleSet is the permission rules of one file of one agent, as texts in the agent's own grammar.
type RuleSet struct {
	Harness          Name        // whose grammar the rules are in
	Allow, Ask, Deny []string    // Claude; for Codex the tokens of each rule joined by blanks
	Ordered          []OrderRule // OpenCode: the last that matches decides
}

// OrderRule is one entry of OpenCode's permission.bash.
type OrderRule struct {
	Key    string // the permission's name, as bash or edit
	Effect string // allow, ask or deny
}

// Finding is one thing that Lint has to say about one rule.
type Finding struct {
	Code    FindingCode // one of the FindingCode constants
	List    string      // allow, ask, deny, or for OpenCode the effect
	Rule    string      // the rule, as it stands in the file
	Other   string      // the rule on the other side, if any
	Message string      // one sentence, lower case
}

// Lint says which rules do not do what they seem to: in the order of the lists and rules, each with all its findings
// (K21). It judges rule texts, not what a program does.
func Lint(s RuleSet) []Finding {
	var out []Finding
	lists := [...]struct {
		name  string
		rules []string
	}{{"allow", s.Allow}, {"ask", s.Ask}, {"deny", s.Deny}}
	ready := newShadows(s)
	for _, l := range lists {
		for i, rule := range l.rules {
			add := func(code FindingCode, other, format string, args ...any) {
				out = append(out, Finding{code, l.name, rule, other, fmt.Sprintf(format, args...)})
			}
			if why := deadRule(s.Harness, l.name, rule); why != "" {
				add(DeadRule, "", "%s", why)
			}
			if slices.Contains(l.rules[:i], rule) {
				add(DuplicateRule, rule, "it stands twice in %s", l.name)
				continue
			}
			if l.name == "allow" {
				if code, why := dangerousAllow(s.Harness, rule); why != "" {
					add(code, "", "%s", why)
				}
			}
			if other, list := ready.shadow(l.name, i); other != "" {
				add(ShadowedRule, other, "%s in %s decides everything that it matches", other, list)
			}
		}
	}
	return append(out, lintOrdered(s.Ordered)...)
}

// separators split a command line before Claude's rules see its parts.
var separators = []string{"|", "&&", ";", "\n", "&"}

// pathTools are tools whose rules with a path Claude accepts and never consults.
var pathTools = []string{"Write", "NotebookEdit", "Glob"}

func deadRule(n Name, list, rule string) string {
	switch n {
	case Codex:
		for w := range strings.FieldsSeq(rule) {
			if strings.ContainsRune(w, '*') {
				return fmt.Sprintf("token %q is literal here: a prefix rule needs no star, and has no other use for one", w)
			}
		}
		return ""
	case Claude:
		return deadClaudeRule(list, rule)
	}
	return ""
}

func deadClaudeRule(list, rule string) string {
	r := parseClaudeRule(rule)
	if tool, _, ok := strings.Cut(rule, ":"); ok && !strings.Contains(rule, "(") && !strings.HasPrefix(rule, "mcp__") {
		return fmt.Sprintf("a colon outside parentheses is no rule; write %s, or %s(...)", tool, tool)
	}
	if slices.Contains(pathTools, r.tool) && !r.bare {
		return fmt.Sprintf("%s takes no path: such a rule is never consulted; Edit(...) governs every writing tool", r.tool)
	}
	if r.tool != "Bash" || r.bare {
		return ""
	}
	for _, sep := range separators {
		if strings.Contains(r.content, sep) {
			return fmt.Sprintf("the command line is split at %q before rules are looked at, so no part can hold it", strings.TrimSpace(sep))
		}
	}
	prefix, suffixed := strings.CutSuffix(r.content, ":*")
	switch {
	case suffixed && strings.Contains(prefix, ":*"):
		return `":*" is special only once, at the end`
	case suffixed && strings.ContainsRune(prefix, '*'):
		return fmt.Sprintf("a star in the middle together with \":*\" does not match; write Bash(%s *)", prefix)
	case strings.Contains(prefix, ":*"):
		return `":*" is special only at the end; in the middle it is two characters of the command`
	case strings.Contains(prefix, ":-"):
		return `a colon before an option is a character of the command; write a blank`
	case list != "allow" && !strings.ContainsAny(r.content, " *"):
		return fmt.Sprintf("it matches the bare word alone; write Bash(%s:*) to cover its arguments", r.content)
	}
	return ""
}

// interpreters run whatever they are given: allowing one allows everything.
var interpreters = []string{
	"node", "python", "python2", "python3", "npx", "sh", "bash", "zsh", "dash", "ksh", "fish", "env", "sudo", "doas", "su",
	"perl", "ruby", "php", "deno", "bun", "bunx", "uvx", "pipx", "eval", "exec", "xargs", "ssh", "awk", "osascript", "pwsh",
	"powershell", "lua", "tclsh", "make", "docker", "nohup", "timeout", "watch", "parallel", "script", "find",
}

// anything are programs of which a whole-program allow lets everything about a repository or account happen.
var anything = []string{"git", "npm", "pnpm", "yarn", "gh", "kubectl", "aws", "gcloud", "az", "terraform", "cargo", "rm", "curl", "wget", "chmod", "chown", "dd"}

func dangerousAllow(n Name, rule string) (FindingCode, string) {
	text := rule
	if n == Claude {
		r := parseClaudeRule(rule)
		switch {
		case r.tool != "Bash":
			return "", ""
		case r.bare || strings.Trim(r.content, "*: ") == "":
			return BroadAllow, "it allows every command"
		}
		text = r.content
	}
	if n != Codex && strings.HasPrefix(text, "*") {
		return BroadAllow, "it allows every command with that ending, also one that runs another program first"
	}
	prefix, open := openEnded(n, text)
	if !open {
		return "", ""
	}
	program := prefix[strings.LastIndexByte(prefix, '/')+1:]
	switch {
	case slices.Contains(interpreters, program):
		return InterpreterAllow, fmt.Sprintf("%s runs whatever it is given, so this allows everything", program)
	case slices.Contains(anything, program):
		return BroadAllow, fmt.Sprintf("it allows all that %s can do; list the subcommands that are meant", program)
	}
	return "", ""
}

// openEnded reports whether a rule is one program with any arguments, and which.
func openEnded(n Name, text string) (program string, ok bool) {
	if n == Codex {
		return text, !strings.Contains(text, " ")
	}
	for _, suffix := range []string{":*", " *", "*"} {
		if prefix, cut := strings.CutSuffix(text, suffix); cut {
			return prefix, !strings.ContainsAny(prefix, " *") || prefix == ""
		}
	}
	return "", false
}

// shadows are the rules of Claude's lists about Bash, made ready to be held against each other.
type shadows map[string][]shadowRule

type shadowRule struct {
	text string
	rule
}

func newShadows(s RuleSet) shadows {
	if s.Harness != Claude {
		return nil
	}
	out := shadows{}
	for name, texts := range map[string][]string{"allow": s.Allow, "ask": s.Ask, "deny": s.Deny} {
		for _, text := range texts {
			out[name] = append(out[name], shadowRule{text, newRule(Claude, text)})
		}
	}
	return out
}

// strongerLists are those that win over a list, the strongest first.
var strongerLists = map[string][]string{"allow": {"deny", "ask"}, "ask": {"deny"}}

// shadow finds a rule that decides all that one of a list matches: one of a stronger list, or a wider one of its own.
func (s shadows) shadow(list string, at int) (other, otherList string) {
	if s == nil || parseClaudeRule(s[list][at].text).tool != "Bash" {
		return "", ""
	}
	rule := s[list][at]
	for _, name := range strongerLists[list] {
		for _, o := range s[name] {
			if rule.isInside(o.rule) {
				return o.text, name
			}
		}
	}
	for i, o := range s[list] {
		if i != at && o.text != rule.text && rule.isInside(o.rule) && (i < at || !o.isInside(rule.rule)) {
			return o.text, list
		}
	}
	return "", ""
}

// isInside reports whether every command of the rule is one of another, by their texts.
func (r rule) isInside(o rule) bool {
	return r.regular != nil && o.regular != nil && !r.apart(o.prefix) && relate(r.regular, o.regular, r.within).Inside
}

// lintOrdered looks at OpenCode's map, where the last rule that matches decides.
func lintOrdered(rules []OrderRule) []Finding {
	var out []Finding
	ready := make([]rule, len(rules))
	for i, r := range rules {
		ready[i] = newRule(OpenCode, r.Key)
	}
	for i, r := range rules {
		for j, later := range rules[i+1:] {
			p, q := ready[i], ready[i+1+j]
			if p.apart(q.prefix) {
				continue
			}
			rel := relate(p.regular, q.regular, p.within)
			switch {
			case rel.Inside:
				out = append(out, Finding{ShadowedRule, r.Effect, r.Key, later.Key, fmt.Sprintf("%q stands later and decides everything that it matches", later.Key)})
			case rel.Touches && !rel.Covers && later.Effect != r.Effect:
				out = append(out, Finding{OrderDependent, r.Effect, r.Key, later.Key,
					fmt.Sprintf("%q says %s about %q too; only the order decides", later.Key, later.Effect, rel.Touch)})
			}
		}
		if r.Effect == "allow" {
			if strings.Trim(r.Key, "* ") == "" {
				out = append(out, Finding{BroadAllow, r.Effect, r.Key, "", "it allows every command that no later rule matches"})
			} else if code, why := dangerousAllow(OpenCode, r.Key); why != "" {
				out = append(out, Finding{code, r.Effect, r.Key, "", why})
			}
		}
	}
	return out
}
