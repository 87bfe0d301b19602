package main

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.com/ambit/internal/canonjson"
)

// The agents whose files are only read here.
const (
	geminiName  = "Gemini CLI"
	cursorName  = "Cursor"
	copilotName = "Copilot"

	geminiSettings  = ".gemini/settings.json"
	cursorSettings  = ".cursor/cli.json"
	cursorHooks     = ".cursor/hooks.json"
	copilotSettings = ".github/copilot/settings.json"
)

// gemini looks at Gemini's settings, at the policies that they name and at the policy folder that it does not load.
func (d *doctor) gemini() {
	root, data, ok := d.settings(geminiSettings, geminiName, true)
	if ok {
		d.hooks(geminiSettings, geminiName, root.Get("hooks"), data)
		d.nearKeys(geminiSettings, data, root, "", []string{"hooks", "policyPaths"}, "it does nothing")
	}
	named := map[string]bool{}
	for v := range root.Get("policyPaths").Items() {
		file := path.Clean(v.Text())
		if named[file] = true; path.IsAbs(file) || strings.ContainsAny(file, "~$*") || strings.HasPrefix(file, "..") {
			continue
		}
		switch {
		case !d.exists(file):
			d.notRead(geminiSettings, fmt.Sprintf("policyPaths names %s, which is not there", file), "write the policy, or take the path out")
		case d.isFolder(file):
			for _, policy := range d.glob(file, "*.toml") {
				d.geminiPolicy(policy)
			}
		default:
			d.geminiPolicy(file)
		}
	}
	for _, file := range d.glob(".gemini/policies", "*.toml") {
		if !named[file] && !named[".gemini/policies"] {
			d.found(file, kindSettings)
			d.notRead(file, "Gemini CLI does not load a workspace's policy folder; only what policyPaths in .gemini/settings.json names", fmt.Sprintf("add %q to policyPaths in .gemini/settings.json", file))
		}
	}
}

// geminiDecisions are what a rule of a policy may say.
var geminiDecisions = []string{"allow", "deny", "ask_user"}

// geminiPolicy looks at one policy file that is loaded.
func (d *doctor) geminiPolicy(file string) {
	root, data, ok := d.toml(file, geminiName)
	if !ok {
		return
	}
	rules, _ := root["rule"].([]map[string]any)
	if len(rules) == 0 && len(root) > 0 {
		d.notRead(file, "there is no [[rule]] in it", "write each rule as a [[rule]]")
	}
	for i, r := range rules {
		at := fmt.Sprintf("rule %d", i+1)
		if text, _ := r["decision"].(string); !slices.Contains(geminiDecisions, text) {
			d.add(severityError, "bad_value", file, tomlLine(data, "decision"), fmt.Sprintf("%s: decision %v is none of %s", at, r["decision"], strings.Join(geminiDecisions, ", ")), "write one of them")
		}
		if n, isInt := r["priority"].(int64); r["priority"] != nil && (!isInt || n < 0 || n > 999) {
			d.add(severityWarning, "bad_value", file, tomlLine(data, "priority"), fmt.Sprintf("%s: priority %v is not from 0 to 999, so its place among the others is not known", at, r["priority"]), "write a number from 0 to 999")
		}
	}
}

// cursorRule is a rule of the Cursor CLI.
var cursorRule = regexp.MustCompile(`^(Shell|Read|Write|WebFetch|Mcp)\(.*\)$`)

// cursor looks at the Cursor CLI's files.
func (d *doctor) cursor() {
	d.cursorPermissions()
	root, data, ok := d.settings(cursorHooks, cursorName, false)
	if !ok {
		return
	}
	if v := root.Get("version"); v.Number() != "1" {
		d.notRead(cursorHooks, "its version is not 1, so Cursor does not take it for a file of hooks", `add "version": 1`)
	}
	d.nearKeys(cursorHooks, data, root, "", []string{"hooks", "version"}, "no hook runs")
	d.hooks(cursorHooks, cursorName, root.Get("hooks"), data)
	for event, list := range root.Get("hooks").Members() {
		for h := range list.Items() {
			if guardsCalls(cursorName, event.Text()) && !h.Get("failClosed").True() {
				d.add(severityWarning, "hook_fails_open", cursorHooks, lineOf(data, h), event.Text()+": Cursor lets the call run when this hook fails", `add "failClosed": true to the hook`)
			}
		}
	}
}

// cursorPermissions looks at the two lists that the Cursor CLI takes from a project.
func (d *doctor) cursorPermissions() {
	root, data, ok := d.settings(cursorSettings, "Cursor CLI", false)
	if !ok {
		return
	}
	d.nearKeys(cursorSettings, data, root, "", []string{"permissions"}, "nothing is allowed or denied by it")
	for key, list := range root.Get("permissions").Members() {
		if name := key.Text(); name != "allow" && name != "deny" {
			d.notRead(cursorSettings, "permissions."+name+": Cursor CLI knows allow and deny, and no other list", "move its rules to deny, or ask by a hook")
			continue
		}
		if !list.Is(canonjson.KindArray) {
			d.add(severityError, "wrong_type", cursorSettings, lineOf(data, list), "permissions."+key.Text()+" is no list, so Cursor CLI ignores it", "write a list of rules")
		}
		looked := 0
		for item := range list.Items() {
			if looked++; looked > maxLinted {
				d.add(severityWarning, "too_many_rules", cursorSettings, lineOf(data, item), fmt.Sprintf("only the first %d rules were looked at", maxLinted), "write fewer")
				break
			}
			text := item.Text()
			program, shell := strings.CutPrefix(text, "Shell(")
			program = strings.TrimSuffix(program, ")")
			switch {
			case !cursorRule.MatchString(text):
				d.add(severityWarning, "dead_rule", cursorSettings, lineOf(data, item), fmt.Sprintf("%s %s: it is no rule of Cursor, which knows Shell(x), Read(x), Write(x), WebFetch(x) and Mcp(x)", key.Text(), item.Raw()), "write it as one of them")
			case shell && key.Text() == "allow":
				d.cursorAllows(text, program, lineOf(data, item))
			}
		}
	}
}

// cursorAllows warns about a program that is allowed whole, since Cursor sees only the first word, and that has tier3.
func (d *doctor) cursorAllows(text, program string, line int) {
	for _, g := range d.guards("") {
		for _, words := range g.Pattern.Spellings() {
			if first, _, _ := strings.Cut(g.Text, " "); len(words) > 0 && (program == first || strings.Trim(program, "*") == "") {
				d.add(severityWarning, "tier3_overlap", cursorSettings, line, fmt.Sprintf("allow %s is the whole program, %s too, which must never run unasked", text, g.Text), "take the rule out, and let a hook decide")
				return
			}
		}
	}
}

// copilot looks at Copilot's hooks, and at the settings of which a project has only those that tighten.
func (d *doctor) copilot() {
	for _, file := range d.glob(".github/hooks", "*.json") {
		if root, data, ok := d.settings(file, copilotName, false); ok {
			d.hooks(file, copilotName, root.Get("hooks"), data)
			d.nearKeys(file, data, root, "", []string{"hooks", "version"}, "no hook runs")
		}
	}
	if root, _, ok := d.settings(copilotSettings, copilotName, false); ok && root.Get("permissions").Exists() {
		d.notRead(copilotSettings, "Copilot takes permissions from a person's own settings and from managed ones, never from a project's", "take permissions out, and decide by a hook in .github/hooks")
	}
}
