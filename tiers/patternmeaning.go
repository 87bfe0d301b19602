package tiers

// Inside reports whether every command that p matches is one that q, as a deny pattern, matches too (T13): judged by
// meaning, with T23's base names, global options, equivalents and option sets. A pattern that is a pipeline or a
// redirect is inside none.
func (p Pattern) Inside(q Pattern) bool {
	least, _ := p.relate(q.denier())
	return least == always
}

// Overlaps reports whether some command that p matches is one that q, as a deny pattern, matches too (T13). Runners
// count only when p's first word is one.
func (p Pattern) Overlaps(q Pattern) bool {
	_, most := p.relate(q.denier())
	return most != never
}

// denier is a deny pattern made ready for many questions.
type denier struct{ rules []denyRule }

// denier gives the pattern's rules; a pipeline or a redirect has none here.
func (p Pattern) denier() denier {
	if p.kind != patternSimple {
		return denier{}
	}
	return denier{defaultKnowledge().denyRules(p.stages[0])}
}

// relate reads p's words as a command, whose stars are runs that are not known, and gives the least and the most that
// its spellings are to the denied commands.
func (p Pattern) relate(d denier) (least, most relation) {
	k := defaultKnowledge()
	for i, words := range p.spellings() {
		rel := k.relation(d.rules, words)
		if most = max(most, rel); i == 0 || rel < least {
			least = rel
		}
	}
	return least, most
}

// relation says how a command stands to the rules, itself or through runners (T31).
func (k *Knowledge) relation(rules []denyRule, words []word) relation {
	out := never
	all, more := k.reach(words)
	for _, at := range all {
		on := k.subject(at.words)
		for i := range rules {
			rel := rules[i].matchDeny(on)
			if at.unsure {
				rel = min(rel, maybe)
			}
			if out = max(out, rel); out == always {
				return always
			}
		}
	}
	if more {
		out = max(out, maybe)
	}
	return out
}
