package harness

import (
	"strings"

	"example.com/ambit/internal/regular"
	"example.com/ambit/tiers"
)

// openCodeAllow gives OpenCode's key of an allow entry; ok is false when no key matches the entry's commands and nothing
// else.
func openCodeAllow(e ruled, program string) (key string, ok bool) {
	if key, ok = openCodeKey(e, program); !ok || strings.ContainsRune(key, '?') {
		return "", false
	}
	inside, _, err := regular.Inside(openCodeLanguage(key), rawLanguage(e, program), notBlank())
	return key, err == nil && inside
}

// openCodeDeny gives the keys of a deny entry; none when the grammar cannot say it.
func openCodeDeny(e ruled, program string) []string {
	if prefix, ok := strings.CutSuffix(e.text, "*"); e.kind == tiers.KindCommand && ok {
		return []string{program + " " + strings.TrimRight(prefix, ": ") + "*"}
	}
	key, ok := openCodeKey(e, program)
	if !ok {
		return nil
	}
	return withoutMiddleStars(key)
}

func openCodeKey(e ruled, program string) (string, bool) {
	if e.pattern.DenyOnly() || e.text == "" || literalStar(e) {
		return "", false
	}
	text := e.text
	if !strings.ContainsAny(text, quoting) { // what is quoted stays as it is written
		text = strings.Join(strings.Fields(text), " ")
	}
	if e.kind == tiers.KindCommand {
		return program + " " + text + " *", !strings.ContainsRune(text, '*')
	}
	return text, true
}

// openCodeAllows gives the keys that permission.bash allows, for the proof; a text for all of them counts as "*".
func openCodeAllows(name string, data []byte) ([]string, error) {
	c, err := openConfig(name, data)
	if err != nil {
		return nil, err
	}
	permission := c.plain.Root.Get("permission")
	var out []string
	if permission.Text() == "allow" || permission.Get("bash").Text() == "allow" {
		out = append(out, "*")
	}
	for _, e := range c.rules() {
		if e.effect.Text() == "allow" {
			out = append(out, e.key)
		}
	}
	return out, nil
}
