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
	for _, w := range c.Args {
		k.args = append(k.args, r.words(w, sc)...)
	}
	if len(k.args) > MaxWords {
		r.ask(k.start, k.end, ReasonTooMany, "more than 1,000 words in one command")
		k.args = k.args[:MaxWords]
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
		c.asks(ReasonTooDeep, "more than 16 runners that start each other")
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
	rel, by := c.rules.denied(c.k, c.words)
	if rel == always {
		c.block(by)
		c.insides()
		return
	}
	if !name.known() || c.args[0].odd || c.args[0].tilde {
		c.asks(ReasonDynamicCommand, "what runs is known only when it runs")
		return
	}
	if suspicious(name.text) || len(c.words) > 1 && c.words[1].known() && suspicious(c.words[1].text) && c.k.programs[name.text] != nil && c.k.programs[name.text].script > 0 {
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
		return
	}
	_, base := programNames(name.text)
	p, q, sub := c.k.lookup(base, c.words)
	if p != nil && p.builtin != "" && name.text == base && c.builtin(p.builtin) {
		return
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
	p, q, _ := c.k.lookup(base, words)
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

// listed judges the call by the allow set.
func (c *call) listed(p, q *program, sub int) {
	words, skipped := c.plainForm(p)
	var first *problemOf
	c.rules.allowed(words, func(rule *allowRule) bool {
		pr := c.problems(rule, p, q, sub, skipped)
		if pr == nil {
			part := c.part(Silent, ReasonTier1, "")
			if rule.tier == Tier2Notified {
				part.Decision, part.Reason = Notify, ReasonTier2
			}
			part.Tier, part.Pattern = rule.tier, rule.text
			c.add(part)
			first = &problemOf{}
			return false
		}
		if first == nil {
			first = pr
			first.rule = rule
		}
		return true
	})
	switch {
	case first == nil:
		c.asks(ReasonUnlisted, "")
		c.controlOperands(p, q, true)
	case first.rule != nil:
		part := c.part(Ask, first.reason, first.detail)
		part.Pattern = first.rule.text
		if first.notify {
			part.Decision = Notify
			part.Tier = Tier2Notified
		}
		c.add(part)
		c.controlOperands(p, q, true)
	}
}

// plainForm gives the words without options that change nothing about what the command may do (T23), and how many
// were taken out after the program.
func (c *call) plainForm(p *program) ([]word, int) {
	if p == nil || p.inert == nil {
		return c.words, 0
	}
	i := 1
	for i < len(c.words) && c.words[i].known() && p.inert.has(c.words[i].text) {
		i++
	}
	if i == 1 {
		return c.words, 0
	}
	return append([]word{c.words[0]}, c.words[i:]...), i - 1
}

// problemOf is why a listed command is not let through.
type problemOf struct {
	reason Reason
	detail string
	notify bool // not a problem, but a notice
	rule   *allowRule
}

// problems gives the first thing about a listed command that its pattern does not answer for, or nil.
func (c *call) problems(rule *allowRule, p, q *program, sub, skipped int) *problemOf {
	if rule.fetched || rule.command {
		q, p = nil, nil // the command is spelled out, and its program is the project's own
	}
	pinned := func(i int) bool { return i-skipped < rule.pinned }
	for _, a := range c.args {
		if a.odd {
			return &problemOf{reason: ReasonDynamicArgument, detail: "a word that depends on more than the text"}
		}
	}
	if q == nil {
		return c.unknownRunner()
	}
	if pr := c.optionProblem(p, q, sub, pinned); pr != nil {
		return pr
	}
	if pr := c.scriptProblem(q, sub, pinned); pr != nil {
		return pr
	}
	if pr := c.procedure(q, sub, pinned); pr != nil {
		return pr
	}
	if pr := c.writeProblem(q, sub); pr != nil {
		return pr
	}
	if len(q.acts) > 0 {
		i := c.operand(q, sub, 1)
		if i > 0 && !pinned(i) && (!c.words[i].known() || slices.Contains(q.acts, c.words[i].text)) {
			return &problemOf{reason: ReasonRemote, detail: "it changes something that is not only here"}
		}
	}
	if _, base := programNames(c.words[0].text); base == "git" && c.moved() {
		return &problemOf{reason: ReasonExecutesCode, detail: "git reads the settings of the folder it stands in, which is not the project's root"}
	}
	if pr := c.controlOperands(p, q, false); pr != nil {
		return pr
	}
	if !q.norun && !p.norun {
		return c.unknownRunner()
	}
	return nil
}

// moved reports whether the shell may stand elsewhere than in Root.
func (c *call) moved() bool { return c.sc.moved || c.inBody > 0 && c.gather().cdAgain }

// unknownRunner asks when the words of a listed command, from a later one on, match tier3 and the program may be one
// that runs its words (T31a).
func (c *call) unknownRunner() *problemOf {
	for i := 1; i < len(c.words); i++ {
		if rel, by := c.rules.denied(c.k, c.words[i:]); rel != never {
			d := "it may run its words"
			if by != nil {
				d += ", which " + by.text + " matches"
			}
			return &problemOf{reason: ReasonUnknownRunner, detail: d}
		}
	}
	return nil
}

// dangers are the option sets of a program that do more than read, and why.
func dangers(p *program) []danger {
	return []danger{
		{p.runs, ReasonExecutesCode, "runs something"},
		{p.code, ReasonExecutesCode, "takes code"},
		{p.saves, ReasonWritesFile, "writes a file"},
		{p.changes, ReasonRemote, "changes something that is not only here"},
	}
}

type danger struct {
	set    *optionSet
	reason Reason
	detail string
}

// optionProblem looks for options that do more than the command's name says (T23), and for words that may become one
// (T33b). What the pattern spells out is as the protocol's author wants it.
func (c *call) optionProblem(p, q *program, sub int, pinned func(int) bool) *problemOf {
	var all []danger
	for _, d := range dangers(q) {
		if d.set != nil {
			all = append(all, d)
		}
	}
	if p != q {
		for _, d := range dangers(p) {
			if d.set != nil {
				all = append(all, d)
			}
		}
	}
	dispatches := p.globals != nil || p.script > 0 && p != q
	value := false  // the word is the value of the option before it
	unsure := false // the word may be that
	for i := 1; i < len(c.words); i++ {
		w := c.words[i]
		if value && !w.many {
			value = false
			continue
		}
		value = false
		if w.known() && w.text == "--" && !q.onedash {
			if !unsure {
				return nil
			}
			unsure = false // it may be the value of the option before it
			continue
		}
		unsure = false
		text := w.text
		if q.bundled && i == 1 && !strings.HasPrefix(text, "-") {
			text = "-" + text
		}
		if !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "+") {
			if !w.known() && w.mayBeOption() && len(all) > 0 {
				return &problemOf{reason: ReasonDynamicArgument, detail: "it may become an option that does more"}
			}
			if w.many && !c.args[i].glob && len(all) > 0 {
				return &problemOf{reason: ReasonDynamicArgument, detail: "it may become several words, options among them"}
			}
			continue
		}
		next, sure := arity(text, q, p)
		value = next
		unsure = !sure && !strings.Contains(text, "=")
		if dispatches && i < max(sub, 1) && !pinned(i) || dispatches && sub == 0 && !pinned(i) && !sure {
			return &problemOf{reason: ReasonExecutesCode, detail: "an option before the subcommand"}
		}
		for _, d := range all {
			hits, open := d.set.find(text, q.options)
			if len(hits) > 0 || open {
				if pinned(i) && (!next || pinned(i+1)) {
					continue
				}
				return &problemOf{reason: d.reason, detail: "an option that " + d.detail}
			}
		}
		if w.many && len(all) > 0 {
			return &problemOf{reason: ReasonDynamicArgument, detail: "it may become several words, options among them"}
		}
	}
	return nil
}

// operand gives the index of operand n (from 1) of the command, after its subcommand; 0 when there is none, -1 when
// what is an operand is not certain.
func (c *call) operand(q *program, sub, n int) int {
	options := true
	for i := sub + 1; i < len(c.words); i++ {
		w := c.words[i]
		if options && w.known() && w.text == "--" {
			options = false
			continue
		}
		if options && strings.HasPrefix(w.prefix(), "-") && len(w.text) > 1 && !(q.bundled && i == 1) {
			next, sure := arity(w.text, q)
			if !sure && i+1 < len(c.words) && w.text != "-" && !strings.Contains(w.text, "=") {
				return -1
			}
			if next {
				if i++; i < len(c.words) && c.words[i].many {
					return -1
				}
			}
			continue
		}
		if w.many && (n > 1 || !c.args[i].glob) {
			return -1 // it may be several operands
		}
		if n--; n == 0 {
			return i
		}
	}
	return 0
}

// scriptProblem asks when a star of the pattern stands where a script, a target or code would (T33).
func (c *call) scriptProblem(q *program, sub int, pinned func(int) bool) *problemOf {
	if q.script == 0 {
		return nil
	}
	if sub+1 < len(c.words) && c.words[sub+1].known() && q.lookOnly.has(c.words[sub+1].text) {
		return nil
	}
	last := len(c.words) - 1
	switch i := c.operand(q, sub, q.script); {
	case c.codePinned(q, pinned):
	case i < 0:
		for k := range c.words {
			if !pinned(k) {
				return &problemOf{reason: ReasonExecutesCode, detail: "what it runs is not certain"}
			}
		}
	case i > 0:
		if !pinned(i) {
			return &problemOf{reason: ReasonExecutesCode, detail: "the pattern does not spell out what it runs"}
		}
	case q.stdin:
		return &problemOf{reason: ReasonExecutesCode, detail: "it reads what it runs from its input"}
	case q.globals == nil && !pinned(last+1):
		return &problemOf{reason: ReasonExecutesCode, detail: "the pattern does not spell out what it runs"}
	}
	return nil
}

// codePinned reports whether an option that takes code is spelled out by the pattern, with its code.
func (c *call) codePinned(q *program, pinned func(int) bool) bool {
	for i := 1; i < len(c.words); i++ {
		w := c.words[i]
		if !w.known() || !strings.HasPrefix(w.text, "-") {
			return false
		}
		hits, _ := q.code.find(w.text, q.options)
		if len(hits) > 0 {
			next, _ := arity(w.text, q)
			return pinned(i) && (!next || i+1 < len(c.words) && pinned(i+1))
		}
		if next, _ := arity(w.text, q); next {
			i++
		}
	}
	return false
}
