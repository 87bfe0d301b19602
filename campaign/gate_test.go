package campaign

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/internal/regime"
)

// authorises says, by its own reading and not by the gate's code, whether a packet would let anyone do anything: it
// holds authority at any depth, or says of a row anything but that it is powerless.
func authorises(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, authorises)
	case map[string]any:
		for k, x := range v {
			squeezed := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(k))
			switch {
			case strings.HasSuffix(squeezed, "authorized") && x != false,
				squeezed == "writesurface" && x != "none",
				k == "requires_human_review" && x != true,
				k == "action" && !slices.Contains(DefaultActions(), text(x)):
				return true
			}
			if authorises(x) {
				return true
			}
		}
	}
	return false
}

func text(v any) string { s, _ := v.(string); return s }

// complete says whether every row says of itself that it is powerless.
func complete(packet map[string]any) bool {
	rows, _ := packet["candidates"].([]any)
	for _, r := range rows {
		row, _ := r.(map[string]any)
		if row["write_surface"] != "none" || row["requires_human_review"] != true || row["source_mutation_authorized"] != false {
			return false
		}
	}
	return packet["source_mutation_authorized"] == false && packet["self_repair_authorized"] == false
}

// packets makes packets that are nearly right.
type packets struct{ *rand.Rand }

var oddKeys = []string{
	"write_surface", "source_mutation_authorized", "requires_human_review", "action", "candidate_id", "gap_id", "body_in_receipt",
	"self_repair_authorized", "release_authorized", "Write_Surface", "writeSurface", "sourceMutationAuthorized", "provider-calls-authorized",
	"candidate_count", "candidates", "status", "schema_version", "plan_digest", "extra", "body", "campaign_builder_ref",
	"campaign_builder_source_digest", "real_campaign_builder_witness_status", "",
}

func (p packets) value(depth int) any {
	values := []any{
		true, false, nil, "none", "None", " none", "source", "repo", "draft_candidate_packet", "write_source", "apply_patch", "read_gap",
		"drafted", "blocked", "pass", "", "x", 0, 1, 2, 3, -1, 1.5, "true", "false", PacketSchema, "real_builder::1",
	}
	switch n := p.IntN(len(values) + 3); {
	case n < len(values):
		return values[n]
	case depth > 2:
		return nil
	case n == len(values):
		return []any{p.value(depth + 1)}
	default:
		return map[string]any{oddKeys[p.IntN(len(oddKeys))]: p.value(depth + 1)}
	}
}

func (p packets) row(i int) map[string]any {
	return map[string]any{
		"candidate_id": "real_builder::" + string(rune('1'+i)), "gap_id": "gap.alpha", "action": "draft_candidate_packet",
		"write_surface": "none", "requires_human_review": true, "source_mutation_authorized": false,
		"campaign_builder_ref": "b", "campaign_builder_source_digest": "d00d", "body_in_receipt": false,
	}
}

func (p packets) packet() map[string]any {
	var rows []any
	n := 1 + p.IntN(3)
	for i := range n {
		rows = append(rows, p.row(i))
	}
	m := map[string]any{
		"schema_version": PacketSchema, "status": "drafted", "candidate_count": n, "candidates": rows, "plan_digest": nil,
		"self_repair_authorized": false, "source_mutation_authorized": false, "real_campaign_builder_witness_status": "pass", "body_in_receipt": false,
	}
	for range p.IntN(4) {
		spot := m
		if p.IntN(3) > 0 {
			spot = rows[p.IntN(n)].(map[string]any)
		}
		key := oddKeys[p.IntN(len(oddKeys))]
		if p.IntN(8) == 0 {
			delete(spot, key)
		} else {
			spot[key] = p.value(0)
		}
	}
	return m
}

// TestRandomPackets holds that nothing that authorises anything passes the gate, and that what is right does.
func TestRandomPackets(t *testing.T) {
	n := regime.Cases(t, 20_000, 1_000_000)
	if regime.Race {
		n /= 10
	}
	p := packets{rand.New(rand.NewPCG(1, 2))}
	obs := passing()
	passed, bad := 0, 0
	for range n {
		m := p.packet()
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		found := CheckPacket(data, obs)
		danger := authorises(m) || !complete(m)
		if danger {
			bad++
		}
		if len(found) == 0 {
			passed++
			if danger {
				t.Fatalf("passes: %s", data)
			}
		}
	}
	t.Logf("%d packets, %d would authorise, %d pass", n, bad, passed)
	if passed < n/100 || bad < n/10 {
		t.Errorf("of %d packets %d pass and %d are bad: the generator shows nothing", n, passed, bad)
	}
}

// FuzzCheckPacket holds the same for texts that are no packets at all.
func FuzzCheckPacket(f *testing.F) {
	good, err := Draft(sample(), passing()).MarshalJSON()
	if err != nil {
		f.Fatal(err)
	}
	if found := CheckPacket(good, passing()); len(found) != 0 {
		f.Fatalf("a drafted packet does not pass: %v", found)
	}
	f.Add(good)
	f.Add([]byte(strings.Replace(string(good), `"none"`, `"source"`, 1)))
	f.Add([]byte(`{"candidates":[{"write_surface":"none","write_surface":"source"}]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		found := CheckPacket(data, passing())
		if len(found) > 0 {
			return
		}
		var m map[string]any
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatalf("passes and is not JSON: %q", data)
		}
		if authorises(m) || !complete(m) {
			t.Fatalf("passes: %s", data)
		}
	})
}

func TestGate(t *testing.T) {
	for name, tt := range map[string]struct {
		packet string
		code   Code
	}{
		"not JSON":      {"{", InputInvalidJSON},
		"not an object": {"[]", InputNotObject},
	} {
		if got := codesOf(CheckPacket([]byte(tt.packet), passing())); !slices.Equal(got, []Code{tt.code}) {
			t.Errorf("%s: %v", name, got)
		}
	}
	good, err := Draft(sample(), passing()).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	triage := []byte(strings.ReplaceAll(string(good), "draft_candidate_packet", "triage"))
	if got := CheckPacket(triage, passing(), "triage"); len(got) != 0 {
		t.Errorf("an action that the caller allows: %v", got)
	}
	if got := codesOf(CheckPacket(triage, passing())); !slices.Equal(got, []Code{SourceWriteForbidden, SourceWriteForbidden}) {
		t.Errorf("an action that nobody allows: %v", got)
	}
	twice := []byte(strings.ReplaceAll(string(good), "real_builder::2", "real_builder::1"))
	if got := codesOf(CheckPacket(twice, passing())); !slices.Equal(got, []Code{RowInvalid}) {
		t.Errorf("one id twice: %v", got)
	}
	for _, status := range []string{"blocked", "not_observed"} {
		other := []byte(strings.Replace(string(good), `_witness_status":"pass"`, `_witness_status":"`+status+`"`, 1))
		if got := codesOf(CheckPacket(other, passing())); !slices.Equal(got, []Code{RowInvalid}) {
			t.Errorf("drafted under a witness that is %s: %v", status, got)
		}
	}
	row := string(good[strings.Index(string(good), "{\"candidate_id\""):])
	row = row[:strings.Index(row, "}")+1]
	var many []string
	for i := range MaxCandidates + 1 {
		many = append(many, strings.Replace(row, "real_builder::1", "c"+strings.Repeat("1", i/26)+string(rune('0'+i%10))+string(rune('a'+i%26)), 1))
	}
	all := `{"schema_version":"` + PacketSchema + `","status":"drafted","candidate_count":257,"candidates":[` + strings.Join(many, ",") +
		`],"plan_digest":null,"self_repair_authorized":false,"source_mutation_authorized":false,"real_campaign_builder_witness_status":"pass","body_in_receipt":false}`
	if got := codesOf(CheckPacket([]byte(all), passing())); !slices.Contains(got, RowInvalid) {
		t.Errorf("257 rows: %v", got)
	}
	if got := codesOf(CheckPacket(good, Observation{})); !slices.Equal(got, []Code{WitnessBlocked}) {
		t.Errorf("unwitnessed: %v", got)
	}
	five := 5
	if got := CheckPacket(good, gateObservation(&five)); !slices.Equal(codesOf(got), []Code{PacketSubprocessFailed}) || got[0].Observed != 5 {
		t.Errorf("return code 5: %v", got)
	}
}

// TestAuthorityHoweverSpelled states that a key claims authority by its letters, however many signs stand between them
// and in whatever case or script variant they are written (H05).
func TestAuthorityHoweverSpelled(t *testing.T) {
	good, err := Draft(sample(), passing()).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"release_authorized", "release_author\u0131zed", "releaseAuthorised", "write_\u017furface", "WRITE" + strings.Repeat("_", 255) + "SURFACE",
		"w" + strings.Repeat("-", 5000) + "rite_surface", "\uff57rite_surface", strings.Repeat("x", 5000) + "_authorized", "wr\u200bite_surface",
	} {
		packet := `{"` + key + `":"yes",` + string(good[1:])
		if got := codesOf(CheckPacket([]byte(packet), passing())); !slices.Contains(got, AuthorityClaimed) {
			t.Errorf("%.40s: %v", key, got)
		}
	}
	for _, key := range []string{"un_authorized", strings.Repeat("un", 200) + "authorised", "write_surface_note", "authorized_by"} {
		packet := `{"` + key + `":"yes",` + string(good[1:])
		if got := codesOf(CheckPacket([]byte(packet), passing())); slices.Contains(got, AuthorityClaimed) {
			t.Errorf("%.40s claims authority: %v", key, got)
		}
	}
}

// TestFindingsOfTheGate states what each finding says beside its code: the case, what was there, and what should be.
func TestFindingsOfTheGate(t *testing.T) {
	good, err := Draft(sample(), passing()).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	replaced := func(old, new string) string {
		out := strings.Replace(string(good), old, new, 1)
		if out == string(good) {
			t.Fatalf("the packet has no %s", old)
		}
		return out
	}
	wrote := passing()
	wrote.ErrorCode = BuilderWrote
	unseen := wrote
	unseen.Live = nil
	listed := passing()
	listed.Live.TreeAfter, listed.Live.Changed, listed.Live.ChangedCount = hexOf([]byte("x")), []string{"a.txt"}, 1
	plain := finding(SourceWriteForbidden, "candidate_packet#/candidates/0")
	for name, tt := range map[string]struct {
		packet string
		obs    Observation
		want   Finding
	}{
		"no candidate":              {replaced(`"candidate_count":2`, `"candidate_count":0`), passing(), finding(CandidatePacketEmpty, "").observed(0)},
		"a count below none":        {replaced(`"candidate_count":2`, `"candidate_count":-1`), passing(), finding(CandidatePacketEmpty, "").observed(-1)},
		"a count that is no number": {replaced(`"candidate_count":2`, `"candidate_count":"2"`), passing(), finding(CandidatePacketEmpty, "")},
		"what such a key holds":     {replaced(`"candidate_count":2`, `"candidate_count":"2"`), passing(), finding(RowInvalid, "candidate_packet#/candidate_count").saying("not what this key holds")},
		"nor less than none":        {replaced(`"candidate_count":2`, `"candidate_count":-1`), passing(), finding(RowInvalid, "candidate_packet#/candidate_count").saying("not what this key holds")},
		"another count":             {replaced(`"candidate_count":2`, `"candidate_count":3`), passing(), finding(CountMismatch, "candidate_packet#/candidate_count").expected(2).observed(3)},
		"a powerful row":            {replaced(`"requires_human_review":true`, `"requires_human_review":false`), passing(), plain.ofCase("real_builder::1")},
		"one whose id is no name":   {strings.Replace(replaced(`"requires_human_review":true`, `"requires_human_review":1`), "real_builder::1", "a b", 1), passing(), plain.ofCase("sha256:" + hexOf([]byte("a b")))},
		"one whose id is empty":     {strings.Replace(replaced(`"requires_human_review":true`, `"requires_human_review":1`), "real_builder::1", "", 1), passing(), plain},
		"a builder that wrote":      {string(good), listed, finding(BuilderWrote, "builder.sh").observed([]string{"a.txt"})},
		"one that names no file":    {string(good), wrote, finding(BuilderWrote, "builder.sh")},
		"one that nobody ran":       {string(good), unseen, finding(BuilderWrote, "builder.sh")},
	} {
		got := CheckPacket([]byte(tt.packet), tt.obs)
		if !slices.ContainsFunc(got, func(f Finding) bool { return cmp.Equal(f, tt.want) }) {
			t.Errorf("%s: %+v is not among %+v", name, tt.want, got)
		}
	}
}
