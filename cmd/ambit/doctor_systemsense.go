package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"example.com/ambit/systempolicy"
)

// systemText looks at what a valid system.yaml says where nobody reads it.
func (d *doctor) systemText(data []byte, sys *systempolicy.System) {
	if sys.Declared() && sys.Name() == "" {
		d.add(severityWarning, "no_name", systemFile, 0, "autonomy is declared and the system has no name, so ambit system render knows no file to write and an engine reads observe everywhere", "write name: SYSTEM at the top, then ambit system render")
	}
	if sys.Declared() && sys.Paused() {
		d.add(severityNote, "paused", systemFile, lineOfKey(data, "paused"), "autonomy is paused, so every environment acts as observe", "ambit system resume")
	}
	if !bytes.Contains(bytes.ToLower(data), []byte("auton")) {
		return
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil || len(root.Content) == 0 {
		return // judged by its reader, where anybody reads it
	}
	d.unreadAutonomy(root.Content[0], nil)
}

// policyKeys are those by which a mapping is known to be meant as autonomy.
var policyKeys = []string{"level", "engine", "autoMerge", "riskGate", "budget", "window", "undoWindow", "max", "paused"}

// autonomyPlaces are where autonomy is read; a star is any name.
var autonomyPlaces = [][]string{{}, {"environments", "*"}, {"components", "*", "instances", "*"}}

// unreadAutonomy warns about autonomy that is written in a place, or under a name, where it is not read. What has an
// anchor may be merged into a place where it is.
func (d *doctor) unreadAutonomy(n *yaml.Node, at []string) {
	if n.Kind != yaml.MappingNode || n.Anchor != "" || len(at) > maxYAMLDepth || d.saidOften(systemFile, "autonomy_unread") {
		return
	}
	place := slices.ContainsFunc(autonomyPlaces, func(p []string) bool {
		return slices.EqualFunc(p, at, func(a, b string) bool { return a == "*" || a == b })
	})
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		key := k.Value
		meant := key == "autonomy" && !place || place && nearKey(key, []string{"autonomy"}) != ""
		if meant && slices.ContainsFunc(policyKeys, func(p string) bool { return yamlGet(v, p) != nil }) {
			d.add(severityWarning, "autonomy_unread", systemFile, k.Line, strings.Join(append(slices.Clone(at), key), ".")+": nobody reads autonomy here; it is read at the top, in environments.ENV and in components.C.instances.ENV", autonomyFix(at, place))
			if d.saidOften(systemFile, "autonomy_unread") {
				return
			}
			continue
		}
		if key != "autonomy" {
			d.unreadAutonomy(v, append(slices.Clone(at), key))
		}
	}
}

func autonomyFix(at []string, place bool) string {
	if place {
		return "write autonomy"
	}
	if len(at) > 0 {
		if right := nearKey(at[0], []string{"environments", "components"}); right != "" {
			return "write " + right
		}
	}
	return "move it there, or take it out"
}

// merges says where an engine that may merge never will, or not on every day that the window names.
func (d *doctor) merges(sys *systempolicy.System, env string, acts bool) {
	p := sys.Policy(env)
	never := ""
	switch {
	case len(p.Routes()) == 0:
		never = "autoMerge.routes is empty"
	case p.MergesPerDay() == 0:
		never = "budget.mergesPerDay is 0"
	case p.RunsPerDay() == 0:
		never = "budget.runsPerDay is 0"
	}
	if acts && never != "" {
		d.add(severityWarning, "never_merges", systemFile, 0, fmt.Sprintf("%s: the level is act and %s, so no fix is ever merged without a person", env, never), "allow what is meant, or say so: ambit system set "+shellWord(env)+" propose")
	}
	for _, w := range p.Windows() {
		if day := skippedDay(w, d.now); day != "" {
			d.add(severityWarning, "window_skips_day", systemFile, 0, fmt.Sprintf("%s: on %s the clocks of %s pass over %s to %s, so the window does not open that day", env, day, w.Timezone(), w.From(), w.To()), "choose hours that every day has")
		}
	}
	for c := range sys.Components() {
		if top, capped := sys.Max(env, c); capped && top > p.Level() && sys.HasInstance(env, c) {
			d.add(severityNote, "cap_without_effect", systemFile, 0, fmt.Sprintf("components.%s.instances.%s: max %s is above the level %s of %s, so it lowers nothing", c, env, top, p.Level(), env), "")
		}
	}
}

// skippedHorizon is how far ahead a day is looked for on which a window does not open: every change of clocks of a year.
const skippedHorizon = 400

// skippedDay gives the first day from now on that a window names and on which none of its minutes exists, since the
// clocks are put forward past all of them; "" where there is none. // W7
func skippedDay(w systempolicy.Window, now time.Time) string {
	from, errFrom := time.Parse("15:04", w.From())
	to, errTo := time.Parse("15:04", w.To())
	length := int(to.Sub(from).Minutes())
	if errFrom != nil || errTo != nil || length <= 0 || length > 180 || w.Location() == nil {
		return ""
	}
	start := from.Hour()*60 + from.Minute()
	day := now.In(w.Location())
	for i := range skippedHorizon {
		y, m, n := day.AddDate(0, 0, i).Date()
		noon := time.Date(y, m, n, 12, 0, 0, 0, w.Location())
		if !slices.Contains(w.Days(), strings.ToLower(noon.Weekday().String()[:3])) {
			continue
		}
		exists := false
		for minute := start; minute < start+length && !exists; minute++ {
			t := time.Date(y, m, n, 0, minute, 0, 0, w.Location())
			exists = t.Day() == n && t.Hour()*60+t.Minute() == minute
		}
		if !exists {
			return noon.Format(time.DateOnly)
		}
	}
	return ""
}
