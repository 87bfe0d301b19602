package campaign

import (
	"context"
	"regexp"
	"slices"
	"sync"

	"example.com/ambit/internal/canonjson"
)

// Evaluation is the verdict on a campaign: all its findings in their order, the packet, and what the witness saw. The
// zero Evaluation does not pass.
type Evaluation struct {
	Findings    []Finding   // all of them, in a fixed order; none for a pass
	Packet      Packet      // what is proposed
	Observation Observation // what the witness saw

	GapCount            int // gap rows
	FailedDigestCount   int // digests in the ledger
	RepeatedDigestCount int // of these, how many repeat another
}

// Status is Pass when there is no finding and a packet was drafted, else Blocked.
func (e Evaluation) Status() Status {
	if len(e.Findings) == 0 && e.Packet.Drafted() && len(e.Packet.Candidates) > 0 {
		return Pass
	}
	return Blocked
}

// Evaluate judges a campaign. Documents come first: when any of them is refused the witness is not asked. Else it is
// asked once, the packet is drafted from what it saw, and every check adds its findings; none hides another. A nil
// witness observes nothing and does not pass. // P10, P11, P34
func Evaluate(ctx context.Context, in Inputs, w Witness) Evaluation {
	r := read(in)
	var obs Observation
	if !r.refused() && w != nil {
		obs = tidy(w.Observe(ctx, r.limit))
	}
	return r.conclude(obs, nil, in.Actions)
}

// conclude is everything after the witness was asked. packet replaces the drafted one, for the negative case of a row
// that authorises; it is nil otherwise.
func (r reading) conclude(obs Observation, packet canonjson.Node, actions []string) Evaluation {
	e := Evaluation{Observation: obs, GapCount: r.rows, FailedDigestCount: r.digests, RepeatedDigestCount: r.repeats()}
	e.Findings = slices.Concat(r.findings, r.check1)
	if r.refused() {
		e.Findings = append(e.Findings, r.repeated...)
		return e
	}
	e.Packet = r.draft(obs)
	if packet == nil {
		packet = e.Packet.node()
	}
	e.Findings = append(e.Findings, gate(packet, obs, actions)...)
	e.Findings = append(e.Findings, r.alreadyFailed(e.Packet, obs)...)
	return e
}

// gate takes the packet through the same door as one from outside: as bytes. Bytes that were no packet would be a value
// that is not there, which has nothing to propose.
func gate(packet canonjson.Node, obs Observation, actions []string) []Finding {
	v, _ := canonjson.Parse(packetSubject, canonjson.Compact(packet), limits)
	found := checkPacket(v, obs, actions)
	if obs.Status() != Pass { // a blocked packet's rows lack what a witness did not give; they are refused already
		found = slices.DeleteFunc(found, func(f Finding) bool { return f.Code == RowInvalid })
	}
	return found
}

// alreadyFailed compares the plan, and the builder it comes from, with the ledger. // P13, H01
func (r reading) alreadyFailed(p Packet, obs Observation) []Finding {
	var which []string
	for _, d := range []struct{ name, text string }{{"plan_digest", p.PlanDigest}, {"builder_source_digest", obs.SourceDigest}} {
		if b, ok := parseDigest(d.text); ok && r.failed[b] > 0 {
			which = append(which, d.name)
		}
	}
	if which == nil {
		return nil
	}
	return []Finding{finding(PlanAlreadyFailed, LedgerFile).observed(which)}
}

// slug is what a builder may call its campaign. // P36
var slug = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9_-]{1,64}$`) })

// MaxChanged is how many changed paths are listed; all are counted.
const MaxChanged = 64

// tidy closes an observation: a witness of any make, also one from outside this package, can put into a record only
// slugs, digests, counts, booleans and refs. What does not have that shape is dropped and blocks. // P36, H14
func tidy(o Observation) Observation {
	bad := false
	keep := func(ok bool, s *string) {
		if *s != "" && !ok {
			*s, bad = "", true
		}
	}
	keep(usableText(o.BuilderRef) == "", &o.BuilderRef)
	keep(isSourceDigest(o.SourceDigest), &o.SourceDigest)
	if o.Live != nil {
		l := *o.Live
		o.Live = &l
		for _, d := range []*string{&l.StdoutSHA256, &l.StderrSHA256, &l.BuilderSHA256, &l.TreeBefore, &l.TreeAfter} {
			keep(isHexDigest(*d), d)
		}
		keep(slug().MatchString(l.Slug), &l.Slug)
		keep(slices.Contains(confinements, l.Confinement), &l.Confinement)
		keep(slices.Contains(containments, l.Containment), &l.Containment)
		l.ChangedCount = max(l.ChangedCount, len(l.Changed))
		l.Changed = nonNil(cleanPaths(l.Changed, MaxChanged))
		l.Watched = cleanPaths(l.Watched, len(l.Watched))
	}
	if o.Copied != nil {
		c := *o.Copied
		o.Copied = &c
		keep(isHexDigest(c.ManifestSHA256), &c.ManifestSHA256)
		c.Missing = nonNil(slices.Clone(c.Missing))
		for i, a := range c.Missing {
			c.Missing[i] = named(a)
		}
	}
	if _, known := sentences[o.ErrorCode]; bad || o.ErrorCode != "" && !known {
		o.ErrorCode = BuilderReportInvalid
	}
	return o
}

// cleanPaths gives at most n paths that print on one line.
func cleanPaths(paths []string, n int) []string {
	var out []string
	for _, p := range paths[:min(n, len(paths))] {
		out = append(out, cleanPath(p))
	}
	return out
}
