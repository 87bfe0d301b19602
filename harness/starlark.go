package harness

import (
	"fmt"
	"strings"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/span"
)

// starlark reads the part of that language which rules files are made of: calls with named arguments that are strings
// and lists. The first mistake ends it.
type starlark struct {
	name string
	src  string
	at   int
	err  *fault.Error
}

func (p *starlark) fault(at int, err error) *Error {
	line, col := span.Position([]byte(p.src), at)
	return &Error{File: p.name, Line: line, Col: col, Code: CodeRules, Err: fmt.Errorf("%w: %w", err, ErrFormat),
		Hint: "Codex drops every rule of the user and the project over one mistake"}
}

func (p *starlark) fail(at int, err error) {
	if p.err == nil {
		p.err = p.fault(at, err)
	}
}

// skip goes over blanks, line ends and comments.
func (p *starlark) skip() {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		case '#':
			end := strings.IndexByte(p.src[p.at:], '\n')
			if end < 0 {
				end = len(p.src) - p.at
			}
			p.at += end
		default:
			return
		}
	}
}

// peek gives the next byte that is no blank; 0 at the end.
func (p *starlark) peek() byte {
	if p.skip(); p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

func (p *starlark) expect(c byte) {
	if p.peek() != c {
		p.fail(p.at, fmt.Errorf("want %q", string(c)))
		return
	}
	p.at++
}

func (p *starlark) word() string {
	p.skip()
	start := p.at
	for p.at < len(p.src) && (p.src[p.at] == '_' || p.src[p.at]|0x20 >= 'a' && p.src[p.at]|0x20 <= 'z' || p.at > start && p.src[p.at] >= '0' && p.src[p.at] <= '9') {
		p.at++
	}
	if p.at == start {
		p.fail(start, fmt.Errorf("want a name"))
	}
	return p.src[start:p.at]
}

// arguments reads (name = value, ...).
func (p *starlark) arguments() map[string]any {
	args := map[string]any{}
	p.expect('(')
	for p.err == nil && p.peek() != ')' {
		start := p.at
		key := p.word()
		if _, twice := args[key]; twice {
			p.fail(start, fmt.Errorf("%s stands twice", key))
		}
		p.expect('=')
		args[key] = p.value(0)
		if p.peek() != ')' {
			p.expect(',')
		}
	}
	p.expect(')')
	return args
}

// value reads a string or a list.
func (p *starlark) value(depth int) any {
	if p.err != nil {
		return nil
	}
	start := p.at
	switch c := p.peek(); {
	case c == '"' || c == '\'':
		return p.text(c)
	case c == '[' && depth < maxDepth:
		p.at++
		list := []any{}
		for p.err == nil && p.peek() != ']' {
			list = append(list, p.value(depth+1))
			if p.peek() != ']' {
				p.expect(',')
			}
		}
		p.expect(']')
		return list
	}
	p.fail(start, fmt.Errorf("want a string or a list"))
	return nil
}

// escapes are those that Starlark shares with every language around it; others are refused.
var escapes = map[byte]byte{'\\': '\\', '"': '"', '\'': '\'', 'n': '\n', 't': '\t', 'r': '\r'}

func (p *starlark) text(quote byte) string {
	start := p.at
	if strings.HasPrefix(p.src[p.at:], strings.Repeat(string(quote), 3)) {
		p.fail(start, fmt.Errorf("a text in three quotes"))
		return ""
	}
	var b strings.Builder
	for p.at++; p.at < len(p.src); p.at++ {
		switch c := p.src[p.at]; c {
		case quote:
			p.at++
			return b.String()
		case '\n':
			p.fail(start, fmt.Errorf("the string does not end on its line"))
			return ""
		case '\\':
			p.at++
			if p.at >= len(p.src) || escapes[p.src[p.at]] == 0 {
				p.fail(p.at-1, fmt.Errorf("an escape that is not one of \\\\ \\\" \\' \\n \\t \\r"))
				return ""
			}
			b.WriteByte(escapes[p.src[p.at]])
		default:
			b.WriteByte(c)
		}
	}
	p.fail(start, fmt.Errorf("the string does not end"))
	return ""
}
