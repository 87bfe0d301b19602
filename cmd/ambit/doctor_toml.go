package main

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/nesting"
)

// Bounds of a TOML file: no agent's is a hundredth of it, and the parser recurses.
const (
	maxTOML       = 4 << 20
	maxTOMLLooked = 64 << 10 // the parser takes long on many tables
	maxTOMLDots   = 100      // in one line
)

// toml reads a TOML file of an agent as that agent does; what it would ignore is an error. keys are the dotted names in
// the order of the file.
func (d *doctor) toml(file, agent string) (root map[string]any, data []byte, ok bool) {
	data, ok = d.read(file, kindSettings, maxTOML)
	if !ok {
		return nil, nil, false
	}
	if len(data) > maxTOMLLooked {
		d.add(severityWarning, "too_long", file, 0, fmt.Sprintf("it has %d bytes, and was not looked at", len(data)), "write less")
		return nil, nil, false
	}
	root, err := parseTOML(file, data)
	if d.faults(file, "toml", err, "mend this place: "+agent+" ignores the whole file as it stands") {
		return nil, nil, false
	}
	return root, data, true
}

func parseTOML(file string, data []byte) (map[string]any, error) {
	if !utf8.Valid(data) {
		return nil, &fault.Error{File: file, Code: "not_utf8", Err: errors.New("it is not UTF-8")}
	}
	if nesting.Depth(data) > maxBrackets || tomlDots(data) > maxTOMLDots {
		return nil, &fault.Error{File: file, Code: "too_deep", Err: errors.New("it is nested too deep")}
	}
	root := map[string]any{}
	_, err := toml.Decode(string(data), &root)
	var at toml.ParseError
	if errors.As(err, &at) {
		return nil, &fault.Error{File: file, Line: at.Position.Line, Code: "toml", Err: errors.New(at.Message)}
	}
	return root, err
}

// tomlDots is the most dots that one line has: each opens a table in another.
func tomlDots(data []byte) (most int) {
	for line := range bytes.Lines(data) {
		most = max(most, bytes.Count(line, []byte(".")))
	}
	return most
}

// tomlLine gives the first line that sets a key, or opens a table of that name; 0 where none does.
func tomlLine(data []byte, key string) int {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if rest, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \t[\"'"), []byte(key)); ok && bytes.ContainsAny(rest[:min(len(rest), 3)], "=].\"'") {
			return n
		}
	}
	return 0
}
