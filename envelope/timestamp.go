package envelope

import (
	"errors"
	"regexp"
	"sync"
	"time"
)

const (
	timeLayout = "2006-01-02T15:04:05Z"
	dateLayout = "2006-01-02"
)

var timePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$`)
})

var errTime = errors.New("not an RFC 3339 time with a zone, such as 2026-07-05T14:30:00Z")

// parseTime reads RFC 3339 with a zone and gives UTC in whole seconds. A time without zone is refused: staleness would
// depend on a guess. // R20
func parseTime(s string) (time.Time, error) {
	if t, ok := parsePlainTime(s); ok {
		return t, nil
	}
	if !timePattern().MatchString(s) {
		return time.Time{}, errTime
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, errors.New("no such date or time")
	}
	t = wholeSeconds(t)
	if !writable(t) {
		return time.Time{}, errors.New("outside the years 0000 to 9999 in UTC")
	}
	return t, nil
}

// wholeSeconds drops the fraction, and the clock that only this process knows.
func wholeSeconds(t time.Time) time.Time {
	return t.Round(0).Add(-time.Duration(t.Nanosecond())).UTC()
}

// writable reports whether a time has the four digits of a year that the format has room for.
func writable(t time.Time) bool { y := t.UTC().Year(); return y >= 0 && y <= 9999 }

// parsePlainTime reads the one form that this package writes, YYYY-MM-DDTHH:MM:SSZ, without the cost of the general one.
func parsePlainTime(s string) (time.Time, bool) {
	if len(s) != len(timeLayout) || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != 'Z' {
		return time.Time{}, false
	}
	year, a := digits(s[0:4])
	month, b := digits(s[5:7])
	day, c := digits(s[8:10])
	hour, d := digits(s[11:13])
	minute, e := digits(s[14:16])
	second, f := digits(s[17:19])
	if !(a && b && c && d && e && f) || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	if t.Day() != day {
		return time.Time{}, false // 30 February
	}
	return t, true
}

func digits(s string) (n int, ok bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

func formatTime(t time.Time) string { return t.UTC().Format(timeLayout) }
