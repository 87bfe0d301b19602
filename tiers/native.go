package tiers

import "strings"

// On Windows a path may be written `C:\x`, `c:/x` or, by the tools that bring bash there, `/c/x`. Where the project's root
// has a drive, all of them are read as `/c/x`; elsewhere a path is what it says, and `C:` is a folder like any other.

// drive gives the letter of the drive that a path begins with, and what follows it.
func drive(p string) (letter byte, rest string, ok bool) {
	if len(p) < 2 || p[1] != ':' {
		return 0, "", false
	}
	letter = p[0] | 0x20
	return letter, p[2:], letter >= 'a' && letter <= 'z'
}

// native gives a path as it is compared.
func (j *judge) native(p string) string {
	if !j.drives {
		return p
	}
	p = slashed(p)
	if letter, rest, ok := drive(p); ok {
		if !strings.HasPrefix(rest, "/") {
			return "/" + string(letter) + ":/" + rest // relative to where the shell stands on that drive
		}
		return "/" + string(letter) + rest
	}
	if rest, ok := strings.CutPrefix(p, "/cygdrive/"); ok {
		p = "/" + rest
	}
	if len(p) > 1 && p[0] == '/' && (len(p) == 2 || p[2] == '/') {
		return strings.ToLower(p[:2]) + p[2:]
	}
	return p
}

// spelled gives a path that was made native as programs there read it.
func (j *judge) spelled(p string) string {
	if j.drives && len(p) > 2 && p[0] == '/' && p[2] == '/' {
		return p[1:2] + ":" + p[2:]
	}
	return p
}

// below gives what follows a folder in a path below it.
func (j *judge) below(p, folder string) (string, bool) {
	if j.drives && len(p) >= len(folder) && strings.EqualFold(p[:len(folder)], folder) {
		return p[len(folder):], true
	}
	return strings.CutPrefix(p, folder)
}
