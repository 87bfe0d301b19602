package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"example.com/ambit/internal/textdiff"
	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
)

// warnDelivery says of one signal what is not certain.
func (c *call) warnDelivery(kind systempolicy.SignalKind, d engine.Delivery) {
	text := fmt.Sprintf("%s: the %s is %s%s", d.Environment, kind, d.Word, because(d.Why))
	if len(d.Loosens) > 0 {
		text += ": it would loosen " + strings.Join(d.Loosens, ", ")
	}
	if kind != systempolicy.ResumeSignal {
		text += "; assume that its engine still acts as before"
	}
	c.warn(strings.ReplaceAll(d.Word.String(), " ", "-"), errors.New(text))
}

func because(why engine.Why) string {
	if why == "" {
		return ""
	}
	return " (" + string(why) + ")"
}

// publishedSignal is a signal in the command's JSON; word is null for one that was only planned.
type publishedSignal struct {
	Environment string   `json:"environment"`
	Engine      *string  `json:"engine"`
	ID          string   `json:"id"`
	Word        *string  `json:"word"`
	Why         *string  `json:"why"`
	Supervised  *bool    `json:"supervised"`
	Loosens     []string `json:"loosens"`
}

func (p *publication) list() []publishedSignal {
	list := []publishedSignal{}
	for i, s := range p.signals {
		out := publishedSignal{Environment: s.Environment, Engine: optional(p.merged.engines[s.Environment]), ID: s.ID, Loosens: []string{}}
		if i < len(p.sent) {
			d := p.sent[i]
			word := d.Word.String()
			out.Word, out.Why, out.Supervised = &word, optional(string(d.Why)), &d.Supervised
			out.Loosens = append(out.Loosens, d.Loosens...)
		}
		list = append(list, out)
	}
	return list
}

// writePublication prints the plan of a dry run, or what was done.
func (c *call) writePublication(p publication) {
	diff := ""
	if p.edited.Changed {
		diff = textdiff.Unified(p.path, p.path, p.before, p.edited.Data)
	}
	if p.opened != nil && p.opened.none {
		p.opened = nil
	}
	if c.json {
		c.writePublicationJSON(p, diff)
		return
	}
	name := printable(p.path)
	switch {
	case c.is("dry-run") && p.edited.Changed:
		fmt.Fprintf(c.stdout, "%s: would change; nothing was written, nothing was sent\n%s", name, printableLines(diff))
	case p.written:
		fmt.Fprintf(c.stdout, "%s: changed\n%s", name, printableLines(diff))
	case p.edited.Data == nil || p.edited.Changed:
		fmt.Fprintf(c.stdout, "%s: not changed\n", name)
	default:
		fmt.Fprintf(c.stdout, "%s: already so, nothing to change\n", name)
	}
	if p.kind == systempolicy.SetSignal {
		writeTable(c.stdout, [][]string{{"at once:", cmp.Or(p.plan.AtOnce.String(), "nothing")}, {"after the merge:", cmp.Or(p.plan.AfterMerge.String(), "nothing")}})
	}
	var rows [][]string
	for _, s := range p.list() {
		word, why := "would be sent", ""
		if s.Word != nil {
			word = *s.Word
		} else if s.Engine == nil {
			word = "would not be sent"
		}
		if s.Why != nil {
			why = *s.Why
		} else if s.Engine == nil {
			why = string(engine.WhyNoEngine)
		}
		supervised := ""
		if s.Supervised != nil && !*s.Supervised {
			supervised = "not supervised"
		}
		engineText := ""
		if s.Engine != nil {
			engineText = *s.Engine
		}
		rows = append(rows, []string{"  " + printable(s.Environment), word, why, supervised, printable(engineText)})
	}
	if len(rows) > 0 {
		fmt.Fprintln(c.stdout, "signals:")
		writeTable(c.stdout, rows)
	}
	switch {
	case p.opened != nil && p.opened.URL != "":
		fmt.Fprintf(c.stdout, "pull request: %s\n", printable(p.opened.URL))
	case c.is("dry-run") && p.wanted():
		fmt.Fprintf(c.stdout, "pull request: would be opened as %s\n", printable(p.proposal().branch))
	case c.is("dry-run") || p.opened == nil:
		fmt.Fprintln(c.stdout, "pull request: none")
	default:
		fmt.Fprintln(c.stdout, "pull request: not opened")
	}
}

func (c *call) writePublicationJSON(p publication, diff string) {
	if p.kind == systempolicy.SetSignal {
		writeJSON(c.stdout, struct {
			setJSON
			Signals     []publishedSignal `json:"signals"`
			PullRequest *opened           `json:"pullRequest"`
		}{p.systemChange.setJSON(diff), p.list(), p.opened})
		return
	}
	writeJSON(c.stdout, struct {
		pauseJSON
		Signals     []publishedSignal `json:"signals"`
		PullRequest *opened           `json:"pullRequest"`
	}{p.systemChange.pauseJSON(p.kind == systempolicy.PauseSignal, diff), p.list(), p.opened})
}
