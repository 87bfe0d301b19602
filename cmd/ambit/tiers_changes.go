package main

import (
	"errors"
	"fmt"
	"strings"

	"example.com/ambit/harness"
)

type changeJSON struct {
	Target string  `json:"target"`
	Path   string  `json:"path"`
	Action string  `json:"action"`
	Diff   string  `json:"diff"`
	ReadBy *string `json:"read_by"`
}

type harnessNoticeJSON struct {
	Code    harness.NoticeCode `json:"code"`
	Target  *string            `json:"target"`
	Entry   *string            `json:"entry"`
	Other   *string            `json:"other"`
	Rules   []string           `json:"rules"`
	Message string             `json:"message"`
}

// applyChanges writes a plan, or with --dry-run shows it.
func (c *call) applyChanges(plan *harness.Changes) int {
	if err := plan.Err(); err != nil {
		c.showChanges(plan.Files, plan.Notices, nil)
		return c.failHarness(err)
	}
	if c.is("dry-run") {
		c.showChanges(plan.Files, plan.Notices, nil)
		return exitOK
	}
	r, err := harness.Apply(plan)
	if err != nil {
		return c.failHarness(err)
	}
	c.showChanges(r.Files, r.Notices, r.Backups)
	return exitOK
}

// failHarness reports an error of the package with the exit code that fits it.
func (c *call) failHarness(err error) int {
	c.fail("harness", err)
	for _, refused := range []error{harness.ErrTier3, harness.ErrStrict, harness.ErrEdited, harness.ErrRefused, harness.ErrFormat, harness.ErrLedger, harness.ErrUnknown} {
		if errors.Is(err, refused) {
			return exitRefused
		}
	}
	for _, p := range c.problems {
		if p.Code == harness.CodeFile {
			return exitRefused
		}
	}
	return exitIO
}

func (c *call) showChanges(files []harness.FileChange, notices []harness.Notice, backups []string) {
	if c.json {
		out := struct {
			Version int                 `json:"version"`
			Files   []changeJSON        `json:"files"`
			Backups []string            `json:"backups"`
			Notices []harnessNoticeJSON `json:"notices"`
		}{1, []changeJSON{}, append([]string{}, backups...), []harnessNoticeJSON{}}
		for _, f := range files {
			out.Files = append(out.Files, changeJSON{f.Target.String(), f.Path, f.Action.String(), f.Diff, optional(f.Target.ReadBy())})
		}
		for _, n := range notices {
			out.Notices = append(out.Notices, harnessNoticeJSON{n.Code, optional(n.Target), optional(n.Entry), optional(n.Other), append([]string{}, n.Rules...), n.Message})
		}
		writeJSON(c.stdout, out)
		return
	}
	var rows [][]string
	for _, f := range files {
		rows = append(rows, []string{f.Action.String(), printable(f.Path), readBy(f.Target)})
	}
	writeTable(c.stdout, rows)
	for _, b := range backups {
		fmt.Fprintf(c.stdout, "backup  %s\n", printable(b))
	}
	if c.is("dry-run") {
		for _, f := range files {
			if f.Diff != "" {
				fmt.Fprintf(c.stdout, "\n%s", printableLines(f.Diff))
			}
		}
	}
	c.showHarnessNotices(notices)
}

// readBy says who looks at the file, so that nobody believes in one that nothing reads.
func readBy(t harness.Target) string {
	if by := t.ReadBy(); by != "" {
		return "read by " + by
	}
	return "read by no agent: the contract's own format"
}

// together are the notices that are said once for all their entries.
var together = map[harness.NoticeCode]string{
	harness.NoticeNativeWider:   "the agent's own rule lets options through that run or write something; the hook looks at them (--strict leaves these out)",
	harness.NoticeInexpressible: "the agent's own rules cannot say it; the evaluator behind the hook keeps it",
	harness.NoticeForeignAllow:  "allow rules that are not from the protocol; they stay",
}

// showHarnessNotices prints the notices, those of one kind about one file together.
func (c *call) showHarnessNotices(notices []harness.Notice) {
	type kind struct {
		code   harness.NoticeCode
		target string
	}
	var order []kind
	groups := map[kind][]string{}
	for _, n := range notices {
		if n.Code == harness.NoticeNotRead {
			continue // the table says so
		}
		k := kind{n.Code, n.Target}
		if groups[k] == nil {
			order = append(order, k)
		}
		switch {
		case n.Code == harness.NoticeForeignAllow:
			groups[k] = append(groups[k], n.Rules...)
		case together[n.Code] != "":
			groups[k] = append(groups[k], n.Entry)
		default:
			groups[k] = append(groups[k], n.Message)
		}
	}
	for _, k := range order {
		fmt.Fprintf(c.stdout, "\n%s  %s\n", c.paint("33", string(k.code)), k.target)
		if about := together[k.code]; about != "" {
			var b strings.Builder
			writeGroup(&b, "      ", groups[k], "")
			writeWrapped(c.stdout, "  ", 2, about)
			c.stdout.WriteString(b.String())
			continue
		}
		for _, text := range groups[k] {
			writeWrapped(c.stdout, "  ", 2, printable(text))
		}
	}
}
