package main

import (
	"errors"
	"fmt"
	"iter"
	"time"

	"example.com/ambit/envelope"
)

type listedJSON struct {
	Agent    string             `json:"agent"`
	Owner    *string            `json:"owner"`
	Updated  *string            `json:"updated"`
	AgeDays  *int               `json:"ageDays"`
	Stale    *bool              `json:"stale"`
	Counts   *countsJSON        `json:"counts"`
	Warnings []envelope.Warning `json:"warnings"`
	Error    *listedError       `json:"error"`
}

type countsJSON struct {
	FullyApproved         int `json:"fullyApproved"`
	CheckBeforeCommitting int `json:"checkBeforeCommitting"`
	NeedsFullSupervision  int `json:"needsFullSupervision"`
}

type listedError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func envelopeList(c *call) int {
	d, err := envelopeDir(c)
	if err != nil {
		return c.usage(err)
	}
	var all iter.Seq[envelope.Listed]
	if len(c.operands) == 1 {
		l, err := d.ListAgent(c.operands[0])
		if err != nil {
			return envelopeFail(c, d, err)
		}
		all = func(yield func(envelope.Listed) bool) { yield(l) }
	} else if all, err = d.List(); err != nil {
		return envelopeFail(c, d, err)
	}
	code := exitOK
	rows := []listedJSON{}
	for l := range all {
		row := listedRow(l, c.now)
		if l.Err != nil {
			c.fail("io", l.Err)
			code = exitIO
		}
		envelopeWarnings(c, l.Agent, row.Warnings)
		rows = append(rows, row)
	}
	if c.json {
		writeJSON(c.stdout, struct {
			Version        int          `json:"version"`
			AsOf           string       `json:"asOf"`
			StaleAfterDays int          `json:"staleAfterDays"`
			Agents         []listedJSON `json:"agents"`
		}{1, envelopeTime(c.now), int(envelope.StaleAfter / (24 * time.Hour)), rows})
		return code
	}
	var table [][]string
	for _, r := range rows {
		table = append(table, listedText(c, r))
	}
	writeTable(c.stdout, table)
	return code
}

func listedRow(l envelope.Listed, now time.Time) listedJSON {
	row := listedJSON{Agent: l.Agent, Warnings: []envelope.Warning{}}
	if l.Err != nil {
		row.Error = &listedError{Code: envelope.CodeIO, Message: l.Err.Error()}
		var e *envelope.Error
		if errors.As(l.Err, &e) {
			row.Error.Code, row.Error.Message = e.Code, e.File+": "+e.Message()
			if e.Line > 0 {
				row.Error.Message = fmt.Sprintf("%s: line %d: %s", e.File, e.Line, e.Message())
			}
		}
		return row
	}
	e := l.Envelope
	updated, age, stale, n := envelopeTime(e.Updated), e.AgeDays(now), e.Stale(now), e.Counts()
	row.Owner, row.Updated, row.AgeDays, row.Stale = &e.Owner, &updated, &age, &stale
	row.Counts = &countsJSON{n[envelope.FullyApproved], n[envelope.CheckBeforeCommitting], n[envelope.NeedsFullSupervision]}
	if e.FutureUpdated(now) {
		row.Warnings = append(row.Warnings, envelope.Warning{Code: envelope.WarnFutureUpdated,
			Message: fmt.Sprintf("updated is %s, which is still to come", updated)})
	}
	return row
}

// listedText is the row for people. // R55
func listedText(c *call, r listedJSON) []string {
	if r.Error != nil {
		return []string{printable(r.Agent), "-", "-", c.paint("31", "error: "+r.Error.Code)}
	}
	days := fmt.Sprintf("%d days", *r.AgeDays)
	if *r.AgeDays == 1 {
		days = "1 day"
	}
	row := []string{r.Agent, *r.Updated, days,
		fmt.Sprintf("%d %s, %d %s, %d %s", r.Counts.FullyApproved, envelope.FullyApproved, r.Counts.CheckBeforeCommitting,
			envelope.CheckBeforeCommitting, r.Counts.NeedsFullSupervision, envelope.NeedsFullSupervision)}
	if *r.Stale {
		row = append(row, c.paint("33", "STALE"))
	}
	return row
}
