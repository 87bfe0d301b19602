package main

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"example.com/ambit/campaign"
	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
)

// campaignSchemas names the schema of each of a campaign's documents.
var campaignSchemas = map[string]string{
	campaign.GapsFile: "coverage-gaps", campaign.PolicyFile: "campaign-policy",
	campaign.LedgerFile: "failed-digests", campaign.ProtocolFile: "projection-protocol",
}

var campaignLimits = canonjson.Limits{MaxBytes: campaign.MaxDocument}

// campaign looks at the four documents of a campaign. No builder is asked, so only what the documents say by themselves
// is judged.
func (d *doctor) campaign(folder string) {
	in, err := campaign.Load(d.path(folder))
	d.faults(folder, "unreadable", err, "")
	texts := map[string][]byte{}
	unread := map[string]bool{}
	for _, name := range sortedKeys(campaignSchemas) {
		file := path.Join(folder, name)
		if data, ok := d.read(file, "campaign", campaign.MaxDocument); ok {
			texts[name] = data
		} else if unread[name] = d.exists(file); !unread[name] {
			d.found(file, "campaign")
		}
	}
	refused := map[string]bool{}
	for _, f := range campaign.Evaluate(context.Background(), in, nil).Findings {
		name, pointer, _ := strings.Cut(f.Subject, "#")
		if _, document := campaignSchemas[name]; !document || f.Code == campaign.PlanAlreadyFailed || unread[name] {
			continue // about the packet and its builder, or said already
		}
		refused[name] = true
		line, message := 0, f.Message
		root, err := canonjson.Parse(name, texts[name], campaignLimits)
		switch all := fault.All(err); {
		case f.Code == campaign.InputInvalidJSON && len(all) > 0:
			line, message = all[0].Line, message+": "+all[0].Message()
		case err == nil && pointer != "":
			line = lineOf(texts[name], follow(root, strings.Split(pointer, "/")[1:]))
		}
		if pointer != "" {
			message = pointer + ": " + message
		}
		d.add(severityError, string(f.Code), path.Join(folder, name), line, message, "mend it, then ambit campaign run "+shellWord(folder)+" --out DIR")
	}
	for _, name := range sortedKeys(texts) {
		if !refused[name] {
			d.jsonSchema(campaignSchemas[name], path.Join(folder, name), texts[name], campaignLimits)
			d.campaignKeys(path.Join(folder, name), name, texts[name])
		}
	}
}

// campaignList is the list that a document of a campaign is about.
type campaignList struct {
	key  string
	item string   // the key of each row that is an object
	more []string // other keys beside the list
	bare string   // what an empty list means; "" where it is as it should be
}

var campaignLists = map[string]campaignList{
	campaign.GapsFile:   {"gaps", "gap_id", nil, "there is no gap, so there is nothing to propose and the packet is refused as empty"},
	campaign.PolicyFile: {"allowed_actions", "", []string{"max_candidate_count"}, "nothing is allowed, not even drafting a candidate"},
	campaign.LedgerFile: {"failed_digests", "digest", nil, ""},
}

// campaignKeys looks at what the rules let pass and nobody means: keys with almost the right name, which leave the
// default in force, and documents from which no candidate can come.
func (d *doctor) campaignKeys(file, name string, data []byte) {
	list, known := campaignLists[name]
	root, err := canonjson.Parse(file, data, campaignLimits)
	if !known || err != nil {
		return
	}
	before := len(d.findings)
	d.nearKeys(file, data, root, "", append([]string{list.key}, list.more...), "the default counts")
	rows := root.Get(list.key)
	if rows.Empty() && list.bare != "" && len(d.findings) == before {
		d.add(severityWarning, "no_candidates", file, lineOf(data, rows), list.key+": "+list.bare, "add what is meant, or take the campaign away")
	}
	seen := map[string]bool{}
	for v := range rows.Items() {
		if list.item != "" {
			d.nearKeys(file, data, v, list.key+"[]", []string{list.item}, "it means nothing here")
		}
		if text := v.Text(); text != "" && seen[text] {
			d.add(severityWarning, "duplicate_entry", file, lineOf(data, v), list.key+": "+text+" stands here twice", "take one of them out")
		} else {
			seen[text] = true
		}
	}
	if count := root.Get("max_candidate_count"); count.Number() == "0" {
		d.add(severityWarning, "no_candidates", file, lineOf(data, count), "max_candidate_count: no candidate may be drafted, so the packet is refused as empty", "write 1 or more, or take the campaign away")
	}
}

// record looks at what a run of a campaign left: it must be as it was written, and the inputs that it judged must be here
// still, where there are inputs here at all.
func (d *doctor) record(file string, inputs []string) {
	data, ok := d.read(file, "campaign record", campaign.MaxRecord)
	if !ok {
		return
	}
	const fix = "run the campaign anew: ambit campaign run INPUT --out "
	out := shellWord(path.Dir(file))
	if _, err := campaign.ReadRecord(file, data); d.faults(file, "record", err, fix+out) {
		return
	}
	if d.recordFaults(file, campaign.Verify(data, campaign.Inputs{}), false, fix+out) {
		return
	}
	for _, folder := range inputs[:min(len(inputs), maxJudged)] {
		in, err := campaign.Load(d.path(folder))
		if err != nil {
			continue
		}
		v := campaign.Verify(data, in)
		if !slices.ContainsFunc(v.Problems, aboutInputs) {
			d.recordFaults(file, v, true, fix+out)
			return
		}
	}
	if len(inputs) > 0 {
		d.add(severityWarning, "record_stale", file, 0, "no campaign here has the inputs that were judged: they were changed since, or lie elsewhere", "judge them anew: ambit campaign run "+shellWord(inputs[0])+" --out "+out)
	}
}

// maxJudged bounds how many campaigns a record is held against.
const maxJudged = 8

// recordFaults reports what is wrong with a record: by itself, or by its inputs too.
func (d *doctor) recordFaults(file string, v campaign.Verification, verdict bool, fix string) (any bool) {
	problems := slices.Clone(v.Problems)
	slices.SortStableFunc(problems, func(a, b *campaign.Error) int {
		return cmp.Compare(slices.Index(recordAlone, b.Code), slices.Index(recordAlone, a.Code))
	})
	for _, p := range problems {
		if !aboutInputs(p) && (verdict || slices.Contains(recordAlone, p.Code)) {
			any = true
			d.add(severityError, p.Code, file, 0, p.Message(), fix)
			if p.Code == "record_schema" || p.Code == "record_shape" {
				break // what is no record has no more to it
			}
		}
	}
	return any
}

// recordAlone are the faults of a record that its inputs have no part in, the gravest last.
var recordAlone = []string{"record_rendering", "record_digest", "record_status", "record_refusal", "record_witness", "record_body", "record_finding", "record_schema", "record_shape"}

// aboutInputs reports a problem with what was judged rather than with the record.
func aboutInputs(p *campaign.Error) bool { return strings.HasPrefix(p.Key, "inputs") }
