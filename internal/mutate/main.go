// Mutate answers: would the tests notice if one rule of the verdict code were wrong? It changes one comparison, boundary,
// condition, list entry or constant at a time, runs the short tests of that package against the changed file, and names
// the changes that no test noticed.
//
//	go run ./internal/mutate [-only REGEXP] [-skip N] [-max N] [-list] [-per N]
//
// It is run by hand: a run takes seconds per change. The sources are never touched, the changed file stands in for the
// real one by go test -overlay. A change that no test can notice, since it changes nothing, is named with its reason. The order is always the same, so that -skip and -max cut it into parts.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	only := flag.String("only", "", "only changes whose name matches this regular expression")
	skip := flag.Int("skip", 0, "leave out the first N")
	most := flag.Int("max", 0, "at most N; 0 is all")
	per := flag.Int("per", 16, "at most N of each file, spread over it; 0 is all")
	list := flag.Bool("list", false, "name the changes, and run nothing")
	flag.Parse()
	match, err := regexp.Compile(*only)
	if err == nil {
		err = run(match, *skip, *most, *per, *list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(match *regexp.Regexp, skip, most, per int, list bool) error {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return err
	}
	root := strings.TrimSpace(string(out))
	var all []mutant
	for _, file := range verdictFiles {
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		found, err := mutants(file, src)
		if err != nil {
			return err
		}
		all = append(all, spread(found, per)...)
	}
	var chosen []mutant
	for _, m := range all {
		if match.MatchString(m.String()) {
			chosen = append(chosen, m)
		}
	}
	chosen = chosen[min(skip, len(chosen)):]
	if most > 0 {
		chosen = chosen[:min(most, len(chosen))]
	}
	if list {
		for _, m := range chosen {
			fmt.Println(m)
		}
		return nil
	}
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	count := map[string]int{}
	for _, m := range chosen {
		word, err := try(root, work, m)
		if err != nil {
			return err
		}
		count[word]++
		fmt.Printf("%-8s  %s\n", word, m)
		if why := m.why(); word == survived && why != "" {
			fmt.Printf("          %s\n", why)
			count[explained]++
		}
	}
	judged := count[killed] + count[survived]
	fmt.Printf("%d changes: %d killed, %d survived (%d of them with a known reason), %d do not build", len(chosen), count[killed], count[survived], count[explained], count[unbuilt])
	if judged > 0 {
		fmt.Printf("; %.1f%% killed", 100*float64(count[killed])/float64(judged))
	}
	fmt.Println()
	return nil
}

// The words of an outcome.
const (
	killed   = "killed"   // a test failed, or never ended
	survived = "SURVIVED" // every test passed
	unbuilt  = "unbuilt"  // not Go any more, which says nothing about the tests

	explained = "explained" // survived, for a reason that is known
)

// timeLimit is how long the short tests of one package may take before the change counts as noticed.
const timeLimit = 5 * time.Minute

// try runs the package's short tests with the changed file in place of the real one.
func try(root, work string, m mutant) (string, error) {
	real := filepath.Join(root, filepath.FromSlash(m.file))
	src, err := os.ReadFile(real)
	if err != nil {
		return "", err
	}
	if m.end > len(src) || string(src[m.start:m.end]) != m.was {
		return "", fmt.Errorf("%s was changed meanwhile", m.file)
	}
	changed := filepath.Join(work, "changed.go")
	if err := os.WriteFile(changed, m.apply(src), 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{real: changed}})
	if err != nil {
		return "", err
	}
	name := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(name, overlay, 0o600); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "test", "-overlay", name, "-short", "-failfast", "-vet=off", "-count=1", "-timeout=2m", "./"+filepath.ToSlash(filepath.Dir(filepath.FromSlash(m.file))))
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return survived, nil
	case strings.Contains(string(out), "[build failed]") || strings.Contains(string(out), "[setup failed]"):
		return unbuilt, nil
	}
	return killed, nil
}

// spread takes at most n, evenly spaced, so that every part of a file is tried.
func spread(all []mutant, n int) []mutant {
	if n <= 0 || len(all) <= n {
		return all
	}
	out := make([]mutant, 0, n)
	for i := range n {
		out = append(out, all[i*len(all)/n])
	}
	return out
}
