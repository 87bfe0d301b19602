package envelope

import "bytes"

// The functions here find where a scalar ends. Each gives false when the bytes are not what the parser read.

func endOfDoubleQuoted(src []byte, at int) (int, bool) {
	if at >= len(src) || src[at] != '"' {
		return 0, false
	}
	for i := at + 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1, true
		}
	}
	return 0, false
}

func endOfSingleQuoted(src []byte, at int) (int, bool) {
	if at >= len(src) || src[at] != '\'' {
		return 0, false
	}
	for i := at + 1; i < len(src); i++ {
		if src[i] != '\'' {
			continue
		}
		if i+1 == len(src) || src[i+1] != '\'' {
			return i + 1, true
		}
		i++
	}
	return 0, false
}

// endOfPlain walks the source beside the value that was read. They are equal but for line ends: a run of white space
// with one line end reads as a space, with n+1 line ends as n line ends.
func endOfPlain(src []byte, at int, value string) (int, bool) {
	for v := 0; v < len(value); {
		end, breaks := whiteRun(src, at)
		switch {
		case breaks > 0:
			want := " "
			if breaks > 1 {
				want = string(bytes.Repeat([]byte{'\n'}, breaks-1))
			}
			if len(value)-v < len(want) || value[v:v+len(want)] != want {
				return 0, false
			}
			v += len(want)
			at = end
		case at < len(src) && src[at] == value[v]:
			at++
			v++
		default:
			return 0, false
		}
	}
	return at, true
}

// whiteRun gives the end of the white space at an offset, and how many line ends it holds.
func whiteRun(src []byte, at int) (end, breaks int) {
	for end = at; end < len(src); end++ {
		switch src[end] {
		case '\n':
			breaks++
		case ' ', '\t', '\r':
		default:
			return end, breaks
		}
	}
	return end, breaks
}

// endOfBlock gives the end of a literal or folded scalar: the last line of its content, without its ending. Blank lines
// after the content belong to it only where the header says to keep them. Content is indented deeper than parent.
func endOfBlock(src []byte, at int, mark byte, parent int) (int, bool) {
	if at >= len(src) || src[at] != mark {
		return 0, false
	}
	header := lineAt(src, at)
	keep, explicit := false, 0
	end := at + 1
	for ; end < header.end && (src[end] == '+' || src[end] == '-' || src[end] >= '1' && src[end] <= '9'); end++ {
		keep = keep || src[end] == '+'
		if src[end] > '0' {
			explicit = int(src[end] - '0')
		}
	}
	indent := -1
	if explicit > 0 {
		indent = max(parent, 0) + explicit
	}
	for from := header.next; from < len(src); {
		l := lineAt(src, from)
		from = l.next
		if l.blank(src) {
			if keep {
				end = l.end
			}
			continue
		}
		depth := l.end - l.start - len(bytes.TrimLeft(src[l.start:l.end], " "))
		if indent < 0 && depth > parent {
			indent = depth
		}
		if indent < 0 || depth < indent {
			break
		}
		end = l.end
	}
	return end, true
}
