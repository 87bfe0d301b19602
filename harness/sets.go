package harness

import (
	"example.com/ambit/tiers"
)

// setsOf is what one tool may do and must not do, ready for native files.
type setsOf struct {
	tool tiers.Tool
	tiers.Sets
	guards []guard // every simple pattern of the deny set
}

func newSets(p *tiers.Protocol, t tiers.Tool) setsOf {
	s := setsOf{tool: t, Sets: p.Resolve(t.Name)}
	for _, e := range s.Deny {
		if q := newGuard(e.Text, e.Pattern); q != nil {
			s.guards = append(s.guards, *q)
		}
	}
	return s
}

// asks reports whether a deny entry is one that the person may approve inside the agent (K19): tier3 may, a blacklist
// entry never.
func (o Options) asks(e tiers.DenyEntry) bool { return o.Tier3Ask && e.Source == tiers.SourceTier3 }

func (s setsOf) lists() lists {
	return lists{
		Mode: s.tool.Mode.String(), RequiresTTY: s.tool.RequiresTTY,
		ShellAllowed: s.Allow.Texts(tiers.KindShell), NamedAllowed: s.Allow.Texts(tiers.KindCommand),
		ShellDenied: tiers.DenyTexts(s.Deny, tiers.KindShell), NamedDenied: tiers.DenyTexts(s.Deny, tiers.KindCommand),
	}
}
