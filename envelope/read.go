package envelope

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/nearest"
)

var (
	topKeys   = []string{"agent", "owner", "updated", "taskTypes"}
	entryKeys = []string{"id", "label", "state", "stateSince", "operatorNote"}
	mustEntry = []string{"id", "state", "stateSince"}
)

func (p *parser) envelope(root *node, agent string) *Envelope {
	e := &Envelope{}
	if root.kind != kindMapping {
		p.fail(root.start, "", CodeWrongType, "the frontmatter is not a mapping of keys to values")
		return e
	}
	p.missing(root, "", "the frontmatter", topKeys, topKeys)
	if n, ok := p.text(root, "agent", "agent"); ok {
		e.Agent = n.text
		if err := agentFault(n.text); err != nil {
			p.fail(n.start, "agent", CodeBadValue, "agent %q is a %w", clip(n.text), err)
		} else if agent != "" && n.text != agent { // R58
			p.fail(n.start, "agent", CodeAgentMismatch, "agent is %q, but the envelope is that of %q: approvals of another agent are not its own", n.text, agent)
		}
	}
	if n, ok := p.text(root, "owner", "owner"); ok {
		e.Owner = n.text
		if err := ownerFault(n.text); err != nil {
			p.fail(n.start, "owner", CodeBadValue, "owner: %w", err)
		}
	}
	if n, ok := p.text(root, "updated", "updated"); ok {
		t, err := parseTime(n.text)
		if e.Updated = t; err != nil {
			p.fail(n.start, "updated", CodeBadValue, "updated %q is %w", clip(n.text), err)
		}
	}
	p.taskTypes(e, root.get("taskTypes"))
	return e
}

func (p *parser) taskTypes(e *Envelope, list *node) {
	if list == nil || list.null { // R64
		return
	}
	if list.kind != kindSequence {
		p.fail(list.start, "taskTypes", CodeWrongType, "taskTypes is not a list")
		return
	}
	seen := make(map[string]bool, len(list.values))
	for i, n := range list.values {
		key := fmt.Sprintf("taskTypes[%d]", i)
		if n.kind != kindMapping {
			p.fail(n.start, key, CodeWrongType, "an entry of taskTypes is not a mapping of keys to values")
			continue
		}
		t := p.taskType(n, key)
		if id := n.get("id"); t.ID != "" && seen[t.ID] { // R32
			p.fail(id.start, key+".id", CodeDuplicateID, "duplicate id %q", t.ID)
		}
		seen[t.ID] = true
		e.TaskTypes = append(e.TaskTypes, t)
	}
}

func (p *parser) taskType(n *node, key string) (t TaskType) {
	p.missing(n, key+".", "the entry", mustEntry, entryKeys)
	if v, ok := p.text(n, "id", key+".id"); ok {
		if err := taskFault(v.text); err != nil {
			p.fail(v.start, key+".id", CodeBadValue, "id %q is a %w", clip(v.text), err)
		} else {
			t.ID = v.text
		}
	}
	t.Label = p.optional(n, "label", key+".label", maxLabel)
	if t.Label == "" { // R5
		t.Label = t.ID
	}
	if v, ok := p.text(n, "state", key+".state"); ok {
		if err := t.State.UnmarshalText([]byte(v.text)); err != nil {
			said := fault.All(err)[0]
			e := p.problem(v.start, key+".state", CodeBadValue, said.Err)
			e.Allowed, e.Hint = said.Allowed, said.Hint
			p.problems.Add(e)
		}
	}
	if v, ok := p.text(n, "stateSince", key+".stateSince"); ok {
		since, err := parseTime(v.text)
		if t.Since = since; err != nil {
			p.fail(v.start, key+".stateSince", CodeBadValue, "stateSince %q is %w", clip(v.text), err)
		}
	}
	t.Note = p.optional(n, "operatorNote", key+".operatorNote", maxHandNote)
	return t
}

// missing reports required keys that a mapping, called where, lacks, with the key that was probably meant.
func (p *parser) missing(n *node, prefix, where string, required, known []string) {
	for _, want := range required {
		if n.get(want) != nil {
			continue
		}
		e := p.problem(n.start, prefix+want, CodeMissingKey, fmt.Errorf("%s is missing from %s", want, where))
		for _, k := range n.keys {
			if strings.EqualFold(k.text, want) || nearest.Of(k.text, known) == want {
				e.Hint = fmt.Sprintf("is %q meant to be %s?", clip(k.text), want)
			}
		}
		p.problems.Add(e)
	}
}

// text gives the scalar of a key that must have a text.
func (p *parser) text(n *node, name, key string) (*node, bool) {
	v := n.get(name)
	switch {
	case v == nil:
		return nil, false // said by missing
	case v.kind != kindScalar || v.null:
		e := p.problem(v.start, key, CodeWrongType, errors.New(name+" is not a text"))
		if name == "state" {
			e.Allowed = States()
		}
		p.problems.Add(e)
		return nil, false
	}
	return v, true
}

// optional gives the text of a key that may be missing or null.
func (p *parser) optional(n *node, name, key string, most int) string {
	v := n.get(name)
	switch {
	case v == nil || v.null:
		return ""
	case v.kind != kindScalar:
		p.fail(v.start, key, CodeWrongType, "%s is not a text", name)
		return ""
	case utf8.RuneCountInString(v.text) > most:
		p.fail(v.start, key, CodeBadValue, "%s has more than %d characters", name, most)
	}
	return v.text
}

func ownerFault(s string) error {
	if n := utf8.RuneCountInString(s); n < 1 || n > maxOwner {
		return errOwnerLength
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f }) {
		return errors.New("an owner is one line without control characters")
	}
	return nil
}

// readFront finds, parses and checks the frontmatter of data, which may end anywhere behind it.
func readFront(file, agent string, data []byte) (*Envelope, *node, front, error) {
	f, problems := findFront(data)
	var e *Envelope
	var root *node
	if len(problems) == 0 {
		root, problems = parseTree(data, f)
	}
	if len(problems) == 0 {
		p := &parser{data: data, f: f}
		e = p.envelope(root, agent)
		problems = p.problems
	}
	if len(problems) > 0 {
		return nil, nil, f, named(file, problems)
	}
	return e, root, f, nil
}

// named gives the problems as an error, each with the name of the file.
func named(file string, problems fault.List) error {
	for _, e := range problems {
		e.File = file
	}
	return problems.Err()
}

// Frontmatter gives the frontmatter as the JSON Schema sees it: every scalar as its text, an empty one, ~ and null as
// nil, mappings as map[string]any, lists as []any. It checks that the YAML is one that an envelope may use, and none of
// the rules that the schema says. file is for messages.
func Frontmatter(file string, data []byte) (any, error) {
	problems := encodingProblems(data)
	var root *node
	if len(problems) == 0 {
		var f front
		if f, problems = findFront(data); len(problems) == 0 {
			root, problems = parseTree(data, f)
		}
	}
	if len(problems) > 0 {
		return nil, named(file, problems)
	}
	return root.plain(), nil
}

func (n *node) plain() any {
	switch {
	case n.kind == kindMapping:
		m := make(map[string]any, len(n.keys))
		for i, k := range n.keys {
			m[k.text] = n.values[i].plain()
		}
		return m
	case n.kind == kindSequence:
		s := make([]any, len(n.values))
		for i, v := range n.values {
			s[i] = v.plain()
		}
		return s
	case n.null:
		return nil
	}
	return n.text
}
