package tiers

import (
	"path"
	"slices"
	"strings"

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
	r.deniedRedirect(rd, a, sc, s)
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
func (r *walker) deniedRedirect(rd *syntax.Redirect, a arg, sc *scope, s *syntax.Stmt) {
	if a.known() && harmlessTarget(a.text) {
		return
	}
	if len(r.rules.redirects) == 0 {
		return
	}
	targets := []string{a.text}
	if a.known() && !a.tilde {
		targets = append(targets, r.otherNames(a.text, sc)...)
	}
	for _, rule := range r.rules.redirects {
		rel := never
		for _, t := range targets {
			switch {
			case covers(rule.target.text, t):
				rel = always
			case meets(rule.target.text, t):
				rel = max(rel, maybe)
			}
		}
		if rel == never {
			continue
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

// otherNames gives what else a file may be called: without what changes nothing about a path, from Root, and from there on.
func (r *walker) otherNames(target string, sc *scope) []string {
	target = path.Clean(r.native(target))
	out := []string{target}
	if path.IsAbs(target) {
		if rel, ok := r.relative(target); ok {
			out = append(out, rel)
		}
		return out
	}
	for _, d := range sc.dirs {
		out = append(out, path.Join(d, target))
		if r.root != "" {
			out = append(out, path.Join(r.root, d, target))
		}
	}
	return out
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
	target := r.native(a.text)
	if sc.unknown && !path.IsAbs(target) {
		return ask(ReasonWritesFile, "a file in a folder that is not known")
	}
	pattern := ""
	targets := r.resolve(sc, target)
	for _, rel := range targets {
		if rel == "" {
			return ask(ReasonWritesFile, "a file outside the project")
		}
		g := ""
		for _, glob := range r.rules.writes {
			// A star of a path below Root stands for nothing elsewhere.
			if p := r.writePath(glob); path.IsAbs(p) == path.IsAbs(rel) && globMatch(p, rel) {
				g = glob
				break
			}
		}
		if g == "" {
			return ask(ReasonWritesFile, "no write path covers it")
		}
		pattern = g
	}
	if !path.IsAbs(target) {
		r.whereLater(a.start, a.end, ReasonWritesFile, "a file in a folder that is not known", "", false)
	}
	for _, rel := range targets {
		if rel = r.spelled(rel); !slices.Contains(r.writes, rel) {
			r.writes = append(r.writes, rel)
		}
	}
	return written{decision: Notify, reason: ReasonWritesFile, tier: Tier2Notified, pattern: pattern}
}

// writePath gives a write path as targets are compared with it: relative to Root where it lies below it.
func (j *judge) writePath(glob string) string {
	if glob = strings.TrimPrefix(j.native(glob), "./"); j.drives && path.IsAbs(glob) {
		if rel, ok := j.below(glob, j.root+"/"); ok {
			return rel
		}
	}
	return glob
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
	if rest, ok := j.below(clean+"/", strings.TrimSuffix(j.root, "/")+"/"); ok {
		return path.Clean("./" + rest), true
	}
	return clean, false
}
