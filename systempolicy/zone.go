package systempolicy

import (
	_ "embed"
	"encoding/binary"
	"iter"
	"slices"
	"strings"
	"time"
)

// zoneData is GOROOT/lib/time/zoneinfo.zip. The host's zone files are never looked at, so that a policy means the same
// on every machine.
//
//go:embed zoneinfo.zip
var zoneData string

// zone is a time zone under the name by which it was declared.
type zone struct {
	name    string
	loc     *time.Location
	starts  []int64 // seconds since 1970 at which an offset begins, from tableStart on
	offsets []int32 // seconds east of UTC, in force from the start beside it
}

// String gives the zone's name as written; "" for none.
func (z *zone) String() string {
	if z == nil {
		return ""
	}
	return z.name
}

// Between these instants a zone's offsets are tabulated: package time evaluates the rule for each of them anew, which
// takes it several times as long.
const (
	tableStart = 631152000  // 1990-01-01
	tableEnd   = 2145916800 // 2038-01-01
)

var utc = &zone{name: "UTC", loc: time.UTC, starts: []int64{tableStart}, offsets: []int32{0}}

// findZone gives the zone of that IANA name, exactly spelled, or nil. (A-tz-1, A-tz-2)
func findZone(name string) *zone {
	if name == "UTC" {
		return utc
	}
	data, ok := zoneFile(name)
	if !ok || name == "Factory" { // Factory is what a machine has that nobody configured
		return nil
	}
	loc, err := time.LoadLocationFromTZData(name, data)
	if err != nil {
		return nil
	}
	z := &zone{name: name, loc: loc}
	for at := int64(tableStart); at < tableEnd; {
		offset := z.lookup(at)
		if n := len(z.offsets); n == 0 || z.offsets[n-1] != offset {
			z.starts, z.offsets = append(z.starts, at), append(z.offsets, offset)
		}
		at = z.next(at)
	}
	return z
}

// lookup asks package time.
func (z *zone) lookup(at int64) int32 {
	_, offset := time.Unix(at, 0).In(z.loc).Zone()
	return int32(offset)
}

// next gives a later instant up to which the offset stays. By its rule package time sees no change between the last of
// a year and the year's end in UTC, and takes that to be 365 days after the beginning: on the last day of a leap year it
// gives a bound that has passed.
func (z *zone) next(at int64) int64 {
	now := time.Unix(at, 0).UTC()
	_, end := now.In(z.loc).ZoneBounds()
	switch {
	case end.IsZero():
		return tableEnd
	case end.After(now):
		return end.Unix()
	}
	return time.Date(now.Year()+1, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
}

// offset gives the seconds east of UTC at an instant.
func (z *zone) offset(at int64) int64 {
	if at < tableStart || at >= tableEnd {
		return int64(z.lookup(at))
	}
	low, high := 0, len(z.starts) // starts[low] <= at < starts[high]
	for high-low > 1 {
		if mid := int(uint(low+high) / 2); z.starts[mid] <= at {
			low = mid
		} else {
			high = mid
		}
	}
	return int64(z.offsets[low])
}

// change gives the first tabulated instant after at at which the offset changes.
func (z *zone) change(at int64) (int64, bool) {
	i, found := slices.BinarySearch(z.starts, at)
	if found {
		i++
	}
	if i >= len(z.starts) {
		return 0, false
	}
	return z.starts[i], true
}

// zoneFile finds one file of the embedded archive.
func zoneFile(name string) ([]byte, bool) {
	if len(name) > 64 {
		return nil, false
	}
	for e := range zoneEntries() {
		if e.name() == name {
			data := e.data()
			return []byte(data), strings.HasPrefix(data, "TZif")
		}
	}
	return nil, false
}

// zoneEntry is the archive's directory from one entry on.
type zoneEntry string

const (
	endHeader, endSize     = 0x06054b50, 22
	entryHeader, entrySize = 0x02014b50, 46
	localHeaderSize        = 30
)

// zoneEntries walks the embedded archive, whose files are stored without compression.
func zoneEntries() iter.Seq[zoneEntry] {
	return func(yield func(zoneEntry) bool) {
		if len(zoneData) < endSize {
			return
		}
		end := zoneData[len(zoneData)-endSize:]
		if u32(end, 0) != endHeader {
			return
		}
		rest := zoneData[u32(end, 16):]
		for range u16(end, 10) {
			if u32(rest, 0) != entryHeader || !yield(zoneEntry(rest)) {
				return
			}
			rest = rest[entrySize+u16(rest, 28)+u16(rest, 30)+u16(rest, 32):]
		}
	}
}

func (e zoneEntry) name() string { return string(e[entrySize : entrySize+u16(string(e), 28)]) }

func (e zoneEntry) data() string {
	size, local := u32(string(e), 24), zoneData[u32(string(e), 42):]
	local = local[localHeaderSize+u16(local, 26)+u16(local, 28):]
	return local[:size]
}

func u16(s string, at int) int { return int(binary.LittleEndian.Uint16([]byte(s[at : at+2]))) }
func u32(s string, at int) int { return int(binary.LittleEndian.Uint32([]byte(s[at : at+4]))) }
