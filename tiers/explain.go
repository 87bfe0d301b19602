package tiers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/ambit/internal/oneline"
)

// Explain prints the verdict for people (T38): the decision and what made it; the line with each part marked, those
// that decided by carets; and the parts as a tree, each with its decision, the pattern or reason, and the programs that
// start it. Nothing of the text can forge a line. Lines hold at most 80 columns, but for a word that is longer.
func (v Verdict) Explain() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", v.Decision, v.headline())
	if len(v.Parts) == 0 {
		return b.String()
	}
	b.WriteString("\n")
	v.markLines(&b)
	b.WriteString("\n")
	v.listParts(&b)
	return b.String()
}

// meanings say what a reason means, for people; those of patterns say themselves.
var meanings = [...]string{
	ReasonUnlisted:          "no pattern lists it",
	ReasonTier1:             "tier1 lists it",
	ReasonTier2:             "tier2 lists it, it runs with a notice",
	ReasonTier3:             "irreversible or external, a person runs it",
	ReasonBlacklist:         "the tool's blacklist names it",
	ReasonInert:             "harmless by itself",
	ReasonDynamicCommand:    "what runs is known only when it runs",
	ReasonDynamicArgument:   "an argument known only when it runs may change what it does",
	ReasonUnparsable:        "it cannot be read as bash",
	ReasonTooLong:           "longer than what is judged",
	ReasonTooDeep:           "nested deeper than what is judged",
	ReasonTooMany:           "more commands than what is judged",
	ReasonWritesFile:        "it writes a file that no write path covers",
	ReasonExecutesCode:      "it runs code that no pattern spells out",
	ReasonUnknownRunner:     "it may run its arguments, and those are tier3",
	ReasonRunner:            "a runner that always asks",
	ReasonEnvChangesProgram: "it sets a variable that changes what programs do",
	ReasonHiddenExpansion:   "bash may run something here that the parser does not show",
	ReasonEvaluatedData:     "bash evaluates this text again, as code",
	ReasonHelpOrDryRun:      "a tier3 command that says it only tells what it would do",
	ReasonRemote:            "it writes elsewhere, or throws work away",
	ReasonControlFile:       "a file that steers the agent, its harness, or git",
	ReasonSuspiciousText:    "letters that cannot be seen or told apart",
}

// Meaning says in a few words what the reason means.
func (r Reason) Meaning() string {
	if int(r) >= len(meanings) {
		return meanings[ReasonUnlisted]
	}
	return meanings[r]
}

// headline says why, in one line: what decided the first deciding part, the part, and how many others decided too.
func (v Verdict) headline() string {
	deciding := v.Deciding()
	switch {
	case len(v.Parts) == 0 && v.Decision == Silent:
		return "it runs nothing"
	case len(deciding) == 0:
		return "nothing was judged"
	case v.Decision == Silent:
		return "every part is listed or harmless"
	}
	meaning, more := deciding[0].Reason.Meaning(), ""
	if v.Decision == Notify && deciding[0].Reason == ReasonWritesFile {
		meaning = "it writes a file below a write path"
	}
	if n := len(deciding) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	room := explainWidth - oneline.Columns(v.Decision.String()) - len(": ") - oneline.Columns(meaning) - len(": ") - len(more)
	return meaning + ": " + oneline.Fit(oneline.Show(deciding[0].Text), max(room, 12)) + more
}

const (
	explainWidth = 80
	explainLines = 12 // of the command; of a longer one only lines that decided are shown
)

// markLines prints the text with its parts marked below: carets under what decided, dashes under the rest.
func (v Verdict) markLines(b *strings.Builder) {
	marks := make([]byte, len(v.Text))
	for i := range marks {
		marks[i] = ' '
	}
	mark := func(parts []Part, with byte) {
		for _, p := range parts {
			for i := max(0, p.Start); i < min(p.End, len(marks)); i++ {
				marks[i] = with
			}
		}
	}
	mark(v.Parts, '-')
	decided := "" // what a line that is shown for sure holds
	if v.Decision != Silent {
		mark(v.Deciding(), '^')
		decided = "^"
	}
	text := strings.TrimRight(v.Text, "\n")
	lines := strings.Count(text, "\n") + 1
	skipped, shown, at := 0, 0, 0
	skip := func() {
		if skipped > 0 {
			fmt.Fprintf(b, "  ... %d lines\n", skipped)
			skipped = 0
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		m := string(marks[at : at+len(line)])
		at += len(line) + 1
		if lines > explainLines && (!strings.Contains(m, decided) || shown >= explainLines) {
			skipped++
			continue
		}
		skip()
		shown++
		markLine(b, line, m)
	}
	skip()
}

// markLine prints one line in pieces that fit, each above its marks.
func markLine(b *strings.Builder, line, marks string) {
	var text, below strings.Builder
	used := 0
	flush := func() {
		fmt.Fprintf(b, "  %s\n", strings.TrimRight(text.String(), " "))
		if m := strings.TrimRight(below.String(), " "); m != "" {
			fmt.Fprintf(b, "  %s\n", m)
		}
		text.Reset()
		below.Reset()
		used = 0
	}
	for i, w := 0, 0; i < len(line); i += w {
		_, w = utf8.DecodeRuneInString(line[i:])
		shown := oneline.Show(line[i : i+w])
		n := oneline.Columns(shown)
		if used+n > explainWidth-2 {
			flush()
		}
		text.WriteString(shown)
		below.WriteString(strings.Repeat(marks[i:i+1], n))
		used += n
	}
	flush()
}

// listParts prints one row a part; parts that only differ in their place are one row.
func (v Verdict) listParts(b *strings.Builder) {
	type row struct {
		part  Part
		name  string
		times int
	}
	var rows []row
	for _, i := range v.order() {
		p := v.Parts[i]
		name := oneline.Show(strings.Join(append(slices.Clone(p.Via), p.Text), " → "))
		if depth := min(v.depth(i), 8); depth > 0 {
			name = strings.Repeat("  ", depth-1) + "└ " + name
		}
		name = oneline.Fit(name, explainWidth-12)
		i := slices.IndexFunc(rows, func(r row) bool {
			return r.name == name && r.part.Decision == p.Decision && r.part.Reason == p.Reason && r.part.Pattern == p.Pattern && r.part.Detail == p.Detail
		})
		if i < 0 {
			rows = append(rows, row{p, name, 1})
		} else {
			rows[i].times++
		}
	}
	const widest = 36 // a longer name has its reason below
	width := 0
	for _, r := range rows {
		if n := oneline.Columns(r.name); n <= widest {
			width = max(width, n)
		}
	}
	for _, r := range rows {
		pointer := " "
		if r.part.Decision == v.Decision && v.Decision != Silent {
			pointer = ">"
		}
		why := r.part.why()
		if r.times > 1 {
			why += fmt.Sprintf(" (%d times)", r.times)
		}
		n := oneline.Columns(r.name)
		if indent := 12 + width; n <= width && indent+oneline.Columns(why) <= explainWidth {
			fmt.Fprintf(b, "%s %-6s  %s%s  %s\n", pointer, r.part.Decision, r.name, strings.Repeat(" ", width-n), why)
			continue
		}
		fmt.Fprintf(b, "%s %-6s  %s\n", pointer, r.part.Decision, r.name)
		for _, line := range wrap(why, explainWidth-10) {
			fmt.Fprintf(b, "%10s%s\n", "", line)
		}
	}
}

// order gives the parts as a reader meets them: by where they begin, what holds another before it.
func (v Verdict) order() []int {
	out := make([]int, len(v.Parts))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(i, j int) int {
		a, b := v.Parts[i], v.Parts[j]
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	return out
}

// depth says inside how many other parts the part stands: in an expansion of one, or in a text that one runs.
func (v Verdict) depth(i int) int {
	n := 0
	in := v.Parts[i]
	for j, out := range v.Parts {
		larger := out.End-out.Start > in.End-in.Start || j < i && len(in.Via) > len(out.Via)
		if j != i && larger && out.Start <= in.Start && in.End <= out.End {
			n++
		}
	}
	return n
}

// why gives the tier and the pattern that decided a part, or its reason and what exactly.
func (p Part) why() string {
	text := p.Reason.String()
	if p.Pattern != "" {
		text += ": " + oneline.Show(p.Pattern)
	}
	if p.Detail != "" {
		text += ": " + oneline.Show(p.Detail)
	}
	return oneline.Fit(text, 300)
}

// wrap breaks a text at blanks.
func wrap(text string, width int) []string {
	var out []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && oneline.Columns(line)+1+oneline.Columns(word) > width {
			out = append(out, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(out, line)
}
