package tiers

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stmts judges statements that run one after the other.
func (r *walker) stmts(list []*syntax.Stmt, sc *scope) {
	for _, s := range list {
		r.stmt(s, sc, nil)
	}
}

// stmt judges one statement. pipe collects the simple commands of a pipeline's stage, for patterns that are pipelines.
// Only the kinds of nodes that are named here are understood; any other asks.
func (r *walker) stmt(s *syntax.Stmt, sc *scope, pipe *stage) {
	if !r.spend(1) {
		return
	}
	if s.Coprocess || s.Disown {
		r.askAt(s, ReasonUnparsable, "not bash")
	}
	if s.Background {
		sc = sc.sub()
	}
	for _, rd := range s.Redirs {
		r.redirect(rd, sc, s)
	}
	switch c := s.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		r.callExpr(c, s, sc, pipe)
	case *syntax.Subshell:
		inner := sc.sub()
		r.pipeStmts(c.Stmts, inner, pipe)
	case *syntax.Block:
		r.pipeStmts(c.Stmts, sc, pipe)
	case *syntax.IfClause:
		r.ifClause(c, sc, pipe)
	case *syntax.WhileClause:
		r.inBody++
		inner := sc.sub()
		r.pipeStmts(c.Cond, inner, pipe)
		r.pipeStmts(c.Do, inner, pipe)
		r.inBody--
		sc.after(inner)
	case *syntax.ForClause:
		r.forClause(c, sc, pipe)
	case *syntax.CaseClause:
		r.caseClause(c, sc, pipe)
	case *syntax.BinaryCmd:
		r.binary(c, sc, pipe)
	case *syntax.FuncDecl:
		r.funcDecl(c, sc)
	case *syntax.ArithmCmd:
		if c.Unsigned {
			r.askAt(c, ReasonUnparsable, "not bash")
		}
		r.arithm(c.X, sc, c)
		r.inert(c)
	case *syntax.TestClause:
		r.testExpr(c.X, sc)
		r.inert(c)
	case *syntax.DeclClause:
		r.declClause(c, sc)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			r.timed(c.Stmt, sc, pipe)
		}
	case *syntax.CoprocClause:
		r.askAt(c, ReasonDynamicCommand, "a coprocess, whose input is not known")
		if c.Name != nil {
			r.word(c.Name, sc)
		}
		r.stmt(c.Stmt, sc.sub(), pipe)
	case *syntax.LetClause:
		r.askAt(c, ReasonEvaluatedData, "let: bash and the parser read its words differently")
		r.deniedWords(c, []word{{text: "let"}, {text: anyRun, many: true}})
		r.hiddenIn(c)
	default:
		r.askAt(c, ReasonUnparsable, "a construct that is not known")
	}
}

// pipeStmts judges statements whose simple commands all belong to one stage of a pipeline.
func (r *walker) pipeStmts(list []*syntax.Stmt, sc *scope, pipe *stage) {
	for _, s := range list {
		r.stmt(s, sc, pipe)
	}
}

// inert adds a part for a construct that runs nothing by itself.
func (r *walker) inert(n syntax.Node) {
	start, end := r.at(n)
	r.add(Part{Start: start, End: end, Decision: Silent, Reason: ReasonInert})
}

func (r *walker) ifClause(c *syntax.IfClause, sc *scope, pipe *stage) {
	branches := []*scope{}
	r.pipeStmts(c.Cond, sc, pipe)
	for first := true; c != nil; c, first = c.Else, false {
		b := sc.sub()
		if !first {
			r.pipeStmts(c.Cond, b, pipe) // of an elif, which may not run
		}
		r.pipeStmts(c.Then, b, pipe)
		branches = append(branches, b)
	}
	for _, b := range branches {
		sc.after(b)
	}
}

func (r *walker) forClause(c *syntax.ForClause, sc *scope, pipe *stage) {
	if c.Braces {
		r.askAt(c, ReasonUnparsable, "not bash")
	}
	inner := sc.sub()
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		ints := l.InPos.IsValid() && len(l.Items) > 0
		for _, w := range l.Items {
			a := r.word(w, sc)
			ints = ints && (a.integer || a.known() && isInteger(a.text) || isRange(w))
		}
		r.setName(l.Name, l.Name.Value, ints && !c.Select, inner)
		if c.Select {
			r.setName(l.Name, "REPLY", false, inner)
		}
	case *syntax.CStyleLoop:
		for _, x := range []syntax.ArithmExpr{l.Init, l.Cond, l.Post} {
			if x != nil {
				r.arithm(x, inner, l)
			}
		}
	default:
		r.askAt(c, ReasonUnparsable, "a loop that is not known")
	}
	r.inBody++
	r.pipeStmts(c.Do, inner, pipe)
	r.inBody--
	sc.after(inner)
}

func (r *walker) caseClause(c *syntax.CaseClause, sc *scope, pipe *stage) {
	if c.Braces {
		r.askAt(c, ReasonUnparsable, "not bash")
	}
	r.word(c.Word, sc)
	start := sc.sub()
	for _, item := range c.Items {
		for _, w := range item.Patterns {
			r.word(w, sc)
		}
		b := start.sub()
		r.pipeStmts(item.Stmts, b, pipe)
		sc.after(b)
	}
	if len(c.Items) == 0 {
		r.inert(c)
	}
}

// stage is one stage of a pipeline: the words of the simple commands in it.
type stage struct{ commands [][]word }

// binary judges lists and pipelines.
func (r *walker) binary(c *syntax.BinaryCmd, sc *scope, pipe *stage) {
	switch c.Op {
	case syntax.AndStmt, syntax.OrStmt:
		sc.landed = nil
		r.stmt(c.X, sc, pipe)
		b := sc.sub()
		if c.Op == syntax.AndStmt && r.isCd(c.X) && len(sc.landed) > 0 {
			b.dirs = slices.Clone(sc.landed) // what follows `cd x &&` runs only where the cd led
		}
		r.stmt(c.Y, b, pipe)
		sc.after(b)
	case syntax.Pipe, syntax.PipeAll:
		var stages []*stage
		for _, s := range pipeline(c, nil) {
			st := new(stage)
			r.stmt(s, sc.sub(), st)
			stages = append(stages, st)
			if pipe != nil {
				pipe.commands = append(pipe.commands, st.commands...)
			}
		}
		r.deniedPipeline(c, stages)
	default:
		r.askAt(c, ReasonUnparsable, "an operator that is not known")
		r.stmt(c.X, sc.sub(), pipe)
		r.stmt(c.Y, sc.sub(), pipe)
	}
}

// pipeline gives the stages of a pipeline from left to right.
func pipeline(c *syntax.BinaryCmd, out []*syntax.Stmt) []*syntax.Stmt {
	for _, s := range []*syntax.Stmt{c.X, c.Y} {
		b, ok := s.Cmd.(*syntax.BinaryCmd)
		if ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) && len(s.Redirs) == 0 && !s.Negated && !s.Background {
			out = pipeline(b, out)
			continue
		}
		out = append(out, s)
	}
	return out
}

// deniedPipeline blocks what a pipeline pattern of the deny set matches (T21): its parts in order, with others between,
// each looked at through runners.
func (r *walker) deniedPipeline(c *syntax.BinaryCmd, stages []*stage) {
	for _, p := range r.rules.pipelines {
		next, rel := 0, always
		for _, st := range stages {
			if next == len(p.stages) {
				break
			}
			best := never
			for _, words := range st.commands {
				best = max(best, r.k.relation(p.stages[next], words))
			}
			if best != never {
				next++
				rel = min(rel, best)
			}
		}
		if next < len(p.stages) {
			continue
		}
		r.denied(c, p.text, p.blacklist, rel, ReasonDynamicCommand)
	}
}

// denied adds what a pattern of the deny set matches: it blocks when it surely does, else a person looks at what is not
// known.
func (r *walker) denied(n syntax.Node, pattern string, blacklist bool, rel relation, unknown Reason) {
	start, end := r.at(n)
	p := Part{Start: start, End: end, Pattern: pattern, Tier: Tier3Blocking, Decision: Block, Reason: ReasonTier3}
	switch {
	case rel != always:
		p.Decision, p.Tier, p.Reason = Ask, TierNone, unknown
	case blacklist:
		p.Reason = ReasonBlacklist
	}
	r.add(p)
}

// isCd reports whether the statement begins with a plain cd, all of which must succeed for what follows it.
func (r *walker) isCd(s *syntax.Stmt) bool {
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && b.Op == syntax.AndStmt {
		return r.isCd(b.X)
	}
	c, ok := s.Cmd.(*syntax.CallExpr)
	return ok && !s.Negated && !s.Background && len(c.Args) == 2 && c.Args[0].Lit() == "cd"
}

// timed judges what the reserved word time measures; `time -- cmd` is cmd.
func (r *walker) timed(s *syntax.Stmt, sc *scope, pipe *stage) {
	if c, ok := s.Cmd.(*syntax.CallExpr); ok && len(c.Assigns) == 0 && len(c.Args) > 1 && c.Args[0].Lit() == "--" {
		d, e := *s, *c
		e.Args = c.Args[1:]
		d.Cmd = &e
		s = &d
	}
	r.stmt(s, sc, pipe)
}

// funcDecl judges the body of a function where it is defined, called or not.
func (r *walker) funcDecl(c *syntax.FuncDecl, sc *scope) {
	name, plain := "", false
	if c.Name != nil {
		name = c.Name.Value
	}
	switch {
	case !isFuncName(name):
		r.askAt(c, ReasonExecutesCode, "a function whose name is not plain")
	case name == "command_not_found_handle" || r.shadows(name):
		r.ask(int(c.Pos().Offset()), int(c.Pos().Offset())+len(name), ReasonExecutesCode, "a function in place of the program "+name)
	default:
		plain = true
		r.inert(c)
	}
	inner := sc.sub()
	r.inBody++
	r.inFunc++
	r.stmt(c.Body, inner, nil)
	r.inFunc--
	r.inBody--
	if inner.moved || inner.unknown {
		sc.after(inner)
	}
	if plain {
		sc.funcs = append(sc.funcs, name) // it may be called from here on; in its own body, it would not end
	}
}

// isFuncName reports whether a name is one that a function may have without a doubt about what it stands for.
func isFuncName(s string) bool { return isName(strings.ReplaceAll(s, "-", "_")) && s[0] != '-' }

// shadows reports whether the name is one that the tables or the allow set know as a program.
func (r *walker) shadows(name string) bool {
	return r.k.programs.get(name) != nil || len(r.rules.allow[name]) > 0 || syntax.IsKeyword(name)
}
