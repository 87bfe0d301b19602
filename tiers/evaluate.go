package tiers

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Evaluator judges command lines for one tool (T30). The zero Evaluator has no protocol: it lists nothing, so all but
// inert builtins asks. An Evaluator is a value; it is safe for concurrent use and keeps nothing between calls but
// tables that never change.
type Evaluator struct {
	Protocol *Protocol // nil lists nothing
	Tool     string    // only the tiers that it derives can allow; "" = all of tier1 and tier2
	Root     string    // absolute path of the project; "" = not known: absolute paths are then outside
	Dir      string    // where the command starts: absolute, or relative to Root; "" = Root

	// Knowledge is what is known of programs; nil = [DefaultKnowledge].
	Knowledge *Knowledge
}

// Evaluate judges a bash command line. It is total: every text gives a verdict, and what is not understood asks. It
// reads no file, so paths are judged as written: a link that leads elsewhere is the caller's to resolve (T34). It takes
// at most 10 ms and 16 MiB on any text (T36).
func (e Evaluator) Evaluate(text string) Verdict {
	j := &judge{k: e.Knowledge}
	if j.k == nil {
		j.k = defaultKnowledge()
	}
	sets := e.Protocol.sets(e.Tool)
	j.rules = sets.compiled(j.k)
	if e.Root != "" {
		_, _, j.drives = drive(e.Root)
		j.root = path.Clean(j.native(slashed(e.Root)))
	}
	dir, ok := j.relative(j.native(slashed(e.Dir)))
	if e.Dir == "" {
		dir, ok = ".", true
	}
	j.dir = where{dirs: []string{dir}, unknown: !ok, moved: !ok || dir != "."}
	j.read(source{text: text, scope: &scope{where: j.dir}})
	j.settle()
	v := Verdict{Text: text, Decision: Silent, Parts: j.parts, Writes: j.writes}
	for _, p := range j.parts {
		if p.Decision.Strictness() > v.Decision.Strictness() {
			v.Decision = p.Decision
		}
	}
	return v
}

// Evaluate judges a command line by the default protocol, for no tool in particular.
func Evaluate(text string) Verdict { return Evaluator{Protocol: Default()}.Evaluate(text) }

// judge collects the parts of one verdict.
type judge struct {
	writes []string // what Verdict.Writes gives
	rules  *ruleSet
	k      *Knowledge
	root   string
	drives bool // the root has a drive: see native
	dir    where
	parts  []Part
	steps  int // work done, see spend
	tooBig bool
	later  later
}

// maxSteps bounds the work of one verdict: a text below the limits of T36 can still ask for much, when it hands the same
// words to many runners.
const maxSteps = 20000

// source is a text to be read: the whole line, or one that a shell inside it would read.
type source struct {
	text  string
	scope *scope
	outer *outer // where it stands, when it is inside another text
	depth int    // how many texts it is inside of
	bodies
}

// outer is the where of a text inside another.
type outer struct {
	start, end int
	via        []string
}

// walker walks one text.
type walker struct {
	*judge
	source
	file *syntax.File
	mask []byte // of each byte: 1 = begins a visited expansion, or is text that bash expands nothing in
}

// bodies counts the loops and functions around.
type bodies struct{ inBody, inFunc int }

// read judges a text.
func (j *judge) read(s source) {
	r := &walker{judge: j, source: s}
	if s.depth > MaxReparsed {
		r.ask(0, len(s.text), ReasonTooDeep, "a text inside more than 5 others")
		return
	}
	p, ok := prescan(s.text)
	if p.detail != "" {
		r.ask(p.start, p.end, p.reason, p.detail)
	}
	if !ok {
		return
	}
	if i := bidiIndex(s.text); i >= 0 {
		_, size := utf8.DecodeRuneInString(s.text[i:])
		r.ask(i, i+size, ReasonSuspiciousText, "a character that turns the direction of text around")
	}
	parser := j.rules.parser()
	file, err := parser.Parse(strings.NewReader(s.text), "")
	j.rules.parsers.Put(parser)
	if err != nil {
		r.ask(0, len(s.text), ReasonUnparsable, err.Error())
		return
	}
	r.walk(file)
}

// walk judges a text that was parsed.
func (r *walker) walk(file *syntax.File) {
	r.file = file
	r.textual()
	r.stmts(file.Stmts, r.scope)
	r.account()
}

// add appends a part, whose where is in r's text.
func (r *walker) add(p Part) { r.parts = append(r.parts, r.placed(p)) }

// placed gives a part with its place in the whole text.
func (r *walker) placed(p Part) Part {
	p.End = min(p.End, len(r.text))
	p.Start = min(p.Start, p.End)
	if p.Text == "" {
		p.Text = r.text[p.Start:p.End]
	}
	if r.outer != nil {
		p.Start, p.End = r.outer.start, r.outer.end
		p.Via = append(slices.Clip(slices.Clone(r.outer.via)), p.Via...)
	}
	return p
}

// ask adds a part that asks.
func (r *walker) ask(start, end int, reason Reason, detail string) {
	r.add(Part{Start: start, End: end, Decision: Ask, Reason: reason, Detail: detail})
}

// askAt adds a part that asks, for a node of the tree.
func (r *walker) askAt(n syntax.Node, reason Reason, detail string) {
	start, end := r.at(n)
	r.ask(start, end, reason, detail)
}

// at gives the where of a node.
func (r *walker) at(n syntax.Node) (start, end int) {
	return int(n.Pos().Offset()), int(n.End().Offset())
}

// spend counts work, and ends the judgement with an ask when there is too much of it.
func (r *walker) spend(n int) bool {
	r.steps += n
	if r.steps > maxSteps && !r.tooBig {
		r.tooBig = true
		r.ask(0, len(r.text), ReasonTooMany, "too much to judge")
	}
	return !r.tooBig
}

// scope is the state of the shell that a command runs in, as far as the text shows it. Subshells get a copy.
type scope struct {
	where
	ints  []string // variables that hold an integer here
	funcs []string // functions that are defined here

	landed []string // where the cds of a list lead that is being judged
}

// where is where the shell stands.
type where struct {
	dirs    []string // every folder, relative to Root, that it may stand in
	unknown bool     // it may stand anywhere
	moved   bool     // it may have left Root: git reads the settings of wherever it stands
}

// sub gives a copy for a subshell, or for what may not run at all.
func (s *scope) sub() *scope {
	c := *s
	c.ints, c.funcs, c.dirs, c.landed = slices.Clip(c.ints), slices.Clip(c.funcs), slices.Clip(c.dirs), slices.Clip(c.landed)
	return &c
}

// after merges the where of what may have run into s; what it defined is not certain, and is not taken over.
func (s *scope) after(branch *scope) {
	for _, d := range branch.dirs {
		if !slices.Contains(s.dirs, d) {
			s.dirs = append(slices.Clip(s.dirs), d)
		}
	}
	s.landed = append(slices.Clip(s.landed), branch.landed...)
	s.unknown = s.unknown || branch.unknown || len(s.dirs) > 8
	s.moved = s.moved || branch.moved
}

func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }
