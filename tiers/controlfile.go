package tiers

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// steers gives what writing to a control file means, nil for any other file (T34a). folder: it is the operand of a
// program that may write below it.
func (r *walker) steers(a arg, sc *scope, folder bool) *written {
	text := a.text
	if i := strings.IndexByte(text, 0); i >= 0 {
		if !a.glob {
			_, tail, ok := strings.Cut(text[strings.LastIndexByte(text, 0)+1:], "/")
			if !ok {
				return nil
			}
			return r.steersText(tail, folder) // it ends so, wherever it begins
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
	if path.IsAbs(r.native(text)) || a.tilde || strings.HasPrefix(text, "-") {
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
	asks := j.drives && slices.ContainsFunc(segs, shortName)
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

// shortName reports whether a segment may be the short name (CLAUDE~1) that Windows gives a file beside its own.
func shortName(s string) bool {
	i := strings.IndexByte(s, '~')
	return i > 0 && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9'
}

// controlOperands looks for control files among the operands of a command that is not proven to read (T34a). emit adds
// what blocks, for a command that asks anyway; otherwise the first problem is given.
func (c *call) controlOperands(p, q *program, emit bool) *problemOf {
	if q != nil && (q.reads || q.keeps) || p != nil && p.reads {
		return nil
	}
	target := 0 // the only operand that is written; 0: each may be
	if q != nil && q.copies {
		target = c.copiesTo()
	}
	for i, a := range c.args[1:] {
		if a.integer {
			continue
		}
		if target > 0 && i+1 != target { // it is read
			if w := c.copied(a, target); w != nil {
				if w.decision == Block {
					c.steered(a, w)
				}
				if !emit {
					return &problemOf{reason: w.reason, detail: w.detail}
				}
			}
			continue
		}
		if !a.known() && !a.glob && (a.brace || c.steers(a, c.sc, true) == nil) {
			if q != nil && q.alters && !emit {
				return &problemOf{reason: ReasonDynamicArgument, detail: "a file that is not known, of a program that changes it"}
			}
			continue
		}
		if a.deep && !emit && q != nil && q.options.has("--target-directory") { // it may be put there under any name
			return &problemOf{reason: ReasonDynamicArgument, detail: "a file that is not known, of a program that puts it into a folder"}
		}
		for _, text := range operandTexts(a.text) {
			b := a
			b.text = text
			w := c.steers(b, c.sc, true)
			if w == nil {
				continue
			}
			if w.decision != Block && q != nil && q.alters {
				if into := c.into(b, i+1); into != nil {
					w = into
				}
			}
			if w.decision == Block {
				c.steered(c.args[i+1], w)
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

// steered adds the part of a control file that a command writes.
func (c *call) steered(a arg, w *written) {
	part := c.part(Block, ReasonControlFile, w.detail)
	part.Start, part.End, part.Text = a.start, a.end, ""
	part.Tier, part.Pattern, part.Via = Tier3Blocking, w.pattern, c.via
	c.add(part)
}

// copiesTo gives the last operand of a program that only reads the others; 0 when an option says where it copies to,
// keeps the folders of what it copies, or makes links, through which they may be written.
func (c *call) copiesTo() int {
	last := len(c.args) - 1
	for i, a := range c.args[1:] {
		switch {
		case strings.HasPrefix(a.text, "--t"), strings.HasPrefix(a.text, "--l"), strings.HasPrefix(a.text, "--s"), strings.HasPrefix(a.text, "--pa"), !a.known() && a.mayBeOption():
			return 0
		case strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "--") && strings.ContainsAny(a.text, "tlsS"):
			return 0
		case strings.HasPrefix(a.text, "-") && i+1 == last:
			return 0
		}
	}
	return last
}

// copied gives what it means that a program copies its operand a into the folder that its last one may be: under the
// name that it has, nil when that steers nothing, or the last one is taken for a file.
func (c *call) copied(a arg, target int) *written {
	may, sure := c.copiesInto(target)
	if strings.HasPrefix(a.text, "-") && a.known() || !may {
		return nil
	}
	if !a.known() && (!a.glob || a.deep) {
		return &written{decision: Ask, reason: ReasonDynamicArgument, detail: "a file that is not known, of a program that puts it into a folder"}
	}
	to := c.args[target]
	name := slashed(a.text)
	to.text, to.glob = strings.TrimRight(to.text, "/")+"/"+name[strings.LastIndexByte(strings.TrimRight(name, "/"), '/')+1:], a.glob
	w := c.steers(to, c.sc, true)
	if w != nil && !sure {
		w = &written{decision: Ask, reason: ReasonControlFile, detail: "a file that may change what programs do"}
	}
	return w
}

// copiesInto reports whether the operand is surely a folder, since it is written like one, and whether it may be: it is
// no place in the project below its root, several are copied there, or folders are.
func (c *call) copiesInto(target int) (may, sure bool) {
	to := slashed(c.args[target].text)
	if base := path.Base(to); strings.HasSuffix(to, "/") || base == "." || base == ".." {
		return true, true
	}
	if c.args[target].tilde || path.IsAbs(c.native(to)) || strings.HasPrefix(path.Clean(to), "..") {
		return true, false
	}
	files := 0
	for i, a := range c.args[1:] {
		switch long := strings.HasPrefix(a.text, "--"); {
		case strings.HasPrefix(a.text, "--r"), strings.HasPrefix(a.text, "--a"), !long && strings.HasPrefix(a.text, "-") && strings.ContainsAny(a.text, "rRa"):
			return true, false
		case i+1 != target && !strings.HasPrefix(a.text, "-"):
			files++
		}
	}
	return files > 1, false
}

// into gives what it means that a program which copies, moves or links puts one of its other operands into the folder b,
// when that makes a control file.
func (c *call) into(b arg, not int) *written {
	for i, a := range c.args {
		if i == 0 || i == not || !a.known() || strings.HasPrefix(a.text, "-") {
			continue
		}
		to := b
		to.text = b.text + "/" + path.Base(slashed(a.text))
		if w := c.steers(to, c.sc, false); w != nil && w.decision == Block {
			return w
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
	if name := landing(s); name != "" {
		out = append(out, name)
	}
	return out
}

// landing gives the name under which a program that fetches puts what an address names: the last of its path, in the
// folder where it runs. "" for what is no address.
func landing(s string) string {
	s, _, _ = strings.Cut(s, "?")
	s, _, _ = strings.Cut(s, "#")
	whole := strings.TrimRight(s, "/")
	s = strings.TrimSuffix(strings.TrimSuffix(whole, "/.git"), ".git")
	if s == whole && strings.IndexByte(s, ':') < 0 {
		return ""
	}
	return s[strings.LastIndexAny(s, "/:")+1:]
}
