package main

import (
	"fmt"
	"path/filepath"

	"example.com/ambit/internal/atomicfile"
	"example.com/ambit/internal/canonjson"
)

// claudeTrust says whether the project's allow rules are in force: they wait for the trust dialog, and claude -p never
// shows one.
func (d *doctor) claudeTrust(allows int) {
	state, err := canonjson.Parse("", d.home(".claude.json"), canonjson.Limits{MaxBytes: 64 << 20, AnyNumber: true})
	switch {
	case err != nil:
		d.add(severityNote, "trust_unknown", claudeSettings, 0, "allow rules wait for the trust dialog, and claude -p never shows it; whether it was accepted cannot be seen here. Deny rules hold at once", claudeTrust)
	case !state.At("projects", d.absolute(), "hasTrustDialogAccepted").True():
		d.add(severityWarning, "not_in_force", claudeSettings, 0, fmt.Sprintf("the trust dialog of this folder was not accepted, so its %s do nothing yet, and with claude -p they never will; deny rules hold", plural(allows, "allow rule")), claudeTrust)
	}
}

// absolute gives the root as an agent's own records spell it.
func (d *doctor) absolute() string {
	abs, err := filepath.Abs(d.folder)
	if err != nil {
		return ""
	}
	return abs
}

// home reads a file of the person's own, which says which projects are trusted. It is not a document of this folder.
func (d *doctor) home(file string) []byte {
	home := d.env["HOME"]
	if home == "" {
		home = d.env["USERPROFILE"]
	}
	if home == "" {
		return nil
	}
	return readQuietly(filepath.Join(home, filepath.FromSlash(file)))
}

const codexTrustFix = "open the folder in Codex once and trust it, and review its hooks there"

// codexTrust says whether Codex reads this project's rules and hooks at all.
func (d *doctor) codexTrust() {
	const file = ".codex"
	config := d.home(".codex/config.toml")
	switch {
	case config == nil:
		d.add(severityNote, "trust_unknown", file, 0, "Codex reads rules and hooks of a trusted project only; whether this one is cannot be seen here", codexTrustFix)
	case !tomlTrusts(string(config), d.absolute()):
		d.add(severityWarning, "not_in_force", file, 0, "Codex does not trust this project, so it reads none of its rules and hooks", codexTrustFix)
	}
}

// tomlTrusts looks for the project's table and its trust_level.
func tomlTrusts(config, root string) bool {
	settings, err := parseTOML("", []byte(config))
	if err != nil {
		return false
	}
	projects, _ := settings["projects"].(map[string]any)
	project, _ := projects[root].(map[string]any)
	return project["trust_level"] == "trusted"
}

// readQuietly reads a file of the person's own; whatever goes wrong is nothing known.
func readQuietly(file string) []byte {
	data, _, err := atomicfile.Read("", file, 64<<20)
	if err != nil {
		return nil
	}
	return data
}
