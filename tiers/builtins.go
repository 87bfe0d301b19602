package tiers

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// builtins are the builtins whose harm depends on their words (T31b, T33a). Each reports whether it judged the call; if
// not, the call goes on to runners and the allow set.
func builtinTable() map[string]func(*call) bool {
	return map[string]func(*call) bool{
		"inert": func(c *call) bool { return c.inertly() },
		"asks": func(c *call) bool {
			c.asks(ReasonExecutesCode, "a builtin that runs code, or changes how the shell reads")
			return true
		},
		"cd":      (*call).cd,
		"set":     (*call).set,
		"shopt":   (*call).shopt,
		"read":    (*call).readNames,
		"mapfile": (*call).mapfile,
		"printf":  (*call).printf,
		"test":    (*call).test,
		"wait":    (*call).wait,
		"unset":   (*call).unset,
		"alias":   (*call).alias,
		"hash":    (*call).hash,
		"trap":    (*call).trap,
		"eval":    (*call).eval,
		"command": (*call).command,
		"exec":    (*call).exec,
	}
}

// builtin judges a builtin of that class.
func (c *call) builtin(class string) bool {
	f := builtinTable()[class]
	return f != nil && f(c)
}

// inertly adds the part of a builtin that does no harm.
func (c *call) inertly() bool {
	c.add(c.part(Silent, ReasonInert, ""))
	return true
}

// evaluated adds the part of a builtin that evaluates what is not known.
func (c *call) evaluated(detail string) bool {
	c.asks(ReasonEvaluatedData, detail)
	return true
}

// letter is an option of a builtin, with its value when it takes one.
type letter struct {
	name  byte
	value arg
}

// letters are the options of a builtin in their order, each as often as it stands there.
type letters []letter

func (ls letters) has(name byte) bool {
	return slices.ContainsFunc(ls, func(l letter) bool { return l.name == name })
}

// only reports whether all letters are among those allowed.
func (ls letters) only(allowed string) bool {
	return !slices.ContainsFunc(ls, func(l letter) bool { return strings.IndexByte(allowed, l.name) < 0 })
}

// values gives the values of one letter.
func (ls letters) values(name byte) (out []arg) {
	for _, l := range ls {
		if l.name == name {
			out = append(out, l.value)
		}
	}
	return out
}

// options walks the option words of a builtin: letters that take a value are in valued. It gives the letters and the
// rest; ok is false when a word may be an option and is not known.
func (c *call) options(valued string) (ls letters, rest []arg, ok bool) {
	i := 1
	for ; i < len(c.args); i++ {
		a := c.args[i]
		if !a.known() {
			return ls, c.args[i:], !a.mayBeOption()
		}
		if a.text == "--" {
			i++
			break
		}
		if len(a.text) < 2 || a.text[0] != '-' {
			break
		}
		for k := 1; k < len(a.text); k++ {
			l := letter{name: a.text[k]}
			takes := strings.IndexByte(valued, l.name) >= 0
			if takes && k+1 < len(a.text) {
				l.value = a
				l.value.text = a.text[k+1:]
			} else if takes && i+1 < len(c.args) {
				i++
				l.value = c.args[i]
			}
			ls = append(ls, l)
			if takes {
				break
			}
		}
	}
	return ls, c.args[min(i, len(c.args)):], true
}

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

func (c *call) alias() bool {
	for _, a := range c.args[1:] {
		if !a.known() || strings.Contains(a.text, "=") {
			c.asks(ReasonExecutesCode, "an alias changes what a name runs")
			return true
		}
	}
	return c.inertly()
}

func (c *call) hash() bool {
	ls, _, ok := c.options("p")
	if !ok || !ls.only("rltd") {
		c.asks(ReasonExecutesCode, "hash -p changes what a name runs")
		return true
	}
	return c.inertly()
}

// harmlessSet are the options of set -o and set -e that change nothing about what is read or run.
var harmlessSet = map[string]bool{
	"errexit": true, "nounset": true, "pipefail": true, "noglob": true, "noclobber": true, "errtrace": true,
	"functrace": true, "verbose": true, "noexec": true, "notify": true,
}

func (c *call) set() bool {
	for i := 1; i < len(c.args); i++ {
		a := c.args[i]
		if !a.known() {
			if a.mayBeOption() {
				return c.badSet()
			}
			return c.inertly()
		}
		if a.text == "--" || len(a.text) < 2 || a.text[0] != '-' && a.text[0] != '+' {
			return c.inertly()
		}
		for k := 1; k < len(a.text); k++ {
			switch {
			case a.text[k] == 'o':
				if i+1 < len(c.args) {
					i++
					if b := c.args[i]; !b.known() || !harmlessSet[b.text] {
						return c.badSet()
					}
				}
			case a.text[0] == '+' && strings.IndexByte("xka", a.text[k]) >= 0: // off
			case strings.IndexByte("euCfETvbn", a.text[k]) < 0:
				return c.badSet()
			}
		}
	}
	return c.inertly()
}

func (c *call) badSet() bool {
	c.asks(ReasonExecutesCode, "an option that changes how the shell reads or what it runs")
	return true
}

var harmlessShopt = map[string]bool{
	"nullglob": true, "globstar": true, "dotglob": true, "failglob": true, "nocaseglob": true, "nocasematch": true,
	"inherit_errexit": true,
}

func (c *call) shopt() bool {
	ls, names, ok := c.options("")
	if !ok || !ls.only("suqp") {
		return c.badSet()
	}
	for _, a := range names {
		if (ls.has('s') || ls.has('u')) && !(a.known() && harmlessShopt[a.text]) {
			return c.badSet()
		}
	}
	return c.inertly()
}

// test judges [ and test: an operand of -v, and what may be one, is evaluated.
func (c *call) test() bool {
	args := c.args[1:]
	if len(args) > 0 && c.args[0].text == "[" {
		if last := args[len(args)-1]; last.known() && last.text == "]" {
			args = args[:len(args)-1]
		}
	}
	plainNext := func(i int) bool {
		return i+1 >= len(args) || args[i+1].known() && (isName(args[i+1].text) || isInteger(args[i+1].text))
	}
	for i, a := range args {
		switch {
		case a.integer:
		case a.many && !a.glob && !a.brace:
			return c.evaluated("test: a word that may be several, -v among them")
		case a.many:
			if p := a.prefix(); p == "" || p[0] == '-' {
				return c.evaluated("test: a word that may be -v")
			}
		case a.known() && (a.text == "-v" || a.text == "-R"):
			if !plainNext(i) && !(i+1 < len(args) && args[i+1].known() && binaryTest(args[i+1].text)) {
				return c.evaluated("test -v: a name that is not plain")
			}
		case !a.known() && a.mayBeOption():
			operand := i > 0 && args[i-1].known() && (unaryTest(args[i-1].text) || binaryTest(args[i-1].text))
			before := i+1 < len(args) && args[i+1].known() && binaryTest(args[i+1].text)
			if !operand && !before && !plainNext(i) {
				return c.evaluated("test: an operator that is not known")
			}
		}
	}
	return c.inertly()
}

func unaryTest(s string) bool {
	return len(s) == 2 && s[0] == '-' && strings.IndexByte("abcdefghknoprstuwxzGLNOS", s[1]) >= 0 && s != "-a" && s != "-o"
}

func binaryTest(s string) bool {
	switch s {
	case "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef":
		return true
	}
	return false
}

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

// declClause judges declare, local, export, readonly and typeset.
func (r *walker) declClause(c *syntax.DeclClause, sc *scope) {
	r.inert(c)
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

// cd moves the shell. A literal path below Root is harmless; git reads the settings of wherever it then stands (T31b).
func (c *call) cd() bool {
	ls, rest, ok := c.options("")
	if !ok || !ls.only("LPe") || len(rest) != 1 || !rest[0].known() || rest[0].tilde || rest[0].text == "-" || rest[0].text == "" {
		c.asks(ReasonDynamicCommand, "a folder that is not known, or not below the project")
		c.sc.moved, c.sc.unknown = true, true
		c.moved()
		return true
	}
	target := slashed(rest[0].text)
	before := c.sc.dirs
	if c.sc.unknown && !path.IsAbs(target) {
		c.asks(ReasonDynamicCommand, "a folder below one that is not known")
		c.sc.moved = true
		c.moved()
		return true
	}
	for _, d := range before {
		to, below := c.relative(target)
		if !path.IsAbs(target) {
			to, below = c.relative(path.Join(d, target))
		}
		if !below {
			c.asks(ReasonDynamicCommand, "a folder outside the project")
			c.sc.moved, c.sc.unknown = true, true
			c.moved()
			return true
		}
		if to != "." || strings.Contains(target, "..") {
			c.sc.moved = true
			c.moved(to)
		}
		c.sc.landed = append(slices.Clip(c.sc.landed), to)
		if !slices.Contains(c.sc.dirs, to) {
			c.sc.dirs = append(slices.Clip(c.sc.dirs), to)
		}
	}
	if c.inBody > 0 && c.sc.moved || len(c.sc.dirs) > 8 {
		c.sc.unknown = true // a loop may move again
	}
	return c.inertly()
}
