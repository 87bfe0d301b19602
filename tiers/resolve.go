package tiers

import "slices"

// Resolve gives the allow and deny sets of one tool (T10 to T14). It is total and deterministic. Tool "" stands for
// all of tier1 and tier2, with every tool's blacklist. A tool that the protocol does not declare may do nothing; tier3
// is denied to it all the same. The nil Protocol gives empty sets: everything asks.
func (p *Protocol) Resolve(tool string) Sets {
	s := *p.sets(tool)
	s.Tool, s.rules = tool, nil
	s.Deny = slices.Clone(s.Deny)
	s.WritePaths = slices.Clone(s.WritePaths)
	s.Notices = slices.Clone(s.Notices)
	return s
}

// sets is Resolve without the copies. The result is shared: it must not be changed.
func (p *Protocol) sets(tool string) *Sets {
	if p == nil {
		return &Sets{Tool: tool}
	}
	if resolved, ok := p.resolved[tool]; ok {
		return resolved()
	}
	return p.undeclared()
}

// resolve computes what Resolve gives.
func (p *Protocol) resolve(tool string) *Sets {
	s := &Sets{Tool: tool, Program: p.program, Deny: p.deny(tool), rules: new(rulesOnce)}
	candidates, tiers := p.candidates(tool, &s.Notices)
	for _, t := range tiers {
		for _, path := range p.tiers[t].writePaths {
			if !slices.Contains(s.WritePaths, path) {
				s.WritePaths = append(s.WritePaths, path)
			}
		}
	}
	s.Allow = newAllowList(tool, candidates, s.Deny, &s.Notices)
	return s
}

// deny gives T12's set: tier3 on every path and for every tool, then the tool's blacklists.
func (p *Protocol) deny(tool string) []DenyEntry {
	var out []DenyEntry
	seen := map[entryID]bool{}
	add := func(source Source, entries []entry) {
		for _, e := range entries {
			if !seen[e.id()] {
				seen[e.id()] = true
				out = append(out, DenyEntry{source, e.kind, e.text, e.pattern, e.denier})
			}
		}
	}
	add(SourceTier3, p.tiers[Tier3Blocking].entries)
	for i := range p.tools {
		if t := &p.tools[i]; tool == "" || t.Name == tool {
			add(SourceBlacklist, t.blacklist)
		}
	}
	return out
}

// candidate is an entry that a tool's lists offer for its allow list. It is not yet one of them.
type candidate struct {
	source Source
	entry
}

// candidates gives what T10 and T11 offer, first occurrences only, and the tiers that the tool derives.
func (p *Protocol) candidates(tool string, notices *[]Notice) (out []candidate, derived []Tier) {
	seen := map[entryID]bool{}
	add := func(source Source, entries []entry) {
		for _, e := range entries {
			if !seen[e.id()] {
				seen[e.id()] = true
				out = append(out, candidate{source, e})
			}
		}
	}
	addTier := func(t Tier) {
		if !slices.Contains(derived, t) {
			derived = append(derived, t)
			add(tierSource[t], p.tiers[t].entries)
		}
	}
	t, declared := p.tool(tool)
	switch {
	case tool == "" && !p.legacy:
		addTier(Tier1Silent)
		addTier(Tier2Notified)
	case !declared:
	case p.legacy || !t.derives:
		add(SourceWhitelist, t.whitelist)
		if p.legacy && t.derives {
			notice(notices, NoticeDeadTiers, tool, t.derivedAt, "derived_from_tiers", "", "a 1.0 protocol uses whitelists only; derived_from_tiers has no effect")
		}
	default:
		for _, d := range t.derivedFrom {
			if d.tier == Tier3Blocking {
				notice(notices, NoticeTier3Listed, tool, d.place, d.tier.String(), "", "tier3_blocking never allows; listing it adds nothing")
				continue
			}
			addTier(d.tier)
		}
		if len(t.whitelist) > 0 {
			notice(notices, NoticeDeadWhitelist, tool, t.whitelist[0].place, t.whitelist[0].text, "", "whitelists beside derived_from_tiers have no effect")
		}
	}
	return out, derived
}

var tierSource = [...]Source{Tier1Silent: SourceTier1, Tier2Notified: SourceTier2}

// newAllowList is the one constructor of an AllowList, and the one place of the hard invariant (T13). It is judged by
// meaning: a candidate that equals a denied entry or lies inside one is left out; one that can match a denied command
// stays, since the deny wins over it, and is named.
func newAllowList(tool string, candidates []candidate, deny []DenyEntry, notices *[]Notice) AllowList {
	var l AllowList
	for _, c := range candidates {
		if c.pattern.DenyOnly() {
			notice(notices, NoticeNotAnAllow, tool, c.place, c.text, "", "a pipeline or a redirect can only be denied; this entry allows nothing")
			continue
		}
		inside, overlaps := against(c, deny)
		if inside >= 0 {
			notice(notices, NoticeTier3Dropped, tool, c.place, c.text, deny[inside].Text, "every command that it matches is denied; left out of the allow list")
			continue
		}
		for _, i := range overlaps {
			notice(notices, NoticeTier3Overlap, tool, c.place, c.text, deny[i].Text, "it can match a denied command; the deny wins")
		}
		l.entries = append(l.entries, AllowEntry{c.source, c.kind, c.text, c.pattern})
	}
	return l
}

// against gives the first denied entry that the candidate equals or lies inside, or -1, and those that it overlaps.
func against(c candidate, deny []DenyEntry) (inside int, overlaps []int) {
	readings := defaultKnowledge().readings(c.pattern)
	for i, d := range deny {
		least, most := relateAll(readings, d.denier)
		switch {
		case least == always, c.kind == d.Kind && c.text == d.Text:
			return i, nil
		case most != never:
			overlaps = append(overlaps, i)
		}
	}
	return -1, overlaps
}

func notice(to *[]Notice, code NoticeCode, tool string, at place, entry, other, message string) {
	*to = append(*to, Notice{Code: code, Tool: tool, Entry: entry, Other: other, Message: message, Key: at.key, Line: at.line, Col: at.col})
}
