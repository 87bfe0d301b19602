package tiers

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// quoting is how bash reads the text around an expansion.
type quoting uint8

const (
	plain  quoting = iota // an ordinary word: single quotes are quotes
	inDbl                 // inside double quotes
	inBody                // a here-document, or anywhere that single quotes are no quotes
)

// lit appends literal text, with its backslashes read as bash reads them there.
func (r *walker) lit(l *syntax.Lit, in quoting, a *arg, b *strings.Builder) {
	s := l.Value
	if strings.IndexByte(s, '\\') >= 0 {
		r.escapes(l, in)
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '\\' {
			if in == plain && (c == '*' || c == '?' || c == '[') && !(c == '[' && len(s) == 1) {
				a.glob = true
			}
			b.WriteByte(c)
			continue
		}
		if i+1 == len(s) {
			b.WriteByte(c)
			break
		}
		i++
		switch {
		case in == plain:
			a.quoted = true
			b.WriteByte(s[i])
		case strings.IndexByte("$`\"\\", s[i]) >= 0 && (in != inBody || s[i] != '"'):
			b.WriteByte(s[i])
		default:
			b.WriteByte('\\')
			b.WriteByte(s[i])
		}
	}
}

// escapes notes the characters of the source that a backslash keeps bash from expanding.
func (r *walker) escapes(l *syntax.Lit, in quoting) {
	start, end := r.at(l)
	end = min(end, len(r.text))
	for i := start; i+1 < end; i++ {
		if r.text[i] != '\\' {
			continue
		}
		i++
		if in == plain || strings.IndexByte("$`\"\\", r.text[i]) >= 0 {
			r.mark(i, i+1)
		}
	}
}

// single appends single-quoted text. Inside double quotes, here-documents and the like, single quotes are no quotes.
func (r *walker) single(q *syntax.SglQuoted, in quoting, a *arg, b *strings.Builder) {
	a.quoted = true
	if in != plain {
		r.askAt(q, ReasonHiddenExpansion, "a single quote where bash reads none")
		b.WriteString(anyRun)
		return
	}
	start, end := r.at(q)
	r.mark(start, end)
	if !q.Dollar {
		b.WriteString(q.Value)
		return
	}
	text, ok := ansiC(q.Value)
	if !ok {
		r.askAt(q, ReasonHiddenExpansion, "an escape that is not plain")
		a.odd = true
	}
	b.WriteString(text)
}

// ansiC reads the escapes of $'...'. ok is false when bash's reading depends on more than the text, or drops some of it.
func ansiC(s string) (text string, ok bool) {
	var b strings.Builder
	ok = true
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		digits := func(most int, base int) {
			j := i
			for j < len(s) && j-i < most {
				if _, err := strconv.ParseUint(s[j:j+1], base, 8); err != nil {
					break
				}
				j++
			}
			n, err := strconv.ParseUint(s[i:j], base, 32)
			switch {
			case err != nil || n == 0 || base == 16 && most == 2 && n > 0x7f || base == 8 && n > 0x7f || n > utf8.MaxRune:
				ok = false
			case n > 0x7f:
				ok = false // depends on the locale
				b.WriteRune(rune(n))
			default:
				b.WriteByte(byte(n))
			}
			i = j - 1
		}
		switch c := s[i]; c {
		case 'a':
			b.WriteByte('\a')
		case 'b':
			b.WriteByte('\b')
		case 'e', 'E':
			b.WriteByte(0x1b)
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'v':
			b.WriteByte('\v')
		case '\\', '\'', '"', '?':
			b.WriteByte(c)
		case 'x':
			i++
			digits(2, 16)
		case 'u':
			i++
			digits(4, 16)
		case 'U':
			i++
			digits(8, 16)
		case 'c':
			ok = false
			i++
		case '0', '1', '2', '3', '4', '5', '6', '7':
			digits(3, 8)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String(), ok
}
