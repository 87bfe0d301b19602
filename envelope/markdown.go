package envelope

import (
	"bytes"
	"iter"
)

// The two sections of the body. // S30, S35
const (
	titleState   = "Current state"
	titleHistory = "History"
)

// block is one line of the body, and what Markdown takes it for. Lines inside fences and comments are inert: nothing in
// them is a heading or a table. // R24
type block struct {
	line
	level  int    // of an ATX heading; 0 is none
	title  []byte // of a heading; a part of the data
	inert  bool
	fenced bool // inert because of a fence
	open   bool // a fence or a comment goes on below this line
}

// body is the Markdown after the frontmatter. It is walked and never kept, since a file may be all line ends.
type body struct {
	data []byte
	from int
}

// section is a heading of level 2 and what stands below it, data[head.next:end], up to the next heading of level 1 or 2.
type section struct {
	head line
	end  int
}

// walk gives the lines of data[from:to]. Where it begins, no fence and no comment may be open: at the body's first line,
// or below a heading.
func (b body) walk(from, to int) iter.Seq[block] {
	return func(yield func(block) bool) {
		var fence []byte // the marks that opened the fence we are in
		comment := false
		for from < to {
			k := block{line: lineAt(b.data, from)}
			from = k.next
			text, indent := unindent(b.data[k.start:k.end])
			switch marks := fenceMarks(text); {
			case fence != nil:
				k.inert, k.fenced = true, true
				if indent < 4 && len(marks) >= len(fence) && marks[0] == fence[0] && isBlank(text[len(marks):]) {
					fence = nil
				}
			case comment:
				k.inert, comment = true, !bytes.Contains(text, []byte("-->"))
			case indent >= 4: // code, or the rest of a paragraph: no heading and no table either way
				k.inert = true
			case len(marks) >= 3 && (marks[0] == '~' || !bytes.ContainsRune(text[len(marks):], '`')):
				k.inert, k.fenced, fence = true, true, marks
			case bytes.HasPrefix(text, []byte("<!--")):
				k.inert, comment = true, !bytes.Contains(text, []byte("-->"))
			default:
				k.level, k.title = heading(text)
			}
			if k.open = fence != nil || comment; !yield(k) {
				return
			}
		}
	}
}

// unindent takes the indentation off a line and gives its width in columns; a tab counts as four.
func unindent(text []byte) ([]byte, int) {
	width := 0
	for i, c := range text {
		switch c {
		case ' ':
			width++
		case '\t':
			width += 4
		default:
			return text[i:], width
		}
	}
	return nil, width
}

// fenceMarks gives the run of ticks or tildes that a line begins with.
func fenceMarks(text []byte) []byte {
	n := 0
	for n < len(text) && (text[0] == '`' || text[0] == '~') && text[n] == text[0] {
		n++
	}
	return text[:n]
}

// heading gives the level and title of an ATX heading, 0 for anything else.
func heading(text []byte) (level int, title []byte) {
	rest := bytes.TrimLeft(text, "#")
	level = len(text) - len(rest)
	if level < 1 || level > 6 || len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' {
		return 0, nil
	}
	rest = bytes.Trim(rest, " \t")
	if open := bytes.TrimRight(rest, "#"); len(open) == 0 || open[len(open)-1] == ' ' || open[len(open)-1] == '\t' {
		rest = bytes.Trim(open, " \t") // closing hashes
	}
	return level, rest
}

// find gives the first section of that title.
func (b body) find(title string) (s section, ok bool) {
	for k := range b.walk(b.from, len(b.data)) {
		switch {
		case ok && (k.level == 1 || k.level == 2):
			s.end = k.start
			return s, true
		case !ok && k.level == 2 && string(k.title) == title:
			s, ok = section{k.line, len(b.data)}, true
		}
	}
	return s, ok
}

// open gives where a fence or a comment begins that never ends: text below it is in none of the sections. Without one, it is the
// end of the data.
func (b body) open() int {
	at, inert := len(b.data), false
	for k := range b.walk(b.from, len(b.data)) {
		if k.open && !inert {
			at = k.start
		}
		if inert = k.open; !inert {
			at = len(b.data)
		}
	}
	return at
}

// conflict gives the line of the first merge conflict marker outside fences. // R56
func (b body) conflict() (line, bool) {
	for k := range b.walk(b.from, len(b.data)) {
		if !k.fenced && isConflict(b.data[k.start:k.end]) {
			return k.line, true
		}
	}
	return line{}, false
}

func isConflict(text []byte) bool {
	if len(text) < 7 || len(text) > 7 && text[7] != ' ' {
		return false
	}
	mark := string(text[:7])
	return mark == "<<<<<<<" || mark == ">>>>>>>" || mark == "|||||||"
}
