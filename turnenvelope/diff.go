package turnenvelope

import (
	"slices"
	"strconv"
	"strings"
)

// maxDifferences bounds what one verification lists: enough for a person, and no work without end for a hostile text.
const maxDifferences = 64

// differ collects the deepest values in which an envelope differs from the projection.
type differ struct {
	reasons []Reason
	more    int
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// compare names the deepest differing values below pointer: of objects by key in sorted order, of arrays by index.
func (d *differ) compare(pointer string, want, got value) {
	switch {
	case want.Kind() == object && got.Kind() == object:
		d.objects(pointer, want, got)
	case want.Kind() == array && got.Kind() == array:
		d.arrays(pointer, want, got)
	case !equalScalars(want, got):
		d.add(pointer, want, got)
	}
}

func (d *differ) add(pointer string, want, got value) {
	if len(d.reasons) == maxDifferences {
		d.more++
		return
	}
	w, g := shown(want), shown(got)
	message := "is " + g + ", the decision gives " + w
	switch {
	case g == "":
		message = "is missing, the decision gives " + w
	case w == "":
		message = "is " + g + ", the decision gives none"
	}
	d.reasons = append(d.reasons, Reason{Code: ReasonDimension, Pointer: pointer, Want: w, Got: g, Message: message})
}

type keyed struct {
	key string
	v   value
}

func sortedMembers(v value) []keyed {
	var out []keyed
	for k, x := range v.Members() {
		out = append(out, keyed{k.Text(), x})
	}
	slices.SortFunc(out, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
	return out
}

func (d *differ) objects(pointer string, want, got value) {
	ws, gs := sortedMembers(want), sortedMembers(got)
	for len(ws) > 0 || len(gs) > 0 {
		var key string
		var w, g value
		switch {
		case len(gs) == 0 || len(ws) > 0 && ws[0].key < gs[0].key:
			key, w, ws = ws[0].key, ws[0].v, ws[1:]
		case len(ws) == 0 || gs[0].key < ws[0].key:
			key, g, gs = gs[0].key, gs[0].v, gs[1:]
		default:
			key, w, g, ws, gs = ws[0].key, ws[0].v, gs[0].v, ws[1:], gs[1:]
		}
		d.compare(pointer+"/"+pointerEscaper.Replace(key), w, g)
	}
}

func (d *differ) arrays(pointer string, want, got value) {
	var rest []value
	for v := range got.Items() {
		rest = append(rest, v)
	}
	i := 0
	for w := range want.Items() {
		var g value
		if i < len(rest) {
			g = rest[i]
		}
		d.compare(pointer+"/"+strconv.Itoa(i), w, g)
		i++
	}
	for ; i < len(rest); i++ {
		d.compare(pointer+"/"+strconv.Itoa(i), value{}, rest[i])
	}
}

// equalScalars compares what are not two containers of one kind. Missing differs from null here.
func equalScalars(a, b value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	return string(a.AppendCanonical(nil)) == string(b.AppendCanonical(nil))
}
