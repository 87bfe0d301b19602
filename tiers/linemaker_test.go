package tiers

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// lineMaker makes bash lines: plain ones, nasty ones, and damaged ones. What must not run unasked is called evil.
type lineMaker struct{ *rand.Rand }

func (g *lineMaker) pick(list ...string) string { return list[g.IntN(len(list))] }

// line makes one line.
func (g *lineMaker) line() string {
	var s string
	switch g.IntN(6) {
	case 4, 5:
		return g.soup()
	case 0:
		s = nasty[g.IntN(len(nasty))]
	case 1:
		s = g.list(3)
	case 2:
		s = g.list(2) + g.pick(";", "\n", " && ", " || ", " | ") + nasty[g.IntN(len(nasty))]
	default:
		s = nasty[g.IntN(len(nasty))]
		a, b := g.IntN(len(s)+1), g.IntN(len(s)+1)
		other := nasty[g.IntN(len(nasty))]
		c := g.IntN(len(other) + 1)
		s = s[:min(a, b)] + other[c:]
	}
	for range g.IntN(4) {
		s = g.damage(s)
	}
	return s
}

// soup is tokens in any order: what bash and the parser may split differently.
func (g *lineMaker) soup() string {
	var b strings.Builder
	b.WriteString(g.pick("echo ", "cat ", "x=", "", ": ", "[ ", "[[ ", "case x in x) ", "f() { ", "cat <<E\n", "cat <<'E'\n", "(", "{ ", "a=(", "for i in a; do ", "if :; then ", "! ", "read x <<<"))
	for range 2 + g.IntN(9) {
		b.WriteString(g.pick("a", "x", "'", "'", `"`, `"`, `\`, `\`, "\n", "\n", "#", "#", " ", " ", " ", ";", "; ", "$", "$x", "(", ")", "{", "}", "`", "`", "<<E\n", "\nE\n", "evil", "evil", "; evil", "\nevil\n", "evil;",
			"$((", "))", "[[ ", " ]]", "case x in ", "esac", ";;", "${x", "}", "|", "&", "&&", "\\\n", "\\\n", "=", "[", "]", "$(", "<(", "1", "$'", `\'`, "a=(1)", ")#", "(x)#", "declare a=(", ":-", "!", "~", "*", "<", ">", "/dev/null", "2>", "\t", "done", "fi", "then", "do", "in", "-"))
	}
	b.WriteString(g.pick("", "", ")", "}", "'", `"`, "\nE\n", "; }", "`", " ]]", "))", "; done", "; fi", ";; esac"))
	return b.String()
}

// damage changes one place of the line.
func (g *lineMaker) damage(s string) string {
	if s == "" {
		return s
	}
	i := g.IntN(len(s))
	switch g.IntN(5) {
	case 0:
		return s[:i] + s[i+1:]
	case 1, 2:
		return s[:i] + g.pick("'", `"`, "\\", "`", "$", "(", ")", "{", "}", "[", "]", "#", " ", "\n", ";", "&", "|", "<", ">", "\\\n", "$(", "${", "$((", "<(", "<<", "<<E\n", "\nE\n", "EOF", "'\"'", "!", "=", "x", "*", "~", "\t", "$'", `\'`, "]]", "))", "esac", "evil", "0", ",", "..", ":-", "@", " # ", "case x in ", "-") + s[i:]
	case 3:
		j := i + g.IntN(min(8, len(s)-i)+1)
		k := g.IntN(len(s) + 1)
		return s[:k] + s[i:j] + s[k:]
	default:
		j := g.IntN(len(s))
		b := []byte(s)
		b[i], b[j] = b[j], b[i]
		return string(b)
	}
}

func (g *lineMaker) list(depth int) string {
	n := 1 + g.IntN(2)
	var parts []string
	for range n {
		parts = append(parts, g.command(depth))
	}
	return strings.Join(parts, g.pick("; ", " && ", " || ", " | ", "\n", " & ", " |& "))
}

func (g *lineMaker) command(depth int) string {
	if depth > 0 && g.IntN(3) == 0 {
		d := depth - 1
		switch g.IntN(14) {
		case 0:
			return "( " + g.list(d) + " )"
		case 1:
			return "{ " + g.list(d) + "; }"
		case 2:
			return "if " + g.list(d) + "; then " + g.list(d) + g.pick("; fi", "; else "+g.list(d)+"; fi")
		case 3:
			return "for i in " + g.word(d) + " " + g.word(d) + "; do " + g.list(d) + "; done"
		case 4:
			return "case " + g.word(d) + " in " + g.word(d) + ") " + g.list(d) + ";; *) " + g.list(d) + ";; esac"
		case 5:
			return "f() { " + g.list(d) + "; }; f " + g.word(d)
		case 6:
			return "[[ " + g.word(d) + g.pick(" == ", " != ", " -eq ", " =~ ", " < ") + g.word(d) + " ]]"
		case 7:
			return "(( " + g.arith(d) + " ))"
		case 8:
			return g.command(d) + " <<" + g.pick("E", "'E'", `"E"`, `\E`, "-E") + "\n" + g.body(d) + "\nE\n"
		case 9:
			return g.command(d) + " <<< " + g.word(d)
		case 10:
			return "a=(" + g.word(d) + " " + g.word(d) + ")"
		case 11:
			return "! " + g.command(d)
		case 12:
			return "n=" + g.word(d) + "; echo $(( n" + g.pick("", "+1", "<2") + " ))"
		default:
			return g.command(d) + " " + g.pick("2>&1", ">/dev/null", "2>/dev/null", "<a", "< "+g.word(d), "&>/dev/null")
		}
	}
	var words []string
	words = append(words, g.pick("echo", "cat a", "ls", "head a", "grep x a", "wc -l a", "printf %s", "true", ":", "test -n", "[ x", "git status", "git log", "evil", "sort a", "find .", "xargs echo", "env cat a", "timeout 3 cat a", "command cat a", "exec cat a", "read n", "x=1", "export y=2", "set -e", "cd .", "eval echo", "declare n=1", "local n", "unset n", "trap : EXIT", "bash -c", "wait", "x=1 cat a", "mapfile -t x", "nice cat a"))
	for range g.IntN(3) {
		words = append(words, g.word(depth))
	}
	return strings.Join(words, g.pick(" ", " ", " ", "\t", " \\\n"))
}

func (g *lineMaker) word(depth int) string {
	if depth <= 0 {
		return g.pick("a", "b", "-n", "x", "1", "'q q'", `"d d"`, `\x`, "$x", `"$x"`, "*", "a*", "{a,b}", "~", "-v", "evil")
	}
	d := depth - 1
	switch g.IntN(22) {
	case 0:
		return "$(" + g.list(d) + ")"
	case 1:
		return "`" + g.list(0) + "`"
	case 2:
		return `"` + g.pick("", "a ", "'") + "$(" + g.list(d) + `)"`
	case 3:
		return "'" + g.pick("$(evil)", "`evil`", "a;evil", "a[$(evil)]") + "'"
	case 4:
		return `"${x` + g.pick(":-", "-", ":+", "#", "%", "//a/", "/a/", ":=", ":", "^", "@") + g.dq(d) + `}"`
	case 5:
		return "${x" + g.pick(":-", "-", "#", "%", "//a/", ":=", ":", "[", "@") + g.word(d) + "}"
	case 6:
		return "$((" + g.arith(d) + "))"
	case 7:
		return "<(" + g.list(d) + ")"
	case 8:
		return ">(" + g.list(d) + ")"
	case 9:
		return "$'" + g.pick(`\x24(evil)`, `a\'b`, `\n`, `\\`, `\0a`, "$(evil)") + "'"
	case 10:
		return `$"` + g.pick("a", "$(evil)", "`evil`") + `"`
	case 11:
		return "{" + g.word(d) + "," + g.word(d) + "}"
	case 12:
		return g.pick("@", "!", "+", "?", "*") + "(" + g.word(d) + "|" + g.word(d) + ")"
	case 13:
		return "${a[" + g.arith(d) + "]}"
	case 14:
		return "${!" + g.pick("x", "x*", "x@", "x[@]", "1", "#") + "}"
	case 15:
		return g.word(0) + g.word(d)
	case 16:
		return `\` + g.word(d)
	case 17:
		return "x=" + g.word(d)
	case 18:
		return "a[" + g.arith(d) + "]" + g.pick("", "=1")
	case 19:
		return "#" + g.word(d)
	case 20:
		return "$[" + g.arith(d) + "]"
	default:
		return g.word(0)
	}
}

func (g *lineMaker) dq(depth int) string {
	return g.pick("'", "", `\'`, "$'", `\"`, "}", " ") + g.word(depth) + g.pick("'", "", `\'`, "'", " ")
}

func (g *lineMaker) arith(depth int) string {
	if depth <= 0 {
		return g.pick("1", "n", "x+1", "a[0]", "i++", "$x", "'1'", "0x1", "n=2", "x[$(evil)]", "1<<2", "n?1:2", "-1")
	}
	return g.pick(g.word(depth-1), g.arith(0)) + g.pick("+", "-", "<", "&&", "=", ",") + g.arith(depth-1)
}

func (g *lineMaker) body(depth int) string {
	return fmt.Sprint(g.pick("text", "it's", "$x", "\\$(evil)", "E\\", "\\", "#", "\tE", " E", "${x:-", "}", `"`), g.pick(" ", "\n", ""), g.word(depth), g.pick("", "\nE\n", "\nEOF", "\\\n", "'"))
}
