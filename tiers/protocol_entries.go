package tiers

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/oneline"
)

func (r *reader) tier(k, v canonjson.Value) {
	key := join("tiers", k.Text())
	var t Tier
	if !slices.Contains(tierNames, k.Text()) || t.UnmarshalText([]byte(k.Text())) != nil {
		r.unknown(k, key, CodeTier, "tier", tierNames)
		return
	}
	if !r.is(v, key, canonjson.KindObject) {
		return
	}
	r.fields(v, key, tierFields)
	r.is(v.Get("description"), join(key, "description"), canonjson.KindString)
	lists := &r.p.tiers[t]
	lists.entries = append(r.list(v, key, "shell_patterns", KindShell, t != Tier3Blocking), r.list(v, key, "aioson_commands", KindCommand, t != Tier3Blocking)...)
	lists.writePaths = r.writePaths(v, key)
}

// list reads one list of entries; an absent list is empty. allows says whether its entries let commands run.
func (r *reader) list(holder canonjson.Value, key, field string, kind Kind, allows bool) []entry {
	key = join(key, field)
	v := holder.Get(field)
	if !r.is(v, key, canonjson.KindArray) {
		return nil
	}
	out := make([]entry, 0, min(v.Len(), MaxProtocolEntries))
	i := 0
	for item := range v.Items() {
		if r.entries > MaxProtocolEntries {
			break // said once; what follows is not looked at
		}
		if e, ok := r.entry(item, key+"["+strconv.Itoa(i)+"]", kind, allows); ok {
			out = append(out, e)
		}
		i++
	}
	return out
}

func (r *reader) entry(v canonjson.Value, key string, kind Kind, allows bool) (e entry, ok bool) {
	text, ok := r.text(v, key)
	if !ok {
		return e, false
	}
	e = entry{kind: kind, text: text, place: r.place(v, key)}
	var err error
	if kind == KindCommand {
		e.pattern, err = ParseCommandEntry(text, r.p.program)
	} else {
		e.pattern, err = ParsePattern(text)
	}
	switch {
	case errors.Is(err, errUnclosed) && allows:
		// It is a string, as the contract asks, and no command can match it; in a deny list that would be a hole.
		notice(&r.p.notices, NoticeMatchesNothing, "", e.place, text, "", "a quote in it is not closed; it allows nothing")
	case err != nil:
		r.fail(v, key, CodeEntry, fmt.Errorf("%s: %w", quote(text), err))
		return e, false
	}
	if !allows {
		e.denier = e.pattern.denier()
	}
	if strings.ContainsFunc(text, oneline.Misleading) {
		notice(&r.p.notices, NoticeSuspiciousText, "", e.place, text, "", "it holds characters that cannot be seen, and matches only commands that hold them too")
	}
	return e, true
}

// text reads one string of a list (T4), trimmed, and counts it.
func (r *reader) text(v canonjson.Value, key string) (string, bool) {
	r.entries++
	switch {
	case r.entries == MaxProtocolEntries+1:
		r.fail(v, key, CodeTooMany, fmt.Errorf("a protocol has at most %d entries; this is one more", MaxProtocolEntries))
		return "", false
	case r.entries > MaxProtocolEntries || !r.is(v, key, canonjson.KindString):
		return "", false
	}
	text := v.Text()
	if i := strings.IndexFunc(text, unicode.IsControl); i >= 0 {
		r.fail(v, key, CodeEntry, fmt.Errorf("%s holds a control character", quote(text)))
		return "", false
	}
	if text = trimText(text); text == "" {
		r.fail(v, key, CodeEntry, errors.New("it is empty"))
		return "", false
	}
	return text, true
}

func (r *reader) writePaths(holder canonjson.Value, key string) (out []string) {
	key = join(key, "write_paths")
	v := holder.Get("write_paths")
	if !r.is(v, key, canonjson.KindArray) {
		return nil
	}
	i := 0
	for item := range v.Items() {
		if text, ok := r.text(item, key+"["+strconv.Itoa(i)+"]"); ok {
			out = append(out, text)
		}
		i++
	}
	return out
}
