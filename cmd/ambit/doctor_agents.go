package main

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/nesting"
)

// maxSettings bounds an agent's settings file; what a person keeps is a thousandth of it.
const maxSettings = 4 << 20

var settingsLimits = canonjson.Limits{MaxBytes: maxSettings, AnyNumber: true}

// kindSettings is the kind of every file of a coding agent.
const kindSettings = "agent"

// settings reads a JSON file of an agent as that agent does: strictly, or with comments and trailing commas. What the
// agent would ignore is an error.
func (d *doctor) settings(file, agent string, comments bool) (root canonjson.Value, data []byte, ok bool) {
	data, ok = d.read(file, kindSettings, maxSettings)
	if !ok {
		return root, nil, false
	}
	text := data
	if nesting.Depth(data) > maxBrackets {
		d.crowded = true // so that nobody else reads it either
		d.add(severityError, "too_deep", file, 0, "brackets are nested too deep", "mend this place: "+agent+" cannot read the file as it stands")
		return root, nil, false
	}
	if comments {
		standard, err := hujson.Standardize(append([]byte(nil), data...)) // keeps every line end, so lines stay true
		if d.faults(file, "json", placed(err), "mend this place: "+agent+" cannot read the file as it stands") {
			return root, nil, false
		}
		text = standard
	}
	root, err := canonjson.Parse(file, text, settingsLimits)
	if err == nil && !root.Is(canonjson.KindObject) {
		err = &fault.Error{Line: 1, Code: "wrong_type", Err: errors.New("it is no object")}
	}
	if d.faults(file, "json", err, "mend this place: "+agent+" ignores the whole file as it stands") {
		return root, nil, false
	}
	return root, data, true
}

// maxBrackets bounds how deep a file of an agent is nested before a parser that recurses reads it.
const maxBrackets = 200

// hujsonPlace is how the library of JSON with comments begins its errors.
var hujsonPlace = regexp.MustCompile(`^hujson: line ([0-9]+), column ([0-9]+): (?:parsing value: )?`)

// placed gives an error of that library its place.
func placed(err error) error {
	if err == nil {
		return nil
	}
	m := hujsonPlace.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	line, _ := strconv.Atoi(m[1])
	col, _ := strconv.Atoi(m[2])
	return &fault.Error{Line: line, Col: col, Code: "json", Err: errors.New(strings.TrimPrefix(err.Error(), m[0]))}
}

// notRead reports a file that is written and not in force.
func (d *doctor) notRead(file, why, fix string) {
	d.add(severityWarning, "not_in_force", file, 0, why, fix)
}
