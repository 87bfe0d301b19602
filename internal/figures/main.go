// Figures answers: is each figure that this project names still true on this machine? It runs the benchmarks of the
// packages and prints one table: the figure, the floor or peer that was measured in the same run, their ratio, and what
// was asked.
//
//	go run ./internal/figures [-run REGEXP] [-benchtime D] [-list]
//
// Run it on a quiet machine, from any folder of the module. Exit 1 when a figure is missed or could not be measured.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

func main() {
	only := flag.String("run", "", "only figures whose name matches this regular expression")
	benchtime := flag.String("benchtime", "", "benchtime of every benchmark, in place of its own")
	list := flag.Bool("list", false, "print the figures and what is asked, and measure nothing")
	flag.Parse()
	match, err := regexp.Compile(*only)
	if err != nil || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "figures: usage: figures [-run REGEXP] [-benchtime D] [-list]")
		os.Exit(1)
	}
	var chosen []figure
	for _, f := range figures() {
		if match.MatchString(f.name) {
			chosen = append(chosen, f)
		}
	}
	if *list {
		for _, f := range chosen {
			fmt.Printf("%s: %s (%s %s)\n", f.name, f.asked(), f.of.pkg, f.of.bench)
		}
		return
	}
	if !report(os.Stdout, chosen, measure(chosen, *benchtime, goTest)) {
		os.Exit(1)
	}
}

// bench is one run of go test: every figure of the same bench is measured by the same process.
type bench struct {
	pkg, bench, time string
}

// figure is one promise.
type figure struct {
	name    string
	of      bench
	value   string  // which result, as "Outside/inside ns/op"
	floor   string  // the result beside it that it is a multiple of; "" for a promise in absolute terms
	atMost  float64 // of the ratio, or of the value
	atLeast float64 // in place of atMost
	unit    string  // of value and floor, for people
}

func (f figure) asked() string {
	switch {
	case f.atLeast > 0:
		return ">= " + number(f.atLeast, f.unit)
	case f.floor != "":
		return fmt.Sprintf("<= %.3gx", f.atMost)
	}
	return "<= " + number(f.atMost, f.unit)
}

// results are what a bench measured: "NAME UNIT" to value, and "GROUP/* UNIT" to the greatest
// of its sub-benchmarks.
type results map[string]float64

// measure runs each bench once and says on standard error which.
func measure(chosen []figure, benchtime string, run func(bench) (string, error)) map[bench]results {
	out := map[bench]results{}
	for _, f := range chosen {
		if _, done := out[f.of]; done {
			continue
		}
		b := f.of
		if benchtime != "" {
			b.time = benchtime
		}
		fmt.Fprintf(os.Stderr, "figures: %s %s\n", b.pkg, b.bench)
		text, err := run(b)
		if err != nil {
			fmt.Fprintf(os.Stderr, "figures: %s %s: %v\n%s", b.pkg, b.bench, err, text)
		}
		out[f.of] = parse(text)
	}
	return out
}

func goTest(b bench) (string, error) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "test", "-run=^$", "-bench=^"+b.bench+"$", "-benchmem", "-benchtime="+b.time, "-timeout=30m", "./"+b.pkg)
	cmd.Dir = strings.TrimSpace(string(root))
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// procs is the suffix that go test gives a benchmark's name.
var procs = regexp.MustCompile(`-[0-9]+$`)

// parse reads the lines that go test prints: a name, a count, then pairs of value and unit.
func parse(text string) results {
	out := results{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			continue
		}
		name := procs.ReplaceAllString(strings.TrimPrefix(words[0], "Benchmark"), "")
		for i := 2; i+1 < len(words); i += 2 {
			var v float64
			if _, err := fmt.Sscanf(words[i], "%g", &v); err == nil {
				out[name+" "+words[i+1]] = v
				if group, _, ok := strings.Cut(name, "/"); ok {
					all := group + "/* " + words[i+1]
					out[all] = max(out[all], v)
				}
			}
		}
	}
	return out
}

// report prints the table and reports whether every figure holds.
func report(w io.Writer, chosen []figure, measured map[bench]results) bool {
	rows := [][]string{{"figure", "value", "floor", "ratio", "asked", ""}}
	all := len(chosen) > 0
	for _, f := range chosen {
		value, ok := measured[f.of][f.value]
		judged, floor, ratio := value, "", ""
		if ok && f.floor != "" {
			var base float64
			if base, ok = measured[f.of][f.floor]; ok && base > 0 {
				judged, floor, ratio = value/base, number(base, f.unit), fmt.Sprintf("%.2fx", value/base)
			} else {
				ok = false
			}
		}
		verdict := "ok"
		switch {
		case !ok:
			rows, all = append(rows, []string{f.name, "-", "-", "-", f.asked(), "not measured"}), false
			continue
		case f.atLeast > 0 && judged < f.atLeast, f.atLeast == 0 && judged > f.atMost:
			verdict, all = "MISSED", false
		}
		rows = append(rows, []string{f.name, number(value, f.unit), floor, ratio, f.asked(), verdict})
	}
	var width [6]int
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], len(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", width[i]-len(cell)+2)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	return all
}

// number shows a value with its unit, nanoseconds in the unit that a person would use.
func number(v float64, unit string) string {
	if unit == "ns" {
		for _, u := range [...]string{"ns", "us", "ms"} {
			if v < 1000 {
				return fmt.Sprintf("%.3g %s", v, u)
			}
			v /= 1000
		}
		return fmt.Sprintf("%.3g s", v)
	}
	switch unit {
	case "x":
		return fmt.Sprintf("%.4gx", v)
	case "/s":
		return fmt.Sprintf("%.0f/s", v)
	}
	return strings.TrimSpace(fmt.Sprintf("%.4g %s", v, unit))
}
