// Testsum reads "go test -json" on standard input, shows what failed, sums the conformance lines, and ends with one
// line "N passed, N failed". It exits 1 when anything failed, when no test ran, or when fewer recorded cases ran than
// the argument asks for.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

func main() {
	minimum := 0
	if len(os.Args) > 1 {
		n, err := strconv.Atoi(os.Args[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, "usage: testsum [MINIMUM]")
			os.Exit(1)
		}
		minimum = n
	}
	if !sum(os.Stdin, os.Stdout, minimum) {
		os.Exit(1)
	}
}

// event is one line of the test run's stream.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

var conformanceLine = regexp.MustCompile(`conformance: (\S+) ran (\d+) of (\d+)$`)

// sum copies what matters of a test run to w and reports whether the run is good.
func sum(r io.Reader, w io.Writer, minimum int) bool {
	passed, failed, cases := 0, 0, 0
	output := map[string][]string{} // of one test, until it ends
	failing := map[string]bool{}    // packages with a failed test: their own failure is not counted again
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 1<<20), 64<<20)
	for in.Scan() {
		var e event
		if json.Unmarshal(in.Bytes(), &e) != nil {
			fmt.Fprintln(w, in.Text())
			continue
		}
		key := strings.TrimSpace(e.Package + " " + e.Test)
		switch e.Action {
		case "build-output":
			fmt.Fprint(w, e.Output)
		case "output":
			line := strings.TrimSpace(e.Output)
			if m := conformanceLine.FindStringSubmatch(line); m != nil {
				n, _ := strconv.Atoi(m[2])
				cases += n
				fmt.Fprintln(w, m[0])
			} else if _, ran, ok := strings.Cut(line, "regime: "); ok {
				fmt.Fprintln(w, "regime: "+ran)
			}
			output[key] = append(output[key], e.Output)
		case "pass":
			if e.Test != "" {
				passed++
			}
		case "skip":
			if e.Test != "" {
				fmt.Fprintf(w, "skipped: %s\n%s", key, strings.Join(output[key], ""))
			}
		case "fail":
			if e.Test != "" || !failing[e.Package] {
				failed++
				failing[e.Package] = true
				fmt.Fprintf(w, "failed: %s\n%s", key, strings.Join(output[key], ""))
			}
		}
		if e.Action == "pass" || e.Action == "skip" || e.Action == "fail" {
			delete(output, key)
			if e.Test == "" {
				fmt.Fprintf(w, "%s %s %.1fs\n", e.Action, e.Package, e.Elapsed)
			}
		}
	}
	if err := in.Err(); err != nil {
		failed++
		fmt.Fprintln(w, "testsum:", err)
	}
	fmt.Fprintf(w, "conformance: %d recorded cases ran, at least %d wanted\n", cases, minimum)
	if cases < minimum {
		failed++
	}
	fmt.Fprintf(w, "%d passed, %d failed\n", passed, failed)
	return failed == 0 && passed > 0
}
