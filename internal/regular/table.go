package regular

import (
	"encoding/binary"
	"slices"
)

// table is a pattern made deterministic as far as questions went: state 0 is the start, a state is a set of the
// pattern's own, and each column of next is one character of its alphabet, the last one every other character.
type table struct {
	pattern *Pattern
	chars   []rune
	sets    [][]int
	final   []bool
	ids     map[string]int
	next    [][]int // -1 where nobody has asked
}

// table gives what is known of the pattern, which must not be built further.
func (p *Pattern) table() *table {
	p.init()
	if p.known != nil {
		return p.known
	}
	t := &table{pattern: p, chars: slices.Clone(p.chars), ids: map[string]int{}}
	if !slices.Contains(t.chars, ' ') {
		t.chars = append(t.chars, ' ')
	}
	t.add(p.closure([]int{0}))
	p.known = t
	return t
}

func (t *table) add(set []int) int {
	var key []byte
	for _, s := range set {
		key = binary.AppendUvarint(key, uint64(s))
	}
	if id, ok := t.ids[string(key)]; ok {
		return id
	}
	id := len(t.sets)
	t.ids[string(key)] = id
	t.sets = append(t.sets, set)
	t.final = append(t.final, slices.Contains(set, t.pattern.end))
	row := make([]int, len(t.chars)+1)
	for i := range row {
		row[i] = -1
	}
	t.next = append(t.next, row)
	return id
}

// columns gives the column of each character.
func (t *table) columns(alphabet []rune) []int {
	out := make([]int, len(alphabet))
	for i, r := range alphabet {
		if out[i] = slices.Index(t.chars, r); out[i] < 0 {
			out[i] = len(t.chars)
		}
	}
	return out
}

// step gives the state behind a character.
func (t *table) step(state, column int) int {
	if next := t.next[state][column]; next >= 0 {
		return next
	}
	r := other(t.chars)
	if column < len(t.chars) {
		r = t.chars[column]
	}
	next := t.add(t.pattern.step(t.sets[state], r))
	t.next[state][column] = next
	return next
}
