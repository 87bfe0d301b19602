package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/ambit/internal/nearest"
)

// flagDef declares one flag. Two dashes, but for a name of one letter, which takes one.
type flagDef struct {
	name   string
	value  string // placeholder of its value; "" is a boolean, which takes none
	about  string
	repeat bool
	oneOf  []string // the closed set of values, if it is one
}

// spelling is how the flag is written.
func (f flagDef) spelling() string {
	if len(f.name) == 1 {
		return "-" + f.name
	}
	return "--" + f.name
}

// commonFlags are understood by every command.
func commonFlags() []flagDef {
	return []flagDef{
		{name: "format", value: "text|json", about: "how to print (default text)", oneOf: []string{"text", "json"}},
		{name: "root", value: "DIR", about: "the folder to work in (default AMBIT_ROOT, else the current folder)"},
		{name: "now", value: "RFC3339", about: "replaces the clock, as AMBIT_NOW does; for tests"},
		{name: "help", about: "print this help"},
		{name: "version", about: "print the version"},
	}
}

// parsed is what the arguments say.
type parsed struct {
	cmd           *command
	words         []string // what stood for a command where none was found
	operands      []string
	flags         map[string][]string
	help, version bool
}

// parseArgs reads flags anywhere among the arguments: "--k v", "--k=v"; the argument after a flag that takes a value
// is always its value, also with a leading dash; "--" ends flags; "-" is an operand. Flags may precede the command's
// name, so a name must mean the same kind of flag (boolean or not) in every command; a test holds that.
func parseArgs(args []string, table []command) (parsed, error) {
	p := parsed{flags: map[string][]string{}}
	takes := map[string]flagDef{}
	for _, f := range commonFlags() {
		takes[f.name] = f
	}
	for _, c := range table {
		for _, f := range c.flags {
			takes[f.name] = f
		}
	}
	var plain []string // what is no flag, before "--"
	var rest []string  // what follows "--"
	type given struct{ name, value, spelling string }
	var flags []given
	var unknown []string
	var faults []error
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			rest = args[i+1:]
			break
		}
		if a == "-h" {
			a = "--help"
		}
		name, inline, value, ok := splitFlag(a)
		if !ok {
			plain = append(plain, a)
			continue
		}
		f, known := takes[name]
		switch {
		case !known || f.spelling() != strings.SplitN(a, "=", 2)[0]:
			unknown = append(unknown, strings.SplitN(a, "=", 2)[0])
		case f.value == "" && inline:
			faults = append(faults, fmt.Errorf("%s takes no value", f.spelling()))
		case f.value == "":
			flags = append(flags, given{name, "true", f.spelling()})
		case inline:
			flags = append(flags, given{name, value, f.spelling()})
		case i+1 == len(args):
			faults = append(faults, fmt.Errorf("%s needs a value (%s)", f.spelling(), f.value))
		default:
			i++
			flags = append(flags, given{name, args[i], f.spelling()})
		}
	}
	p.cmd, p.operands = findCommand(plain, table)
	p.words = plain
	p.operands = append(p.operands, rest...)
	for _, g := range flags {
		p.help = p.help || g.name == "help"
		p.version = p.version || g.name == "version"
	}
	if p.help && (p.cmd != nil || isNoun(plain, table)) || p.version && p.cmd == nil && len(plain) == 0 {
		return p, nil
	}
	if p.cmd == nil {
		if len(args) == 0 {
			return p, nil
		}
		return p, unknownCommand(plain, unknown, table)
	}
	own := slices.Concat(p.cmd.flags, commonFlags())
	names := make([]string, len(own))
	for i, f := range own {
		names[i] = f.spelling()
	}
	for _, u := range unknown {
		return p, suggest(fmt.Errorf("unknown flag %s for %s", u, p.cmd.name), u, names)
	}
	for _, err := range faults {
		return p, err
	}
	for _, g := range flags {
		i := slices.IndexFunc(own, func(f flagDef) bool { return f.name == g.name })
		switch {
		case i < 0:
			return p, suggest(fmt.Errorf("%s is not a flag of %s", g.spelling, p.cmd.name), g.spelling, names)
		case len(p.flags[g.name]) > 0 && !own[i].repeat:
			return p, fmt.Errorf("%s is given twice", g.spelling)
		case len(own[i].oneOf) > 0 && !slices.Contains(own[i].oneOf, g.value):
			return p, suggest(fmt.Errorf("%s %q is not allowed; allowed: %s", g.spelling, g.value, strings.Join(own[i].oneOf, ", ")), g.value, own[i].oneOf)
		}
		p.flags[g.name] = append(p.flags[g.name], g.value)
	}
	return p, nil
}

// splitFlag takes "--name", "--name=value" or "-x" apart; ok is false for an operand.
func splitFlag(a string) (name string, inline bool, value string, ok bool) {
	if len(a) < 2 || a[0] != '-' {
		return "", false, "", false
	}
	name, value, inline = strings.Cut(strings.TrimPrefix(a[1:], "-"), "=")
	return name, inline, value, true
}

// findCommand takes the longest name that the words begin with.
func findCommand(words []string, table []command) (*command, []string) {
	best, n := -1, 0
	for i, c := range table {
		name := strings.Fields(c.name)
		if len(name) > n && len(name) <= len(words) && slices.Equal(name, words[:len(name)]) {
			best, n = i, len(name)
		}
	}
	if best < 0 {
		return nil, nil
	}
	return &table[best], slices.Clone(words[n:])
}

// isNoun reports whether help can be given for these words: none, or one that begins a command's name.
func isNoun(words []string, table []command) bool {
	return len(words) == 0 || slices.ContainsFunc(table, func(c command) bool {
		return strings.HasPrefix(c.name, words[0]+" ")
	})
}

func unknownCommand(words, unknown []string, table []command) error {
	if len(words) == 0 {
		if len(unknown) > 0 {
			return fmt.Errorf("unknown flag %s", unknown[0])
		}
		return hinted{fmt.Errorf("no command"), "ambit --help lists them"}
	}
	var names, verbs []string
	for _, c := range table {
		noun, verb, two := strings.Cut(c.name, " ")
		if !slices.Contains(names, noun) {
			names = append(names, noun)
		}
		if two && noun == words[0] {
			verbs = append(verbs, verb)
		}
	}
	switch {
	case words[0] == "help":
		return hinted{fmt.Errorf("unknown command %q", words[0]), "ambit --help, or ambit COMMAND --help"}
	case words[0] == "version":
		return hinted{fmt.Errorf("unknown command %q", words[0]), "ambit --version"}
	case len(verbs) > 0 && len(words) == 1:
		return fmt.Errorf("%s needs one of: %s", words[0], strings.Join(verbs, ", "))
	case len(verbs) > 0:
		return suggest(fmt.Errorf("unknown command %q; %s has: %s", words[0]+" "+words[1], words[0], strings.Join(verbs, ", ")), words[1], verbs)
	default:
		return hinted{fmt.Errorf("unknown command %q", words[0]), cmp.Or(nearest.Hint(words[0], names), "ambit --help lists them")}
	}
}

// wantsJSON looks for --format json also where the rest was not understood, so that a usage error too is one object.
func (p parsed) wantsJSON(args []string) bool {
	if len(p.flags["format"]) > 0 {
		return p.flags["format"][0] == "json"
	}
	for i, a := range args {
		if a == "--" {
			return false
		}
		if a == "--format=json" || a == "--format" && i+1 < len(args) && args[i+1] == "json" {
			return true
		}
	}
	return false
}
