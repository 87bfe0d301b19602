package tiers

import (
	"path"
	"slices"
	"strings"
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
		"source":  (*call).sourced,
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

// sourced judges source and `.`, which read a script into the shell.
func (c *call) sourced() bool {
	if len(c.args) < 2 || !c.deniedScript(1) {
		c.asks(ReasonExecutesCode, "a file that the shell reads and runs")
	}
	return true
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

// cd moves the shell. A literal path below Root is harmless; git reads the settings of wherever it then stands (T31b).
func (c *call) cd() bool {
	ls, rest, ok := c.options("")
	if !ok || !ls.only("LPe") || len(rest) != 1 || !rest[0].known() || rest[0].tilde || rest[0].text == "-" || rest[0].text == "" {
		c.asks(ReasonDynamicCommand, "a folder that is not known, or not below the project")
		c.sc.moved, c.sc.unknown = true, true
		c.moved()
		return true
	}
	target := c.native(slashed(rest[0].text))
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
