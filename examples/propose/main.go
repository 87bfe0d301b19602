// Propose drafts a campaign from coverage gaps with a builder of its own, and prints what was proposed.
//
//	propose INPUT OUT
//
// INPUT holds the four documents of a campaign; OUT gets the records. The builder is this very program: started again
// with --check it looks at its working folder, counts what it could work on, and reports that. It writes nothing, and
// is not believed on its word: the folder is compared before and after.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"example.com/ambit/campaign"
)

func main() {
	if slices.Contains(os.Args, "--check") {
		os.Exit(build(os.Stdout))
	}
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: propose INPUT OUT")
		os.Exit(1)
	}
	os.Exit(propose(os.Args[1], os.Args[2], os.Stdout, os.Stderr))
}

// build is the builder's check-only mode: every Go file without a test beside it is something to work on.
func build(out io.Writer) int {
	files, err := filepath.Glob("*.go")
	if err != nil {
		return 1
	}
	h, targets := sha256.New(), 0
	for _, f := range files {
		fmt.Fprintln(h, f)
		if _, err := os.Stat(f[:len(f)-len(".go")] + "_test.go"); err != nil {
			targets++
		}
	}
	err = json.NewEncoder(out).Encode(map[string]any{
		"kind": campaign.ReportKind, "campaign_slug": "untested-files", "candidate_target_count": targets,
		"source_digest": fmt.Sprintf("sha256:%x", h.Sum(nil)), "wrote_packet": nil,
	})
	if err != nil {
		return 1
	}
	return 0
}

// propose runs the campaign and gives the exit code of ambit's table: 0 pass, 2 blocked, 3 could not judge.
func propose(input, out string, stdout, stderr io.Writer) int {
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 3
	}
	root, err := filepath.Abs(input)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 3
	}
	record, err := campaign.Run(context.Background(), campaign.Config{
		Input: input, Out: out, Witness: campaign.Builder{Path: self, Root: root},
	})
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 3
	}
	for _, c := range record.Packet.Candidates {
		fmt.Fprintf(stdout, "%s  %s  (%s, writes %s, a person reviews it)\n", c.ID(), c.GapID, c.Action(), c.WriteSurface())
	}
	for _, f := range record.Findings {
		fmt.Fprintf(stdout, "%s  %s\n", f.Code, f.Message)
	}
	if record.Status != campaign.Pass {
		return 2
	}
	return 0
}
