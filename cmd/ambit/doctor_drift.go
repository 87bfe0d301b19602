package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/ambit/harness"
	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
	"example.com/ambit/tiers"
)

// materialized holds the agents' files against what the protocol makes of them. Where nothing was ever written, a file
// that differs is a person's own and only a warning.
func (d *doctor) materialized() {
	if !d.ledger() {
		return
	}
	if d.protocolHere == nil {
		if d.exists(harness.LedgerPath) && !d.exists(protocolFile) && !d.blocked(protocolFile) && !d.fromDefault() {
			d.add(severityError, "protocol_missing", protocolFile, 0, "the agents' files were written from a protocol that is not here any more", "put the protocol back, or take the agents' rules out")
		}
		return
	}
	if d.crowded {
		return
	}
	states, err := harness.Check(d.folder, d.protocolHere)
	const fix = materializeFix
	if d.faults(harness.LedgerPath, "ledger", err, "") {
		return
	}
	d.fingerprints(states)
	written := d.exists(harness.LedgerPath)
	severity := severityWarning
	if written {
		severity = severityError
	}
	absent := 0
	for _, s := range states {
		switch s.State {
		case harness.InSync:
		case harness.Missing:
			if absent++; written && !d.blocked(s.Path) {
				d.add(severityError, s.State.String(), s.Path, 0, "the protocol is written to the other agents' files and not to this one", fix)
			}
		case harness.Drifted:
			d.add(severity, s.State.String(), s.Path, 0, "it is not what the protocol makes of it; ambit tiers check shows the difference", fix)
		case harness.Edited:
			d.add(severity, s.State.String(), s.Path, 0, "it was edited since it was written; ambit tiers check shows the difference. What is to stay of it belongs into the protocol", fix+" --force")
		default:
			for _, e := range fault.All(s.Err) {
				if !d.knows(s.Path, e.Code) {
					d.add(severityError, e.Code, s.Path, e.Line, e.Message(), cmp.Or(e.Hint, fix))
				}
			}
			if len(fault.All(s.Err)) == 0 {
				d.faults(s.Path, "unknown", s.Err, fix)
			}
		}
	}
	if !written && absent > 0 {
		d.add(severityNote, "not_materialized", protocolFile, 0, fmt.Sprintf("%d of the agents' files are not there, so the agents know nothing of the protocol", absent), fix)
	}
}

// ledger looks at what is kept of the files that were written, and reports whether it can be relied on: a whole file that
// has another fingerprint there than on the disk will be taken for edited.
func (d *doctor) ledger() bool {
	data, ok := d.fetch(harness.LedgerPath, harness.MaxFile)
	if !ok {
		return !d.exists(harness.LedgerPath)
	}
	root, err := canonjson.Parse(harness.LedgerPath, data, settingsLimits)
	if err != nil {
		return !d.faults(harness.LedgerPath, "ledger", err, "mv "+harness.LedgerPath+" "+harness.LedgerPath+".broken")
	}
	for file, record := range root.Get("files").Members() {
		if v := record.Get("sha256"); !fingerprint.MatchString(v.Text()) {
			d.add(severityWarning, "ledger_mismatch", harness.LedgerPath, lineOf(data, v), file.Text()+": its fingerprint is none", materializeFix+" --force")
		}
		if record.Get("pending").Is(canonjson.KindObject) {
			d.add(severityWarning, "unfinished_run", harness.LedgerPath, lineOf(data, file), file.Text()+": a run that wrote it was cut off; the next one completes it", materializeFix)
		}
	}
	return true
}

var fingerprint = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// fingerprints compares whole files that are in step with what the ledger says of them.
func (d *doctor) fingerprints(states []harness.FileState) {
	data := readQuietly(d.path(harness.LedgerPath))
	root, err := canonjson.Parse(harness.LedgerPath, data, settingsLimits)
	if err != nil {
		return
	}
	for _, s := range states {
		kept := root.At("files", s.Path, "sha256")
		live, ok := d.glance(s.Path)
		if s.State == harness.InSync && slices.Contains(wholeFiles, s.Path) && ok && fingerprint.MatchString(kept.Text()) && kept.Text() != canonjson.HashBytes(live) {
			d.add(severityWarning, "ledger_mismatch", harness.LedgerPath, lineOf(data, kept), s.Path+": it has another fingerprint here than the file, so the next change to it will be refused", materializeFix+" --force")
		}
	}
}

// wholeFiles are those that are written from the protocol as a whole.
var wholeFiles = []string{harness.CodexPermissions.Path(), harness.OpenCodePermissions.Path(), harness.CodexRules.Path()}

const materializeFix = "ambit tiers materialize"

// fromDefault reports whether the agents' files that are here are what the built-in protocol makes of them.
func (d *doctor) fromDefault() bool {
	if d.crowded {
		return true
	}
	states, err := harness.Check(d.folder, tiers.Default())
	if err != nil {
		return false
	}
	here := slices.DeleteFunc(states, func(s harness.FileState) bool { return s.State == harness.Missing })
	return len(here) > 0 && harness.InStep(here) == nil
}

// knows reports whether a fault of a file is said already: the reader of the file and the one that would write it find the
// same, and neither finds more once the text is broken.
func (d *doctor) knows(file, code string) bool {
	return d.blocked(file) || slices.ContainsFunc(d.findings, func(f finding) bool {
		return f.File == file && (f.Code == code || strings.HasPrefix(code, "json") && strings.HasPrefix(f.Code, "json"))
	})
}
