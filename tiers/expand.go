package tiers

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// arg is a word of a command as bash would expand it, as far as that is known.
type arg struct {
	word
	start, end int
	integer    bool // not known, but an integer
	glob       bool // holds an unquoted *, ? or [: every word that it stands for begins with its prefix
	deep       bool // its stars stand for folders as well: a name that find gives
	brace      bool // holds a brace expansion
	tilde      bool // begins with an unquoted ~
	quoted     bool // some of it is quoted
	odd        bool // what it is depends on more than the text shows: not for allow patterns
}

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
