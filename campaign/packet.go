package campaign

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"example.com/ambit/internal/canonjson"
)

// PacketSchema is the schema version of a packet.
const PacketSchema = "bounded_autonomy_candidate_packet_v1"

// WriteSurfaceNone is the only write surface that a candidate may name.
const WriteSurfaceNone = "none"

// Candidate is one proposal. It has no field for authority: what a proposal may do is fixed, and its stamps are methods.
// // P20
type Candidate struct {
	Number              int    // from 1
	GapID               string // the coverage gap that it would close
	BuilderRef          string // the builder that was witnessed
	BuilderSourceDigest string // as the witness gave it
}

// ID gives the candidate's id, real_builder::<number>.
func (c Candidate) ID() string { return "real_builder::" + strconv.Itoa(c.Number) }

// Action gives what is proposed: a draft, and never anything else.
func (c Candidate) Action() string { return DraftCandidatePacket }

// WriteSurface gives where the candidate may write: nowhere.
func (c Candidate) WriteSurface() string { return WriteSurfaceNone }

// RequiresHumanReview is true of every candidate.
func (c Candidate) RequiresHumanReview() bool { return true }

// SourceMutationAuthorized is false of every candidate.
func (c Candidate) SourceMutationAuthorized() bool { return false }

// MarshalJSON gives the row with its stamps.
func (c Candidate) MarshalJSON() ([]byte, error) { return canonjson.Compact(c.node()), nil }

func (c Candidate) node() canonjson.Object {
	return canonjson.Object{
		{Key: "candidate_id", Value: canonjson.String(c.ID())},
		{Key: "gap_id", Value: canonjson.String(c.GapID)},
		{Key: "action", Value: canonjson.String(c.Action())},
		{Key: "write_surface", Value: canonjson.String(c.WriteSurface())},
		{Key: "requires_human_review", Value: canonjson.Bool(c.RequiresHumanReview())},
		{Key: "source_mutation_authorized", Value: canonjson.Bool(c.SourceMutationAuthorized())},
		{Key: "campaign_builder_ref", Value: canonjson.String(c.BuilderRef)},
		{Key: "campaign_builder_source_digest", Value: canonjson.String(c.BuilderSourceDigest)},
		{Key: "body_in_receipt", Value: canonjson.Bool(false)},
	}
}

// Packet is a draft: what was proposed, and under which witness. The zero Packet is blocked and proposes nothing.
type Packet struct {
	Candidates []Candidate // what is proposed, in the order of the gaps
	PlanDigest string      // "sha256:" and hexadecimal digits; "" when nobody was asked. // P11, P13
	Witness    Status      // the witness's
}

// Drafted reports whether the packet is a draft; else it is blocked, whatever rows it has.
func (p Packet) Drafted() bool { return p.Witness == Pass }

func (p Packet) status() string {
	if p.Drafted() {
		return "drafted"
	}
	return "blocked"
}

// MarshalJSON gives the packet's document. // P20
func (p Packet) MarshalJSON() ([]byte, error) { return canonjson.Compact(p.node()), nil }

func (p Packet) node() canonjson.Object {
	rows := make(canonjson.Array, len(p.Candidates))
	for i, c := range p.Candidates {
		rows[i] = c.node()
	}
	var plan canonjson.Node = canonjson.Null{}
	if p.PlanDigest != "" {
		plan = canonjson.String(p.PlanDigest)
	}
	return canonjson.Object{
		{Key: "schema_version", Value: canonjson.String(PacketSchema)},
		{Key: "status", Value: canonjson.String(p.status())},
		{Key: "candidate_count", Value: canonjson.Int(len(p.Candidates))},
		{Key: "candidates", Value: rows},
		{Key: "plan_digest", Value: plan},
		{Key: "self_repair_authorized", Value: canonjson.Bool(false)},
		{Key: "source_mutation_authorized", Value: canonjson.Bool(false)},
		{Key: "real_campaign_builder_witness_status", Value: canonjson.String(p.Witness.String())},
		{Key: "body_in_receipt", Value: canonjson.Bool(false)},
	}
}

// UnmarshalJSON reads a packet that this package rendered, and nothing else: a document that says anything that a Packet
// cannot say is an error.
func (p *Packet) UnmarshalJSON(data []byte) error {
	v, err := canonjson.Parse("packet", data, limits)
	if err != nil {
		return err
	}
	var q Packet
	if err := q.Witness.UnmarshalText([]byte(v.Get("real_campaign_builder_witness_status").Text())); err != nil {
		return err
	}
	q.PlanDigest = v.Get("plan_digest").Text()
	for row := range v.Get("candidates").Items() {
		q.Candidates = append(q.Candidates, Candidate{
			Number: len(q.Candidates) + 1, GapID: row.Get("gap_id").Text(),
			BuilderRef: row.Get("campaign_builder_ref").Text(), BuilderSourceDigest: row.Get("campaign_builder_source_digest").Text(),
		})
	}
	if !bytes.Equal(canonjson.Compact(v), canonjson.Compact(q.node())) {
		return &Error{File: "packet", Code: string(RowInvalid), Err: errors.New("the packet is not one that this package drafts")}
	}
	*p = q
	return nil
}

// Draft turns inputs and an observation into a packet: as many rows as the policy allows, the witness stands for, and
// there are usable gaps; none when a document is refused. Rows are never invented. // P11, P20
func Draft(in Inputs, obs Observation) Packet {
	r := read(in)
	if r.refused() {
		return Packet{}
	}
	return r.draft(obs)
}

func (r reading) draft(obs Observation) Packet {
	p := Packet{Witness: obs.Status()}
	n := min(r.limit, obs.targets(r.limit), len(r.gaps))
	for i, gap := range r.gaps[:n] {
		p.Candidates = append(p.Candidates, Candidate{Number: i + 1, GapID: gap, BuilderRef: obs.BuilderRef, BuilderSourceDigest: obs.SourceDigest})
	}
	p.PlanDigest = r.plan(obs, r.gaps[:n])
	return p
}

// plan gives the digest that the ledger of failed plans is compared with. // P13
func (r reading) plan(obs Observation, gaps []string) string {
	return canonjson.Hash(canonjson.Object{
		{Key: "allowed_actions", Value: canonjson.Strings(distinct(r.actions))},
		{Key: "builder_ref", Value: canonjson.String(obs.BuilderRef)},
		{Key: "builder_source_digest", Value: canonjson.String(obs.SourceDigest)},
		{Key: "gap_ids", Value: canonjson.Strings(gaps)},
		{Key: "max_candidate_count", Value: canonjson.Int(r.limit)},
		{Key: "schema_version", Value: canonjson.String("ambit_campaign_plan_v1")},
	})
}

// distinct gives the different texts of a list, sorted by code point.
func distinct(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}
