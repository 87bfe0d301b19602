package envelope

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/span"
)

// The limits of a file. They are counted before the YAML parser runs. // R60
const (
	maxFile        = 16 << 20  // the history of decades
	maxFrontmatter = 256 << 10 // hundreds of task types with long notes
	maxFrontLines  = 4096      // yaml.v3 gets slow with the number of keys of a mapping
	maxFrontCommas = 4096      // a flow mapping has its keys on one line
	maxDepth       = 64        // of nested collections
	maxReported    = 100       // problems of one kind in one file
)

var bom = []byte(span.BOM)

// front says where the frontmatter of a file lies: the YAML is [start,stop), the closing line [stop,body). // R30
type front struct{ start, stop, body int }

// findFront finds the frontmatter and checks everything that must hold before the YAML parser may see it.
func findFront(data []byte) (front, fault.List) {
	var problems fault.List
	at := func(offset int, code, format string, args ...any) {
		lineNo, col := span.Position(data, offset)
		problems.Add(&Error{Line: lineNo, Col: col, Code: code, Err: fmt.Errorf(format, args...)})
	}
	first := 0
	if bytes.HasPrefix(data, bom) { // R28
		first = len(bom)
	}
	opening := lineAt(data, first)
	if !isDelimiter(data[opening.start:opening.end], "---") {
		at(0, CodeNoFrontmatter, "no frontmatter: the first line is not ---")
		return front{}, problems
	}
	f := front{start: opening.next, stop: -1}
	lines, commas := 0, 0
	for from := f.start; from < len(data); lines++ {
		l := lineAt(data, from)
		text := data[l.start:l.end]
		if isDelimiter(text, "---") || isDelimiter(text, "...") {
			f.stop, f.body = l.start, l.next
			break
		}
		commas += bytes.Count(text, []byte{','})
		if l.next-f.start > maxFrontmatter || lines >= maxFrontLines || commas > maxFrontCommas {
			at(l.start, CodeTooLarge, "the frontmatter is too large: at most %d bytes, %d lines and %d commas", maxFrontmatter, maxFrontLines, maxFrontCommas)
			return f, problems
		}
		// yaml.v3 stops in silence at a document marker, and a directive changes how it reads. // R33
		if bytes.HasPrefix(text, []byte("---")) || bytes.HasPrefix(text, []byte("...")) || bytes.HasPrefix(text, []byte("%")) {
			at(l.start, CodeYAMLFeature, "a line of the frontmatter begins with %q: document markers and directives are not allowed", text[:min(3, len(text))])
		}
		if isConflict(text) || bytes.Equal(text, []byte("=======")) {
			at(l.start, CodeConflict, "the frontmatter holds a merge conflict marker: %q", clip(string(text))) // R56
		}
		from = l.next
	}
	if f.stop < 0 {
		at(opening.start, CodeNoFrontmatter, "the frontmatter is not closed by a line ---")
		return f, problems
	}
	badChars(data, f, at)
	return f, problems
}

func isDelimiter(text []byte, marks string) bool {
	return bytes.HasPrefix(text, []byte(marks)) && isBlank(text[len(marks):])
}

// badChars reports what YAML parsers take for a line end, or refuse without saying where.
func badChars(data []byte, f front, at func(int, string, string, ...any)) {
	reported := 0
	for i := f.start; i < f.stop && reported < maxReported; {
		r, size := rune(data[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(data[i:f.stop])
		}
		switch {
		case r == '\t' || r == '\n' || r == '\r' && data[i+1] == '\n': // the closing line follows, so there is a next byte
		case r == '\r':
			at(i, CodeBadChar, "the frontmatter holds a CR that is no part of a line end")
			reported++
		case r < 0x20 || r >= 0x7f && r <= 0x9f || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff:
			at(i, CodeBadChar, "the frontmatter holds %U, a control character or a line end that YAML parsers disagree about", r)
			reported++
		}
		i += size
	}
}

// encodingProblems reports what refuses the bytes as a whole, wherever it stands. // R11
func encodingProblems(data []byte) fault.List {
	var problems fault.List
	if i := bytes.IndexByte(data, 0); i >= 0 {
		lineNo, col := span.Position(data, i)
		problems.Add(&Error{Line: lineNo, Col: col, Code: CodeBadChar, Err: errors.New("the file holds a NUL byte")})
	}
	if !utf8.Valid(data) {
		i := 0
		for i < len(data) {
			r, size := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			i += size
		}
		lineNo, col := span.Position(data, i)
		problems.Add(&Error{Line: lineNo, Col: col, Code: CodeNotUTF8, Err: errors.New("the file is not UTF-8")})
	}
	return problems
}

// plainable reports whether a text may stand in YAML without quotes, by the rule that Set writes. // W12
func plainable(s string) bool {
	if s == "" || !(s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z') {
		return false
	}
	return !strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.HasSuffix(s, ":") && !reservedWord(s)
}

// reservedWord reports whether some YAML parser takes a plain text for something other than a text.
func reservedWord(s string) bool {
	switch len(s) {
	case 1, 2, 3, 4, 5:
		switch strings.ToLower(s) {
		case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
			return true
		}
	}
	return false
}

// scalar writes a text of one line as YAML. // W12
func scalar(s string) string {
	if plainable(s) {
		return s
	}
	return quoted(s)
}

func quoted(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }
