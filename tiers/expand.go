package tiers

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// arg is a word of a command as bash would expand it, as far as that is known.
type arg struct {
	word
	start, end int
	integer    bool // not known, but an integer
	glob       bool // holds an unquoted *, ? or [: every word that it stands for begins with its prefix
	brace      bool // holds a brace expansion
	tilde      bool // begins with an unquoted ~
	quoted     bool // some of it is quoted
	odd        bool // what it is depends on more than the text shows: not for allow patterns
}

// quoting is how bash reads the text around an expansion.
type quoting uint8

const (
	plain  quoting = iota // an ordinary word: single quotes are quotes
	inDbl                 // inside double quotes
	inBody                // a here-document, or anywhere that single quotes are no quotes
)

// word expands a word, judges what runs in it, and notes every expansion of it as visited.
func (r *walker) word(w *syntax.Word, sc *scope) arg {
	a := arg{}
	a.start, a.end = r.at(w)
	var b strings.Builder
	r.wordParts(w.Parts, sc, plain, &a, &b)
	a.text = b.String()
	if len(w.Parts) > 0 {
		if l, ok := w.Parts[0].(*syntax.Lit); ok {
			a.tilde = strings.HasPrefix(l.Value, "~")
			if len(l.Value) > 1 && l.Value[0] == '=' && l.Value[1] != '=' && l.Value[1] != '~' {
				r.ask(a.start, a.end, ReasonHiddenExpansion, "zsh would look up a program here")
			}
		}
	}
	split := a.many // the words after the first may begin with anything
	if a.brace = hasBraces(w); a.brace {
		a.many = true
		i := strings.IndexByte(a.text, '{')
		a.text = a.text[:max(i, 0)] + anyRun
	}
	if a.glob {
		a.many = true
		if i := strings.IndexAny(a.text, "*?[\x00"); i >= 0 {
			a.text = a.text[:i] + anyRun
		}
		a.glob = !split
	}
	return a
}

// wordParts walks the parts of a word.
func (r *walker) wordParts(parts []syntax.WordPart, sc *scope, in quoting, a *arg, b *strings.Builder) {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			r.lit(p, in, a, b)
		case *syntax.SglQuoted:
			r.single(p, in, a, b)
		case *syntax.DblQuoted:
			a.quoted = true
			if in != plain {
				r.askAt(p, ReasonHiddenExpansion, "quotes inside quotes")
			}
			if p.Dollar {
				a.odd = true // bash translates it
			}
			r.wordParts(p.Parts, sc, max(in, inDbl), a, b)
		case *syntax.ParamExp:
			r.visit(p)
			whole, integer := r.param(p, sc, in)
			r.unknown(a, b, in, whole, integer, len(parts) == 1)
		case *syntax.CmdSubst:
			r.visit(p)
			r.cmdSubst(p, sc)
			r.unknown(a, b, in, false, false, false)
		case *syntax.ArithmExp:
			r.visit(p)
			if p.Unsigned {
				r.askAt(p, ReasonUnparsable, "not bash")
			}
			r.arithm(p.X, sc, p)
			r.unknown(a, b, in, false, true, len(parts) == 1)
		case *syntax.ProcSubst:
			r.visit(p)
			if p.Op != syntax.CmdIn && p.Op != syntax.CmdOut {
				r.askAt(p, ReasonUnparsable, "not bash")
			}
			r.stmts(p.Stmts, sc.sub())
			b.WriteString("/dev/fd/" + anyRun)
		case *syntax.ExtGlob:
			r.askAt(p, ReasonHiddenExpansion, "an extended glob")
			a.many = true
			b.WriteString(anyRun)
		default:
			r.askAt(p, ReasonUnparsable, "a part of a word that is not known")
			a.many = true
			b.WriteString(anyRun)
		}
	}
}

// unknown appends an expansion. whole: it may stand for several words even inside double quotes.
func (r *walker) unknown(a *arg, b *strings.Builder, in quoting, whole, integer, alone bool) {
	if integer {
		a.integer = alone
		if alone {
			// An integer is one word, and no option of any program.
			b.WriteString("0" + anyRun)
			return
		}
		b.WriteString(anyRun)
		return
	}
	if in == plain || whole {
		a.many = true
	}
	if !strings.HasSuffix(b.String(), anyRun) {
		b.WriteString(anyRun)
	}
}

// visit notes that the expansion which begins here was judged.
func (r *walker) visit(n syntax.Node) { r.mark(int(n.Pos().Offset()), int(n.Pos().Offset())+1) }

// mark notes text that was judged, or in which bash expands nothing.
func (r *walker) mark(start, end int) {
	if r.mask == nil {
		r.mask = make([]byte, len(r.text))
	}
	for i := start; i < end && i < len(r.mask); i++ {
		r.mask[i] = 1
	}
}

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

// hasBraces reports whether bash may expand braces in the word.
func hasBraces(w *syntax.Word) bool {
	open, parts := false, false
	for _, p := range w.Parts {
		l, ok := p.(*syntax.Lit)
		if !ok {
			continue
		}
		for i := 0; i < len(l.Value); i++ {
			switch c := l.Value[i]; {
			case c == '\\':
				i++
			case c == '{':
				open = true
			case open && (c == ',' || c == '.' && i > 0 && l.Value[i-1] == '.'):
				parts = true
			}
		}
	}
	return open && parts
}

// isRange reports whether the word is a range of integers: {1..9}.
func isRange(w *syntax.Word) bool {
	body, ok := strings.CutPrefix(w.Lit(), "{")
	body, ok2 := strings.CutSuffix(body, "}")
	if !ok || !ok2 {
		return false
	}
	steps := strings.Split(body, "..")
	for _, s := range steps {
		if !isInteger(s) {
			return false
		}
	}
	return len(steps) == 2 || len(steps) == 3
}

// isInteger reports whether the text is a plain decimal integer.
func isInteger(s string) bool {
	s = strings.TrimPrefix(s, "-")
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && len(s) < 20
}

// cmdSubst judges the commands of a substitution.
func (r *walker) cmdSubst(c *syntax.CmdSubst, sc *scope) {
	if c.TempFile || c.ReplyVar {
		r.askAt(c, ReasonUnparsable, "not bash")
	}
	if c.Backquotes {
		start, end := r.at(c)
		end = min(end, len(r.text))
		body := r.text[start:end]
		r.mark(end-1, end)
		if len(body) > 1 && strings.ContainsAny(body[1:len(body)-1], "\\'\"`#<{") {
			r.askAt(c, ReasonHiddenExpansion, "backticks around quotes, escapes or comments")
		}
	}
	r.stmts(c.Stmts, sc.sub())
}

// param judges a parameter expansion. many: it may stand for several words even inside double quotes. integer: it
// stands for an integer.
func (r *walker) param(p *syntax.ParamExp, sc *scope, in quoting) (many, integer bool) {
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	inside := in
	if in == inDbl {
		inside = inBody
	}
	switch {
	case p.Flags != nil, p.Width, p.IsSet, p.Split != 0, p.GlobSubst != 0, p.RcExpand != 0, p.NestedParam != nil, len(p.Modifiers) > 0, name == "":
		r.askAt(p, ReasonHiddenExpansion, "an expansion that is not bash's")
	}
	all := name == "@" || name == "*" && in == plain
	if p.Index != nil {
		if isAll(p.Index) {
			all = true
		} else {
			r.subscript(p.Index, sc, p)
		}
	}
	keys := p.Index != nil && isAll(p.Index) && p.Exp == nil && p.Slice == nil && p.Repl == nil
	if p.Excl && p.Names == 0 && !keys {
		r.askAt(p, ReasonEvaluatedData, "an indirect expansion")
	}
	many = all || p.Names != 0
	if p.Slice != nil {
		for _, x := range []syntax.ArithmExpr{p.Slice.Offset, p.Slice.Length} {
			if x != nil {
				r.arithm(x, sc, p)
			}
		}
	}
	if p.Repl != nil {
		for _, w := range []*syntax.Word{p.Repl.Orig, p.Repl.With} {
			r.wordIn(w, sc, inside)
		}
	}
	if p.Exp != nil {
		r.wordIn(p.Exp.Word, sc, inside)
		switch p.Exp.Op {
		case syntax.AssignUnset, syntax.AssignUnsetOrNull:
			r.setName(p, name, false, sc)
		case syntax.OtherParamOps:
			if op := p.Exp.Word.Lit(); op == "" || !strings.Contains("QULEKka", op) {
				r.askAt(p, ReasonEvaluatedData, "an expansion that bash evaluates again")
			}
		}
	}
	plainUse := p.Slice == nil && p.Repl == nil && p.Exp == nil && !p.Excl && p.Names == 0
	switch {
	case p.Length && plainUse:
		integer = true
	case plainUse && p.Index == nil:
		integer = name == "?" || name == "#" || name == "$" || name == "!" || r.isInt(p, name, sc)
	}
	return many, integer
}

// wordIn judges a word inside an expansion.
func (r *walker) wordIn(w *syntax.Word, sc *scope, in quoting) {
	if w == nil {
		return
	}
	if in == plain {
		r.word(w, sc)
		return
	}
	var a arg
	var b strings.Builder
	r.wordParts(w.Parts, sc, in, &a, &b)
	if strings.IndexByte(b.String(), '\'') >= 0 {
		r.askAt(w, ReasonHiddenExpansion, "a single quote inside an expansion inside double quotes")
	}
}

// isAll reports whether a subscript is @ or *.
func isAll(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
}
