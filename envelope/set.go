package envelope

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Change is one act of the operator: a state for a task type, and why.
type Change struct {
	Task  string    // the task type's id, as CheckTask takes it
	State State     // what it shall have from now on
	Note  *string   // nil says nothing about it; "" clears an old one
	Now   time.Time // of the act; written in UTC and whole seconds
}

// Result says what a Set did.
type Result struct {
	Changed  bool      // false: the record said so already, and nothing was done (R15, R18)
	Created  bool      // the task type was not recorded before (R4)
	From, To State     // From is the effective state before
	Updated  time.Time // the envelope's, afterwards
	Warnings []Warning // never nil
}

// Set records an act: the state, the note, the times, the table, and one entry on top of the history. A task type that
// is not recorded is added at the end. The state it has already, without a note, changes nothing; with a note it is a
// review, which is recorded. A new state without a note removes the old note, which explained the old state.
// Either the document changes as a whole or, with an error, not at all. // S14, R4, R14-R18, R22
func (d *Document) Set(c Change) (Result, error) {
	if err := c.check(); err != nil {
		return Result{}, err
	}
	if c.State > FullyApproved {
		c.State = NeedsFullSupervision
	}
	c.Now = wholeSeconds(c.Now)
	old, recorded := d.envelope.Find(c.Task)
	p := plan{Change: c, index: d.envelope.index(c.Task), old: old, recorded: recorded, note: old.Note}
	switch {
	case c.Note != nil:
		p.note = strings.TrimSpace(*c.Note)
	case c.State != old.State:
		p.note = "" // R17
	}
	result := Result{Created: !recorded, From: old.State, To: c.State, Updated: d.envelope.Updated, Warnings: []Warning{}}
	if recorded && c.State == old.State && (c.Note == nil || p.note == "" && old.Note == "") {
		return result, nil // R15, R18
	}
	if err := d.editable(); err != nil {
		return Result{}, err
	}
	p.history = d.body().history()
	if newest := d.newest(p.history); c.Now.Before(newest) { // R22
		result.Warnings = append(result.Warnings, Warning{WarnClockBehind,
			fmt.Sprintf("the clock says %s, the newest entry %s", formatTime(c.Now), formatTime(newest))})
	}
	next, err := d.edited(p)
	if err != nil {
		return Result{}, err
	}
	d.data, d.front, d.root, d.envelope = next.data, next.front, next.root, next.envelope
	result.Changed, result.Updated = true, c.Now
	return result, nil
}

func (c Change) check() error {
	if err := CheckTask(c.Task); err != nil {
		return err
	}
	if c.Note != nil {
		if err := CheckNote(*c.Note); err != nil {
			return err
		}
	}
	return checkClock(c.Now)
}

// newest gives the time of the newest act that the file knows of.
func (d *Document) newest(history []entry) time.Time {
	newest := d.envelope.Updated
	for _, h := range history {
		if h.dated && h.time.After(newest) {
			newest = h.time
		}
	}
	return newest
}

// plan is a change, seen against the document.
type plan struct {
	Change
	index    int // of the entry; -1 when there is none
	old      TaskType
	recorded bool
	note     string // the note afterwards
	history  []entry
}

// want gives the record as it must read afterwards.
func (p plan) want(e *Envelope) *Envelope {
	want := *e
	want.Updated = p.Now
	want.TaskTypes = slices.Clone(e.TaskTypes)
	if !p.recorded {
		want.TaskTypes = append(want.TaskTypes, TaskType{ID: p.Task, Label: p.Task, State: p.State, Since: p.Now, Note: p.note})
		return &want
	}
	t := &want.TaskTypes[p.index]
	if t.State != p.State {
		t.State, t.Since = p.State, p.Now
	}
	t.Note = p.note
	return &want
}

// edited makes the document after the change, and checks that it reads back as intended. // W13
func (d *Document) edited(p plan) (*Document, error) {
	edits, err := d.frontEdits(p)
	if err != nil {
		return nil, err
	}
	want := p.want(d.envelope)
	lines := renderEntry(p.Now, p.Task, words(p.old.State, p.State, p.recorded, p.State != p.old.State), p.State, p.note)
	data := apply(d.data, edits...)
	data = withTable(data, d.bodyStart(data), renderTable(want))
	data = withEntry(data, d.bodyStart(data), lines)
	next, err := d.reread(data, want)
	if err != nil {
		return nil, err
	}
	top, history := entry{time: p.Now, dated: true, id: p.Task, state: p.State}, next.body().history()
	if len(history) == 0 || !sameEntries(history[:1], []entry{top}) || !sameEntries(history[1:], p.history) {
		return nil, d.unreadable(errors.New("the history entry"))
	}
	if !reflect.DeepEqual(d.others(p, false), next.others(p, !p.recorded)) {
		return nil, d.unreadable(errors.New("the rest of the frontmatter"))
	}
	return next, nil
}

// bodyStart gives where the body begins in edited data: its distance from the end does not change before it is edited
// itself, but the frontmatter is found again, so that no arithmetic can go wrong.
func (d *Document) bodyStart(data []byte) int {
	f, problems := findFront(data)
	if len(problems) > 0 {
		return len(data) // reread refuses it
	}
	return f.body
}

// reread parses what an edit made, and compares the record and the table with what they must be.
func (d *Document) reread(data []byte, want *Envelope) (*Document, error) {
	if d.spoil != nil {
		data = d.spoil(data)
	}
	next, err := ParseDocument(d.file, d.agent, data)
	if err != nil {
		return nil, d.unreadable(err)
	}
	next.spoil = d.spoil
	if !reflect.DeepEqual(next.envelope, want) {
		return nil, d.unreadable(errors.New("the record"))
	}
	if diff := next.body().drift(want); diff != "" {
		return nil, d.unreadable(errors.New(diff))
	}
	return next, nil
}

func (d *Document) unreadable(what error) *Error {
	return &Error{File: d.file, Line: 1, Code: CodeYAML, Hint: "edit the file by hand, or simplify its form",
		Err: fmt.Errorf("nothing is written: the result would not read back as intended: %w", what)}
}

func sameEntries(a, b []entry) bool {
	return slices.EqualFunc(a, b, func(a, b entry) bool {
		return a.time.Equal(b.time) && a.dated == b.dated && a.id == b.id && a.state == b.state
	})
}

// others gives everything of the frontmatter that the change must not touch.
func (d *Document) others(p plan, added bool) any {
	all := d.root.plain().(map[string]any)
	delete(all, "updated")
	list, _ := all["taskTypes"].([]any)
	if added && len(list) > 0 {
		list = list[:len(list)-1]
	}
	if all["taskTypes"] = list; len(list) == 0 {
		all["taskTypes"] = nil // [] and nothing are the same
	}
	if p.recorded {
		entry := list[p.index].(map[string]any)
		delete(entry, "state")
		delete(entry, "stateSince")
		delete(entry, "operatorNote")
	}
	return all
}

// Render writes the table of the body anew from the record, and nothing else; the history and the times stay. It
// reports whether anything changed. A table that is missing is made only where it would have rows.
func (d *Document) Render() (changed bool, err error) {
	b := d.body()
	if b.drift(d.envelope) == "" {
		s, ok := b.find(titleState)
		if ok {
			_, ok = b.table(s)
		}
		if !ok {
			return false, nil
		}
	}
	data := withTable(d.data, d.front.body, renderTable(d.envelope))
	if string(data) == string(d.data) {
		return false, nil
	}
	if err := d.editable(); err != nil {
		return false, err
	}
	next, err := d.reread(data, d.envelope)
	if err != nil {
		return false, err
	}
	d.data, d.front, d.root, d.envelope = next.data, next.front, next.root, next.envelope
	return true, nil
}
