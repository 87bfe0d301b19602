package tiers

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// trap parses a literal text, which runs later; - and an empty text reset.
func (c *call) trap() bool {
	rest := c.args[1:]
	for len(rest) > 0 && rest[0].known() && (rest[0].text == "-p" || rest[0].text == "-l" || rest[0].text == "--") {
		if rest[0].text != "--" {
			return c.inertly()
		}
		rest = rest[1:]
	}
	if len(rest) < 2 {
		return c.inertly()
	}
	a := rest[0]
	if !a.known() {
		c.asks(ReasonDynamicCommand, "a trap whose text is not known")
		return true
	}
	c.inertly()
	if a.text != "" && a.text != "-" {
		c.nested(a.text, a, "trap", &scope{where: where{unknown: true, moved: true}})
	}
	return true
}

// eval parses its words, joined by blanks.
func (c *call) eval() bool {
	rest := c.args[1:]
	if len(rest) > 0 && rest[0].known() && rest[0].text == "--" {
		rest = rest[1:]
	}
	c.joined(rest, c.words[0].text, c.sc)
	return true
}

// joined reads words joined by blanks, as eval, ssh and watch do.
func (c *call) joined(args []arg, via string, sc *scope) {
	var texts []string
	for _, a := range args {
		if !a.known() || a.odd || a.tilde {
			c.asks(ReasonDynamicCommand, "a text for "+via+" that is not known")
			return
		}
		texts = append(texts, a.text)
	}
	if len(args) == 0 {
		c.inertly()
		return
	}
	whole := args[0]
	whole.end = args[len(args)-1].end
	c.nested(strings.Join(texts, " "), whole, via, sc)
}

// nested reads a text that is inside this one.
func (c *call) nested(text string, at arg, via string, sc *scope) {
	o := &outer{start: at.start, end: at.end, via: append(slices.Clip(c.via), via)}
	if c.outer != nil {
		o.start, o.end = c.outer.start, c.outer.end
		o.via = append(slices.Clip(c.outer.via), o.via...)
	}
	if !c.spend(1 + len(text)/64) {
		return
	}
	before := len(c.walker.judge.parts)
	c.walker.judge.read(source{text: text, scope: sc, outer: o, depth: c.depth + 1, bodies: c.bodies})
	if len(c.walker.judge.parts) == before {
		p := c.part(Silent, ReasonInert, "a text that runs nothing")
		c.add(p)
	}
}

// command -v and -V only look; otherwise command is a runner.
func (c *call) command() bool {
	ls, _, _ := c.options("")
	if ls.has('v') || ls.has('V') {
		return c.inertly()
	}
	return false
}

// exec without a command only opens files, which were judged; otherwise exec is a runner.
func (c *call) exec() bool {
	if len(c.args) > 1 {
		return false
	}
	if c.statement != nil {
		for _, rd := range c.statement.Redirs {
			switch rd.Op {
			case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
				if rd.N == nil || strings.Trim(rd.N.Value, "0") == "" {
					c.asks(ReasonExecutesCode, "a shell that reads commands from its input would read them from there")
					return true
				}
			}
		}
	}
	return c.inertly()
}

// span is a node that is only a place.
type span struct{ start, end int }

// Pos and End give the place in bytes; lines and columns are not known.
func (s span) Pos() syntax.Pos { return syntax.NewPos(uint(s.start), 0, 0) }

func (s span) End() syntax.Pos { return syntax.NewPos(uint(s.end), 0, 0) }
