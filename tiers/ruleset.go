package tiers

import (
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// ruleSet is the allow and deny sets of one tool, made ready for matching.
type ruleSet struct {
	allow     map[string][]allowRule // by first word
	anyAllow  []allowRule            // first word with a star
	deny      map[string][]denyEntry // by program
	anyDeny   []denyEntry
	pipelines []pipelineRule
	redirects []redirectRule
	writes    []string
	parsers   sync.Pool // of *syntax.Parser, which are worth keeping and hold nothing between texts
}

// allPinned is the number of pinned words of a rule without stars.
const allPinned = 1 << 30

type allowRule struct {
	index   int
	words   []word
	pinned  int // words before the first star
	text    string
	tier    Tier
	folders []string // words that name a folder and, by a star, what is in it
	command bool
	fetched bool // a command entry, through npx or its like
}

type denyEntry struct {
	denyRule
	text      string
	blacklist bool
}

type pipelineRule struct {
	stages    [][]denyRule
	text      string
	blacklist bool
}

type redirectRule struct {
	command   []denyRule
	target    word
	text      string
	blacklist bool
}

// parser gives a parser of bash.
func (rs *ruleSet) parser() *syntax.Parser {
	if p, ok := rs.parsers.Get().(*syntax.Parser); ok {
		return p
	}
	return syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
}

// compiled gives the rules of a set, which are made once for the default tables.
func (s *Sets) compiled(k *Knowledge) *ruleSet {
	if k != defaultKnowledge() || s.rules == nil {
		return s.compile(k)
	}
	return s.rules.get(s, k)
}

// rulesOnce holds the rules of a set once they are made.
type rulesOnce struct {
	once  sync.Once
	rules *ruleSet
}

func (o *rulesOnce) get(s *Sets, k *Knowledge) *ruleSet {
	o.once.Do(func() { o.rules = s.compile(k) })
	return o.rules
}

// compile makes the rules of a set.
func (s *Sets) compile(k *Knowledge) *ruleSet {
	rs := &ruleSet{allow: map[string][]allowRule{}, deny: map[string][]denyEntry{}, writes: s.WritePaths}
	index := 0
	for e := range s.Allow.All() {
		for i, words := range e.Pattern.spellings() {
			r := allowRule{
				index: index, words: words, text: e.Text, tier: e.Tier(),
				command: e.Kind == KindCommand, fetched: i > 0, pinned: allPinned,
			}
			if star := slices.IndexFunc(words, func(w word) bool { return !w.known() }); star >= 0 {
				r.pinned = star
			}
			for _, w := range words {
				if i := strings.IndexByte(w.text, 0); i > 0 && !w.many && (w.text[0] != '-' || strings.IndexByte(w.text[:i], '/') >= 0) {
					r.folders = append(r.folders, w.text)
				}
			}
			if first := words[0]; first.known() {
				rs.allow[first.text] = append(rs.allow[first.text], r)
			} else {
				rs.anyAllow = append(rs.anyAllow, r)
			}
			index++
		}
	}
	for _, e := range s.Deny {
		black := e.Source == SourceBlacklist
		switch p := e.Pattern; p.kind {
		case patternSimple:
			rules := e.denier.rules
			if k != defaultKnowledge() || rules == nil {
				rules = k.denyRules(p.stages[0])
			}
			for _, r := range rules {
				d := denyEntry{r, e.Text, black}
				if r.program.known() {
					_, base := programNames(r.program.text)
					rs.deny[base] = append(rs.deny[base], d)
				} else {
					rs.anyDeny = append(rs.anyDeny, d)
				}
			}
		case patternPipeline:
			pl := pipelineRule{text: e.Text, blacklist: black}
			for _, st := range p.stages {
				pl.stages = append(pl.stages, k.denyRules(st))
			}
			rs.pipelines = append(rs.pipelines, pl)
		case patternRedirect:
			rs.redirects = append(rs.redirects, redirectRule{k.denyRules(p.stages[0]), p.target, e.Text, black})
		}
	}
	return rs
}

// denied says how a command stands to the deny set, itself or through runners, and which entry decides.
func (rs *ruleSet) denied(k *Knowledge, words []word) (out relation, by *denyEntry) {
	if len(words) == 0 || len(rs.deny) == 0 && len(rs.anyDeny) == 0 {
		return never, nil
	}
	all, more := k.reach(words)
	for _, at := range all {
		rel, b := rs.deniedHere(k, at.words)
		if at.unsure {
			rel = min(rel, maybe)
		}
		if rel > out {
			out, by = rel, b
		}
	}
	if more {
		out = max(out, maybe)
	}
	return out, by
}

// deniedHere is denied without runners.
func (rs *ruleSet) deniedHere(k *Knowledge, words []word) (out relation, by *denyEntry) {
	on := k.subject(words)
	if !words[0].known() && len(rs.deny) > 0 {
		out = maybe
	}
	var family []denyEntry
	if on.family != on.base {
		family = rs.deny[on.family]
	}
	for _, list := range [3][]denyEntry{rs.deny[on.base], family, rs.anyDeny} {
		for i := range list {
			if rel := list[i].matchDeny(on); rel > out {
				out, by = rel, &list[i]
			}
		}
	}
	return out, by
}

// allowed walks the allow entries that match the words, in the order of the protocol.
func (rs *ruleSet) allowed(words []word, yield func(*allowRule) bool) {
	a, b := rs.allow[words[0].text], rs.anyAllow
	for len(a) > 0 || len(b) > 0 {
		var r *allowRule
		if len(b) == 0 || len(a) > 0 && a[0].index < b[0].index {
			r, a = &a[0], a[1:]
		} else {
			r, b = &b[0], b[1:]
		}
		if seqCovers(r.words, words) && !yield(r) {
			return
		}
	}
}
