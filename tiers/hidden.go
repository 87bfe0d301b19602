package tiers

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// textual asks for what bash and the parser are known to read differently. It looks at the text, not at the tree, since
// the tree is what cannot be trusted there.
func (r *walker) textual() {
	for at := 0; at < len(r.text); {
		line := r.text[at:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		if strings.HasSuffix(line, `\`) && at+len(line) < len(r.text) {
			for i := range len(line) {
				if line[i] == '#' && (i == 0 || strings.IndexByte(" \t;&|()<>`", line[i-1]) >= 0) {
					r.ask(at+i, at+len(line), ReasonHiddenExpansion, "what may be a comment ends in a backslash")
					break
				}
			}
		}
		at += len(line) + 1
	}
}

// afterArray asks for what follows the value of an array directly: bash takes it as more of the word, also a # that the
// parser takes for a comment, so that what stands in it runs.
func (r *walker) afterArray(a *syntax.ArrayExpr) {
	_, end := r.at(a)
	rest := r.text[min(end, len(r.text)):]
	for strings.HasPrefix(rest, "\\\n") {
		rest = rest[2:]
	}
	if rest != "" && strings.IndexByte(" \t\n;&|()<>", rest[0]) < 0 {
		r.askAt(a, ReasonHiddenExpansion, "what follows an array's value directly")
	}
}

// hereDoc judges a here-document, whose end bash finds by comparing lines.
func (r *walker) hereDoc(rd *syntax.Redirect, sc *scope) {
	delim, quoted, ok := delimiter(rd.Word)
	if !ok {
		r.askAt(rd.Word, ReasonHiddenExpansion, "the end of a here-document that is not a plain word")
	}
	if rd.Hdoc == nil || len(rd.Hdoc.Parts) == 0 {
		return
	}
	start, end := r.at(rd.Hdoc) // the parser's end is after the delimiter
	end = min(end, len(r.text))
	start = min(start, end)
	body, last := "", r.text[start:end]
	if i := strings.LastIndexByte(last, '\n'); i >= 0 {
		body, last = last[:i+1], last[i+1:]
	}
	if rd.Op == syntax.DashHdoc {
		last = strings.TrimLeft(last, "\t")
	}
	if last != delim || end < len(r.text) && r.text[end] != '\n' || start > 0 && r.text[start-1] != '\n' {
		r.askAt(rd.Word, ReasonHiddenExpansion, "a here-document whose end is not certain")
	}
	for line := range strings.Lines(body) {
		plain := strings.TrimSuffix(line, "\n")
		cont := strings.HasSuffix(plain, `\`)
		if rd.Op == syntax.DashHdoc {
			plain = strings.TrimLeft(plain, "\t")
		}
		if plain == delim {
			r.askAt(rd.Word, ReasonHiddenExpansion, "a here-document that may end earlier")
			break
		}
		if cont && !quoted {
			r.askAt(rd.Word, ReasonHiddenExpansion, "a here-document with a line that goes on")
			break
		}
	}
	if quoted {
		r.mark(start, end)
		return
	}
	var a arg
	var b strings.Builder
	r.wordParts(rd.Hdoc.Parts, sc, inBody, &a, &b)
}

// delimiter reads the word that ends a here-document. ok is false unless it is plain letters, quoted as a whole or not
// at all.
func delimiter(w *syntax.Word) (text string, quoted, ok bool) {
	if len(w.Parts) != 1 {
		return w.Lit(), true, false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		text = p.Value
		if rest, found := strings.CutPrefix(text, `\`); found {
			text, quoted = rest, true
		}
	case *syntax.SglQuoted:
		text, quoted = p.Value, true
		if p.Dollar {
			return text, true, false
		}
	case *syntax.DblQuoted:
		quoted = true
		if p.Dollar || len(p.Parts) != 1 {
			return "", true, false
		}
		l, isLit := p.Parts[0].(*syntax.Lit)
		if !isLit {
			return "", true, false
		}
		text = l.Value
	default:
		return "", true, false
	}
	ok = text != ""
	for i := range len(text) {
		c := text[i]
		if c != '_' && c != '-' && c != '.' && c != '!' && c != '+' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			ok = false
		}
	}
	return text, quoted, ok
}

// account asks for every expansion that the walk did not see (T30a): a tree can hide code that bash runs.
func (r *walker) account() {
	if !strings.ContainsAny(r.text, "$`<>") {
		return
	}
	comments := false
	for i := 0; i < len(r.text); i++ {
		if !r.begins(i) {
			continue
		}
		if r.mask != nil && r.mask[i] == 1 {
			continue
		}
		if !comments {
			comments = true
			r.markComments()
			i--
			continue
		}
		r.ask(i, i+1, ReasonHiddenExpansion, "an expansion that the parser does not show")
		return
	}
}

// begins reports whether an expansion may begin at i.
func (r *walker) begins(i int) bool {
	next := byte(0)
	if i+1 < len(r.text) {
		next = r.text[i+1]
	}
	switch r.text[i] {
	case '`':
		return true
	case '$':
		return next == '(' || next == '{' || next == '['
	case '<', '>':
		return next == '('
	}
	return false
}

// markComments notes the comments, in which bash expands nothing.
func (r *walker) markComments() {
	syntax.Walk(r.file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok {
			start, end := r.at(c)
			r.mark(start, end)
		}
		return true
	})
}
