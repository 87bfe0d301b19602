package systempolicy

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/ambit/internal/fault"
	"gopkg.in/yaml.v3"
)

// syntaxError turns what yaml.v3 says into a positioned error. Its line is often one short, and missing for the first line,
// for characters that no YAML may have, and for unknown anchors.
func syntaxError(name string, data []byte, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	e := &Error{File: name, Code: CodeSyntax}
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		if _, scanErr := fmt.Sscanf(rest, "%d:", &e.Line); scanErr == nil {
			_, text, _ = strings.Cut(rest, ": ")
		}
	}
	e.Err = fmt.Errorf("this is not YAML: %s", text)
	at := -1
	anchor, isAnchor := strings.CutPrefix(text, "unknown anchor '")
	switch {
	case e.Line > 0:
	case isAnchor:
		at = aliasOf(data, strings.TrimSuffix(anchor, "' referenced"), text)
	default:
		if at = badCharacter(data); at < 0 {
			e.Line = 1
		}
	}
	if at >= 0 {
		starts := lineStarts(data)
		for e.Line = 1; e.Line < len(starts) && starts[e.Line] <= at; e.Line++ {
		}
		e.Col = at - starts[e.Line-1] + 1
	} else if e.Line > 0 && proves(data, e.Line) == "" {
		e.Line++
	}
	return fault.List{e}.Err()
}

// maxProof bounds the bytes that are parsed again for the sake of a line number.
const maxProof = 64 << 10

// proves gives what yaml.v3 says of the first lines of a file; "" when nothing is wrong with them, so that what is wrong comes
// later, and "?" when that would take too long to find out.
func proves(data []byte, lines int) (problem string) {
	starts := lineStarts(data)
	if lines >= len(starts) || starts[lines] > maxProof {
		return "?"
	}
	defer func() {
		if r := recover(); r != nil {
			problem = fmt.Sprint(r)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data[:starts[lines]]))
	for range 2 {
		var doc yaml.Node
		if err := dec.Decode(&doc); err != nil && err.Error() != "EOF" {
			return err.Error()
		}
	}
	return ""
}

// aliasOf finds the alias of which yaml.v3 says that its anchor is unknown; -1 when it does not stand out.
func aliasOf(data []byte, anchor, text string) int {
	const most = 3 // look-alikes in comments and texts
	for from, tried := 0, 0; tried < most; {
		i := bytes.Index(data[from:], []byte("*"+anchor))
		if i < 0 {
			return -1
		}
		at, end := from+i, from+i+1+len(anchor)
		from = end
		if at > 0 && !bytes.ContainsAny(data[at-1:at], " \t\n\r[{,:") || end < len(data) && !bytes.ContainsAny(data[end:end+1], " \t\n\r]},:") {
			continue
		}
		tried++
		starts := lineStarts(data)
		line := 1
		for line < len(starts) && starts[line] <= at {
			line++
		}
		if said := proves(data, line); said == "yaml: "+text || said == "?" {
			return at
		}
	}
	return -1
}

// badCharacter finds the first byte that is not UTF-8 or that no YAML may have; -1 when there is none.
func badCharacter(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 || r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f || r > 0x7f && r < 0xa0 && r != 0x85 {
			return i
		}
		i += n
	}
	return -1
}

// bareTags gives the scalars that have the tag "!" and nothing more the tag that this means, a text; yaml.v3 forgets it. (Y1)
func bareTags(root *yaml.Node, data []byte) {
	if !hasBareTag(data) {
		return
	}
	at := positions(data)
	starts := lineStarts(data)
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && n.Style == 0 && n.Line <= len(starts) {
			line, col := at(n)
			text := data[min(starts[line-1]+col-1, len(data)):]
			if n.Anchor != "" && bytes.HasPrefix(text, []byte("&")) {
				text = bytes.TrimLeft(bytes.TrimPrefix(text[1:], []byte(n.Anchor)), " \t\r\n")
			}
			if bytes.HasPrefix(text, []byte("!")) {
				n.Style, n.Tag = yaml.TaggedStyle, "!!str"
			}
		}
		for _, c := range n.Content {
			walk(c)
		}
	}
	walk(root)
}

// hasBareTag reports whether a "!" stands alone somewhere.
func hasBareTag(data []byte) bool {
	for at := bytes.IndexByte(data, '!'); at >= 0; {
		if after := data[at+1:]; len(after) == 0 || bytes.IndexByte([]byte(" \t\r\n"), after[0]) >= 0 {
			return true
		}
		next := bytes.IndexByte(data[at+1:], '!')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return false
}
