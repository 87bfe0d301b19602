package campaign

import (
	"context"
	"testing"
)

// BenchmarkEvaluate judges documents that are loaded under a manifest that is read.
func BenchmarkEvaluate(b *testing.B) {
	in := sample()
	src := &sources{name: "source_module_manifest.json"}
	src.parse([]byte(manifestOf(builderRow(nil))))
	src.rows[0].target = newFile([]byte(moduleText))
	w := src.witness("")
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
