package systempolicy

import (
	"errors"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"
)

// reader reads the autonomy mappings of one input and gathers their problems.
type reader struct {
	problems []*Error
	at       func(*yaml.Node) (line, col int)
	zones    map[string]*zone
	visits   int
	around   []*yaml.Node // the mappings that are being read, from the outermost
}

// maxVisits bounds how many nodes are judged, and so how often one anchored mapping is read through many aliases.
// maxProblems bounds what is said about one file.
// maxHints bounds for how many of them it is looked for what was meant.
const (
	maxVisits   = 200_000
	maxProblems = 1000
	maxHints    = 50
)

// maxWord is how much of a mistyped key is looked at to tell which was meant.
const maxWord = 40

// entry is one key of a mapping: a Key, or a nested mapping.
type entry struct {
	name  string
	key   Key
	under []entry
}

// policyEntries are the keys of environments.<env>.autonomy, at every depth. (R11, R12)
var policyEntries = []entry{
	{name: "level", key: KeyLevel}, {name: "engine", key: KeyEngine},
	{name: "autoMerge", under: []entry{{name: "routes", key: KeyRoutes}, {name: "maxCriticality", key: KeyMaxCriticality}}},
	{name: "riskGate", under: []entry{{name: "maxFiles", key: KeyMaxFiles}, {name: "maxLines", key: KeyMaxLines},
		{name: "regressionTest", key: KeyRegressionTest}, {name: "secondReview", key: KeySecondReview}}},
	{name: "budget", under: []entry{{name: "runsPerDay", key: KeyRunsPerDay}, {name: "mergesPerDay", key: KeyMergesPerDay},
		{name: "perRun", under: []entry{{name: "minutes", key: KeyMinutes}, {name: "invocations", key: KeyInvocations},
			{name: "reruns", key: KeyReruns}, {name: "cost", key: KeyCost}}}}},
	{name: "window", under: []entry{{name: "days", key: KeyDays}, {name: "from", key: KeyFrom}, {name: "to", key: KeyTo},
		{name: "timezone", key: KeyTimezone}}},
	{name: "undoWindow", key: KeyUndoWindow},
}

func entryNames(entries []entry) []string {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.name
	}
	return names
}

// keysOf gives every key of the entries, at every depth.
func keysOf(entries []entry) (all Keys) {
	for _, e := range entries {
		if e.under != nil {
			all |= keysOf(e.under)
		} else {
			all = all.With(e.key)
		}
	}
	return all
}

// follow gives the node that an alias stands for. An alias never stands for another alias.
func follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

func (r *reader) zone(name string) *zone {
	z, seen := r.zones[name]
	if !seen {
		z = findZone(name)
		if r.zones == nil {
			r.zones = map[string]*zone{}
		}
		r.zones[name] = z
	}
	return z
}

// problem notes one problem at a node.
func (r *reader) problem(n *yaml.Node, key, code, sentence string, allowed ...string) {
	r.hinted(n, key, code, sentence, "", allowed...)
}

func (r *reader) hinted(n *yaml.Node, key, code, sentence, hint string, allowed ...string) {
	if r.full() {
		return
	}
	e := &Error{Key: key, Code: code, Err: errors.New(sentence), Allowed: allowed, Hint: hint}
	if n != nil && r.at != nil {
		e.Line, e.Col = r.at(n)
	}
	r.problems = append(r.problems, e)
}

// visit counts one node against maxVisits.
func (r *reader) visit(n *yaml.Node, key string) bool {
	r.visits++
	if r.visits == maxVisits {
		r.problem(n, key, CodeLimit, fmt.Sprintf("more than %d values to judge, aliases followed", maxVisits))
	}
	return r.visits < maxVisits && !r.full()
}

// enter notes that a mapping is being read, until leave. One that is being read already holds itself, by an alias, and is a
// problem. (Y5)
func (r *reader) enter(n *yaml.Node, key string) bool {
	if slices.Contains(r.around, n) {
		r.problem(n, key, CodeFeature, "an alias stands for a mapping that it is in: it would never end", allowedMapping...)
		return false
	}
	r.around = append(r.around, n)
	return true
}

func (r *reader) leave() { r.around = r.around[:len(r.around)-1] }

// full reports whether so many problems were found that no more are looked for. What is not looked at is closed.
func (r *reader) full() bool { return len(r.problems) >= maxProblems }

// pair is one key of a mapping with its value, aliases followed.
type pair struct {
	name     string
	key, val *yaml.Node
}

// pairs gives the keys of an autonomy mapping, in document order; each duplicate and merge key is a problem.
func (r *reader) pairs(n *yaml.Node, path string, names []string) (list []pair, clean bool) {
	clean = true
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := follow(n.Content[i]), follow(n.Content[i+1])
		name, ok := keyName(k)
		switch {
		case isMerge(n.Content[i]):
			r.problem(n.Content[i], path+".<<", CodeFeature, "a merge key is not allowed here: it is shallow, and drops nested keys; write the keys out", names...)
			clean = false
		case !ok:
			r.problem(n.Content[i], path, CodeWrongType, "a key is no text", names...)
			clean = false
		case seen[name]:
			r.problem(n.Content[i], path+"."+name, CodeDuplicate, "the key is there twice, and readers differ in which one they take", "one")
			clean = false
		default:
			list = append(list, pair{name, n.Content[i], v})
		}
		seen[name] = ok
	}
	return list, clean
}

// keyName gives a key's name. Words that YAML 1.1 reads as booleans are names; numbers, null, true and collections are
// not. (A-env-3)
func keyName(k *yaml.Node) (string, bool) {
	v, ok := read(k)
	return v.text, ok && v.kind == kindText
}

func isMerge(k *yaml.Node) bool {
	return k.Kind == yaml.ScalarNode && k.Value == "<<" && (k.Tag == "!!merge" || k.Tag == "" || k.Tag == "!")
}

// mapping reads the entries of one autonomy mapping. each is called for every key that is known; closed for keys that
// cannot be told, whose guardrails are to be closed.
func (r *reader) mapping(n *yaml.Node, path string, entries []entry, each func(e entry, key, val *yaml.Node, path string), closed func(Keys)) {
	v, ok := read(n)
	if !r.visit(n, path) || !ok || v.kind != kindMapping {
		if !ok {
			r.problem(n, path, CodeFeature, fmt.Sprintf("the tag %s is not allowed here", n.Tag), allowedMapping...)
		} else if v.kind != kindMapping {
			code, sentence := scalar(v)
			r.problem(n, path, code, sentence, allowedMapping...)
		}
		closed(keysOf(entries))
		return
	}
	if !r.enter(n, path) {
		closed(keysOf(entries))
		return
	}
	defer r.leave()
	if many := len(n.Content) / 2; many > maxProblems {
		r.problem(n, path, CodeLimit, fmt.Sprintf("%d keys are too many", many), entryNames(entries)...)
		closed(keysOf(entries))
		return
	}
	names := entryNames(entries)
	list, clean := r.pairs(n, path, names)
	for _, p := range list {
		if r.full() {
			clean = false
			break
		}
		i := slices.IndexFunc(entries, func(e entry) bool { return e.name == p.name })
		if i < 0 {
			r.hinted(p.key, path+"."+p.name, CodeUnknownKey, "the key is unknown here", hintKey(p.name, names), names...)
			clean = false
			continue
		}
		each(entries[i], p.key, p.val, path+"."+p.name)
	}
	if !clean {
		closed(keysOf(entries))
	}
}

// policy reads an environment's autonomy over a base, and gives which keys are written. A key that cannot be told
// closes the guardrail that needs it.
func (r *reader) policy(n *yaml.Node, path string, base Policy, prod bool) (Policy, written) {
	w := written{policy: base}
	r.policyMapping(n, path, policyEntries, &w, prod)
	r.emptyWindow(path, &w)
	w.policy.shut(w.bad)
	return w.policy, w
}

// written is a policy as it was read.
type written struct {
	policy Policy
	keys   Keys             // that are there
	bad    Keys             // that could not be told
	nodes  [keys]*yaml.Node // the value of each key that is there
}

func (r *reader) policyMapping(n *yaml.Node, path string, entries []entry, w *written, prod bool) {
	r.mapping(n, path, entries, func(e entry, _, val *yaml.Node, path string) {
		if e.under != nil {
			r.policyMapping(val, path, e.under, w, prod)
			return
		}
		w.keys = w.keys.With(e.key)
		w.nodes[e.key] = val
		if !r.visit(val, path) || !r.key(e.key, val, path, &w.policy, prod) {
			w.bad = w.bad.With(e.key)
		}
	}, func(k Keys) { w.bad |= k })
}

// key reads one key's value; false is a problem.
func (r *reader) key(k Key, n *yaml.Node, path string, p *Policy, prod bool) bool {
	how := keyTable[k]
	allowed := how.allowed
	if k == KeyLevel && prod {
		allowed = allowedInProd
	}
	v, ok := read(n)
	if !ok {
		r.problem(n, path, CodeFeature, fmt.Sprintf("the tag %s is not allowed here", n.Tag), allowed...)
		return false
	}
	code, sentence := how.read(r, p, n, v)
	if code == "" && k == KeyLevel && prod && p.level == Improve {
		code, sentence = CodeNotAllowed, "prod is at most at act" // R34
	}
	if code == "" {
		return true
	}
	if code == CodeAmbiguous {
		allowed = append(slices.Clone(allowed), plainDigits)
	}
	hint := ""
	if len(r.problems) < maxHints {
		hint = hintFor(k, n, v)
	}
	r.hinted(n, path, code, sentence, hint, allowed...)
	return false
}

// emptyWindow refuses a window in which no time is. (W5)
func (r *reader) emptyWindow(path string, w *written) {
	if w.policy.window.from != w.policy.window.to || w.bad.Has(KeyFrom) || w.bad.Has(KeyTo) || !w.keys.Has(KeyFrom) && !w.keys.Has(KeyTo) {
		return
	}
	k, other := KeyTo, KeyFrom
	if !w.keys.Has(KeyTo) {
		k, other = KeyFrom, KeyTo
	}
	r.hinted(w.nodes[k], path+"."+k.String(), CodeNotAllowed, fmt.Sprintf("nothing is ever inside from %s to %[1]s", w.policy.window.From()),
		`a whole day cannot be written; "00:00" to "23:59" and "00:01" to "00:00" come nearest`,
		append(slices.Clone(allowedTime), "different from "+other.String())...)
	w.bad = w.bad.With(k)
}

// shut makes what a key governs as strict as it can be.
func (p *Policy) shut(bad Keys) {
	for k := range bad.All() {
		if g, ok := k.guardrail(); ok {
			p.judged &^= 1 << g
		}
		switch k {
		case KeyLevel:
			p.level = Observe
		case KeyEngine:
			p.engine = ""
		case KeyMinutes:
			p.perRun.Minutes = 0
		case KeyInvocations:
			p.perRun.Invocations = 0
		case KeyReruns:
			p.perRun.Reruns = 0
		case KeyCost:
			p.perRun.Cost = 0
		case KeyUndoWindow:
			p.undo = UndoWindow{}
		}
	}
}
