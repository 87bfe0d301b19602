package envelope

import (
	"fmt"
	"strings"
)

// The table's head. // S30
const (
	tableHead = "| Task type | State | Since | Note |"
	tableRule = "|---|---|---|---|"
)

// renderTable gives the lines of the table, in the order of the task types. // S30-S34
func renderTable(e *Envelope) []string {
	lines := []string{tableHead, tableRule}
	for _, t := range e.TaskTypes {
		lines = append(lines, renderRow(t))
	}
	return lines
}

func renderRow(t TaskType) string {
	cell := shownRow(t)
	row := "| " + escapeCell(cell.label) + " | " + cell.state + " | " + cell.since + " |"
	if note := noteCell(t.Note); note != "" {
		return row + " " + escapeCell(note) + " |"
	}
	return row + "; |" // S33
}

// shown is what a row says: the part of the table that must agree with the frontmatter.
type shown struct{ label, state, since string }

func shownRow(t TaskType) shown {
	label := oneLine(t.Label)
	if label == "" {
		label = t.ID
	}
	return shown{label, t.State.String(), t.Since.UTC().Format(dateLayout)}
}

// noteCell is the first clause of a note. // R12
func noteCell(note string) string {
	note = oneLine(note)
	for i := range len(note) {
		if strings.IndexByte(".;!?", note[i]) < 0 || i+1 < len(note) && note[i+1] != ' ' {
			continue
		}
		if note[i] == ';' {
			return note[:i] + "."
		}
		return note[:i+1]
	}
	return note
}

// oneLine makes a text fit on a line of the file, where a NUL would make the file unreadable.
func oneLine(s string) string { return strings.ReplaceAll(fold(s), "\x00", "\ufffd") }

func escapeCell(s string) string { // W11
	return strings.NewReplacer(`\`, `\\`, `|`, `\|`).Replace(s)
}

// splitRow gives the cells of a row, unescaped and without padding.
func splitRow(text string) []string {
	text = strings.TrimPrefix(strings.Trim(text, " \t"), "|")
	var cells []string
	var cell strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && (text[i+1] == '\\' || text[i+1] == '|'):
			i++
			cell.WriteByte(text[i])
		case text[i] == '|':
			cells = append(cells, strings.Trim(cell.String(), " \t"))
			cell.Reset()
		default:
			cell.WriteByte(text[i])
		}
	}
	if rest := strings.Trim(cell.String(), " \t"); rest != "" {
		cells = append(cells, rest)
	}
	return cells
}

// table is the first table of a section: its head, where its rows begin and end, and whether the last line has an ending.
type table struct {
	head      line
	rows, end int
}

// table finds the head, the rule, and every following line that begins with a bar. // R24, W2
func (b body) table(s section) (t table, ok bool) {
	var before block // the line before, if it could be a head
	for k := range b.walk(s.head.next, s.end) {
		row := b.isRow(k)
		switch {
		case ok && !row:
			return t, true
		case ok:
			t.end = k.next
		case row && before.next > 0 && isRule(k.text(b.data)):
			t, ok = table{before.line, k.next, k.next}, true
		case row:
			before = k
		default:
			before = block{}
		}
	}
	return t, ok
}

func (b body) isRow(k block) bool {
	text, _ := unindent(b.data[k.start:k.end])
	return !k.inert && len(text) > 0 && text[0] == '|'
}

func isRule(text string) bool {
	return strings.Contains(text, "-") && strings.Trim(text, "|-: \t") == ""
}

// drift says how the table differs from what the frontmatter records, "" when it does not. // R34
func (b body) drift(e *Envelope) string {
	var t table
	if s, ok := b.find(titleState); ok {
		t, _ = b.table(s)
	}
	rows := 0
	for from := t.rows; from < t.end; rows++ {
		l := lineAt(b.data, from)
		from = l.next
		if rows >= len(e.TaskTypes) {
			continue
		}
		cells := append(splitRow(l.text(b.data)), "", "", "")
		if got, want := (shown{oneLine(cells[0]), cells[1], cells[2]}), shownRow(e.TaskTypes[rows]); got != want {
			return fmt.Sprintf("row %d of the table says %q %q %q, the frontmatter %q %q %q", rows+1,
				clip(got.label), clip(got.state), clip(got.since), clip(want.label), want.state, want.since)
		}
	}
	if rows != len(e.TaskTypes) {
		return fmt.Sprintf("the table has %d rows, the frontmatter %d task types", rows, len(e.TaskTypes))
	}
	return ""
}
