package main

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ambit/campaign"
	"example.com/ambit/envelope"
	"example.com/ambit/internal/canonjson"
	"example.com/ambit/tiers"
	"example.com/ambit/turnenvelope"
)

const protocolFile = tiers.ProtocolPath

// envelopes looks at every agent's envelope.
func (d *doctor) envelopes() {
	if !d.exists(envelope.Folder) {
		return
	}
	dir := envelopeDirAt(d)
	all, err := dir.List()
	if err != nil {
		d.faults(envelope.Folder, "unreadable", err, "")
		return
	}
	for l := range all {
		file := path.Join(envelope.Folder, l.Agent, envelope.FileName)
		d.found(file, "envelope")
		doc, err := dir.Get(l.Agent)
		if l.Err != nil {
			err = l.Err // also where the folder's name is none that an agent can have
		}
		if d.faults(file, "envelope", err, "mend it, then ambit envelope check") {
			continue
		}
		d.frontmatterSchema(file, doc.Bytes())
		for _, w := range doc.Warnings() {
			row := envelopeFindings[w.Code]
			d.add(row.severity, w.Code, file, 0, w.Message, row.fix)
		}
		e := doc.Envelope()
		switch {
		case e.FutureUpdated(d.now):
			d.add(severityWarning, envelope.WarnFutureUpdated, file, 0, fmt.Sprintf("updated is %s, which is still to come", envelopeTime(e.Updated)), "set the clock right, then record an act with ambit envelope set")
		case e.Stale(d.now):
			d.add(severityWarning, "stale", file, 0, fmt.Sprintf("not touched for %d days", e.AgeDays(d.now)), staleFix(e))
		}
	}
}

func envelopeDirAt(d *doctor) envelope.Dir { return envelope.Dir{Root: d.folder} }

// staleFix is a review of the first task type, or of one that is to be recorded.
func staleFix(e *envelope.Envelope) string {
	task, state := "TASK", "STATE"
	if len(e.TaskTypes) > 0 {
		task, state = e.TaskTypes[0].ID, e.TaskTypes[0].State.String()
	}
	return fmt.Sprintf("ambit envelope set %s %s %s --note \"reviewed\"", e.Agent, task, state)
}

// envelopeFindings says how bad a warning of an envelope is here: a body that does not show the record is out of step.
var envelopeFindings = map[string]struct{ severity, fix string }{
	envelope.WarnTableDrift:   {severityError, "ambit envelope check --fix"},
	envelope.WarnConflict:     {severityError, "resolve the conflict in an editor"},
	envelope.WarnHistoryDrift: {severityWarning, "record the state with a note: ambit envelope set AGENT TASK STATE --note TEXT"},
	envelope.WarnNoHistory:    {severityWarning, "record the state with a note: ambit envelope set AGENT TASK STATE --note TEXT"},
}

// protocol looks at the protocol, its notices and its schema.
func (d *doctor) protocol() {
	data, ok := d.read(protocolFile, "protocol", tiers.MaxProtocolBytes)
	if !ok {
		return
	}
	p, err := tiers.Parse(protocolFile, data)
	if d.faults(protocolFile, "protocol", err, "mend it, then ambit tiers show") {
		return
	}
	d.protocolHere = p
	d.jsonSchema("protocol", protocolFile, data, canonjson.Limits{MaxBytes: tiers.MaxProtocolBytes, MaxDepth: tiers.MaxProtocolDepth, AllowBOM: true})
	for _, n := range p.Notices() {
		message := n.Message
		if n.Key != "" {
			message = n.Key + ": " + message
		}
		d.add(severityWarning, string(n.Code), protocolFile, n.Line, message, protocolFixes[n.Code])
	}
}

// protocolFixes says what to do about a notice of a protocol.
var protocolFixes = map[tiers.NoticeCode]string{
	tiers.NoticeUnknownTool:    "write the tool as one of claude, codex, opencode, or take it out",
	tiers.NoticeUnknownField:   "take the field out, or write the one that was meant",
	tiers.NoticeNoTier3:        "add tiers.tier3_blocking, for example from ambit tiers show of a folder without a protocol",
	tiers.NoticeDeadTiers:      `set version to "1.1", or move the entries to whitelists`,
	tiers.NoticeDeadWhitelist:  "take the whitelist out, or move its entries to a tier",
	tiers.NoticeTier3Listed:    "take tier3_blocking out of derived_from_tiers: it is denied anyway",
	tiers.NoticeTier3Dropped:   "take the entry out: it can never be allowed",
	tiers.NoticeTier3Overlap:   "write the entry narrower; ambit tiers show names both",
	tiers.NoticeNotAnAllow:     "take the entry out: only a deny list can hold a pipeline or redirect",
	tiers.NoticeMatchesNothing: "close the quote",
	tiers.NoticeSuspiciousText: "type the entry anew",
}

// skippedFolders are never looked into; neither are those with a leading dot.
var skippedFolders = []string{"node_modules", "testdata", "vendor"}

// Bounds of the search for documents that may lie anywhere.
const (
	maxSearched    = 20_000 // entries of folders
	maxSearchDepth = 8
)

// scattered looks for campaigns and turn envelopes. Links are not followed.
func (d *doctor) scattered() {
	campaigns := map[string]int{}
	var turns []string
	seen := 0
	err := filepath.WalkDir(d.folder, func(p string, e fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(d.folder, p)
		if err != nil || relErr != nil || rel == "." {
			return nil // what cannot be listed holds nothing that could be found
		}
		if seen++; seen > maxSearched {
			return fs.SkipAll
		}
		rel = filepath.ToSlash(rel)
		if e.IsDir() {
			if strings.HasPrefix(e.Name(), ".") || slices.Contains(skippedFolders, e.Name()) || strings.Count(rel, "/") >= maxSearchDepth {
				return fs.SkipDir
			}
			return nil
		}
		switch name := e.Name(); {
		case name == campaign.PolicyFile:
			campaigns[path.Dir(rel)] += 2
		case name == campaign.GapsFile, name == campaign.LedgerFile, name == campaign.ProtocolFile:
			campaigns[path.Dir(rel)]++
		case name == "turn-envelope.json", strings.HasSuffix(name, ".turn-envelope.json"), strings.HasSuffix(name, ".turn.json"):
			turns = append(turns, rel)
		}
		return nil
	})
	d.faults(".", "unreadable", err, "")
	if seen > maxSearched {
		d.add(severityNote, "search_bounded", ".", 0, fmt.Sprintf("only the first %d files were looked at for campaigns and turn envelopes", maxSearched), "ambit doctor --root FOLDER, for a part")
	}
	for _, folder := range sortedKeys(campaigns) {
		if campaigns[folder] >= 2 {
			d.campaign(folder)
		}
	}
	for _, file := range turns {
		d.turn(file)
	}
}

// campaignSchemas names the schema of each of a campaign's documents.
var campaignSchemas = map[string]string{
	campaign.GapsFile: "coverage-gaps", campaign.PolicyFile: "campaign-policy",
	campaign.LedgerFile: "failed-digests", campaign.ProtocolFile: "projection-protocol",
}

// campaign looks at the four documents of a campaign. No builder is asked, so only what the documents say by themselves
// is judged.
func (d *doctor) campaign(folder string) {
	in, err := campaign.Load(d.path(folder))
	d.faults(folder, "unreadable", err, "")
	texts := map[string][]byte{}
	for _, name := range sortedKeys(campaignSchemas) {
		if data, ok := d.read(path.Join(folder, name), "campaign", campaign.MaxDocument); ok {
			texts[name] = data
		}
	}
	refused := map[string]bool{}
	for _, f := range campaign.Evaluate(context.Background(), in, nil).Findings {
		name, pointer, _ := strings.Cut(f.Subject, "#")
		if _, document := campaignSchemas[name]; !document || f.Code == campaign.PlanAlreadyFailed {
			continue // about the packet and its builder
		}
		refused[name] = true
		line := 0
		if root, err := canonjson.Parse(name, texts[name], canonjson.Limits{MaxBytes: campaign.MaxDocument}); err == nil && pointer != "" {
			line = lineOf(texts[name], follow(root, strings.Split(pointer, "/")[1:]))
		}
		message := f.Message
		if pointer != "" {
			message = pointer + ": " + message
		}
		d.add(severityError, string(f.Code), path.Join(folder, name), line, message, "mend it, then ambit campaign run "+shellWord(folder)+" --out DIR")
	}
	for _, name := range sortedKeys(texts) {
		if !refused[name] {
			d.jsonSchema(campaignSchemas[name], path.Join(folder, name), texts[name], canonjson.Limits{MaxBytes: campaign.MaxDocument})
		}
	}
}

// turn looks at a stored turn envelope: what it says of itself must be true, and its shape that of one.
func (d *doctor) turn(file string) {
	data, ok := d.read(file, "turn envelope", turnenvelope.MaxBytes)
	if !ok {
		return
	}
	const fix = "ambit turn project DECISION"
	_, err := turnenvelope.ParseEnvelope(file, data)
	if d.faults(file, "turn_envelope", err, fix) {
		return
	}
	if a := turnenvelope.Accept(data); a.Disposition == turnenvelope.Refused {
		root, _ := canonjson.Parse(file, data, turnLimits)
		for _, r := range a.Reasons {
			d.add(severityError, r.Code, file, lineOf(data, follow(root, strings.Split(r.Pointer, "/")[1:])), r.Message, fix+"; ambit turn explain "+shellWord(file)+" says more")
		}
		return
	}
	d.jsonSchema("turn-envelope", file, data, turnLimits)
}

var turnLimits = canonjson.Limits{MaxBytes: turnenvelope.MaxBytes, MaxDepth: 512}

// shellWord quotes a path for a shell where it must be.
func shellWord(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool {
		return r > 0x7e || !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-+=:@%", r)
	}) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}
