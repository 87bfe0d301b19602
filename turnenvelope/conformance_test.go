package turnenvelope_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/conformance"
	"example.com/ambit/internal/fault"
	"example.com/ambit/turnenvelope"
	"github.com/google/go-cmp/cmp"
)

// recorded is a row of turnenvelope/cases.jsonl.gz.
type recorded struct {
	Name, Kind, Outcome string
	Context             struct {
		Kind  string
		Value json.RawMessage
	}
	Decision           conformance.Text `json:"decision_file"`
	Envelope           conformance.Text `json:"envelope_file"`
	SourceHash         string           `json:"source_hash"`
	EnvelopeHash       string           `json:"envelope_hash"`
	SourceDecisionHash string           `json:"source_decision_hash"`
	SummaryHash        *string          `json:"summary_hash"`
	Coverage           string
	Matches            bool
}

// host reads the host context of a row, whose fields may be of any type.
func (r recorded) host(t *testing.T) turnenvelope.Host {
	t.Helper()
	switch r.Context.Kind {
	case "profile":
		var name string
		if err := json.Unmarshal(r.Context.Value, &name); err != nil {
			t.Fatal(err)
		}
		return turnenvelope.Host{Profile: name}
	case "mapping":
		var m map[string]any
		if err := json.Unmarshal(r.Context.Value, &m); err != nil {
			t.Fatal(err)
		}
		get := func(k string) string { s, _ := m[k].(string); return s }
		return turnenvelope.Host{Surface: get("host_surface"), Owner: get("scheduler_owner"), Mode: get("execution_mode")}
	}
	return turnenvelope.Host{}
}

// knownDifferences are rows of the kinds edge and random whose envelope may differ from the recorded one, with the
// reason. N2
var knownDifferences = map[string]string{}

func TestConformance(t *testing.T) {
	count := map[string][2]int{} // kind: rows, equal ones
	refused := 0
	conformance.Run(t, "turnenvelope/cases.jsonl.gz", 637, func(r recorded) string { return r.Name }, func(t *testing.T, r recorded) {
		env, err := turnenvelope.Project(r.Decision.Bytes(), turnenvelope.Options{Host: r.host(t)})
		if r.Outcome == "error" {
			checkTyped(t, err)
			return
		}
		if err != nil {
			for _, e := range fault.All(err) {
				if e.Code != turnenvelope.CodeDuplicate {
					t.Fatalf("refused: %v", err)
				}
			}
			refused++
			return
		}
		n := count[r.Kind]
		n[0]++
		diff := compareRecorded(t, r, env)
		switch why, known := knownDifferences[r.Name]; {
		case diff == "":
			n[1]++
		case known && (r.Kind == "edge" || r.Kind == "random"):
			t.Logf("differs: %s", why)
		default:
			t.Error(diff)
		}
		count[r.Kind] = n
	})
	t.Logf("refused for duplicate keys: %d; equal of rows: %v", refused, count)
	rows, equal := count["edge"][0]+count["random"][0], count["edge"][1]+count["random"][1]
	if equal*100 < rows*99 {
		t.Errorf("edge and random: %d of %d equal, want 99%%", equal, rows)
	}
	for _, k := range []string{"matrix", "real_cli", "real_engine"} {
		if n := count[k]; n[0] != n[1] {
			t.Errorf("%s: %d of %d equal", k, n[1], n[0])
		}
	}
}

// checkTyped holds N2 for rows that the reference refuses: a typed error, or an envelope.
func checkTyped(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	all := fault.All(err)
	if len(all) == 0 {
		t.Errorf("no typed error in %v", err)
	}
	for _, e := range all {
		if e.Code == "" || e.Line < 1 || e.Err == nil {
			t.Errorf("incomplete: %+v", e)
		}
	}
}

// compareRecorded compares key for key, in order, but for the values of compaction (N5) and quoting (N6).
func compareRecorded(t *testing.T, r recorded, env *turnenvelope.Envelope) string {
	t.Helper()
	want, got := parse(t, r.Envelope.Bytes()), parse(t, env.JSON())
	var out []string
	sig := got.Get("action_signature")
	for _, h := range [...][2]string{
		{r.SourceHash, sig.Get("source_hash").Text()}, {r.EnvelopeHash, sig.Get("envelope_hash").Text()},
		{r.SourceDecisionHash, sig.Get("source_decision_hash").Text()}, {r.Coverage, sig.Get("coverage").Text()},
		{r.EnvelopeHash, env.Signature().Hash},
	} {
		if h[0] != h[1] {
			out = append(out, fmt.Sprintf("hash or coverage %s, want %s", h[1], h[0]))
		}
	}
	if s := got.At("contract_capsule", "protocol_action_packet", "summary_hash"); r.SummaryHash != nil && s.Text() != *r.SummaryHash {
		out = append(out, fmt.Sprintf("summary hash %s, want %s", s.Text(), *r.SummaryHash))
	}
	if d := cmp.Diff(comparable(want), comparable(got)); d != "" {
		out = append(out, "envelope (-want +got):\n"+d)
	}
	if n := env.JSON(); got.At("compaction", "envelope_json_bytes").Raw() != fmt.Sprint(len(n)) {
		out = append(out, "envelope_json_bytes is not the length of the text")
	}
	return strings.Join(out, "\n")
}

// comparable lists the members of an envelope in order, what may differ evened out.
func comparable(v canonjson.Value) []string {
	var out []string
	for k, x := range v.Members() {
		switch k.Text() {
		case "compaction":
			for c := range x.Members() {
				out = append(out, "compaction."+c.Text())
			}
		case "detail_ref":
			for c, y := range x.Members() {
				out = append(out, c.Text()+": "+unquoted(y))
			}
		default:
			out = append(out, k.Text()+": "+string(canonjson.Compact(x)))
		}
	}
	return out
}

// unquoted reads a command as a shell does, and puts the ids back as the reference spells them.
func unquoted(v canonjson.Value) string {
	s := v.Text()
	if s == "" {
		return string(canonjson.Compact(v))
	}
	for _, flag := range []string{"--goal-id", "--agent-id"} {
		s = strings.ReplaceAll(s, flag+"='-", flag+" '-")
		before, rest, ok := strings.Cut(s, flag+" '")
		if !ok {
			continue
		}
		var id strings.Builder
		for {
			part, after, _ := strings.Cut(rest, "'")
			id.WriteString(part)
			rest = after
			more, ok := strings.CutPrefix(rest, `\''`)
			if !ok {
				break
			}
			id.WriteByte('\'')
			rest = more
		}
		s = before + flag + " " + id.String() + rest
	}
	return s
}

func parse(t testing.TB, text []byte) canonjson.Value {
	t.Helper()
	v, err := canonjson.Parse("", text, canonjson.Limits{MaxBytes: 4 << 20, MaxDepth: 600})
	if err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return v
}

func decode(t testing.TB, data []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m
}
