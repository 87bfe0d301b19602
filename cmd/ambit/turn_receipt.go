package main

import (
	"fmt"
	"strings"

	"example.com/ambit/turnenvelope"
)

func runTurnReceipt(c *call) int {
	policy, _ := c.flag("policy")
	var outputs []turnenvelope.Output
	var names []string
	for _, o := range c.operands {
		id, file, ok := strings.Cut(o, "=")
		if !ok || id == "" || file == "" {
			return c.usage(fmt.Errorf("%q is not NAME=FILE", o))
		}
		outputs = append(outputs, turnenvelope.Output{ID: id, Policy: policy})
		names = append(names, file)
	}
	data, code := c.readTurns(names...)
	if code != exitOK {
		return code
	}
	for i := range outputs {
		outputs[i].Text = data[i]
	}
	r, err := turnenvelope.NewReceipt(outputs)
	if err != nil {
		c.fail("receipt", err)
		return exitRefused
	}
	if c.json {
		writeJSON(c.stdout, withVersion(r.JSON()))
	} else {
		fmt.Fprintf(c.stdout, "%s\n", r.JSON())
	}
	return exitOK
}

func runTurnQualify(c *call) int {
	data, code := c.readTurns(c.operands...)
	if code != exitOK {
		return code
	}
	var receipts [2]turnenvelope.Receipt
	ok := true
	for i, name := range c.operands {
		var err error
		if receipts[i], err = turnenvelope.ParseReceipt(name, data[i]); err != nil {
			c.fail("receipt", err)
			ok = false
		}
	}
	if !ok {
		return exitRefused
	}
	v := turnenvelope.Qualify(receipts[0], receipts[1])
	if c.json {
		writeJSON(c.stdout, withVersion(v.JSON()))
	} else {
		c.writeVerdict(v)
	}
	if !v.OK {
		return exitRefused
	}
	return exitOK
}

func (c *call) writeVerdict(v turnenvelope.Verdict) {
	var rows [][]string
	for _, r := range v.Rows {
		if len(r.Findings) == 0 {
			rows = append(rows, []string{printable(r.ID), r.Status, "", ""})
		}
		for _, f := range r.Findings {
			rows = append(rows, []string{printable(r.ID), r.Status, f.Code, printable(f.Message)})
		}
	}
	writeTable(c.stdout, rows)
	switch {
	case !v.OK:
		fmt.Fprintf(c.stdout, "%s: %d of %d rows\n", c.paint("31", "failed"), v.FailedRows, v.ComparedRows)
	case v.ReviewRequired():
		fmt.Fprintf(c.stdout, "%s: %d of %d rows passed, and a person should look at them\n", c.paint("33", "review"), v.ReviewRows, v.ComparedRows)
	case v.OnlyCandidate > 0:
		fmt.Fprintf(c.stdout, "same, with %d new rows\n", v.OnlyCandidate)
	default:
		fmt.Fprintln(c.stdout, "same")
	}
}
