package main

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.com/ambit/envelope"
)

// maxEnvelope is more than any envelope that is read.
const maxEnvelope = 32 << 20

// envelopes looks at every agent's envelope.
func (d *doctor) envelopes() {
	if !d.exists(envelope.Folder) {
		return
	}
	dir := envelopeDirAt(d)
	all, err := dir.List()
	if err != nil {
		if d.list(envelope.Folder); !d.blocked(envelope.Folder) {
			d.faults(envelope.Folder, "unreadable", err, "")
		}
		return
	}
	for l := range all {
		d.agents = append(d.agents, l.Agent)
		file := path.Join(envelope.Folder, l.Agent, envelope.FileName)
		d.found(file, "envelope")
		doc, err := dir.Get(l.Agent)
		if l.Err != nil {
			err = l.Err // also where the folder's name is none that an agent can have
		}
		if err != nil {
			if _, ok := d.fetch(file, maxEnvelope); !ok {
				continue
			}
		}
		if d.faults(file, "envelope", err, "mend it, then ambit envelope check") {
			continue
		}
		before := len(d.findings)
		d.frontmatterSchema(file, doc.Bytes())
		for _, w := range doc.Warnings() {
			row := envelopeFindings[w.Code]
			d.add(row.severity, w.Code, file, 0, w.Message, row.fix(doc.Envelope(), w))
		}
		drifted := len(d.findings) > before
		e := doc.Envelope()
		switch {
		case e.FutureUpdated(d.now):
			d.add(severityWarning, envelope.WarnFutureUpdated, file, lineOfKey(doc.Bytes(), "updated"), fmt.Sprintf("updated is %s, which is still to come", envelopeTime(e.Updated)), reviewFix(e, ""))
		case e.Stale(d.now):
			d.add(severityWarning, "stale", file, 0, fmt.Sprintf("not touched for %d days", e.AgeDays(d.now)), reviewFix(e, ""))
		}
		d.envelopeSense(file, e, doc.Bytes(), drifted)
	}
	for _, name := range d.list(envelope.Folder) {
		file := path.Join(envelope.Folder, name, envelope.FileName)
		if slices.Contains(d.agents, name) || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
			continue
		}
		if at, why := d.culprit(file); why != nil && (at == file || d.isLink(at)) {
			d.unreadable(at, why)
		}
	}
}

func envelopeDirAt(d *doctor) envelope.Dir { return envelope.Dir{Root: d.folder} }

// reviewFix is a review of one task type, else of the first one, else the record of one.
func reviewFix(e *envelope.Envelope, task string) string {
	if t, recorded := e.Find(task); recorded {
		return fmt.Sprintf("ambit envelope set %s %s %s --note \"reviewed\"", e.Agent, t.ID, t.State)
	}
	if len(e.TaskTypes) > 0 {
		return reviewFix(e, e.TaskTypes[0].ID)
	}
	return fmt.Sprintf("record a first task type: ambit envelope set %s TASK STATE", e.Agent)
}

// envelopeFindings says how bad a warning of an envelope is here: a body that does not show the record is out of step.
var envelopeFindings = map[string]struct {
	severity string
	fix      func(e *envelope.Envelope, w envelope.Warning) string
}{
	envelope.WarnTableDrift: {severityError, func(e *envelope.Envelope, _ envelope.Warning) string {
		return "ambit envelope check --fix " + path.Join(envelope.Folder, e.Agent, envelope.FileName)
	}},
	envelope.WarnConflict:     {severityError, func(*envelope.Envelope, envelope.Warning) string { return "resolve the conflict in an editor" }},
	envelope.WarnHistoryDrift: {severityWarning, unexplainedFix},
	envelope.WarnNoHistory:    {severityWarning, unexplainedFix},
}

// unexplainedFix never offers to approve by itself what nobody is seen to have approved.
func unexplainedFix(e *envelope.Envelope, w envelope.Warning) string {
	task, _, _ := strings.Cut(w.Message, " ")
	t, _ := e.Find(task)
	if t.State == envelope.NeedsFullSupervision {
		return reviewFix(e, task)
	}
	return fmt.Sprintf("if a person approved it: %s; if not: ambit envelope set %s %s %s", reviewFix(e, task), e.Agent, task, envelope.NeedsFullSupervision)
}

// envelopeKeys are the keys that are read, of the frontmatter and of a task type.
var envelopeKeys, taskTypeKeys = []string{"agent", "owner", "updated", "taskTypes"}, []string{"id", "label", "state", "stateSince", "operatorNote"}

// expiryKeys are what people write to bound an approval in time, which nothing here reads.
var expiryKeys = []string{"expires", "expiresat", "expireson", "expiry", "expiration", "validuntil", "validto", "until", "validfrom"}

var titleAgent = regexp.MustCompile(`(?m)^# Autonomy envelope *(?:;|—|-) *([a-z0-9_-]+)[ \t\r]*$`)

// envelopeSense looks at what the rules of an envelope leave open, since more keys are allowed, and at times that do not
// agree with each other.
func (d *doctor) envelopeSense(file string, e *envelope.Envelope, data []byte, drifted bool) {
	front, err := envelope.Frontmatter(file, data)
	root, ok := front.(map[string]any)
	if err != nil || !ok {
		return
	}
	d.envelopeKeys(file, data, root, envelopeKeys, "")
	entries, _ := root["taskTypes"].([]any)
	for i, entry := range entries {
		if m, ok := entry.(map[string]any); ok {
			d.envelopeKeys(file, data, m, taskTypeKeys, fmt.Sprintf("taskTypes[%d]", i))
		}
	}
	var newest envelope.TaskType
	for _, t := range e.TaskTypes {
		if t.Since.After(newest.Since) {
			newest = t
		}
	}
	switch {
	case newest.Since.After(d.now):
		d.add(severityWarning, "future-state", file, lineOfKey(data, "stateSince"), fmt.Sprintf("%s is %s since %s, which is still to come", newest.ID, newest.State, envelopeTime(newest.Since)), unexplainedFix(e, envelope.Warning{Message: newest.ID + " "}))
	case newest.Since.After(e.Updated) && !drifted:
		d.add(severityWarning, "updated-behind", file, lineOfKey(data, "updated"), fmt.Sprintf("updated is %s, and %s changed at %s: one of them was edited by hand", envelopeTime(e.Updated), newest.ID, envelopeTime(newest.Since)), unexplainedFix(e, envelope.Warning{Message: newest.ID + " "}))
	}
	if m := titleAgent.FindSubmatchIndex(data); m != nil && string(data[m[2]:m[3]]) != e.Agent {
		d.add(severityWarning, "title-mismatch", file, 1+bytes.Count(data[:m[2]], []byte("\n")), fmt.Sprintf("the title names %s, and this is the record of %s", data[m[2]:m[3]], e.Agent), "write # Autonomy envelope; "+e.Agent)
	}
	for _, text := range append([]string{e.Owner}, labelsOf(e)...) {
		if printable(text) != text {
			d.add(severityWarning, "suspicious_text", file, 0, "a text holds characters that cannot be seen, and may read as something else: "+printable(text), "type it anew")
		}
	}
}

func labelsOf(e *envelope.Envelope) (out []string) {
	for _, t := range e.TaskTypes {
		out = append(out, t.Label, strings.ReplaceAll(t.Note, "\n", " "))
	}
	return out
}

// envelopeKeys warns about keys that almost have the name of one that is read, or that would bound an approval.
func (d *doctor) envelopeKeys(file string, data []byte, m map[string]any, known []string, at string) {
	for _, key := range sortedKeys(m) {
		_, read := m[nearKey(key, known)]
		switch right := nearKey(key, known); {
		case right != "" && (!read || foldKey(right) == foldKey(key)):
			d.unknownKey(file, lineOfKey(data, key), at, key, right, "it says nothing")
		case slices.Contains(expiryKeys, foldKey(key)):
			d.add(severityWarning, "unknown_field", file, lineOfKey(data, key), cmp.Or(at, "the record")+": nobody reads "+key+": an approval holds until it is taken back", "take it out, and take the approval back when it is over: ambit envelope set AGENT TASK STATE")
		}
	}
}

// lineOfKey gives the first line that a key of YAML begins on, 0 where none does.
func lineOfKey(data []byte, key string) int {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if rest, ok := bytes.CutPrefix(bytes.TrimLeft(line, " -{\t\"'"), []byte(key)); ok && bytes.HasPrefix(bytes.TrimLeft(rest, " \"'"), []byte(":")) {
			return n
		}
	}
	return 0
}
