package tiers

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// denyRule is a simple command of a deny set, made ready to be matched widely (T23): its options are a set that may
// stand anywhere before `--`, what is left is matched in order, and options of the command may stand between.
type denyRule struct {
	program word
	words   []word     // after the program, without options
	needs   []denyNeed // the options, all of which must occur
}

// denyNeed is one option that a deny rule names.
type denyNeed struct {
	names []string // its spellings
	value string   // what its value must match, if anything
	glob  string   // or a text with stars that a whole word must match
}

// denyRules gives the rules of a simple pattern: the pattern itself, and the same for every command that the tables
// call equivalent to what it begins with.
func (k *Knowledge) denyRules(pat []word) []denyRule {
	out := []denyRule{k.denyRule(pat)}
	if strings.IndexByte(pat[0].text, '/') >= 0 {
		_, base := programNames(pat[0].text)
		pat = append([]word{{text: base}}, pat[1:]...)
	}
	if pat[0].known() {
		return k.equivalents(out, pat, k.same[pat[0].text])
	}
	for _, program := range slices.Sorted(maps.Keys(k.same)) {
		out = k.equivalents(out, pat, k.same[program])
	}
	return out
}

// equivalents adds the rules of the commands that do what the pattern begins with.
func (k *Knowledge) equivalents(out []denyRule, pat []word, rows []sameRow) []denyRule {
	for _, row := range rows {
		rest, ok := beginsWith(pat, row.to)
		if ok && !(row.named && (len(rest) == 0 || !rest[0].known())) {
			out = append(out, k.denyRule(append(row.from, rest...)))
		}
	}
	return out
}

func trimStar(ws []word) []word {
	if n := len(ws); n > 0 && ws[n-1].many {
		ws = ws[:n-1]
	}
	return ws[:len(ws):len(ws)]
}

// beginsWith reports whether the first words of pat take in those of head, and gives the words of pat after them.
func beginsWith(pat, head []word) (rest []word, ok bool) {
	for _, h := range head {
		if len(pat) == 0 || pat[0].many || !covers(pat[0].text, h.text) {
			return nil, false
		}
		pat = pat[1:]
	}
	return pat, true
}

func (k *Knowledge) denyRule(pat []word) denyRule {
	r := denyRule{program: pat[0]}
	if pat[0].many {
		r.words = append(r.words, pat[0])
	}
	var p, q *program // looked up when there is an option
	for i := 1; i < len(pat); i++ {
		w := pat[i]
		if w.text == "--" {
			r.words = append(r.words, pat[i:]...)
			break
		}
		if len(w.text) < 2 || w.text[0] != '-' {
			w.text = strings.TrimPrefix(w.text, "./")
			r.words = append(r.words, w)
			continue
		}
		if q == nil {
			p, q, _ = k.lookup(pat[0].text, pat)
		}
		needs := needsOf(w.text, q, p)
		if last := &needs[len(needs)-1]; last.glob == "" && last.value == "" && i+1 < len(pat) && !pat[i+1].many {
			if next, _ := arity(w.text, q, p); next {
				i++
				last.value = pat[i].text
			}
		}
		r.needs = append(r.needs, needs...)
	}
	return r
}

// needsOf gives the options that a word of a pattern names, with the value that it gives the last one: of a cluster, each
// of its letters.
func needsOf(text string, rows ...*program) []denyNeed {
	name, value, _ := strings.Cut(text, "=")
	if strings.IndexByte(name, 0) >= 0 {
		return []denyNeed{{glob: text}}
	}
	one := rows[0] != nil && rows[0].onedash || strings.HasPrefix(name, "--") || len(name) == 2
	if one {
		return []denyNeed{{names: synonyms(name, rows...), value: value}}
	}
	if i := rows[0].valueEnds(text); i > 0 {
		name, value = text[:i], text[i:]
	} else {
		name, value = text, ""
	}
	var out []denyNeed
	for _, letter := range name[1:] {
		out = append(out, denyNeed{names: synonyms("-"+string(letter), rows...)})
	}
	out[len(out)-1].value = value
	return out
}

// synonyms gives every spelling of an option that the tables know, the given one first.
func synonyms(name string, rows ...*program) []string {
	out := []string{name}
	for _, p := range rows {
		if p == nil {
			continue
		}
		for _, s := range p.sets() {
			if o := (*s).named(name); o != nil {
				out = append(out, o.names...)
			}
		}
	}
	return out
}

// family gives the name under which the tables know a program that is called by its version: python3.11 is python3, and
// what a fetcher calls eslint@8 is eslint. Only programs that run something are looked for: the name of any other says
// nothing about what it does.
func (k *Knowledge) family(base string) string {
	if base == "" || k.programs.known(base) {
		return base
	}
	if i := strings.IndexByte(base, '@'); i > 0 {
		return base[:i]
	}
	if c := base[len(base)-1]; c < '0' || c > '9' {
		return base
	}
	for name := base; ; {
		short := strings.TrimRight(name, "0123456789")
		if short == name || short == "" {
			return base
		}
		name = strings.TrimRight(short, ".-")
		if p := k.programs.get(name); p != nil && (p.script > 0 || p.shell || p.runner != "") {
			return name
		}
	}
}

// programNames gives what a program word may be called: as written, and its base name, without a Windows suffix.
func programNames(text string) (written, base string) {
	base = path.Base(strings.ReplaceAll(text, `\`, "/"))
	return text, strings.TrimSuffix(base, ".exe")
}

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
	out, from := always, 1
	switch name := s.cmd[0]; {
	case r.program.many:
		from = 0 // the program is among the words that the star stands for
	case name.many:
		out = maybe
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
	if s.cmd[0].many {
		return maybe
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
		takes, sure := false, true
		option := options && strings.HasPrefix(w.text, "-") && len(w.text) > 1 && !w.many
		if option && w.text != "--" {
			takes, sure = s.arity(k)
			if _, v, ok := strings.Cut(w.text, "="); ok && r.needsOption(s.prog, s.sub, w.text) {
				value = v
			}
		}
		for i := range n + 1 {
			if skip[i] != never {
				to(next, i, skip[i])
				for j := i + 1; w.many && j <= n; j++ {
					to(next, j, maybe) // the value may be more words
				}
			}
			at := now[i]
			if at == never {
				continue
			}
			if w.many {
				for j := i; j <= n; j++ {
					to(next, j, maybe)
				}
			}
			if option {
				if !takes || r.needsOption(s.prog, s.sub, w.text) {
					to(next, i, at) // of an option that the rule names, the rule's words hold the value
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

// shortened reports whether a word may be short for a subcommand of the program.
func (p *program) shortened(text, name string) bool {
	return p != nil && p.shortens && len(text) > 1 && strings.HasPrefix(name, text) && !slices.Contains(p.whole, text)
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
func (r *denyRule) needsOption(p, sub *program, text string) bool {
	for _, n := range r.needs {
		for _, name := range n.names {
			if optionIn(p, name, text) || optionIn(sub, name, text) {
				return true
			}
		}
	}
	return false
}
