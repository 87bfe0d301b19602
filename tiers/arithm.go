package tiers

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// arithm judges an arithmetic expression (T33a). Bash evaluates the value of every variable in it again, subscripts and
// substitutions included, so it is harmless only when it holds nothing but integers and variables that hold integers.
// whole is what to show when it is not.
func (r *walker) arithm(x syntax.ArithmExpr, sc *scope, whole syntax.Node) {
	if !r.isArithm(x, sc) {
		r.askAt(whole, ReasonEvaluatedData, "arithmetic on what may not be integers")
		r.hiddenIn(x)
	}
}

// subscript judges a subscript, which bash evaluates as arithmetic or expands again.
func (r *walker) subscript(x syntax.ArithmExpr, sc *scope, whole syntax.Node) {
	if !r.isArithm(x, sc) {
		r.askAt(whole, ReasonEvaluatedData, "a subscript that may not be an integer")
		r.hiddenIn(x)
	}
}

// isArithm reports whether the expression is integers and variables that hold integers, and notes what it sets.
func (r *walker) isArithm(x syntax.ArithmExpr, sc *scope) bool {
	if !r.spend(1) {
		return false
	}
	switch x := x.(type) {
	case *syntax.Word:
		return r.isArithmWord(x, sc)
	case *syntax.ParenArithm:
		return r.isArithm(x.X, sc)
	case *syntax.UnaryArithm:
		return r.isArithm(x.X, sc)
	case *syntax.BinaryArithm:
		if x.Op == syntax.Assgn {
			w, ok := x.X.(*syntax.Word)
			if !ok || !isName(w.Lit()) || !r.isArithm(x.Y, sc) {
				return false
			}
			r.setName(x, w.Lit(), true, sc)
			return true
		}
		right := sc
		switch x.Op {
		case syntax.AndArit, syntax.OrArit, syntax.TernQuest, syntax.TernColon:
			right = sc.sub() // it may not be evaluated
		}
		return r.isArithm(x.X, sc) && r.isArithm(x.Y, right)
	}
	return false
}

func (r *walker) isArithmWord(w *syntax.Word, sc *scope) bool {
	if lit := w.Lit(); lit != "" {
		return isNumber(lit) || isName(lit) && r.isInt(w, lit, sc)
	}
	if len(w.Parts) != 1 {
		return false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.ParamExp:
		if p.Exp != nil || p.Repl != nil || p.Slice != nil {
			return false
		}
		r.visit(p)
		_, integer := r.param(p, sc, inBody)
		return integer
	case *syntax.ArithmExp:
		r.visit(p)
		return r.isArithm(p.X, sc)
	}
	return false
}

// isNumber reports whether bash reads the text as an integer constant.
func isNumber(s string) bool {
	digits, allowed := s, "0123456789"
	if rest, ok := strings.CutPrefix(strings.ToLower(s), "0x"); ok {
		digits, allowed = rest, "0123456789abcdef"
	}
	return digits != "" && strings.Trim(digits, allowed) == ""
}

// hiddenIn judges the commands of substitutions below a node that was not understood, so that what is visible blocks.
func (r *walker) hiddenIn(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			r.visit(n)
			r.cmdSubst(n, new(scope))
			return false
		case *syntax.ProcSubst:
			r.visit(n)
			r.stmts(n.Stmts, new(scope))
			return false
		case *syntax.ParamExp, *syntax.ArithmExp:
			r.visit(n)
		}
		return true
	})
}

// testExpr judges a [[ ]] expression. Numeric comparison and -v evaluate their operands (T33a).
func (r *walker) testExpr(x syntax.TestExpr, sc *scope) {
	switch x := x.(type) {
	case *syntax.Word:
		r.word(x, sc)
	case *syntax.ParenTest:
		r.testExpr(x.X, sc)
	case *syntax.UnaryTest:
		w, ok := x.X.(*syntax.Word)
		switch {
		case x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar:
			if !ok || !isName(w.Lit()) {
				r.askAt(x, ReasonEvaluatedData, "the name of a variable that is not plain")
			}
			if ok {
				r.word(w, sc)
			}
		default:
			r.testExpr(x.X, sc)
		}
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			for _, side := range []syntax.TestExpr{x.X, x.Y} {
				w, ok := side.(*syntax.Word)
				if !ok {
					r.askAt(x, ReasonEvaluatedData, "a numeric comparison of what may not be integers")
					continue
				}
				if a := r.word(w, sc); !a.integer && !isInteger(a.text) && !(isName(a.text) && !a.quoted && r.isInt(w, a.text, sc)) {
					r.askAt(x, ReasonEvaluatedData, "a numeric comparison of what may not be integers")
				}
			}
		default:
			r.testExpr(x.X, sc)
			r.testExpr(x.Y, sc)
		}
	default:
		r.askAt(x, ReasonUnparsable, "a test that is not known")
	}
}
