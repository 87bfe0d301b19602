package turnenvelope_test

import (
	"testing"

	"example.com/ambit/internal/enum/enumtest"
	"example.com/ambit/turnenvelope"
)

func TestEnums(t *testing.T) {
	enumtest.Words[turnenvelope.Disposition](t, "Disposition(200)", "refused", "blocked", "wait", "ask_user", "act")
	enumtest.Words[turnenvelope.Weight](t, "failure", "failure", "review", "note")
}
