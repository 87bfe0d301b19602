package main

import (
	"bytes"
	"path"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ambit/harness"
	"example.com/ambit/internal/canonjson"
)

const openCodeName = "OpenCode"

// openCode looks at OpenCode's files: the contract's own format, and those that OpenCode itself reads.
func (d *doctor) openCode() {
	native := false // or not known to be anything else
	for _, folder := range [...]string{"", ".opencode"} {
		var both []string
		for _, name := range [...]string{"opencode.json", "opencode.jsonc"} {
			file := path.Join(folder, name)
			root, data, ok := d.settings(file, openCodeName, true)
			if !ok {
				native = native || d.exists(file)
				continue
			}
			both = append(both, file)
			native = d.openCodeFile(file, root, data) || native
		}
		if len(both) == 2 {
			d.add(severityError, "two_files", both[0], 0, "it stands beside "+both[1]+", and how the two merge is not the order in either", "keep one of them")
		}
	}
	for _, folder := range [...]string{".opencode/agent", ".opencode/agents"} {
		for _, file := range d.glob(folder, "*.md") {
			d.openCodeAgent(file)
		}
	}
	const own = ".opencode/permissions.yaml"
	data, ok := d.read(own, kindSettings, maxSettings)
	if !ok {
		return
	}
	var node yaml.Node
	if err := yaml.Unmarshal(data, &node); err != nil {
		d.faults(own, "yaml", err, "ambit tiers materialize --tool opencode --force")
	}
	if !native {
		d.notRead(own, "no released OpenCode reads this file, and no opencode.json here has a permission that it would read", "ambit tiers materialize --native")
	}
}

// openCodeTools are what a permission can be about; a star stands for all. Others are those of a server of one's own.
var openCodeTools = []string{"bash", "edit", "read", "write", "task", "webfetch", "websearch", "codesearch", "external_directory", "doom_loop", "skill", "glob", "grep", "list", "lsp", "todowrite", "todoread", "question", "patch"}

// openCodeNewer are the names that the newer shape has for them.
var openCodeNewer = map[string]string{"shell": "bash", "subagent": "task"}

// openCodeFile looks at one settings file, and reports whether it has a permission at all.
func (d *doctor) openCodeFile(file string, root canonjson.Value, data []byte) bool {
	if v := root.Get("permissions"); v.Exists() {
		d.add(severityWarning, "other_shape", file, lineOf(data, v), "permissions is the newer shape: ambit neither writes nor checks it, and the older one must not stand beside it", "write permission.bash instead, or check these rules by hand")
	}
	looked := 0
	for k := range root.Members() {
		if looked++; looked > maxKeys {
			break
		}
		if right := nearKey(k.Text(), []string{"permission"}); right != "" && k.Text() != "permissions" {
			d.unknownKey(file, lineOf(data, k), "", k.Text(), right, "nothing is asked or denied by it")
		}
	}
	permission := root.Get("permission")
	d.openCodePermission(file, "permission", permission, data)
	for _, key := range [...]string{"agent", "mode"} {
		for name, agent := range root.Get(key).Members() {
			d.openCodePermission(file, key+"."+name.Text()+".permission", agent.Get("permission"), data)
		}
	}
	return permission.Exists()
}

// openCodePermission looks at one permission: a word, or what is said per tool, as a word or per pattern.
func (d *doctor) openCodePermission(file, at string, permission canonjson.Value, data []byte) {
	known := func(where string, v canonjson.Value) bool {
		if strictnessOf(v) < 0 {
			d.add(severityError, "wrong_type", file, lineOf(data, v), where+" is none of allow, ask, deny", "write one of them")
			return false
		}
		return true
	}
	lax := func(where string, v canonjson.Value) {
		if v.Text() == "allow" {
			d.add(severityWarning, "broad_allow", file, lineOf(data, v), where+": every command runs unasked, tier3 too", `write "ask", or patterns`)
		}
	}
	if !permission.Is(canonjson.KindObject) {
		if permission.Exists() && known(at, permission) {
			lax(at, permission)
		}
		return
	}
	looked := 0
	for tool, v := range permission.Members() {
		if looked++; looked > maxKeys {
			break
		}
		where := at + "." + tool.Text()
		newer := openCodeNewer[tool.Text()]
		switch right := nearKey(tool.Text(), openCodeTools); {
		case newer != "":
			d.unknownKey(file, lineOf(data, tool), at, tool.Text(), newer, "it does nothing in this shape")
		case right != "" && !strings.Contains(tool.Text(), "*"):
			d.unknownKey(file, lineOf(data, tool), at, tool.Text(), right, "it does nothing")
		}
		switch {
		case v.Is(canonjson.KindObject) && tool.Text() == "bash":
			d.openCodeBash(file, where, v, data)
		case v.Is(canonjson.KindObject):
			for k, effect := range v.Members() {
				known(where+"."+k.Text(), effect)
			}
		case known(where, v) && tool.Text() == "bash":
			lax(where, v)
		}
	}
}

// openCodeBash looks at the patterns of commands, of which the last that matches decides.
func (d *doctor) openCodeBash(file, at string, bash canonjson.Value, data []byte) {
	var set harness.RuleSet
	var rules []rule
	for k, v := range bash.Members() {
		if strictnessOf(v) < 0 {
			d.add(severityError, "wrong_type", file, lineOf(data, v), at+"."+k.Text()+" is none of allow, ask, deny", "write one of them")
			continue
		}
		set.Ordered = append(set.Ordered, harness.OrderRule{Key: k.Text(), Effect: v.Text()})
		line := 0
		if len(rules) <= maxLinted { // beyond, nobody asks
			line = lineOf(data, k)
		}
		rules = append(rules, rule{k.Text(), v.Text(), line})
	}
	d.lint(file, harness.OpenCode, set, rules)
}

// openCodeAgent looks at the permission in the frontmatter of an agent, which comes after those of the settings.
func (d *doctor) openCodeAgent(file string) {
	data, ok := d.read(file, kindSettings, maxSettings)
	if !ok {
		return
	}
	rest, opened := bytes.CutPrefix(bytes.ReplaceAll(bytes.TrimPrefix(data, []byte("\uFEFF")), []byte("\r\n"), []byte("\n")), []byte("---\n"))
	front, _, closed := bytes.Cut(rest, []byte("\n---"))
	if !opened {
		return // an agent without settings
	}
	var root yaml.Node
	if err := yaml.Unmarshal(front, &root); err != nil || !closed {
		d.add(severityError, "yaml", file, 0, "OpenCode cannot read what stands between the two lines of dashes", "mend it: none of these settings hold")
		return
	}
	if len(root.Content) == 0 {
		return
	}
	permission := yamlGet(root.Content[0], "permission")
	if permission == nil {
		return
	}
	text := jsonOf(permission, 0)
	if parsed, err := canonjson.Parse(file, text, settingsLimits); err == nil {
		before := len(d.findings)
		d.openCodePermission(file, "permission", parsed, nil)
		for i := range d.findings[before:] {
			d.findings[before+i].Line = nil // those of the text that was made of it
		}
	} else {
		d.faults(file, "yaml", err, "write each key once")
	}
}

// yamlGet gives a mapping's value.
func yamlGet(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// maxYAMLDepth bounds what is taken over from YAML.
const maxYAMLDepth = 16

// jsonOf writes mappings and scalars of YAML as JSON, in their order; whatever else is null.
func jsonOf(n *yaml.Node, depth int) []byte {
	switch {
	case depth > maxYAMLDepth:
	case n.Kind == yaml.ScalarNode:
		return canonjson.AppendString(nil, n.Value)
	case n.Kind == yaml.MappingNode:
		out := []byte("{")
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(append(canonjson.AppendString(out, n.Content[i].Value), ':'), jsonOf(n.Content[i+1], depth+1)...)
		}
		return append(out, '}')
	}
	return []byte("null")
}

func strictnessOf(v canonjson.Value) int {
	if n, ok := strictness[v.Text()]; ok {
		return n
	}
	return -1
}
