package systempolicy

import (
	_ "embed"
	"encoding/binary"
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
	name string
	loc  *time.Location
}

var utc = &zone{"UTC", time.UTC}

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
	return &zone{name, loc}
}

// zoneFile finds one file of the embedded archive, whose files are stored without compression.
func zoneFile(name string) ([]byte, bool) {
	const (
		endHeader, endSize         = 0x06054b50, 22
		entryHeader, entrySize     = 0x02014b50, 46
		localHeaderSize, nameStart = 30, entrySize
	)
	if name == "" || len(name) > 64 || len(zoneData) < endSize {
		return nil, false
	}
	end := zoneData[len(zoneData)-endSize:]
	if u32(end, 0) != endHeader {
		return nil, false
	}
	rest := zoneData[u32(end, 16):]
	for range u16(end, 10) {
		if u32(rest, 0) != entryHeader {
			return nil, false
		}
		nameLen := u16(rest, 28)
		if rest[nameStart:nameStart+nameLen] != name {
			rest = rest[entrySize+nameLen+u16(rest, 30)+u16(rest, 32):]
			continue
		}
		size, local := u32(rest, 24), zoneData[u32(rest, 42):]
		local = local[localHeaderSize+u16(local, 26)+u16(local, 28):]
		return []byte(local[:size]), strings.HasPrefix(local, "TZif")
	}
	return nil, false
}

func u16(s string, at int) int { return int(binary.LittleEndian.Uint16([]byte(s[at : at+2]))) }
func u32(s string, at int) int { return int(binary.LittleEndian.Uint32([]byte(s[at : at+4]))) }
