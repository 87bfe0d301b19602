package envelope

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// entry is one heading of the history.
type entry struct {
	time  time.Time
	dated bool // whether the time could be read
	id    string
	state State
}

// words says what an act was, from the state before and after. // R14
func words(from, to State, recorded, changed bool) string {
	switch {
	case to > from:
		return "promoted to"
	case to < from:
		return "demoted to"
	case !recorded:
		return "set to"
	}
	return "kept at"
}

// renderEntry gives the lines of an entry. // S36-S38, W3
func renderEntry(now time.Time, id, words string, state State, note string) []string {
	if note == "" {
		note = "none."
	}
	return []string{fmt.Sprintf("### %s; %s %s %s", formatTime(now), id, words, state), "Operator note: " + note}
}

// separators stand between the time and the id in a heading. The first is the one that is written. // R13
var separators = [...]string{"; ", " — ", " - "}

// parseEntry reads the heading of an entry. People write headings too: whatever stands between the id and the state is
// free, and a time that cannot be read makes an entry without date.
func parseEntry(title string) (entry, bool) {
	for _, sep := range separators {
		before, after, ok := strings.Cut(title, sep)
		if !ok {
			continue
		}
		after = strings.Trim(after, " \t")
		first, last := strings.IndexAny(after, " \t"), strings.LastIndexAny(after, " \t")
		if first < 0 {
			continue
		}
		state := slices.Index(stateNames[:], after[last+1:])
		if state < 0 {
			continue
		}
		t, err := parseTime(strings.Trim(before, " \t"))
		return entry{time: t, dated: err == nil, id: after[:first], state: State(state)}, true
	}
	return entry{}, false
}

// history gives the entries of the log, topmost first.
func (b body) history() []entry {
	s, ok := b.find(titleHistory)
	if !ok {
		return nil
	}
	var out []entry
	for k := range b.walk(s.head.next, s.end) {
		if k.level != 3 {
			continue
		}
		if e, ok := parseEntry(string(k.title)); ok {
			out = append(out, e)
		}
	}
	return out
}

// historyWarnings says where the history does not explain the recorded states, in the order of the task types: the one
// trace that is left when a file was edited and not set. // R35
func historyWarnings(e *Envelope, entries []entry) []Warning {
	var drift, none []Warning
	type newest struct{ top, latest entry }
	seen := make(map[string]newest, len(e.TaskTypes))
	for _, h := range entries {
		n, ok := seen[h.id]
		if !ok {
			n.top = h
		}
		if h.dated && (!n.latest.dated || h.time.After(n.latest.time)) {
			n.latest = h
		}
		seen[h.id] = n
	}
	for _, t := range e.TaskTypes {
		n, ok := seen[t.ID]
		switch {
		case !ok && t.State > NeedsFullSupervision:
			none = append(none, Warning{WarnNoHistory, fmt.Sprintf("%s is %s, and no history entry says so", t.ID, t.State)})
		case ok && n.top.state != t.State && !(n.latest.dated && n.latest.state == t.State):
			drift = append(drift, Warning{WarnHistoryDrift, fmt.Sprintf("%s is %s, but its newest history entry says %s", t.ID, t.State, n.top.state)})
		}
	}
	return append(drift, none...)
}
