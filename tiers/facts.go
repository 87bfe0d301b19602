package tiers

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// facts is what a text does anywhere in it, whatever the order: needed where loops and functions run earlier lines
// again. It is gathered only when something asks.
type facts struct {
	allNames bool            // some text inside may set any name
	names    map[string]bool // names that may be set to something other than an integer
	cdAgain  bool            // a loop or function may move the shell
}

// maySetNames are the builtins that set names, or read texts that do.
var maySetNames = []string{"eval", "trap", "source", ".", "alias", "fc", "bind", "complete", "enable"}

// gather gives the facts of the text.
func (r *walker) gather() *facts {
	if r.facts != nil {
		return r.facts
	}
	f := &facts{names: map[string]bool{}}
	r.facts = f
	if r.outer != nil {
		f.allNames = true // what is around the text may set any name
	}
	var walk func(n syntax.Node, again bool)
	walk = func(n syntax.Node, again bool) {
		first := true
		syntax.Walk(n, func(n syntax.Node) bool {
			if first {
				first = false
				return true
			}
			switch n := n.(type) {
			case *syntax.ForClause, *syntax.WhileClause, *syntax.FuncDecl:
				if s, ok := n.(*syntax.ForClause); ok && s.Select {
					if l, ok := s.Loop.(*syntax.WordIter); ok {
						f.names[l.Name.Value] = true
					}
				}
				if s, ok := n.(*syntax.ForClause); ok {
					if l, ok := s.Loop.(*syntax.WordIter); ok {
						for _, w := range l.Items {
							if !isRange(w) && !isInteger(w.Lit()) && !r.integerWord(w) {
								f.names[l.Name.Value] = true
							}
						}
					}
				}
				walk(n, true)
				return false
			case *syntax.Assign:
				if n.Name != nil && (n.Array != nil || n.Value != nil && !r.integerWord(n.Value) || n.Naked) {
					f.names[n.Name.Value] = true
				}
			case *syntax.Redirect:
				if n.N != nil && len(n.N.Value) > 2 && n.N.Value[0] == '{' {
					f.names[n.N.Value[1:len(n.N.Value)-1]] = true
				}
			case *syntax.ParamExp:
				if n.Param != nil && n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
					f.names[n.Param.Value] = true
				}
			case *syntax.CallExpr:
				for i, w := range n.Args {
					lit := w.Lit()
					if slices.Contains(maySetNames, lit) {
						f.allNames = true
					}
					if again && (lit == "cd" || lit == "pushd" || lit == "popd") {
						f.cdAgain = true
					}
					if i > 0 && isName(lit) {
						f.names[lit] = true // read, printf -v, ... whatever the program
					}
				}
			}
			return true
		})
	}
	walk(r.file, false)
	return f
}

// integerWord reports whether a word is an integer whatever the variables are: a literal, arithmetic (which is judged
// where it stands), or a count.
func (r *walker) integerWord(w *syntax.Word) bool {
	if isInteger(w.Lit()) {
		return true
	}
	parts := w.Parts
	if len(parts) == 1 {
		if q, ok := parts[0].(*syntax.DblQuoted); ok && !q.Dollar {
			parts = q.Parts
		}
	}
	if len(parts) != 1 {
		return false
	}
	switch p := parts[0].(type) {
	case *syntax.Lit:
		return isInteger(p.Value)
	case *syntax.ArithmExp:
		return true
	case *syntax.ParamExp:
		if p.Exp != nil || p.Repl != nil || p.Slice != nil || p.Excl || p.Names != 0 || p.Index != nil && !p.Length || p.Param == nil {
			return false
		}
		switch p.Param.Value {
		case "?", "#", "$", "!":
			return true
		}
		return p.Length
	}
	return false
}

// isInt reports whether the variable holds an integer here, by what the text shows: this text set it before, to an
// integer, and sets it to nothing else anywhere.
func (r *walker) isInt(name string, sc *scope) bool {
	if !slices.Contains(sc.ints, name) {
		return false
	}
	f := r.gather()
	return !f.allNames && !f.names[name]
}

// setName judges a variable being set, by whatever means (T33, T33a), and notes whether it holds an integer.
func (r *walker) setName(n syntax.Node, name string, integer bool, sc *scope) {
	switch {
	case !isName(name):
		r.askAt(n, ReasonEvaluatedData, "the name of a variable that is not plain")
		return
	case r.k.evaluated.has(name):
		r.askAt(n, ReasonEvaluatedData, "bash evaluates what "+name+" is set to")
		return
	case r.changesPrograms(name):
		r.askAt(n, ReasonEnvChangesProgram, name+" changes what programs do")
		return
	}
	if integer {
		if !slices.Contains(sc.ints, name) {
			sc.ints = append(sc.ints, name)
		}
		return
	}
	if i := slices.Index(sc.ints, name); i >= 0 {
		sc.ints = slices.Delete(slices.Clone(sc.ints), i, i+1)
	}
}

// changesPrograms reports whether a variable of that name changes what programs do (T33).
func (r *walker) changesPrograms(name string) bool {
	return r.k.variables.has(name) && !r.k.harmless.has(name)
}
