package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/ambit/harness"
	"example.com/ambit/internal/canonjson"
)

const (
	claudeSettings = ".claude/settings.json"
	claudeLocal    = ".claude/settings.local.json"
	claudeName     = "Claude Code"
	claudeTrust    = "open the folder in Claude Code once and accept the trust dialog"
)

// claude looks at Claude Code's two files of a project.
func (d *doctor) claude() {
	root, data, ok := d.settings(claudeSettings, claudeName, false)
	if ok {
		if allows := d.claudeFile(claudeSettings, root, data); allows > 0 {
			d.claudeTrust(allows)
		}
	}
	local, data, okLocal := d.settings(claudeLocal, claudeName, false)
	if ok && d.exists(harness.LedgerPath) && !d.broken(claudeSettings) && !asksAmbit(root) && !asksAmbit(local) {
		d.add(severityNote, "no_hook", claudeSettings, 0, "no hook asks ambit before a tool runs, so only the rules in this file hold", "ambit hook install --harness claude")
	}
	if !okLocal {
		return
	}
	d.claudeLocalHeld()
	d.claudeScopes(root, local, data)
	allows := d.claudeFile(claudeLocal, local, data)
	if allows > 0 {
		d.add(severityNote, "local_allows", claudeLocal, lineOf(data, local.At("permissions", "allow")), fmt.Sprintf("%s of your own, on top of the project's; the project's deny rules still win", plural(allows, "allow rule")), "")
	}
	for _, key := range [...][]string{{"permissions", "defaultMode"}, {"disableAllHooks"}} {
		mine, theirs := local.At(key...), root.At(key...)
		if mine.Exists() && theirs.Exists() && mine.Raw() != theirs.Raw() {
			d.notRead(claudeSettings, fmt.Sprintf("its %s is %s, and %s overrides it with %s", strings.Join(key, "."), theirs.Raw(), claudeLocal, mine.Raw()), "take "+strings.Join(key, ".")+" out of "+claudeLocal)
		}
	}
}

// claudeScopes reports allow rules of one file that a deny or ask rule of the other takes all effect from: the lists of
// both are joined.
func (d *doctor) claudeScopes(project, local canonjson.Value, data []byte) {
	list := func(root canonjson.Value, name string) (out []string) {
		for item := range root.At("permissions", name).Items() {
			out = append(out, item.Text())
		}
		return out
	}
	if d.crowded {
		return
	}
	for _, scope := range [...]struct {
		allows, bounds canonjson.Value
		file, other    string
	}{{project, local, claudeSettings, claudeLocal}, {local, project, claudeLocal, claudeSettings}} {
		set := harness.RuleSet{Harness: harness.Claude, Allow: list(scope.allows, "allow"), Ask: list(scope.bounds, "ask"), Deny: list(scope.bounds, "deny")}
		ours := d.generated(scope.other)
		for _, f := range lintNear(set) {
			if f.Code != harness.ShadowedRule || f.List != "allow" || slices.Contains(set.Allow, f.Other) && f.Other != f.Rule {
				continue
			}
			if scope.other == claudeSettings && ours("deny", f.Other) && d.tier3Named(f.Rule) {
				continue // said of the rule itself
			}
			d.add(severityWarning, "shadowed_rule", scope.file, 0, fmt.Sprintf("allow %s: %s in %s covers it, so it never applies", f.Rule, f.Other, scope.other), "take one of them out")
		}
	}
}

// tier3Named reports whether an allow rule was reported as tier3 already.
func (d *doctor) tier3Named(text string) bool {
	return slices.ContainsFunc(d.findings, func(f finding) bool {
		return f.Code == "tier3_allowed" && strings.HasPrefix(f.Message, "allow "+text+" ")
	})
}

// asksAmbit reports whether a settings file has this program's hook before a tool runs.
func asksAmbit(root canonjson.Value) bool {
	for group := range root.At("hooks", "PreToolUse").Items() {
		for h := range group.Get("hooks").Items() {
			if runsAmbitHook(h.Get("command").Text()) {
				return true
			}
		}
	}
	return false
}

// claudeFile looks at one settings file and gives the number of its allow rules.
func (d *doctor) claudeFile(file string, root canonjson.Value, data []byte) (allows int) {
	permissions := root.Get("permissions")
	if permissions.Exists() && !permissions.Is(canonjson.KindObject) {
		d.add(severityError, "wrong_type", file, lineOf(data, permissions), "permissions is no object, so Claude Code ignores it", "write an object with allow, ask and deny")
	}
	var set harness.RuleSet
	var rules []rule
	for _, l := range [...]struct {
		name string
		list *[]string
	}{{"allow", &set.Allow}, {"ask", &set.Ask}, {"deny", &set.Deny}} {
		v := permissions.Get(l.name)
		if v.Exists() && !v.Is(canonjson.KindArray) {
			d.add(severityError, "wrong_type", file, lineOf(data, v), "permissions."+l.name+" is no list, so Claude Code ignores it", "write a list of rules")
		}
		for item := range v.Items() {
			if !item.Is(canonjson.KindString) {
				d.add(severityError, "wrong_type", file, lineOf(data, item), "permissions."+l.name+" holds something that is no text", "take it out")
				continue
			}
			*l.list = append(*l.list, item.Text())
			line := 0
			if len(rules) <= maxLinted { // beyond, nobody asks
				line = lineOf(data, item)
			}
			rules = append(rules, rule{item.Text(), l.name, line})
		}
	}
	d.lint(file, harness.Claude, set, rules)
	d.claudeKeys(file, root, data)
	for _, r := range rules[:min(len(rules), maxLinted)] {
		if len(r.text) <= maxRule {
			d.claudeRule(file, r)
		}
	}
	d.hooks(file, claudeName, root.Get("hooks"), data)
	return len(set.Allow)
}
