package tiers

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// redirect judges one redirection (T34).
func (r *walker) redirect(rd *syntax.Redirect, sc *scope, s *syntax.Stmt) {
	if rd.N != nil {
		if name, ok := strings.CutPrefix(rd.N.Value, "{"); ok {
			r.setName(rd, strings.TrimSuffix(name, "}"), false, sc)
		}
	}
	switch rd.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		r.hereDoc(rd, sc)
		return
	case syntax.WordHdoc:
		r.word(rd.Word, sc)
		return
	}
	a := r.word(rd.Word, sc)
	start, end := r.at(rd)
	p := Part{Start: start, End: end, Decision: Ask, Reason: ReasonWritesFile}
	network := strings.HasPrefix(a.text, "/dev/tcp/") || strings.HasPrefix(a.text, "/dev/udp/") ||
		!a.known() && strings.HasPrefix(a.text, "/dev/") && meets("/dev/"+anyRun+"/"+anyRun, a.text) && !strings.HasPrefix(a.text, "/dev/fd/")
	switch rd.Op {
	case syntax.RdrIn:
		if network {
			p.Reason, p.Detail = ReasonRemote, "opens a connection"
			r.add(p)
		}
		return
	case syntax.DplIn, syntax.DplOut:
		if a.integer || a.known() && (isDescriptor(a.text)) {
			return
		}
		if rd.Op == syntax.DplIn && a.known() {
			r.askAt(rd, ReasonUnparsable, "a descriptor that is none")
			return
		}
		if rd.Op == syntax.DplIn {
			return // a descriptor, or an error of bash
		}
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.RdrInOut:
	default:
		r.askAt(rd, ReasonUnparsable, "a redirection that is not bash's")
		return
	}
	r.deniedRedirect(rd, a, s)
	if network {
		p.Reason, p.Detail = ReasonRemote, "opens a connection"
		r.add(p)
		return
	}
	if w := r.writing(a, sc); !w.harmless {
		p.Decision, p.Reason, p.Detail, p.Tier, p.Pattern = w.decision, w.reason, w.detail, w.tier, w.pattern
		r.add(p)
	}
}

// isDescriptor reports whether the target of >& or <& is a descriptor: digits, digits with a dash, or a dash.
func isDescriptor(s string) bool {
	return s == "-" || isInteger(strings.TrimSuffix(s, "-")) && s[0] != '-'
}

// deniedRedirect blocks what a redirect pattern of the deny set matches (T21).
func (r *walker) deniedRedirect(rd *syntax.Redirect, a arg, s *syntax.Stmt) {
	if a.known() && harmlessTarget(a.text) {
		return
	}
	for _, rule := range r.rules.redirects {
		if !meets(rule.target.text, a.text) {
			continue
		}
		rel := maybe
		if covers(rule.target.text, a.text) {
			rel = always
		}
		cmd := []word{{text: anyRun, many: true}}
		if c, ok := s.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 {
			cmd = cmd[:0]
			for _, w := range c.Args {
				if lit := w.Lit(); lit != "" && !strings.ContainsAny(lit, `\*?[{~`) {
					cmd = append(cmd, word{text: lit})
				} else {
					cmd = append(cmd, word{text: anyRun, many: true})
				}
			}
		}
		if !rule.command[0].program.many { // else any command
			rel = min(rel, r.k.relation(rule.command, cmd))
		}
		if rel == never {
			continue
		}
		r.denied(rd, rule.text, rule.blacklist, rel, ReasonDynamicArgument)
	}
}

// written is what writing to a file means.
type written struct {
	harmless bool
	decision Decision
	reason   Reason
	detail   string
	tier     Tier
	pattern  string
}

func harmlessTarget(s string) bool {
	return s == "/dev/null" || s == "/dev/stdout" || s == "/dev/stderr"
}

// writing judges a file that is written (T34, T34a): the control files first, then the write paths.
func (r *walker) writing(a arg, sc *scope) written {
	ask := func(reason Reason, detail string) written {
		return written{decision: Ask, reason: reason, detail: detail}
	}
	if a.known() && !a.tilde && harmlessTarget(a.text) {
		return written{harmless: true}
	}
	if steer := r.steers(a, sc, false); steer != nil {
		return *steer
	}
	if !a.known() || a.tilde {
		return ask(ReasonWritesFile, "a file whose name is not known")
	}
	if sc.unknown && !path.IsAbs(a.text) {
		return ask(ReasonWritesFile, "a file in a folder that is not known")
	}
	pattern := ""
	targets := r.resolve(sc, a.text)
	for _, rel := range targets {
		if rel == "" {
			return ask(ReasonWritesFile, "a file outside the project")
		}
		g := ""
		for _, glob := range r.rules.writes {
			if globMatch(strings.TrimPrefix(glob, "./"), rel) {
				g = glob
				break
			}
		}
		if g == "" {
			return ask(ReasonWritesFile, "no write path covers it")
		}
		pattern = g
	}
	if !path.IsAbs(a.text) {
		r.whereLater(a.start, a.end, ReasonWritesFile, "a file in a folder that is not known", "", false)
	}
	for _, rel := range targets {
		if !slices.Contains(r.writes, rel) {
			r.writes = append(r.writes, rel)
		}
	}
	return written{decision: Notify, reason: ReasonWritesFile, tier: Tier2Notified, pattern: pattern}
}

// resolve gives every path that a target may be: relative to Root, or absolute when it is elsewhere; "" when `..` leads
// out of what is known.
func (j *judge) resolve(sc *scope, target string) []string {
	if path.IsAbs(target) {
		clean := path.Clean(target)
		if rel, ok := j.relative(target); ok && !strings.Contains("/"+target+"/", "/../") {
			return []string{rel}
		}
		if strings.Contains("/"+target+"/", "/../") {
			return []string{""}
		}
		return []string{clean}
	}
	if strings.Contains("/"+target+"/", "/../") {
		return []string{""} // a link before it may lead anywhere
	}
	var out []string
	for _, d := range sc.dirs {
		out = append(out, path.Join(d, target))
	}
	return out
}

// relative gives a path relative to Root, and whether it is below it.
func (j *judge) relative(p string) (string, bool) {
	if !path.IsAbs(p) {
		rel := path.Clean(p)
		return rel, rel != ".." && !strings.HasPrefix(rel, "../")
	}
	clean := path.Clean(p)
	if j.root == "" {
		return clean, false
	}
	if clean == j.root {
		return ".", true
	}
	rel, ok := strings.CutPrefix(clean, strings.TrimSuffix(j.root, "/")+"/")
	return rel, ok
}

// steers gives what writing to a control file means, nil for any other file (T34a). folder: it is the operand of a
// program that may write below it.
func (r *walker) steers(a arg, sc *scope, folder bool) *written {
	text := a.text
	if i := strings.IndexByte(text, 0); i >= 0 {
		if !a.glob {
			return nil
		}
		text = text[:i]
		if w := r.mayMeet(text[strings.LastIndexByte(text, '/')+1:]); w != nil {
			return w
		}
		if k := strings.LastIndexByte(text, '/'); k >= 0 {
			text = text[:k]
			folder = true
		} else {
			return nil
		}
	}
	out := r.steersText(text, folder)
	if path.IsAbs(text) || a.tilde || strings.HasPrefix(text, "-") {
		return out
	}
	for _, d := range sc.dirs {
		if d == "." {
			continue
		}
		if w := r.steersText(path.Join(d, text), folder); w != nil && (out == nil || w.decision == Block) {
			out = w
		}
	}
	if out == nil {
		r.whereLater(a.start, a.end, ReasonControlFile, "", text, folder)
	}
	return out
}

// mayMeet asks for a glob whose last segment begins like a control file, or a folder of them.
func (r *walker) mayMeet(begin string) *written {
	if len(begin) < 3 && !strings.HasPrefix(begin, ".") {
		return nil // half the files of a project begin so
	}
	for _, row := range r.k.control {
		for _, s := range row.segs {
			if strings.HasPrefix(s, strings.ToLower(begin)) {
				return &written{decision: Ask, reason: ReasonControlFile, detail: "a file that may change what programs do"}
			}
		}
	}
	return nil
}

// foldName gives a file's name as the file systems compare it that do not tell cases apart: some of them also pass over
// characters that cannot be seen.
func foldName(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 'ſ':
			return 's'
		case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff, r == 0xad:
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// steersText is steers for a path that is written out.
func (j *judge) steersText(text string, folder bool) *written {
	var buf [16]string
	segs := buf[:0]
	for s := range strings.SplitSeq(strings.TrimPrefix(foldName(path.Clean(slashed(text))), "/"), "/") {
		if i := strings.IndexByte(s, ':'); i > 0 {
			s = s[:i] // a stream of the file, on some systems
		}
		if t := strings.TrimRight(s, " ."); t != "" {
			s = t
		}
		segs = append(segs, s)
	}
	asks := false
	for _, row := range j.k.control {
		g := row.segs
		for i := range segs {
			if segsMatch(g, segs[i:]) {
				if row.blocks {
					return &written{decision: Block, reason: ReasonControlFile, tier: Tier3Blocking, pattern: row.glob, detail: "a file that steers the agent or its harness"}
				}
				asks = true
			}
			if folder && len(segs[i:]) < len(g) && segsMatch(g[:len(segs[i:])], segs[i:]) {
				asks = true
			}
		}
	}
	if asks {
		return &written{decision: Ask, reason: ReasonControlFile, detail: "a file that changes what programs do"}
	}
	return nil
}

// globMatch matches a write path: `*` within a segment, `**` over segments.
func globMatch(glob, p string) bool {
	return segsMatch(globSegs(glob), strings.Split(p, "/"))
}

// globSegs gives the segments of a glob, with anyRun for stars within one.
func globSegs(glob string) []string {
	segs := strings.Split(glob, "/")
	for i, s := range segs {
		if s != "**" {
			segs[i] = strings.ReplaceAll(s, "*", anyRun)
		}
	}
	return segs
}

// segsMatch matches segments; `**` stands for any number of them. A `**` at the end stands for at least one, and the
// folder itself when the glob is a control file's.
func segsMatch(glob, segs []string) bool {
	for len(glob) > 0 {
		if glob[0] == "**" {
			for k := 0; k <= len(segs); k++ {
				if segsMatch(glob[1:], segs[k:]) {
					return true
				}
			}
			return false
		}
		if len(segs) == 0 || !covers(glob[0], segs[0]) {
			return false
		}
		glob, segs = glob[1:], segs[1:]
	}
	return len(segs) == 0
}

// controlOperands looks for control files among the operands of a command that is not proven to read (T34a). emit adds
// what blocks, for a command that asks anyway; otherwise the first problem is given.
func (c *call) controlOperands(p, q *program, emit bool) *problemOf {
	if q != nil && (q.reads || q.keeps) || p != nil && p.reads {
		return nil
	}
	for i, a := range c.args[1:] {
		if a.integer {
			continue
		}
		if !a.known() && !a.glob {
			if q != nil && q.alters && !emit {
				return &problemOf{reason: ReasonDynamicArgument, detail: "a file that is not known, of a program that changes it"}
			}
			continue
		}
		for _, text := range operandTexts(a.text) {
			b := a
			b.text = text
			w := c.steers(b, c.sc, true)
			if w == nil {
				continue
			}
			if w.decision == Block {
				part := c.part(Block, ReasonControlFile, w.detail)
				part.Start, part.End, part.Text = c.args[i+1].start, c.args[i+1].end, ""
				part.Tier, part.Pattern, part.Via = Tier3Blocking, w.pattern, c.via
				c.add(part)
				if !emit {
					return &problemOf{reason: ReasonControlFile, detail: w.detail}
				}
				return nil
			}
			if !emit {
				return &problemOf{reason: ReasonControlFile, detail: w.detail}
			}
		}
	}
	return nil
}

// operandTexts gives the file names that a word may hold: itself, what follows an equals sign, what an option holds.
func operandTexts(s string) []string {
	out := []string{s}
	if _, v, ok := strings.Cut(s, "="); ok {
		out = append(out, v)
	}
	if len(s) > 2 && s[0] == '-' && s[1] != '-' {
		out = append(out, s[2:])
	}
	return out
}
