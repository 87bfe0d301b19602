package yamlspan

import (
	"bytes"

	"gopkg.in/yaml.v3"

	"example.com/ambit/internal/span"
)

func (l *layout) quoted(off int, quote byte) int {
	if l.at(off) != quote {
		return l.lost(off)
	}
	for i := off + 1; i < len(l.src); i++ {
		switch {
		case l.src[i] == '\\' && quote == '"':
			i++
		case l.src[i] == quote && quote == '\'' && l.at(i+1) == quote:
			i++
		case l.src[i] == quote:
			return i + 1
		}
	}
	return l.lost(off)
}

// plain follows the value through the text: every character of it that is not white space stands there as it is, and
// white space stands for white space.
func (l *layout) plain(n *yaml.Node, off int) int {
	value := n.Value
	for i := 0; i < len(value); {
		if blank(value[i]) {
			if !blank(l.at(off)) {
				return l.lost(off)
			}
			for i < len(value) && blank(value[i]) {
				i++
			}
			for off < len(l.src) && blank(l.src[off]) {
				off++
			}
			continue
		}
		if l.at(off) != value[i] {
			return l.lost(off)
		}
		i++
		off++
	}
	return off
}

// blockScalar finds the end of a literal or folded scalar: that of its last line that is not blank, line break not
// included, or with "+", which keeps them, that of its last blank line.
func (l *layout) blockScalar(off, indent int) int {
	if c := l.at(off); c != '|' && c != '>' {
		return l.lost(off)
	}
	keep, need := false, 0
	head := off + 1
	for ; bytes.IndexByte([]byte("+-0123456789"), l.at(head)) >= 0 && head < len(l.src); head++ {
		switch c := l.src[head]; c {
		case '+':
			keep = true
		case '-':
		default:
			need = max(indent, 0) + int(c-'0')
		}
	}
	next := func(line int) int { // the beginning of the next line
		end, brk := span.LineEnd(l.src, line)
		return end + len(brk)
	}
	first := next(off)
	if need == 0 { // as deep as the deepest of the lines up to the first that is not blank
		need = max(indent+1, 1)
		for line := first; line < len(l.src); line = next(line) {
			spaces := l.spaces(line)
			need = max(need, spaces)
			if end, _ := span.LineEnd(l.src, line); line+spaces < end {
				break
			}
		}
	}
	last := head
	stop := first
	for line := first; line < len(l.src); line = next(line) {
		end, _ := span.LineEnd(l.src, line)
		spaces := min(l.spaces(line), need)
		if spaces < need && line+spaces < end {
			break // less deep, and not blank
		}
		if line+spaces < end {
			last = end
		}
		stop = next(line)
	}
	if keep && stop > first {
		if stop == len(l.src) && l.src[stop-1] != '\n' {
			return stop
		}
		stop--
		if stop > first && l.src[stop-1] == '\r' {
			stop--
		}
		return max(stop, last)
	}
	return last
}

func (l *layout) spaces(off int) int {
	n := 0
	for l.at(off+n) == ' ' {
		n++
	}
	return n
}
