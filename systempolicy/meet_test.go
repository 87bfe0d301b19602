package systempolicy_test

import (
	"testing"

	. "example.com/ambit/systempolicy"
)

// TestMeetOfNestedWindows holds that of two windows of a zone, one within the other, the narrower is left, in its words.
func TestMeetOfNestedWindows(t *testing.T) {
	of := func(days []any, from, to string) Policy {
		return FromValue(map[string]any{"window": map[string]any{"days": days, "from": from, "to": to, "timezone": "Europe/Berlin"}})
	}
	wide, narrow := of([]any{"mon", "tue", "wed"}, "08:00", "18:00"), of([]any{"tue"}, "09:00", "12:00")
	for _, met := range []Policy{Meet(wide, narrow), Meet(narrow, wide)} {
		if w := met.Windows(); len(w) != 1 || w[0].From() != "09:00" || w[0].To() != "12:00" || len(w[0].Days()) != 1 {
			t.Errorf("%v", w)
		}
	}
}
