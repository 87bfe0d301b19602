package tiers

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// runner judges a runner and the command it starts (T31). It reports whether it judged the call.
func (c *call) runner(q *program, sub int) bool {
	fetched := false
	c.rules.allowed(c.words, func(r *allowRule) bool { fetched = fetched || r.fetched; return !fetched })
	if fetched {
		return false // a command entry spells it out (T22)
	}
	inners := c.k.unwrap(c.words)
	start := len(c.words)
	for _, in := range inners {
		start = min(start, in.start)
	}
	if q.procedure == "env" {
		c.split()
	}
	if q.runner == "transparent" {
		switch {
		case len(inners) == 0:
			return false // nothing is started: it is a command like any other
		case len(inners) > 1 || inners[0].unsure:
			c.asks(ReasonRunner, "where the command that it starts begins is not certain")
		default:
			c.runnerOptions(q, sub, start)
		}
		if q.procedure == "xargs" {
			c.xargs(start)
			return true
		}
		c.each(inners)
		return true
	}
	if q.runner == "listed" && len(inners) == 1 && !inners[0].unsure && c.spelledOut(start) {
		return true
	}
	c.asks(ReasonRunner, "a runner that always asks")
	c.codeOptions(q, sub)
	c.each(inners)
	if q.joins && len(inners) > 0 && !inners[0].unsure && len(c.args)-start > 0 {
		c.joined(c.args[start:], c.words[0].text, elsewhere())
	}
	return true
}

// spelledOut judges the command that a runner of a project's own programs starts by the entry that spells out the runner
// and that program. It reports whether there is one.
func (c *call) spelledOut(start int) (found bool) {
	if c.by != nil {
		if found = c.by.pinned > c.byAt+start; found {
			c.sub(start).judge()
		}
		return found
	}
	c.rules.allowed(c.words, func(r *allowRule) bool {
		if found = r.pinned > start; found {
			d := c.sub(start)
			d.by, d.byAt = r, start
			d.judge()
		}
		return !found
	})
	return found
}

// elsewhere is the scope of a shell of which nothing is known.
func elsewhere() *scope { return &scope{where: where{unknown: true, moved: true}} }

// runnerOptions judges what stands between a transparent runner and its command: options and assignments.
func (c *call) runnerOptions(q *program, sub, start int) {
	for i := sub + 1; i < start; i++ {
		a := c.args[i]
		if q.assigns && isAssignment(a.text) {
			name, _, _ := strings.Cut(a.text, "=")
			c.setName(span{a.start, a.end}, name, false, c.sc.sub())
			continue
		}
		if !strings.HasPrefix(a.text, "-") {
			continue
		}
		if a.text == "--" || a.text == "-" {
			continue
		}
		for _, d := range dangers(q) {
			if hits, open := d.set.find(a.text, q.options); len(hits) > 0 || open {
				c.asks(d.reason, "an option that "+d.detail)
			}
		}
		next, sure := arity(a.text, q)
		if !sure {
			c.asks(ReasonRunner, "an option that is not known")
		}
		if next {
			i++
		}
	}
}

// codeOptions reads the texts of options that take shell code (su -c, flock -c, script -c).
func (c *call) codeOptions(q *program, sub int) {
	for i := sub + 1; i < len(c.words); i++ {
		w := c.words[i]
		hits, _ := q.code.find(w.text, q.options)
		for _, h := range hits {
			a := c.args[i]
			switch {
			case h.attached:
				a.text = h.value
			case i+1 < len(c.args):
				a = c.args[i+1]
			default:
				continue
			}
			if !a.known() {
				c.asks(ReasonDynamicCommand, "code that is not known")
				continue
			}
			c.nested(a.text, a, c.words[0].text, elsewhere())
		}
	}
}

// split reads the command that env -S makes of its value; it asks whatever that is.
func (c *call) split() {
	for i := 1; i < len(c.args); i++ {
		a := c.args[i]
		rest, ok := strings.CutPrefix(a.text, "--split-string")
		at := strings.IndexByte(a.text, 'S')
		switch {
		case ok:
			a.text = strings.TrimPrefix(rest, "=")
		case len(a.text) > 1 && a.text[0] == '-' && a.text[1] != '-' && at > 0:
			a.text = a.text[at+1:]
		default:
			continue
		}
		if a.text == "" && i+1 < len(c.args) {
			i++
			a = c.args[i]
		}
		c.asks(ReasonRunner, "env splits a text into a command")
		if a.known() {
			c.nested(a.text, a, c.words[0].text, elsewhere())
		}
	}
}

// xargs judges the command that xargs starts, to which it appends words that are not known.
func (c *call) xargs(start int) {
	d := c.sub(start)
	last := d.args[len(d.args)-1]
	replaces := ""
	for i := 1; i < start; i++ {
		switch t := c.words[i].text; {
		case t == "-I" || t == "-J":
			if i+1 < start {
				replaces = c.words[i+1].text
			}
		case strings.HasPrefix(t, "-I") || strings.HasPrefix(t, "-J"):
			replaces = t[2:]
		case strings.HasPrefix(t, "-i") && len(t) > 2:
			replaces = t[2:]
		case strings.HasPrefix(t, "--replace="):
			replaces = strings.TrimPrefix(t, "--replace=")
		case strings.HasPrefix(t, "-i") || strings.HasPrefix(t, "--rep"):
			replaces = "{}"
		}
	}
	d.args = slices.Clone(d.args)
	if replaces != "" {
		for i, a := range d.args {
			if strings.Contains(a.text, replaces) {
				d.args[i].text = strings.ReplaceAll(a.text, replaces, anyRun)
			}
		}
		d.judge()
		return
	}
	d.args = append(d.args, arg{word: word{text: anyRun, many: true}, start: last.end, end: last.end})
	d.judge()
}

// shell judges a shell that is started with a text, a script, or its input (T30, T33). It reports whether it did.
func (c *call) shell(q *program) bool {
	text, found := arg{}, false
	hasC, fed := false, false
	i := 1
	for ; i < len(c.args); i++ {
		a := c.args[i]
		if !a.known() {
			if a.mayBeOption() {
				c.asks(ReasonDynamicCommand, "an option, or code, that is not known")
				return true
			}
			break
		}
		if a.text == "--" || a.text == "-" {
			i++
			break
		}
		if len(a.text) < 2 || a.text[0] != '-' && a.text[0] != '+' {
			break
		}
		if a.text == "--help" || a.text == "--version" {
			return false
		}
		if hits, _ := q.code.find(a.text, nil); len(hits) > 0 && a.text[1] != '-' {
			hasC = true
		}
		if hits, _ := q.runs.find(a.text, nil); len(hits) > 0 {
			c.asks(ReasonExecutesCode, "an option that changes what the shell reads or runs")
			fed = fed || a.text[1] != '-' && strings.Contains(a.text, "s")
			if hits[0].opt.value == takesValue && !hits[0].attached {
				i++
			}
			continue
		}
		next, sure := arity(strings.ReplaceAll(a.text, "c", ""), q)
		if !sure && strings.Trim(a.text, "-c") != "" {
			c.asks(ReasonExecutesCode, "an option of the shell that is not known")
		}
		if next {
			i++
			if i < len(c.args) && !(c.args[i].known() && harmlessSet[c.args[i].text]) {
				c.asks(ReasonExecutesCode, "an option of the shell that is not harmless")
			}
		}
	}
	if i < len(c.args) && (hasC || !fed) {
		text, found = c.args[i], true
	}
	switch {
	case hasC && !found:
		c.asks(ReasonDynamicCommand, "code that is not there")
	case hasC && (!text.known() || text.odd || text.tilde):
		c.asks(ReasonDynamicCommand, "code that is not known")
	case hasC:
		_, base := programNames(c.words[0].text)
		if base != "bash" && !(base == "sh" || base == "dash" || base == "ash" || base == "rbash") {
			c.asks(ReasonExecutesCode, "a shell that reads otherwise than bash")
		} else if base != "bash" && !portable(text.text) {
			c.asks(ReasonExecutesCode, "code that this shell may read otherwise than bash")
		}
		sc := elsewhere()
		sc.where = c.sc.where
		c.nested(text.text, text, c.words[0].text, sc)
	case !found:
		c.asks(ReasonExecutesCode, "it reads what it runs from its input")
		c.input()
	default:
		return c.deniedScript(i)
	}
	return true
}

// deniedScript blocks when the script that a shell reads, from word i on, is a program that the deny set names. It
// reports whether it did.
func (c *call) deniedScript(i int) bool {
	d := c.sub(i)
	d.prepare()
	rel, by := c.rules.deniedHere(c.k, d.words)
	if rel == always && d.args[0].known() {
		d.block(by)
		return true
	}
	return false
}

// portable reports whether every shell reads the code as bash does: nothing but plain words, quotes and operators.
func portable(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case strings.IndexByte(" \t\n_-./:,@%+='\"|;", c) >= 0:
		case c == '&' && (i > 0 && s[i-1] == '&' || i+1 < len(s) && s[i+1] == '&'):
		default:
			return false
		}
	}
	return !strings.Contains(s, "|&") && !strings.Contains(s, "&|")
}

// input reads a literal here-document or here-string that a shell is fed.
func (c *call) input() {
	if c.statement == nil || c.external {
		return
	}
	for _, rd := range c.statement.Redirs {
		w := rd.Hdoc
		if rd.Op == syntax.WordHdoc {
			w = rd.Word
		}
		if w == nil {
			continue
		}
		var a arg
		var b strings.Builder
		a.start, a.end = c.at(w)
		lit := true
		for _, p := range w.Parts {
			switch p := p.(type) {
			case *syntax.Lit:
				b.WriteString(p.Value)
			case *syntax.SglQuoted:
				b.WriteString(p.Value)
			case *syntax.DblQuoted:
				for _, p := range p.Parts {
					l, ok := p.(*syntax.Lit)
					if lit = lit && ok; ok {
						b.WriteString(l.Value)
					}
				}
			default:
				lit = false
			}
		}
		if lit {
			c.nested(b.String(), a, c.words[0].text, elsewhere())
		}
	}
}
