package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"example.com/ambit/internal/oneline"
)

// printable shows a text from outside on one line, so that no input can forge a line or move the cursor.
func printable(s string) string { return oneline.Show(s) }

// printableLines is printable for each line of a text.
func printableLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		body, broken := strings.CutSuffix(line, "\n")
		b.WriteString(printable(strings.TrimSuffix(body, "\r")))
		if broken {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// terminal gives the width of the terminal that standard output is, and whether it is one.
func (c *call) terminal() (width int, is bool) {
	f, ok := c.stream.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil || w <= 0 {
		w = 80
	}
	return w, true
}

// colour reports whether output may be coloured: on a terminal, never with NO_COLOR or TERM=dumb.
func (c *call) colour() bool {
	_, tty := c.terminal()
	return tty && c.env["NO_COLOR"] == "" && c.env["TERM"] != "dumb"
}

// paint colours s with an SGR code such as "31" where colour is wanted.
func (c *call) paint(code, s string) string {
	if s == "" || !c.colour() {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// columns is how wide a cell is shown: what paint adds takes none.
func columns(cell string) int {
	n := 0
	for {
		before, rest, painted := strings.Cut(cell, "\x1b[")
		n += oneline.Columns(before)
		if !painted {
			return n
		}
		_, cell, _ = strings.Cut(rest, "m")
	}
}

// writeTable prints rows with aligned columns, two blanks between them, none at a line's end.
func writeTable(w io.Writer, rows [][]string) {
	var width []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], columns(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", width[i]-columns(cell)+2))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// width is what text for people keeps to where a line can be broken at a blank.
const width = 80

// writeWrapped prints a paragraph, broken at blanks; lead stands before its first line and is column columns wide, and
// the further lines begin in that column.
func writeWrapped(w io.Writer, lead string, column int, text string) {
	fmt.Fprint(w, lead)
	at := column
	for i, word := range strings.Fields(text) {
		n := oneline.Columns(word)
		switch {
		case i == 0:
		case at+1+n > width:
			fmt.Fprint(w, "\n"+strings.Repeat(" ", column))
			at = column
		default:
			fmt.Fprint(w, " ")
			at++
		}
		fmt.Fprint(w, word)
		at += n
	}
	fmt.Fprintln(w)
}

// writeTerms prints terms and what they are about, which is broken into lines beside them.
func writeTerms(w io.Writer, rows [][2]string) {
	column := 0
	for _, row := range rows {
		column = max(column, oneline.Columns(row[0])+2)
	}
	for _, row := range rows {
		writeWrapped(w, row[0]+strings.Repeat(" ", column-oneline.Columns(row[0])), column, row[1])
	}
}

// writeOverview lists the commands, or those of one noun.
func writeOverview(w io.Writer, words []string, table []command) {
	noun, example := "COMMAND", "ambit check -- git status '&&' git push"
	var rows [][2]string
	for _, c := range table {
		if len(words) == 0 {
			rows = append(rows, [2]string{"  " + c.name, c.about})
		} else if verb, ok := strings.CutPrefix(c.name, words[0]+" "); ok {
			rows = append(rows, [2]string{"  " + verb, c.about})
			if len(rows) == 1 {
				noun, example = words[0]+" VERB", c.example
			}
		}
	}
	if len(words) == 0 {
		fmt.Fprint(w, "ambit bounds what an AI agent may do without asking.\n\n")
	}
	fmt.Fprintf(w, "Usage: ambit %s [OPERANDS] [FLAGS]\n\n", noun)
	writeTerms(w, rows)
	fmt.Fprintf(w, "\nExample:\n  %s\n\nambit %s --help says more.", example, noun)
	if len(words) > 0 {
		fmt.Fprintln(w)
		return
	}
	fmt.Fprint(w, " --format json is for programs.\n\n")
	writeTerms(w, [][2]string{
		{"Exit codes", "0 ok or go ahead, 1 usage, 2 refused or a person must look, 3 could not judge"},
		{"Colour", "on a terminal only, never with NO_COLOR or TERM=dumb"},
	})
}

func writeHelp(w io.Writer, c command) {
	writeWrapped(w, "", 0, "ambit "+c.name+": "+c.about)
	fmt.Fprintln(w)
	usage := "Usage: ambit " + c.name + " "
	writeWrapped(w, usage, len(usage), strings.TrimSpace(c.operands+" [FLAGS]"))
	if c.detail != "" {
		fmt.Fprintln(w)
		writeWrapped(w, "", 0, c.detail)
	}
	if c.example != "" {
		fmt.Fprintf(w, "\nExample:\n  %s\n", c.example)
	}
	var rows [][2]string
	for i, f := range slices.Concat(c.flags, commonFlags()) {
		if i >= len(c.flags) && slices.ContainsFunc(c.flags, func(own flagDef) bool { return own.name == f.name }) {
			continue // the command's own says what it takes
		}
		name := "  " + f.spelling()
		if f.value != "" {
			name += " " + f.value
		}
		if f.repeat {
			name += " ..."
		}
		rows = append(rows, [2]string{name, f.about})
	}
	fmt.Fprintln(w, "\nFlags:")
	writeTerms(w, rows)
}
