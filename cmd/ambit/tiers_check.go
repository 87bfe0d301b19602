package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/ambit/harness"
	"example.com/ambit/tiers"
)

func runTiersCheck(c *call) int {
	p, code := c.loadProtocol()
	if code != exitOK {
		return code
	}
	o, code := c.materializeOptions(p)
	if code != exitOK {
		return code
	}
	files, err := harness.Check(c.root(), p)
	if err != nil {
		return c.failHarness(err)
	}
	if len(o.Tools) > 0 {
		files = slices.DeleteFunc(files, func(f harness.FileState) bool { return !slices.Contains(o.Tools, f.Target.Tool()) })
	}
	if c.json {
		type fileJSON struct {
			Target string  `json:"target"`
			Path   string  `json:"path"`
			State  string  `json:"state"`
			Diff   string  `json:"diff"`
			ReadBy *string `json:"read_by"`
		}
		out := []fileJSON{}
		for _, f := range files {
			out = append(out, fileJSON{f.Target.String(), f.Path, f.State.String(), f.Diff, optional(f.Target.ReadBy())})
		}
		writeJSON(c.stdout, struct {
			Version  int        `json:"version"`
			Protocol string     `json:"protocol"`
			InSync   bool       `json:"in_sync"`
			Files    []fileJSON `json:"files"`
		}{1, p.Name(), harness.InStep(files) == nil, out})
	} else {
		c.showStates(p, files)
	}
	for _, f := range files {
		if f.Err != nil {
			c.fail("harness", f.Err)
		}
	}
	if harness.InStep(files) != nil {
		return exitRefused
	}
	return exitOK
}

func (c *call) showStates(p *tiers.Protocol, files []harness.FileState) {
	fmt.Fprintf(c.stdout, "protocol  %s\n", printable(protocolName(p)))
	var rows [][]string
	for _, f := range files {
		rows = append(rows, []string{strings.ReplaceAll(f.State.String(), "_", " "), printable(f.Path), readBy(f.Target)})
	}
	writeTable(c.stdout, rows)
	for _, f := range files {
		if f.Diff != "" && f.State != harness.Missing {
			fmt.Fprintf(c.stdout, "\n%s", printableLines(f.Diff))
		}
	}
	if slices.ContainsFunc(files, func(f harness.FileState) bool { return f.State != harness.InSync && f.State != harness.Unknown }) {
		fmt.Fprint(c.stdout, "\nambit tiers materialize writes what is missing, drifted or edited; whole files that were edited need --force\n")
	}
}
