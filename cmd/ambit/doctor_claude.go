package main

import (
	"fmt"
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
	if ok && d.exists(harness.LedgerPath) && !asksAmbit(root) && !asksAmbit(local) {
		d.add(severityNote, "no_hook", claudeSettings, 0, "no hook asks ambit before a tool runs, so only the rules in this file hold", "ambit hook install --harness claude")
	}
	if !okLocal {
		return
	}
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
			rules = append(rules, rule{item.Text(), l.name, lineOf(data, item)})
		}
	}
	d.lint(file, harness.Claude, set, rules)
	if mode := permissions.Get("defaultMode"); mode.Text() == "bypassPermissions" {
		d.add(severityWarning, "bypass_mode", file, lineOf(data, mode), "in this mode nobody is asked: only deny rules and hooks hold", "take permissions.defaultMode out")
	}
	if off := root.Get("disableAllHooks"); off.True() {
		d.add(severityWarning, "hooks_off", file, lineOf(data, off), "no hook runs while disableAllHooks is true", "take disableAllHooks out")
	}
	d.hooks(file, claudeName, root.Get("hooks"), data)
	return len(set.Allow)
}
