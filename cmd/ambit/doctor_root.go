package main

import (
	"os"
	"path/filepath"

	"example.com/ambit/envelope"
	"example.com/ambit/harness"
	"example.com/ambit/tiers"
)

// projectMarks are what makes a folder one whose documents belong together. A star is any name.
var projectMarks = []string{
	".aioson", harness.LedgerPath, envelope.Folder + "/*/" + envelope.FileName, claudeSettings, claudeLocal, codexConfig, codexHooks, codexRulesFolder, ".codex/permissions.json",
	"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc", ".opencode/permissions.yaml", geminiSettings, cursorSettings, cursorHooks, ".github/hooks/*.json",
	systemFile, applicationsFolder + "/*/" + renderedFile,
}

// doctorRoot is the folder to look at: --root, AMBIT_ROOT, the current folder where it is a project, else the nearest one
// above that is, up to the root of the repository. A person's home is none of it unless one stands there: what lies in it
// is that person's own settings.
func (c *call) doctorRoot() string {
	if _, given := c.flag("root"); given || c.env["AMBIT_ROOT"] != "" {
		return c.root()
	}
	at, err := os.Getwd()
	if err != nil {
		return "."
	}
	home := c.env["HOME"]
	for up := "."; ; up = filepath.Join(up, "..") {
		if (up == "." || at != home) && isProject(up) {
			return up
		}
		if _, err := os.Lstat(filepath.Join(up, ".git")); err == nil || at == filepath.Dir(at) {
			return "."
		}
		at = filepath.Dir(at)
	}
}

func isProject(folder string) bool {
	for _, mark := range projectMarks {
		if found, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(mark))); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// protocolAbove says that a folder above has a protocol of its own: a hook that its agent does not tell the project's
// folder judges by the outermost.
func (d *doctor) protocolAbove() {
	at := d.absolute()
	if at == "" || len(d.documents) == 0 {
		return
	}
	outer := ""
	for folder := filepath.Dir(at); ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(tiers.ProtocolPath))); err == nil {
			outer = folder
		}
		if folder == filepath.Dir(folder) {
			break
		}
	}
	if rel, err := filepath.Rel(at, outer); outer != "" && err == nil {
		d.add(severityNote, "protocol_above", protocolFile, 0, filepath.ToSlash(rel)+" has a protocol too, and a hook that is not told the project's folder judges by the outermost", "give the hook --root, or keep one protocol")
	}
}
