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
	return relateAll(defaultKnowledge().readings(p), d)
}

// reading is a command with everything that it starts, made ready for many deny rules.
type reading struct {
	subjects []*subject
	unsure   []bool // whether the subject is certain to be started
	more     bool   // and more that was not followed
}

// readings gives the readings of a pattern's spellings.
func (k *Knowledge) readings(p Pattern) []reading {
	var out []reading
	for _, words := range p.spellings() {
		out = append(out, k.reading(words))
	}
	return out
}

func (k *Knowledge) reading(words []word) reading {
	all, more := k.reach(words)
	r := reading{more: more}
	for _, at := range all {
		r.subjects = append(r.subjects, k.subject(at.words))
		r.unsure = append(r.unsure, at.unsure)
	}
	return r
}

// relateAll gives the least and the most that the readings are to the denied commands.
func relateAll(readings []reading, d denier) (least, most relation) {
	for i, r := range readings {
		rel := r.relation(d.rules)
		if most = max(most, rel); i == 0 || rel < least {
			least = rel
		}
	}
	return least, most
}

// relation says how a command stands to the rules, itself or through runners (T31).
func (k *Knowledge) relation(rules []denyRule, words []word) relation {
	return k.reading(words).relation(rules)
}

func (r reading) relation(rules []denyRule) relation {
	out := never
	for n, on := range r.subjects {
		for i := range rules {
			rel := rules[i].matchDeny(on)
			if r.unsure[n] {
				rel = min(rel, maybe)
			}
			if out = max(out, rel); out == always {
				return always
			}
		}
	}
	if r.more {
		out = max(out, maybe)
	}
	return out
}
