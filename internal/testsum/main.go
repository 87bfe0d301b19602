// Testsum reads "go test -json" on standard input, shows what failed, sums the conformance lines, and ends with one
// line "N passed, N failed". It exits 1 when anything failed, when no test ran, or when fewer recorded cases ran than
// the argument asks for.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

type event struct {
	Action, Package, Test, Output string
	ImportPath                    string
	Elapsed                       float64
}

var conformanceLine = regexp.MustCompile(`^conformance: (\S+) ran (\d+) of (\d+)$`)

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
	passed, failed, cases := 0, 0, 0
	output := map[string][]string{} // of one test, until it ends
	hadFailure := map[string]bool{} // packages in which a test failed
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 64<<20)
	for in.Scan() {
		var e event
		if json.Unmarshal(in.Bytes(), &e) != nil {
			fmt.Println(in.Text())
			continue
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "build-output":
			fmt.Print(e.Output)
		case "output":
			line := strings.TrimSpace(e.Output)
			if m := conformanceLine.FindStringSubmatch(line); m != nil {
				n, _ := strconv.Atoi(m[2])
				cases += n
				fmt.Println(line)
			} else if strings.Contains(line, "regime: ") {
				fmt.Println(line[strings.Index(line, "regime: "):])
			}
			output[key] = append(output[key], e.Output)
		case "pass", "skip", "fail":
			if e.Action == "fail" && (e.Test != "" || !hadFailure[e.Package]) {
				failed++
				hadFailure[e.Package] = true
				fmt.Printf("--- failed: %s\n%s", key, strings.Join(output[key], ""))
			} else if e.Action == "pass" && e.Test != "" {
				passed++
			} else if e.Action == "skip" && e.Test != "" {
				fmt.Printf("skipped: %s\n", key)
			}
			if e.Test == "" && e.Action != "skip" {
				fmt.Printf("%s %s %.1fs\n", e.Action, e.Package, e.Elapsed)
			}
			delete(output, key)
		}
	}
	ok := in.Err() == nil && failed == 0 && passed > 0
	if err := in.Err(); err != nil {
		fmt.Println("testsum:", err)
	}
	fmt.Printf("conformance: %d recorded cases ran, at least %d wanted\n", cases, minimum)
	if cases < minimum {
		ok = false
		failed++
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if !ok {
		os.Exit(1)
	}
}
