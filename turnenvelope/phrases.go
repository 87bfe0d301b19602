package turnenvelope

import (
	"strings"
	"unicode/utf8"

	"example.com/ambit/internal/unicode14"
)

// E7.10: what a todo is by its words.

// phrase is a sequence of steps, each one of several alternatives; between two steps anything may stand.
type phrase [][]string

// rule gives a class when any of its phrases occurs, or any of its words leads.
type rule struct {
	class   string
	phrases []phrase
	leads   []string
}

func step(alternatives ...string) []string { return alternatives }

// once lists phrases of one step.
func once(texts ...string) []phrase { return []phrase{{texts}} }

// textRules are tried in order; what fits none is an advancement task.
var textRules = []rule{
	{classMonitor, []phrase{
		{step("do not"), step("launch", "run", "execute", "start"), step("until")},
		{step("only", "just"), step("after", "when", "once"),
			step("owner", "user", "credential", "approval", "prerequisite", "evidence")},
		{step("credential", "gcp", "gcs", "gcp_project", "gcp_sa_key", "gs://"),
			step("missing", "required", "provide", "proof", "prerequisite", "gate", "gated")},
		{step("readiness", "proof"), step("before any formal"), step("run")},
		{step("remaining formal"), step("path")},
		{step("route", "input"), step("absent")},
		{step("0"), step("candidate", "candidates")},
	}, nil},
	{classAdvancement,
		once("implementation slice", "validation-backed patch", "smoke fixture", "regression suite", "readiness scan",
			"source preflight", "setup-readiness scan"),
		[]string{"implement", "add", "make", "fix", "build", "wire", "define", "compare", "run", "execute", "test",
			"validate", "rebuild", "repair", "archive", "publish", "merge", "write", "attribute", "collect", "aggregate",
			"generate", "produce", "materialize", "rerun", "repeat", "eval", "evaluate", "score"}},
	{classMonitor, []phrase{
		{step("blocked", "gated", "waiting"),
			step("owner", "user", "credential", "substrate", "proof", "prerequisite", "evidence")},
	}, nil},
	{classMonitor, once("dependency monitor", "observation lane", "monitor-only"), []string{"observe", "poll", "watch"}},
}

// classByText classifies a text whose white space is folded.
func classByText(s string) string {
	s = foldLetters(s)
	for _, r := range textRules {
		if r.fits(s) {
			return r.class
		}
	}
	return classAdvancement
}

func (r rule) fits(s string) bool {
	for _, p := range r.phrases {
		if p.occurs(s) {
			return true
		}
	}
	return leads(s, r.leads)
}

// occurs reports whether the steps stand in s one after another. Taking the earliest end of each step loses nothing.
func (p phrase) occurs(s string) bool {
	at := 0
	for _, alternatives := range p {
		end := -1
		for _, a := range alternatives {
			if e := find(s, a, at); e >= 0 && (end < 0 || e < end) {
				end = e
			}
		}
		if end < 0 {
			return false
		}
		at = end
	}
	return true
}

// find gives the end of the first place from at on where a stands between word edges; -1 when there is none.
func find(s, a string, at int) int {
	for {
		i := strings.Index(s[at:], a)
		if i < 0 {
			return -1
		}
		at += i
		if edge(s, at) && edge(s, at+len(a)) {
			return at + len(a)
		}
		at++
	}
}

// edge reports whether exactly one of the two characters around offset i is a word character.
func edge(s string, i int) bool {
	before, size := utf8.DecodeLastRuneInString(s[:i])
	wordBefore := size > 0 && unicode14.IsWord(before)
	after, size := utf8.DecodeRuneInString(s[i:])
	return wordBefore != (size > 0 && unicode14.IsWord(after))
}

// leads reports whether one of the words stands at the start, or after a colon and any white space.
func leads(s string, list []string) bool {
	if len(list) == 0 {
		return false
	}
	for rest, at := s, 0; ; {
		if leadsAt(s, at, list) {
			return true
		}
		i := strings.IndexAny(rest, ":：")
		if i < 0 {
			return false
		}
		_, size := utf8.DecodeRuneInString(rest[i:])
		rest = strings.TrimLeftFunc(rest[i+size:], unicode14.IsSpace)
		at = len(s) - len(rest)
	}
}

func leadsAt(s string, at int, list []string) bool {
	for _, w := range list {
		if strings.HasPrefix(s[at:], w) && edge(s, at+len(w)) {
			return true
		}
	}
	return false
}

// foldLetters lower-cases ASCII and the four letters that a case-blind match takes for ASCII ones.
func foldLetters(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == '\u0130' || r == '\u0131':
			return 'i'
		case r == '\u017f':
			return 's'
		case r == '\u212a':
			return 'k'
		}
		return r
	}, s)
}
