package main

import (
	"fmt"
	"strings"

	"example.com/ambit/harness"
	"example.com/ambit/internal/canonjson"
	"example.com/ambit/tiers"
)

// guards gives the patterns that no allow rule of a tool may open: of the protocol here, or of the built-in one.
func (d *doctor) guards(tool string) (out []tiers.DenyEntry) {
	if d.protocolHere == nil {
		return tiers.Default().Resolve(tool).Deny
	}
	return d.protocolHere.Resolve(tool).Deny
}

// rule is one rule of a file, at its place.
type rule struct {
	text, list string
	line       int
}

// maxOrdered bounds how many rules are held against each other where their order decides, each against each.
const maxOrdered = 150

// maxLinted bounds how many rules of one file are held against each other: what a person keeps is a tenth of it. Twice as
// many are still looked at for tier3.
const maxLinted = 500

// maxRuled bounds how many rules of all files together are looked at, each way that Codex can read one counted: each takes
// about a millisecond.
const maxRuled = 2000

// maxRule bounds one rule in bytes.
const maxRule = 1000

// ruling reports whether n more rules may be looked at one by one, and says once where that ends.
func (d *doctor) ruling(file string, line, n int) bool {
	if d.ruled > maxRuled {
		return false
	}
	if d.ruled += n; d.ruled <= maxRuled {
		return true
	}
	d.crowded = true
	d.add(severityWarning, "too_many_rules", file, line, fmt.Sprintf("with it the files have more than %d rules, which nobody can oversee; from here on they were not looked at one by one", maxRuled), "write fewer, wider or narrower as they are meant")
	return false
}

// lint reports rules that do not do what they seem to, and allow rules that are tier3.
func (d *doctor) lint(file string, name harness.Name, set harness.RuleSet, rules []rule) {
	for _, r := range rules {
		if len(r.text) > maxRule {
			d.crowded = true
			d.add(severityWarning, "too_long_rule", file, r.line, fmt.Sprintf("a rule of %d bytes is no command that a person means; the rules of this file were not looked at one by one", len(r.text)), "take it out")
			return
		}
	}
	if len(rules) == 0 || !d.ruling(file, rules[0].line, min(len(rules), 2*maxLinted)) {
		return
	}
	if len(rules) > maxLinted || len(set.Ordered) > maxOrdered {
		d.crowded = true
		d.add(severityWarning, "too_many_rules", file, rules[0].line, fmt.Sprintf("it has %d rules, which nobody can oversee; they were not held against each other", len(rules)), "write fewer, wider or narrower as they are meant")
		for _, r := range rules[:min(len(rules), 2*maxLinted)] {
			if r.list == "allow" {
				d.tier3(file, name, r, true)
			}
		}
		return
	}
	at := func(list, text string, last bool) (line int) {
		for _, r := range rules {
			if r.list == list && r.text == text && (line == 0 || last) {
				line = r.line
			}
		}
		return line
	}
	ours := d.generated(file)
	said := map[rule]bool{}
	set.Harness = name
	for _, f := range lintNear(set) {
		severity, fix := severityWarning, lintFixes[f.Code]
		switch own := ours(f.List, f.Rule); {
		case f.Code == harness.OrderDependent && !opensLater(set.Ordered, f),
			own && (f.Code == harness.ShadowedRule || f.Code == harness.OrderDependent):
			continue // two entries of the protocol that overlap, or the order that OpenCode is meant to have
		case own && (f.Code == harness.BroadAllow || f.Code == harness.InterpreterAllow):
			severity, fix = severityNote, "to leave it out: ambit tiers materialize --strict"
		}
		said[rule{f.Rule, f.List, 0}] = true
		d.add(severity, string(f.Code), file, at(f.List, f.Rule, f.Code == harness.DuplicateRule), fmt.Sprintf("%s %s: %s", f.List, f.Rule, f.Message), fix)
	}
	for _, r := range rules {
		if r.list == "allow" && !ours(r.list, r.text) {
			d.tier3(file, name, r, said[rule{r.text, r.list, 0}])
		}
	}
}

// lintNear is harness.Lint, which holds every rule against every other, with each rule beside only those that can cover
// it: those whose text up to the first star is how its own begins.
func lintNear(set harness.RuleSet) (out []harness.Finding) {
	if len(set.Ordered) > 0 {
		return harness.Lint(set)
	}
	near := func(text string, list []string) (out []string) {
		for _, other := range list {
			if strings.HasPrefix(text, literalStart(other)) {
				out = append(out, other)
			}
		}
		return out
	}
	type subject struct{ list, text string }
	done := map[subject]bool{}
	for _, l := range [...]struct {
		name string
		list []string
	}{{"allow", set.Allow}, {"ask", set.Ask}, {"deny", set.Deny}} {
		for _, text := range l.list {
			if done[subject{l.name, text}] {
				continue
			}
			done[subject{l.name, text}] = true
			part := harness.RuleSet{Harness: set.Harness, Allow: near(text, set.Allow), Ask: near(text, set.Ask), Deny: near(text, set.Deny)}
			for _, f := range harness.Lint(part) {
				if f.Rule == text && f.List == l.name {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// literalStart is the text of a rule before its first star or alternative, without what ends it.
func literalStart(text string) string {
	if i := strings.IndexAny(text, "*|"); i >= 0 {
		alternative := text[i] == '|'
		text = text[:i]
		if j := strings.LastIndexByte(text, ' '); alternative && j >= 0 {
			text = text[:j] // the word that has alternatives is not known
		}
		return strings.TrimRight(text, ": ")
	}
	return strings.TrimSuffix(text, ")")
}

// tier3 reports an allow rule of a person's own that is tier3, or that can match some of it; the latter not where the rule
// is named already. In OpenCode the order decides about such a rule, and the lint knows it.
func (d *doctor) tier3(file string, name harness.Name, r rule, named bool) {
	overlaps := ""
	for _, g := range d.guards(name.String()) {
		rel := harness.Opens(name, r.text, g.Pattern)
		if rel.Inside {
			d.add(severityError, "tier3_allowed", file, r.line, fmt.Sprintf("allow %s is inside %s, which must never run unasked", r.text, g.Text), tier3Fix(file))
			return
		}
		if rel.Touches && overlaps == "" {
			overlaps = fmt.Sprintf("allow %s also matches %q, which is %s: only a deny rule stops it", r.text, rel.Touch, g.Text)
		}
	}
	if overlaps != "" && !named && name != harness.OpenCode {
		d.add(severityWarning, "tier3_overlap", file, r.line, overlaps, "write the rule narrower")
	}
}

// tier3Fix is the command where it takes such a rule out of the file, which it does of no other.
func tier3Fix(file string) string {
	if file == claudeSettings {
		return "ambit tiers materialize --tool claude"
	}
	return "take the rule out"
}

// generated tells the rules of a file that were written from the protocol from a person's own, by the ledger.
func (d *doctor) generated(file string) func(list, text string) bool {
	if file == harness.CodexRules.Path() {
		return func(string, string) bool { return true }
	}
	ledger, err := canonjson.Parse("", readQuietly(d.path(harness.LedgerPath)), settingsLimits)
	ours := map[rule]bool{}
	if err == nil {
		for list, rules := range ledger.At("files", file, "ours").Members() {
			for v := range rules.Items() {
				ours[rule{v.Text(), list.Text(), 0}] = true
			}
		}
	}
	return func(list, text string) bool { return ours[rule{text, list, 0}] }
}

// strictness orders OpenCode's effects.
var strictness = map[string]int{"allow": 0, "ask": 1, "deny": 2}

// opensLater reports whether the later of two rules that disagree is the laxer: the other order is how OpenCode is meant.
func opensLater(ordered []harness.OrderRule, f harness.Finding) bool {
	for _, r := range ordered {
		if r.Key == f.Other {
			return strictness[r.Effect] < strictness[f.List]
		}
	}
	return true
}

var lintFixes = map[harness.FindingCode]string{
	harness.DeadRule:         "write the rule so that it can match, or take it out",
	harness.ShadowedRule:     "take the rule out",
	harness.DuplicateRule:    "take one of them out",
	harness.BroadAllow:       "allow only the subcommands that are safe, as Bash(git status)",
	harness.OrderDependent:   "move the stricter rule behind the other",
	harness.InterpreterAllow: "take the rule out: it allows whatever code is given",
}
