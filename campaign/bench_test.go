package campaign

import (
	"context"
	"testing"
)

// BenchmarkEvaluate judges documents that are loaded under a manifest that is read.
func BenchmarkEvaluate(b *testing.B) {
	in := sample()
	w := sampleSources().witness("")
	if e := Evaluate(context.Background(), in, w); e.Status() != Pass {
		b.Fatal(codesOf(e.Findings))
	}
	b.ReportAllocs()
	for b.Loop() {
		Evaluate(context.Background(), in, w)
	}
}

func BenchmarkCheckPacket(b *testing.B) {
	data, err := Draft(sample(), passing()).MarshalJSON()
	if err != nil {
		b.Fatal(err)
	}
	obs := passing()
	b.ReportAllocs()
	for b.Loop() {
		CheckPacket(data, obs)
	}
}
