package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ambit/harness"
	"example.com/ambit/internal/nearest"
	"example.com/ambit/tiers"
)

func materializeCommands() []command {
	return []command{
		{
			name: "tiers materialize", about: "write the agents' own permission files",
			detail: "Writes what the protocol says into the files of each declared tool: all of them or none, keeping every byte that a\n" +
				"person wrote. Before anything is written it is proved that no allow rule opens tier3. Replaced files are kept under\n" +
				harness.BackupsPath + ". Not every file is read by its agent: the output says which one is.",
			example: "ambit tiers materialize --native --dry-run",
			flags: []flagDef{
				{name: "tool", value: "TOOL,...", about: "only these tools of the protocol"},
				{name: "native", about: "also what Codex and OpenCode themselves read (then kept up to date)"},
				{name: "codex-allow", about: "allow rules for Codex too; there they also leave the sandbox"},
				{name: "tier3", value: "deny|ask", about: "tier3 is denied (default), or asks inside the agent", oneOf: []string{"deny", "ask"}},
				{name: "dry-run", about: "show what would change and write nothing"},
				{name: "strict", about: "what would be a notice about tier3 is an error"},
				{name: "force", about: "overwrite whole files that were edited by hand"},
				flagProtocol,
			},
			run: runTiersMaterialize,
		},
		{
			name: "tiers check", about: "are the agents' files what the protocol makes of them?",
			detail:  "Compares by content, never by time. Exit 2 when any file is missing, edited, or not what the protocol says: for CI.",
			example: "ambit tiers check --tool claude", flags: []flagDef{{name: "tool", value: "TOOL,...", about: "only the files of these tools of the protocol"}, flagProtocol},
			run: runTiersCheck,
		},
		{
			name: "tiers restore", operands: "STAMP", min: 1, max: 1, about: "put a backup back",
			detail:  "STAMP is a folder under " + harness.BackupsPath + ". The files go through the same proof: a rule that is tier3 does not come back.",
			example: "ambit tiers restore 2026-07-05T14-30-00-000Z", flags: []flagDef{{name: "dry-run", about: "show what would change and write nothing"}, flagProtocol},
			run: runTiersRestore,
		},
	}
}

type changeJSON struct {
	Target string  `json:"target"`
	Path   string  `json:"path"`
	Action string  `json:"action"`
	Diff   string  `json:"diff"`
	ReadBy *string `json:"read_by"`
}

type harnessNoticeJSON struct {
	Code    harness.NoticeCode `json:"code"`
	Target  *string            `json:"target"`
	Entry   *string            `json:"entry"`
	Other   *string            `json:"other"`
	Rules   []string           `json:"rules"`
	Message string             `json:"message"`
}

func runTiersMaterialize(c *call) int {
	p, code := c.loadProtocol()
	if code != exitOK {
		return code
	}
	o, code := c.materializeOptions(p)
	if code != exitOK {
		return code
	}
	if o.Strict {
		if err := p.Strict(); err != nil {
			c.fail("strict", err)
			return exitRefused
		}
	}
	plan, err := harness.Plan(c.root(), p, o)
	if err != nil {
		return c.failHarness(err)
	}
	if !c.json {
		fmt.Fprintf(c.stdout, "protocol  %s\n", printable(protocolName(p)))
	}
	return c.applyChanges(plan)
}

func (c *call) materializeOptions(p *tiers.Protocol) (harness.Options, int) {
	tier3, _ := c.flag("tier3")
	o := harness.Options{Native: c.is("native"), CodexAllow: c.is("codex-allow"), Tier3Ask: tier3 == "ask", Strict: c.is("strict"), Force: c.is("force"), Now: c.now}
	list, given := c.flag("tool")
	if !given {
		return o, exitOK
	}
	var declared []string
	for t := range p.Tools() {
		declared = append(declared, t.Name)
	}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		var n harness.Name
		if !slices.Contains(declared, name) || n.UnmarshalText([]byte(name)) != nil {
			c.fail("unknown_tool", suggest(fmt.Errorf("the protocol declares no tool %q that has files; it has: %s", name, orNone(declared)), nearest.Of(name, declared)))
			return o, exitRefused
		}
		o.Tools = append(o.Tools, n)
	}
	return o, exitOK
}

// failHarness reports an error of the package with the exit code that fits it.
func (c *call) failHarness(err error) int {
	c.fail("harness", err)
	for _, refused := range []error{harness.ErrTier3, harness.ErrStrict, harness.ErrEdited, harness.ErrRefused, harness.ErrFormat, harness.ErrLedger, harness.ErrUnknown} {
		if errors.Is(err, refused) {
			return exitRefused
		}
	}
	for _, p := range c.problems {
		if p.Code == harness.CodeFile {
			return exitRefused
		}
	}
	return exitIO
}

// applyChanges writes a plan, or with --dry-run shows it.
func (c *call) applyChanges(plan *harness.Changes) int {
	if err := plan.Err(); err != nil {
		c.showChanges(plan.Files, plan.Notices, nil)
		return c.failHarness(err)
	}
	if c.is("dry-run") {
		c.showChanges(plan.Files, plan.Notices, nil)
		return exitOK
	}
	r, err := harness.Apply(plan)
	if err != nil {
		return c.failHarness(err)
	}
	c.showChanges(r.Files, r.Notices, r.Backups)
	return exitOK
}

func (c *call) showChanges(files []harness.FileChange, notices []harness.Notice, backups []string) {
	if c.json {
		out := struct {
			Version int                 `json:"version"`
			Files   []changeJSON        `json:"files"`
			Backups []string            `json:"backups"`
			Notices []harnessNoticeJSON `json:"notices"`
		}{1, []changeJSON{}, append([]string{}, backups...), []harnessNoticeJSON{}}
		for _, f := range files {
			out.Files = append(out.Files, changeJSON{f.Target.String(), f.Path, f.Action.String(), f.Diff, optional(f.Target.ReadBy())})
		}
		for _, n := range notices {
			out.Notices = append(out.Notices, harnessNoticeJSON{n.Code, optional(n.Target), optional(n.Entry), optional(n.Other), append([]string{}, n.Rules...), n.Message})
		}
		writeJSON(c.stdout, out)
		return
	}
	var rows [][]string
	for _, f := range files {
		rows = append(rows, []string{f.Action.String(), printable(f.Path), readBy(f.Target)})
	}
	writeTable(c.stdout, rows)
	for _, b := range backups {
		fmt.Fprintf(c.stdout, "backup  %s\n", printable(b))
	}
	if c.is("dry-run") {
		for _, f := range files {
			if f.Diff != "" {
				fmt.Fprintf(c.stdout, "\n%s", printableLines(f.Diff))
			}
		}
	}
	c.showHarnessNotices(notices)
}

// readBy says who looks at the file, so that nobody believes in one that nothing reads.
func readBy(t harness.Target) string {
	if by := t.ReadBy(); by != "" {
		return "read by " + by
	}
	return "read by no agent: the contract's own format"
}

// together are the notices that are said once for all their entries.
var together = map[harness.NoticeCode]string{
	harness.NoticeNativeWider:   "the agent's own rule lets options through that run or write something; the hook looks at them (--strict leaves these out)",
	harness.NoticeInexpressible: "the agent's own rules cannot say it; the evaluator behind the hook keeps it",
	harness.NoticeForeignAllow:  "allow rules that are not from the protocol; they stay",
}

// showHarnessNotices prints the notices, those of one kind about one file together.
func (c *call) showHarnessNotices(notices []harness.Notice) {
	type kind struct {
		code   harness.NoticeCode
		target string
	}
	var order []kind
	groups := map[kind][]string{}
	for _, n := range notices {
		if n.Code == harness.NoticeNotRead {
			continue // the table says so
		}
		k := kind{n.Code, n.Target}
		if groups[k] == nil {
			order = append(order, k)
		}
		switch {
		case n.Code == harness.NoticeForeignAllow:
			groups[k] = append(groups[k], n.Rules...)
		case together[n.Code] != "":
			groups[k] = append(groups[k], n.Entry)
		default:
			groups[k] = append(groups[k], n.Message)
		}
	}
	for _, k := range order {
		fmt.Fprintf(c.stdout, "\n%s  %s\n", c.paint("33", string(k.code)), k.target)
		if about := together[k.code]; about != "" {
			var b strings.Builder
			writeGroup(&b, "      ", groups[k], "")
			writeWrapped(c.stdout, "  ", 2, about)
			c.stdout.WriteString(b.String())
			continue
		}
		for _, text := range groups[k] {
			writeWrapped(c.stdout, "  ", 2, printable(text))
		}
	}
}

func runTiersCheck(c *call) int {
	p, code := c.loadProtocol()
	if code != exitOK {
		return code
	}
	o, code := c.materializeOptions(p)
	if code != exitOK {
		return code
	}
	files, err := harness.Check(c.root(), p)
	if err != nil {
		return c.failHarness(err)
	}
	if len(o.Tools) > 0 {
		files = slices.DeleteFunc(files, func(f harness.FileState) bool { return !slices.Contains(o.Tools, f.Target.Tool()) })
	}
	if c.json {
		type fileJSON struct {
			Target string  `json:"target"`
			Path   string  `json:"path"`
			State  string  `json:"state"`
			Diff   string  `json:"diff"`
			ReadBy *string `json:"read_by"`
		}
		out := []fileJSON{}
		for _, f := range files {
			out = append(out, fileJSON{f.Target.String(), f.Path, f.State.String(), f.Diff, optional(f.Target.ReadBy())})
		}
		writeJSON(c.stdout, struct {
			Version  int        `json:"version"`
			Protocol string     `json:"protocol"`
			InSync   bool       `json:"in_sync"`
			Files    []fileJSON `json:"files"`
		}{1, p.Name(), harness.InStep(files) == nil, out})
	} else {
		c.showStates(p, files)
	}
	for _, f := range files {
		if f.Err != nil {
			c.fail("harness", f.Err)
		}
	}
	if harness.InStep(files) != nil {
		return exitRefused
	}
	return exitOK
}

func (c *call) showStates(p *tiers.Protocol, files []harness.FileState) {
	fmt.Fprintf(c.stdout, "protocol  %s\n", printable(protocolName(p)))
	var rows [][]string
	for _, f := range files {
		rows = append(rows, []string{strings.ReplaceAll(f.State.String(), "_", " "), printable(f.Path), readBy(f.Target)})
	}
	writeTable(c.stdout, rows)
	for _, f := range files {
		if f.Diff != "" && f.State != harness.Missing {
			fmt.Fprintf(c.stdout, "\n%s", printableLines(f.Diff))
		}
	}
	if slices.ContainsFunc(files, func(f harness.FileState) bool { return f.State != harness.InSync && f.State != harness.Unknown }) {
		fmt.Fprint(c.stdout, "\nambit tiers materialize writes what is missing, drifted or edited; whole files that were edited need --force\n")
	}
}

func runTiersRestore(c *call) int {
	p, code := c.loadProtocol()
	if code != exitOK {
		return code
	}
	plan, err := harness.PlanRestore(c.root(), p, c.operands[0], harness.Options{Now: c.now})
	if errors.Is(err, harness.ErrUnknown) {
		err = hinted{err, "there is: " + orNone(c.backups())}
	}
	if err != nil {
		return c.failHarness(err)
	}
	return c.applyChanges(plan)
}

// backups gives the stamps that can be restored, the newest first.
func (c *call) backups() (stamps []string) {
	entries, _ := os.ReadDir(filepath.Join(c.root(), filepath.FromSlash(harness.BackupsPath)))
	for _, e := range slices.Backward(entries) {
		// One without a manifest is of a run that was killed.
		if _, err := os.Stat(filepath.Join(c.root(), filepath.FromSlash(harness.BackupsPath), e.Name(), "permissions", "manifest.json")); err == nil {
			stamps = append(stamps, e.Name())
		}
	}
	return stamps
}
