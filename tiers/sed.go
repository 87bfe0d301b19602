package tiers

import "strings"

// sed judges a sed script, which must be a literal text that neither runs nor writes (T23).
func (c *call) sed(pinned func(int) bool) *problemOf {
	bad := func(detail string) *problemOf { return &problemOf{reason: ReasonExecutesCode, detail: detail} }
	var scripts []int
	var texts []string
	given := false
	first := 0 // the operand that is the script when no -e is given
	options := true
	for i := 1; i < len(c.words); i++ {
		w := c.words[i]
		if !w.known() {
			if options && w.mayBeOption() || first == 0 && !given || w.many && !c.args[i].glob {
				return bad("a sed script or option that is not known")
			}
			continue
		}
		t := w.text
		if !options || len(t) < 2 || t[0] != '-' {
			if first == 0 {
				first = i
			}
			continue
		}
		if t == "--" {
			options = false
			continue
		}
		take := func(v string, has bool) *problemOf {
			given = true
			at := i
			if !has {
				if i++; i >= len(c.words) || !c.words[i].known() {
					return bad("a sed script that is not known")
				}
				at, v = i, c.words[i].text
			}
			scripts, texts = append(scripts, at), append(texts, v)
			return nil
		}
		if strings.HasPrefix(t, "--") {
			name, v, has := strings.Cut(t, "=")
			switch name {
			case "--quiet", "--silent", "--regexp-extended", "--separate", "--unbuffered", "--null-data", "--debug", "--sandbox", "--line-length", "--help", "--version", "--posix":
			case "--expression":
				if pr := take(v, has); pr != nil {
					return pr
				}
			default:
				if pinned(i) {
					continue
				}
				if strings.HasPrefix(name, "--in") {
					return &problemOf{reason: ReasonWritesFile, detail: "it edits files in place"}
				}
				return bad("an option of sed that may write, or read code")
			}
			continue
		}
	cluster:
		for k := 1; k < len(t); k++ {
			switch t[k] {
			case 'n', 'E', 'r', 's', 'u', 'z':
			case 'l':
				if k+1 == len(t) {
					if i++; i < len(c.words) && !c.words[i].known() {
						return bad("a value that may be a sed script or option")
					}
				}
				break cluster
			case 'e':
				if pr := take(t[k+1:], k+1 < len(t)); pr != nil {
					return pr
				}
				break cluster
			case 'i':
				if pinned(i) {
					break cluster
				}
				return &problemOf{reason: ReasonWritesFile, detail: "it edits files in place"}
			default:
				if pinned(i) {
					break cluster
				}
				return bad("an option of sed that may write, or read code")
			}
		}
	}
	if !given {
		if first == 0 {
			return bad("a sed script that is not there")
		}
		scripts, texts = append(scripts, first), append(texts, c.words[first].text)
	}
	all := true
	for _, i := range scripts {
		all = all && pinned(i)
	}
	if all {
		return nil
	}
	if what := sedCode(strings.Join(texts, "\n")); what != "" {
		return bad("its sed script " + what)
	}
	return nil
}

// sedCode reads a sed script and gives what makes it more than a filter: "" when it only edits its output. What it does
// not understand it calls that, since sed may understand it.
func sedCode(s string) string {
	p := &sedScript{s: s}
	for {
		p.skip(" \t\n;}")
		if p.end() {
			return ""
		}
		if what := p.command(); what != "" {
			return what
		}
	}
}

type sedScript struct {
	s string
	i int
}

func (p *sedScript) end() bool { return p.i >= len(p.s) }

func (p *sedScript) peek() byte {
	if p.end() {
		return 0
	}
	return p.s[p.i]
}

func (p *sedScript) skip(set string) {
	for !p.end() && strings.IndexByte(set, p.s[p.i]) >= 0 {
		p.i++
	}
}

// until passes text up to an unescaped delimiter; brackets hold it literally, as sed's regular expressions do.
func (p *sedScript) until(delim byte, regexp bool) bool {
	for !p.end() {
		switch c := p.s[p.i]; {
		case c == '\\':
			p.i++
		case c == '\n' && regexp:
			return false
		case c == '[' && regexp:
			// Whether a delimiter inside brackets ends the expression differs between seds: not understood.
			k := p.i + 1
			if k < len(p.s) && p.s[k] == '^' {
				k++
			}
			if k < len(p.s) && p.s[k] == ']' {
				k++
			}
			for k < len(p.s) && p.s[k] != ']' {
				if p.s[k] == delim || p.s[k] == '[' && k+1 < len(p.s) && strings.IndexByte(":.=", p.s[k+1]) >= 0 && p.s[k+1] != ':' || p.s[k] == '\n' {
					return false
				}
				if p.s[k] == '[' && k+1 < len(p.s) && p.s[k+1] == ':' {
					e := strings.Index(p.s[k:], ":]")
					if e < 0 {
						return false
					}
					k += e + 1
				}
				k++
			}
			if k >= len(p.s) {
				return false
			}
			p.i = k
		case c == delim:
			p.i++
			return true
		}
		p.i++
	}
	return false
}

// address passes one address; false when it is not understood.
func (p *sedScript) address() bool {
	switch c := p.peek(); {
	case c >= '0' && c <= '9':
		p.skip("0123456789")
		if p.peek() == '~' {
			p.i++
			p.skip("0123456789")
		}
	case c == '$':
		p.i++
	case c == '/':
		p.i++
		if !p.until('/', true) {
			return false
		}
		p.skip("IM")
	case c == '+' || c == '~':
		p.i++
		p.skip("0123456789")
	case c == '\\':
		return false
	}
	return true
}

// command passes one command with its addresses.
func (p *sedScript) command() string {
	const odd = "is not understood"
	if !p.address() {
		return odd
	}
	p.skip(" \t")
	if p.peek() == ',' {
		p.i++
		p.skip(" \t")
		if !p.address() {
			return odd
		}
	}
	p.skip(" \t!")
	c := p.peek()
	p.i++
	switch c {
	case '{', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
		return p.close(c == '{')
	case 'q', 'Q', 'l', 'L':
		p.skip(" \t0123456789")
		return p.close(false)
	case 'b', 't', 'T', ':':
		p.skip(" \t")
		for !p.end() && strings.IndexByte(";\n} \t", p.s[p.i]) < 0 {
			p.i++
		}
		return p.close(false) // some seds read on after a blank
	case 'a', 'i', 'c':
		// Text to the end of the line; a backslash goes on.
		for !p.end() && p.s[p.i] != '\n' {
			if p.s[p.i] == '\\' {
				p.i++
			}
			p.i++
		}
		return ""
	case '#':
		for !p.end() && p.s[p.i] != '\n' {
			p.i++
		}
		return ""
	case 'y', 's':
		delim := p.peek()
		if delim == 0 || delim == '\n' || delim == '\\' || delim == '[' {
			return odd
		}
		p.i++
		if !p.until(delim, c == 's') || !p.until(delim, false) {
			return odd
		}
		if c == 's' {
			for !p.end() && strings.IndexByte("gpIiMm0123456789", p.s[p.i]) >= 0 {
				p.i++
			}
		}
		switch p.peek() {
		case 'e':
			return "runs its output"
		case 'w':
			return "writes a file"
		}
		return p.close(false)
	case 'e':
		return "runs a command"
	case 'w', 'W':
		return "writes a file"
	}
	return odd
}

// close expects the end of a command.
func (p *sedScript) close(open bool) string {
	p.skip(" \t")
	if open || p.end() || strings.IndexByte(";\n}#", p.s[p.i]) >= 0 {
		return ""
	}
	return "is not understood"
}
