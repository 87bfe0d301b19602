package campaign

import (
	"errors"
	"strconv"
	"strings"

	"example.com/ambit/internal/canonjson"
)

// AuthorityCeiling is what any packet, run or record of this package may do at most: nothing. It has no fields, so
// there is no ceiling that says otherwise; it stands in every record. // P21
type AuthorityCeiling struct{}

// ceiling is the ceiling's JSON, key by key.
var ceiling = [...]string{
	"self_repair_authorized", "unsupervised_source_mutation_authorized", "source_write_packet_authorized",
	"provider_calls_authorized", "release_authorized",
}

// MarshalJSON gives the ceiling with every flag false.
func (AuthorityCeiling) MarshalJSON() ([]byte, error) {
	o := canonjson.Object{{Key: "authority_ceiling", Value: canonjson.String("self_proposal_campaign_packet_only")}}
	for _, key := range ceiling {
		o = append(o, canonjson.Member{Key: key, Value: canonjson.Bool(false)})
	}
	return canonjson.Compact(o), nil
}

// UnmarshalJSON accepts the one ceiling that there is.
func (a AuthorityCeiling) UnmarshalJSON(data []byte) error {
	want, _ := a.MarshalJSON()
	v, err := canonjson.Parse("authority_ceiling", data, limits)
	if err != nil {
		return err
	}
	if string(canonjson.Compact(v)) != string(want) {
		return errors.New("the authority ceiling is not the constant one")
	}
	return nil
}

// claims finds every key that grants authority: any that folds to ..._authorized and is not exactly false, and a write
// surface that is not exactly none. where is the place of v, for the findings. // P3, H05, H08
func claims(v canonjson.Value, where *pointer, found *some) {
	switch v.Kind() {
	case canonjson.KindObject:
		for key, value := range v.Members() {
			at := where.key(key.Text())
			if grants(key.Text(), value) && found.room() {
				found.add(finding(AuthorityClaimed, at.String()))
			}
			claims(value, &at, found)
		}
	case canonjson.KindArray:
		i := 0
		for item := range v.Items() {
			at := where.index(i)
			claims(item, &at, found)
			i++
		}
	}
}

func grants(key string, value canonjson.Value) bool {
	word := fold(key)
	if word == "writesurface" {
		return !(value.Is(canonjson.KindString) && value.Text() == WriteSurfaceNone)
	}
	authorized := strings.HasSuffix(word, "authorized") || strings.HasSuffix(word, "authorised")
	if !authorized || strings.HasSuffix(word, "unauthorized") || strings.HasSuffix(word, "unauthorised") {
		return false
	}
	return !value.Is(canonjson.KindBool) || value.True()
}

// pointer is a place in a document: a step below another place, or, without up, the document itself, of which only
// places below are spelled. Making one costs nothing; only a finding spells it.
type pointer struct {
	up   *pointer
	name string // the document's base name, or a key
	item int    // of a list, from 1; 0 for a key
}

func inDocument(name string) pointer    { return pointer{name: name} }
func (p *pointer) key(k string) pointer { return pointer{up: p, name: k} }
func (p *pointer) index(i int) pointer  { return pointer{up: p, item: i + 1} }

// String gives the document's base name, and behind "#" a JSON Pointer. Keys that are no plain names are hashed.
func (p *pointer) String() string {
	if p.item > 0 {
		return p.up.stem() + "/" + strconv.Itoa(p.item-1)
	}
	return p.up.stem() + "/" + named(p.name)
}

func (p *pointer) stem() string {
	if p.up == nil {
		return p.name + "#"
	}
	return p.String()
}

func spell(p pointer) string { return p.String() }
