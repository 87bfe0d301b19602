package tiers

import (
	"slices"
	"strings"
)

// procedure gives the problem that only code can find: what a table cannot say of a program.
func (c *call) procedure(q *program, sub int, pinned func(int) bool) *problemOf {
	switch q.procedure {
	case "find":
		return c.started
	case "signature":
		return c.holds("%G", ReasonExecutesCode, "it has gpg check a signature")
	case "curl":
		return c.curl(q)
	case "sed":
		return c.sed(pinned)
	case "awk":
		return c.awk(pinned)
	case "sets":
		return c.sets(q, sub)
	case "address":
		return c.holds("::", ReasonExecutesCode, "an address that names a program")
	case "assigns":
		return c.holds("=", ReasonRemote, "a value that it sets")
	case "keys":
		return c.keys()
	case "passes":
		return c.passes(pinned)
	case "refspec":
		return c.refspec(sub)
	}
	return nil
}

// holds asks when a word holds the text.
func (c *call) holds(text string, reason Reason, detail string) *problemOf {
	for _, w := range c.words {
		if strings.Contains(w.text, text) {
			return &problemOf{reason: reason, detail: detail}
		}
	}
	return nil
}

// keys asks for what less is given to type (+cmd), other than where to begin: other keys run programs and write files.
func (c *call) keys() *problemOf {
	for _, w := range c.words {
		keys, ok := strings.CutPrefix(w.text, "+")
		if !ok || strings.Trim(keys, "0123456789%gGF+") == "" || strings.HasPrefix(keys, "/") && !strings.ContainsAny(keys, "\x00\r\n") {
			continue
		}
		return &problemOf{reason: ReasonExecutesCode, detail: "keys that it is given to type"}
	}
	return nil
}

// passes asks for words that the program hands to another, which it does not name: what stands after --.
func (c *call) passes(pinned func(int) bool) *problemOf {
	for i, w := range c.words {
		if w.text == "--" && !pinned(i) {
			return &problemOf{reason: ReasonExecutesCode, detail: "words for a program that the pattern does not spell out"}
		}
	}
	return nil
}

// curl asks for formats that may write a file (%output{x}), also those that a file holds, and for options whose values
// are made of variables.
func (c *call) curl(q *program) *problemOf {
	for i, w := range c.words {
		if strings.Contains(w.text, "%output") || strings.HasPrefix(w.text, "--exp") {
			return &problemOf{reason: ReasonWritesFile, detail: "a format or an option that may write a file"}
		}
		hits, _ := q.options.find(w.text, nil)
		for _, h := range hits {
			format := word{text: h.value}
			if !h.attached && i+1 < len(c.words) {
				format = c.words[i+1]
			}
			if h.opt.names[0] == "-w" && (!format.known() || strings.HasPrefix(format.text, "@")) {
				return &problemOf{reason: ReasonWritesFile, detail: "a format that is not known, which may write a file"}
			}
		}
	}
	return nil
}

// sets asks for operands other than a format (+%s): date and hostname set what they otherwise tell.
func (c *call) sets(q *program, sub int) *problemOf {
	for n := 1; ; n++ {
		i := c.operand(q, sub, n)
		if i == 0 {
			return nil
		}
		if i < 0 || !strings.HasPrefix(c.words[i].prefix(), "+") {
			return &problemOf{reason: ReasonRemote, detail: "an operand that it sets the machine to"}
		}
	}
}

// writeProblem judges the operands of a program that writes them (T34).
func (c *call) writeProblem(q *program, sub int) *problemOf {
	if q.writes == 0 {
		return nil
	}
	var notice *problemOf
	for n := q.writes; ; n++ {
		i := c.operand(q, sub, n)
		if i == 0 {
			return notice
		}
		if i < 0 || c.words[i].many {
			return &problemOf{reason: ReasonWritesFile, detail: "what it writes is not certain"}
		}
		switch w := c.writing(c.args[i], c.sc); {
		case w.harmless:
		case w.decision == Notify:
			notice = &problemOf{reason: ReasonWritesFile, detail: "write path " + w.pattern, notify: true}
		case w.decision == Block && !q.reads:
			return nil // controlOperands blocks it
		case w.decision == Block:
			c.steered(c.args[i], &w)
			return &problemOf{reason: ReasonControlFile, detail: w.detail}
		default:
			return &problemOf{reason: w.reason, detail: w.detail}
		}
	}
}

// findActions are the primaries of find that start a command, which ends at ; or {} +.
var findActions = []string{"-exec", "-execdir", "-ok", "-okdir"}

// find judges the commands that find starts (T31). Its other dangerous primaries are in the tables; here it matters
// that -exec of one simple command is that command.
func (c *call) find() (bad *problemOf) {
	prefix := c.findRoot()
	for i := 1; i < len(c.words); i++ {
		w := c.words[i]
		if !w.known() || !slices.Contains(findActions, w.text) {
			continue
		}
		end := i + 1
		for end < len(c.words) && !(c.words[end].known() && (c.words[end].text == ";" || c.words[end].text == "+" && c.words[end-1].text == "{}")) {
			end++
		}
		if end == len(c.words) || end == i+1 {
			bad = &problemOf{reason: ReasonExecutesCode, detail: "the end of the command that it starts is not certain"}
			if i+1 == end || i+1 >= len(c.words) {
				return bad
			}
		}
		d := c.sub(i + 1)
		d.args = slices.Clone(c.args[i+1 : end])
		more := end == len(c.words) || c.words[end].text == "+"
		for k, a := range d.args {
			if strings.Contains(a.text, "{}") {
				d.args[k].text = strings.ReplaceAll(a.text, "{}", prefix+anyRun)
				d.args[k].many = more
				d.args[k].glob = true // of several, each begins with the prefix
				d.args[k].deep = true
			}
		}
		if w.text == "-execdir" {
			sc := *c.sc
			sc.moved, sc.unknown = true, true
			d.sc = &sc
		}
		d.judge()
		i = end
	}
	return bad
}

// findRoot gives what the names that find gives begin with, as far as that is known.
func (c *call) findRoot() string {
	if slices.ContainsFunc(c.words, func(w word) bool { return w.text == "-files0-from" }) {
		return "" // a file holds the names
	}
	for i := 1; i < len(c.words); i++ {
		w := c.words[i]
		if w.known() && (w.text == "-H" || w.text == "-L" || w.text == "-P") {
			continue
		}
		if w.known() && strings.HasPrefix(w.text, "-") || w.text == "(" || w.text == "!" {
			return "."
		}
		if i+1 < len(c.words) && !strings.HasPrefix(c.words[i+1].text, "-") {
			return "" // several
		}
		return w.prefix()
	}
	return "."
}

// refspec asks for what lets git fetch or pull write elsewhere than in remote-tracking branches.
func (c *call) refspec(sub int) *problemOf {
	for i := sub + 1; i < len(c.words); i++ {
		w := c.words[i]
		if strings.HasPrefix(w.text, "-") {
			continue
		}
		if !w.known() || strings.HasPrefix(w.text, "+") || strings.Contains(w.text, "::") ||
			strings.Contains(w.text, ":") && !strings.Contains(w.text, "://") || strings.HasPrefix(w.text, "ext:") {
			return &problemOf{reason: ReasonRemote, detail: "a refspec or an address that may write elsewhere"}
		}
	}
	return nil
}

// awk judges an awk program, which must be a literal text that neither runs nor writes (T23).
func (c *call) awk(pinned func(int) bool) *problemOf {
	given := false // the pattern spells out the program
	for i := 1; i < len(c.words); i++ {
		w := c.words[i]
		switch {
		case !w.known():
			if pr := awkValue(c.words, i); pr {
				continue
			}
			return &problemOf{reason: ReasonExecutesCode, detail: "an awk program that is not known"}
		case w.text == "--":
			continue
		case w.text == "-F" || w.text == "-v":
			i++
			if i < len(c.words) && c.words[i].many {
				return &problemOf{reason: ReasonExecutesCode, detail: "an awk program that is not known"}
			}
			continue
		case strings.HasPrefix(w.text, "-F") || strings.HasPrefix(w.text, "-v"):
			continue
		case strings.HasPrefix(w.text, "-") && len(w.text) > 1:
			if pinned(i) && (len(w.text) > 2 || pinned(i+1)) {
				given = given || strings.Contains("fEe", w.text[1:2])
				if len(w.text) == 2 && strings.Contains("fEeil", w.text[1:]) {
					i++
				}
				continue
			}
			return &problemOf{reason: ReasonExecutesCode, detail: "an option of awk that may read code"}
		}
		if given || pinned(i) {
			return nil
		}
		if code := awkCode(w.text); code != "" {
			return &problemOf{reason: ReasonExecutesCode, detail: "its awk program holds " + code}
		}
		return nil
	}
	if given {
		return nil
	}
	return &problemOf{reason: ReasonExecutesCode, detail: "an awk program that is not there"}
}

// awkValue reports whether the word that is not known is the attached value of -F or -v.
func awkValue(words []word, i int) bool {
	w := words[i]
	return !w.many && (strings.HasPrefix(w.prefix(), "-F") || strings.HasPrefix(w.prefix(), "-v"))
}

// awkCode gives what makes an awk program more than a filter.
func awkCode(s string) string {
	s = strings.ReplaceAll(s, ">=", " ") // a comparison wherever it stands
	for _, bad := range []string{"system", "|", ">", "getline", "@"} {
		if strings.Contains(s, bad) {
			return bad
		}
	}
	return ""
}
