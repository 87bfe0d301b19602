package tiers

// Inside reports whether every command that p matches is one that q, as a deny pattern, matches too (T13): judged by
// meaning, with T23's base names, global options, equivalents and option sets. A pattern that is a pipeline or a
// redirect is inside none.
func (p Pattern) Inside(q Pattern) bool { return p.relate(q, true) == always }

// Overlaps reports whether some command that p matches is one that q, as a deny pattern, matches too (T13). Runners
// count only when p's first word is one.
func (p Pattern) Overlaps(q Pattern) bool { return p.relate(q, false) != never }

// relate reads p's words as a command, whose stars are runs that are not known. all asks for every spelling of p.
func (p Pattern) relate(q Pattern, all bool) relation {
	k := defaultKnowledge()
	spellings := p.spellings()
	if len(spellings) == 0 || q.kind != patternSimple {
		return never
	}
	rules := k.denyRules(q.stages[0])
	out := never
	for i, words := range spellings {
		rel := k.relation(rules, words)
		switch {
		case all && i > 0:
			out = min(out, rel)
		default:
			out = max(out, rel)
		}
	}
	return out
}

// relation says how a command stands to the rules, itself or through runners (T31).
func (k *Knowledge) relation(rules []denyRule, words []word) relation {
	out := never
	for i := range rules {
		if out = max(out, rules[i].matchDeny(k, words)); out == always {
			return always
		}
	}
	for _, inner := range k.unwrap(words) {
		rel := k.relation(rules, inner.words)
		if inner.unsure {
			rel = min(rel, maybe)
		}
		out = max(out, rel)
	}
	return out
}
