package envelope

import (
	"bytes"
	"strings"

	"example.com/ambit/internal/span"
)

// endingBefore gives the ending of the line before an offset; at a line without one, that of line 1. // W5
func endingBefore(data []byte, at int) string {
	if at == 0 || data[at-1] != '\n' {
		return lineAt(data, 0).ending(data)
	}
	if at > 1 && data[at-2] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// insert puts lines at an offset where a line begins, or at the end of the data, where a missing line ending is put
// first. All of them take the ending of the line before.
func insert(data []byte, at int, lines ...string) []byte {
	ending := endingBefore(data, at)
	text := strings.Join(lines, ending) + ending
	if at > 0 && data[at-1] != '\n' {
		text = ending + text
	}
	return apply(data, cut(at, at, text))
}

// withTable renders the table, making what is missing. // W2, W4
func withTable(data []byte, from int, rendered []string) []byte {
	b := body{data, from}
	state, ok := b.find(titleState)
	if !ok {
		heading := append([]string{"## " + titleState, ""}, rendered...)
		if history, ok := b.find(titleHistory); ok {
			return insert(data, history.head.start, append(heading, "")...)
		}
		return appendLines(data, b.open(), heading)
	}
	if t, ok := b.table(state); ok {
		ending := t.head.ending(data)
		text := strings.Join(rendered, ending)
		if data[t.end-1] == '\n' { // R29
			text += ending
		}
		return apply(data, cut(t.head.start, t.end, text))
	}
	at, lines := state.head.next, rendered
	if at < len(data) && lineAt(data, at).blank(data) {
		at = lineAt(data, at).next
	} else {
		lines = append([]string{""}, lines...)
	}
	if at < len(data) && !lineAt(data, at).blank(data) {
		lines = append(lines, "")
	}
	return insert(data, at, lines...)
}

// withEntry puts an entry on top of the history, making the section if it is missing. // W3, W4, R21
func withEntry(data []byte, from int, entry []string) []byte {
	b := body{data, from}
	s, ok := b.find(titleHistory)
	if !ok {
		return appendLines(data, b.open(), append([]string{"## " + titleHistory, ""}, entry...))
	}
	open := b.open()
	last := s.head
	for k := range b.walk(s.head.next, s.end) {
		if k.level == 3 {
			return insert(data, k.start, append(entry, "")...)
		}
		if !k.blank(data) && k.start < open {
			last = k.line
		}
	}
	if open < s.end {
		return appendLines(data, open, entry)
	}
	return insert(data, last.next, append([]string{""}, entry...)...)
}

// appendLines puts lines at the end of the file, a blank line before them; or where a fence or comment begins that never ends,
// with a blank line behind them too, since what is below it is not read.
func appendLines(data []byte, at int, lines []string) []byte {
	text := bytes.TrimSuffix(bytes.TrimSuffix(data[:at], []byte("\n")), []byte("\r"))
	if !isBlank(text[span.LineStart(text, len(text)):]) {
		lines = append([]string{""}, lines...)
	}
	if at < len(data) {
		lines = append(lines, "")
	}
	return insert(data, at, lines...)
}
