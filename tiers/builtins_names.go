package tiers

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// setNames judges the names of variables that a builtin sets; false when one is not plain.
func (c *call) setNames(names []arg) bool {
	for _, a := range names {
		if !a.known() || !isName(a.text) {
			return false
		}
	}
	for _, a := range names {
		c.setName(span{a.start, a.end}, a.text, false, c.sc)
	}
	return true
}

func (c *call) readNames() bool {
	ls, names, ok := c.options("ptnNduai")
	names = append(slices.Clip(names), ls.values('a')...)
	if len(names) == 0 {
		names = []arg{{word: word{text: "REPLY"}, start: c.start, end: c.end}}
	}
	if !ok || !ls.only("rsptnNduai") || !c.setNames(names) {
		return c.evaluated("read: names that are not plain")
	}
	return c.inertly()
}

func (c *call) mapfile() bool {
	ls, names, ok := c.options("dnOsuCc")
	if len(names) == 0 {
		names = []arg{{word: word{text: "MAPFILE"}, start: c.start, end: c.end}}
	}
	if !ok || !ls.only("tdnOsu") || !c.setNames(names) {
		return c.evaluated("mapfile: names that are not plain, or a callback")
	}
	return c.inertly()
}

func (c *call) printf() bool {
	ls, rest, ok := c.options("v")
	if !ok && (rest[0].many || len(rest) > 1 || rest[0].prefix() != "") {
		return c.evaluated("printf: a format that may be -v")
	}
	if !ls.only("v") || !c.setNames(ls.values('v')) {
		return c.evaluated("printf -v: a name that is not plain")
	}
	if len(rest) > 1 && mayCount(rest[0].text) {
		for _, a := range rest[1:] {
			if !a.known() && (!a.integer || a.many) {
				return c.evaluated("printf: a format that may hold %n, and what may be the name that it sets")
			}
			if isName(a.text) {
				c.setName(span{a.start, a.end}, a.text, false, c.sc)
			}
		}
	}
	return c.inertly()
}

// mayCount reports whether a format of printf may hold %n, which sets the variable that its word names.
func mayCount(format string) bool {
	for i := 0; i < len(format); i++ {
		switch {
		case format[i] == 0:
			return true
		case format[i] == '%':
			for i++; i < len(format) && strings.IndexByte("#0- +'.*123456789hlLjzt", format[i]) >= 0; i++ {
			}
			if i < len(format) && (format[i] == 'n' || format[i] == 0) {
				return true
			}
		}
	}
	return false
}

func (c *call) wait() bool {
	for _, a := range c.args[1:] {
		if !a.known() && !a.integer || a.known() && a.text != "-n" && a.text != "-f" && !isInteger(a.text) && !strings.HasPrefix(a.text, "%") {
			return c.evaluated("wait: what may be -p and a name")
		}
	}
	return c.inertly()
}

func (c *call) unset() bool {
	ls, names, ok := c.options("")
	if !ls.has('v') {
		c.unsets(names)
	}
	if ls.has('f') {
		for _, a := range names {
			if i := slices.Index(c.sc.funcs, a.text); i >= 0 {
				c.sc.funcs = slices.Delete(slices.Clone(c.sc.funcs), i, i+1)
			}
		}
		return c.inertly()
	}
	if !ok || !ls.only("v") || !c.setNames(names) {
		return c.evaluated("unset: names that are not plain")
	}
	for _, a := range names {
		if i := slices.Index(c.sc.funcs, a.text); i >= 0 {
			c.sc.funcs = slices.Delete(slices.Clone(c.sc.funcs), i, i+1)
		}
	}
	return c.inertly()
}

// deniedDecl blocks a declaration that the deny set matches.
func (r *walker) deniedDecl(c *syntax.DeclClause) {
	words := []word{{text: c.Variant.Value}}
	for _, as := range c.Args {
		w := word{text: anyRun, many: true}
		switch {
		case as.Name != nil && as.Naked:
			w = word{text: as.Name.Value}
		case as.Name != nil:
			w = word{text: as.Name.Value + "=" + anyRun}
		case as.Value.Lit() != "":
			w = word{text: as.Value.Lit()}
		}
		words = append(words, w)
	}
	r.deniedWords(c, words)
}

// deniedWords blocks what is no call of a program, but is written like one, when the deny set matches it.
func (r *walker) deniedWords(c syntax.Node, words []word) {
	if rel, by := r.rules.denied(r.k, words); by != nil {
		r.denied(c, by.text, by.blacklist, rel, ReasonDynamicArgument)
	}
}

// declClause judges declare, local, export, readonly and typeset.
func (r *walker) declClause(c *syntax.DeclClause, sc *scope) {
	r.inert(c)
	r.deniedDecl(c)
	flags := map[string]string{"export": "pn", "readonly": "paA", "local": "rxgaAlup", "declare": "rxgpaAluFft", "typeset": "rxgpaAluFft"}
	allowed, ok := flags[c.Variant.Value]
	if !ok {
		r.askAt(c, ReasonEvaluatedData, c.Variant.Value+" makes names stand for others")
	}
	array := false
	for _, as := range c.Args {
		if as.Name == nil {
			a := r.word(as.Value, sc)
			switch {
			case !a.known():
				r.askAt(as, ReasonEvaluatedData, "a name of a variable that is not known")
			case len(a.text) > 1 && (a.text[0] == '-' || a.text[0] == '+') && !strings.ContainsFunc(a.text[1:], func(l rune) bool { return !strings.ContainsRune(allowed, l) }):
				array = array || strings.ContainsAny(a.text, "aA")
			case a.text == "--":
			default:
				r.askAt(as, ReasonEvaluatedData, "an option that makes bash evaluate values, or a name that is not plain")
			}
			continue
		}
		if as.Naked && as.Index == nil {
			r.mayName(as, as.Name.Value) // its value stays, or there is none
			continue
		}
		if array && as.Value != nil {
			r.askAt(as, ReasonEvaluatedData, "an array's value given as a text, which bash reads again")
		}
		r.assign(as, sc, false)
	}
}
