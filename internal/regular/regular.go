// Package regular decides exactly how two simple patterns relate: whether everything that one matches the other matches
// too, and whether anything is matched by both. Patterns are built from literals, repetitions and choices, so the
// questions are about regular languages and have an answer, with a witness.
package regular

import (
	"errors"
	"slices"
)

// Class is a set of characters.
type Class struct {
	literal rune // one character; 0 when any is set
	any     bool
	blank   bool // with any: the blank too
}

// Literal is the one character r.
func Literal(r rune) Class { return Class{literal: r} }

// AnyChar is every character; NonBlank every one but the blank.
func AnyChar() Class  { return Class{any: true, blank: true} }
func NonBlank() Class { return Class{any: true} }

func (c Class) has(r rune) bool {
	if c.any {
		return c.blank || r != ' '
	}
	return c.literal == r
}

type edge struct {
	class Class
	to    int
}

// Pattern is a nondeterministic automaton under construction; states are numbered, 0 is the start. The zero Pattern
// matches the empty text alone. A Pattern is not safe for concurrent use, not even for questions: it remembers what it
// learned from them.
type Pattern struct {
	edges [][]edge
	empty [][]int // moves that read nothing
	end   int
	chars []rune // literals that occur, for the alphabet
	known *table // of the finished pattern; nil while it is built
	marks []int  // per state, the round of closure that saw it last
	round int
}

func (p *Pattern) state() int {
	p.known = nil
	p.edges = append(p.edges, nil)
	p.empty = append(p.empty, nil)
	return len(p.edges) - 1
}

func (p *Pattern) init() {
	if len(p.edges) == 0 {
		p.end = p.state()
	}
}

func (p *Pattern) note(c Class) {
	if !c.any && !slices.Contains(p.chars, c.literal) {
		p.chars = append(p.chars, c.literal)
	}
}

// Text appends the characters of s.
func (p *Pattern) Text(s string) {
	for _, r := range s {
		p.One(Literal(r))
	}
}

// One appends one character of the class.
func (p *Pattern) One(c Class) {
	p.init()
	p.note(c)
	to := p.state()
	p.edges[p.end] = append(p.edges[p.end], edge{c, to})
	p.end = to
}

// Many appends any number of characters of the class, also none.
func (p *Pattern) Many(c Class) {
	p.init()
	p.note(c)
	loop, to := p.state(), p.state()
	p.empty[p.end] = append(p.empty[p.end], loop)
	p.edges[loop] = append(p.edges[loop], edge{c, loop})
	p.empty[loop] = append(p.empty[loop], to)
	p.end = to
}

// Repeat appends what build appends, any number of times, also none.
func (p *Pattern) Repeat(build func(*Pattern)) {
	p.init()
	loop := p.state()
	p.empty[p.end] = append(p.empty[p.end], loop)
	p.end = loop
	build(p)
	p.empty[p.end] = append(p.empty[p.end], loop)
	to := p.state()
	p.empty[loop] = append(p.empty[loop], to)
	p.end = to
}

// Choice appends one of the branches.
func (p *Pattern) Choice(branches ...func(*Pattern)) {
	p.init()
	from, to := p.end, p.state()
	for _, b := range branches {
		p.end = p.state()
		p.empty[from] = append(p.empty[from], p.end)
		b(p)
		p.empty[p.end] = append(p.empty[p.end], to)
	}
	p.end = to
}

// Match reports whether the pattern matches all of s.
func (p *Pattern) Match(s string) bool {
	p.init()
	set := p.closure([]int{0})
	for _, r := range s {
		set = p.step(set, r)
	}
	return slices.Contains(set, p.end)
}

// closure adds what is reached without reading, and sorts.
func (p *Pattern) closure(states []int) []int {
	if len(p.marks) < len(p.edges) {
		p.marks = make([]int, len(p.edges))
	}
	p.round++
	var out []int
	var walk func(int)
	walk = func(s int) {
		if p.marks[s] == p.round {
			return
		}
		p.marks[s] = p.round
		out = append(out, s)
		for _, t := range p.empty[s] {
			walk(t)
		}
	}
	for _, s := range states {
		walk(s)
	}
	slices.Sort(out)
	return out
}

func (p *Pattern) step(states []int, r rune) []int {
	var next []int
	for _, s := range states {
		for _, e := range p.edges[s] {
			if e.class.has(r) {
				next = append(next, e.to)
			}
		}
	}
	return p.closure(next)
}

// ErrTooLarge is the answer for patterns whose comparison would need more than maxPairs steps; the caller must take
// the stricter answer.
var ErrTooLarge = errors.New("patterns too large to compare")

// maxPairs bounds the search: globs of this project's size need a few hundred pairs, so only a hostile one meets it.
const maxPairs = 50_000

// Inside reports whether every text that p matches is matched by q too. When not, witness is a shortest text that only
// p matches. Only texts that within matches count; nil is all of them.
func Inside(p, q, within *Pattern) (inside bool, witness string, err error) {
	w, found, err := search(p, q, within, func(inP, inQ bool) bool { return inP && !inQ })
	return err == nil && !found, w, err
}

// Meet reports whether some text, of those that within matches, is matched by both; witness is a shortest one.
func Meet(p, q, within *Pattern) (meet bool, witness string, err error) {
	w, found, err := search(p, q, within, func(inP, inQ bool) bool { return inP && inQ })
	return found, w, err
}

// pair is one state of the product: the states of both patterns and of the universe, and how it was reached.
type pair struct {
	p, q, w int
	parent  int
	char    rune
}

// search walks the product of both automata breadth first for a state that want accepts.
func search(p, q, within *Pattern, want func(inP, inQ bool) bool) (witness string, found bool, err error) {
	if within == nil {
		within = new(Pattern)
		within.Many(AnyChar())
	}
	tp, tq, tw := p.table(), q.table(), within.table()
	alphabet := []rune{' '}
	for _, chars := range [...][]rune{p.chars, q.chars, within.chars} {
		for _, r := range chars {
			if !slices.Contains(alphabet, r) {
				alphabet = append(alphabet, r)
			}
		}
	}
	slices.Sort(alphabet)
	alphabet = append(alphabet, other(alphabet)) // stands for every character that none of them names
	inP, inQ, inW := tp.columns(alphabet), tq.columns(alphabet), tw.columns(alphabet)
	queue := []pair{{parent: -1}}
	seen := map[[3]int]bool{{}: true}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		if tw.final[at.w] && want(tp.final[at.p], tq.final[at.q]) {
			return path(queue, i), true, nil
		}
		for c, r := range alphabet {
			next := pair{p: tp.step(at.p, inP[c]), w: tw.step(at.w, inW[c]), parent: i, char: r}
			if len(tp.sets[next.p]) == 0 || len(tw.sets[next.w]) == 0 {
				continue // nothing that p matches lies further on
			}
			next.q = tq.step(at.q, inQ[c])
			if k := [3]int{next.p, next.q, next.w}; !seen[k] {
				if len(queue) == maxPairs {
					return "", false, ErrTooLarge
				}
				seen[k] = true
				queue = append(queue, next)
			}
		}
	}
	return "", false, nil
}

// other picks a readable character that is not in the alphabet.
func other(alphabet []rune) rune {
	for r := 'x'; ; r++ {
		if !slices.Contains(alphabet, r) {
			return r
		}
	}
}

func path(queue []pair, i int) string {
	var out []rune
	for ; queue[i].parent >= 0; i = queue[i].parent {
		out = append(out, queue[i].char)
	}
	slices.Reverse(out)
	return string(out)
}
