package envelope

import (
	"bytes"
	"strings"
)

// line is one line of a text, by byte offsets: its content is [start,end), its ending [end,next). A line ends with LF
// or CR LF; the last one may have no ending.
type line struct{ start, end, next int }

// lineAt gives the line that begins at from.
func lineAt(data []byte, from int) line {
	l := line{from, len(data), len(data)}
	if i := bytes.IndexByte(data[from:], '\n'); i >= 0 {
		l.end, l.next = from+i, from+i+1
		if i > 0 && data[l.end-1] == '\r' {
			l.end--
		}
	}
	return l
}

func (l line) text(data []byte) string   { return string(data[l.start:l.end]) }
func (l line) ending(data []byte) string { return string(data[l.end:l.next]) }
func (l line) blank(data []byte) bool    { return isBlank(data[l.start:l.end]) }

func isBlank(b []byte) bool { return len(bytes.Trim(b, " \t")) == 0 }

// fold makes one line of a text: every run of white space is one space, the ends have none.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }
