package harness

import (
	"errors"
	"fmt"
	"strings"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/span"
	"example.com/ambit/internal/span/jsonspan"
)

// claudeLists are the lists of permissions, in the order in which they are added where they are absent.
var claudeLists = [...]string{"allow", "ask", "deny"}

// emptySettings is what a settings file that does not exist is made from.
const emptySettings = "{}\n"

const ignored = "Claude Code ignores the whole file as it stands; mend it first"

// openSettings reads Claude's settings as Claude does: strict JSON and nothing else, with every list of the right type.
// What it would ignore is refused, never treated as empty (K12, H11, H12).
func openSettings(name string, data []byte, exists bool) (*jsonspan.Document, error) {
	if !exists {
		data = []byte(emptySettings)
	}
	doc, err := jsonspan.Parse(name, data, jsonLimits)
	if err != nil {
		return nil, advise(err, ErrFormat, ignored)
	}
	if !doc.Root.Is(canonjson.KindObject) {
		return nil, wrongType(name, data, doc.Root, "", "an object")
	}
	permissions := doc.Root.Get("permissions")
	if permissions.Exists() && !permissions.Is(canonjson.KindObject) {
		return nil, wrongType(name, data, permissions, "permissions", "an object")
	}
	var errs []error
	for _, list := range claudeLists {
		if v := permissions.Get(list); v.Exists() && !v.Is(canonjson.KindArray) {
			errs = append(errs, wrongType(name, data, v, "permissions."+list, "an array"))
		}
	}
	return doc, errors.Join(errs...)
}

// apply makes one edit and checks that nothing beside the changed path changed.
func apply(doc *jsonspan.Document, splices []span.Splice, changed ...any) (*jsonspan.Document, error) {
	if len(splices) == 0 {
		return doc, nil
	}
	edited, err := span.Apply(doc.Source, splices...)
	if err != nil {
		return nil, err
	}
	return doc.Check(edited, changed)
}

// setList makes the items of one list, adding what must stand around it. An absent list stays absent when it would be
// empty, but for the allow list of a new file, which shows what the file is for.
func setList(doc *jsonspan.Document, list string, nodes []canonjson.Node, exists bool) (*jsonspan.Document, error) {
	if f, ok := doc.Locate("permissions", list); ok {
		splices, err := doc.SetItems(f, nodes)
		if err != nil {
			return nil, err
		}
		return apply(doc, splices, "permissions", list)
	}
	if len(nodes) == 0 && (exists || list != "allow") {
		return doc, nil
	}
	if f, ok := doc.Locate("permissions"); ok {
		splices, err := doc.Insert(f, list, canonjson.Array(nodes))
		if err != nil {
			return nil, err
		}
		return apply(doc, splices, "permissions", list)
	}
	f, _ := doc.Locate()
	splices, err := doc.Insert(f, "permissions", canonjson.Object{{Key: list, Value: canonjson.Array(nodes)}})
	if err != nil {
		return nil, err
	}
	return apply(doc, splices, "permissions")
}

// draftClaude merges the generated rules into Claude's settings (K12, K13).
func draftClaude(in input) (draft, error) {
	doc, err := openSettings(in.name, in.old, in.exists)
	if err != nil {
		return draft{}, err
	}
	rules := claudeRules(in.sets, in.options)
	d := draft{ours: map[string][]string{}, theirs: map[string][]string{}, generated: rules.allow, notices: rules.notices}
	for _, list := range claudeLists {
		var now []canonjson.Value
		for v := range doc.Root.At("permissions", list).Items() {
			now = append(now, v)
		}
		m := mergeList(now, rules.of(list), in.was.owned(list))
		if list == "allow" {
			m.user, err = screen(in, m.user, &d)
			if err != nil {
				return draft{}, err
			}
		}
		if doc, err = setList(doc, list, m.nodes(), in.exists); err != nil {
			return draft{}, &Error{File: in.name, Code: CodeType, Err: err}
		}
		keep(d.ours, list, m.ours)
		keep(d.theirs, list, m.theirs)
	}
	if mode := doc.Root.At("permissions", "defaultMode").Text(); mode == "bypassPermissions" {
		d.notices = append(d.notices, Notice{Code: NoticeBypassMode, Target: ClaudeSettings.String(), Entry: mode,
			Message: "the settings ask for a mode in which nobody is asked: only deny rules and hooks hold in it"})
	}
	d.data = doc.Source
	return d, nil
}

func keep(lists map[string][]string, list string, rules []string) {
	if len(rules) > 0 {
		lists[list] = rules
	}
}

// screen judges the user's own allow rules (K13): what is tier3 goes, what touches it stays and is named, and the rest
// is listed.
func screen(in input, user []canonjson.Value, d *draft) ([]canonjson.Value, error) {
	var kept []canonjson.Value
	var foreign []string
	for _, v := range user {
		if !v.Is(canonjson.KindString) {
			kept = append(kept, v)
			continue
		}
		inside, touched := judge(newRule(Claude, v.Text()), in.sets.guards)
		switch {
		case inside != "":
			d.notices = append(d.notices, Notice{Code: NoticeTier3UserAllow, Target: ClaudeSettings.String(), Entry: v.Text(), Other: inside,
				Message: fmt.Sprintf("your allow rule %s is tier3 (%s): it was taken out; the backup keeps it", v.Text(), inside)})
			continue
		case len(touched) > 0:
			if in.options.Strict {
				start, _ := v.Span()
				line, col := span.Position(in.old, start)
				return nil, &Error{File: in.name, Line: line, Col: col, Key: "permissions.allow", Code: CodeOverlap,
					Err: fmt.Errorf("your allow rule %s can match tier3 (%s): %w", v.Text(), strings.Join(touched, ", "), ErrStrict)}
			}
			d.notices = append(d.notices, Notice{Code: NoticeTier3Overlap, Target: ClaudeSettings.String(), Entry: v.Text(), Other: touched[0],
				Rules: touched, Message: fmt.Sprintf("your allow rule %s can match tier3 (%s); the deny wins where its text matches", v.Text(), strings.Join(touched, ", "))})
		default:
			foreign = append(foreign, v.Text())
		}
		kept = append(kept, v)
	}
	if len(foreign) > 0 {
		d.notices = append(d.notices, Notice{Code: NoticeForeignAllow, Target: ClaudeSettings.String(), Rules: foreign,
			Message: fmt.Sprintf("%d allow rules are not from the protocol and were kept", len(foreign))})
	}
	return kept, nil
}

// claudeAllows gives the allow rules of a settings file, for the proof. A rule that is no text is none to Claude.
func claudeAllows(name string, data []byte) ([]string, error) {
	doc, err := openSettings(name, data, true)
	if err != nil {
		return nil, err
	}
	var out []string
	for v := range doc.Root.At("permissions", "allow").Items() {
		if v.Is(canonjson.KindString) {
			out = append(out, v.Text())
		}
	}
	return out, nil
}
