package envelope

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// fastFront reads a frontmatter in exactly the form that this package writes, in a tenth of the time of the YAML
// parser. Whatever is different in any way, sound or not, is left to readFront: it gives false. Where it gives an
// envelope, it is the one that readFront gives.
func fastFront(agent string, data []byte) (*Envelope, bool) {
	end := fastEnd(data)
	if end < 0 {
		return nil, false
	}
	c := cursor(string(data[:end])) // the only copy; the texts are parts of it
	e := &Envelope{}
	var updated string
	ok := c.line("---") && c.word("agent: ", &e.Agent) && c.text("owner: ", maxOwner, &e.Owner) && c.word("updated: ", &updated)
	if !ok || e.Agent != agent || agentFault(agent) != nil || reservedWord(agent) {
		return nil, false
	}
	if e.Updated, ok = parsePlainTime(updated); !ok {
		return nil, false
	}
	if c == "taskTypes: []\n" {
		return e, true
	}
	if !c.line("taskTypes:") || c == "" { // nothing below: null, which is rare
		return nil, false
	}
	e.TaskTypes = make([]TaskType, 0, strings.Count(string(c), "  - id: "))
	for c != "" {
		t, ok := c.taskType()
		if !ok || e.index(t.ID) >= 0 {
			return nil, false
		}
		e.TaskTypes = append(e.TaskTypes, t)
	}
	return e, true
}

const (
	fastHead  = 32 << 10 // bytes of a frontmatter, and
	fastTypes = 64       // task types, for which the simple way is the fast one
)

// fastEnd gives the offset of the closing line, -1 where the limits must be counted with care.
func fastEnd(data []byte) int {
	i := bytes.Index(data, []byte("\n---\n"))
	if i < 0 || i > fastHead || bytes.Count(data[:i+1], []byte{','}) > maxFrontCommas || bytes.Count(data[:i+1], []byte("- id: ")) > fastTypes {
		return -1
	}
	return i + 1
}

// cursor is what is left to read. Its methods take one line, and give false when it is not what they expect.
type cursor string

func (c *cursor) line(want string) bool {
	rest, ok := strings.CutPrefix(string(*c), want+"\n")
	if ok {
		*c = cursor(rest)
	}
	return ok
}

// word takes a line "prefix value", and leaves it to the caller to judge the value.
func (c *cursor) word(prefix string, value *string) bool {
	rest, ok := strings.CutPrefix(string(*c), prefix)
	if !ok {
		return false
	}
	v, rest, _ := strings.Cut(rest, "\n") // every line has an ending: the closing line follows
	*value, *c = v, cursor(rest)
	return true
}

// text takes a line "prefix scalar", the scalar as scalar writes it, of at most so many characters.
func (c *cursor) text(prefix string, most int, value *string) bool {
	return c.word(prefix, value) && fastScalar(value) && (len(*value) <= most || utf8.RuneCountInString(*value) <= most)
}

func (c *cursor) taskType() (t TaskType, ok bool) {
	var state, since string
	ok = c.text("  - id: ", maxName, &t.ID) && taskFault(t.ID) == nil && c.text("    label: ", maxLabel, &t.Label) &&
		c.word("    state: ", &state) && c.word("    stateSince: ", &since)
	if !ok || t.State.UnmarshalText([]byte(state)) != nil {
		return t, false
	}
	if t.Since, ok = parsePlainTime(since); !ok {
		return t, false
	}
	if strings.HasPrefix(string(*c), "    operatorNote: ") {
		ok = c.text("    operatorNote: ", maxHandNote, &t.Note)
	}
	return t, ok
}

// fastScalar decodes a scalar in place.
func fastScalar(v *string) bool {
	s := *v
	ascii := true
	for i := range len(s) {
		if s[i] < 0x20 || s[i] == 0x7f {
			return false
		}
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if !ascii && lineFault(s) != nil {
		return false
	}
	if plainable(s) {
		return s[len(s)-1] != ' '
	}
	if len(s) < 3 || s[0] != '"' || s[len(s)-1] != '"' {
		return false
	}
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		*v = s
		return strings.IndexByte(s, '"') < 0
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '\\' || s[i+1] == '"') {
			i++
		} else if s[i] == '\\' || s[i] == '"' {
			return false
		}
		b.WriteByte(s[i])
	}
	*v = b.String()
	return true
}
