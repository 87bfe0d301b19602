package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/ambit/internal/oneline"
	"example.com/ambit/tiers"
)

func tiersCommands() []command {
	return slices.Concat([]command{
		{
			name: "tiers show", about: "what each tool may do and must never do",
			detail: "Shows the allow and deny lists that the protocol gives each tool, and what its owner should know. Nothing of tier3 is\n" +
				"ever in an allow list. Without a protocol in the folder, the built-in one is shown.",
			example: "ambit tiers show --tool claude", flags: []flagDef{flagTool, flagProtocol}, run: runTiersShow,
		},
	}, materializeCommands(), lintCommands())
}

type toolJSON struct {
	Name          string     `json:"name"`
	Mode          tiers.Mode `json:"mode"`
	RequiresTTY   bool       `json:"requires_tty"`
	Allow         listsJSON  `json:"allow"`
	Deny          listsJSON  `json:"deny"`
	WritePaths    []string   `json:"write_paths"`
	EffectiveMode tiers.Mode `json:"effective_mode"` // below global_mode
}

type listsJSON struct {
	Shell    []string `json:"shell"`
	Commands []string `json:"commands"`
}

type noticeJSON struct {
	Code    tiers.NoticeCode `json:"code"`
	Tool    *string          `json:"tool"`
	Entry   *string          `json:"entry"`
	Other   *string          `json:"other"`
	Message string           `json:"message"`
	Key     *string          `json:"key"`
	Line    *int             `json:"line"`
	Col     *int             `json:"col"`
}

func runTiersShow(c *call) int {
	p, code := c.loadProtocol()
	if code != exitOK {
		return code
	}
	only, code := c.declaredTool(p)
	if code != exitOK {
		return code
	}
	if c.json {
		showProtocolJSON(c, p, only)
		return exitOK
	}
	fmt.Fprintf(c.stdout, "protocol  %s, version %s\n", printable(protocolName(p)), p.Version())
	showTools(c, p, only)
	showNotices(c, p, only)
	return exitOK
}

// protocolName is what text output calls the protocol.
func protocolName(p *tiers.Protocol) string {
	if p == tiers.Default() {
		return "default (no " + tiers.ProtocolPath + " here)"
	}
	return p.Name()
}

func showProtocolJSON(c *call, p *tiers.Protocol, only string) {
	tools := []toolJSON{}
	for t := range p.Tools() {
		if only != "" && t.Name != only {
			continue
		}
		s := p.Resolve(t.Name)
		tools = append(tools, toolJSON{
			Name: t.Name, Mode: t.Mode, RequiresTTY: t.RequiresTTY,
			Allow:      listsJSON{s.Allow.Texts(tiers.KindShell), s.Allow.Texts(tiers.KindCommand)},
			Deny:       listsJSON{tiers.DenyTexts(s.Deny, tiers.KindShell), tiers.DenyTexts(s.Deny, tiers.KindCommand)},
			WritePaths: append([]string{}, s.WritePaths...), EffectiveMode: p.EffectiveMode(t.Name, ""),
		})
	}
	notices := []noticeJSON{}
	for _, n := range noticesOf(p, only) {
		notices = append(notices, noticeJSON{n.Code, optional(n.Tool), optional(n.Entry), optional(n.Other), n.Message, optional(n.Key), optional(n.Line), optional(n.Col)})
	}
	writeJSON(c.stdout, struct {
		Version         int          `json:"version"`
		Protocol        string       `json:"protocol"`
		Tools           []toolJSON   `json:"tools"`
		Notices         []noticeJSON `json:"notices"`
		ProtocolVersion string       `json:"protocol_version"`
	}{1, p.Name(), tools, notices, p.Version()})
}

// noticesOf gives the notices about the file and, of tools, about the one that is shown.
func noticesOf(p *tiers.Protocol, only string) []tiers.Notice {
	var out []tiers.Notice
	for _, n := range p.Notices() {
		if only == "" || n.Tool == "" || n.Tool == only {
			out = append(out, n)
		}
	}
	return out
}

// showTools prints what each tool may do; tools that may do the same share a paragraph.
func showTools(c *call, p *tiers.Protocol, only string) {
	var names [][]string
	var texts []string
	for t := range p.Tools() {
		if only != "" && t.Name != only {
			continue
		}
		text := toolText(c, p, t)
		i := slices.Index(texts, text)
		if i < 0 {
			i = len(texts)
			texts, names = append(texts, text), append(names, nil)
		}
		names[i] = append(names[i], printable(t.Name))
	}
	for i, text := range texts {
		fmt.Fprintf(c.stdout, "\n%s  %s", c.paint("1", strings.Join(names[i], ", ")), text)
	}
}

// toolText is the paragraph of one tool, without its name.
func toolText(c *call, p *tiers.Protocol, t tiers.Tool) string {
	var b strings.Builder
	s := p.Resolve(t.Name)
	fmt.Fprintf(&b, "mode %s", t.Mode)
	if effective := p.EffectiveMode(t.Name, ""); effective != t.Mode {
		fmt.Fprintf(&b, " (held to %s by global_mode)", effective)
	}
	if t.RequiresTTY {
		b.WriteString(", needs a terminal")
	}
	b.WriteString("\n")
	groups := map[string][]string{}
	for e := range s.Allow.All() {
		label := "silent"
		if e.Tier() == tiers.Tier2Notified {
			label = "notify"
		}
		groups[label] = append(groups[label], entryText(s.Program, e.Kind, e.Text))
	}
	for _, e := range s.Deny {
		groups["block"] = append(groups["block"], entryText(s.Program, e.Kind, e.Text))
	}
	groups["writes"] = s.WritePaths
	silence := "nothing"
	if from, _ := t.DerivedFrom(); len(from) == 0 {
		silence = "nothing: its derived_from_tiers names no tier"
	}
	for _, row := range [...]struct{ label, colour, none string }{
		{"silent", "32", silence}, {"notify", "36", ""}, {"block", "31", "nothing"}, {"writes", "36", ""},
	} {
		writeGroup(&b, c.paint(row.colour, fmt.Sprintf("%-6s", row.label)), groups[row.label], row.none)
	}
	return b.String()
}

// entryText shows a command entry as it would be typed.
func entryText(program string, kind tiers.Kind, text string) string {
	if kind == tiers.KindCommand {
		return program + " " + text
	}
	return text
}

// writeGroup writes one list behind its label, as many entries a line as fit; an empty list is said as none, or not at
// all.
func writeGroup(b *strings.Builder, label string, entries []string, none string) {
	if len(entries) == 0 {
		if none != "" {
			fmt.Fprintf(b, "  %s  %s\n", label, none)
		}
		return
	}
	const indent, between = 10, "  ·  "
	used := 0
	for i, e := range entries {
		e = printable(e)
		n := oneline.Columns(e)
		switch {
		case i == 0:
			fmt.Fprintf(b, "  %s  ", label)
		case indent+used+oneline.Columns(between)+n > width:
			fmt.Fprintf(b, "\n%*s", indent, "")
			used = 0
		default:
			b.WriteString(between)
			used += oneline.Columns(between)
		}
		b.WriteString(e)
		used += n
	}
	b.WriteString("\n")
}

func showNotices(c *call, p *tiers.Protocol, only string) {
	notices := noticesOf(p, only)
	if len(notices) == 0 {
		return
	}
	fmt.Fprintf(c.stdout, "\nnotices\n")
	for _, n := range notices {
		about := cmp.Or(n.Entry, n.Key)
		if n.Other != "" {
			about += "  (" + n.Other + ")"
		}
		if n.Tool != "" && n.Code != tiers.NoticeUnknownTool {
			about = n.Tool + ": " + about
		}
		fmt.Fprintf(c.stdout, "  %s  %s\n", c.paint("33", string(n.Code)), printable(about))
		fmt.Fprintf(c.stdout, "    line %d: %s\n", n.Line, printable(n.Message))
	}
}
