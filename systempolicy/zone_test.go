package systempolicy

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// allZones lists the names in the embedded archive.
func allZones(t testing.TB) []string {
	var names []string
	end := zoneData[len(zoneData)-22:]
	rest := zoneData[u32(end, 16):]
	for range u16(end, 10) {
		n := u16(rest, 28)
		names = append(names, rest[46:46+n])
		rest = rest[46+n+u16(rest, 30)+u16(rest, 32):]
	}
	if len(names) < 500 {
		t.Fatalf("%d zones", len(names))
	}
	return names
}

// TestZoneOffsets holds the tabulated offsets against package time, in every zone: at random instants from 1960 to 2050,
// around each change, and on the last days of leap years.
func TestZoneOffsets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	zones := 0
	for _, name := range allZones(t) {
		z := findZone(name)
		if z == nil {
			if name != "Factory" && !strings.HasSuffix(name, "/") {
				t.Errorf("no zone %s", name)
			}
			continue
		}
		zones++
		check := func(at int64) {
			if _, want := time.Unix(at, 0).In(z.loc).Zone(); int64(want) != z.offset(at) {
				t.Fatalf("%s at %s: offset %d, want %d", name, time.Unix(at, 0).UTC(), z.offset(at), want)
			}
		}
		for range 200 {
			check(-315619200 + r.Int64N(2840140800))
		}
		for _, s := range z.starts {
			check(s - 1)
			check(s)
			check(s + 1)
		}
		for year := 1988; year < 2048; year += 4 {
			for at := time.Date(year, 12, 30, 12, 0, 0, 0, time.UTC).Unix(); at < time.Date(year+1, 1, 2, 0, 0, 0, 0, time.UTC).Unix(); at += 7 * 1800 {
				check(at)
			}
		}
		for i, s := range z.starts { // what comparing windows by the minute rests on
			if s >= horizonStart.Unix() && s < horizonEnd.Unix() && (s%60 != 0 || z.offsets[i]%60 != 0) {
				t.Errorf("%s: the change at %d is not on a whole minute", name, s)
			}
		}
	}
	t.Logf("%d zones", zones)
}

func TestZoneNames(t *testing.T) {
	for _, name := range []string{"UTC", "Etc/UTC", "Europe/Berlin", "Asia/Calcutta", "US/Pacific", "Etc/GMT+5", "EST", "MST", "HST", "America/Argentina/Buenos_Aires", "GMT0"} {
		if z := findZone(name); z == nil || z.name != name {
			t.Errorf("%q is refused", name)
		}
	}
	for _, name := range []string{"", "Local", "localtime", "Factory", "posix/Europe/Berlin", "right/UTC", "/etc/localtime", "../UTC", "+02:00", "UTC+2",
		"CEST", "BST", "PST", "europe/berlin", "utc", "Europe/", "Europe", "Europe/Berlin\x00", strings.Repeat("a", 100), "posixrules", "Europe/Berlin "} {
		if z := findZone(name); z != nil {
			t.Errorf("%q is taken", name)
		}
	}
}

// FuzzZoneName holds that no name reaches beyond the archive or crashes.
func FuzzZoneName(f *testing.F) {
	f.Add("Europe/Berlin")
	f.Add("../../etc/passwd")
	f.Fuzz(func(t *testing.T, name string) {
		if z := findZone(name); z != nil && z.name != name {
			t.Errorf("%q became %q", name, z.name)
		}
	})
}
