package main

import (
	"fmt"
	"path/filepath"
	"strings"
)

// hang is how far the text of a finding stands from the edge.
const hang = 11

func (d *doctor) writeJSON() {
	writeJSON(d.stdout, struct {
		Version   int        `json:"version"`
		Root      string     `json:"root"` // the folder that was looked at, as the command would be told it
		Findings  []finding  `json:"findings"`
		Documents []examined `json:"documents"`
		Errors    int        `json:"errors"`
		Warnings  int        `json:"warnings"`
		Notes     int        `json:"notes"`
	}{1, filepath.ToSlash(d.folder), d.findings, d.documents, d.count(severityError), d.count(severityWarning), d.count(severityNote)})
}

var severityColours = map[string]string{severityError: "1;31", severityWarning: "33", severityNote: "36"}

// writeText prints the findings below the file that they are about, and one line that sums them up.
func (d *doctor) writeText() {
	if _, given := d.flag("root"); filepath.Clean(d.folder) != "." && (given || d.env["AMBIT_ROOT"] == "") {
		writeWrapped(d.stdout, "", 0, "in "+printable(filepath.ToSlash(d.folder))+", where the commands below are to be run:")
	}
	file := ""
	for _, f := range d.findings {
		if f.File != file {
			file = f.File
			fmt.Fprintln(d.stdout, printable(file))
		}
		where := ""
		if f.Line != nil {
			where = fmt.Sprintf("line %d: ", *f.Line)
		}
		lead := fmt.Sprintf("  %s%s  ", d.paint(severityColours[f.Severity], f.Severity), strings.Repeat(" ", len(severityWarning)-len(f.Severity)))
		writeWrapped(d.stdout, lead, hang, printable(where+f.Message)+" ["+f.Code+"]")
		if f.Fix != nil {
			writeWrapped(d.stdout, "      fix  ", hang, printable(*f.Fix))
		}
	}
	if file != "" {
		fmt.Fprintln(d.stdout)
	}
	errors, warnings, notes := d.count(severityError), d.count(severityWarning), d.count(severityNote)
	documents := plural(len(d.documents), "document")
	switch {
	case len(d.documents) == 0 && len(d.findings) == 0:
		writeWrapped(d.stdout, "", 0, "nothing here that ambit knows; ambit envelope init AGENT, or ambit tiers materialize, would begin")
	case errors+warnings+notes == 0:
		fmt.Fprintf(d.stdout, "%s, nothing wrong\n", documents)
	default:
		fmt.Fprintf(d.stdout, "%s: %s, %s, %s\n", documents, plural(errors, "error"), plural(warnings, "warning"), plural(notes, "note"))
	}
}

// shellWord quotes a path or a name for a shell where it must be. Whatever comes out of a file passes it before it stands
// in a command that a person may copy.
func shellWord(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool {
		return r > 0x7e || !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-+=:@%", r)
	}) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}
