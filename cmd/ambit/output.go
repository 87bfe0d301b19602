package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// printable shows a text from outside on one line: control characters, line ends and direction controls are escaped,
// so that no input can forge a line or move the cursor.
func printable(s string) string {
	if !strings.ContainsFunc(s, unprintable) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unprintable(r) && r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case unprintable(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unprintable(r rune) bool {
	return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0x200e || r == 0x200f ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
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

// writeTable prints rows with aligned columns, two blanks between them, none at a line's end.
func writeTable(w io.Writer, rows [][]string) {
	var width []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", width[i]-len([]rune(cell))+2))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

func writeOverview(w io.Writer, words []string, table []command) {
	fmt.Fprint(w, "ambit bounds what an AI agent may do without asking.\n\nUsage: ambit COMMAND [OPERANDS] [FLAGS]\n\n")
	var rows [][]string
	for _, c := range table {
		if len(words) == 0 || strings.HasPrefix(c.name, words[0]+" ") {
			rows = append(rows, []string{"  " + c.name, c.about})
		}
	}
	writeTable(w, rows)
	fmt.Fprint(w, "\nExit codes: 0 ok or go ahead, 1 usage, 2 refused or a person must look, 3 could not judge.\n"+
		"ambit COMMAND --help says more.\n")
}

func writeHelp(w io.Writer, c command) {
	fmt.Fprintf(w, "ambit %s: %s\n\nUsage: ambit %s [FLAGS]\n", c.name, c.about, strings.TrimSpace(c.name+" "+c.operands))
	if c.detail != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(c.detail))
	}
	if c.example != "" {
		fmt.Fprintf(w, "\nExample:\n  %s\n", c.example)
	}
	var rows [][]string
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
		rows = append(rows, []string{name, f.about})
	}
	fmt.Fprintln(w, "\nFlags:")
	writeTable(w, rows)
}
