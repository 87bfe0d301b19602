package tiers

import (
	"fmt"
	"slices"
	"strings"
)

// valueKind says whether an option takes a value, and where the value may stand.
type valueKind uint8

const (
	noValue       valueKind = iota
	takesValue              // attached, or the next word: `-C=`
	attachedValue           // attached only: `--color=?`
)

// option is one option of a program in all its spellings.
type option struct {
	names []string // "-O", "--open-files-in-pager"; of programs with long single-dash options also "-exec"
	value valueKind
}

// optionSet is a list of options of one program, looked up by the words of a command line.
type optionSet struct {
	list    []option
	onedash bool // long options begin with one dash and are written out: find, go, terraform, java
}

// parseOption reads `-O|--open-files-in-pager=?`: names joined by bars, then nothing, `=` or `=?`.
func parseOption(text string) (option, error) {
	var o option
	names := text
	switch {
	case strings.HasSuffix(text, "=?"):
		names, o.value = strings.TrimSuffix(text, "=?"), attachedValue
	case strings.HasSuffix(text, "="):
		names, o.value = strings.TrimSuffix(text, "="), takesValue
	}
	for n := range strings.SplitSeq(names, "|") {
		if len(n) < 2 || n[0] != '-' && n[0] != '+' || strings.ContainsAny(n, "= \t\x00") {
			return o, fmt.Errorf("%q is not an option", text)
		}
		o.names = append(o.names, n)
	}
	return o, nil
}

// hit is an option found in a word.
type hit struct {
	opt      *option
	attached bool   // the value is in the same word
	value    string // that value
	exact    bool   // the name is written out
}

// find gives the options of the set that the word text holds: of a long option every one that it may abbreviate, of a
// cluster every letter, up to one that takes the rest as its value. known tells of letters of other sets that take
// values, and so end a cluster. A run that is not known (anyRun) ends the search; open reports that it could have held
// any option.
func (s *optionSet) find(text string, known *optionSet) (hits []hit, open bool) {
	if s == nil || len(text) < 2 || text[0] != '-' && text[0] != '+' {
		return nil, false
	}
	if s.onedash || strings.HasPrefix(text, "--") {
		name, value, attached := strings.Cut(text, "=")
		if i := strings.IndexByte(name, 0); i >= 0 {
			name, attached, open = name[:i], false, true
		}
		for i := range s.list {
			for _, n := range s.list[i].names {
				switch {
				case n == name && !open, s.onedash && "-"+n == name && !open:
					return []hit{{&s.list[i], attached, value, true}}, false
				case len(n) > 2 && len(name) > 1 && strings.HasPrefix(n, name) && (!s.onedash || open):
					hits = append(hits, hit{&s.list[i], attached, value, false})
				case open && len(name) <= 2 && strings.HasPrefix(n, name[:1]):
					hits = append(hits, hit{&s.list[i], false, "", false})
				}
			}
		}
		if !open && known != nil && known.has(name) {
			return nil, false // another option of the program, written out
		}
		return hits, open && len(hits) > 0
	}
	for i := 1; i < len(text); i++ {
		if text[i] == 0 {
			return hits, slices.ContainsFunc(s.list, func(o option) bool {
				return slices.ContainsFunc(o.names, func(n string) bool { return n[0] == text[0] })
			})
		}
		letter := text[:1] + text[i:i+1]
		if o := s.named(letter); o != nil {
			h := hit{opt: o, exact: true}
			if o.value != noValue && i+1 < len(text) {
				h.attached, h.value = true, text[i+1:]
			}
			hits = append(hits, h)
			if o.value != noValue {
				return hits, false
			}
			continue
		}
		if o := known.named(letter); o != nil && o.value != noValue {
			return hits, false
		}
	}
	return hits, false
}

// named gives the option that has exactly that name.
func (s *optionSet) named(name string) *option {
	if s == nil {
		return nil
	}
	for i := range s.list {
		for _, n := range s.list[i].names {
			if n == name {
				return &s.list[i]
			}
		}
	}
	return nil
}

func (s *optionSet) has(name string) bool { return s.named(name) != nil }

// arity says how a word that begins with a dash uses the words after it: whether the next one is its value, and
// whether the set knows the option at all.
func (s *optionSet) arity(text string) (takesNext, known bool) {
	hits, open := s.find(text, nil)
	if open || len(hits) == 0 {
		return false, false
	}
	if !s.onedash && !strings.HasPrefix(text, "--") {
		known = len(hits) == len(text)-1 || hits[len(hits)-1].opt.value != noValue
	} else {
		known = true
	}
	last := hits[len(hits)-1]
	return last.opt.value == takesValue && !last.attached, known
}
