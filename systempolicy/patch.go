package systempolicy

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
)

// Patch is some keys of a policy with their values: what a set asks for, or what a signal carries. A key that it leaves
// out is as merged, not the default (S4). The zero Patch changes nothing. It is immutable.
type Patch struct {
	values Policy
	keys   Keys
	days   string // in the order of the person who asked for them, as "[sun, mon]"; "" is week order
}

// MaxPatchBytes bounds a signal's policy: a score of short values.
const MaxPatchBytes = 64 << 10

// ParsePatch reads the nested mapping that a signal carries, in JSON; name is for messages. An engine of null is none, as
// in an autonomy.json. Anything that cannot be told is an error, and the Patch is then empty.
func ParsePatch(name string, data []byte) (Patch, error) {
	v, err := canonjson.Parse(name, data, canonjson.Limits{MaxBytes: MaxPatchBytes, MaxDepth: MaxDepth})
	if err != nil {
		return Patch{}, err
	}
	l := loader{data: data}
	l.reader = &reader{at: l.at}
	w := written{policy: Default()}
	n := l.node(v)
	if v.Get("engine").Is(canonjson.KindNull) {
		n.Content = without(n.Content, func(k, _ *yaml.Node) bool { return k.Value == "engine" })
		w.keys = w.keys.With(KeyEngine)
	}
	l.policyMapping(n, "policy", policyEntries, &w, false)
	if err := l.list(name); err != nil {
		return Patch{}, err
	}
	return Patch{values: w.policy, keys: w.keys}, nil
}

// PatchOf gives those keys of a policy. The window's keys go together.
func PatchOf(p Policy, which Keys) Patch {
	if which&windowKeys != 0 {
		which |= windowKeys
	}
	return Patch{values: p, keys: which & allKeys}
}

// With gives the patch with one more key, its value as a person types it: lists with commas, "" for the empty one, times
// as 09:00. The error is an *[Error].
func (p Patch) With(k Key, text string) (Patch, error) {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: text, Line: 1}
	switch {
	case k >= keys:
		return p, fault.List{{Code: CodeUnknownKey, Err: fmt.Errorf("%s is no key", k), Allowed: keyNames[:]}}.Err()
	case k == KeyRoutes || k == KeyDays:
		n = listNode(text)
	case text == "":
		n.Style = yaml.DoubleQuotedStyle // an empty word, not null
	}
	if p.keys.Empty() {
		p.values = Default()
	}
	r := reader{}
	if before := p; !r.key(k, n, k.String(), &p.values, false) {
		return before, fault.List(r.problems).Err()
	}
	if k == KeyDays {
		p.days = flowList(n)
	}
	p.keys = p.keys.With(k)
	return p, nil
}

func listNode(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Line: 1}
	if text == "" {
		return n
	}
	for word := range strings.SplitSeq(text, ",") {
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: strings.TrimSpace(word), Line: 1})
	}
	return n
}

func flowList(n *yaml.Node) string {
	words := make([]string, len(n.Content))
	for i, c := range n.Content {
		words[i] = c.Value
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// Keys gives the keys that the patch has.
func (p Patch) Keys() Keys { return p.keys }

// Apply gives the policy with the patch's keys in place of its own. A window then is one window.
func (p Patch) Apply(to Policy) Policy {
	for k := range p.keys.All() {
		copyKey(k, &to, &p.values)
	}
	if p.keys&windowKeys == windowKeys {
		to.also = p.values.also
		to.judged = to.judged&^(1<<InWindow) | p.values.judged&(1<<InWindow)
	}
	return to
}

// copyKey makes one key of a policy that of another, with whether it can be judged.
func copyKey(k Key, to, from *Policy) {
	keyTable[k].copy(to, from)
	if g, ok := k.guardrail(); ok && !k.window() {
		to.judged = to.judged&^(1<<g) | from.judged&(1<<g)
	}
}

// text gives a key's value as it is written into a YAML file: the days in the order of the person who asked for them.
func (p Patch) text(k Key) string {
	if k == KeyDays && p.days != "" {
		return p.days
	}
	return p.values.Text(k)
}

// MarshalJSON writes the nested mapping that a signal carries, with the patch's keys only.
func (p Patch) MarshalJSON() ([]byte, error) {
	var j jsonWriter
	j.line(func() { j.entries(policyEntries, p) })
	return j.out, nil
}

// UnmarshalJSON does what ParsePatch does.
func (p *Patch) UnmarshalJSON(data []byte) (err error) {
	*p, err = ParsePatch("", data)
	return err
}

func (j *jsonWriter) entries(entries []entry, p Patch) {
	for _, e := range entries {
		switch {
		case e.under != nil && keysOf(e.under)&p.keys != 0:
			j.key(e.name).line(func() { j.entries(e.under, p) })
		case e.under == nil && p.keys.Has(e.key):
			j.key(e.name).value(e.key, &p.values)
		}
	}
}

func (j *jsonWriter) value(k Key, p *Policy) {
	switch row := keyTable[k]; {
	case k == KeyEngine && p.engine == "":
		j.raw("null")
	case row.items != nil:
		j.strings(row.items(p))
	case row.word:
		j.string(row.text(p))
	default:
		j.raw(row.text(p))
	}
}

// Plan is how a change takes effect. (S1, S2)
type Plan struct {
	AtOnce     Keys  // tighter: by a signal, before the merge
	AfterMerge Keys  // looser or incomparable: waits for the merge
	Signal     Patch // the keys of AtOnce with their new values, the window whole; empty when nothing is tighter
}

// Split divides the change from the merged policy to the next one. A signal is sent only where the merged policy has an
// engine.
func Split(merged, next Policy) Plan {
	c := Compare(merged, next)
	plan := Plan{AtOnce: c.Keys(Tighter), AfterMerge: c.Loosens()}
	if !plan.AtOnce.Empty() {
		plan.Signal = PatchOf(next, plan.AtOnce)
	}
	return plan
}

// sameText reports whether a policy renders a key as the patch asks for it. (E9)
func (p Patch) sameText(k Key, have Policy) bool { return p.values.Text(k) == have.Text(k) }

// Text gives a key's value as it is written into a file, as "09:00", "[mon, tue]" or "" for no engine.
func (p Policy) Text(k Key) string {
	if k >= keys {
		return ""
	}
	return keyTable[k].text(&p)
}
