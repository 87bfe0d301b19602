package tiers

import (
	"maps"
	"slices"
	"strings"
)

// denyRule is a simple command of a deny set, made ready to be matched widely (T23): its options are a set that may
// stand anywhere before `--`, what is left is matched in order, and options of the command may stand between.
type denyRule struct {
	program word
	words   []word     // after the program, without options
	needs   []denyNeed // the options, all of which must occur
}

// denyNeed is one option that a deny rule names.
type denyNeed struct {
	names []string // its spellings
	value string   // what its value must match, if anything
	glob  string   // or a text with stars that a whole word must match
}

// denyRules gives the rules of a simple pattern: the pattern itself, and the same for every command that the tables
// call equivalent to what it begins with.
func (k *Knowledge) denyRules(pat []word) []denyRule {
	out := []denyRule{k.denyRule(pat)}
	if strings.Contains(pat[0].text, "/") {
		_, base := programNames(pat[0].text)
		pat = append([]word{{text: base}}, pat[1:]...)
	}
	if pat[0].known() {
		return k.equivalents(out, pat, k.same[pat[0].text])
	}
	for _, program := range slices.Sorted(maps.Keys(k.same)) {
		out = k.equivalents(out, pat, k.same[program])
	}
	return out
}

// equivalents adds the rules of the commands that do what the pattern begins with.
func (k *Knowledge) equivalents(out []denyRule, pat []word, rows []sameRow) []denyRule {
	for _, row := range rows {
		rest, ok := beginsWith(pat, row.to)
		if ok && !(row.named && (len(rest) == 0 || !rest[0].known())) {
			out = append(out, k.denyRule(append(row.from, rest...)))
		}
	}
	return out
}

// trimStar gives words, of which there is at least one, without a star at the end.
func trimStar(ws []word) []word {
	n := len(ws)
	if ws[n-1].many {
		n--
	}
	return ws[:n:n]
}

// beginsWith reports whether the first words of pat take in those of head, and gives the words of pat after them.
func beginsWith(pat, head []word) (rest []word, ok bool) {
	for _, h := range head {
		if len(pat) == 0 || pat[0].many || !covers(pat[0].text, h.text) {
			return nil, false
		}
		pat = pat[1:]
	}
	return pat, true
}

func (k *Knowledge) denyRule(pat []word) denyRule {
	r := denyRule{program: pat[0]}
	if pat[0].many {
		r.words = append(r.words, pat[0])
	}
	var p, q *program // looked up when there is an option
	for i := 1; i < len(pat); i++ {
		w := pat[i]
		if w.text == "--" {
			r.words = append(r.words, pat[i:]...)
			break
		}
		if len(w.text) < 2 || w.text[0] != '-' {
			w.text = strings.TrimPrefix(w.text, "./")
			r.words = append(r.words, w)
			continue
		}
		if q == nil {
			p, q, _ = k.lookup(pat[0].text, pat)
		}
		needs := needsOf(w.text, q, p)
		if last := &needs[len(needs)-1]; last.glob == "" && last.value == "" && i+1 < len(pat) && !pat[i+1].many {
			if next, _ := arity(w.text, q, p); next {
				i++
				last.value = pat[i].text
			}
		}
		r.needs = append(r.needs, needs...)
	}
	return r
}

// needsOf gives the options that a word of a pattern names, with the value that it gives the last one: of a cluster, each
// of its letters.
func needsOf(text string, rows ...*program) []denyNeed {
	name, value, _ := strings.Cut(text, "=")
	if strings.Contains(name, anyRun) {
		return []denyNeed{{glob: text}}
	}
	one := rows[0] != nil && rows[0].onedash || strings.HasPrefix(name, "--") || len(name) == 2
	if one {
		return []denyNeed{{names: synonyms(name, rows...), value: value}}
	}
	if i := rows[0].valueEnds(text); i > 0 {
		name, value = text[:i], text[i:]
	} else {
		name, value = text, ""
	}
	var out []denyNeed
	for _, letter := range name[1:] {
		out = append(out, denyNeed{names: synonyms("-"+string(letter), rows...)})
	}
	out[len(out)-1].value = value
	return out
}
