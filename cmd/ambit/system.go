package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/systempolicy"
)

func systemCommands() []command {
	return slices.Concat(systemReadCommands(), systemJudgeCommands(), systemEditCommands(), systemNetCommands())
}

// maxSystemFile is how much of a system.yaml is read. One that does not mention autonomy may be larger than what is
// parsed (R2).
const maxSystemFile = 16 << 20

var (
	flagSystem    = flagDef{name: "system", value: "FILE", about: "the system's file (default system.yaml under the root)"}
	flagFacts     = flagDef{name: "facts", value: "FILE", about: "JSON of what is known about the change; - is standard input"}
	flagComponent = flagDef{name: "component", value: "NAME", about: "the component that the change is in"}
	flagSignals   = flagDef{name: "signals", value: "FILE", about: "JSON of the signals that the engines hold"}
	flagDryRun    = flagDef{name: "dry-run", about: "print the plan and do nothing"}
	flagPR        = flagDef{name: "pr", about: "signal the engines and open the pull request"}
)

// systemPath gives the system's file, and the folder that it must lie in; "" is anywhere.
func (c *call) systemPath() (path, within string) {
	if v, ok := c.flag("system"); ok {
		return v, ""
	}
	return filepath.Join(c.root(), "system.yaml"), c.root()
}

// systemData reads the system's file. code is exitOK when there are bytes.
func (c *call) systemData() (path string, data []byte, code int) {
	path, within := c.systemPath()
	data, err := c.readInput(path, within, maxSystemFile)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = hinted{err, "say where with --root or --system"}
		}
		return path, nil, c.readFailed(ioCodes, err)
	}
	return path, data, exitOK
}

// loadSystem reads and parses the system's file and reports its problems and warnings. The System judges also when it
// is not valid, and also when there is none, since a nil one is at observe.
func (c *call) loadSystem() (sys *systempolicy.System, path string, code int) {
	path, data, code := c.systemData()
	if code != exitOK {
		return nil, path, code
	}
	sys, code = c.parseSystem(path, data)
	return sys, path, code
}

func (c *call) parseSystem(path string, data []byte) (sys *systempolicy.System, code int) {
	sys, err := systempolicy.Parse(path, data)
	if err != nil {
		c.fail("invalid", err)
		return sys, exitRefused
	}
	for _, w := range sys.Warnings() {
		c.warn(w.Code, w)
	}
	return sys, exitOK
}

// loadFacts reads --facts. Facts that are no JSON are no facts: the verdict is then that nothing is known.
func (c *call) loadFacts() (f systempolicy.Facts, code int) {
	path, given := c.flag("facts")
	if !given {
		return f, c.usage(hinted{errors.New("--facts is missing"), "--facts - reads them from standard input"})
	}
	data, err := c.readInput(path, "", systempolicy.MaxFactsBytes)
	if err != nil {
		return f, c.readFailed(ioCodes, err)
	}
	if f, err = systempolicy.ParseFacts(path, data); err != nil {
		c.fail("facts", err)
		return f, exitRefused
	}
	c.noteFacts(path, data)
	return f, exitOK
}

// factNames are the names of the facts, each with what its value is.
var factNames = []struct {
	name, want string
	kind       canonjson.Kind
}{
	{"route", "a text", canonjson.KindString}, {"criticality", "a text", canonjson.KindString}, {"files", "an integer", canonjson.KindInt},
	{"adds", "an integer", canonjson.KindInt}, {"deletes", "an integer", canonjson.KindInt}, {"regressionTest", "true or false", canonjson.KindBool},
	{"secondReview", "true or false", canonjson.KindBool}, {"mergesToday", "an integer", canonjson.KindInt}, {"runsToday", "an integer", canonjson.KindInt},
}

// noteFacts says what of the facts is not taken: names that are no fact's, and values of another type, which are missing
// facts all the same.
func (c *call) noteFacts(path string, data []byte) {
	v, err := canonjson.Parse(path, data, canonjson.Limits{MaxBytes: systempolicy.MaxFactsBytes, MaxDepth: systempolicy.MaxDepth})
	if err != nil {
		return
	}
	var names []string
	for _, f := range factNames {
		names = append(names, f.name)
		if got := v.Get(f.name); got.Exists() && !got.Is(canonjson.KindNull) && !got.Is(f.kind) {
			c.note("wrong-type", fmt.Errorf("%s: %s is not %s, so it is not known", path, f.name, f.want))
		}
	}
	for name := range v.Members() {
		if !slices.Contains(names, name.Text()) {
			c.note("unknown-fact", suggest(fmt.Errorf("%s: %q is no fact and is not looked at; the facts are %s", path, name.Text(), strings.Join(names, ", ")), name.Text(), names))
		}
	}
}

// loadSignals reads --signals; no flag is no signal.
func (c *call) loadSignals() (s systempolicy.Signals, code int) {
	path, given := c.flag("signals")
	if !given {
		return s, exitOK
	}
	data, err := c.readInput(path, "", systempolicy.MaxSignalsBytes)
	if err != nil {
		return systempolicy.Signals{Paused: true}, c.readFailed(ioCodes, err)
	}
	if s, err = systempolicy.ParseSignals(path, data); err != nil {
		c.fail("signals", err)
		return s, exitRefused
	}
	return s, exitOK
}

// noteAbsent says that an environment or an instance is not there, and which was probably meant; it is at observe.
func (c *call) noteAbsent(sys *systempolicy.System, env, component string) {
	names := slices.Collect(sys.Environments())
	switch {
	case !sys.Declared() && !sys.Valid(): // what is wrong with the file was said
	case !sys.Declared():
		c.note("not-declared", errors.New("the system declares no autonomy, so every environment is at observe"))
	case !sys.Has(env):
		c.note("unknown-environment", suggest(fmt.Errorf("there is no environment %q, so it is at observe; there is: %s", env, orNone(names)), env, names))
	case component != "" && !sys.HasInstance(env, component):
		all := slices.Collect(sys.Components())
		c.note("unknown-instance", suggest(fmt.Errorf("%q has no instance in %s, so it is at observe", component, env), component, slices.DeleteFunc(all, func(n string) bool { return n == component })))
	}
}

func systemReadCommands() []command {
	return []command{
		{
			name: "system validate", operands: "[FILE]", max: 1, about: "problems and warnings of system.yaml",
			detail:  "A file that does not mention autonomy is not judged. - is standard input.",
			example: "ambit system validate", flags: []flagDef{flagSystem}, run: systemValidate,
		},
		{
			name: "system show", operands: "[ENV]", max: 1, about: "what each environment acts as and why, its window now, what differs from the defaults",
			detail:  "Without ENV, every environment. Engines are asked for their status, where their token is known; with --store, what they did in the last 24 hours is shown. Nothing is changed.",
			example: "ambit system show dev", flags: append([]flagDef{flagSystem, flagSignals}, systemNetFlags()...), run: systemShow,
		},
		{
			name: "system render", about: "write the autonomy.json that an engine reads",
			detail: "Writes applications/NAME/autonomy.json under the root, NAME being the system's name; without a name it is printed.\n" +
				"When nothing is declared any more, a stale file is removed. Nothing is written while the file is not valid.",
			example: "ambit system render", flags: []flagDef{flagSystem, {name: "o", value: "FILE", about: "write here instead; - prints"}}, run: systemRender,
		},
		{
			name: "system effective", operands: "ENV [COMPONENT]", min: 1, max: 2, about: "the level that an environment or an instance acts as",
			detail:  "One word. What is not there is at observe, and so is everything when the file is not valid (exit 2).",
			example: "ambit system effective prod shop-api", flags: []flagDef{flagSystem, flagSignals}, run: systemEffective,
		},
		{
			name: "system compare", operands: "A.yaml B.yaml [ENV]", min: 2, max: 3, about: "what B is to A: tighter, looser, equal or incomparable",
			detail:  "Per key, of one environment or of all. Exit 0 when B is equal or tighter, 2 when it loosens anything.",
			example: "ambit system compare merged.yaml proposed.yaml dev", run: systemCompare,
		},
	}
}

func systemValidate(c *call) int {
	if len(c.operands) == 1 {
		if _, given := c.flag("system"); given {
			return c.usage(errors.New("say either FILE or --system, not both"))
		}
		c.flags["system"] = c.operands
	}
	sys, path, code := c.loadSystem()
	if code == exitIO {
		return code
	}
	declaring := []string{}
	for env := range sys.Environments() {
		if sys.DeclaresIn(env) {
			declaring = append(declaring, env)
		}
	}
	switch {
	case c.json:
		writeJSON(c.stdout, struct {
			Version      int      `json:"version"`
			File         string   `json:"file"`
			Valid        bool     `json:"valid"`
			Declared     bool     `json:"declared"`
			Environments []string `json:"environments"`
			Warnings     int      `json:"warnings"`
		}{1, path, sys.Valid(), sys.Declared(), declaring, len(sys.Warnings())})
	case !sys.Valid():
	case !sys.Declared():
		fmt.Fprintf(c.stdout, "%s: no autonomy is declared, so every environment is at observe\n", printable(path))
	default:
		fmt.Fprintf(c.stdout, "%s: valid; autonomy is declared for: %s\n", printable(path), printable(orNone(declaring)))
	}
	return code
}

func systemEffective(c *call) int {
	component := ""
	if len(c.operands) == 2 {
		if component = c.operands[1]; component == "" { // of an unset variable: not the environment's own level
			return c.usage(errors.New("COMPONENT is empty; leave it out to ask for the environment's own level"))
		}
	}
	sys, _, code := c.loadSystem()
	signals, signalsCode := c.loadSignals()
	code = max(code, signalsCode)
	level := actsAs(code, sys, c.operands[0], component, signals)
	if code == exitOK {
		c.noteAbsent(sys, c.operands[0], component)
	}
	if c.json {
		writeJSON(c.stdout, struct {
			Version     int     `json:"version"`
			Environment string  `json:"environment"`
			Component   *string `json:"component"`
			Effective   string  `json:"effective"`
		}{1, c.operands[0], optional(component), level.String()})
	} else {
		fmt.Fprintln(c.stdout, level)
	}
	return code
}

// actsAs gives the level that an environment, or an instance in it, acts as. code is how well the file, the signals and
// the facts could be read: where anything could not be told, nothing acts.
func actsAs(code int, sys *systempolicy.System, env, component string, signals systempolicy.Signals) systempolicy.Level {
	if code != exitOK {
		return systempolicy.Observe
	}
	return sys.Effective(env, component, signals)
}
