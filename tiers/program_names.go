package tiers

import (
	"path"
	"slices"
	"strings"
)

// programNames gives what a program word may be called: as written, and its base name, without a Windows suffix.
func programNames(text string) (written, base string) {
	base = path.Base(strings.ReplaceAll(text, `\`, "/"))
	return text, strings.TrimSuffix(base, ".exe")
}

// family gives the name under which the tables know a program that is called by its version: python3.11 is python3, and
// what a fetcher calls eslint@8 is eslint. Only programs that run something are looked for: the name of any other says
// nothing about what it does.
func (k *Knowledge) family(base string) string {
	if base == "" || k.programs.known(base) {
		return base
	}
	if i := strings.IndexByte(base, '@'); i > 0 {
		return base[:i]
	}
	for name := base; ; {
		short := strings.TrimRight(name, "0123456789")
		if short == name || short == "" {
			return base
		}
		name = strings.TrimRight(short, ".-")
		if p := k.programs.get(name); p != nil && (p.script > 0 || p.shell || p.runner != "") {
			return name
		}
	}
}

// shortened reports whether a word may be short for a subcommand of the program.
func (p *program) shortened(text, name string) bool {
	return p != nil && p.shortens && len(text) > 1 && strings.HasPrefix(name, text) && !slices.Contains(p.whole, text)
}
