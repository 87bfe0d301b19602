package main

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/systempolicy"
)

const (
	systemFile         = "system.yaml"
	applicationsFolder = "applications"
	renderedFile       = "autonomy.json"
	renderFix          = "ambit system render"
)

// system looks at system.yaml, at what follows from the clock, and at every autonomy.json.
func (d *doctor) system() {
	expected, name := []byte(nil), ""
	data, ok := d.read(systemFile, "system", maxSystemFile)
	known := ok // what autonomy.json must be
	if ok && len(bytes.TrimSpace(data)) == 0 {
		d.add(severityWarning, "empty", systemFile, 0, "the file is empty", "write what was meant, or take the file out")
	}
	if ok {
		sys, err := systempolicy.Parse(systemFile, data)
		if d.faults(systemFile, "system", err, "mend it, then ambit system validate") {
			known = false
		} else {
			for _, w := range sys.Warnings() {
				d.add(severityWarning, w.Code, systemFile, w.Line, w.Message(), systemFix(w))
			}
			d.environments(sys)
			if name = sys.Name(); !sys.Declared() {
				name = systempolicy.NameOf(data)
			}
			expected, _ = sys.Render() // nil where nothing is declared; a valid system renders
			d.systemText(data, sys)
		}
	}
	own := ""
	if known && name != "" && filepath.IsLocal(name) {
		own = path.Join(applicationsFolder, name, renderedFile)
	}
	found := false
	for _, folder := range d.glob(applicationsFolder, "*") {
		if !d.isFolder(folder) {
			if _, err := d.culprit(folder); err != nil {
				d.unreadable(folder, err)
			}
			continue
		}
		file := path.Join(folder, renderedFile)
		if data, ok := d.read(file, "autonomy", systempolicy.MaxRenderedBytes); ok {
			found = found || file == own
			sound := d.rendered(file, data, file == own || known && name == "" && expected == nil, name != "", expected)
			if sound && file != own && (known && name != "" || !d.exists(systemFile)) {
				d.orphan(file, name)
			}
		}
	}
	if own != "" && expected != nil && !found && !d.blocked(own) {
		d.add(severityError, "autonomy_missing", own, 0, "system.yaml declares autonomy and this file is not there, so an engine reads observe everywhere", renderFix)
	}
}

// rendered looks at one autonomy.json. Only the one of this folder's system can be held against what it follows from.
func (d *doctor) rendered(file string, data []byte, own, named bool, expected []byte) (sound bool) {
	fix := renderFix
	if !own {
		fix = "in the folder of its own system.yaml: " + renderFix
	}
	_, err := systempolicy.LoadRendered(file, data)
	if d.faults(file, "autonomy", err, fix) {
		return false
	}
	d.jsonSchema("autonomy", file, data, canonjson.Limits{MaxBytes: systempolicy.MaxRenderedBytes, MaxDepth: systempolicy.MaxDepth})
	switch {
	case !own || bytes.Equal(data, expected):
	case expected == nil:
		if !named {
			fix = "rm " + shellWord(file)
		}
		d.add(severityError, "autonomy_stale", file, 0, "system.yaml declares no autonomy any more, and an engine still reads this file", fix)
	default:
		d.add(severityError, "autonomy_drift", file, firstDifference(data, expected), "it is not what system.yaml renders to", renderFix)
	}
	return true
}

// orphan warns about an autonomy.json that no system.yaml here renders to.
func (d *doctor) orphan(file, name string) {
	why := "there is no system.yaml here that it follows from"
	if name != "" {
		why = "the system.yaml here is of " + name
	}
	d.add(severityWarning, "autonomy_orphan", file, 0, why+", so nothing keeps this file true, and an engine may read it", "put its system.yaml back, or rm "+shellWord(file))
}

// firstDifference gives the line on which two texts part.
func firstDifference(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return 1 + bytes.Count(a[:n], []byte("\n"))
}

// systemFixes says what to do about a warning of a system.
var systemFixes = map[string]string{
	systempolicy.WarnProdName:      "ambit system set ENV act",
	systempolicy.WarnNoEngine:      "name one: ambit system set ENV act --engine URL",
	systempolicy.WarnSharedToken:   "give each engine a host of its own",
	systempolicy.WarnPlainHTTP:     "name a safe one: ambit system set ENV act --engine https://HOST",
	systempolicy.WarnNoDST:         "name the place instead, as America/New_York",
	systempolicy.WarnUndeclaredEnv: "take the cap out, or add the environment",
}

// systemFix is systemFixes with the environment that the warning is about.
func systemFix(w *systempolicy.Error) string {
	env, _, _ := strings.Cut(strings.TrimPrefix(w.Key, "environments."), ".autonomy")
	return strings.ReplaceAll(systemFixes[w.Code], "ENV", shellWord(env))
}

// environments says what the clock and the engines make of what is declared.
func (d *doctor) environments(sys *systempolicy.System) {
	names := slices.DeleteFunc(slices.Collect(sys.Environments()), func(env string) bool { return !sys.DeclaresIn(env) })
	var live map[string]environmentLive
	if d.is("ask-engines") {
		live = d.systemLive(sys, names)
	}
	for _, env := range names {
		p := sys.Policy(env)
		acts := sys.Effective(env, "", systempolicy.Signals{}) >= systempolicy.Act
		at, opens, changes := p.NextChange(d.now)
		switch {
		case !changes && !p.Open(d.now):
			d.add(severityWarning, "window_never_opens", systemFile, 0, env+": the window never opens, so nothing is ever merged", "ambit system set "+shellWord(env)+" "+p.Level().String()+" --days mon,tue,wed,thu,fri --from 09:00 --to 17:00")
		case acts && opens && len(p.Windows()) > 0:
			d.add(severityNote, "window_closed", systemFile, 0, fmt.Sprintf("%s: the window is closed until %s", env, p.Windows()[0].Local(at)), "")
		}
		d.merges(sys, env, acts)
		if p.Engine() == "" {
			if p.Level() != systempolicy.Observe && p.Level() < systempolicy.Act {
				d.add(severityNote, "no-engine", systemFile, 0, fmt.Sprintf("%s: %s is declared and there is no engine, so it is not supervised and nothing acts on it", env, p.Level()), "once there is one: ambit system set "+shellWord(env)+" "+p.Level().String()+" --engine URL")
			}
			continue
		}
		switch l, asked := live[env]; {
		case !asked:
			d.add(severityNote, "engine_not_asked", systemFile, 0, env+": the engine was not asked whether it is supervised", "to ask it: ambit doctor --ask-engines")
		case l.Supervised != "supervised":
			d.add(severityWarning, "engine_not_supervised", systemFile, 0, fmt.Sprintf("%s: the engine is %s", env, l.Supervised), "ambit system show "+shellWord(env))
		}
	}
}
