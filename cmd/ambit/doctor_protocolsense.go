package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/ambit/envelope"
	"example.com/ambit/harness"
	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/nearest"
	"example.com/ambit/tiers"
)

// protocolEntry is one entry that allows by its tier.
type protocolEntry struct {
	text, list string
	pattern    tiers.Pattern
	line       int
}

// maxCompared bounds how many entries are held against each other.
const maxCompared = 400

// protocolSense looks at entries that are right by themselves and do nothing, or say two things.
func (d *doctor) protocolSense(p *tiers.Protocol, data []byte) {
	root, err := canonjson.Parse(protocolFile, data, protocolLimits)
	if err != nil || p.Legacy() {
		return
	}
	var entries []protocolEntry
	seen := map[string]string{} // the list that an entry stood in first
	for _, tier := range tiers.TierNames() {
		allows := tier != tiers.Tier3Blocking.String()
		for _, kind := range [...]string{"shell_patterns", "aioson_commands"} {
			list := tier + "." + kind
			for v := range root.At("tiers", tier, kind).Items() {
				text := strings.TrimSpace(v.Text())
				first, twice := seen[kind+" "+text]
				switch {
				case !twice:
					seen[kind+" "+text] = list
				case first == list:
					d.add(severityWarning, "duplicate_entry", protocolFile, lineOf(data, v), list+": "+text+" stands here twice", "take one of them out")
				case allows:
					d.add(severityWarning, "contradiction", protocolFile, lineOf(data, v), fmt.Sprintf("%s is in %s and in %s: the first that a tool derives counts", text, first, list), "take it out of one of them")
				}
				if !twice && allows && kind == "shell_patterns" {
					if pattern, err := tiers.ParsePattern(text); err == nil && !pattern.DenyOnly() {
						entries = append(entries, protocolEntry{text, list, pattern, lineOf(data, v)})
					}
				}
			}
		}
	}
	d.shadowedEntries(entries)
	d.neverAllowed(p, entries)
	for v := range root.At("tiers", tiers.Tier2Notified.String(), "write_paths").Items() {
		d.writePath(p, strings.TrimSpace(v.Text()), lineOf(data, v))
	}
	for tool := range p.Tools() {
		if lowest := p.EffectiveMode(tool.Name, ""); lowest != tool.Mode {
			d.add(severityNote, "mode_lowered", protocolFile, lineOf(data, root.At("tools", tool.Name, "mode")), fmt.Sprintf("tools.%s.mode is %s, and global_mode lowers it to %s; the agents' files name the tool's own", tool.Name, tool.Mode, lowest), "write the mode that is meant in both places")
		}
	}
	d.protocolAgents(root, data)
}

// shadowedEntries warns about entries that lie wholly inside another of the same list, or of a list that is silent where
// theirs would notify.
func (d *doctor) shadowedEntries(entries []protocolEntry) {
	if len(entries) > maxCompared {
		return
	}
	for _, e := range entries {
		i := slices.IndexFunc(entries, func(other protocolEntry) bool {
			return other.text != e.text && e.pattern.Inside(other.pattern) && !(other.pattern.Inside(e.pattern) && other.line >= e.line)
		})
		if i >= 0 {
			d.add(severityWarning, "shadowed_entry", protocolFile, e.line, fmt.Sprintf("%s: %s is inside %s of %s, which allows it already", e.list, e.text, entries[i].text, entries[i].list), "take one of them out")
		}
	}
}

// sampleWords stand for a star, to see what is made of it: files and subcommands.
var sampleWords = []string{"x", "a/b.txt", "status", "list", "show", "."}

// neverAllowed warns about entries whose commands are asked about all the same, since what the star stands for is code.
func (d *doctor) neverAllowed(p *tiers.Protocol, entries []protocolEntry) {
	judge := tiers.Evaluator{Protocol: p}
	for _, e := range entries[:min(len(entries), maxCompared)] {
		if !strings.Contains(e.text, "*") {
			continue
		}
		var why tiers.Reason
		asks := func(word string) bool {
			v := judge.Evaluate(strings.ReplaceAll(e.text, "*", word))
			for _, part := range v.Deciding() {
				if v.Decision == tiers.Ask && slices.Contains([]tiers.Reason{tiers.ReasonExecutesCode, tiers.ReasonRunner, tiers.ReasonEvaluatedData}, part.Reason) {
					why = part.Reason
					return true
				}
			}
			return false
		}
		if !slices.ContainsFunc(sampleWords, func(word string) bool { return !asks(word) }) {
			d.add(severityWarning, "never_allowed", protocolFile, e.line, fmt.Sprintf("%s: %s asks all the same: %s", e.list, e.text, why.Meaning()), "name program and target, as npm run build, or take the entry out")
		}
	}
}

// writePath warns about a path that nothing may be written below for all that it is listed.
func (d *doctor) writePath(p *tiers.Protocol, glob string, line int) {
	why := ""
	if slices.Contains(strings.Split(glob, "/"), "..") {
		why = "a path with .. in it is asked about"
	} else {
		v := tiers.Evaluator{Protocol: p, Root: "/r", Dir: "/r"}.Evaluate("echo x > '" + strings.NewReplacer("**", "x", "*", "x", "'", "").Replace(glob) + "'")
		if v.Decision == tiers.Block || slices.Contains(v.Reasons(), tiers.ReasonControlFile) {
			why = "it is a control file, which is looked at first"
		}
	}
	if why == "" && slices.ContainsFunc(controlSamples, func(file string) bool { return globMatches(glob, file) }) {
		d.add(severityNote, "write_path_overlap", protocolFile, line, "write_paths: "+glob+" covers files that bound an agent, and those stay blocked", "")
	}
	if why != "" {
		d.add(severityWarning, "dead_write_path", protocolFile, line, "write_paths: "+glob+" never allows anything: "+why, "take it out")
	}
}

// protocolAgents holds the agents that the protocol names against those that have an envelope.
func (d *doctor) protocolAgents(root canonjson.Value, data []byte) {
	named := root.Get("agents")
	if len(d.agents) == 0 || named.Empty() {
		return
	}
	meant := map[string]bool{}
	for k := range named.Members() {
		name := k.Text()
		if slices.Contains(d.agents, name) {
			continue
		}
		if near := nearest.Of(name, d.agents); near != "" && !named.Get(near).Exists() {
			meant[near] = true
			d.add(severityWarning, "unknown_agent", protocolFile, lineOf(data, k), fmt.Sprintf("agents.%s: no agent of that name has an envelope; did you mean %s?", name, near), "write "+near)
		} else {
			d.add(severityNote, "unknown_agent", protocolFile, lineOf(data, k), fmt.Sprintf("agents.%s has no envelope, so it needs full supervision for everything", name), "ambit envelope init "+shellWord(name)+" --root .")
		}
	}
	var unnamed []string
	for _, name := range d.agents {
		if !named.Get(name).Exists() && !meant[name] {
			unnamed = append(unnamed, name)
		}
	}
	if len(unnamed) > 0 {
		more := ""
		if n := len(unnamed) - 3; n > 0 {
			unnamed, more = unnamed[:3], fmt.Sprintf(" and %d more", n)
		}
		d.add(severityNote, "unknown_agent", protocolFile, lineOf(data, named), "agents does not name "+strings.Join(unnamed, ", ")+more+", so no mode of their own bounds them", "")
	}
}

// controlSamples are files that bound an agent.
var controlSamples = []string{claudeSettings, codexConfig, "opencode.json", cursorHooks, geminiSettings, protocolFile, harness.LedgerPath, envelope.Folder + "/a/" + envelope.FileName}

// globMatches reports whether a glob of write_paths covers a file: a star is within a folder, two stars are over folders.
func globMatches(glob, file string) bool {
	pattern := strings.ReplaceAll(strings.ReplaceAll(regexp.QuoteMeta(strings.TrimPrefix(glob, "./")), `\*\*`, ".*"), `\*`, "[^/]*")
	re, err := regexp.Compile("^" + pattern + "$")
	return err == nil && re.MatchString(file)
}
