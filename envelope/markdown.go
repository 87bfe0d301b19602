package envelope

import (
	"bytes"
	"strings"
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
	title  string // of a heading
	inert  bool
	fenced bool // inert because of a fence
}

// body is the Markdown after the frontmatter.
type body struct {
	data   []byte
	blocks []block
}

// section is a heading of level 2 and what stands below it, up to the next heading of level 1 or 2: blocks[first] is
// the heading, blocks[first+1:end] the rest.
type section struct{ first, end int }

func scanBody(data []byte, from int) body {
	b := body{data: data}
	var fence []byte // the marks that opened the fence we are in
	comment := false
	for _, l := range linesOf(data, from) {
		text, indent := unindent(data[l.start:l.end])
		k := block{line: l}
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
			k.level, k.title = heading(string(text))
		}
		b.blocks = append(b.blocks, k)
	}
	return b
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
func heading(text string) (level int, title string) {
	rest := strings.TrimLeft(text, "#")
	level = len(text) - len(rest)
	if level < 1 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	title = strings.Trim(rest, " \t")
	if open := strings.TrimRight(title, "#"); open == "" || strings.HasSuffix(open, " ") || strings.HasSuffix(open, "\t") {
		title = strings.Trim(open, " \t") // closing hashes
	}
	return level, title
}

// find gives the first section of that title.
func (b body) find(title string) (section, bool) {
	for i, k := range b.blocks {
		if k.level != 2 || k.title != title {
			continue
		}
		s := section{first: i, end: len(b.blocks)}
		for j := i + 1; j < len(b.blocks); j++ {
			if l := b.blocks[j].level; l == 1 || l == 2 {
				s.end = j
				break
			}
		}
		return s, true
	}
	return section{}, false
}

// conflict gives the line of the first merge conflict marker outside fences. // R56
func (b body) conflict() (line, bool) {
	for _, k := range b.blocks {
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
