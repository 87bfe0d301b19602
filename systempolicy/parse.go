package systempolicy

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"example.com/ambit/internal/fault"
	"gopkg.in/yaml.v3"
)

// Limits of a system.yaml that mentions autonomy.
const (
	MaxBytes   = 1 << 20 // bytes; yaml.v3 takes about 100 ms for so many
	MaxDepth   = 100     // nesting
	MaxAliases = 10_000  // aliases in the file
)

// Parse reads a system.yaml; name is for messages. A file that holds neither the bytes "autonomy" nor a backslash is not
// even parsed: nothing in it is judged (R2).
//
// The error holds every problem, each an *[Error], in document order (R41). The System is never nil: one that is not
// valid still judges, with everything that could not be told closed, and must not be rendered.
func Parse(name string, data []byte) (*System, error) {
	if !bytes.Contains(data, []byte("autonomy")) && !bytes.ContainsRune(data, '\\') {
		return &System{}, nil
	}
	root, err := parseYAML(name, data)
	if err != nil {
		return &System{invalid: true, broken: true}, err
	}
	s, problems := walkSystem(root, data)
	var list fault.List
	for _, p := range problems {
		p.File = name
		list.Add(p)
	}
	for _, w := range s.warnings {
		w.File = name
	}
	return s, list.Err()
}

// parseYAML gives the root node of the only document; nil when there is none.
func parseYAML(name string, data []byte) (root *yaml.Node, err error) {
	if len(data) > MaxBytes {
		return nil, fault.List{{File: name, Code: CodeLimit, Err: fmt.Errorf("the file has %d bytes, more than %d", len(data), MaxBytes)}}.Err()
	}
	defer func() {
		// yaml.v3 gives most errors back, and panics at some that it believes to be its own.
		if r := recover(); r != nil {
			root, err = nil, syntaxError(name, data, fmt.Errorf("%v", r))
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, syntaxError(name, data, err)
	}
	if err := limits(name, &doc, data); err != nil {
		return nil, err
	}
	root = doc.Content[0]
	bareTags(root, data)
	switch err := dec.Decode(&more); {
	case errors.Is(err, io.EOF):
		return root, nil
	case err != nil:
		return nil, syntaxError(name, data, err)
	}
	if mentions(root) || mentions(more.Content[0]) {
		line, col := positions(data)(&more)
		return nil, fault.List{{File: name, Line: line, Col: col, Code: CodeFeature, Err: errors.New("a second document begins here; YAML readers differ in which one they take"), Allowed: []string{"one document"}}}.Err()
	}
	return nil, nil
}

// mentions reports whether a document declares autonomy in any place that is ours to judge.
func mentions(root *yaml.Node) bool {
	w := walk{reader: &reader{}}
	return root.Kind == yaml.MappingNode && w.mentions(root)
}

// limits bounds depth and aliases, so that no walk below need to.
func limits(name string, doc *yaml.Node, data []byte) error {
	aliases := 0
	var deepest *yaml.Node
	var walk func(n *yaml.Node, depth int)
	walk = func(n *yaml.Node, depth int) {
		if depth > MaxDepth {
			if deepest == nil {
				deepest = n
			}
			return
		}
		if n.Kind == yaml.AliasNode {
			aliases++
			return
		}
		for _, c := range n.Content {
			walk(c, depth+1)
		}
	}
	walk(doc, 0)
	switch {
	case deepest != nil:
		line, col := positions(data)(deepest)
		return fault.List{{File: name, Line: line, Col: col, Code: CodeLimit, Err: fmt.Errorf("nested deeper than %d", MaxDepth)}}.Err()
	case aliases > MaxAliases:
		return fault.List{{File: name, Code: CodeLimit, Err: fmt.Errorf("%d aliases, more than %d", aliases, MaxAliases)}}.Err()
	}
	return nil
}

// positions gives the line and the column in bytes of a node. yaml.v3 counts columns in characters, and takes CR, NEL,
// LS and PS for line ends as well.
func positions(data []byte) func(*yaml.Node) (line, col int) {
	var starts []int
	marks := map[int][]int{} // by line: the offset in it of every markEvery-th character
	return func(n *yaml.Node) (int, int) {
		if starts == nil {
			starts = lineStarts(data)
		}
		if n.Line < 1 || n.Line > len(starts) {
			return n.Line, 0
		}
		line := data[starts[n.Line-1]:]
		if n.Line < len(starts) {
			line = data[starts[n.Line-1]:starts[n.Line]]
		}
		at, done := marks[n.Line]
		if !done {
			at = markLine(line)
			marks[n.Line] = at
		}
		left := max(n.Column-1, 0)
		mark := min(left/markEvery, len(at)-1)
		offset := at[mark]
		for left -= mark * markEvery; left > 0 && offset < len(line); left-- {
			offset += min(runeLen(line[offset]), len(line)-offset)
		}
		return n.Line, offset + 1
	}
}

// markEvery bounds how much of a long line is walked to find a column.
const markEvery = 512

func markLine(line []byte) []int {
	marks := []int{0}
	for offset, n := 0, 0; offset < len(line); n++ {
		if n > 0 && n%markEvery == 0 {
			marks = append(marks, offset)
		}
		offset += min(runeLen(line[offset]), len(line)-offset)
	}
	return marks
}

func runeLen(first byte) int {
	switch {
	case first < 0xc0:
		return 1
	case first < 0xe0:
		return 2
	case first < 0xf0:
		return 3
	}
	return 4
}

// lineStarts gives the offset of each line, as yaml.v3 counts them. A byte order mark is not content.
func lineStarts(data []byte) []int {
	starts := []int{0}
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		starts[0] = 3
	}
	for i := 0; i < len(data); i++ {
		switch {
		case data[i] == '\n':
		case data[i] == '\r' && !(i+1 < len(data) && data[i+1] == '\n'):
		case data[i] == 0xc2 && i+1 < len(data) && data[i+1] == 0x85:
			i++
		case data[i] == 0xe2 && i+2 < len(data) && data[i+1] == 0x80 && (data[i+2] == 0xa8 || data[i+2] == 0xa9):
			i += 2
		default:
			continue
		}
		starts = append(starts, i+1)
	}
	return starts
}

// NameOf gives the top-level name of a system.yaml, also of one that declares nothing, to find a rendering by that is to
// be removed; "" when there is none or it cannot be told.
func NameOf(data []byte) string {
	if len(data) > MaxBytes {
		return ""
	}
	root, err := parseYAML("", data)
	if err != nil || root == nil {
		return ""
	}
	if n := child(root, "name"); n != nil {
		if v, ok := read(n); ok && v.kind == kindText {
			return v.text
		}
	}
	return ""
}
