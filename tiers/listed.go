package tiers

import (
	"slices"
	"strings"
)

// listed judges the call by the allow set.
func (c *call) listed(p, q *program, sub int) {
	words, skipped := c.plainForm(p)
	var first *problemOf
	try := func(rule *allowRule) bool {
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
	}
	if c.by != nil {
		if skipped -= c.byAt; c.byAt < c.by.pinned {
			try(c.by)
		}
	} else {
		c.rules.allowed(words, try)
	}
	switch {
	case first == nil:
		c.asks(ReasonUnlisted, "")
		if q != nil && q.reads { // but for these
			c.savesSteer(q)
			c.writesSteer(q, sub)
		}
		if !c.onlyReads(p, q, sub) {
			c.controlOperands(p, q, true)
		}
	case first.rule != nil:
		part := c.part(Ask, first.reason, first.detail)
		part.Pattern = first.rule.text
		if first.notify {
			part.Decision = Notify
			part.Tier = Tier2Notified
		}
		c.add(part)
		if first.saves && c.savesSteer(q) && q.plain {
			return // the others are read
		}
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
	saves  bool // an option writes a file
}

// onlyReads reports whether a command is proven to read the files that it names, whatever a pattern spells out (T34a).
func (c *call) onlyReads(p, q *program, sub int) bool {
	none := func(int) bool { return false }
	return q != nil && q.plain && c.optionProblem(p, q, sub, none) == nil && c.procedure(q, sub, none) == nil
}

// problems gives the first thing about a listed command that its pattern does not answer for, or nil.
func (c *call) problems(rule *allowRule, p, q *program, sub, skipped int) *problemOf {
	if rule.fetched || rule.command {
		q, p = nil, nil // the command is spelled out, and its program is the project's own
	}
	pinned := func(i int) bool { return i-skipped < rule.pinned }
	if !pinned(0) && climbs(c.words[0].text) {
		return &problemOf{reason: ReasonExecutesCode, detail: "a program outside of the folder that the pattern names"}
	}
	for _, folder := range rule.folders {
		if slices.ContainsFunc(c.words, func(w word) bool { return covers(folder, w.text) && climbs(w.text[strings.IndexByte(folder, 0):]) }) {
			return &problemOf{reason: ReasonDynamicArgument, detail: "a path that leads out of the folder that the pattern names"}
		}
	}
	for _, a := range c.args {
		if a.odd {
			return &problemOf{reason: ReasonDynamicArgument, detail: "a word that depends on more than the text"}
		}
	}
	if q == nil {
		return c.unknownRunner()
	}
	if len(c.words) == 2 && c.words[1].known() && q.alone.has(c.words[1].text) {
		return nil
	}
	if q.mustSpell(p) && !pinned(sub) {
		return &problemOf{reason: ReasonExecutesCode, detail: "the pattern does not spell out what it runs"}
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
	if _, base := programNames(c.words[0].text); base == "git" {
		const detail = "git reads the settings of the folder it stands in, which may not be the project's root"
		if c.sc.moved {
			return &problemOf{reason: ReasonExecutesCode, detail: detail}
		}
		c.whereLater(c.start, c.end, ReasonExecutesCode, detail, "", false)
	}
	if !c.onlyReads(p, q, sub) { // what the pattern spells out may write what it names
		if pr := c.controlOperands(p, q, false); pr != nil {
			return pr
		}
	}
	if !q.norun && !p.norun {
		return c.unknownRunner()
	}
	return nil
}

// mustSpell reports whether a pattern must spell out this subcommand of p: the rows say so, or they say only what its
// options are, which does not tell that it does no harm.
func (p *program) mustSpell(of *program) bool {
	return p.spelled || p != of && of.script > 0 && !p.vouched()
}

// vouched reports whether the rows say what the program does with its words.
func (p *program) vouched() bool {
	return p.norun || p.keeps || p.plain || p.script > 0 || p.runner != ""
}

// climbs reports whether a path holds a step to the folder above.
func climbs(text string) bool {
	return strings.Contains(text, "..") && strings.Contains("/"+slashed(text)+"/", "/../")
}

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
	named := sub // where the subcommand is, also one that the tables do not know
	if at := p.subcommand(c.words, 1); sub == 0 && p.globals != nil && at > 0 && pinned(at) {
		named = at
	}
	implied := false // the pattern spells out an option that takes others with it
	value := false   // the word is the value of the option before it
	unsure := false  // the word may be that
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
			if pr := bundleProblem(text, all, func(n int) bool { return pinned(i + n) }); pr != nil {
				return pr
			}
			text = "-" + text
		}
		if !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "+") || text == "-" {
			if !w.known() && w.mayBeOption() && len(all) > 0 {
				return &problemOf{reason: ReasonDynamicArgument, detail: "it may become an option that does more"}
			}
			if w.many && !c.args[i].glob && len(all) > 0 {
				return &problemOf{reason: ReasonDynamicArgument, detail: "it may become several words, options among them"}
			}
			continue
		}
		next, sure := false, false
		if i > sub {
			next, sure = arity(text, q)
		}
		if i > named && sub < named {
			next, sure = false, false // an option of that subcommand
		} else if !sure && !(p.complete && i > sub && p != q) {
			next, sure = arity(text, p) // some programs take what stands before the subcommand after it as well
		}
		value = next
		unsure = !sure && !strings.Contains(text, "=")
		if dispatches && i < max(named, 1) && !(pinned(i) && (!next || pinned(i+1))) || dispatches && named == 0 && !pinned(i) && !sure {
			return &problemOf{reason: ReasonExecutesCode, detail: "an option before the subcommand"}
		}
		cut := q.valueEnds(text)
		for _, d := range all {
			t := text
			if cut > 0 && !d.set.has("-"+text[cut-1:cut]) {
				t = text[:cut]
			}
			hits, open := d.set.find(t, q.options)
			if len(hits) > 0 || open {
				spelled := pinned(i) && (!next || pinned(i+1))
				harmless := len(hits) == 1 && c.harmless(d.set, q, hits[0], i)
				also := len(hits) == 1 && d.set == q.changes && q.implies != nil
				if also && q.implies.has(hits[0].opt.names[0]) {
					also, implied = false, implied || spelled && !harmless // GET sends nothing, so it takes nothing with it
				}
				if spelled || also && implied || harmless {
					continue
				}
				return &problemOf{reason: d.reason, detail: "an option that " + d.detail, saves: d.set == q.saves && len(hits) > 0}
			}
		}
		if w.many && len(all) > 0 {
			return &problemOf{reason: ReasonDynamicArgument, detail: "it may become several words, options among them"}
		}
	}
	return nil
}

// bundleProblem looks at options that stand together without a dash: there each letter is one, and the values follow in
// the words after it. pinned tells of the word and of those.
func bundleProblem(letters string, all []danger, pinned func(n int) bool) *problemOf {
	for i := range len(letters) {
		for _, d := range all {
			if d.set.has("-"+letters[i:i+1]) && !pinned(len(letters)) {
				return &problemOf{reason: d.reason, detail: "an option that " + d.detail}
			}
		}
	}
	return nil
}

// savesSteer blocks the control files that options write. It reports whether each of these options names its file: others
// write to the operands.
func (c *call) savesSteer(q *program) (named bool) {
	named = true
	for i, w := range c.words {
		hits, open := q.saves.find(w.text, q.options)
		named = named && !open
		for _, h := range hits {
			a := c.savedTo(h, i)
			if a == nil {
				named = false
			} else if w := c.steers(*a, c.sc, false); w != nil && w.decision == Block {
				c.steered(*a, w)
			}
		}
	}
	return named
}

// writesSteer blocks the control files among the operands that a program writes.
func (c *call) writesSteer(q *program, sub int) {
	for n := q.writes; n > 0; n++ {
		i := c.operand(q, sub, n)
		if i <= 0 {
			return
		}
		if w := c.steers(c.args[i], c.sc, false); w != nil && w.decision == Block {
			c.steered(c.args[i], w)
		}
	}
}

// savedTo gives the file that the option at i writes, nil when it names none.
func (c *call) savedTo(h hit, i int) *arg {
	switch {
	case h.attached:
		a := c.args[i]
		a.text = h.value
		return &a
	case h.opt.value == takesValue && i+1 < len(c.args):
		return &c.args[i+1]
	}
	return nil
}

// harmless reports whether the option at i, of that set, does nothing by its value: it saves to /dev/null or to standard
// output, or its value is one of those that the tables call plain.
func (c *call) harmless(set *optionSet, q *program, h hit, i int) bool {
	value := h.value
	if !h.attached && h.opt.value == takesValue {
		if i+1 >= len(c.words) || !c.words[i+1].known() {
			return false
		}
		value = c.words[i+1].text
	}
	return set == q.saves && (value == "/dev/null" || value == "-" && q.stdout.has(h.opt.names[0])) ||
		slices.Contains(q.plainly, h.opt.names[0]+"="+value)
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
	if len(c.words) == 2 && pinned(1) && (c.words[1].text == "--version" || c.words[1].text == "--help") {
		return nil
	}
	last := len(c.words) - 1
	switch i := c.operand(q, sub, q.script); {
	case c.codePinned(q, pinned) && (i == 0 || !q.both):
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
	if q.targets {
		return c.targetProblem(q, sub, pinned)
	}
	return nil
}

// targetProblem asks when a star of the pattern stands for a further target, or for a variable that changes what runs.
func (c *call) targetProblem(q *program, sub int, pinned func(int) bool) *problemOf {
	options := true
	for i := sub + 1; i < len(c.words); i++ {
		w := c.words[i]
		if options && w.text == "--" {
			options = false
			continue
		}
		if options && strings.HasPrefix(w.prefix(), "-") {
			if next, _ := arity(w.text, q); next {
				i++
			}
			continue
		}
		name, _, assigns := strings.Cut(w.prefix(), "=")
		if !pinned(i) && !(assigns && isName(name) && !c.k.variables.has(name)) {
			return &problemOf{reason: ReasonExecutesCode, detail: "the pattern does not spell out all that it runs"}
		}
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
