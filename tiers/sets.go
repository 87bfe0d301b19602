package tiers

import (
	"iter"
	"slices"

	"example.com/ambit/internal/enum"
)

// Kind says how an entry's text is read.
type Kind uint8

// The kinds of entries.
const (
	KindShell   Kind = iota // a shell pattern (T20)
	KindCommand             // the name of a command of the program (T22)
)

var kindNames = []string{KindShell: "shell", KindCommand: "command"}

// String gives shell or command.
func (k Kind) String() string { return enum.Word(kindNames, k) }

// MarshalText gives String's text.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads String's text; any other is an error that lists them.
func (k *Kind) UnmarshalText(text []byte) (err error) {
	*k, err = enum.Parse[Kind]("a kind", kindNames, text)
	return err
}

// Source says which list of the protocol an entry comes from. The zero value is none.
type Source uint8

// The lists that entries come from.
const (
	SourceNone      Source = iota // of no list
	SourceTier1                   // tier1_silent
	SourceTier2                   // tier2_notified
	SourceWhitelist               // a tool's whitelist, in a 1.0 protocol
	SourceTier3                   // tier3_blocking
	SourceBlacklist               // a tool's blacklist
)

var sourceNames = []string{
	SourceNone: "none", SourceTier1: "tier1", SourceTier2: "tier2", SourceWhitelist: "whitelist", SourceTier3: "tier3", SourceBlacklist: "blacklist",
}

// String gives none, tier1, tier2, whitelist, tier3 or blacklist.
func (s Source) String() string { return enum.Word(sourceNames, s) }

// MarshalText gives String's text.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads String's text; any other is an error that lists them.
func (s *Source) UnmarshalText(text []byte) (err error) {
	*s, err = enum.Parse[Source]("a source", sourceNames, text)
	return err
}

var sourceTiers = [...]Tier{
	SourceNone: TierNone, SourceTier1: Tier1Silent, SourceTier2: Tier2Notified, SourceWhitelist: Tier1Silent,
	SourceTier3: Tier3Blocking, SourceBlacklist: Tier3Blocking,
}

// Tier gives the tier that an entry from there counts as: a whitelist hit is silent (T30), a blacklist entry counts as
// tier3 (T12).
func (s Source) Tier() Tier {
	if int(s) >= len(sourceTiers) {
		return TierNone
	}
	return sourceTiers[s]
}

// AllowEntry is one entry that lets commands run unasked. Only tier1, tier2 and whitelists give such entries.
type AllowEntry struct {
	Source  Source  // SourceTier1, SourceTier2 or SourceWhitelist
	Kind    Kind    // how Text is read
	Text    string  // trimmed
	Pattern Pattern // what Text means
}

// Tier gives Tier1Silent or Tier2Notified.
func (e AllowEntry) Tier() Tier { return e.Source.Tier() }

// DenyEntry is one entry that blocks commands.
type DenyEntry struct {
	Source  Source  // SourceTier3 or SourceBlacklist
	Kind    Kind    // how Text is read
	Text    string  // trimmed
	Pattern Pattern // what Text means

	denier denier // of Pattern
}

// AllowList is an ordered list of entries that let commands run unasked. Only Protocol.Resolve makes one: with the deny set
// at hand it leaves out whatever equals a tier3 entry or lies inside one (T13), so that no value of this type can hold one.
// The zero value allows nothing.
type AllowList struct{ entries []AllowEntry }

// All walks the entries in order.
func (l AllowList) All() iter.Seq[AllowEntry] { return slices.Values(l.entries) }

// Len gives the number of entries.
func (l AllowList) Len() int { return len(l.entries) }

// Texts gives the texts of one kind, in order; never nil.
func (l AllowList) Texts(kind Kind) []string {
	out := []string{}
	for _, e := range l.entries {
		if e.Kind == kind {
			out = append(out, e.Text)
		}
	}
	return out
}

// DenyTexts gives the texts of one kind of a deny set, in order; never nil.
func DenyTexts(deny []DenyEntry, kind Kind) []string {
	out := []string{}
	for _, e := range deny {
		if e.Kind == kind {
			out = append(out, e.Text)
		}
	}
	return out
}

// Sets is what one tool may do and must never do. The zero value allows nothing and denies nothing: everything asks.
type Sets struct {
	Tool       string      // "" when no tool was named
	Program    string      // the program that command entries belong to
	Allow      AllowList   // in protocol order
	Deny       []DenyEntry // tier3 first, then blacklists
	WritePaths []string    // globs of the tiers that the tool derives (T34)
	Notices    []Notice    // about this tool's lists

	rules *rulesOnce // what Evaluate matches with; nil: made anew
}
