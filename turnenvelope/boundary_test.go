package turnenvelope_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ambit/turnenvelope"
)

// TestBudgetBoundary holds that exactly BudgetBytes is within the budget and one character more is not, by the text as
// written: the word false then takes a byte more than true, so that no envelope has BudgetBytes+1.
func TestBudgetBoundary(t *testing.T) {
	sized := func(n int) []byte {
		return project(t, fmt.Appendf(nil, `{"goal_id":1,"state":"%s"}`, strings.Repeat("x", n))).JSON()
	}
	const start = 6000
	exact := start + turnenvelope.BudgetBytes - len(sized(start))
	for _, tt := range []struct{ chars, bytes int }{{exact - 1, 8191}, {exact, 8192}, {exact + 1, 8194}} {
		env := sized(tt.chars)
		a := turnenvelope.Accept(env)
		over := len(a.Reasons) > 0 && a.Reasons[0].Code == turnenvelope.ReasonBudget
		if len(env) != tt.bytes || a.Bytes != tt.bytes || over != (tt.bytes > turnenvelope.BudgetBytes) {
			t.Errorf("%d bytes, want %d: %+v", len(env), tt.bytes, a)
		}
	}
}

// TestSaid holds what reasons and verdicts say beside their codes.
func TestSaid(t *testing.T) {
	a := turnenvelope.Accept(project(t, []byte(`{"should_run":true}`)).JSON())
	if r := a.Reasons[0]; r.Want != "true" || r.Got != "false" || r.Message != "should_run is true, and action.delivery_allowed is not" {
		t.Errorf("%+v", r)
	}
	for want, edit := range map[string][]string{
		"is missing, the decision gives \"stay_in_scope_or_stop\"": {`"rule":"stay_in_scope_or_stop",`, ``},
		"is 1, the decision gives none":                            {`"rule":`, `"zz":1,"rule":`},
		"is \"x\", the decision gives \"stay_in_scope_or_stop\"":   {`"stay_in_scope_or_stop"`, `"x"`},
	} {
		if v := turnenvelope.Verify(edited(t, "delivery", edit...)); v.Reasons[0].Message != want {
			t.Errorf("%s, want %s", v.Reasons[0].Message, want)
		}
	}
	v := turnenvelope.Qualify(oneRow(t, `"semantic_json_keys":["a","b","c","d","e"]`), oneRow(t, ""))
	if got := v.Rows[0].Findings[0].Message; got != "semantic_json_keys removed: a, b, c, d, e" || !v.Rows[0].Compared || !strings.Contains(string(v.JSON()), `"deltas":{"chars":0`) {
		t.Errorf("%s %s", got, v.JSON())
	}
}
