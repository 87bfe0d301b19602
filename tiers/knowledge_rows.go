package tiers

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// read adds the rows of one table.
func (k *Knowledge) read(name, text string) error {
	return eachRow(name, text, k.row)
}

// check tries every row of a table by itself.
func check(name, text string) error {
	return eachRow(name, text, func(row string) error {
		if _, rest, verb, ok := cutRow(row); ok && tableVerbs[verb] == nil {
			_, err := learned("", []string{rest})
			return err
		}
		return nil // row has judged it
	})
}

// eachRow gives every row of a table to f, and joins what is wrong with where it stands.
func eachRow(name, text string, f func(row string) error) error {
	var errs []error
	line := 0
	for l := range strings.Lines(text) {
		line++
		l = strings.TrimSpace(l)
		if l == "" || l[0] == '#' {
			continue
		}
		if err := f(l); err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w: %w", name, line, ErrKnowledge, err))
		}
	}
	return errors.Join(errs...)
}

// cutRow takes a row apart into its subject and the rest, which begins with the verb.
func cutRow(row string) (subject, rest, verb string, ok bool) {
	subject, rest, ok = strings.Cut(row, ": ")
	rest = strings.TrimSpace(rest)
	verb = rest
	if i := strings.IndexAny(rest, " \t"); i >= 0 {
		verb = rest[:i]
	}
	return subject, rest, verb, ok && verb != ""
}

// row adds one row.
func (k *Knowledge) row(text string) error {
	subject, rest, verb, ok := cutRow(text)
	if !ok {
		return fmt.Errorf("%q is not `program: verb words`", text)
	}
	if f, ok := tableVerbs[verb]; ok {
		return f(k, subject, strings.Fields(rest)[1:])
	}
	for s := range strings.SplitSeq(subject, ",") {
		k.programs.add(strings.TrimSpace(s), rest)
	}
	return nil
}

// eachWord is a verb that says the same of every word.
func eachWord(add func(k *Knowledge, word string)) func(*Knowledge, string, []string) error {
	return func(k *Knowledge, _ string, words []string) error {
		for _, w := range words {
			add(k, w)
		}
		return nil
	}
}

// tableVerbs are the verbs whose subject is not a program.
var tableVerbs = map[string]func(k *Knowledge, subject string, args []string) error{
	"changes-programs": eachWord(func(k *Knowledge, name string) { k.variables.add(name) }),
	"is-harmless":      eachWord(func(k *Knowledge, name string) { k.harmless.add(name) }),
	"set-evaluates":    eachWord(func(k *Knowledge, name string) { k.evaluated.add(name) }),
	"blocks":           eachWord(func(k *Knowledge, glob string) { k.control = append(k.control, newControlRow(glob, true)) }),
	"asks-for":         eachWord(func(k *Knowledge, glob string) { k.control = append(k.control, newControlRow(glob, false)) }),
	"does":             does(false),
	"does-named":       does(true),
}

// does is a verb that says that one command does what another does.
func does(named bool) func(k *Knowledge, subject string, args []string) error {
	return func(k *Knowledge, subject string, args []string) error {
		from, to := rowWords(strings.Fields(subject)), rowWords(args)
		if from == nil || to == nil || !from[0].known() || !to[0].known() {
			return fmt.Errorf("%q does %q: not two simple commands", subject, strings.Join(args, " "))
		}
		name := to[0].text
		k.same[name] = append(k.same[name], sameRow{trimStar(from), trimStar(to), named})
		return nil
	}
}

// rowWords reads the words of a command in a table: plain words and stars. Anything else gives none.
func rowWords(fields []string) []word {
	ws := make([]word, len(fields))
	for i, f := range fields {
		if strings.ContainsAny(f, "|<>;&()$`'\"\\#\x00") {
			return nil
		}
		ws[i] = word{text: f}
		if strings.IndexByte(f, '*') >= 0 {
			ws[i] = word{text: strings.ReplaceAll(f, "*", anyRun), many: f == "*"}
		}
	}
	if len(ws) == 0 {
		return nil
	}
	return ws
}

// optionVerbs are the verbs whose words are options.
var optionVerbs = map[string]func(*program) **optionSet{
	"inert":      func(p *program) **optionSet { return &p.inert },
	"globals":    func(p *program) **optionSet { return &p.globals },
	"options":    func(p *program) **optionSet { return &p.options },
	"runs":       func(p *program) **optionSet { return &p.runs },
	"saves":      func(p *program) **optionSet { return &p.saves },
	"code":       func(p *program) **optionSet { return &p.code },
	"changes":    func(p *program) **optionSet { return &p.changes },
	"reads-with": func(p *program) **optionSet { return &p.lookOnly },
	"help":       func(p *program) **optionSet { return &p.help },
	"alone":      func(p *program) **optionSet { return &p.alone },
	"implies":    func(p *program) **optionSet { return &p.implies },
	"stdout":     func(p *program) **optionSet { return &p.stdout },
}

// flagVerbs are the verbs that stand alone.
var flagVerbs = map[string]func(*program) []*bool{
	"complete":       func(p *program) []*bool { return []*bool{&p.complete} },
	"reads":          func(p *program) []*bool { return []*bool{&p.reads, &p.norun} },
	"norun":          func(p *program) []*bool { return []*bool{&p.norun} },
	"shell":          func(p *program) []*bool { return []*bool{&p.shell} },
	"stdin":          func(p *program) []*bool { return []*bool{&p.stdin} },
	"bundled":        func(p *program) []*bool { return []*bool{&p.bundled} },
	"alters":         func(p *program) []*bool { return []*bool{&p.alters, &p.norun} },
	"reads-operands": func(p *program) []*bool { return []*bool{&p.keeps} },
	"reads-plainly":  func(p *program) []*bool { return []*bool{&p.plain} },
	"copies":         func(p *program) []*bool { return []*bool{&p.copies} },
	"joins":          func(p *program) []*bool { return []*bool{&p.joins} },
	"also-script":    func(p *program) []*bool { return []*bool{&p.both} },
	"targets":        func(p *program) []*bool { return []*bool{&p.targets} },
	"spelled":        func(p *program) []*bool { return []*bool{&p.spelled} },
	"assignments":    func(p *program) []*bool { return []*bool{&p.assigns} },
}

// numberVerbs are the verbs with a number from 1.
var numberVerbs = map[string]func(*program) *int{
	"skip":   func(p *program) *int { return &p.skip },
	"script": func(p *program) *int { return &p.script },
	"writes": func(p *program) *int { return &p.writes },
}

// learn adds one fact to a program.
func (p *program) learn(verb string, args []string) error {
	if set, ok := optionVerbs[verb]; ok {
		s := set(p)
		if *s == nil {
			*s = &optionSet{onedash: p.onedash}
		}
		(*s).list = slices.Grow((*s).list, len(args))
		for _, a := range args {
			o, err := parseOption(a)
			if err != nil {
				return err
			}
			(*s).list = append((*s).list, o)
		}
		return nil
	}
	if flags, ok := flagVerbs[verb]; ok {
		for _, flag := range flags(p) {
			*flag = true
		}
		return nil
	}
	one := ""
	if len(args) == 1 {
		one = args[0]
	}
	if number, ok := numberVerbs[verb]; ok {
		n, err := strconv.Atoi(one)
		if err != nil || n < 1 {
			return fmt.Errorf("%s: %q is not a number from 1", verb, one)
		}
		*number(p) = n
		return nil
	}
	switch verb {
	case "onedash":
		p.onedash = true
		for _, s := range p.sets() {
			if *s != nil {
				(*s).onedash = true
			}
		}
	case "acts":
		p.acts = append(p.acts, args...)
	case "plainly":
		p.plainly = append(p.plainly, args...)
	case "shortens":
		p.shortens, p.whole = true, append(p.whole, args...)
	case "builtin":
		p.builtin = one
	case "procedure":
		p.procedure = one
	case "runner":
		if one != "transparent" && one != "asks" && one != "listed" {
			return fmt.Errorf("runner: %q; allowed: transparent, asks, listed", one)
		}
		p.runner = one
	default:
		return fmt.Errorf("%q is not a verb", verb)
	}
	return nil
}
