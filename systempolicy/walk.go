package systempolicy

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"
)

// walk finds the three places in which autonomy is declared (R11), and those where it is misplaced (A-place-1).
type walk struct {
	*reader
	sys   *System
	where map[string]*yaml.Node // for warnings: where keys stand
}

// walkSystem reads a document that was parsed. root is nil for an empty one.
func walkSystem(root *yaml.Node, data []byte) (*System, []*Error) {
	w := walk{reader: &reader{at: positions(data)}, sys: &System{}, where: map[string]*yaml.Node{}}
	if root == nil || root.Kind != yaml.MappingNode || !w.mentions(root) {
		return w.sys, nil
	}
	w.root(root)
	w.sys.warnings = w.warnings()
	w.sys.invalid = len(w.problems) > 0
	return w.sys, w.problems
}

// field is one key of a mapping above autonomy, with what merge keys bring in. (Y4)
type field struct {
	name     string
	key, val *yaml.Node // val: aliases followed
	merged   bool       // by a merge key
}

// fields gives the keys of a mapping above autonomy: its own, then those of its merge keys that it lacks. Duplicates are
// given as they come; see single.
func fields(n *yaml.Node) []field {
	var c collector
	c.collect(n, false)
	return c.list
}

// collector gathers the keys of a mapping and of what it merges; each merged mapping once, since an anchor may merge
// itself, and a second visit brings nothing that the first did not.
type collector struct {
	list []field
	has  map[string]bool
	done map[*yaml.Node]bool
}

func (c *collector) collect(n *yaml.Node, merged bool) {
	if n.Kind != yaml.MappingNode || c.done[n] {
		return
	}
	var sources []*yaml.Node
	start := len(c.list)
	if c.list == nil {
		c.list = make([]field, 0, len(n.Content)/2)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], follow(n.Content[i+1])
		if isMerge(k) {
			sources = append(sources, v)
			continue
		}
		if name := follow(k).Value; follow(k).Kind == yaml.ScalarNode && !(merged && c.has[name]) {
			c.list = append(c.list, field{name, k, v, merged})
		}
	}
	if len(sources) > 0 && c.done == nil {
		c.done, c.has = map[*yaml.Node]bool{}, map[string]bool{}
	}
	if c.done == nil {
		return
	}
	c.done[n] = true
	for _, f := range c.list[start:] {
		c.has[f.name] = true
	}
	for _, s := range sources {
		if s.Kind == yaml.SequenceNode {
			for _, item := range s.Content {
				c.collect(follow(item), true)
			}
			continue
		}
		c.collect(s, true)
	}
}

// child gives the value of a key of a mapping, or nil.
func child(n *yaml.Node, name string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	merges := false
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := follow(n.Content[i])
		if k.Kind == yaml.ScalarNode && k.Value == name {
			return follow(n.Content[i+1])
		}
		merges = merges || isMerge(n.Content[i])
	}
	if !merges {
		return nil
	}
	for _, f := range fields(n) {
		if f.name == name {
			return f.val
		}
	}
	return nil
}

// mentions reports whether autonomy is declared, or misplaced, anywhere that is ours.
func (w *walk) mentions(root *yaml.Node) bool {
	for _, top := range fields(root) {
		switch top.name {
		case "autonomy":
			return true
		case "environments":
			for _, env := range fields(top.val) {
				if env.name == "autonomy" || child(env.val, "autonomy") != nil {
					return true
				}
			}
		case "components":
			for _, c := range fields(top.val) {
				for _, f := range fields(c.val) {
					if f.name == "autonomy" {
						return true
					}
					if f.name != "instances" {
						continue
					}
					for _, i := range fields(f.val) {
						if i.name == "autonomy" || child(i.val, "autonomy") != nil {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// open gives the fields of a mapping on the way to autonomy, each once; a duplicate is a problem, and so is anything
// that is neither a mapping nor null. names restricts which keys are on the way; nil is all. (Y2)
func (w *walk) open(n *yaml.Node, path string, names ...string) (list []field, ok bool) {
	ok = true
	if n.Kind != yaml.MappingNode {
		if v, tagged := read(n); !tagged || v.kind != kindNull {
			w.problem(n, path, CodeWrongType, "this is no mapping, so the autonomy in it cannot be told", allowedMapping...)
			return nil, false
		}
		return nil, true
	}
	merges := 0
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !isMerge(n.Content[i]) {
			continue
		}
		if merges++; merges == 2 {
			w.problem(n.Content[i], join(path, "<<"), CodeDuplicate, "the merge key is there twice", "one")
			ok = false
		}
		if !mergeable(follow(n.Content[i+1])) {
			w.problem(n.Content[i+1], join(path, "<<"), CodeFeature, "a merge key takes a mapping or a list of mappings", allowedMapping...)
			ok = false
		}
	}
	all := fields(n)
	list = all[:0]
	var seen map[string]bool
	if len(names) == 0 && len(all) > fewFields {
		seen = make(map[string]bool, len(all))
	}
	for _, f := range all {
		switch {
		case len(names) > 0 && !slices.Contains(names, f.name):
		case seen[f.name] || seen == nil && slices.ContainsFunc(list, func(g field) bool { return g.name == f.name }):
			w.problem(f.key, join(path, f.name), CodeDuplicate, "the key is there twice, and readers differ in which one they take", "one")
			ok = false
		case !w.visit(f.key, path):
			return list, false
		default:
			if seen != nil {
				seen[f.name] = true
			}
			list = append(list, f)
		}
	}
	return list, ok
}

// mergeable reports whether a merge key can take a value.
func mergeable(n *yaml.Node) bool {
	if n.Kind != yaml.SequenceNode {
		return n.Kind == yaml.MappingNode
	}
	return !slices.ContainsFunc(n.Content, func(item *yaml.Node) bool { return follow(item).Kind != yaml.MappingNode })
}

// fewFields is up to how many keys a duplicate is looked for without a map.
const fewFields = 12

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (w *walk) root(root *yaml.Node) {
	s := w.sys
	s.envs, s.components = map[string]*environment{}, map[string]*component{}
	w.enter(root, "")
	defer w.leave()
	list, ok := w.open(root, "", "autonomy", "environments", "components", "name")
	s.broken = !ok
	for _, f := range list {
		switch f.name {
		case "name":
			if v, ok := read(f.val); ok && v.kind == kindText {
				s.name = v.text
			}
		case "autonomy":
			s.declared = true
			w.top(f.val)
		case "environments":
			w.environments(f.val)
		case "components":
			w.components(f.val)
		}
	}
}

// top reads the top-level autonomy. A pause that cannot be told is a pause.
func (w *walk) top(n *yaml.Node) {
	w.mapping(n, "autonomy", []entry{{name: "paused"}}, func(_ entry, _, val *yaml.Node, path string) {
		v, ok := read(val)
		code, sentence := CodeFeature, fmt.Sprintf("the tag %s is not allowed here", val.Tag)
		if ok {
			code, sentence = scalar(v, kindBool)
		}
		if code != "" {
			w.hinted(val, path, code, sentence, didYouMean(meantBool(v.text), v), allowedBool...)
		}
		w.sys.paused = w.sys.paused || code != "" || v.isTrue()
	}, func(Keys) { w.sys.paused = true })
}

func (w *walk) environments(n *yaml.Node) {
	if !w.enter(n, "environments") {
		w.sys.broken = true
		return
	}
	defer w.leave()
	list, ok := w.open(n, "environments")
	w.sys.broken = w.sys.broken || !ok
	for _, f := range list {
		path := join("environments", f.name)
		if f.name == "autonomy" {
			w.problem(f.key, path, CodeMisplaced, "autonomy is no environment", "environments.<env>.autonomy")
			continue
		}
		env := &environment{policy: Default()}
		before := len(w.problems)
		if !w.enter(f.val, path) {
			w.sys.envs[f.name] = &environment{invalid: true}
			continue
		}
		inner, ok := w.open(f.val, path, "autonomy")
		if !ok {
			env.policy = Policy{}
		}
		for _, a := range inner {
			w.sys.declared, env.declared = true, true
			if _, named := keyName(follow(f.key)); !named {
				w.problem(f.key, path, CodeWrongType, fmt.Sprintf("%s is no text, so no name of an environment; put it in quotes", f.name), "string")
			}
			var wr written
			env.policy, wr = w.policy(a.val, join(path, "autonomy"), Default(), f.name == "prod")
			env.written = wr.keys
			w.note(f.name, &wr)
		}
		w.leave()
		env.invalid = len(w.problems) > before
		w.sys.envs[f.name] = env
	}
}

func (w *walk) components(n *yaml.Node) {
	if !w.enter(n, "components") {
		w.sys.broken = true
		return
	}
	defer w.leave()
	list, ok := w.open(n, "components")
	w.sys.broken = w.sys.broken || !ok
	for _, f := range list {
		path := join("components", f.name)
		c := &component{instances: map[string]*instance{}}
		w.sys.components[f.name] = c
		if c.broken = !w.enter(f.val, path); c.broken {
			continue
		}
		inner, ok := w.open(f.val, path, "autonomy", "instances")
		c.broken = !ok
		for _, g := range inner {
			if g.name == "autonomy" {
				w.problem(g.key, join(path, "autonomy"), CodeMisplaced, "a component has no autonomy of its own, only its instances have", path+".instances.<env>.autonomy")
				c.broken = true
				continue
			}
			w.instances(c, g.val, join(path, "instances"))
		}
		w.leave()
	}
}

func (w *walk) instances(c *component, n *yaml.Node, path string) {
	if !w.enter(n, path) {
		c.broken = true
		return
	}
	defer w.leave()
	list, ok := w.open(n, path)
	c.broken = c.broken || !ok
	for _, f := range list {
		at := join(path, f.name)
		if f.name == "autonomy" {
			w.problem(f.key, at, CodeMisplaced, "autonomy is no environment", path+".<env>.autonomy")
			c.broken = true
			continue
		}
		i := &instance{}
		c.instances[f.name] = i
		if i.capped = !w.enter(f.val, at); i.capped {
			continue
		}
		inner, ok := w.open(f.val, at, "autonomy")
		i.capped = !ok
		for _, a := range inner {
			w.sys.declared = true
			if _, named := keyName(follow(f.key)); !named {
				w.problem(f.key, at, CodeWrongType, fmt.Sprintf("%s is no text, so no name of an environment; put it in quotes", f.name), "string")
			}
			w.cap(i, a.val, join(at, "autonomy"))
		}
		w.leave()
	}
}

// cap reads an instance's max. One that cannot be told is Observe.
func (w *walk) cap(i *instance, n *yaml.Node, path string) {
	w.mapping(n, path, []entry{{name: "max"}}, func(_ entry, _, val *yaml.Node, path string) {
		v, ok := read(val)
		var code, sentence string
		i.capped = true
		w.where[path] = val
		if i.max, code, sentence = word[Level](v, levelNames[:]); !ok {
			i.max, code, sentence = Observe, CodeFeature, fmt.Sprintf("the tag %s is not allowed here", val.Tag)
		}
		if code != "" {
			w.hinted(val, path, code, sentence, didYouMean(meantWord(v.text, allowedLevels), v), allowedLevels...)
		}
	}, func(Keys) { *i = instance{capped: true} })
}
