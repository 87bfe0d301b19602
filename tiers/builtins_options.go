package tiers

import (
	"slices"
	"strings"
)

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
