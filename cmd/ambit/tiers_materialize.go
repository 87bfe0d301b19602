package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/ambit/harness"
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
			c.fail("unknown_tool", suggest(fmt.Errorf("the protocol declares no tool %q that has files; it has: %s", name, orNone(declared)), name, declared))
			return o, exitRefused
		}
		o.Tools = append(o.Tools, n)
	}
	return o, exitOK
}
