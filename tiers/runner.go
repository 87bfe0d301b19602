package tiers

import "strings"

// inner is the command that a runner starts (T31).
type inner struct {
	words  []word
	start  int  // index of its program among the runner's words
	unsure bool // where it starts is a guess
}

// Bounds of looking through runners: beyond them a command asks.
const (
	maxRunners = 8 // runners that start each other
	maxStarts  = 3 // places where the command of one runner may start
)

// unwrap gives the commands that the words may start when their program is a runner of the tables: usually one; more
// when an option is not known and may or may not take the next word; none when there is no command.
func (k *Knowledge) unwrap(words []word) []inner {
	if len(words) < 2 || !words[0].known() {
		return nil
	}
	_, base := programNames(words[0].text)
	_, p, sub := k.lookup(k.family(base), words)
	if p == nil || p.runner == "" {
		return nil
	}
	u := unwrapping{p: p, words: words}
	u.walk(sub+1, p.skip, false)
	return u.found
}

// unwrapping walks a runner's options, assignments and operands.
type unwrapping struct {
	p     *program
	words []word
	found []inner
}

func (u *unwrapping) walk(i, skip int, unsure bool) {
	for ; i < len(u.words) && len(u.found) < maxStarts; i++ {
		w := u.words[i]
		switch {
		case w.text == "--" && !w.many:
			i++
			for ; i < len(u.words) && skip > 0; i++ {
				skip--
				if u.words[i].many {
					u.several(i)
					return
				}
			}
			u.start(i, unsure)
			return
		case w.text == "-" && u.p.assigns && !w.many: // env - is env -i
		case strings.HasPrefix(w.text, "-") && len(w.text) > 1 && !w.many && w.text[1] != 0:
			next, sure := arity(w.text, u.p)
			if !sure && i+1 < len(u.words) {
				// It may take the next word as its value, or not.
				u.walk(i+1, skip, unsure)
				unsure, next = true, true
			}
			if next {
				if i++; i < len(u.words) && u.words[i].many {
					u.several(i)
					return
				}
			}
		case w.many:
			u.several(i)
			return
		case skip > 0:
			skip--
		default:
			u.start(i, unsure)
			return
		}
	}
}

// several goes on at a word that may be several: options, operands and the start of the command among them, or none of
// it.
func (u *unwrapping) several(i int) {
	u.start(i, true)
	u.start(i+1, true)
}

// start passes the assignments that some runners take, and notes the command that starts there.
func (u *unwrapping) start(i int, unsure bool) {
	for u.p.assigns && i < len(u.words) && isAssignment(u.words[i].text) {
		i++
	}
	if i >= len(u.words) {
		return
	}
	for k := range u.found {
		if u.found[k].start == i {
			u.found[k].unsure = u.found[k].unsure && unsure
			return
		}
	}
	u.found = append(u.found, inner{words: u.words[i:], start: i, unsure: unsure})
}

// reached is a command that a runner starts, itself or through others.
type reached struct {
	words  []word
	offset int
	unsure bool
	depth  int
}

// reach gives the words and every command that they may start through runners. more reports that there are others,
// beyond the bounds.
func (k *Knowledge) reach(words []word) (out []reached, more bool) {
	out = append(out, reached{words: words})
	for i := 0; i < len(out); i++ {
		at := out[i]
		inners := k.unwrap(at.words)
		if at.depth >= maxRunners || len(inners) >= maxStarts {
			more = more || len(inners) > 0
		}
		if at.depth >= maxRunners {
			continue
		}
	next:
		for _, in := range inners {
			offset := at.offset + in.start
			for _, o := range out {
				if o.offset == offset {
					continue next
				}
			}
			out = append(out, reached{in.words, offset, at.unsure || in.unsure, at.depth + 1})
		}
	}
	return out, more
}

// isAssignment reports whether the text is NAME=value.
func isAssignment(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	return ok && isName(name)
}

// isName reports whether the text is a name of the shell.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
