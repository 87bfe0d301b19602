package envelope

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/ambit/internal/span"
)

// Document is an envelope's file: the record, and every byte around it. Edits replace the bytes of single values and
// keep all others: comments, order, quotes, line endings, a byte order mark. A Document is not for concurrent use.
type Document struct {
	file, agent string
	data        []byte
	front       front
	root        *node
	envelope    *Envelope

	spoil func([]byte) []byte // tests only: damages the result of an edit, to see that the last guard holds
}

// ParseDocument reads the file of an envelope. file is for messages; agent is the name of the agent whose file it is,
// and "" skips the comparison with the name inside. The error of a file that is not sound holds one *Error per
// problem, sorted by position. A file is believed whole or not at all: there is no envelope beside an error. // R11, R58
func ParseDocument(file, agent string, data []byte) (*Document, error) {
	if len(data) > maxFile {
		return nil, &Error{File: file, Line: 1, Code: CodeTooLarge, Err: fmt.Errorf("the file has %d bytes, at most %d are read", len(data), maxFile)}
	}
	if problems := encodingProblems(data); len(problems) > 0 {
		return nil, named(file, problems)
	}
	data = bytes.Clone(data)
	e, root, f, err := readFront(file, agent, data)
	if err != nil {
		return nil, err
	}
	return &Document{file: file, agent: agent, data: data, front: f, root: root, envelope: e}, nil
}

// Bytes gives the file: what ParseDocument was given, plus the edits. The caller may keep and change it.
func (d *Document) Bytes() []byte { return bytes.Clone(d.data) }

// Envelope gives the record. The caller may keep and change it; the document does not follow. Of a nil Document, as [Dir.Get]
// gives beside an error, it is nil, whose StateOf is NeedsFullSupervision.
func (d *Document) Envelope() *Envelope {
	if d == nil {
		return nil
	}
	e := *d.envelope
	e.TaskTypes = slices.Clone(e.TaskTypes)
	return &e
}

// Warnings gives what a person should look at, though the file is sound: where the table or the history does not agree
// with the frontmatter, which is the record, and merge conflicts in the body. None depends on the clock.
// R34, R35, R44, R56
func (d *Document) Warnings() []Warning {
	b := d.body()
	warnings := []Warning{}
	if diff := b.drift(d.envelope); diff != "" {
		warnings = append(warnings, Warning{WarnTableDrift, "the table does not show the record: " + diff})
	}
	warnings = append(warnings, historyWarnings(d.envelope, b.history())...)
	if l, ok := b.conflict(); ok {
		lineNo, _ := span.Position(d.data, l.start)
		warnings = append(warnings, Warning{WarnConflict, fmt.Sprintf("merge conflict markers in the body, line %d", lineNo)})
	}
	return warnings
}

func (d *Document) body() body { return body{d.data, d.front.body} }

// refuse makes an error at an offset of the document.
func (d *Document) refuse(at int, key, code string, err error) *Error {
	lineNo, col := span.Position(d.data, at)
	return &Error{File: d.file, Line: lineNo, Col: col, Key: key, Code: code, Err: err}
}

// editable refuses a document whose body cannot be rendered anew without burying something. // R56
func (d *Document) editable() error {
	if l, ok := d.body().conflict(); ok {
		e := d.refuse(l.start, "", CodeConflict, errors.New("the body holds merge conflict markers"))
		e.Hint = "resolve the conflict first"
		return e
	}
	return nil
}

func checkClock(now time.Time) error {
	if !writable(now) {
		return &Error{Code: CodeUsage, Err: fmt.Errorf("the time %s cannot be written: the year must have four digits", now)}
	}
	return nil
}

// cut is the splice that puts text in the place of data[start:end].
func cut(start, end int, text string) span.Splice {
	return span.Splice{Span: span.Span{Start: start, End: end}, Text: text}
}

// apply does several splices, all counted in the same data. Splices that contradict each other give nothing, which no
// edit reads back from.
func apply(data []byte, edits ...span.Splice) []byte {
	out, _ := span.Apply(data, edits...)
	return out
}
