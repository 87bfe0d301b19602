package tiers

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call is one simple command that is being judged.
type call struct {
	*walker
	sc         *scope
	args       []arg
	words      []word // of args
	start, end int
	via        []string
	external   bool // started by a program: functions and builtins of the shell do not count
	stage      *stage
	statement  *syntax.Stmt
	runners    int          // that started it
	offset     int          // of its first word among those of the simple command
	seen       map[int]bool // offsets that were judged, when there is more than one place to go on
	by         *allowRule   // the entry that spells out a runner and this command, when one does
	byAt       int          // the words of the runner, before this command's
	started    *problemOf   // about the commands that find starts
}

// callExpr judges a simple command of the tree.
func (r *walker) callExpr(c *syntax.CallExpr, s *syntax.Stmt, sc *scope, pipe *stage) {
	forRead := len(c.Args) > 0 && c.Args[0].Lit() == "read"
	for _, as := range c.Assigns {
		name := ""
		if as.Name != nil {
			name = as.Name.Value
		}
		if forRead && name == "IFS" && len(c.Assigns) == 1 && as.Index == nil && as.Array == nil {
			r.assignValue(as, sc) // splits what read reads, and nothing else
			continue
		}
		r.assign(as, sc, len(c.Args) > 0 || len(s.Redirs) > 0) // a redirection that fails keeps it from being set
	}
	if len(c.Args) == 0 {
		r.inert(c)
		return
	}
	k := &call{walker: r, sc: sc, stage: pipe, statement: s}
	k.start, k.end = r.at(c)
	if len(c.Assigns) > 0 {
		k.start = int(c.Assigns[0].Pos().Offset())
	}
	args := c.Args
	if len(args) > MaxWords {
		// Its first words say what it is; of the rest, what they run is judged.
		r.ask(k.start, k.end, ReasonTooMany, "more than 1,000 words in one command")
		for _, w := range args[100:] {
			if w.Lit() == "" {
				r.word(w, sc)
			}
		}
		args = args[:100]
	}
	for _, w := range args {
		k.args = append(k.args, r.words(w, sc)...)
	}
	if len(k.args) > MaxWords {
		r.ask(k.start, k.end, ReasonTooMany, "more than 1,000 words in one command")
		k.args = k.args[:100]
	}
	k.judge()
}

// assign judges one assignment. prefix: it stands before a command, and holds for that only.
func (r *walker) assign(as *syntax.Assign, sc *scope, prefix bool) {
	if as.Name == nil {
		r.askAt(as, ReasonUnparsable, "an assignment without a name")
		return
	}
	if as.Index != nil {
		r.subscript(as.Index, sc, as)
	}
	integer := r.assignValue(as, sc)
	if prefix {
		sc = sc.sub()
	}
	r.setName(as, as.Name.Value, integer && as.Index == nil && as.Array == nil, sc)
}

// assignValue judges the value, and reports whether it is an integer.
func (r *walker) assignValue(as *syntax.Assign, sc *scope) (integer bool) {
	if as.Array != nil {
		r.afterArray(as.Array)
		for _, e := range as.Array.Elems {
			if e.Index != nil {
				r.subscript(e.Index, sc, as)
			}
			if e.Value != nil {
				r.word(e.Value, sc)
			}
		}
		return false
	}
	if as.Value == nil {
		return false
	}
	a := r.word(as.Value, sc)
	return a.integer || a.known() && isInteger(a.text)
}

// sub gives the call of the words from i on, started by the program that the call names.
func (c *call) sub(i int) *call {
	d := *c
	d.args, d.words = c.args[i:], nil
	d.via = append(slices.Clip(c.via), c.words[0].text)
	d.external = true
	d.offset += i
	d.byAt += i
	d.runners++
	return &d
}

// part makes a part for the call.
func (c *call) part(d Decision, reason Reason, detail string) Part {
	p := Part{Start: c.start, End: c.end, Via: c.via, Decision: d, Reason: reason, Detail: detail}
	if len(c.via) > 0 && len(c.args) > 0 {
		p.Start = c.args[0].start
		p.End = max(p.Start, c.args[len(c.args)-1].end)
	}
	if len(c.words) > 0 && c.words[0].known() {
		p.Program = c.words[0].text
	}
	return p
}

// asks adds a part that asks.
func (c *call) asks(reason Reason, detail string) { c.add(c.part(Ask, reason, detail)) }

// prepare makes the words of the arguments.
func (c *call) prepare() {
	c.words = make([]word, len(c.args))
	for i, a := range c.args {
		c.words[i] = a.word
	}
}

// judge judges the call: the deny set first, then what the shell itself does, then runners, then the allow set.
func (c *call) judge() {
	if len(c.args) == 0 || !c.spend(1+len(c.args)/8) {
		return
	}
	if c.runners > maxRunners {
		c.asks(ReasonTooDeep, "more than 8 runners that start each other")
		return
	}
	if c.runners > 0 && c.seen != nil {
		if c.seen[c.offset] {
			return
		}
		c.seen[c.offset] = true
	}
	c.prepare()
	if c.stage != nil {
		c.stage.commands = append(c.stage.commands, c.words)
	}
	name := c.words[0]
	judgeDenied := c.rules.denied
	if c.runners > 0 {
		judgeDenied = c.rules.deniedHere // what it starts in turn is judged by itself
	}
	rel, by := judgeDenied(c.k, c.words)
	if rel == always {
		c.block(by)
		c.insides()
		return
	}
	if !name.known() || c.args[0].odd || c.args[0].tilde {
		c.asks(ReasonDynamicCommand, "what runs is known only when it runs")
		return
	}
	if suspicious(name.text) || len(c.words) > 1 && c.words[1].known() && suspicious(c.words[1].text) && takesScript(c.k.programs.get(name.text)) {
		c.asks(ReasonSuspiciousText, "letters that look like others, or like none")
		return
	}
	if name.text == "" {
		c.asks(ReasonDynamicCommand, "an empty command")
		return
	}
	if rel == maybe {
		reason := ReasonDynamicArgument
		if len(c.words) < 3 {
			reason = ReasonDynamicCommand
		}
		p := c.part(Ask, reason, "it may become what tier3 blocks")
		if by != nil {
			p.Pattern = by.text
		}
		c.add(p)
		c.insides()
		return
	}
	if slices.Contains(c.sc.funcs, name.text) && !c.external {
		c.add(c.part(Silent, ReasonInert, "a function of this text, whose body was judged"))
		p := c.placed(c.part(Ask, ReasonUnlisted, "a function that is unset in this text"))
		c.later.parts = append(c.later.parts, laterPart{part: p, call: name.text})
		return
	}
	_, base := programNames(name.text)
	p, q, sub := c.k.lookup(c.k.family(base), c.words)
	if p != nil && p.builtin != "" && name.text == base && c.builtin(p.builtin) {
		return
	}
	if q != nil && (q.runner != "" || q.shell) && !ofTheSystem(name.text, c.k.family(base)) {
		c.asks(ReasonRunner, "a program that is called like one that is known, but is not the system's")
	}
	if q != nil && q.runner != "" && c.runner(q, sub) {
		return
	}
	if q != nil && q.procedure == "find" {
		c.started = c.find()
	}
	if q != nil && q.shell && c.shell(q) {
		return
	}
	c.listed(p, q, sub)
}

// systemFolders are where programs of known names are what their names say, as those found by PATH are.
var systemFolders = []string{"/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin"}

// ofTheSystem reports whether a program word is a plain name, or the path of a system's program.
func ofTheSystem(written, base string) bool {
	dir, ok := strings.CutSuffix(written, "/"+base)
	return written == base || written == base+".exe" || ok && slices.Contains(systemFolders, dir)
}

// block adds the part of a command that the deny set matches, or of one that only tells what it would do (T35).
func (c *call) block(by *denyEntry) {
	p := c.part(Block, ReasonTier3, "")
	p.Tier, p.Pattern = Tier3Blocking, by.text
	if by.blacklist {
		p.Reason = ReasonBlacklist
	}
	if c.helpOnly() {
		p.Decision, p.Reason, p.Tier = Ask, ReasonHelpOrDryRun, TierNone
	}
	c.add(p)
}

// helpOnly reports whether the command only tells what it would do: a help or dry-run option of its own, before `--`,
// that is no value of another option, with nothing that takes it back.
func (c *call) helpOnly() bool {
	words := c.words
	for {
		in := c.k.unwrap(words)
		if len(in) != 1 || in[0].unsure {
			break
		}
		words = in[0].words
	}
	_, base := programNames(words[0].text)
	p, q, _ := c.k.lookup(c.k.family(base), words)
	found := false
	for i, w := range words[1:] {
		if !w.known() {
			return false
		}
		if w.text == "--" {
			break
		}
		if strings.HasPrefix(w.text, "--no-") || strings.HasPrefix(w.text, "--dry-run=") || strings.HasPrefix(w.text, "--help=") {
			return false
		}
		if !helpOption(w.text, p, q) {
			continue
		}
		before := words[i]
		if i > 0 && strings.HasPrefix(before.text, "-") {
			if next, sure := arity(before.text, q, p); next || !sure {
				continue
			}
		}
		found = true
	}
	return found
}

func helpOption(text string, p, q *program) bool {
	switch text {
	case "--help", "--dry-run":
		return true
	case "-h":
		return !p.knows("-h") && !q.knows("-h") || p != nil && p.globals.has("-h") && p.globals.named("-h").value == noValue
	}
	for _, r := range []*program{p, q} {
		if r != nil && r.help.has(text) {
			return true
		}
	}
	return false
}

// insides judges what a blocked or asking command starts, so that every program that runs is among the parts.
func (c *call) insides() {
	c.each(c.k.unwrap(c.words))
}

// each judges the commands that the call may start.
func (c *call) each(inners []inner) {
	if len(inners) > 1 && c.seen == nil {
		c.seen = map[int]bool{}
	}
	for _, in := range inners {
		c.sub(in.start).judge()
	}
}

// takesScript reports whether an operand of the program is code or a target.
func takesScript(p *program) bool { return p != nil && p.script > 0 }
