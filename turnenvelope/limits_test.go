package turnenvelope_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ambit/turnenvelope"
	"github.com/google/go-cmp/cmp"
)

// TestAllowances holds the whole table of E12.2: what each measure may grow by from nothing, in each policy and format.
func TestAllowances(t *testing.T) {
	names := [...]string{"chars", "utf8_bytes", "lines", "compact_payload_chars"}
	for _, tt := range []struct {
		policy, format string
		may            [4]int
	}{
		{"absolute_hot_path", "json", [4]int{64, 128, 2, 64}},
		{"absolute_hot_path", "markdown", [4]int{32, 64, 1, 0}},
		{"baseline_and_growth", "json", [4]int{128, 256, 2, 128}},
		{"baseline_and_growth", "markdown", [4]int{64, 128, 1, 0}},
		{"explicit_limit_cold_path", "json", [4]int{256, 512, 5, 256}},
		{"explicit_limit_cold_path", "markdown", [4]int{128, 256, 2, 0}},
		{"explicit_opt_in_cold_path", "json", [4]int{256, 512, 5, 256}},
		{"explicit_opt_in_cold_path", "markdown", [4]int{128, 256, 2, 0}},
	} {
		row := func(measure string, n int) turnenvelope.Receipt {
			return oneRow(t, fmt.Sprintf(`"qualification_policy":%q,"format":%q,"chars":0,"utf8_bytes":0,"lines":0,"compact_payload_chars":0,%q:%d`, tt.policy, tt.format, measure, n))
		}
		for i, name := range names {
			if v := turnenvelope.Qualify(row(name, 0), row(name, tt.may[i])); !v.OK {
				t.Errorf("%s %s: %s may not grow by %d", tt.policy, tt.format, name, tt.may[i])
			}
			if v := turnenvelope.Qualify(row(name, 0), row(name, tt.may[i]+1)); v.OK {
				t.Errorf("%s %s: %s may grow by %d", tt.policy, tt.format, name, tt.may[i]+1)
			}
		}
	}
}

// TestVerifyOneUnreadable holds that nothing is compared with what cannot be read.
func TestVerifyOneUnreadable(t *testing.T) {
	decision := state(t, "delivery")
	v := turnenvelope.Verify(decision, []byte(`{`))
	if v.Matches || len(v.Reasons) != 1 || v.SourceHash != "" {
		t.Errorf("an envelope that is none: %+v", v)
	}
	v = turnenvelope.Verify([]byte(`[]`), []byte(project(t, decision).String()))
	if v.Matches || len(v.Reasons) != 1 || v.SourceHash != "" {
		t.Errorf("a decision that is none: %+v", v)
	}
}

// TestVerifyCountsTheRest holds that the first difference that is not listed is counted.
func TestVerifyCountsTheRest(t *testing.T) {
	decision := []byte(`{"task_orchestration_contract":{"list":[]}}`)
	for n, want := range map[int]string{64: "", 65: "1 more values differ", 66: "2 more values differ"} {
		list := strings.TrimSuffix(strings.Repeat("1,", n), ",")
		envelope := strings.Replace(project(t, decision).String(), `{"list":[]}`, `{"list":[`+list+`]}`, 1)
		got := ""
		for _, r := range turnenvelope.Verify(decision, []byte(envelope)).Reasons {
			if r.Code == turnenvelope.ReasonMore {
				got = r.Message
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%d differences (-want +got):\n%s", n, d)
		}
	}
}

// TestAcceptMeasuresTheTextAsSpelled holds that a number is measured as the envelope spells it.
func TestAcceptMeasuresTheTextAsSpelled(t *testing.T) {
	_, envelope := edited(t, "delivery", `"budget_bytes":8192`, `"budget_bytes":8192.000`)
	if a := turnenvelope.Accept(envelope); a.Bytes != len(envelope) {
		t.Errorf("%d bytes of %d", a.Bytes, len(envelope))
	}
}
