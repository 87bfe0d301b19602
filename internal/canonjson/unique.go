package canonjson

import (
	"cmp"
	"hash/maphash"
	"slices"

	"example.com/ambit/internal/oneline"
)

// member is a key to be sorted: its first eight bytes, so that most comparisons need not fetch the key.
type member struct {
	prefix uint64
	node   uint32
}

// maxSorted is how many members are sorted while parsing. Beyond it duplicates are found by hashing, which no choice of
// keys can make slow, and the sort waits until someone asks for the canonical form.
const maxSorted = 64

// unique refuses keys that stand twice in an object, and keeps the order found on the way for the canonical form.
func (p *parser) unique(at, count int) {
	n := &p.nodes[at]
	n.flags |= unsorted
	if count > maxSorted {
		n.flags |= wide
		p.uniqueWide(at, count)
		return
	}
	if p.members == nil {
		p.members = make([]member, 0, maxSorted)
		p.order = make([]uint32, 0, cap(p.nodes)/2+8) // most nodes of an ordinary document are values of unsorted members
	}
	p.members = p.doc.appendMembers(p.members[:0], uint32(at))
	sortMembers(&p.doc, p.members)
	n.extra = uint32(len(p.order))
	p.order = append(p.order, uint32(count))
	for i, m := range p.members {
		if i > 0 && p.members[i-1].prefix == m.prefix && p.text(p.members[i-1].node) == p.text(m.node) {
			p.duplicate(m.node)
		}
		p.order = append(p.order, m.node)
	}
}

func (p *parser) duplicate(key uint32) {
	p.report(CodeDuplicate, int(p.nodes[key].start), int(key), "duplicate key "+oneline.Quote(p.text(key), 40))
}

func (p *parser) uniqueWide(at, count int) {
	size := 1
	for size < 2*count {
		size *= 2
	}
	if cap(p.hashes) < size {
		p.hashes = make([]uint32, size)
	}
	table := p.hashes[:size]
	clear(table)
	seed := maphash.MakeSeed()
	end := uint32(len(p.nodes))
	for k := uint32(at) + 1; k < end; k = p.nodes[k+1].next {
		key := p.text(k)
		h := maphash.String(seed, key) & uint64(size-1)
		for table[h] != 0 && p.text(table[h]) != key {
			h = (h + 1) & uint64(size-1)
		}
		if table[h] == 0 {
			table[h] = k // never 0: node 0 is the root
		} else if p.duplicate(k); len(p.faults) == maxFaults {
			return
		}
	}
}

// appendMembers lists the keys of an object in the order of the text. The object may still be open.
func (d *doc) appendMembers(ms []member, at uint32) []member {
	end := d.nodes[at].next
	if end == 0 {
		end = uint32(len(d.nodes))
	}
	for k := at + 1; k < end; k = d.nodes[k+1].next {
		ms = append(ms, member{prefix(d.text(k)), k})
	}
	return ms
}

func prefix(key string) (w uint64) {
	if len(key) >= 8 {
		return uint64(key[7]) | uint64(key[6])<<8 | uint64(key[5])<<16 | uint64(key[4])<<24 |
			uint64(key[3])<<32 | uint64(key[2])<<40 | uint64(key[1])<<48 | uint64(key[0])<<56
	}
	for i := range len(key) {
		w |= uint64(key[i]) << (56 - 8*i)
	}
	return w
}

// sortMembers sorts by code point, which is the order of the UTF-8 bytes; equal keys stay in the order of the text.
func sortMembers(d *doc, ms []member) {
	if len(ms) <= 16 {
		for i := 1; i < len(ms); i++ {
			for j := i; j > 0 && before(d, ms[j], ms[j-1]); j-- {
				ms[j], ms[j-1] = ms[j-1], ms[j]
			}
		}
		return
	}
	slices.SortFunc(ms, func(a, b member) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return cmp.Or(cmp.Compare(d.text(a.node), d.text(b.node)), cmp.Compare(a.node, b.node))
	})
}

func before(d *doc, a, b member) bool {
	if a.prefix != b.prefix {
		return a.prefix < b.prefix
	}
	return d.text(a.node) < d.text(b.node)
}
