package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestView(t *testing.T) {
	for _, tt := range []struct {
		state string
		code  int
		want  string
	}{
		{"delivery", 0, `act: 4945 bytes of 16413
next: Plant the next bed and record its position
todo: todo_garden_0001 Plant the next bed and record its position
more: loopx --format json quota should-run --goal-id garden-goal --agent-id gardener-1 --runtime-profile codex_cli
`},
		{"blocked", 2, `ask_user: 5054 bytes of 16552
next: stop until the question is answered
todo: todo_garden_0001 plant the next bed and record its position
ask the user: May the north bed be dug up again?
more: loopx --format json quota should-run --goal-id garden-goal --agent-id gardener-1 --runtime-profile codex_cli
`},
	} {
		decision, err := os.Open(filepath.Join("..", "..", "turnenvelope", "testdata", "matrix", tt.state+".json"))
		if err != nil {
			t.Fatal(err)
		}
		defer decision.Close()
		var out, errs bytes.Buffer
		if code := view(decision, &out, &errs); code != tt.code || errs.Len() > 0 {
			t.Errorf("%s: exit %d, want %d: %s", tt.state, code, tt.code, &errs)
		}
		if d := cmp.Diff(tt.want, out.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.state, d)
		}
	}
}

func TestViewOfNoDecision(t *testing.T) {
	var out, errs bytes.Buffer
	if code := view(strings.NewReader(`{"open_count": [1]}`), &out, &errs); code != 3 || out.Len() > 0 {
		t.Errorf("exit %d, output %q", code, &out)
	}
	if got, want := errs.String(), "turnview: line 1: /open_count: an array is no integer\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
