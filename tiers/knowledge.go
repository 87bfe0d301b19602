package tiers

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The tables of this build, read in this order. They are texts of their own, since a folder of files would be copied to be
// read, and a hook is one process for one command.
var (
	//go:embed programs/0-verbs.txt
	verbsTable string
	//go:embed programs/builtins.txt
	builtinsTable string
	//go:embed programs/files.txt
	filesTable string
	//go:embed programs/globals.txt
	globalsTable string
	//go:embed programs/interpreters.txt
	interpretersTable string
	//go:embed programs/readers.txt
	readersTable string
	//go:embed programs/runners.txt
	runnersTable string
	//go:embed programs/variables.txt
	variablesTable string
)

// tables gives the tables of this build by the names of their files.
func tables() [8]struct{ name, text string } {
	return [...]struct{ name, text string }{
		{"0-verbs", verbsTable}, {"builtins", builtinsTable}, {"files", filesTable}, {"globals", globalsTable},
		{"interpreters", interpretersTable}, {"readers", readersTable}, {"runners", runnersTable}, {"variables", variablesTable},
	}
}

// Knowledge is what is known of programs (T23, T31, T33, T34a): tables, read from text that needs no Go to be
// understood. The zero Knowledge knows nothing: every listed command is then judged by its words alone, and everything
// that depends on a program asks. [DefaultKnowledge] gives the tables of this build; [Knowledge.With] adds rows.
type Knowledge struct {
	programs *programs
	// equivalents are all rows of same, in the order of their programs.
	equivalents []sameRow
	same        map[string][]sameRow
	variables   nameTable // names that change what programs do
	harmless    nameTable // exceptions of variables
	evaluated   nameTable // names that bash evaluates as arithmetic when they are set
	control     []controlRow
}

// program is what the tables say of one program, or of one subcommand of it.
type program struct {
	name      string
	inert     *optionSet // options before the subcommand that an allow match looks through
	globals   *optionSet // options before the subcommand; inert ones are among them
	complete  bool       // globals is the whole list: any other option is an error of the program
	options   *optionSet // options that do no harm, for their synonyms and values
	runs      *optionSet // options that run something
	saves     *optionSet // options that write a file
	code      *optionSet // options whose value is code
	changes   *optionSet // options that change a remote or throw work away
	help      *optionSet // options that make a command only tell what it would do
	lookOnly  *optionSet // options right after the subcommand that make it only read
	onedash   bool
	reads     bool     // only reads, and every option that does otherwise is in runs or saves
	norun     bool     // never runs its arguments
	builtin   string   // inert, asks, names: a builtin of the shell
	runner    string   // transparent, asks
	skip      int      // operands of a runner before the command
	joins     bool     // a runner that joins its words and has a shell parse them
	assigns   bool     // a runner that takes assignments before the command
	shell     bool     // an interpreter that is a shell: -c text is parsed
	script    int      // 1 + index of the operand that is a script, target or code; 0 = none
	writes    int      // 1 + index of the first operand that is written; 0 = none
	stdin     bool     // without a script operand, it reads code from standard input
	bundled   bool     // its first word may be a cluster of options without a dash
	alters    bool     // changes the files that it names
	keeps     bool     // reads the files that it names, whatever else it does
	acts      []string // first operands that change something far away, or throw work away
	procedure string
}

type sameRow struct {
	from, to []word
}

type controlRow struct {
	glob   string
	segs   []string // of the glob, with anyRun for stars
	blocks bool
}

func newControlRow(glob string, blocks bool) controlRow {
	return controlRow{glob, globSegs(strings.ToLower(glob)), blocks}
}

// nameTable is a set of names, some of them with a star at one end.
type nameTable struct {
	exact          map[string]bool
	prefix, suffix []string
}

func (t *nameTable) add(name string) {
	switch {
	case strings.HasSuffix(name, "*"):
		t.prefix = append(t.prefix, strings.TrimSuffix(name, "*"))
	case strings.HasPrefix(name, "*"):
		t.suffix = append(t.suffix, strings.TrimPrefix(name, "*"))
	default:
		if t.exact == nil {
			t.exact = map[string]bool{}
		}
		t.exact[name] = true
	}
}

func (t *nameTable) has(name string) bool {
	return t.exact[name] ||
		slices.ContainsFunc(t.prefix, func(p string) bool { return strings.HasPrefix(name, p) }) ||
		slices.ContainsFunc(t.suffix, func(s string) bool { return strings.HasSuffix(name, s) })
}

func (t *nameTable) clone() nameTable {
	return nameTable{maps.Clone(t.exact), slices.Clone(t.prefix), slices.Clone(t.suffix)}
}

// programs is what is known of each program, by its name or by "name subcommand". A row is taken apart when its program
// is first asked for: a hook is one process for one command, and most rows are about programs that it does not hold.
type programs struct {
	rows map[string][]string // `verb words...`, in the order of the tables; never changed once it is in use

	mu   sync.RWMutex
	read map[string]*program
}

// get gives what is known of a program, nil when nothing is.
func (ps *programs) get(name string) *program {
	if ps == nil {
		return nil
	}
	rows, known := ps.rows[name]
	if !known {
		return nil
	}
	ps.mu.RLock()
	p := ps.read[name]
	ps.mu.RUnlock()
	if p != nil {
		return p
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p = ps.read[name]; p == nil {
		p, _ = learned(name, rows) // a row is tried before it is taken: see check
		ps.read[name] = p
	}
	return p
}

// learned gives the program of these rows.
func learned(name string, rows []string) (*program, error) {
	p := &program{name: name}
	for _, r := range rows {
		fields := strings.Fields(r)
		if err := p.learn(fields[0], fields[1:]); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// add adds a row to a program; lookup goes from a program to its subcommands, so it makes those before it known too.
func (ps *programs) add(name, row string) {
	for i := strings.IndexByte(name, ' '); i > 0; {
		if ps.rows[name[:i]] == nil {
			ps.rows[name[:i]] = []string{}
		}
		next := strings.IndexByte(name[i+1:], ' ')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	ps.rows[name] = append(ps.rows[name], row)
}

// knownPrograms is about how many programs and subcommands the tables know, so that their map need not grow.
const knownPrograms = 1200

// clone gives a copy to which rows can be added.
func (ps *programs) clone() *programs {
	out := &programs{rows: make(map[string][]string, knownPrograms), read: map[string]*program{}}
	if ps != nil {
		for name, rows := range ps.rows {
			out.rows[name] = slices.Clone(rows)
		}
	}
	return out
}

var defaultKnowledge = sync.OnceValue(func() *Knowledge {
	k, _ := embeddedKnowledge() // that there is no error is tested
	return k
})

// embeddedKnowledge reads the tables of this build. A row that is wrong in itself is found only by [Knowledge.check].
func embeddedKnowledge() (*Knowledge, error) {
	k := &Knowledge{programs: (*programs)(nil).clone(), same: map[string][]sameRow{}}
	var errs []error
	for _, t := range tables() {
		errs = append(errs, k.read("programs/"+t.name+".txt", t.text))
	}
	k.order()
	return k, errors.Join(errs...)
}

// DefaultKnowledge gives the tables of this build.
func DefaultKnowledge() *Knowledge { return defaultKnowledge() }

// ErrKnowledge is behind every error of [Knowledge.With].
var ErrKnowledge = errors.New("not a table of programs")

// With gives a copy of k with the rows of text added; name is for messages. A row is one line,
// `program: verb words...`, as in the tables of this build (programs/*.txt, where each verb is explained). All errors
// are joined, and wrap [ErrKnowledge].
func (k *Knowledge) With(name, text string) (*Knowledge, error) {
	out := &Knowledge{
		programs:  k.programs.clone(),
		same:      map[string][]sameRow{},
		variables: k.variables.clone(),
		harmless:  k.harmless.clone(),
		evaluated: k.evaluated.clone(),
		control:   slices.Clone(k.control),
	}
	for n, rows := range k.same {
		out.same[n] = slices.Clone(rows)
	}
	if err := errors.Join(out.read(name, text), check(name, text)); err != nil {
		return nil, err
	}
	out.order()
	return out, nil
}

// sets gives the places of the option sets of a program.
func (p *program) sets() []**optionSet {
	return []**optionSet{&p.inert, &p.globals, &p.options, &p.runs, &p.saves, &p.code, &p.changes, &p.help, &p.lookOnly}
}

// read adds the rows of one table.
func (k *Knowledge) read(name, text string) error {
	return eachRow(name, text, k.row)
}

// order settles the order of the equivalents.
func (k *Knowledge) order() {
	k.equivalents = nil
	for _, first := range slices.Sorted(maps.Keys(k.same)) {
		k.equivalents = append(k.equivalents, k.same[first]...)
	}
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
	"does": func(k *Knowledge, subject string, args []string) error {
		from, err := ParsePattern(subject)
		if err != nil {
			return err
		}
		to, err := ParsePattern(strings.Join(args, " "))
		if err != nil {
			return err
		}
		if from.kind != patternSimple || to.kind != patternSimple || !from.stages[0][0].known() {
			return fmt.Errorf("%q is not a simple command", subject)
		}
		name := from.stages[0][0].text
		k.same[name] = append(k.same[name], sameRow{from.stages[0], to.stages[0]})
		return nil
	},
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
	"joins":          func(p *program) []*bool { return []*bool{&p.joins} },
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
	case "builtin":
		p.builtin = one
	case "procedure":
		p.procedure = one
	case "runner":
		if one != "transparent" && one != "asks" {
			return fmt.Errorf("runner: %q; allowed: transparent, asks", one)
		}
		p.runner = one
	default:
		return fmt.Errorf("%q is not a verb", verb)
	}
	return nil
}

// lookup gives what is known of the command: of the program, and of its subcommand when there is such a row. sub is the
// index of the last word of the subcommand, 0 without one.
func (k *Knowledge) lookup(name string, words []word) (p, q *program, sub int) {
	p = k.programs.get(name)
	if p == nil {
		return nil, nil, 0
	}
	q = p
	for i, n := p.subcommand(words, 1), name; i > 0 && words[i].known(); i = p.subcommand(words, i+1) {
		n += " " + words[i].text
		next := k.programs.get(n)
		if next == nil {
			break
		}
		q, sub = next, i
	}
	return p, q, sub
}

// subcommand gives the index of the first word from i on that is no global option, or 0.
func (p *program) subcommand(words []word, i int) int {
	for ; i < len(words); i++ {
		w := words[i]
		if !strings.HasPrefix(w.prefix(), "-") || len(w.text) < 2 {
			return i
		}
		if next, _ := arityBefore(w.text, p); next {
			i++
		}
	}
	return 0
}
