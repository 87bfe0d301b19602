package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// verdictFiles hold the code that judges: what a wrong line there does is to let something through.
var verdictFiles = []string{
	"systempolicy/outside.go", "systempolicy/decide.go", "systempolicy/compare.go", "systempolicy/comparewindow.go", "systempolicy/meet.go",
	"tiers/resolve.go", "tiers/deny.go", "tiers/deny_match.go", "tiers/program_options.go", "tiers/program_names.go", "tiers/verdict.go", "tiers/evaluate.go",
	"campaign/gate.go", "campaign/authority.go",
	"turnenvelope/accept.go", "turnenvelope/verify.go", "turnenvelope/qualify.go",
	"harness/relation.go", "harness/prove.go", "harness/decide.go",
	"envelope/state.go",
}

// mutant is one change: the bytes from start to end of a file become text.
type mutant struct {
	file       string
	start, end int
	text       string
	line       int
	kind       string // flip, boundary, negate, drop, swap
	was        string
	source     string // the line that it begins in, trimmed
}

// change says what is done, as String does, without the place.
func (m mutant) change() string {
	return fmt.Sprintf("%s %s -> %s", m.kind, shown(m.was), shown(m.text))
}

// String names the change, the same in every run: file:line kind `was` -> `text`.
func (m mutant) String() string {
	return fmt.Sprintf("%s:%d %s", m.file, m.line, m.change())
}

func shown(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s == "" {
		return "nothing"
	}
	if r := []rune(s); len(r) > 50 {
		s = string(r[:50]) + "…"
	}
	return "`" + s + "`"
}

func (m mutant) apply(src []byte) []byte {
	return slices.Concat(src[:m.start], []byte(m.text), src[m.end:])
}

// flips are what a comparison or connective may be mistaken for.
var flips = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.OR: token.AND, token.AND: token.OR, token.ADD: token.SUB, token.SUB: token.ADD,
}

// mutants gives every change of a file, in the order of the file.
func mutants(file string, src []byte) ([]mutant, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, src, 0)
	if err != nil {
		return nil, err
	}
	var out []mutant
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	add := func(kind string, start, end int, text string) {
		before := string(src[:start])
		from := strings.LastIndexByte(before, '\n') + 1
		source, _, _ := strings.Cut(string(src[from:]), "\n")
		out = append(out, mutant{file, start, end, text, 1 + strings.Count(before, "\n"), kind, string(src[start:end]), strings.TrimSpace(source)})
	}
	negate := func(cond ast.Expr) {
		if cond != nil {
			start, end := at(cond.Pos()), at(cond.End())
			add("negate", start, end, "!("+string(src[start:end])+")")
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.FuncDecl:
			if n.Name.Name == "String" || n.Name.Name == "MarshalText" || n.Name.Name == "Error" {
				return false // texts, not verdicts
			}
		case *ast.BinaryExpr:
			if to, ok := flips[n.Op]; ok && !isText(n.X) && !isText(n.Y) {
				start := at(n.OpPos)
				add("flip", start, start+len(n.Op.String()), to.String())
			}
		case *ast.IfStmt:
			negate(n.Cond)
		case *ast.BasicLit:
			if v, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
				add("boundary", at(n.Pos()), at(n.End()), strconv.Itoa(v+1))
			}
		case *ast.Ident:
			if swap := map[string]string{"true": "false", "false": "true"}[n.Name]; swap != "" {
				add("swap", at(n.Pos()), at(n.End()), swap)
			}
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				add("negate", at(n.Pos()), at(n.X.Pos()), "")
			}
		case *ast.CompositeLit:
			if isList(n.Type) && len(n.Elts) > 1 {
				for i, e := range n.Elts {
					start, end := at(e.Pos()), at(e.End())
					if i+1 < len(n.Elts) {
						end = at(n.Elts[i+1].Pos())
					}
					add("drop", start, end, "")
				}
			}
		case *ast.CaseClause:
			for i, e := range n.List {
				start, end := at(e.Pos()), at(e.End())
				switch {
				case len(n.List) > 1 && i+1 < len(n.List):
					add("drop", start, at(n.List[i+1].Pos()), "")
				case len(n.List) == 1 && isCondition(e):
					add("negate", start, end, "!("+string(src[start:end])+")")
				}
			}
		case *ast.AssignStmt:
			if n.Tok == token.OR_ASSIGN || n.Tok == token.AND_ASSIGN || n.Tok == token.AND_NOT_ASSIGN {
				add("drop", at(n.Pos()), at(n.End()), "_ = 0")
			}
		}
		return true
	})
	slices.SortStableFunc(out, func(a, b mutant) int { return cmp.Compare(a.start, b.start) })
	return out, nil
}

// isList reports slices, arrays and maps, whose entries are rules; a struct's fields are not.
func isList(t ast.Expr) bool {
	switch t.(type) {
	case *ast.ArrayType, *ast.MapType:
		return true
	}
	return false
}

// isCondition reports an expression that is true or false by its form.
func isCondition(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ, token.LAND, token.LOR:
			return true
		}
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	case *ast.ParenExpr:
		return isCondition(e.X)
	}
	return false
}

// isText reports a string literal: adding texts up is no arithmetic.
func isText(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (isText(e.X) || isText(e.Y))
	}
	return false
}
