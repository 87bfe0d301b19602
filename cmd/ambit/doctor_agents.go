package main

import (
	"errors"

	"github.com/tailscale/hujson"

	"example.com/ambit/internal/canonjson"
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
	if comments {
		standard, err := hujson.Standardize(append([]byte(nil), data...)) // keeps every line end, so lines stay true
		if d.faults(file, "json", err, "mend this place: "+agent+" cannot read the file as it stands") {
			return root, nil, false
		}
		text = standard
	}
	root, err := canonjson.Parse(file, text, settingsLimits)
	if err == nil && !root.Is(canonjson.KindObject) {
		err = errors.New("it is no object")
	}
	if d.faults(file, "json", err, "mend this place: "+agent+" ignores the whole file as it stands") {
		return root, nil, false
	}
	return root, data, true
}

// notRead reports a file that is written and not in force.
func (d *doctor) notRead(file, why, fix string) {
	d.add(severityWarning, "not_in_force", file, 0, why, fix)
}
