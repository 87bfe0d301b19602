package tiers

import (
	"slices"
	"strings"
)

// synonyms gives every spelling of an option that the tables know, the given one first, each once.
func synonyms(name string, rows ...*program) []string {
	out := []string{name}
	for _, p := range rows {
		if p == nil {
			continue
		}
		for _, s := range p.sets() {
			if o := (*s).named(name); o != nil {
				for _, n := range o.names {
					if !slices.Contains(out, n) {
						out = append(out, n)
					}
				}
			}
		}
	}
	return out
}

// optionIn reports whether the word holds the option of that name: written out, abbreviated, or in a cluster.
func optionIn(p *program, name, text string) bool {
	if len(text) < 2 || text[0] != name[0] {
		return false
	}
	text, _, _ = strings.Cut(text, "\x00") // what follows is not known
	text, _, _ = strings.Cut(text, "=")
	switch {
	case text == name || "-"+name == text:
		return true
	case p != nil && p.onedash:
		return false
	case strings.HasPrefix(text, "--"):
		return len(text) > 2 && strings.HasPrefix(name, text) && len(name) > 2 && !p.knows(text)
	case len(name) != 2:
		return false
	}
	for i := 1; i < len(text); i++ {
		if text[i] == name[1] {
			return true
		}
		if p.valueLetter(text[i]) {
			return false
		}
	}
	return false
}

// knows reports whether the program has an option of exactly that name.
func (p *program) knows(name string) bool {
	if p != nil {
		for _, s := range p.sets() {
			if (*s).has(name) {
				return true
			}
		}
	}
	return false
}

// valueLetter reports whether the letter is an option that takes a value, which then is the rest of the cluster.
func (p *program) valueLetter(letter byte) bool {
	if p != nil {
		for _, s := range p.sets() {
			if o := (*s).named("-" + string(letter)); o != nil && o.value != noValue {
				return true
			}
		}
	}
	return false
}

// valueEnds gives where in a cluster of letters the value of one of them begins, 0 when there is none.
func (p *program) valueEnds(text string) int {
	if p == nil || p.onedash || len(text) < 3 || text[0] != '-' || text[1] == '-' {
		return 0
	}
	for i := 1; i < len(text)-1; i++ {
		for _, s := range p.sets() {
			if o := (*s).named(text[:1] + text[i:i+1]); o != nil && o.value == takesValue {
				return i + 1
			}
		}
	}
	return 0
}

// attached gives the value that an option word holds: --name=value, or what follows the letter that takes it.
func attached(text string, rows ...*program) string {
	if _, value, ok := strings.Cut(text, "="); ok {
		return value
	}
	if strings.HasPrefix(text, "--") {
		return ""
	}
	for _, p := range rows {
		if i := p.valueEnds(text); i > 0 {
			return text[i:]
		}
	}
	return ""
}

// arity says whether an option word takes the next word as its value, by any set of the rows of a program and its
// subcommand; sure is false when no row knows it.
func arity(text string, rows ...*program) (next, sure bool) {
	if strings.Contains(text, "=") && strings.HasPrefix(text, "--") {
		return false, true
	}
	for _, p := range rows {
		if p == nil {
			continue
		}
		for _, s := range p.sets() {
			if n, known := (*s).arity(text); known {
				return n, true
			}
		}
	}
	return false, false
}

// arityBefore is arity of an option before the subcommand, where some programs have no other than the listed ones.
func arityBefore(text string, p *program) (next, sure bool) {
	next, sure = arity(text, p)
	return next, sure || p != nil && p.complete
}
