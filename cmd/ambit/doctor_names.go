package main

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.com/ambit/envelope"
)

// readingPlace is a folder in which files are read by their exact names.
type readingPlace struct {
	folder string
	names  []string          // that are read there
	others map[string]string // names that are none of them, and the file below the root that is read instead
	only   []string          // of which a file must hold one to be meant; none is anything
}

// places are where a file with almost the right name is taken for one that nobody reads.
var places = []readingPlace{
	{folder: ".", names: []string{systemFile}, only: []string{"autonomy"}},
	{folder: ".", names: []string{"opencode.json", "opencode.jsonc"}, only: []string{"permission"}},
	{folder: ".", others: map[string]string{".claude.json": claudeSettings, "claude.json": claudeSettings}, only: []string{`"permissions"`, `"hooks"`}},
	{folder: ".", others: map[string]string{path.Base(protocolFile): protocolFile}},
	{folder: ".aioson", others: map[string]string{path.Base(protocolFile): protocolFile}},
	{folder: path.Dir(protocolFile), names: []string{path.Base(protocolFile)}},
	{folder: ".claude", names: []string{"settings.json", "settings.local.json"}, others: map[string]string{"permissions.json": claudeSettings, "hooks.json": claudeSettings}},
	{folder: "claude", others: map[string]string{"settings.json": claudeSettings, "settings.local.json": claudeLocal}},
	{folder: ".codex", names: []string{"config.toml", "hooks.json", "permissions.json"}},
	{folder: "codex", others: map[string]string{"config.toml": codexConfig, "hooks.json": codexHooks}},
	{folder: ".opencode", names: []string{"opencode.json", "opencode.jsonc", "permissions.yaml"}, others: map[string]string{"config.json": ".opencode/opencode.json", "config.jsonc": ".opencode/opencode.jsonc"}},
	{folder: ".gemini", names: []string{"settings.json"}},
	{folder: ".cursor", names: []string{"cli.json", "hooks.json", "permissions.json"}, others: map[string]string{"cli-config.json": ".cursor/cli.json"}},
	{folder: ".github/copilot", names: []string{"settings.json"}},
	{folder: ".github", others: map[string]string{"hooks.json": ".github/hooks/hooks.json"}},
}

// misplaced warns about files that look like a document and are read by nobody, since they lie elsewhere or are called
// otherwise.
func (d *doctor) misplaced() {
	for _, p := range places {
		for _, name := range d.list(p.folder) {
			file := path.Join(p.folder, name)
			if right := p.meant(name); right != "" && (len(p.only) == 0 || d.holds(file, p.only...)) {
				d.misnamed(file, right)
			}
		}
	}
	d.misplacedEnvelopes()
	d.misplacedRules()
	d.misplacedRenders()
	for _, ext := range [...]string{"*.yaml", "*.yml", "*.jsonc", "*.json5", "*.toml"} {
		for _, file := range d.glob(".github/hooks", ext) {
			d.misnamed(file, strings.TrimSuffix(file, path.Ext(file))+".json")
		}
	}
}

// meant gives the file below the root that a name was probably meant to be, "" where it is right or something else.
func (p readingPlace) meant(name string) string {
	if slices.Contains(p.names, name) {
		return ""
	}
	if right := p.others[name]; right != "" {
		return right
	}
	if right := nearName(name, p.names); right != "" {
		return path.Join(p.folder, right)
	}
	return ""
}

// wrongEndings are those that a document is given by mistake. Others (.bak, .example, .orig) say that it is no document.
var wrongEndings = []string{".json", ".jsonc", ".json5", ".yaml", ".yml", ".toml", ".md", ".markdown", ".txt", ".sqlite"}

// nearName gives the name that another differs from in its ending, in letter case, in what joins its words, or in one
// letter; "" where there is none, or where it is one of them.
func nearName(name string, names []string) string {
	if slices.Contains(names, name) {
		return ""
	}
	base, ended := bareName(name)
	for _, right := range names {
		if want, _ := bareName(right); ended && (base == want || len(want) >= 5 && within1(base, want)) {
			return right
		}
	}
	return ""
}

// bareName is a name without its endings, letter case and joints, and whether it has an ending at all.
func bareName(name string) (bare string, ended bool) {
	bare = strings.ToLower(name)
	for {
		ext := path.Ext(bare)
		if !slices.Contains(wrongEndings, ext) {
			break
		}
		bare, ended = strings.TrimSuffix(bare, ext), true
	}
	return strings.NewReplacer("-", "", "_", "", ".", "", " ", "").Replace(bare), ended
}

// within1 reports whether two words are one insertion, removal, replacement or swap apart.
func within1(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch rest := len(b) - i; {
	case len(b)-len(a) > 1:
		return false
	case len(a) < len(b):
		return a[i:] == b[i+1:]
	case rest == 0 || a[i+1:] == b[i+1:]:
		return true
	default:
		return rest >= 2 && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	}
}

// misnamed reports a file that is not read because of its name or place. Where the right one is there already, what is
// in the wrong one belongs into it.
func (d *doctor) misnamed(file, right string) {
	if d.sameFile(file, right) {
		return // a file system that does not tell the two names apart
	}
	d.found(file, "misplaced")
	fix := "mv " + shellWord(file) + " " + shellWord(right)
	switch {
	case d.exists(right):
		fix = fmt.Sprintf("carry what it says into %s, then rm %s", right, shellWord(file))
	case formatOf(file) != formatOf(right):
		fix = fmt.Sprintf("write it as %s, then rm %s", right, shellWord(file))
	case !d.exists(path.Dir(right)):
		fix = "mkdir -p " + shellWord(path.Dir(right)) + " && " + fix
	}
	d.notRead(file, "nobody reads this file; "+right+" is what is read", fix)
}

// formatOf gives the kind of text that an ending stands for.
func formatOf(file string) string {
	switch ext := strings.ToLower(path.Ext(file)); ext {
	case ".yml", ".yaml":
		return "yaml"
	case ".jsonc", ".json":
		return "json"
	case ".md", ".markdown", ".txt":
		return "text"
	default:
		return ext
	}
}

// misplacedEnvelopes looks for envelopes that lie beside the place, or have almost the name, where they are read.
func (d *doctor) misplacedEnvelopes() {
	if d.exists(envelope.FileName) {
		d.misnamed(envelope.FileName, path.Join(envelope.Folder, "AGENT", envelope.FileName))
	}
	for _, name := range d.list(envelope.Folder) {
		folder := path.Join(envelope.Folder, name)
		if stem, ok := strings.CutSuffix(name, ".md"); (ok || name == envelope.FileName) && d.holds(folder, "taskTypes:") {
			d.misnamed(folder, path.Join(envelope.Folder, strings.TrimSuffix(stem, "-autonomy-envelope"), envelope.FileName))
			continue
		}
		if !d.isFolder(folder) || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
			continue
		}
		for _, inner := range d.list(folder) {
			file := path.Join(folder, inner)
			switch {
			case nearName(inner, []string{envelope.FileName}) != "", inner == "autonomy-envelope":
				d.misnamed(file, path.Join(folder, envelope.FileName))
			case inner == "envelope.md" && d.holds(file, "taskTypes:"):
				d.misnamed(file, path.Join(folder, envelope.FileName))
			case d.exists(path.Join(file, envelope.FileName)):
				d.misnamed(path.Join(file, envelope.FileName), path.Join(envelope.Folder, inner, envelope.FileName))
			}
		}
	}
	for _, folder := range [...]string{"agent", "Agents", ".agents"} {
		for _, name := range d.list(folder) {
			if file := path.Join(folder, name, envelope.FileName); d.exists(file) {
				d.misnamed(file, path.Join(envelope.Folder, name, envelope.FileName))
			}
		}
	}
}

// misplacedRules looks for rules of Codex, which reads files that end in .rules and lie directly in one folder.
func (d *doctor) misplacedRules() {
	for _, file := range d.glob(".codex", "*.rules") {
		d.misnamed(file, path.Join(codexRulesFolder, path.Base(file)))
	}
	for _, file := range d.glob(codexRulesFolder, "*") {
		switch {
		case d.isFolder(file):
			for _, inner := range d.glob(file, "*.rules") {
				d.misnamed(inner, path.Join(codexRulesFolder, path.Base(inner)))
			}
		case path.Ext(file) != ".rules" && path.Ext(file) != ".md" && !strings.HasSuffix(file, "~") && !slices.Contains([]string{".bak", ".orig", ".example", ".off", ".disabled"}, path.Ext(file)) && d.holds(file, "prefix_rule("):
			d.misnamed(file, strings.TrimSuffix(strings.TrimSuffix(file, path.Ext(file)), ".rules")+".rules")
		}
	}
}

// misplacedRenders looks for what an engine reads, beside its place.
func (d *doctor) misplacedRenders() {
	if file := path.Join(applicationsFolder, renderedFile); d.exists(file) {
		d.misnamed(file, path.Join(applicationsFolder, "SYSTEM", renderedFile))
	}
	for _, name := range d.list(applicationsFolder) {
		folder := path.Join(applicationsFolder, name)
		if !d.isFolder(folder) {
			continue
		}
		for _, inner := range d.list(folder) {
			if nearName(inner, []string{renderedFile}) != "" {
				d.misnamed(path.Join(folder, inner), path.Join(folder, renderedFile))
			}
		}
	}
	for _, folder := range [...]string{"application", "apps", "Applications"} {
		for _, name := range d.list(folder) {
			if file := path.Join(folder, name, renderedFile); d.exists(file) {
				d.misnamed(file, path.Join(applicationsFolder, name, renderedFile))
			}
		}
	}
}

// maxGlance bounds what is read of a file only to see what it is.
const maxGlance = 1 << 20

// holds reports whether a file can be read and has one of some texts in it.
func (d *doctor) holds(file string, texts ...string) bool {
	data, ok := d.glance(file)
	return ok && slices.ContainsFunc(texts, func(text string) bool { return bytes.Contains(data, []byte(text)) })
}
