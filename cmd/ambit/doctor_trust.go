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
	switch trustOf(d.absolute(), err == nil, func(folder string) bool { return state.At("projects", folder, "hasTrustDialogAccepted").True() }) {
	case trustUnknown:
		d.add(severityNote, "trust_unknown", claudeSettings, 0, "allow rules wait for the trust dialog, and claude -p never shows it; whether it was accepted cannot be seen here. Deny rules hold at once", claudeTrust)
	case trustAbove:
		d.add(severityNote, "trust_unknown", claudeSettings, 0, "allow rules wait for the trust dialog, which was accepted for a folder above and not for this one", claudeTrust)
	case trustNone:
		d.add(severityWarning, "not_in_force", claudeSettings, 0, fmt.Sprintf("the trust dialog of this folder was not accepted, so its %s do nothing yet, and with claude -p they never will; deny rules hold", plural(allows, "allow rule")), claudeTrust)
	}
}

// How far a person's own settings say that a folder is trusted.
const (
	trustUnknown = iota // they cannot be read
	trustNone
	trustAbove // a folder above is, which an agent may let count for this one
	trustHere
)

// trustOf looks for the trust in a folder. known is whether the settings could be read.
func trustOf(folder string, known bool, trusted func(folder string) bool) int {
	switch {
	case !known:
		return trustUnknown
	case trusted(folder):
		return trustHere
	}
	for up := filepath.Dir(folder); ; folder, up = up, filepath.Dir(up) {
		if up == folder {
			return trustNone
		}
		if trusted(up) {
			return trustAbove
		}
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
	trusted, known := codexTrusts(d.home(".codex/config.toml"))
	switch trustOf(d.absolute(), known, trusted) {
	case trustUnknown:
		d.add(severityNote, "trust_unknown", file, 0, "Codex reads rules and hooks of a trusted project only; whether this one is cannot be seen here", codexTrustFix)
	case trustAbove:
		d.add(severityNote, "trust_unknown", file, 0, "Codex reads rules and hooks of a trusted project only, and it trusts a folder above and not this one", codexTrustFix)
	case trustNone:
		d.add(severityWarning, "not_in_force", file, 0, "Codex does not trust this project, so it reads none of its rules and hooks", codexTrustFix)
	}
}

// codexTrusts tells by a person's own settings of Codex which folders are trusted; known is false where they are not there
// or cannot be read.
func codexTrusts(config []byte) (trusted func(folder string) bool, known bool) {
	settings, err := parseTOML("", config)
	projects, _ := settings["projects"].(map[string]any)
	return func(folder string) bool {
		project, _ := projects[folder].(map[string]any)
		return project["trust_level"] == "trusted"
	}, config != nil && err == nil
}

// readQuietly reads a file of the person's own; whatever goes wrong is nothing known.
func readQuietly(file string) []byte {
	data, _, err := atomicfile.Read("", file, 64<<20)
	if err != nil {
		return nil
	}
	return data
}
