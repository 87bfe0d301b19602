package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/nearest"
)

// Bounds of what is held against the known keys.
const (
	maxKeys = 500 // of one object
	maxKey  = 64  // bytes
)

// nearKeys warns about keys of an object that are none of those that are read and have almost the name of one. A name
// beside the right one is a person's own, unless only its letter case or its joints differ.
func (d *doctor) nearKeys(file string, data []byte, object canonjson.Value, at string, known []string, effect string) {
	looked := 0
	for k := range object.Members() {
		if looked++; looked > maxKeys {
			return
		}
		right := nearKey(k.Text(), known)
		if right == "" || object.Get(right).Exists() && foldKey(right) != foldKey(k.Text()) {
			continue
		}
		d.unknownKey(file, lineOf(data, k), at, k.Text(), right, effect)
	}
}

// unknownKey warns about one key that nobody reads.
func (d *doctor) unknownKey(file string, line int, at, key, right, effect string) {
	if at != "" {
		at += "."
	}
	d.add(severityWarning, "unknown_field", file, line, fmt.Sprintf("%s%s: nobody reads it, so %s; did you mean %s?", at, key, effect, right), fmt.Sprintf("write %s%s, or take it out", at, right))
}

// nearKey gives the known key that another was probably meant to be; "" for a known one and for one that is like none.
func nearKey(key string, known []string) string {
	if slices.Contains(known, key) {
		return ""
	}
	for _, k := range known {
		if foldKey(k) == foldKey(key) {
			return k
		}
	}
	if len(key) < 3 || len(key) > maxKey {
		return ""
	}
	return nearest.Of(key, known)
}

// foldKey is a key without its letter case and joints.
func foldKey(key string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(key))
}
