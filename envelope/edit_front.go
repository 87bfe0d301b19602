package envelope

import (
	"errors"
	"strings"

	"example.com/ambit/internal/span"
)

var errFlow = errors.New("the list is written in braces or brackets, where nothing is inserted")

const flowHint = "write the entries of taskTypes as a list of lines, one key a line; a state can be set as it is, without --note"

// frontEdits gives the splices of the frontmatter. // W1, W6-W10
func (d *Document) frontEdits(p plan) ([]span.Splice, error) {
	edits := d.replaceWord(d.root.get("updated"), formatTime(p.Now))
	list := d.root.get("taskTypes")
	if !p.recorded {
		more, err := d.addEntry(p, list)
		return append(edits, more...), err
	}
	n := list.values[p.index]
	if p.State != p.old.State {
		edits = append(edits, d.replaceWord(n.get("state"), p.State.String())...)
		edits = append(edits, d.replaceWord(n.get("stateSince"), formatTime(p.Now))...)
	}
	flow := n.flow || list.flow || d.root.flow
	at := n.find("operatorNote")
	switch {
	case p.note == "" && p.old.Note == "":
		return edits, nil // no note, or a key without value, before and after
	case p.note == "" && flow:
		return append(edits, d.dropPair(n, at)...), nil
	case p.note == "":
		return append(edits, d.dropLines(n, at)), nil
	case at >= 0:
		more, err := d.replaceNote(n.values[at], p.note, flow)
		return append(edits, more...), err
	case flow:
		return nil, d.refuseFlow(n)
	}
	return append(edits, d.addNote(n, p.note)), nil
}

func (d *Document) refuseFlow(n *node) *Error {
	e := d.refuse(n.start, "taskTypes", CodeYAMLFeature, errFlow)
	e.Hint = flowHint
	return e
}

// replaceWord replaces a value and keeps its quotes. // W6
func (d *Document) replaceWord(n *node, text string) []span.Splice {
	switch n.quote {
	case '"', '\'':
		return []span.Splice{cut(n.start+1, n.end-1, text)}
	case '|', '>':
		return d.replaceBlock(n, text)
	}
	return []span.Splice{cut(n.start, n.end, text)}
}

// replaceBlock makes one line of a literal or folded scalar. A comment beside its mark stays.
func (d *Document) replaceBlock(n *node, text string) []span.Splice {
	header := lineAt(d.data, n.start)
	mark := n.start + 1
	for mark < header.end && strings.IndexByte("+-123456789", d.data[mark]) >= 0 {
		mark++
	}
	if d.data[mark] == '#' { // which only the mark kept apart
		text += " "
	}
	edits := []span.Splice{cut(n.start, mark, text)}
	if n.end > header.end {
		edits = append(edits, cut(header.next, lineAt(d.data, span.LineStart(d.data, n.end)).next, ""))
	}
	return edits
}

// replaceNote puts a new note in the place of an old one, whatever its style was. // W8
func (d *Document) replaceNote(n *node, note string, flow bool) ([]span.Splice, error) {
	text := scalar(note)
	if flow {
		text = quoted(note)
	}
	if n.quote == '|' || n.quote == '>' {
		return d.replaceBlock(n, text), nil
	}
	if n.start < n.end {
		return []span.Splice{cut(n.start, n.end, text)}, nil
	}
	if d.data[n.start-1] != ':' { // a key without value, and without colon
		return nil, d.refuseFlow(n)
	}
	return []span.Splice{cut(n.start, n.start, " "+text)}, nil
}

// addNote gives a note a line of its own below the one of stateSince. // W7
func (d *Document) addNote(n *node, note string) span.Splice {
	i := n.find("stateSince")
	key := n.keys[i]
	below := d.lineEnd(n.values[i].end)
	indent := strings.Repeat(" ", key.start-span.LineStart(d.data, key.start))
	return cut(below, below, indent+"operatorNote: "+scalar(note)+endingBefore(d.data, below))
}

// lineEnd gives the offset behind the line that holds at.
func (d *Document) lineEnd(at int) int { return lineAt(d.data, span.LineStart(d.data, at)).next }

// pairStart gives the first byte of a pair: its key, or the question mark before it.
func (d *Document) pairStart(n *node, i int) int {
	start := n.keys[i].start
	before := strings.TrimRight(string(d.data[span.LineStart(d.data, start):start]), " \t")
	if strings.HasSuffix(before, "?") {
		return span.LineStart(d.data, start) + len(before) - 1
	}
	return start
}

// dropLines removes a note in block style: its lines, or, beside a dash, everything up to the next key. // W9
func (d *Document) dropLines(n *node, i int) span.Splice {
	start := d.pairStart(n, i)
	first := span.LineStart(d.data, start)
	if isBlank(d.data[first:start]) {
		return cut(first, d.lineEnd(n.values[i].end), "")
	}
	return cut(start, d.pairStart(n, i+1), "") // another key follows, since id is required
}

// dropPair removes a note in braces, and one comma. Comments beside it stay. // W9
func (d *Document) dropPair(n *node, i int) []span.Splice {
	start, end := d.pairStart(n, i), max(n.keys[i].end, n.values[i].end)
	from, to := 0, start // where the comma is, and what lies between it and the pair
	if i > 0 {
		from = d.comma(max(n.keys[i-1].end, n.values[i-1].end))
		if isWhite(d.data[from+1 : to]) {
			return []span.Splice{cut(from, end, "")}
		}
		return []span.Splice{cut(from, from+1, ""), cut(start, end, "")}
	}
	from, to = d.comma(end), d.pairStart(n, i+1) // another key follows, since id is required
	if isWhite(d.data[end:from]) && isWhite(d.data[from+1:to]) {
		return []span.Splice{cut(start, to, "")}
	}
	return []span.Splice{cut(start, end, ""), cut(from, from+1, "")}
}

// comma finds the comma behind a value in a flow collection.
func (d *Document) comma(at int) int {
	for d.data[at] != ',' {
		if d.data[at] == '#' {
			at = lineAt(d.data, at).end
		}
		at++
	}
	return at
}

func isWhite(b []byte) bool { return strings.Trim(string(b), " \t\r\n") == "" }

// addEntry puts a new entry below the last one. // W10
func (d *Document) addEntry(p plan, list *node) ([]span.Splice, error) {
	if d.root.flow {
		return nil, d.refuseFlow(d.root)
	}
	if len(list.values) == 0 {
		return d.firstEntry(p, list)
	}
	last := list.values[len(list.values)-1]
	if list.flow || last.flow {
		return nil, d.refuseFlow(last)
	}
	dash := list.start - span.LineStart(d.data, list.start)
	key := last.start - span.LineStart(d.data, last.start)
	at := d.lineEnd(last.end)
	for at < d.front.stop {
		l := lineAt(d.data, at)
		text, indent := unindent(d.data[l.start:l.end])
		if len(text) == 0 || text[0] != '#' || indent <= dash {
			break
		}
		at = l.next
	}
	return []span.Splice{cut(at, at, p.entryLines(dash, key, endingBefore(d.data, at)))}, nil
}

// firstEntry turns an empty list into one with an entry: [] goes with the blanks before it, a comment behind it stays.
func (d *Document) firstEntry(p plan, list *node) ([]span.Splice, error) {
	if list.flow && !isWhite(d.data[list.start+1:list.end-1]) {
		return nil, d.refuseFlow(list) // a comment inside
	}
	var edits []span.Splice
	at := d.lineEnd(list.end)
	if list.start < list.end {
		from := list.start
		for d.data[from-1] == ' ' || d.data[from-1] == '\t' {
			from--
		}
		if d.data[from-1] == '\n' && isWhite(d.data[list.end:at]) { // alone on its line
			edits = append(edits, cut(from, at, ""))
		} else {
			edits = append(edits, cut(from, list.end, ""))
		}
	}
	column := d.root.start - span.LineStart(d.data, d.root.start)
	return append(edits, cut(at, at, p.entryLines(column+2, column+4, endingBefore(d.data, at)))), nil
}

func (p plan) entryLines(dash, key int, ending string) string {
	lines := []string{"id: " + scalar(p.Task), "label: " + scalar(p.Task), "state: " + p.State.String(), "stateSince: " + formatTime(p.Now)}
	if p.note != "" {
		lines = append(lines, "operatorNote: "+scalar(p.note))
	}
	var b strings.Builder
	for i, l := range lines {
		if i == 0 {
			b.WriteString(strings.Repeat(" ", dash) + "-" + strings.Repeat(" ", max(1, key-dash-1)))
		} else {
			b.WriteString(strings.Repeat(" ", key))
		}
		b.WriteString(l + ending)
	}
	return b.String()
}
