package systempolicy_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/regime"
	. "example.com/ambit/systempolicy"
	"gopkg.in/yaml.v3"
)

// fill repeats unit between a head and a tail up to size bytes.
func fill(head, unit, tail string, size int) string {
	return head + strings.Repeat(unit, max(0, (size-len(head)-len(tail))/len(unit))) + tail
}

// numbered is fill with a number in each unit.
func numbered(head, format string, size int) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; ; i++ {
		unit := fmt.Sprintf(format, i)
		if b.Len()+len(unit) > size {
			return b.String()
		}
		b.WriteString(unit)
	}
}

// hostile are inputs that some YAML reader is slow on, or wrong about.
var hostile = []struct {
	name string
	make func(size int) string
	fine bool // it may be valid
}{
	{"deep flow lists", func(n int) string { return fill("autonomy: ", "[", "", n) }, false},
	{"deep flow maps", func(n int) string { return fill("autonomy: ", "{a: ", "", n) }, false},
	{"deep block lists", func(n int) string { return fill("autonomy: {}\nx: ", "- ", "", n) }, false},
	{"deep question marks", func(n int) string { return fill("autonomy: {}\nx:\n ", "? ", "", n) }, false},
	{"deep block maps", func(n int) string {
		var b strings.Builder
		b.WriteString("autonomy: {}\n")
		for i := 0; b.Len()+i+3 < n; i++ {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String()
	}, true},
	{"aliases of one anchor", func(n int) string { return fill("autonomy: {}\na: &a {x: 1}\nb: [", "*a,", "]\n", n) }, true},
	{"environments that share a bad policy", func(n int) string {
		return numbered("environments:\n  first: {autonomy: &a {"+numbered("", "k%d: 1, ", 3000)+"}}\n", "  e%d: {autonomy: *a}\n", min(n, 180_000))
	}, false},
	{"merges of merges", func(n int) string {
		return numbered("autonomy: {}\nenvironments:\n  e0: &e0 {autonomy: {level: act}}\n", "  x%[1]d: &x%[1]d {<<: [*e0, *e0]}\n", min(n, 100_000))
	}, true},
	{"a merge of itself", func(int) string { return "environments:\n  dev: &d {<<: *d, autonomy: {level: act}}\n" }, true},
	{"a billion laughs", func(int) string {
		var b strings.Builder
		b.WriteString("autonomy: {}\na0: &a0 [x, x]\n")
		for i := 1; i < 60; i++ {
			fmt.Fprintf(&b, "a%[1]d: &a%[1]d [*a%[2]d, *a%[2]d, *a%[2]d, *a%[2]d]\n", i, i-1)
		}
		b.WriteString("environments: {dev: {autonomy: {autoMerge: {routes: *a59}}}}\n")
		return b.String()
	}, false},
	{"one key many times", func(n int) string { return fill("", "autonomy: {}\n", "", n) }, false},
	{"many unknown keys", func(n int) string { return numbered("autonomy:\n", "  k%d: 1\n", n) }, false},
	{"many environments", func(n int) string { return numbered("autonomy: {}\nenvironments:\n", "  e%d: {}\n", n) }, true},
	{"many bad environments", func(n int) string { return numbered("environments:\n", "  e%d: {autonomy: {level: x}}\n", n) }, false},
	{"one long word", func(n int) string { return fill("environments: {dev: {autonomy: {level: ", "a", "}}}\n", n) }, false},
	{"one long number", func(n int) string {
		return fill("environments: {dev: {autonomy: {riskGate: {maxFiles: ", "9", "}}}}\n", n)
	}, false},
	{"one long zone", func(n int) string {
		return fill("environments: {dev: {autonomy: {window: {timezone: ", "a/", "}}}}\n", n)
	}, false},
	{"one long URL", func(n int) string { return fill("environments: {dev: {autonomy: {engine: https://", "a.", "}}}\n", n) }, false},
	{"many days", func(n int) string {
		return fill("environments: {dev: {autonomy: {window: {days: [", "mon,", "]}}}}\n", n)
	}, false},
	{"an open quote", func(n int) string { return fill("autonomy: \"", "a\n ", "", n) }, false},
	{"many open quotes", func(n int) string { return fill("autonomy: ", "\"", "", n) }, false},
	{"comments", func(n int) string { return fill("autonomy: {}\n", "# a\n", "", n) }, true},
	{"indented comments", func(n int) string { return fill("autonomy:\n", "    # a\n", "  paused: true\n", n) }, true},
	{"blank lines", func(n int) string { return fill("autonomy: {}\n", "\n", "", n) }, true},
	{"tabs", func(n int) string { return fill("autonomy: ", "\t", "{}", n) }, true},
	{"many documents", func(n int) string { return fill("autonomy: {}\n", "---\n{}\n", "", n) }, false},
	{"many anchors", func(n int) string { return numbered("autonomy: {}\nx:\n", "  - &a%d 1\n", n) }, true},
	{"tags", func(n int) string { return fill("autonomy: ", "!a ", "{}", n) }, false},
	{"zero bytes", func(n int) string { return fill("autonomy: ", "\x00", "", n) }, false},
	{"no UTF-8", func(n int) string { return fill("autonomy: ", "\xff", "", n) }, false},
	{"carriage returns", func(n int) string { return fill("autonomy: {}\r", "\r", "", n) }, true},
	{"colons", func(n int) string { return fill("autonomy: ", "a:", "", n) }, false},
	{"flow colons", func(n int) string { return fill("autonomy: {", "a:b,", "}", n) }, false},
	{"commas", func(n int) string { return fill("autonomy: [", ",", "]", n) }, false},
	{"escapes", func(n int) string { return fill(`autonomy: "`, `\u0041`, `"`, n) }, false},
	{"block scalar", func(n int) string { return fill("autonomy: |\n", "  a\n", "", n) }, false},
	{"folded blanks", func(n int) string { return fill("autonomy: >\n  a", "\n", "  b\n", n) }, false},
	{"a long key", func(n int) string { return fill("autonomy: {", "k", ": 1}", n) }, false},
	{"directive", func(n int) string { return fill("%YAML 1.2\n---\nautonomy: {}\n", "# a\n", "", n) }, false},
}

// TestHostile holds that what is not valid gets a typed error soon: within 50 ms up to 256 KiB and 200 ms up to 1 MiB
// on an idle machine. Here the bound is generous, since the machine may be busy; the times are logged.
func TestHostile(t *testing.T) {
	var slowest time.Duration
	worst := ""
	sizes := []int{4 << 10, 256 << 10}
	if regime.Long() {
		sizes = append(sizes, 1<<20)
	}
	if testing.Short() || regime.Race {
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		for _, tt := range hostile {
			t.Run(fmt.Sprintf("%s/%d", tt.name, size), func(t *testing.T) {
				data := []byte(tt.make(size))
				best := time.Hour
				var sys *System
				var err error
				for range map[bool]int{true: 3, false: 1}[regime.Long()] {
					start := time.Now()
					sys, err = Parse("system.yaml", data)
					best = min(best, time.Since(start))
				}
				if best > slowest && size == 256<<10 {
					slowest, worst = best, tt.name
				}
				if limit := map[bool]time.Duration{true: 200, false: 50}[size > 256<<10] * time.Millisecond; best > limit {
					floor := time.Now()
					var n yaml.Node
					_ = yaml.Unmarshal(data, &n)
					t.Logf("slow: %v, yaml.v3 alone %v", best, time.Since(floor))
				}
				if best > 10*time.Second {
					t.Errorf("%v", best)
				}
				if err == nil {
					if !tt.fine {
						t.Fatal("valid")
					}
					return
				}
				all := fault.All(err)
				if len(all) == 0 || len(all) > 1001 {
					t.Fatalf("%d positioned errors", len(all))
				}
				for _, e := range all {
					if e.File != "system.yaml" || e.Code == "" {
						t.Fatalf("an error without its file or code: %#v", e)
					}
				}
				if sys == nil || sys.Valid() {
					t.Error("what is not valid says that it is")
				}
			})
		}
	}
	t.Logf("slowest at 256 KiB: %s, %v", worst, slowest)
}
