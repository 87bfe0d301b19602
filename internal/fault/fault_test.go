package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"example.com/ambit/internal/fault"
	"github.com/google/go-cmp/cmp"
)

func TestErrorText(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  fault.Error
		want string
	}{
		{"all", fault.Error{File: "a.md", Line: 3, Col: 7, Key: "taskTypes[0].state", Err: errors.New(`"x" is not a state`), Allowed: []string{"a", "b"}},
			`a.md:3:7: taskTypes[0].state: "x" is not a state; allowed: a, b`},
		{"no column", fault.Error{File: "a.md", Line: 3, Err: errors.New("bad")}, "a.md:3: bad"},
		{"no line", fault.Error{File: "a.md", Col: 9, Err: errors.New("bad")}, "a.md: bad"},
		{"no file", fault.Error{Line: 2, Err: errors.New("bad")}, "line 2: bad"},
		{"only a code", fault.Error{Code: "yaml"}, "yaml"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestListSortsAndFindsSentinels(t *testing.T) {
	sentinel := errors.New("no such thing")
	var l fault.List
	if err := l.Err(); err != nil {
		t.Fatalf("the empty list is not nil: %v", err)
	}
	l.Add(&fault.Error{File: "b", Line: 1, Code: "x", Err: sentinel})
	l.Add(&fault.Error{File: "a", Line: 9, Code: "y"})
	l.Add(&fault.Error{File: "a", Line: 2, Code: "z"})
	l.Add(&fault.Error{File: "a", Line: 2, Code: "z"})
	err := fmt.Errorf("around: %w", l.Err())
	if !errors.Is(err, sentinel) {
		t.Error("the sentinel is lost")
	}
	var codes []string
	for _, e := range fault.All(err) {
		codes = append(codes, e.Code)
	}
	if d := cmp.Diff([]string{"z", "y", "x"}, codes); d != "" {
		t.Errorf("codes (-want +got):\n%s", d)
	}
	if got, want := l.Err().Error(), "a:2: z\na:9: y\nb:1: no such thing"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}
