package tiers

import "strings"

// inner is the command that a runner starts (T31).
type inner struct {
	words  []word
	start  int  // index of its program among the runner's words
	unsure bool // where it starts is a guess
}

// unwrap gives the commands that the words may start when their program is a runner of the tables: usually one; more
// when an option is not known and may or may not take the next word; none when there is no command.
func (k *Knowledge) unwrap(words []word) []inner {
	if len(words) < 2 || !words[0].known() {
		return nil
	}
	_, base := programNames(words[0].text)
	_, p, sub := k.lookup(base, words)
	if p == nil || p.runner == "" {
		return nil
	}
	return unwrapAt(p, words, sub+1, p.skip, false)
}

// unwrapAt walks the runner's options, assignments and operands from word i on.
func unwrapAt(p *program, words []word, i, skip int, unsure bool) []inner {
	for ; i < len(words); i++ {
		w := words[i]
		switch {
		case w.text == "--" && !w.many:
			i++
			for ; i < len(words) && skip > 0; i++ {
				skip--
			}
			return startAt(p, words, i, unsure)
		case strings.HasPrefix(w.text, "-") && len(w.text) > 1 && !w.many && w.text[1] != 0:
			next, sure := arity(w.text, p)
			if !sure && i+1 < len(words) {
				return append(unwrapAt(p, words, i+1, skip, unsure), unwrapAt(p, words, min(i+2, len(words)), skip, true)...)
			}
			if next {
				i++
			}
		case w.many:
			// May be options, operands and the start of the command: whatever follows may be one.
			return append(startAt(p, words, i, true), startAt(p, words, i+1, true)...)
		case skip > 0:
			skip--
		default:
			return startAt(p, words, i, unsure)
		}
	}
	return nil
}

// startAt passes the assignments that some runners take, and gives the command that starts there.
func startAt(p *program, words []word, i int, unsure bool) []inner {
	for p.assigns && i < len(words) && isAssignment(words[i].text) {
		i++
	}
	if i >= len(words) {
		return nil
	}
	return []inner{{words: words[i:], start: i, unsure: unsure}}
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
