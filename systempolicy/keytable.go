package systempolicy

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ambit/internal/enum"
)

// readValue reads one key's value into a policy; code "" is fine. What could not be read leaves the strictest value where
// the key has one.
type readValue func(*reader, *Policy, *yaml.Node, value) (code, sentence string)

// keyRow says all that is particular to one key: what it may be, and how its value is read, copied and written.
type keyRow struct {
	allowed []string
	read    readValue
	copy    func(to, from *Policy)
	text    func(*Policy) string   // as it is written into a YAML file
	items   func(*Policy) []string // of a list: its items, which text puts in brackets
	word    bool                   // in JSON the value is a string, else it is text itself
	whole   bool                   // a number without a fraction
}

// keyTable has a row for each key, in the order of the key table.
var keyTable = [keys]keyRow{
	KeyLevel:          wordKey(allowedLevels, levelNames[:], func(p *Policy) *Level { return &p.level }),
	KeyEngine:         textKey(allowedURL, readEngine, func(p *Policy) *string { return &p.engine }, func(s string) string { return s }),
	KeyRoutes:         listKey(allowedRoutes, readRoutes, func(p *Policy) *bool { return &p.fix }, func(p *Policy) []string { return p.Routes() }),
	KeyMaxCriticality: wordKey(allowedCrit, criticalityNames[:], func(p *Policy) *Criticality { return &p.maxCriticality }),
	KeyMaxFiles:       integerKey(allowedFromOne, 1, func(p *Policy) *int64 { return &p.maxFiles }),
	KeyMaxLines:       integerKey(allowedFromOne, 1, func(p *Policy) *int64 { return &p.maxLines }),
	KeyRegressionTest: booleanKey(func(p *Policy) *bool { return &p.regressionTest }),
	KeySecondReview:   booleanKey(func(p *Policy) *bool { return &p.secondReview }),
	KeyRunsPerDay:     integerKey(allowedFromZero, 0, func(p *Policy) *int64 { return &p.runsPerDay }),
	KeyMergesPerDay:   integerKey(allowedFromZero, 0, func(p *Policy) *int64 { return &p.mergesPerDay }),
	KeyMinutes:        numberKey(func(p *Policy) *float64 { return &p.perRun.Minutes }),
	KeyInvocations:    numberKey(func(p *Policy) *float64 { return &p.perRun.Invocations }),
	KeyReruns:         numberKey(func(p *Policy) *float64 { return &p.perRun.Reruns }),
	KeyCost:           numberKey(func(p *Policy) *float64 { return &p.perRun.Cost }),
	KeyDays:           listKey(allowedDays, readDays, func(p *Policy) *daySet { return &p.window.days }, func(p *Policy) []string { return p.window.Days() }),
	KeyFrom:           clockKey(func(p *Policy) *uint16 { return &p.window.from }),
	KeyTo:             clockKey(func(p *Policy) *uint16 { return &p.window.to }),
	KeyTimezone:       textKey(allowedZone, readZone, func(p *Policy) **zone { return &p.window.zone }, (*zone).String),
	KeyUndoWindow:     textKey(allowedUndo, readUndo, func(p *Policy) *UndoWindow { return &p.undo }, UndoWindow.String),
}

// keyOf is the row of a key whose value is one field; text writes it.
func keyOf[T any](allowed []string, read readValue, field func(*Policy) *T, text func(T) string) keyRow {
	return keyRow{
		allowed: allowed, read: read,
		copy: func(to, from *Policy) { *field(to) = *field(from) },
		text: func(p *Policy) string { return text(*field(p)) },
	}
}

func textKey[T any](allowed []string, read readValue, field func(*Policy) *T, text func(T) string) keyRow {
	row := keyOf(allowed, read, field, text)
	row.word = true
	return row
}

func listKey[T any](allowed []string, read readValue, field func(*Policy) *T, items func(*Policy) []string) keyRow {
	row := keyOf(allowed, read, field, func(T) string { return "" })
	row.items = items
	row.text = func(p *Policy) string { return "[" + strings.Join(items(p), ", ") + "]" }
	return row
}

func wordKey[T ~uint8](allowed, names []string, field func(*Policy) *T) keyRow {
	return textKey(allowed, readWord(names, field), field, func(v T) string { return enum.Word(names, v) })
}

func clockKey(field func(*Policy) *uint16) keyRow {
	return textKey(allowedTime, readClock(field), field, clock)
}

func integerKey(allowed []string, least int64, field func(*Policy) *int64) keyRow {
	row := keyOf(allowed, readInteger(least, field), field, func(n int64) string { return strconv.FormatInt(n, 10) })
	row.whole = true
	return row
}

func numberKey(field func(*Policy) *float64) keyRow {
	return keyOf(allowedNumber, readNumber(field), field, func(f float64) string { return string(appendFloat(nil, f)) })
}

func booleanKey(field func(*Policy) *bool) keyRow {
	return keyOf(allowedBool, readBoolean(field), field, strconv.FormatBool)
}
