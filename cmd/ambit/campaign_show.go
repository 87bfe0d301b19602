package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/ambit/campaign"
)

// writeCampaign prints a record for people: the verdict, what was watched, candidates, findings.
func writeCampaign(c *call, r campaign.Record) {
	status := c.paint("31", "blocked")
	if r.Status == campaign.Pass {
		status = c.paint("32", "pass")
	}
	many := "candidates, none of them may act"
	if len(r.Packet.Candidates) == 1 {
		many = "candidate, which may not act"
	}
	fmt.Fprintf(c.stdout, "%s  %d %s\n", status, len(r.Packet.Candidates), many)
	rows := [][]string{{"witness", r.Witness.Mode.String() + ", " + r.Witness.Status.String()}}
	if l := r.Witness.Live; l != nil {
		rows = append(rows, []string{"watched", fmt.Sprintf("%d files, %d changed", l.TreeFiles, l.ChangedCount)}, []string{"confined", printable(l.Confinement + ", " + l.Containment)})
	}
	if r.Scanned != nil {
		rows = append(rows, []string{"scan", printable(r.Scan) + ", " + strconv.Itoa(r.Scanned.Files) + " files"})
	}
	proven := 0
	for _, n := range r.Negative {
		if n.Status == campaign.Proven {
			proven++
		}
	}
	rows = append(rows, []string{"negative cases", strconv.Itoa(proven) + " proven"})
	if r.Packet.PlanDigest != "" {
		rows = append(rows, []string{"plan", printable(r.Packet.PlanDigest)})
	}
	writeTable(c.stdout, rows)
	if len(r.Packet.Candidates) > 0 {
		rows = [][]string{{"CANDIDATE", "GAP", "ACTION", "WRITES", "REVIEW"}}
		for _, k := range r.Packet.Candidates {
			rows = append(rows, []string{k.ID(), printable(k.GapID), k.Action(), k.WriteSurface(), "a person"})
		}
		fmt.Fprintln(c.stdout)
		writeTable(c.stdout, rows)
	}
	if len(r.Findings) > 0 {
		fmt.Fprintln(c.stdout)
		for _, f := range r.Findings {
			where := f.Subject
			if where == "" {
				where = f.CaseID
			}
			why := f.Message
			if f.Observed != nil {
				why += fmt.Sprintf(" (observed: %v)", f.Observed)
			}
			fmt.Fprintln(c.stdout, strings.TrimRight(printable(string(f.Code))+"  "+printable(where), " "))
			writeWrapped(c.stdout, "  ", 2, printable(why))
		}
	}
}

// readCampaignRecord reads a record's file; what goes wrong is reported, and its exit code given.
func (c *call) readCampaignRecord(name string) ([]byte, int) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, campaign.ResultFile)
	}
	data, err := c.readInput(name, "", campaign.MaxRecord)
	if err != nil {
		return nil, c.readFailed(readCodes{"io", "record_size", "io"}, err)
	}
	return data, exitOK
}

func runCampaignShow(c *call) int {
	data, code := c.readCampaignRecord(c.operands[0])
	if code != exitOK {
		return code
	}
	r, err := campaign.ReadRecord(c.operands[0], data)
	if err != nil {
		c.fail("record", err)
		return exitRefused
	}
	switch format, _ := c.flag("format"); format {
	case "json":
		c.stdout.Write(r.Render())
	case "mermaid":
		fmt.Fprint(c.stdout, r.Mermaid())
	default:
		writeCampaign(c, r)
	}
	return exitOK
}

func runCampaignVerify(c *call) int {
	data, code := c.readCampaignRecord(c.operands[0])
	if code != exitOK {
		return code
	}
	in, err := campaign.Load(c.operands[1])
	if err != nil {
		c.fail("io", err)
		return exitIO
	}
	e := campaign.Evidence{Inputs: in}
	e.Manifest, _ = c.flag("manifest")
	e.RepoRoot, _ = c.flag("repo-root")
	e.ForbiddenTokens, _ = c.flag("forbidden-tokens")
	v := e.Verify(data)
	for _, p := range v.Problems {
		c.fail(p.Code, p)
	}
	for _, name := range v.Unchecked {
		c.note("unchecked", fmt.Errorf("%s was not given, and so not checked", name))
	}
	word := "as recorded"
	if !v.OK() {
		word = "not as recorded"
	}
	if c.json {
		unchecked := v.Unchecked
		if unchecked == nil {
			unchecked = []string{}
		}
		writeJSON(c.stdout, struct {
			Version   int             `json:"version"`
			OK        bool            `json:"ok"`
			Status    campaign.Status `json:"status"`
			Unchecked []string        `json:"unchecked"`
		}{1, v.OK(), v.Record.Status, unchecked})
	} else {
		fmt.Fprintf(c.stdout, "%s  status %s\n", word, v.Record.Status)
	}
	if v.OK() {
		return exitOK
	}
	return exitRefused
}
