package systempolicy_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	. "example.com/ambit/systempolicy"
	"gopkg.in/yaml.v3"
)

var (
	insideFacts = Facts{Route: "fix", Criticality: "low", Files: Known(3), Adds: Known(40), Deletes: Known(10),
		RegressionTest: Yes, SecondReview: Yes, MergesToday: Known(0), RunsToday: Known(1)}
	berlin = FromValue(map[string]any{"level": "act", "engine": "https://e.example.com",
		"window": map[string]any{"timezone": "Europe/Berlin"}})
)

// instants are spread over the years for which the figures hold, and fall into and out of windows.
func instants() []time.Time {
	var out []time.Time
	for at := time.Date(1990, 1, 1, 0, 30, 0, 0, time.UTC); at.Year() < 2038; at = at.Add(97*time.Hour + 7*time.Minute) {
		out = append(out, at)
	}
	return out
}

func BenchmarkOutside(b *testing.B) {
	when := instants()
	for _, tt := range []struct {
		name  string
		facts Facts
	}{{"inside", insideFacts}, {"outside", Facts{}}} {
		b.Run(tt.name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				Outside(berlin, tt.facts, when[i])
				if i++; i == len(when) {
					i = 0
				}
			}
		})
	}
}

func TestOutsideDoesNotAllocate(t *testing.T) {
	when := instants()
	i := 0
	n := testing.AllocsPerRun(len(when), func() {
		Outside(berlin, insideFacts, when[i%len(when)])
		Outside(Policy{}, Facts{}, when[i%len(when)])
		i++
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// largeSystem is a system.yaml of about that many lines: services with environments that declare autonomy among much
// that is not ours.
func largeSystem(lines int) []byte {
	var b bytes.Buffer
	b.WriteString("name: shop\nautonomy: {paused: false}\nenvironments:\n")
	envs := max(1, lines/60)
	for i := range envs {
		fmt.Fprintf(&b, "  env-%03d:\n    url: https://e%d.example.com\n    autonomy:\n      level: act   # since May\n      engine: https://ops-%d.example.com\n", i, i, i)
		b.WriteString("      riskGate: {maxFiles: 5, maxLines: 200}\n      window: {days: [mon, tue], from: \"09:00\", to: \"17:00\", timezone: Europe/Berlin}\n      undoWindow: 24h\n")
	}
	b.WriteString("components:\n")
	for i := 0; bytes.Count(b.Bytes(), []byte("\n")) < lines; i++ {
		fmt.Fprintf(&b, "  svc-%04d:\n    repo: e/svc-%d\n    tier: 2\n    ports:\n      - 80\n      - 9090\n    instances:\n      env-000: {autonomy: {max: propose}}\n      env-001: {}\n", i, i)
	}
	return b.Bytes()
}

// BenchmarkParseRender gives the time to parse, validate and render, and how many times yaml.v3's own parse to nodes that
// is: both are measured in turns, and the ratio is that of their medians.
func BenchmarkParseRender(b *testing.B) {
	for _, lines := range []int{3000, 30000} {
		data := largeSystem(lines)
		b.Run(fmt.Sprintf("%d-lines", lines), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			var floor, ours []time.Duration
			for b.Loop() {
				start := time.Now()
				sys, err := Parse("system.yaml", data)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := sys.Render(); err != nil {
					b.Fatal(err)
				}
				ours = append(ours, time.Since(start))
				b.StopTimer()
				start = time.Now()
				var n yaml.Node
				if err := yaml.Unmarshal(data, &n); err != nil {
					b.Fatal(err)
				}
				floor = append(floor, time.Since(start))
				b.StartTimer()
			}
			slices.Sort(floor)
			slices.Sort(ours)
			b.ReportMetric(float64(ours[len(ours)/2])/float64(floor[len(floor)/2]), "x-yaml")
		})
	}
}
