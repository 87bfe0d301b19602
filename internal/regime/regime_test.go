package regime_test

import (
	"testing"

	"example.com/ambit/internal/regime"
	"pgregory.net/rapid"
)

func TestCases(t *testing.T) {
	t.Setenv("AMBIT_LONG", "1")
	if got := regime.Cases(t, 50, 900); got != 900 {
		t.Errorf("long: %d cases, want 900", got)
	}
	t.Setenv("AMBIT_LONG", "")
	want := 50
	if testing.Short() {
		want = 5
	}
	if got := regime.Cases(t, 50, 900); got != want {
		t.Errorf("usual: %d cases, want %d", got, want)
	}
}

func TestRapidRunsThatMany(t *testing.T) {
	t.Setenv("AMBIT_LONG", "")
	regime.Rapid(t, 370, 10000)
	ran := 0
	rapid.Check(t, func(*rapid.T) { ran++ })
	want := 370
	if testing.Short() {
		want = 37
	}
	if ran < want {
		t.Errorf("%d checks ran, want %d", ran, want)
	}
}
