package main

import (
	"bytes"
	"fmt"
	"math/big"
	"strings"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/turnenvelope"
)

var turnLimits = canonjson.Limits{MaxBytes: turnenvelope.MaxBytes, MaxDepth: 512}

const turnFix = "project it anew: ambit turn project DECISION"

// turn looks at a stored turn envelope: what it says of itself must be true, and its shape that of one.
func (d *doctor) turn(file string) {
	data, ok := d.read(file, "turn envelope", turnenvelope.MaxBytes)
	if !ok {
		return
	}
	_, err := turnenvelope.ParseEnvelope(file, data)
	if d.faults(file, "turn_envelope", err, turnFix) {
		return
	}
	root, _ := canonjson.Parse(file, data, turnLimits)
	if a := turnenvelope.Accept(data); a.Disposition == turnenvelope.Refused {
		for _, r := range a.Reasons {
			d.add(severityError, r.Code, file, lineOf(data, follow(root, strings.Split(r.Pointer, "/")[1:])), r.Message, turnFix+"; ambit turn explain "+shellWord(file)+" says more")
		}
		return
	}
	before := len(d.findings)
	d.jsonSchema("turn-envelope", file, data, turnLimits)
	if len(d.findings) == before {
		d.turnSizes(file, data, root)
	}
}

// turnSizes holds what an envelope says of its own size to its text. No signature covers it. // N5
func (d *doctor) turnSizes(file string, data []byte, root canonjson.Value) {
	c := root.Get("compaction")
	wrong := func(key, want string) {
		v := c.Get(key)
		d.add(severityWarning, "compaction_wrong", file, lineOf(data, v), fmt.Sprintf("compaction.%s is %s, and is %s by the text itself: it was edited since it was projected", key, v.Raw(), want), turnFix)
	}
	text := root.AppendCompact(nil)
	size := int64(len(text))
	if stated, ok := c.Get("envelope_json_bytes").Int64(); !ok || stated != size {
		wrong("envelope_json_bytes", fmt.Sprint(size))
		return // the others follow from it
	}
	if source, ok := c.Get("source_json_bytes").Int64(); ok && source > 0 {
		want := big.NewRat(source-size, source).FloatString(4)
		if got := c.Get("byte_reduction_ratio"); !sameNumber(got.Raw(), want) {
			wrong("byte_reduction_ratio", want)
		}
	}
	if within := c.Get("within_budget"); within.True() != (size <= turnenvelope.BudgetBytes) {
		wrong("within_budget", fmt.Sprint(size <= turnenvelope.BudgetBytes))
	}
	if !bytes.Equal(bytes.TrimSpace(data), text) {
		d.add(severityNote, "not_compact", file, 0, "it is laid out for people; what was measured is the compact text", "")
	}
}

// sameNumber compares two decimal numbers by their value, to four places.
func sameNumber(a, b string) bool {
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	if !okX || !okY {
		return false
	}
	return new(big.Rat).Abs(new(big.Rat).Sub(x, y)).Cmp(big.NewRat(1, 10_000)) <= 0
}
