package tiers

import (
	"iter"
	"slices"
	"sync"

	"example.com/ambit/internal/fault"
)

// ProtocolPath is where a project keeps its protocol, below its root; slash-separated (T1).
const ProtocolPath = ".aioson/config/autonomy-protocol.json"

// DefaultProgram is the program that command entries belong to (T22).
const DefaultProgram = "aioson"

// Protocol sorts commands into tiers, and says per tool which of them apply. It is made by [Parse] or [Default] and
// never changes; it is safe for concurrent use. The nil Protocol allows nothing and denies nothing: everything asks.
type Protocol struct {
	name       string
	version    string
	legacy     bool
	program    string
	globalMode *Mode
	tiers      [4]tierLists            // by Tier
	tools      []Tool                  // in file order
	agents     map[string]Mode         // ceilings
	notices    []Notice                // of the file
	resolved   map[string]func() *Sets // per declared tool and ""
	undeclared func() *Sets            // of every other tool
}

// tierLists is what one tier lists: shell patterns first, then commands.
type tierLists struct {
	entries    []entry
	writePaths []string
}

// entry is one text of a list, with its place in the file.
type entry struct {
	kind    Kind
	text    string
	pattern Pattern
	denier  denier // of pattern, where the entry stands in a deny list
	place
}

type place struct {
	key       string
	line, col int
}

// entryID is what makes two entries the same.
type entryID struct {
	kind Kind
	text string
}

func (e entry) id() entryID { return entryID{e.kind, e.text} }

// Tool is what a protocol declares of one tool.
type Tool struct {
	Name        string // as the protocol spells it
	Mode        Mode   // its own, before ceilings; EffectiveMode has those
	RequiresTTY bool   // requires_tty: the tool must have a terminal; never changes a verdict
	Known       bool   // whether this build knows the tool (T1)

	derives     bool // derived_from_tiers is there, maybe empty
	derivedAt   place
	derivedFrom []derivedTier
	whitelist   []entry
	blacklist   []entry
}

type derivedTier struct {
	tier Tier
	place
}

// DerivedFrom gives the tiers that the tool lists, in order, tier3 included if it stands there; ok is false when the
// tool has no derived_from_tiers.
func (t Tool) DerivedFrom() (list []Tier, ok bool) {
	for _, d := range t.derivedFrom {
		list = append(list, d.tier)
	}
	return list, t.derives
}

// knownTools are the tools that the contract names; files are written for these.
var knownTools = []string{"claude", "codex", "opencode"}

// Name gives what was given to Parse, or "default".
func (p *Protocol) Name() string {
	if p == nil {
		return ""
	}
	return p.name
}

// Version gives the protocol's version as written.
func (p *Protocol) Version() string {
	if p == nil {
		return ""
	}
	return p.version
}

// Legacy reports a 1.0 protocol: whitelists instead of tiers (T2).
func (p *Protocol) Legacy() bool { return p != nil && p.legacy }

// Program gives the program that command entries belong to.
func (p *Protocol) Program() string {
	if p == nil {
		return DefaultProgram
	}
	return p.program
}

// Tools walks the declared tools in file order. Tools that this build does not know are among them when their values
// could be read.
func (p *Protocol) Tools() iter.Seq[Tool] {
	return func(yield func(Tool) bool) {
		if p == nil {
			return
		}
		for _, t := range p.tools {
			if !yield(t) {
				return
			}
		}
	}
}

// Tool gives one declared tool.
func (p *Protocol) Tool(name string) (Tool, bool) {
	t, ok := p.tool(name)
	return t, ok
}

func (p *Protocol) tool(name string) (Tool, bool) {
	if p != nil {
		for i := range p.tools {
			if p.tools[i].Name == name {
				return p.tools[i], true
			}
		}
	}
	return Tool{}, false
}

// Notices gives what the protocol's owner should know: about the file in file order, then about each tool's lists in
// the order of the tools.
func (p *Protocol) Notices() []Notice {
	if p == nil {
		return nil
	}
	out := slices.Clone(p.notices)
	for i := range p.tools {
		out = append(out, p.sets(p.tools[i].Name).Notices...)
	}
	return out
}

// Strict gives an error when some allow entry of a tool can match a tier3 command (T13), naming every such pair; nil
// when none can.
func (p *Protocol) Strict() error {
	var list fault.List
	for _, n := range p.Notices() {
		if n.Code == NoticeTier3Overlap {
			list.Add(&Error{File: p.name, Line: n.Line, Col: n.Col, Key: n.Key, Code: CodeTier3Allow, Err: overlapError{n}})
		}
	}
	return list.Err()
}

// WithProgram gives the same protocol for another program's commands (T22); the error wraps ErrPattern when the name
// is not one word.
func (p *Protocol) WithProgram(program string) (*Protocol, error) {
	if _, err := ParseCommandEntry("x", program); err != nil {
		return nil, err
	}
	if p == nil {
		return nil, nil
	}
	q := *p
	q.program = program
	reread := func(entries []entry, denies bool) []entry {
		out := slices.Clone(entries)
		for i := range out {
			if out[i].kind == KindCommand {
				// What was read with one program reads with another; what matched nothing still does.
				out[i].pattern, _ = ParseCommandEntry(out[i].text, program)
				if denies {
					out[i].denier = out[i].pattern.denier()
				}
			}
		}
		return out
	}
	for i := range q.tiers {
		q.tiers[i].entries = reread(p.tiers[i].entries, Tier(i) == Tier3Blocking)
	}
	q.tools = slices.Clone(p.tools)
	for i := range q.tools {
		q.tools[i].whitelist = reread(p.tools[i].whitelist, false)
		q.tools[i].blacklist = reread(p.tools[i].blacklist, true)
	}
	q.settle()
	return &q, nil
}

// settle prepares every tool's sets, each to be resolved once, by whoever first asks for it.
func (p *Protocol) settle() {
	once := func(tool string) func() *Sets { return sync.OnceValue(func() *Sets { return p.resolve(tool) }) }
	p.resolved = map[string]func() *Sets{"": once("")}
	for i := range p.tools {
		p.resolved[p.tools[i].Name] = once(p.tools[i].Name)
	}
	p.undeclared = once(noTool)
}

// noTool stands for the tools that a protocol does not declare, which all have the same sets. No protocol can declare
// it, since it is not UTF-8.
const noTool = "\xff"

type overlapError struct{ n Notice }

func (e overlapError) Error() string {
	return "tool " + quote(e.n.Tool) + " allows " + quote(e.n.Entry) + ", which can match " + quote(e.n.Other) + " of tier3"
}
