package main

import (
	"errors"
	"fmt"
	"path"

	"github.com/tailscale/hujson"

	"example.com/ambit/harness"
	"example.com/ambit/internal/canonjson"
)

// maxSettings bounds an agent's settings file; what a person keeps is a thousandth of it.
const maxSettings = 4 << 20

var settingsLimits = canonjson.Limits{MaxBytes: maxSettings, AnyNumber: true}

// kindSettings is the kind of every file of a coding agent.
const kindSettings = "agent"

// settings reads a JSON file of an agent as that agent does: strictly, or with comments and trailing commas. What the
// agent would ignore is an error.
func (d *doctor) settings(file, agent string, comments bool) (root canonjson.Value, data []byte, ok bool) {
	data, ok = d.read(file, kindSettings, maxSettings)
	if !ok {
		return root, nil, false
	}
	text := data
	if comments {
		standard, err := hujson.Standardize(append([]byte(nil), data...)) // keeps every line end, so lines stay true
		if d.faults(file, "json", err, "mend this place: "+agent+" cannot read the file as it stands") {
			return root, nil, false
		}
		text = standard
	}
	root, err := canonjson.Parse(file, text, settingsLimits)
	if err == nil && !root.Is(canonjson.KindObject) {
		err = errors.New("it is no object")
	}
	if d.faults(file, "json", err, "mend this place: "+agent+" ignores the whole file as it stands") {
		return root, nil, false
	}
	return root, data, true
}

// codex looks at Codex's files.
func (d *doctor) codex() {
	if data, ok := d.read(".codex/permissions.json", kindSettings, maxSettings); ok {
		_, err := canonjson.Parse(".codex/permissions.json", data, settingsLimits)
		d.faults(".codex/permissions.json", "json", err, "ambit tiers materialize --tool codex")
		if len(d.glob(".codex/rules", "*.rules")) == 0 {
			d.notRead(".codex/permissions.json", "no released Codex reads this file, and there is no .codex/rules/*.rules that it would read", "ambit tiers materialize --tool codex --native")
		}
	}
	rules := d.glob(".codex/rules", "*.rules")
	for _, file := range rules {
		d.codexRules(file)
	}
	root, data, ok := d.settings(".codex/hooks.json", "Codex", false)
	if ok {
		d.hooks(".codex/hooks.json", "Codex", root.Get("hooks"), data)
	}
	if len(rules) > 0 || ok {
		d.codexTrust()
	}
}

// notRead reports a file that is written and not in force.
func (d *doctor) notRead(file, why, fix string) {
	d.add(severityWarning, "not_in_force", file, 0, why, fix)
}

// openCode looks at OpenCode's files: the contract's own format, and those that OpenCode itself reads.
func (d *doctor) openCode() {
	native := false
	for _, folder := range [...]string{"", ".opencode"} {
		var both []string
		for _, name := range [...]string{"opencode.json", "opencode.jsonc"} {
			file := path.Join(folder, name)
			root, data, ok := d.settings(file, "OpenCode", true)
			if !ok {
				continue
			}
			both = append(both, file)
			native = d.openCodeRules(file, root, data) || native
		}
		if len(both) == 2 {
			d.add(severityError, "two_files", both[0], 0, "it stands beside "+both[1]+", and how the two merge is not the order in either", "keep one of them")
		}
	}
	const own = ".opencode/permissions.yaml"
	if _, ok := d.read(own, kindSettings, maxSettings); ok && !native {
		d.notRead(own, "no released OpenCode reads this file, and no opencode.json here has a permission that it would read", "ambit tiers materialize --tool opencode --native")
	}
}

// openCodeRules looks at permission.bash, and reports whether the file has a permission at all.
func (d *doctor) openCodeRules(file string, root canonjson.Value, data []byte) bool {
	if v := root.Get("permissions"); v.Exists() {
		d.add(severityWarning, "other_shape", file, lineOf(data, v), "permissions is the newer shape: ambit neither writes nor checks it, and the older one must not stand beside it", "write permission.bash instead, or check these rules by hand")
	}
	permission := root.Get("permission")
	bash := permission.Get("bash")
	var set harness.RuleSet
	var rules []rule
	for k, v := range bash.Members() {
		if strictnessOf(v) < 0 {
			d.add(severityError, "wrong_type", file, lineOf(data, v), "permission.bash."+k.Text()+" is none of allow, ask, deny", "write one of them")
			continue
		}
		set.Ordered = append(set.Ordered, harness.OrderRule{Key: k.Text(), Effect: v.Text()})
		rules = append(rules, rule{k.Text(), v.Text(), lineOf(data, k)})
	}
	d.lint(file, harness.OpenCode, set, rules)
	return permission.Exists()
}

func strictnessOf(v canonjson.Value) int {
	if n, ok := strictness[v.Text()]; ok {
		return n
	}
	return -1
}

// gemini looks at Gemini's settings and at the policy folder that it does not load.
func (d *doctor) gemini() {
	root, data, ok := d.settings(".gemini/settings.json", "Gemini CLI", true)
	if ok {
		d.hooks(".gemini/settings.json", "Gemini CLI", root.Get("hooks"), data)
	}
	named := map[string]bool{}
	for v := range root.Get("policyPaths").Items() {
		named[path.Clean(v.Text())] = true
	}
	for _, file := range d.glob(".gemini/policies", "*.toml") {
		if d.found(file, kindSettings); !named[file] && !named[".gemini/policies"] {
			d.notRead(file, "Gemini CLI does not load a workspace's policy folder; only what policyPaths in .gemini/settings.json names", fmt.Sprintf("add %q to policyPaths in .gemini/settings.json", file))
		}
	}
}

// cursor looks at the Cursor CLI's files.
func (d *doctor) cursor() {
	d.settings(".cursor/cli.json", "Cursor CLI", false)
	root, data, ok := d.settings(".cursor/hooks.json", "Cursor", false)
	if !ok {
		return
	}
	for event, list := range root.Get("hooks").Members() {
		for h := range list.Items() {
			d.hookCommand(".cursor/hooks.json", "Cursor", event.Text(), h, data)
			if guardsCalls(event.Text()) && !h.Get("failClosed").True() {
				d.add(severityWarning, "hook_fails_open", ".cursor/hooks.json", lineOf(data, h), event.Text()+": Cursor lets the call run when this hook fails", `add "failClosed": true to the hook`)
			}
		}
	}
}

// copilot looks at Copilot's hooks.
func (d *doctor) copilot() {
	for _, file := range d.glob(".github/hooks", "*.json") {
		d.settings(file, "Copilot", false)
	}
}

// codexRules looks at one rules file. One mistake in any of them makes Codex drop every rule of the project.
func (d *doctor) codexRules(file string) {
	data, ok := d.read(file, kindSettings, maxSettings)
	if !ok {
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
	}
	d.lint(file, harness.Codex, set, rules)
}

// codexLists are the lists that harness.Lint knows Codex's decisions by.
var codexLists = map[string]string{"allow": "allow", "prompt": "ask", "forbidden": "deny"}
