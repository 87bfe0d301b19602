package tiers

import (
	"path"
	"strings"
)

// subject is a command that deny rules are tried on, with what all of them need to know of it.
type subject struct {
	cmd           []word
	written, base string
	family        string   // see there
	prog, sub     *program // what the tables know of the program, and of its subcommand
	takes         []uint8  // of each word of cmd, lazily: see arity
}

func (k *Knowledge) subject(cmd []word) *subject {
	s := &subject{cmd: cmd}
	s.written, s.base = programNames(cmd[0].text)
	s.family = k.family(s.base)
	s.prog, s.sub, _ = k.lookup(s.family, cmd)
	return s
}

// What an option word does to the next word.
const (
	arityUnknown = 1 << iota // not worked out yet when 0
	arityNext                // takes it as its value
	arityUnsure              // or may take it
)

// arity says whether the option word i takes the next word as its value, and whether that is certain.
func (s *subject) arity(i int) (takes, sure bool) {
	if s.takes == nil {
		s.takes = make([]uint8, len(s.cmd))
	}
	if s.takes[i] == 0 {
		takes, sure := arity(s.cmd[i].text, s.sub, s.prog)
		s.takes[i] = arityUnknown
		if takes {
			s.takes[i] |= arityNext
		}
		if !sure && !(s.prog != nil && s.prog.complete) {
			s.takes[i] |= arityUnsure
		}
	}
	return s.takes[i]&arityNext != 0, s.takes[i]&arityUnsure == 0
}

// matchDeny says how a command stands to a rule (T23).
func (r *denyRule) matchDeny(s *subject) relation {
	if s.cmd[0].many {
		return maybe // it may be any command at all
	}
	out, from := always, 1
	switch name := s.cmd[0]; {
	case r.program.many:
		from = 0 // the program is among the words that the star stands for
	case name.known():
		if !r.names(s) {
			return never
		}
	case covers(r.program.text, name.text):
	case meets(r.program.text, name.text):
		out = maybe
	default:
		return never
	}
	for _, n := range r.needs {
		if out = min(out, n.in(s, s.cmd[from:])); out == never {
			return never
		}
	}
	return min(out, r.matchWords(s, from))
}

// names reports whether the rule's program is the one of the command, whose name is known: as written, by its base name
// or family, or by another path of the same file.
func (r *denyRule) names(s *subject) bool {
	text := r.program.text
	if covers(text, s.written) || covers(text, s.base) || covers(text, s.family) {
		return true
	}
	if strings.IndexByte(text, '/') < 0 {
		return false
	}
	_, base := programNames(text)
	if ofTheSystem(text, base) {
		return base == s.base
	}
	want, got := path.Clean(text), path.Clean(slashed(s.written))
	return want == got || !path.IsAbs(want) && strings.HasSuffix(got, "/"+want)
}

// in says whether the option occurs among the words before `--`.
func (n *denyNeed) in(s *subject, args []word) relation {
	out := never
	for i, w := range args {
		if w.text == "--" && !w.many {
			break
		}
		if !w.known() && w.mayBeOption() {
			out = maybe
		}
		if n.glob != "" {
			if covers(n.glob, w.text) {
				return always
			}
			continue
		}
		for _, name := range n.names {
			if !optionIn(s.sub, name, w.text) {
				continue
			}
			if out = max(out, n.valueIn(s, args, i)); out == always {
				return always
			}
		}
	}
	return out
}

// valueIn says whether the option in word i has the value that the rule names.
func (n *denyNeed) valueIn(s *subject, args []word, i int) relation {
	if n.value == "" {
		return always
	}
	v := word{text: attached(args[i].text, s.sub, s.prog)}
	if v.text == "" && i+1 < len(args) {
		v = args[i+1]
	}
	switch {
	case v.many:
		return maybe
	case covers(n.value, v.text):
		return always
	case meets(n.value, v.text):
		return maybe
	}
	return never
}

// matchWords walks the command's words with every state that the rule's words can be in: at which of them it stands,
// and whether the next word is the value of an option. Options of the command may stand anywhere.
func (r *denyRule) matchWords(s *subject, from int) relation {
	n := len(r.words)
	now, skip := make([]relation, n+1), make([]relation, n+1)
	next, nextSkip := make([]relation, n+1), make([]relation, n+1)
	now[0] = always
	r.passStars(now)
	options := true
	for k := from; k < len(s.cmd); k++ {
		w := s.cmd[k]
		if n > 0 && r.words[n-1].many && now[n-1] == always {
			return always
		}
		clear(next)
		clear(nextSkip)
		alive := false
		to := func(set []relation, i int, rel relation) {
			if rel > set[i] {
				set[i] = rel
				alive = true
			}
		}
		other, value := "", "" // another spelling of the word, and a value that it holds
		if w.known() && strings.IndexByte(w.text, '/') >= 0 {
			other = path.Clean(w.text)
		}
		takes, sure, named := false, true, false // named: the rule names the option, so its words hold the value
		option := options && strings.HasPrefix(w.text, "-") && len(w.text) > 1 && !w.many
		if option && w.text != "--" {
			takes, sure = s.arity(k)
			_, v, holds := strings.Cut(w.text, "=")
			if named = (takes || holds) && r.needsOption(s.sub, w.text); named {
				value = v
			}
		}
		for i := range n + 1 {
			at := now[i]
			switch {
			case w.many && skip[i] != never: // no word, so that the value is still to come, or the value and more
				to(nextSkip, i, maybe)
				at = max(at, maybe)
			case skip[i] != never:
				to(next, i, skip[i])
			}
			if at == never {
				continue
			}
			if w.many {
				for j := i; j <= n; j++ {
					to(next, j, maybe)
				}
			}
			if option {
				if !takes || named {
					to(next, i, at)
				}
				if takes || !sure {
					to(nextSkip, i, at)
				}
			}
			if !w.known() && !w.many && options && w.mayBeOption() {
				to(next, i, maybe)
			}
			if i == n {
				continue
			}
			switch q := r.words[i]; {
			case q.many:
				to(next, i, at)
			case w.many:
			case covers(q.text, w.text), other != "" && covers(q.text, other), value != "" && covers(q.text, value), i == 0 && s.prog.shortened(w.text, q.text):
				to(next, i+1, at)
			case meets(q.text, w.text):
				to(next, i+1, maybe)
			}
		}
		if !alive {
			return never
		}
		if w.text == "--" && !w.many {
			options = false
		}
		r.passStars(next)
		now, skip, next, nextSkip = next, nextSkip, now, skip
	}
	return max(now[n], skip[n])
}

// passStars lets a state that stands at a star go past it, since a star may stand for no word.
func (r *denyRule) passStars(set []relation) {
	for i, w := range r.words {
		if w.many && set[i] > set[i+1] {
			set[i+1] = set[i]
		}
	}
}

// needsOption reports whether the word holds an option that the rule names.
func (r *denyRule) needsOption(p *program, text string) bool {
	for _, n := range r.needs {
		if n.glob != "" && covers(n.glob, text) {
			return true
		}
		for _, name := range n.names {
			if optionIn(p, name, text) {
				return true
			}
		}
	}
	return false
}
