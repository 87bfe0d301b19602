package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
	"github.com/google/go-cmp/cmp"
)

// TestOrder holds the order of findings: documents, each with its own; then the checks; then the ledger. // P10
func TestOrder(t *testing.T) {
	d := strings.Repeat("ab", 32)
	for name, tt := range map[string]struct {
		in   Inputs
		obs  Observation
		want []Code
	}{
		"nothing there": {Inputs{}, passing(), []Code{InputMissing, InputMissing, InputMissing, InputMissing}},
		"all of it": {
			NewInputs([]byte(`{"gaps":7,"x_authorized":true}`), []byte(`{"allowed_actions":["write_source","fly"],"max_candidate_count":-1}`),
				[]byte(`{"failed_digests":[{"digest":"`+d+`"},{"digest":"`+d+`"},{"digest":"x"}]}`), []byte(`[]`)),
			passing(),
			[]Code{GapsInvalid, AuthorityClaimed, ActionUnknown, PolicyInvalid, LedgerInvalid, InputNotObject, SourceWriteForbidden, RepeatedFailedDigest},
		},
		"unwitnessed":       {sample(), Observation{}, []Code{WitnessBlocked, PacketSubprocessFailed, CandidatePacketEmpty}},
		"blocked with rows": {sample(), edited(func(o *Observation) { o.Live.Kind = false }), []Code{WitnessBlocked, PacketSubprocessFailed}},
		"says it wrote":     {sample(), edited(func(o *Observation) { o.Live.WrotePacket = true }), []Code{WitnessBlocked, PacketSubprocessFailed}},
		"did nothing":       {sample(), edited(func(o *Observation) { o.Live.NoOp = true }), []Code{WitnessBlocked, PacketSubprocessFailed}},
		"no targets":        {sample(), edited(func(o *Observation) { o.Live.Targets = 0 }), []Code{WitnessBlocked, PacketSubprocessFailed, CandidatePacketEmpty}},
		"fewer than none":   {sample(), edited(func(o *Observation) { o.Live.Targets = -5 }), []Code{WitnessBlocked, PacketSubprocessFailed, CandidatePacketEmpty}},
		"no source digest":  {sample(), edited(func(o *Observation) { o.SourceDigest = "" }), []Code{WitnessBlocked, PacketSubprocessFailed}},
		"tree not seen":     {sample(), edited(func(o *Observation) { o.Live.TreeAfter = "" }), []Code{WitnessBlocked, PacketSubprocessFailed}},
		"only its end":      {sample(), edited(func(o *Observation) { five := 5; o.Live.ReturnCode = &five }), []Code{PacketSubprocessFailed}},
		"two witnesses":     {sample(), edited(func(o *Observation) { o.Copied = &Copied{} }), []Code{WitnessBlocked, PacketSubprocessFailed, CandidatePacketEmpty}},
		"late and written": {sample(), edited(func(o *Observation) {
			o.ErrorCode, o.Live.ReturnCode, o.Live.Targets, o.SourceDigest = BuilderTimeout, nil, 0, ""
			o.Live.TreeAfter, o.Live.Changed = hexOf([]byte("x")), []string{"a\nb"}
		}), []Code{WitnessBlocked, PacketSubprocessFailed, BuilderWrote, CandidatePacketEmpty}},
		"a code of its own making": {sample(), edited(func(o *Observation) { o.ErrorCode = "FINE" }), []Code{WitnessBlocked, PacketSubprocessFailed, BuilderReportInvalid}},
		"a body for a digest":      {sample(), edited(func(o *Observation) { o.Live.StdoutSHA256 = "the output" }), []Code{WitnessBlocked, PacketSubprocessFailed, BuilderReportInvalid}},
		"a body for a ref":         {sample(), edited(func(o *Observation) { o.BuilderRef = strings.Repeat("x", 200) }), []Code{WitnessBlocked, PacketSubprocessFailed, BuilderReportInvalid}},
		"a limit of none":          {with(policyDoc, `{"max_candidate_count":0}`), passing(), []Code{CandidatePacketEmpty}},
	} {
		e := Evaluate(context.Background(), tt.in, replayed{tt.obs})
		if d := cmp.Diff(tt.want, codesOf(e.Findings)); d != "" || e.Status() != Blocked {
			t.Errorf("%s: %v\n%s", name, e.Status(), d)
		}
	}
	e := Evaluate(context.Background(), sample(), nil)
	if e.Status() != Blocked || e.Observation.Status() != NotObserved || e.Findings[0].Observed != "not_observed" {
		t.Errorf("no witness: %+v", e)
	}
	if (Evaluation{}).Status() != Blocked {
		t.Error("the zero Evaluation passes")
	}
}

func edited(edit func(*Observation)) Observation {
	o := passing()
	edit(&o)
	return o
}

// TestRows holds how many rows there are and what they say. // P20
func TestRows(t *testing.T) {
	for name, tt := range map[string]struct {
		limit, targets, gaps, want int
	}{
		"all of them":          {2, 2, 2, 2},
		"the policy's limit":   {1, 9, 9, 1},
		"the builder's count":  {9, 3, 9, 3},
		"the gaps":             {256, 1 << 30, 4, 4},
		"as many as there can": {256, 300, 300, 256},
	} {
		var gaps []string
		for i := range tt.gaps {
			gaps = append(gaps, fmt.Sprintf(`{"gap_id":"gap %d"}`, i))
		}
		data := sample().bytes()
		in := NewInputs([]byte(`{"gaps":[`+strings.Join(gaps, ",")+`]}`), fmt.Appendf(nil, `{"max_candidate_count":%d}`, tt.limit), data[2], data[3])
		e := Evaluate(context.Background(), in, replayed{edited(func(o *Observation) { o.Live.Targets = tt.targets })})
		if e.Status() != Pass || len(e.Packet.Candidates) != tt.want {
			t.Errorf("%s: %v with %d rows, want %d: %v", name, e.Status(), len(e.Packet.Candidates), tt.want, codesOf(e.Findings))
		}
		for i, c := range e.Packet.Candidates {
			if c.ID() != fmt.Sprintf("real_builder::%d", i+1) || c.GapID != fmt.Sprintf("gap %d", i) || c.BuilderRef != "builder.sh" || c.BuilderSourceDigest != "d00d" {
				t.Errorf("%s: row %d is %+v", name, i, c)
			}
		}
	}
	if p := Draft(with(gapsDoc, "{"), passing()); p.Drafted() || p.PlanDigest != "" || len(p.Candidates) != 0 {
		t.Errorf("refused documents drafted %+v", p)
	}
}

// TestPlanDigest pins the digest that ledgers hold. // P13
func TestPlanDigest(t *testing.T) {
	in := with(policyDoc, `{"allowed_actions":["read_gap","draft_candidate_packet","read_gap"]}`)
	text := `{"allowed_actions":["draft_candidate_packet","read_gap"],"builder_ref":"builder.sh","builder_source_digest":"d00d",` +
		`"gap_ids":["gap.alpha","gap.beta"],"max_candidate_count":2,"schema_version":"ambit_campaign_plan_v1"}`
	if got, want := Draft(in, passing()).PlanDigest, "sha256:"+hexOf([]byte(text)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestBounds holds that a hostile document costs a bounded record.
func TestBounds(t *testing.T) {
	many := strings.Repeat(`7,`, 100_000) + "7"
	for doc, key := range map[int]string{gapsDoc: "gaps", policyDoc: "allowed_actions", ledgerDoc: "failed_digests"} {
		from := time.Now()
		e := judged(with(doc, `{"`+key+`":[`+many+`]}`))
		if n := len(e.Findings); n < maxFindings || n > 2*maxFindings {
			t.Errorf("%s: %d findings", key, n)
		}
		if took := time.Since(from); took > 2*time.Second {
			t.Errorf("%s: %v", key, took)
		}
	}
	deep := strings.Repeat(`{"a_authorized":`, 63) + "1" + strings.Repeat("}", 63)
	if e := judged(with(protocolDoc, deep)); e.Status() != Blocked || len(e.Findings) != 63 {
		t.Errorf("%d findings", len(e.Findings))
	}
	long := `{"` + strings.Repeat("x", 5000) + `_authorized":true,"a/b~c":[{"release_authorized":0}]}`
	e := judged(with(protocolDoc, long))
	want := []string{
		"projection_protocol.json#/sha256:" + hexOf([]byte(strings.Repeat("x", 5000)+"_authorized")),
		"projection_protocol.json#/sha256:" + hexOf([]byte("a/b~c")) + "/0/release_authorized",
	}
	var got []string
	for _, f := range e.Findings {
		got = append(got, f.Subject)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestTime holds the figure of a judgement in memory: the best of many, since the machine has others to serve.
func TestTime(t *testing.T) {
	if regime.Race {
		t.Skip("a figure of speed")
	}
	in, w := sample(), sampleSources().witness("")
	best := time.Hour
	for range 200 {
		from := time.Now()
		for range 10 {
			Evaluate(context.Background(), in, w)
		}
		best = min(best, time.Since(from)/10)
	}
	t.Logf("Evaluate takes %v", best)
	if best > 50*time.Microsecond {
		t.Errorf("Evaluate takes %v, at most 50 µs", best)
	}
}

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		word interface {
			String() string
			MarshalText() ([]byte, error)
		}
		into interface{ UnmarshalText([]byte) error }
		want string
	}{
		{NotObserved, new(Status), "not_observed"}, {Pass, new(Status), "pass"}, {Status(9), new(Status), "unknown(9)"},
		{Unwitnessed, new(Mode), "none"}, {LiveBuilder, new(Mode), "live_macro_builder"}, {Mode(9), new(Mode), "unknown(9)"},
		{NotRun, new(NegativeStatus), "not_run"}, {Proven, new(NegativeStatus), "proven"}, {NegativeStatus(9), new(NegativeStatus), "unknown(9)"},
	} {
		text, _ := tt.word.MarshalText()
		if string(text) != tt.want || tt.word.String() != tt.want {
			t.Errorf("%s, want %s", text, tt.want)
		}
		if err := tt.into.UnmarshalText(text); (err != nil) != strings.HasPrefix(tt.want, "unknown") {
			t.Errorf("%s: %v", text, err)
		}
	}
	var s Status
	err := s.UnmarshalText([]byte(strings.Repeat("é", 100)))
	if err == nil || !strings.Contains(err.Error(), "allowed: not_observed, blocked, pass") || len(err.Error()) > 300 {
		t.Error(err)
	}
}

// TestCodes holds that the table of codes is closed, and each has its sentence.
func TestCodes(t *testing.T) {
	own := 0
	for c, text := range sentences {
		if text == "" || strings.HasSuffix(text, ".") || strings.ToUpper(string(c)) != string(c) {
			t.Errorf("%s: %q", c, text)
		}
		if c.Own() {
			own++
		}
	}
	if own != 17 {
		t.Errorf("%d codes of our own, the specification has 17", own)
	}
}

func TestPacketRead(t *testing.T) {
	good, err := json.Marshal(Draft(sample(), passing()))
	if err != nil {
		t.Fatal(err)
	}
	var p Packet
	if err := json.Unmarshal(good, &p); err != nil || len(p.Candidates) != 2 || !p.Drafted() {
		t.Errorf("%+v %v", p, err)
	}
	for _, bad := range []string{`{}`, `{"real_campaign_builder_witness_status":"fine"}`, strings.Replace(string(good), "drafted", "blocked", 1), strings.Replace(string(good), "{", `{"a":"\ud800",`, 1)} {
		if err := json.Unmarshal([]byte(bad), &p); err == nil {
			t.Errorf("accepted: %s", bad)
		}
	}
	var c AuthorityCeiling
	for _, bad := range []string{`{}`, `{"a":"\ud800"}`} {
		if err := json.Unmarshal([]byte(bad), &c); err == nil {
			t.Errorf("accepted: %s", bad)
		}
	}
}

func TestCounts(t *testing.T) {
	for text, want := range map[string]int{"7": 7, "-3": -3, "99999999999": 1<<31 - 1, "-99999999999": -1 << 31, strings.Repeat("9", 40): 1<<31 - 1, "-" + strings.Repeat("9", 40): -1 << 31} {
		var l Live
		l.read([]byte(strings.Replace(goodReportText, "4", text, 1)))
		if l.Targets != want {
			t.Errorf("%s: %d, want %d", text, l.Targets, want)
		}
	}
	for text, want := range map[string]int{"": 0, "a": 1, "a\n": 1, "a\r\nb": 2, "\r\r\n\n": 3, "a\fb\u2028c": 1, "\n": 1} {
		if got := countLines([]byte(text)); got != want {
			t.Errorf("%q: %d lines, want %d", text, got, want)
		}
	}
}
