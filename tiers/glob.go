package tiers

import "strings"

// globMatch matches a write path: `*` within a segment, `**` over segments.
func globMatch(glob, p string) bool {
	return segsMatch(globSegs(glob), strings.Split(p, "/"))
}

// globSegs gives the segments of a glob, with anyRun for stars within one.
func globSegs(glob string) []string {
	segs := strings.Split(glob, "/")
	for i, s := range segs {
		if s != "**" {
			segs[i] = strings.ReplaceAll(s, "*", anyRun)
		}
	}
	return segs
}

// segsMatch matches segments; `**` stands for any number of them. A `**` at the end stands for at least one, and the
// folder itself when the glob is a control file's.
func segsMatch(glob, segs []string) bool {
	for len(glob) > 0 {
		if glob[0] == "**" {
			for k := 0; k <= len(segs); k++ {
				if segsMatch(glob[1:], segs[k:]) {
					return true
				}
			}
			return false
		}
		if len(segs) == 0 || !covers(glob[0], segs[0]) {
			return false
		}
		glob, segs = glob[1:], segs[1:]
	}
	return len(segs) == 0
}
