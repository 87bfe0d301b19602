package tiers

import (
	"errors"
	"fmt"
	"strings"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/nearest"
)

// minorVersion takes a version 1.MINOR[.PATCH] apart; ok is false for every other text. No number has leading zeros: one
// text per version (T2).
func minorVersion(text string) (minor string, ok bool) {
	parts := strings.Split(text, ".")
	if len(parts) < 2 || len(parts) > 3 || parts[0] != "1" || !plainNumber(parts[1]) || !plainNumber(parts[len(parts)-1]) {
		return "", false
	}
	return parts[1], true
}

// plainNumber reports one to six digits without leading zeros.
func plainNumber(s string) bool {
	return s != "" && len(s) <= 6 && strings.Trim(s, "0123456789") == "" && (s == "0" || s[0] != '0')
}

// version settles which resolution is used. Anything but 1.N is refused: one character must not swap the policy (H03).
func (r *reader) version(root canonjson.Value) {
	v := root.Get("version")
	if !v.Exists() {
		r.fail(root, "version", CodeVersion, errors.New("it is missing"), versionsAllowed...)
		return
	}
	if !v.Is(canonjson.KindString) {
		r.fail(v, "version", CodeVersion, fmt.Errorf("%s, expected a string", v.Kind().Phrase()), versionsAllowed...)
		return
	}
	minor, ok := minorVersion(v.Text())
	if !ok {
		r.fail(v, "version", CodeVersion, fmt.Errorf("%s is not a version that can be read", quote(v.Text())), versionsAllowed...)
		return
	}
	r.p.version, r.p.legacy = v.Text(), minor == "0"
}

var versionsAllowed = []string{"1.0 (whitelists)", "1.1 and later 1.N (tiers)"}

func (r *reader) mode(v canonjson.Value, key string) (m Mode, ok bool) {
	if !r.is(v, key, canonjson.KindString) {
		return 0, false
	}
	if err := m.UnmarshalText([]byte(v.Text())); err != nil {
		r.unknown(v, key, CodeMode, "mode", modeNames)
		return 0, false
	}
	return m, true
}

// unknown reports a word outside a closed set, with the nearest word inside.
func (r *reader) unknown(v canonjson.Value, key, code, what string, allowed []string) {
	e := r.fail(v, key, code, fmt.Errorf("%s is not a %s", quote(v.Text()), what), allowed...)
	e.Hint = nearest.Hint(v.Text(), allowed)
}
