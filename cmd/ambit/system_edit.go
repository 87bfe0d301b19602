package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"example.com/ambit/internal/atomicfile"
	"example.com/ambit/internal/nearest"
	"example.com/ambit/internal/textdiff"
	"example.com/ambit/systempolicy"
)

// setFlags are the flags of system set with the keys that they set, in the order of the key table.
var setFlags = []struct {
	flag  flagDef
	key   systempolicy.Key
	below string // the flag's value is NAME=VALUE, and this stands before NAME
}{
	{flag: flagDef{name: "engine", value: "URL", about: "the engine that acts"}, key: systempolicy.KeyEngine},
	{flag: flagDef{name: "routes", value: "LIST", about: `what may be merged automatically: fix, or "" for nothing`}, key: systempolicy.KeyRoutes},
	{flag: flagDef{name: "max-criticality", value: "low|medium|high", about: "of the issue, at most"}, key: systempolicy.KeyMaxCriticality},
	{flag: flagDef{name: "max-files", value: "N", about: "files that a change may touch"}, key: systempolicy.KeyMaxFiles},
	{flag: flagDef{name: "max-lines", value: "N", about: "lines added and deleted"}, key: systempolicy.KeyMaxLines},
	{flag: flagDef{name: "regression-test", value: "true|false", about: "require a test that failed before"}, key: systempolicy.KeyRegressionTest},
	{flag: flagDef{name: "second-review", value: "true|false", about: "require a second review"}, key: systempolicy.KeySecondReview},
	{flag: flagDef{name: "runs-per-day", value: "N", about: "runs in a UTC day"}, key: systempolicy.KeyRunsPerDay},
	{flag: flagDef{name: "merges-per-day", value: "N", about: "merges in a UTC day"}, key: systempolicy.KeyMergesPerDay},
	{flag: flagDef{name: "per-run", value: "KEY=VALUE", about: "minutes, invocations, reruns or cost of one run", repeat: true}, below: "budget.perRun."},
	{flag: flagDef{name: "days", value: "LIST", about: "days on which the window opens, as mon,tue"}, key: systempolicy.KeyDays},
	{flag: flagDef{name: "from", value: "HH:MM", about: "when it opens"}, key: systempolicy.KeyFrom},
	{flag: flagDef{name: "to", value: "HH:MM", about: "when it closes; before --from is on the next day"}, key: systempolicy.KeyTo},
	{flag: flagDef{name: "timezone", value: "ZONE", about: "IANA name of the window's time zone"}, key: systempolicy.KeyTimezone},
	{flag: flagDef{name: "undo-window", value: "SPAN", about: "how long a person may take back, as 90m, 24h, 7d"}, key: systempolicy.KeyUndoWindow},
}

func systemEditCommands() []command {
	set := []flagDef{flagSystem}
	for _, f := range setFlags {
		set = append(set, f.flag)
	}
	set = append(set, flagDryRun, flagPR)
	set = append(set, systemNetFlags()...)
	pause := append([]flagDef{flagSystem, flagDryRun, flagPR}, systemNetFlags()...)
	return []command{
		{
			name: "system set", operands: "ENV LEVEL", min: 2, max: 2, about: "change an environment's autonomy in system.yaml",
			detail: "LEVEL is observe, advise, propose, act or improve. Only environments.ENV.autonomy changes, and no other byte.\n" +
				"Without --pr only the file changes: nothing is sent. What is tighter acts at once with --pr, the rest after the merge.",
			example: "ambit system set dev propose --max-files 3 --dry-run", flags: set, run: systemSet,
		},
		{
			name: "system pause", about: "stop: every environment acts as observe",
			detail:  "Writes autonomy.paused: true at the top of system.yaml, also into a file that is not valid. Without --pr only the file changes.",
			example: "ambit system pause --pr", flags: pause, run: func(c *call) int { return systemPause(c, true) },
		},
		{
			name: "system resume", about: "lift a pause, back to what is merged",
			detail:  "Writes autonomy.paused: false. It never goes above what is merged. Without --pr only the file changes.",
			example: "ambit system resume --pr", flags: pause, run: func(c *call) int { return systemPause(c, false) },
		},
	}
}

// systemChange is one change of system.yaml that was planned, for those that carry it out over the network too.
type systemChange struct {
	kind   systempolicy.SignalKind
	env    string // of a set
	path   string // of the file
	within string // the folder that it must lie in; "" is anywhere
	before []byte
	edited systempolicy.Edited
	plan   systempolicy.Plan
	system *systempolicy.System // before; for a pause it may not be valid
	edit   func(data []byte) (systempolicy.Edited, error)
}

// setPatch reads the flags of set, and reports each that is wrong; one that is no flag at all decides the exit code.
func (c *call) setPatch(level string) (patch systempolicy.Patch, code int) {
	with := func(k systempolicy.Key, text string) {
		next, err := patch.With(k, text)
		if err != nil {
			c.fail("not-allowed", err)
			code = cmp.Or(code, exitRefused)
			return
		}
		patch = next
	}
	with(systempolicy.KeyLevel, level)
	var given systempolicy.Keys
	for _, f := range setFlags {
		for _, text := range c.flags[f.flag.name] {
			if f.below == "" {
				with(f.key, text)
				continue
			}
			name, value, ok := strings.Cut(text, "=")
			key, err := systempolicy.ParseKey(f.below + name)
			if !ok || err != nil {
				code = c.usage(fmt.Errorf("%s %q is not one of minutes, invocations, reruns, cost with =VALUE", f.flag.spelling(), text))
				continue
			}
			if given.Has(key) {
				code = c.usage(fmt.Errorf("%s %s is given twice", f.flag.spelling(), name))
				continue
			}
			given = given.With(key)
			with(key, value)
		}
	}
	return patch, code
}

// fixedInput reports that the file to be changed is standard input.
func (c *call) fixedInput() bool {
	path, _ := c.systemPath()
	if path == "-" {
		c.fail("usage", errors.New("--system - is standard input, which cannot be changed"))
	}
	return path == "-"
}

func systemSet(c *call) int {
	if c.fixedInput() {
		return exitUsage
	}
	env := c.operands[0]
	patch, code := c.setPatch(c.operands[1])
	if code != exitOK {
		return code
	}
	ch := systemChange{kind: systempolicy.SetSignal, env: env}
	code = c.applyEdit(&ch, func(data []byte) (systempolicy.Edited, error) { return systempolicy.Edit(ch.path, data, env, patch) })
	if code != exitOK {
		return code
	}
	if c.is("pr") {
		return c.systemPublish(ch)
	}
	c.writeSet(ch)
	return exitOK
}

func systemPause(c *call, pause bool) int {
	if c.fixedInput() {
		return exitUsage
	}
	ch := systemChange{kind: systempolicy.ResumeSignal}
	edit := func(data []byte) (systempolicy.Edited, error) { return systempolicy.Resume(ch.path, data) }
	if pause {
		ch.kind = systempolicy.PauseSignal
		edit = func(data []byte) (systempolicy.Edited, error) { return systempolicy.Pause(ch.path, data) }
	}
	code := c.applyEdit(&ch, edit)
	switch {
	case c.is("pr") && (code == exitOK || pause): // stopping does not wait for the file
		return max(code, c.systemPublish(ch))
	case code != exitOK:
		return code
	}
	c.writePause(ch, pause)
	return exitOK
}

// applyEdit plans a change, and makes it on the disk where neither --dry-run nor --pr is given. The edit is computed
// again under the file's lock, on what the file then holds.
func (c *call) applyEdit(ch *systemChange, edit func([]byte) (systempolicy.Edited, error)) (code int) {
	ch.path, ch.within = c.systemPath()
	ch.edit = edit
	plan := func(data []byte) error {
		ch.before = data
		ch.system, _ = systempolicy.Parse(ch.path, data)
		var err error
		if ch.edited, err = edit(data); err != nil {
			return err
		}
		after, _ := systempolicy.Parse(ch.path, ch.edited.Data)
		if ch.kind == systempolicy.SetSignal {
			ch.plan = systempolicy.Split(policyOf(ch.system, ch.env), policyOf(after, ch.env))
		}
		return nil
	}
	var err error
	if c.is("dry-run") || c.is("pr") {
		var data []byte
		if _, data, code = c.systemData(); code != exitOK {
			return code
		}
		err = plan(data)
	} else {
		_, err = atomicfile.Update(ch.within, ch.path, maxSystemFile, 0, func(old []byte, exists bool) ([]byte, error) {
			if !exists {
				return nil, fmt.Errorf("%s: %w", ch.path, fs.ErrNotExist)
			}
			if err := plan(old); err != nil {
				return nil, refusedEdit{err}
			}
			return ch.edited.Data, nil
		})
	}
	var refusal refusedEdit
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &refusal), c.is("dry-run"), c.is("pr"):
		if ch.env != "" && errors.Is(err, systempolicy.ErrUnknownEnvironment) {
			names := slices.Collect(ch.system.Environments())
			err = hinted{err, strings.TrimSpace(nearest.Hint(ch.env, names) + " there is: " + orNone(names))}
		}
		c.fail("refused", err)
		return exitRefused
	}
	return c.readFailed(ioCodes, err)
}

// refusedEdit is an error of the edit itself, not of the disk.
type refusedEdit struct{ error }

func (r refusedEdit) Unwrap() error { return r.error }

// diff is what the edit changes; "" when it changes nothing.
func (ch *systemChange) diff() string {
	if !ch.edited.Changed {
		return ""
	}
	return textdiff.Unified(ch.path, ch.path, ch.before, ch.edited.Data)
}

// setJSON and pauseJSON are what a change of the file prints; a publication adds what went out.
type setJSON struct {
	Version     int                 `json:"version"`
	Environment string              `json:"environment"`
	Changed     bool                `json:"changed"`
	AtOnce      []string            `json:"atOnce"`
	AfterMerge  []string            `json:"afterMerge"`
	Signal      *systempolicy.Patch `json:"signal"`
	Diff        string              `json:"diff"`
}

type pauseJSON struct {
	Version int    `json:"version"`
	Paused  bool   `json:"paused"`
	Changed bool   `json:"changed"`
	Diff    string `json:"diff"`
}

func (ch *systemChange) setJSON(diff string) setJSON {
	return setJSON{1, ch.env, ch.edited.Changed, ch.plan.AtOnce.Names(), ch.plan.AfterMerge.Names(), ch.signal(), diff}
}

func (ch *systemChange) pauseJSON(pause bool, diff string) pauseJSON {
	return pauseJSON{1, pause, ch.edited.Changed, diff}
}

func (c *call) writeSet(ch systemChange) {
	diff := ch.diff()
	if c.json {
		writeJSON(c.stdout, ch.setJSON(diff))
		return
	}
	c.writeChange(ch, diff)
	if !ch.edited.Changed {
		return
	}
	rows := [][]string{}
	if !ch.plan.AtOnce.Empty() {
		when := "tighter, acts at once with --pr:"
		if policyOf(ch.system, ch.env).Engine() == "" { // S2
			when = "tighter, and no engine is merged to send it to:"
		}
		rows = append(rows, []string{when, ch.plan.AtOnce.String()})
	}
	if !ch.plan.AfterMerge.Empty() {
		rows = append(rows, []string{"looser, waits for the merge:", ch.plan.AfterMerge.String()})
	}
	writeTable(c.stdout, rows)
}

// signal is what a set sends; nil is nothing.
func (ch *systemChange) signal() *systempolicy.Patch {
	if ch.plan.Signal.Keys().Empty() {
		return nil
	}
	return &ch.plan.Signal
}

func (c *call) writePause(ch systemChange, pause bool) {
	diff := ch.diff()
	if c.json {
		writeJSON(c.stdout, ch.pauseJSON(pause, diff))
		return
	}
	c.writeChange(ch, diff)
}

// writeChange says what became of the file.
func (c *call) writeChange(ch systemChange, diff string) {
	switch {
	case !ch.edited.Changed:
		fmt.Fprintf(c.stdout, "%s: already so, nothing to change\n", printable(ch.path))
	case c.is("dry-run"):
		fmt.Fprintf(c.stdout, "%s: would change; nothing was written\n%s", printable(ch.path), printableLines(diff))
	default:
		fmt.Fprintf(c.stdout, "%s: changed; nothing was sent\n%s", printable(ch.path), printableLines(diff))
	}
}
