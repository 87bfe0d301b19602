package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"

	"example.com/ambit/internal/fault"
	"example.com/ambit/tiers"
	"example.com/ambit/tiers/eventlog"
)

func doctorCommands() []command {
	return []command{{
		name: "doctor", about: "everything that is wrong in this folder, and the command that mends it",
		detail: "Looks at whatever of the documents is here: agents/*/autonomy-envelope.md, " + protocolFile + ",\n" +
			"the settings and hooks of coding agents, system.yaml and applications/*/autonomy.json. Further, anywhere but in hidden\n" +
			"folders, testdata, vendor and node_modules: folders that hold campaign_policy.json or two of a campaign's four documents,\n" +
			"and turn envelopes, which are files named turn-envelope.json, *.turn-envelope.json or *.turn.json.\n" +
			"Each is held to its rules and to its JSON Schema, what is derived to what it is derived from, and what is written to what\n" +
			"the agents really read. Without --root and AMBIT_ROOT, a folder that has none of the first looks at the nearest one above\n" +
			"that has, as far as the repository goes. Exit 2 when there is an error; warnings and notes alone are 0. Nothing is changed and nothing is run.",
		example: "ambit doctor --format json",
		flags: append([]flagDef{
			{name: "ask-engines", about: "ask the engines of system.yaml whether they are supervised; without it no network is used"},
		}, systemNetFlags()[:2]...),
		run: runDoctor,
	}}
}

// The severities of a finding. Only an error changes the exit code.
const (
	severityError   = "error"   // invalid, out of step, or ignored by its reader
	severityWarning = "warning" // does not do what it seems to
	severityNote    = "note"    // true, and no fault
)

// finding is one thing that doctor has to say about one file.
type finding struct {
	Severity string  `json:"severity"`
	Code     string  `json:"code"`
	File     string  `json:"file"` // below the root, slash-separated; "." is the root
	Line     *int    `json:"line"`
	Message  string  `json:"message"`
	Fix      *string `json:"fix"` // a command, or what to edit
}

// examined is one document that doctor looked at.
type examined struct {
	File string `json:"file"`
	Kind string `json:"kind"`
}

// doctor collects what there is to say about one root.
type doctor struct {
	*call
	folder       string
	documents    []examined
	findings     []finding
	listed       map[string][]string // the folders that were listed so far, and what is in them
	agents       []string            // that have an envelope
	crowded      bool                // a file has more rules than can be compared
	ruled        int                 // rules that were looked at one by one so far
	protocolHere *tiers.Protocol     // nil where there is none that is valid
}

func runDoctor(c *call) int {
	d := &doctor{call: c, folder: c.doctorRoot(), documents: []examined{}, findings: []finding{}}
	if info, err := os.Stat(d.folder); err != nil || !info.IsDir() {
		if err == nil {
			err = fmt.Errorf("%s: not a folder", d.folder)
		}
		c.fail("root", hinted{err, "say where with --root or AMBIT_ROOT"})
		return exitRefused
	}
	for _, look := range [...]func(){d.envelopes, d.protocol, d.misplaced, d.bootstrap, d.eventLogFile, d.claude, d.codex, d.openCode, d.gemini, d.cursor, d.copilot, d.materialized, d.system, d.scattered, d.protocolAbove} {
		look()
	}
	d.sort()
	if c.json {
		d.writeJSON()
	} else {
		d.writeText()
	}
	if d.count(severityError) > 0 {
		return exitRefused
	}
	return exitOK
}

// sort puts findings in the order of their documents, the worst of each first, each once.
func (d *doctor) sort() {
	order := map[string]int{}
	for i, doc := range d.documents {
		if _, seen := order[doc.File]; !seen {
			order[doc.File] = i + 1
		}
	}
	rank := func(f finding) int {
		if i := order[f.File]; i > 0 {
			return i
		}
		return len(d.documents) + 1
	}
	line := func(f finding) int {
		if f.Line == nil {
			return 0
		}
		return *f.Line
	}
	severity := map[string]int{severityError: 0, severityWarning: 1, severityNote: 2}
	type key struct {
		severity, code, file, message string
		line                          int
	}
	said := map[key]bool{}
	d.findings = slices.DeleteFunc(d.findings, func(f finding) bool {
		k := key{f.Severity, f.Code, f.File, f.Message, line(f)}
		again := said[k]
		said[k] = true
		return again
	})
	slices.SortStableFunc(d.findings, func(a, b finding) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.File, b.File), cmp.Compare(severity[a.Severity], severity[b.Severity]), cmp.Compare(line(a), line(b)))
	})
}

func (d *doctor) count(severity string) (n int) {
	for _, f := range d.findings {
		if f.Severity == severity {
			n++
		}
	}
	return n
}

// add reports one finding. line 0 is unknown; fix may be empty.
func (d *doctor) add(severity, code, file string, line int, message, fix string) {
	d.findings = append(d.findings, finding{severity, code, file, optional(line), message, optional(fix)})
}

// faults reports every problem inside an error, each an error of the file, and whether there was one.
func (d *doctor) faults(file, code string, err error, fix string) bool {
	if err == nil {
		return false
	}
	all := fault.All(err)
	for _, e := range all {
		d.add(severityError, e.Code, file, e.Line, e.Message(), cmp.Or(fix, e.Hint))
	}
	if len(all) == 0 {
		d.add(severityError, code, file, 0, err.Error(), fix)
	}
	return true
}

// found notes that a document is there.
func (d *doctor) found(file, kind string) { d.documents = append(d.documents, examined{file, kind}) }

const bootstrapFolder = ".aioson/context/bootstrap"

// bootstrap warns where a project of the framework lacks the folder of its memory; it never blocks.
func (d *doctor) bootstrap() {
	if !d.exists(".aioson") {
		return
	}
	info, err := os.Stat(d.path(bootstrapFolder))
	switch {
	case err == nil && info.IsDir():
	case d.exists(bootstrapFolder):
		d.add(severityWarning, "bootstrap_missing", bootstrapFolder, 0, "it is no folder, and tier2 commands keep the project's memory in one", "mv "+bootstrapFolder+" "+bootstrapFolder+".file && mkdir "+bootstrapFolder)
	default:
		d.add(severityWarning, "bootstrap_missing", bootstrapFolder, 0, "the folder that tier2 commands keep the project's memory in is not there", "mkdir -p "+bootstrapFolder)
	}
}

// eventLogFile looks at the file that notices are recorded in, without opening it as a database.
func (d *doctor) eventLogFile() {
	file := eventlog.Path
	info, err := os.Stat(d.path(file))
	if err != nil || !info.Mode().IsRegular() {
		d.fetch(file, 0)
		return
	}
	f, err := os.Open(d.path(file))
	if err != nil {
		d.unreadable(file, err)
		return
	}
	defer func() { _ = f.Close() }()
	const magic = "SQLite format 3\x00"
	head := make([]byte, len(magic))
	if n, _ := io.ReadFull(f, head); n > 0 && string(head[:n]) != magic {
		d.add(severityError, "not_a_database", file, 0, "it is no SQLite file, so no notice is recorded", "mv "+file+" "+file+".broken")
	}
}
