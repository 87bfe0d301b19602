package turnenvelope_test

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"example.com/ambit/turnenvelope"
)

// floor is the least that a projection must do: one check by the standard library, and the hashes over what is hashed,
// which is the decision and the signed part of the envelope, with its packet's summary.
func floor(decision, signed, summary []byte) {
	if !json.Valid(decision) {
		panic("invalid")
	}
	_, _, _ = sha256.Sum256(decision), sha256.Sum256(signed), sha256.Sum256(summary)
}

// signedBytes is about what a signature covers: the envelope without detail_ref, action_signature and compaction.
func signedBytes(env *turnenvelope.Envelope) []byte {
	n := 0
	for _, s := range env.Sections() {
		if s.Name != "detail_ref" && s.Name != "action_signature" && s.Name != "compaction" && s.Name != "head" {
			n += s.Bytes
		}
	}
	return make([]byte, n)
}

func BenchmarkProject(b *testing.B) {
	data := state(b, "delivery")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := turnenvelope.Project(data, turnenvelope.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFloor(b *testing.B) {
	data := state(b, "delivery")
	signed := signedBytes(project(b, data))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		floor(data, signed, signed[:250])
	}
}

// BenchmarkBesideFloor times a projection and its floor in turns, so that a busy machine slows both, and compares medians.
func BenchmarkBesideFloor(b *testing.B) {
	data := state(b, "delivery")
	signed := signedBytes(project(b, data))
	var ours, floors []time.Duration
	for b.Loop() {
		ours = append(ours, timed(func() {
			if _, err := turnenvelope.Project(data, turnenvelope.Options{}); err != nil {
				b.Fatal(err)
			}
		}))
		floors = append(floors, timed(func() { floor(data, signed, signed[:250]) }))
	}
	slices.Sort(ours)
	slices.Sort(floors)
	b.ReportMetric(float64(ours[len(ours)/2]), "project-ns")
	b.ReportMetric(float64(floors[len(floors)/2]), "floor-ns")
}

// TestSpeed holds a projection to 1.5 times the floor, by the medians of ten interleaved rounds, and to 60 allocations.
func TestSpeed(t *testing.T) {
	data := state(t, "delivery")
	signed := signedBytes(project(t, data))
	one := func() {
		if _, err := turnenvelope.Project(data, turnenvelope.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(100, one); n >= 60 {
		t.Errorf("%v allocations, want less than 60", n)
	} else {
		t.Logf("%v allocations", n)
	}
	if testing.Short() || slow > 1 {
		t.Skip("times are measured in the full run, without the race detector")
	}
	best := 9.0
	for range 4 { // a busy machine may spoil a measurement, but not all of them
		got, least := interleaved(one, func() { floor(data, signed, signed[:250]) })
		ratio := float64(got) / float64(least)
		t.Logf("%d bytes: %v, floor %v, ratio %.2f", len(data), got, least, ratio)
		if best = min(best, ratio); best <= 1.5 {
			return
		}
	}
	t.Errorf("%.2f times the floor, want at most 1.5", best)
}

// interleaved gives the medians of ten rounds, in each of which single calls of both take turns.
func interleaved(f, g func()) (ff, gg time.Duration) {
	const rounds, calls = 10, 200
	var fs, gs [rounds]time.Duration
	for i := range rounds {
		var a, b [calls]time.Duration
		for j := range calls {
			a[j], b[j] = timed(f), timed(g)
		}
		fs[i], gs[i] = median(a[:]), median(b[:])
	}
	return median(fs[:]), median(gs[:])
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

func median(ds []time.Duration) time.Duration {
	slices.Sort(ds)
	return ds[len(ds)/2]
}
