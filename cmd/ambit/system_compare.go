package main

import (
	"fmt"
	"maps"
	"slices"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/systempolicy"
)

// orderedVerdicts is an object whose keys keep their order.
type orderedVerdicts struct {
	keys     []string
	verdicts map[string]systempolicy.Verdict
}

func (o *orderedVerdicts) add(key string, v systempolicy.Verdict) {
	if v == systempolicy.Equal {
		return
	}
	if o.verdicts == nil {
		o.verdicts = map[string]systempolicy.Verdict{}
	}
	o.keys, o.verdicts[key] = append(o.keys, key), v
}

func (o orderedVerdicts) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, k := range o.keys {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(canonjson.AppendString(out, k), ':', '"'), o.verdicts[k].String()...)
		out = append(out, '"')
	}
	return append(out, '}'), nil
}

// whole is the verdict over all keys. (O17)
func (o orderedVerdicts) whole() systempolicy.Verdict {
	all := systempolicy.Equal
	for v := range maps.Values(o.verdicts) {
		switch {
		case all == systempolicy.Equal:
			all = v
		case all != v:
			return systempolicy.Incomparable
		}
	}
	return all
}

func systemCompare(c *call) int {
	var systems [2]*systempolicy.System
	code := exitOK
	for i := range systems {
		data, err := c.readInput(c.operands[i], "", maxSystemFile)
		if err != nil {
			return c.readFailed(ioCodes, err)
		}
		sys, err := systempolicy.Parse(c.operands[i], data)
		if err != nil {
			c.fail("invalid", err)
			code = exitRefused
		}
		systems[i] = sys
	}
	if code != exitOK {
		return code
	}
	a, b := systems[0], systems[1]
	var out orderedVerdicts
	if len(c.operands) == 3 {
		env := c.operands[2]
		switch {
		case a.Has(env) || b.Has(env):
		case !a.Declared() && !b.Declared(): // their environments are not even read
			c.noteAbsent(b, env, "")
		default: // a mistyped name must not pass for "equal"
			names := union(slices.Collect(a.Environments()), slices.Collect(b.Environments()))
			c.fail("unknown-environment", suggest(fmt.Errorf("there is no environment %q in either file; there is: %s", env, orNone(names)), env, names))
			return exitRefused
		}
		comparePause(&out, a, b)
		compareEnvironment(&out, "", a, b, env)
		compareInstances(&out, a, b, func(e string) bool { return e == env })
	} else {
		compareSystems(&out, a, b)
	}
	verdict := out.whole()
	if c.json {
		writeJSON(c.stdout, struct {
			Version int                  `json:"version"`
			Verdict systempolicy.Verdict `json:"verdict"`
			Keys    orderedVerdicts      `json:"keys"`
		}{1, verdict, out})
	} else {
		fmt.Fprintf(c.stdout, "%s: what %s is to %s\n", verdict, printable(c.operands[1]), printable(c.operands[0]))
		var rows [][]string
		for _, k := range out.keys {
			rows = append(rows, []string{"  " + printable(k), out.verdicts[k].String()})
		}
		writeTable(c.stdout, rows)
	}
	if verdict == systempolicy.Equal || verdict == systempolicy.Tighter {
		return exitOK
	}
	return exitRefused
}

// policyOf is an environment's policy; one that is not there, or declares nothing, is at the defaults.
func policyOf(s *systempolicy.System, env string) systempolicy.Policy {
	if !s.Has(env) {
		return systempolicy.Default()
	}
	return s.Policy(env)
}

func compareEnvironment(out *orderedVerdicts, prefix string, a, b *systempolicy.System, env string) {
	c := systempolicy.Compare(policyOf(a, env), policyOf(b, env))
	differing := c.Keys(systempolicy.Tighter) | c.Loosens()
	last := ""
	for k := range differing.All() {
		name := (systempolicy.Keys(0)).With(k).String() // the window's keys are one
		if name != last {
			out.add(prefix+name, c.Key(k))
		}
		last = name
	}
}

func compareSystems(out *orderedVerdicts, a, b *systempolicy.System) {
	comparePause(out, a, b)
	for _, env := range union(slices.Collect(a.Environments()), slices.Collect(b.Environments())) {
		compareEnvironment(out, "environments."+env+".autonomy.", a, b, env)
	}
	compareInstances(out, a, b, func(string) bool { return true })
}

// comparePause compares what git says of a pause, which holds in every environment.
func comparePause(out *orderedVerdicts, a, b *systempolicy.System) {
	switch {
	case a.Paused() && !b.Paused():
		out.add("autonomy.paused", systempolicy.Looser)
	case !a.Paused() && b.Paused():
		out.add("autonomy.paused", systempolicy.Tighter)
	}
}

// compareInstances compares the caps in some environments: what acts there is an instance.
func compareInstances(out *orderedVerdicts, a, b *systempolicy.System, in func(env string) bool) {
	for _, component := range union(slices.Collect(a.Components()), slices.Collect(b.Components())) {
		for _, env := range union(slices.Collect(a.Instances(component)), slices.Collect(b.Instances(component))) {
			if in(env) {
				out.add("components."+component+".instances."+env+".autonomy.max", compareCaps(a, b, component, env))
			}
		}
	}
}

// compareCaps compares the caps of an instance: a lower one is tighter, and none is the loosest.
func compareCaps(a, b *systempolicy.System, component, env string) systempolicy.Verdict {
	height := func(s *systempolicy.System) int {
		if max, capped := s.Max(env, component); capped {
			return int(max)
		}
		return int(systempolicy.Improve) + 1
	}
	switch x, y := height(a), height(b); {
	case y < x:
		return systempolicy.Tighter
	case y > x:
		return systempolicy.Looser
	}
	return systempolicy.Equal
}

func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
