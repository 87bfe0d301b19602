package campaign

import (
	"slices"

	"example.com/ambit/internal/canonjson"
)

// packetSubject stands for the packet in findings.
const packetSubject = "candidate_packet"

// CheckPacket judges a packet document, of this package or from outside, under what was observed of its builder. It is
// an allow-list: what is not exactly what a powerless proposal says is a finding. actions are allowed beside
// DefaultActions. No finding means that the packet proposes and authorises nothing. // P10 (2) to (4), P12
func CheckPacket(packet []byte, obs Observation, actions ...string) []Finding {
	v, err := canonjson.Parse(packetSubject, packet, limits)
	switch {
	case err != nil:
		return []Finding{finding(InputInvalidJSON, packetSubject)}
	case !v.Is(canonjson.KindObject):
		return []Finding{finding(InputNotObject, packetSubject)}
	}
	return checkPacket(v, tidy(obs), actions)
}

// checkPacket is checks 2 to 4.
func checkPacket(packet canonjson.Value, obs Observation, actions []string) []Finding {
	found := checkWitness(packet, obs)
	count, counted := packet.Get("candidate_count").Int64()
	if count < 1 {
		f := finding(CandidatePacketEmpty, "")
		if counted {
			f = f.observed(int(count))
		}
		found = append(found, f)
	}
	top := inDocument(packetSubject)
	shape := checkKeys(packet, &top, packetKeys)
	shape = append(shape, checkDrafted(packet, &top)...)
	rows := packet.Get("candidates")
	list := top.key("candidates")
	i, ids := 0, map[string]bool{}
	for row := range rows.Items() {
		at := list.index(i)
		i++
		if powerful(row, actions) {
			found = append(found, finding(SourceWriteForbidden, at.String()).ofCase(candidateID(row)))
		}
		shape = append(shape, checkKeys(row, &at, rowKeys)...)
		id := row.Get("candidate_id").Text()
		if ids[id] {
			shape = append(shape, finding(RowInvalid, spell(at.key("candidate_id"))).saying("the same candidate id twice"))
		}
		ids[id] = true
	}
	if counted && int64(i) != count {
		shape = append(shape, finding(CountMismatch, spell(top.key("candidate_count"))).expected(i).observed(int(count)))
	}
	if i > MaxCandidates {
		shape = append(shape, finding(RowInvalid, list.String()).saying("at most 256 candidates are reviewed"))
	}
	return slices.Concat(capped(found), claimsOf(packet), capped(shape))
}

// checkWitness is check 2: the witness passed, a live builder ended with 0, and the packet is drafted. An end that is all
// that was wrong is the second code alone. What the witness found beyond the reference component's codes follows.
func checkWitness(packet canonjson.Value, obs Observation) []Finding {
	var found []Finding
	failed := obs.Live != nil && obs.Live.failed()
	onlyEnd := failed && obs.ErrorCode == "" && obs.Live.reports() && isSourceDigest(obs.SourceDigest)
	if status := obs.Status(); status != Pass && !onlyEnd {
		f := finding(WitnessBlocked, "").observed(status.String())
		if obs.ErrorCode != "" {
			f = f.observed(string(obs.ErrorCode))
		}
		found = append(found, f)
	}
	if failed || packet.Get("status").Text() != "drafted" {
		f := finding(PacketSubprocessFailed, "")
		if obs.Live != nil && obs.Live.ReturnCode != nil {
			f = f.observed(*obs.Live.ReturnCode)
		}
		found = append(found, f)
	}
	if obs.ErrorCode.Own() && obs.ErrorCode != BuilderWrote {
		found = append(found, finding(obs.ErrorCode, obs.BuilderRef))
	}
	if l := obs.Live; l != nil && l.TreeBefore != "" && l.TreeAfter != "" && !l.unchanged() || obs.ErrorCode == BuilderWrote {
		f := finding(BuilderWrote, obs.BuilderRef)
		if l != nil && len(l.Changed) > 0 {
			f = f.observed(slices.Clone(l.Changed))
		}
		found = append(found, f)
	}
	return found
}

// checkDrafted looks at what a drafted packet says of its witness: any other end than a pass contradicts the draft. // P20
func checkDrafted(packet canonjson.Value, top *pointer) []Finding {
	const key = "real_campaign_builder_witness_status"
	status := packet.Get(key).Text()
	if packet.Get("status").Text() != "drafted" || status == Pass.String() || !slices.Contains(statusNames[:], status) {
		return nil
	}
	return []Finding{finding(RowInvalid, spell(top.key(key))).saying("a drafted packet has a witness that passed")}
}

// claimsOf looks for authority in the packet outside its rows; a row that claims any is a powerful row already.
func claimsOf(packet canonjson.Value) []Finding {
	var found some
	top := inDocument(packetSubject)
	for key, value := range packet.Members() {
		at := top.key(key.Text())
		switch {
		case key.Text() == "candidates" && value.Is(canonjson.KindArray):
		case !grants(key.Text(), value):
			claims(value, &at, &found)
		case found.room():
			found.add(finding(AuthorityClaimed, at.String()))
		}
	}
	return found.all()
}

// powerful reports a row that authorises: it says something else than a powerless row says. What it does not say at all
// is for checkKeys.
func powerful(row canonjson.Value, actions []string) bool {
	if review := row.Get("requires_human_review"); review.Exists() && !review.True() {
		return true
	}
	if action := row.Get("action"); action.Exists() && !(action.Is(canonjson.KindString) && knownAction(action.Text(), actions)) {
		return true
	}
	var found some
	claims(row, new(pointer), &found)
	return found.n > 0
}

func candidateID(row canonjson.Value) string {
	id := row.Get("candidate_id").Text()
	if id == "" {
		return ""
	}
	return named(id)
}

// key is what one key of a closed object must hold.
type key struct {
	name  string
	holds func(canonjson.Value) bool
}

var packetKeys = []key{
	{"schema_version", exactly(PacketSchema)},
	{"status", oneOf("drafted", "blocked")},
	{"candidate_count", func(v canonjson.Value) bool { n, ok := v.Int64(); return ok && n >= 0 }},
	{"candidates", func(v canonjson.Value) bool { return v.Is(canonjson.KindArray) }},
	{"plan_digest", func(v canonjson.Value) bool {
		_, ok := parseDigest(v.Text())
		return ok || v.Is(canonjson.KindNull)
	}},
	{"self_repair_authorized", isFalse},
	{"source_mutation_authorized", isFalse},
	{"real_campaign_builder_witness_status", oneOf(statusNames[:]...)},
	{"body_in_receipt", isFalse},
}

var rowKeys = []key{
	{"candidate_id", usable},
	{"gap_id", usable},
	{"action", func(v canonjson.Value) bool { return v.Is(canonjson.KindString) }}, // which one is powerful's to say
	{"write_surface", exactly(WriteSurfaceNone)},
	{"requires_human_review", canonjson.Value.True},
	{"source_mutation_authorized", isFalse},
	{"campaign_builder_ref", usable},
	{"campaign_builder_source_digest", func(v canonjson.Value) bool { return isSourceDigest(v.Text()) }},
	{"body_in_receipt", isFalse},
}

func exactly(text string) func(canonjson.Value) bool { return oneOf(text) }

func oneOf(texts ...string) func(canonjson.Value) bool {
	return func(v canonjson.Value) bool { return v.Is(canonjson.KindString) && slices.Contains(texts, v.Text()) }
}

func isFalse(v canonjson.Value) bool { return v.Is(canonjson.KindBool) && !v.True() }

func usable(v canonjson.Value) bool { return v.Is(canonjson.KindString) && usableText(v.Text()) == "" }

// checkKeys compares an object with its closed shape: every key there, none else, each holding what it must. Keys whose
// wrong value is authority are reported by powerful and claimsOf, not here as well.
func checkKeys(v canonjson.Value, where *pointer, shape []key) []Finding {
	if !v.Is(canonjson.KindObject) {
		return []Finding{finding(RowInvalid, where.String()).saying("an object is needed")}
	}
	var found []Finding
	for name, value := range v.Members() {
		i := slices.IndexFunc(shape, func(k key) bool { return k.name == name.Text() })
		at := where.key(name.Text())
		switch {
		case i < 0:
			found = append(found, finding(RowInvalid, at.String()).saying("no such key"))
		case !shape[i].holds(value) && !grants(name.Text(), value) && name.Text() != "requires_human_review" && name.Text() != "action":
			found = append(found, finding(RowInvalid, at.String()).saying("not what this key holds"))
		}
	}
	for _, k := range shape {
		if !v.Get(k.name).Exists() {
			found = append(found, finding(RowInvalid, spell(where.key(k.name))).saying("the key is missing"))
		}
	}
	return found
}
