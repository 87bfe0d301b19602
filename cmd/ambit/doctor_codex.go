package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/ambit/harness"
	"example.com/ambit/internal/canonjson"
)

// Codex's files of a project.
const (
	codexConfig      = ".codex/config.toml"
	codexHooks       = ".codex/hooks.json"
	codexRulesFolder = ".codex/rules"
	codexName        = "Codex"
)

// codex looks at Codex's files.
func (d *doctor) codex() {
	const own = ".codex/permissions.json"
	if data, ok := d.read(own, kindSettings, maxSettings); ok {
		_, err := canonjson.Parse(own, data, settingsLimits)
		d.faults(own, "json", err, "ambit tiers materialize --tool codex --force")
		if len(d.glob(codexRulesFolder, "*.rules")) == 0 {
			d.notRead(own, "no released Codex reads this file, and there is no .codex/rules/*.rules that it would read", "ambit tiers materialize --native")
		}
	}
	rules := d.glob(codexRulesFolder, "*.rules")
	for _, file := range rules {
		d.codexRules(file)
	}
	config, data, hasConfig := d.toml(codexConfig, codexName)
	if hasConfig {
		d.codexConfig(config, data)
	}
	root, data, hasHooks := d.settings(codexHooks, codexName, false)
	if hasHooks {
		d.hooks(codexHooks, codexName, root.Get("hooks"), data)
		d.nearKeys(codexHooks, data, root, "", []string{"hooks"}, "no hook runs")
	}
	if len(rules) > 0 || hasConfig || hasHooks {
		d.codexTrust()
	}
}

// maxRulesFile bounds a file of rules that is looked at.
const maxRulesFile = 128 << 10

// codexRules looks at one rules file. One mistake in any of them makes Codex drop every rule of the project.
func (d *doctor) codexRules(file string) {
	data, ok := d.read(file, kindSettings, maxSettings)
	if !ok {
		return
	}
	if !utf8.Valid(data) {
		d.add(severityError, "not_utf8", file, 0, "it is not UTF-8", "mend this place: Codex drops every rule of the project as it stands")
		return
	}
	if len(data) > maxRulesFile {
		d.crowded = true
		d.add(severityWarning, "too_many_rules", file, 0, fmt.Sprintf("it has %d bytes, and was not looked at", len(data)), "write fewer rules")
		return
	}
	list, err := harness.ReadCodexRules(file, data)
	if d.faults(file, "rules", err, "mend this place: Codex drops every rule of the project as it stands") {
		return
	}
	set, _ := harness.ReadRules(file, data)
	var rules []rule
	for _, r := range list {
		rules = append(rules, rule{r.Text(), codexLists[r.Decision], r.Line})
		if i := slices.IndexFunc(r.Pattern[0], func(word string) bool { return strings.ContainsAny(word, " \t") }); i >= 0 {
			d.add(severityWarning, "dead_rule", file, r.Line, fmt.Sprintf("%q is one word here, and no program's name has a blank in it", r.Pattern[0][i]), "write each word as a text of its own")
		}
	}
	d.lint(file, harness.Codex, set, rules)
	if file == harness.CodexRules.Path() {
		return
	}
	for _, r := range list {
		if codexLists[r.Decision] != "allow" {
			continue
		}
		if ways := prefixes(r.Pattern); len(ways) > 1 && d.ruling(file, r.Line, len(ways)) {
			for _, text := range ways {
				d.tier3(file, harness.Codex, rule{text, "allow", r.Line}, false)
			}
		}
	}
}

// maxSpellings bounds how many ways of one rule are looked at.
const maxSpellings = 256

// prefixes gives the prefixes that a rule with alternatives stands for.
func prefixes(pattern [][]string) []string {
	out := []string{""}
	for _, alternatives := range pattern {
		var next []string
		for _, before := range out {
			for _, word := range alternatives {
				if len(next) < maxSpellings {
					next = append(next, strings.TrimPrefix(before+" "+word, " "))
				}
			}
		}
		out = next
	}
	return out
}

// codexLists are the lists that harness.Lint knows Codex's decisions by.
var codexLists = map[string]string{"allow": "allow", "prompt": "ask", "forbidden": "deny"}

// codexWords are the settings of Codex that bound it, and what each may say. // reference: approval and boundary
var codexWords = []struct {
	key   string
	words []string
}{
	{"approval_policy", []string{"untrusted", "on-request", "never", "on-failure"}},
	{"sandbox_mode", []string{"read-only", "workspace-write", "danger-full-access"}},
}

// codexKeys are the names that a mistyped key at the top was probably meant to be.
var codexKeys = []string{"approval_policy", "sandbox_mode", "sandbox_workspace_write", "default_permissions", "permissions", "hooks", "profiles", "features"}

// codexConfig looks at what Codex's settings say of approval and of the sandbox.
func (d *doctor) codexConfig(root map[string]any, data []byte) {
	for _, key := range sortedKeys(root) {
		if right := nearKey(key, codexKeys); right != "" && !slices.Contains(codexReal, key) {
			d.unknownKey(codexConfig, tomlLine(data, key), "", key, right, "the default counts")
		}
	}
	scopes := map[string]map[string]any{"": root}
	profiles, _ := root["profiles"].(map[string]any)
	for name, v := range profiles {
		if profile, ok := v.(map[string]any); ok {
			scopes["profiles."+name+"."] = profile
		}
	}
	for _, at := range sortedKeys(scopes) {
		for _, w := range codexWords {
			v, set := scopes[at][w.key]
			text, isText := v.(string)
			_, isTable := v.(map[string]any)
			switch {
			case !set, isTable && w.key == "approval_policy":
			case !isText || !slices.Contains(w.words, text):
				d.add(severityError, "bad_value", codexConfig, tomlLine(data, w.key), fmt.Sprintf("%s%s: %v is none of %s", at, w.key, v, strings.Join(w.words, ", ")), "write one of them")
			case text == "on-failure":
				d.add(severityWarning, "legacy_value", codexConfig, tomlLine(data, w.key), at+"approval_policy: on-failure is the old form: a command runs before anyone is asked", "write on-request, or untrusted")
			}
		}
		switch {
		case scopes[at]["sandbox_mode"] == "danger-full-access":
			d.add(severityWarning, "bypass_mode", codexConfig, tomlLine(data, "sandbox_mode"), at+"sandbox_mode: nothing is bounded, so only rules and hooks hold", `write sandbox_mode = "workspace-write"`)
		case scopes[at]["approval_policy"] == "never":
			d.add(severityNote, "never_asks", codexConfig, tomlLine(data, "approval_policy"), at+"approval_policy: nobody is asked, and what would ask is refused; the sandbox bounds the rest", "")
		}
		if _, both := scopes[at]["sandbox_mode"]; both && scopes[at]["default_permissions"] != nil {
			d.notRead(codexConfig, "default_permissions is ignored while sandbox_mode is set anywhere", "take sandbox_mode out")
		}
	}
	if hooks, ok := root["hooks"]; ok {
		text, err := json.Marshal(hooks)
		if parsed, parseErr := canonjson.Parse(codexConfig, text, settingsLimits); err == nil && parseErr == nil {
			d.hooks(codexConfig, codexName, parsed, nil)
		}
	}
}

// codexReal are keys of Codex that only look like another.
var codexReal = []string{"profile", "sandbox_permissions", "permission_profile"}
