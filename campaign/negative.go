package campaign

import (
	"context"
	"slices"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/enum"
)

// NegativeStatus says how a negative case ended. The zero NegativeStatus is that it did not run.
type NegativeStatus uint8

// The statuses of a negative case.
const (
	NotRun        NegativeStatus = iota // the baseline does not pass, so nothing can be shown by spoiling it
	Proven                              // the findings changed by exactly what they must
	NotProven                           // they did not
	NotApplicable                       // it is about the other kind of witness
	Unsupported                         // there is no such case
)

var negativeNames = [...]string{"not_run", "proven", "not_proven", "not_applicable", "unsupported"}

// String gives the status's word.
func (s NegativeStatus) String() string { return enum.Name("unknown", negativeNames[:], s) }

// MarshalText gives the status's word.
func (s NegativeStatus) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a status's word; another is an error that lists them.
func (s *NegativeStatus) UnmarshalText(text []byte) (err error) {
	*s, err = enum.Parse[NegativeStatus]("a status", negativeNames[:], text)
	return err
}

// NegativeCase is what one deliberate spoiling of a campaign that passes brought to light.
type NegativeCase struct {
	ID       string         `json:"case_id"`        // one of NegativeCases
	Status   NegativeStatus `json:"status"`         // how it ended
	Expected []Code         `json:"expected_codes"` // what it must add to the findings of the baseline, which are none
	Codes    []Code         `json:"error_codes"`    // what it did add; of a case that did not run, what the baseline has
}

// baseline is a campaign as it was judged: the bytes, and the one observation, which every mutant reuses. // P34, P42
type baseline struct {
	in      Inputs
	obs     Observation
	src     *sources // nil without a manifest
	ref     string   // the builder's row in it
	git     bool
	passing bool
}

// judge gives the findings of a baseline or a mutant of it. packet is nil but for the case of a row that authorises.
func (b baseline) judge(packet canonjson.Node) []Finding {
	var found []Finding
	if b.src != nil {
		found = b.src.check(b.git)
	}
	return append(found, read(b.in).conclude(b.obs, packet, b.in.Actions).Findings...)
}

// mutation is one negative case.
type mutation struct {
	id       string
	mode     Mode // the witness that it is about; Unwitnessed is any
	expected func(baseline) []Code
	spoil    func(baseline) []Finding
}

func always(codes ...Code) func(baseline) []Code { return func(baseline) []Code { return codes } }

// mutations are the negative cases, in the order in which they run. // P42
var mutations = []mutation{
	{"source_write_campaign_packet", Unwitnessed, always(SourceWriteForbidden), func(b baseline) []Finding {
		return b.edited(policyDoc, "allowed_actions", func(old canonjson.Value) canonjson.Node {
			return appended(old, canonjson.String("write_source"))
		})
	}},
	{"repeated_failed_campaign_digest", Unwitnessed, always(RepeatedFailedDigest), func(b baseline) []Finding {
		return b.edited(ledgerDoc, "failed_digests", func(old canonjson.Value) canonjson.Node {
			row := canonjson.Object{{Key: "digest", Value: canonjson.String(firstDigest(old))}}
			return canonjson.Array{row, row}
		})
	}},
	{"authority_flag_claimed", Unwitnessed, always(AuthorityClaimed), func(b baseline) []Finding {
		return b.edited(policyDoc, "self_repair_authorized", func(canonjson.Value) canonjson.Node { return canonjson.Bool(true) })
	}},
	{"builder_claims_write", LiveBuilder, always(WitnessBlocked, PacketSubprocessFailed), func(b baseline) []Finding {
		live := *b.obs.Live
		live.WrotePacket = true
		b.obs.Live = &live
		return b.judge(nil)
	}},
	{"tree_changed", LiveBuilder, always(WitnessBlocked, PacketSubprocessFailed, BuilderWrote), func(b baseline) []Finding {
		live := *b.obs.Live
		live.TreeAfter, live.Changed, live.ChangedCount = hexOf([]byte(live.TreeBefore)), []string{"mutant"}, 1
		b.obs.Live = &live
		return b.judge(nil)
	}},
	{"digest_drift", SourceManifest, driftCodes, func(b baseline) []Finding {
		b.src = b.src.drifted(b.ref)
		b.obs = tidy(b.src.witness(b.ref).Observe(context.Background(), 0))
		return b.judge(nil)
	}},
	{"plan_already_failed", Unwitnessed, always(PlanAlreadyFailed), func(b baseline) []Finding {
		plan := read(b.in).draft(b.obs).PlanDigest
		return b.edited(ledgerDoc, "failed_digests", func(old canonjson.Value) canonjson.Node {
			return appended(old, canonjson.Object{{Key: "digest", Value: canonjson.String(plan)}})
		})
	}},
	{"authorising_row", Unwitnessed, always(SourceWriteForbidden), func(b baseline) []Finding {
		return b.judge(authorising(read(b.in).draft(b.obs)))
	}},
	{"oversized_count", Unwitnessed, always(PolicyInvalid), func(b baseline) []Finding {
		return b.edited(policyDoc, "max_candidate_count", func(canonjson.Value) canonjson.Node { return canonjson.Int(MaxCandidates + 1) })
	}},
}

// NegativeCases lists the ids of all negative cases, in the order in which they run.
func NegativeCases() []string {
	ids := make([]string, len(mutations))
	for i, m := range mutations {
		ids[i] = m.id
	}
	return ids
}

// negative runs one case on a baseline.
func (b baseline) negative(id string) NegativeCase {
	i := slices.IndexFunc(mutations, func(m mutation) bool { return m.id == id })
	if i < 0 {
		return NegativeCase{ID: named(id), Status: Unsupported, Expected: []Code{}, Codes: []Code{NegativeCaseUnsupported}}
	}
	m := mutations[i]
	c := NegativeCase{ID: id, Expected: []Code{}, Codes: []Code{}}
	switch {
	case !b.passing:
		c.Codes = append(c.Codes, codesOf(b.judge(nil))...)
	case m.mode != Unwitnessed && m.mode != b.obs.Mode(), m.mode == SourceManifest && b.src == nil:
		c.Status = NotApplicable
	default:
		c.Expected = m.expected(b)
		c.Codes = codesOf(m.spoil(b))
		c.Status = NotProven
		if slices.Equal(c.Codes, c.Expected) {
			c.Status = Proven
		}
	}
	return c
}

// edited judges the baseline with one key of one document replaced.
func (b baseline) edited(doc int, key string, change func(old canonjson.Value) canonjson.Node) []Finding {
	data := b.in.bytes()
	data[doc] = canonjson.Compact(withKey(b.in.docs[doc].root, key, change(b.in.docs[doc].root.Get(key))))
	mutant := NewInputs(data[gapsDoc], data[policyDoc], data[ledgerDoc], data[protocolDoc])
	mutant.Actions = b.in.Actions
	b.in = mutant
	return b.judge(nil)
}

// withKey gives an object with one key set.
func withKey(v canonjson.Value, key string, value canonjson.Node) canonjson.Object {
	var o canonjson.Object
	for k, old := range v.Members() {
		if k.Text() != key {
			o = append(o, canonjson.Member{Key: k.Text(), Value: old})
		}
	}
	return append(o, canonjson.Member{Key: key, Value: value})
}

// appended gives a list with one more item.
func appended(list canonjson.Value, item canonjson.Node) canonjson.Array {
	var a canonjson.Array
	for old := range list.Items() {
		a = append(a, old)
	}
	return append(a, item)
}

func firstDigest(ledger canonjson.Value) string {
	if d := ledger.Index(0).Get("digest").Text(); d != "" {
		return d
	}
	return "sha256:" + "0000000000000000000000000000000000000000000000000000000000000000"
}

// authorising gives a packet whose first row would write to the source.
func authorising(p Packet) canonjson.Object {
	o := p.node()
	for i, m := range o {
		if m.Key != "candidates" {
			continue
		}
		rows := slices.Clone(m.Value.(canonjson.Array))
		row := slices.Clone(rows[0].(canonjson.Object))
		for j, cell := range row {
			switch cell.Key {
			case "write_surface":
				row[j].Value = canonjson.String("source")
			case "source_mutation_authorized":
				row[j].Value = canonjson.Bool(true)
			}
		}
		rows[0] = row
		o[i].Value = rows
	}
	return o
}

// driftCodes are what a drifted digest must bring; a normalised copy is unverified as well.
func driftCodes(b baseline) []Code {
	codes := []Code{SourceDigestMismatch, WitnessBlocked, PacketSubprocessFailed}
	if i := b.src.row(b.ref); i >= 0 && slices.Contains(normalized, b.src.rows[i].row.Get("source_to_target_relation").Text()) {
		codes = slices.Insert(codes, 0, SourceNormalizedCopy)
	}
	return codes
}

// row finds the first row of a source ref, -1 when there is none.
func (s *sources) row(ref string) int {
	return slices.IndexFunc(s.rows, func(m module) bool { return m.ref == ref })
}

// drifted gives the sources with another digest in the builder's row.
func (s *sources) drifted(ref string) *sources {
	mutant := *s
	mutant.rows = slices.Clone(s.rows)
	if i := s.row(ref); i >= 0 {
		row := withKey(s.rows[i].row, "sha256", canonjson.String(hexOf([]byte(s.rows[i].target.sum))))
		mutant.rows[i].row = readDocument(s.name, canonjson.Compact(row)).root
	}
	return &mutant
}
