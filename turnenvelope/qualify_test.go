package turnenvelope_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/ambit/internal/fault"
	"example.com/ambit/turnenvelope"
	"github.com/google/go-cmp/cmp"
)

const v0, v1 = turnenvelope.CoverageV0, turnenvelope.CoverageV1

// oneRow is a receipt of one row, some fields replaced.
func oneRow(t *testing.T, change string) turnenvelope.Receipt {
	t.Helper()
	row := map[string]any{"row_id": "a", "qualification_policy": "absolute_hot_path", "format": "json", "chars": 1000, "utf8_bytes": 1000, "lines": 10,
		"compact_payload_chars": nil, "semantic_json_keys": []string{"k1", "k2"}, "json_shape_paths": []string{"$", "$.k1"}, "markdown_headings": []string{"# A"},
		"markdown_anchor": "# A", "action_signature_sha256": "d0", "action_signature_coverages": []string{v0}}
	if change == "-" {
		return receipt(t)
	}
	if change != "" {
		for k, v := range decode(t, []byte("{"+change+"}")) {
			if row[k] = v; v == "absent" {
				delete(row, k)
			}
		}
	}
	return receipt(t, row)
}

func receipt(t *testing.T, rows ...any) turnenvelope.Receipt {
	t.Helper()
	data := must(json.Marshal(map[string]any{"schema_version": turnenvelope.ReceiptSchema, "fixture_contract_version": turnenvelope.ReceiptFixture, "rows": append([]any{}, rows...)}))
	r, err := turnenvelope.ParseReceipt("r.json", data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestQualify(t *testing.T) {
	for _, tt := range []struct {
		name, base, head string
		ok               bool
		want             []string
	}{
		{"the same", "", "", true, nil},
		{"smaller", "", `"chars":1,"lines":1`, true, nil},
		{"within the floor", "", `"chars":1064,"utf8_bytes":1128,"lines":12`, true, nil},
		{"over the floor", "", `"chars":1065,"utf8_bytes":1129,"lines":13`, false, []string{"failure metric_growth: chars grew by 65; allowance is 64",
			"failure metric_growth: utf8_bytes grew by 129; allowance is 128", "failure metric_growth: lines grew by 3; allowance is 2"}},
		{"a share of the base", `"chars":40001`, `"chars":40202`, true, nil},
		{"over the share", `"chars":40001`, `"chars":40203`, false, []string{"failure metric_growth: chars grew by 202; allowance is 201"}},
		{"markdown floors", `"format":"markdown"`, `"format":"markdown","chars":1033`, false, []string{"failure metric_growth: chars grew by 33; allowance is 32"}},
		{"no measure", `"chars":1.5`, `"chars":99999`, true, nil},
		{"true is one", `"lines":true`, `"lines":4`, false, []string{"failure metric_growth: lines grew by 3; allowance is 2"}},
		{"false is none", `"lines":false`, `"lines":2`, true, nil},
		{"another policy and format", "", `"qualification_policy":"baseline_and_growth","format":"markdown"`, false, []string{"failure policy_changed: qualification_policy changed", "failure format_changed: format changed"}},
		{"no policy in head", "", `"qualification_policy":null,"format":"absent"`, false, []string{"failure policy_changed: qualification_policy changed", "failure format_changed: format changed"}},
		{"an unknown policy", `"qualification_policy":"nope"`, `"qualification_policy":"nope","chars":9999999`, false, []string{"failure policy_unknown: unsupported CLI output qualification policy: nope"}},
		{"no policy at all", `"qualification_policy":"absent"`, `"qualification_policy":"absent"`, false,
			[]string{"failure policy_changed: qualification_policy changed", "failure policy_unknown: unsupported CLI output qualification policy: "}},
		{"things removed", "", `"semantic_json_keys":["k2","k3"],"json_shape_paths":["$"],"markdown_headings":[],"markdown_anchor":null`, false, []string{
			"failure semantic_key_removed: semantic_json_keys removed: k1", "review shape_path_removed: json_shape_paths removed: $.k1",
			"review heading_removed: markdown_headings removed: # A", "failure anchor_changed: markdown_anchor changed"}},
		{"six removed", `"semantic_json_keys":["f","e","d","c","b","a"]`, "", false, []string{"failure semantic_key_removed: semantic_json_keys removed: a, b, c, d, e (+1 more)"}},
		{"five removed", `"semantic_json_keys":["e","d","c","b","a"]`, "", false, []string{"failure semantic_key_removed: semantic_json_keys removed: a, b, c, d, e"}},
		{"many removed", `"semantic_json_keys":["g","f","e","d","c","b","a","a"]`, "", false, []string{"failure semantic_key_removed: semantic_json_keys removed: a, b, c, d, e (+2 more)"}},
		{"migration", "", `"action_signature_sha256":"d1","action_signature_coverages":["` + v1 + `"]`, true,
			[]string{"review signature_coverage_migrated: action_signature coverage migrated: " + v0 + " -> " + v1}},
		{"no migration back", `"action_signature_coverages":["` + v1 + `"]`, `"action_signature_sha256":"d1"`, false, []string{"failure signature_digest_changed: action_signature semantic digest changed"}},
		{"half a migration", "", `"action_signature_sha256":"d1","action_signature_coverages":["` + v0 + `","` + v1 + `"]`, false, []string{"failure signature_digest_changed: action_signature semantic digest changed"}},
		{"an unknown migration", "", `"action_signature_sha256":null,"action_signature_coverages":["v2"]`, false, []string{"failure signature_digest_changed: action_signature semantic digest changed"}},
		{"the same digest", "", `"action_signature_coverages":null`, true, nil},
		{"no digest before", `"action_signature_sha256":null`, "", true, nil},
		{"missing", "", "-", false, []string{"failure base_row_missing: qualified base row is missing from candidate"}},
		{"new", "-", "", true, []string{"note candidate_only: the base has no such row"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := turnenvelope.Qualify(oneRow(t, tt.base), oneRow(t, tt.head))
			var got []string
			for _, f := range v.Rows[0].Findings {
				got = append(got, fmt.Sprintf("%s %s: %s", f.Weight, f.Code, f.Message))
			}
			if d := cmp.Diff(tt.want, got); d != "" || v.OK != tt.ok {
				t.Errorf("%v, want %v (-want +got):\n%s", v.OK, tt.ok, d)
			}
			review := slices.ContainsFunc(tt.want, func(s string) bool { return strings.HasPrefix(s, "review") })
			if v.ReviewRequired() != review {
				t.Errorf("review %v", v.ReviewRequired())
			}
			var shape struct {
				OK   bool
				Rows []struct {
					Findings []struct{ Code, Weight string }
				}
			}
			if err := json.Unmarshal(must(json.Marshal(v)), &shape); err != nil || shape.OK != tt.ok || len(shape.Rows[0].Findings) != len(tt.want) {
				t.Errorf("JSON %+v, %v", shape, err)
			}
		})
	}
	if (turnenvelope.Verdict{}).OK {
		t.Error("the zero verdict is OK")
	}
}

// TestQualifyOrder holds that rows are matched by id, and come sorted.
// TestQualifyPairs states that only rows of one id are compared, wherever the others stand.
func TestQualifyPairs(t *testing.T) {
	for name, tt := range map[string]struct{ base, head, want []string }{
		"one each, the new one first": {[]string{"b"}, []string{"a"}, []string{"a candidate_only", "b failed"}},
		"one each, the old one first": {[]string{"a"}, []string{"b"}, []string{"a failed", "b candidate_only"}},
		"the same":                    {[]string{"a"}, []string{"a"}, []string{"a passed"}},
		"only new ones":               {nil, []string{"b", "a"}, []string{"a candidate_only", "b candidate_only"}},
		"only old ones":               {[]string{"b", "a"}, nil, []string{"a failed", "b failed"}},
		"nothing":                     {},
	} {
		of := func(ids []string) turnenvelope.Receipt {
			var r turnenvelope.Receipt
			format, policy := "json", turnenvelope.Policies()[0]
			for _, id := range ids {
				r.Rows = append(r.Rows, turnenvelope.Row{ID: id, Format: &format, Policy: &policy})
			}
			return r
		}
		var got []string
		v := turnenvelope.Qualify(of(tt.base), of(tt.head))
		for _, r := range v.Rows {
			got = append(got, r.ID+" "+r.Status)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestQualifyOrder(t *testing.T) {
	id := func(s string) any { return map[string]any{"row_id": s, "qualification_policy": "absolute_hot_path"} }
	v := turnenvelope.Qualify(receipt(t, id("c"), id("a"), id("d")), receipt(t, id("b"), id("d"), id("a")))
	var got []string
	for _, r := range v.Rows {
		got = append(got, r.ID+" "+r.Status)
	}
	if d := cmp.Diff([]string{"a failed", "b candidate_only", "c failed", "d failed"}, got); d != "" { // no format in head
		t.Error(d)
	}
	if v.ComparedRows != 4 || v.FailedRows != 3 || v.OnlyCandidate != 1 || v.BaseRows != 3 || v.CandidateRows != 3 {
		t.Errorf("%+v", v)
	}
}

func TestParseReceipt(t *testing.T) {
	head := `{"schema_version":"loopx_cli_output_probe_v0","fixture_contract_version":"loopx_cli_output_public_fixture_v0","rows":`
	for text, want := range map[string][]string{
		`[]`:                          {"not_object "},
		`{"a":1,"a":1}`:               {"json_duplicate /a"},
		`{}`:                          {"receipt_invalid /schema_version", "receipt_invalid /fixture_contract_version", "receipt_invalid /rows"},
		head + `{}}`:                  {"receipt_invalid /rows"},
		head + `[7,{"row_id":1},{}]}`: {"receipt_invalid /rows/0", "receipt_invalid /rows/1", "receipt_invalid /rows/2"},
		head + `[{"row_id":"a"},{"row_id":"a"}]}`:                             {"row_repeated /rows/1"},
		head + `[{"row_id":"a","format":5,"semantic_json_keys":"k"}]}`:        {"receipt_invalid /rows/0/format", "receipt_invalid /rows/0/semantic_json_keys"},
		head + `[{"row_id":"a","markdown_headings":["x",5,6]}]}`:              {"receipt_invalid /rows/0/markdown_headings"},
		head + `[{"row_id":"a","chars":99999999999999999999}]}`:               {"receipt_invalid /rows/0/chars"},
		head + `[{"row_id":"a","chars":-9223372036854775808}]}`:               {"receipt_invalid /rows/0/chars"},
		head + `[` + strings.TrimSuffix(strings.Repeat("1,", 40), ",") + `]}`: nil,
	} {
		_, err := turnenvelope.ParseReceipt("r.json", []byte(text))
		all := fault.All(err)
		var got []string
		for _, e := range all {
			got = append(got, e.Code+" "+e.Key)
			if e.File != "r.json" || e.Line != 1 {
				t.Errorf("%.100s: %v", text, e)
			}
		}
		if want == nil {
			if len(all) < 20 || len(all) > 22 {
				t.Errorf("%d problems, want about 20", len(all))
			}
			continue
		}
		slices.Sort(got)
		slices.Sort(want)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%.200s (-want +got):\n%s", text, d)
		}
	}
}

func TestNewReceipt(t *testing.T) {
	env := project(t, state(t, "user_gate"))
	markdown := "# Top\n\n```sh\n# no heading\n```\ntext\n####### seven\n## Next \n#none\n~~~\n# no\n~~~\n"
	r, err := turnenvelope.NewReceipt([]turnenvelope.Output{
		{ID: "turn", Policy: "absolute_hot_path", Text: env.JSON()},
		{ID: "help", Text: []byte(markdown)},
		{ID: "nested", Text: []byte(`[{"a":{"action_signature":7}}, {"action_signature":{"coverage":"z","source_hash":1,"envelope_hash":1.0,"action_signature":{"coverage":"c"}}}]` + "\n")},
		{ID: "text", Text: []byte("12")},
		{ID: "none"},
	})
	if err != nil {
		t.Fatal(err)
	}
	turn, help, nested := r.Rows[0], r.Rows[1], r.Rows[2]
	if *turn.Policy != "absolute_hot_path" || *turn.Format != "json" || *turn.Metrics[1] != int64(len(env.JSON())) || *turn.Metrics[2] != 1 || turn.Digest == nil {
		t.Errorf("%+v", turn)
	}
	if d := cmp.Diff([]string{v1}, turn.Coverages); d != "" {
		t.Error(d)
	}
	if !slices.Contains(turn.SemanticKeys, "action") || !slices.Contains(turn.ShapePaths, "$.required_reads[].command") || !slices.IsSorted(turn.ShapePaths) {
		t.Errorf("%v %v", turn.SemanticKeys, turn.ShapePaths)
	}
	if d := cmp.Diff([]string{"# Top", "## Next"}, help.Headings); d != "" || *help.Anchor != "# Top" || *help.Format != "markdown" || *help.Policy != "baseline_and_growth" || *help.Metrics[2] != 12 || help.Metrics[3] != nil {
		t.Errorf("%+v %s", help, d)
	}
	if d := cmp.Diff([]string{"c", "z"}, nested.Coverages); d != "" || nested.Digest == nil {
		t.Error(d)
	}
	if *r.Rows[3].Format != "markdown" || *r.Rows[4].Metrics[0] != 0 || r.Rows[4].Anchor != nil {
		t.Error("rows without JSON")
	}
	back, err := turnenvelope.ParseReceipt("", must(json.Marshal(r)))
	if err != nil {
		t.Fatal(err)
	}
	if v := turnenvelope.Qualify(r, back); !v.OK || v.ReviewRequired() || v.ComparedRows != 5 {
		t.Errorf("a receipt differs from itself read back: %s", v.JSON())
	}
}

func TestNewReceiptRefuses(t *testing.T) {
	_, err := turnenvelope.NewReceipt([]turnenvelope.Output{
		{ID: "a"}, {ID: "a"}, {ID: ""}, {ID: "b", Policy: "loose"}, {ID: "c", Text: make([]byte, turnenvelope.MaxBytes+1)},
	})
	var got []string
	for _, e := range fault.All(err) {
		got = append(got, e.Code+" "+e.Key)
	}
	if d := cmp.Diff([]string{"row_repeated a", "receipt_invalid ", "receipt_invalid b", "json_size c"}, got); d != "" {
		t.Error(d)
	}
}

// TestManyShapes holds that a document that is all keys does not give paths without end.
func TestManyShapes(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"a":{`)
	for i := range 20_000 {
		fmt.Fprintf(&b, `"k%d":1,`, i)
	}
	b.WriteString(`"z":1}}`)
	r, err := turnenvelope.NewReceipt([]turnenvelope.Output{{ID: "a", Text: []byte(b.String())}})
	if err != nil || len(r.Rows[0].ShapePaths) > 10_000 {
		t.Errorf("%d paths, %v", len(r.Rows[0].ShapePaths), err)
	}
}

func ExampleQualify() {
	before := []turnenvelope.Output{{ID: "help", Text: []byte("# Usage\n\n## Flags\n")}}
	after := []turnenvelope.Output{{ID: "help", Text: []byte("# Usage\n")}}
	base, _ := turnenvelope.NewReceipt(before)
	head, _ := turnenvelope.NewReceipt(after)
	v := turnenvelope.Qualify(base, head)
	fmt.Println(v.OK, v.ReviewRequired(), v.Rows[0].Findings[0].Code)
	// Output: true true heading_removed
}

func ExampleParseReceipt() {
	r, _ := turnenvelope.NewReceipt([]turnenvelope.Output{{ID: "plain", Text: []byte(`{"ok": true}`)}})
	back, err := turnenvelope.ParseReceipt("base.json", r.JSON())
	fmt.Println(back.Rows[0].ID, *back.Rows[0].Format, back.Rows[0].SemanticKeys, err)
	// Output: plain json [ok] <nil>
}

func ExampleNewReceipt() {
	r, _ := turnenvelope.NewReceipt([]turnenvelope.Output{{ID: "help", Text: []byte("# Usage\n\ntext\n")}})
	fmt.Println(*r.Rows[0].Anchor, *r.Rows[0].Metrics[2], turnenvelope.Policies()[0])
	// Output: # Usage 3 absolute_hot_path
}
