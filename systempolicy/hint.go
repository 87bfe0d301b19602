package systempolicy

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ambit/internal/nearest"
)

// hintFor advises on a value that its key does not take: what was probably meant; "" where nothing comes to mind.
func hintFor(k Key, n *yaml.Node, v value) string {
	var meant string
	switch how := keyTable[k]; {
	case v.kind == kindNull:
	case k == KeyRoutes, k == KeyDays:
		meant = meantList(k, n, v)
	case k == KeyEngine:
		meant = meantURL(v.text)
	case k == KeyFrom, k == KeyTo:
		meant = meantTime(v.text)
	case k == KeyTimezone:
		meant = meantZone(v.text)
	case k == KeyUndoWindow:
		meant = meantSpan(v.text)
	case v.kind >= kindList:
	case keyForm[k] == formWord: // level, maxCriticality
		meant = meantWord(v.text, how.allowed)
	case how.allowed[0] == "true":
		meant = meantBool(v.text)
	default:
		meant = meantNumber(v.text, how.whole)
	}
	return didYouMean(meant, v)
}

func didYouMean(meant string, v value) string {
	if meant == "" || meant == v.text && v.plain {
		return ""
	}
	return "did you mean " + meant + "?"
}

func meantWord(text string, allowed []string) string {
	return nearest.Of(cutWord(strings.ToLower(strings.TrimSpace(text))), allowed)
}

func cutWord(s string) string { return s[:min(len(s), maxWord)] }

// meantBool gives the boolean that a word of YAML 1.1, a quoted one or a number stands for.
func meantBool(text string) string {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "y", "on", "1":
		return "true"
	case "false", "no", "n", "off", "0":
		return "false"
	}
	return ""
}

// meantNumber takes quotes, separators between thousands, a fraction of zero and leading zeros off a number. Never is
// another one meant: of 1,5 and 1.000, which are one number to some people and another to others, nothing is said.
func meantNumber(text string, whole bool) string {
	s := strings.TrimSpace(cutWord(text))
	for _, separator := range [...]string{"_", ",", " "} {
		if groups := strings.Split(s, separator); len(groups) > 1 && (whole || separator != ",") && !slices.ContainsFunc(groups[1:], func(g string) bool { return len(g) != 3 }) {
			s = strings.Join(groups, "")
			break
		}
	}
	s, fraction, pointed := strings.Cut(s, ".")
	if s = strings.TrimLeft(s, "0"); strings.Trim(s+fraction, digits) != "" || len(s)+len(fraction) > 15 { // more is near the largest
		return ""
	}
	switch {
	case !pointed, fraction == "0", fraction == "00":
		return s
	case whole || len(fraction) == 3 || strings.Trim(fraction, "0") == "":
		return ""
	}
	return cmp.Or(s, "0") + "." + fraction
}

// meantTime gives the time of day in quotes: of 9:00, of the 17 and the 1020 that some YAML readers make of one.
func meantTime(text string) string {
	hour, minute, colon := strings.Cut(strings.TrimSpace(text), ":")
	h, err := strconv.Atoi(hour)
	m, merr := strconv.Atoi(minute)
	switch {
	case err != nil || h < 0 || colon && (merr != nil || len(minute) != 2 || m < 0 || m > 59):
		return ""
	case h == 24 && colon && m == 0:
		h = 0 // the end of the day
	case !colon && h >= 60:
		h, m = h/60, h%60
	}
	if h > 23 {
		return ""
	}
	return fmt.Sprintf(`"%02d:%02d"`, h, m)
}

// meantList gives the list that is meant by one word, by words in another case, and by the whole names of days.
func meantList(k Key, n *yaml.Node, v value) string {
	words := []string{v.text}
	if v.kind == kindList {
		words = nil
		for _, c := range n.Content[:min(len(n.Content), 14)] {
			words = append(words, follow(c).Value)
		}
	}
	if k == KeyRoutes {
		if len(words) == 1 && strings.EqualFold(strings.TrimSpace(words[0]), "fix") {
			return "[fix]"
		}
		return ""
	}
	var days daySet
	for _, w := range words {
		for _, part := range strings.FieldsFunc(strings.ToLower(cutWord(w)), func(r rune) bool { return r == ',' || r == ' ' }) {
			if len(part) > 3 && strings.HasSuffix(part, "day") {
				part = part[:3]
			}
			d, ok := weekdayNamed(part)
			if !ok {
				return ""
			}
			days |= 1 << d
		}
	}
	if days == 0 {
		return ""
	}
	p := Policy{}
	p.window.days = days
	return p.Text(KeyDays)
}

// meantURL adds a scheme, or spells it in small letters.
func meantURL(text string) string {
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		if !strings.ContainsAny(text, ".:") { // a word such as none
			return ""
		}
		scheme, rest = "https", text
	}
	if whole := strings.ToLower(scheme) + "://" + rest; whole != text {
		if _, err := engineHost(whole); err == nil {
			return whole
		}
	}
	return ""
}

// meantZone finds a zone by its name in another case, or by its city alone.
func meantZone(text string) string {
	city := strings.ReplaceAll(strings.TrimSpace(text), " ", "_")
	if city == "" || len(city) > maxWord {
		return ""
	}
	if strings.EqualFold(city, "UTC") || city == "Z" {
		return "UTC"
	}
	byCity := ""
	for e := range zoneEntries() {
		name := e.name()
		if strings.EqualFold(name, city) && name != "Factory" {
			return name
		}
		if i := strings.LastIndexByte(name, '/'); byCity == "" && i > 0 && strings.EqualFold(name[i+1:], city) {
			byCity = name
		}
	}
	return byCity
}

// meantSpan puts a span into one unit that the key takes.
func meantSpan(text string) string {
	s := strings.ReplaceAll(strings.ToLower(cutWord(text)), " ", "")
	if strings.Trim(s, digits) == "" {
		s += "h" // 24 was meant as 24h, since that is the default
	}
	if weeks, ok := strings.CutSuffix(s, "w"); ok {
		n, err := strconv.Atoi(weeks)
		if err != nil {
			return ""
		}
		s = strconv.Itoa(7*n) + "d"
	}
	if _, err := ParseUndoWindow(s); err != nil {
		return ""
	}
	return s
}

// hintKey advises on a key that is unknown here: one of the same mapping, or the mapping that it belongs in.
func hintKey(name string, names []string) string {
	word := cutWord(name)
	if hint := nearest.Hint(word, names); hint != "" {
		return hint
	}
	switch {
	case strings.EqualFold(word, "max"):
		return "max belongs in components.<c>.instances.<env>.autonomy"
	case strings.EqualFold(word, "paused"):
		return "paused belongs in the top-level autonomy"
	}
	return belongs(word, "environments.<env>.autonomy", policyEntries)
}

// belongs says in which mapping a key stands.
func belongs(name, path string, entries []entry) string {
	for _, e := range entries {
		if strings.EqualFold(e.name, name) {
			return e.name + " belongs in " + path
		}
		if found := belongs(name, path+"."+e.name, e.under); found != "" {
			return found
		}
	}
	return ""
}
