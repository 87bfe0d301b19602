package tiers

import (
	_ "embed"
	"errors"
	"maps"
	"slices"
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
	programs  *programs
	same      map[string][]sameRow // by the program whose command it does
	variables nameTable            // names that change what programs do
	harmless  nameTable            // exceptions of variables
	evaluated nameTable            // names that bash evaluates as arithmetic when they are set
	control   []controlRow
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
	alone     *optionSet // options that, when there is no other word, only tell something
	stdout    *optionSet // of those in saves, the ones for which a dash is standard output
	onedash   bool
	reads     bool       // only reads, and every option that does otherwise is in runs or saves
	norun     bool       // never runs its arguments
	builtin   string     // inert, asks, names: a builtin of the shell
	runner    string     // transparent, asks, listed
	skip      int        // operands of a runner before the command
	joins     bool       // a runner that joins its words and has a shell parse them
	assigns   bool       // a runner that takes assignments before the command
	shell     bool       // an interpreter that is a shell: -c text is parsed
	script    int        // 1 + index of the operand that is a script, target or code; 0 = none
	both      bool       // it runs its script besides the code that an option holds
	targets   bool       // every operand after it is one as well
	writes    int        // 1 + index of the first operand that is written; 0 = none
	stdin     bool       // without a script operand, it reads code from standard input
	bundled   bool       // its first word may be a cluster of options without a dash
	alters    bool       // changes the files that it names
	keeps     bool       // reads the files that it names, whatever else it does
	acts      []string   // first operands that change something far away, or throw work away
	implies   *optionSet // of those in changes, the ones that take the others with them when a pattern spells them out
	plainly   []string   // options with a value, `-X=GET`, with which they do nothing
	shortens  bool       // its subcommands may be shortened
	plain     bool       // reads the files that it names, but for what its options say
	copies    bool       // reads the files that it names, but for the last
	spelled   bool       // a subcommand that a pattern must spell out
	whole     []string   // words that are subcommands as they stand, for shortens
	procedure string
}

type sameRow struct {
	from, to []word
	named    bool // only what is denied by its first word after them
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
	rows  map[string]rowList
	cells []cell // of all lists; never changed once they are in use

	mu   sync.RWMutex
	read map[string]*program
}

// rowList is the rows of one program, `verb words...`, in the order of the tables. A list of its own for each would be
// most of what a hook allocates.
type rowList struct{ first, last int32 } // of cells, from 1; 0 is none

type cell struct {
	row  string
	next int32 // of cells, from 1; 0 is none
}

// rowsOf gives the rows of a program.
func (ps *programs) rowsOf(name string) []string {
	var out []string
	for i := ps.rows[name].first; i > 0; i = ps.cells[i-1].next {
		out = append(out, ps.cells[i-1].row)
	}
	return out
}

// addRow adds a row to a program.
func (ps *programs) addRow(name, row string) {
	ps.cells = append(ps.cells, cell{row: row})
	at, list := int32(len(ps.cells)), ps.rows[name]
	if list.last > 0 {
		ps.cells[list.last-1].next = at
	} else {
		list.first = at
	}
	list.last = at
	ps.rows[name] = list
}

// get gives what is known of a program, nil when nothing is.
func (ps *programs) get(name string) *program {
	if ps == nil {
		return nil
	}
	if !ps.known(name) {
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
		p, _ = learned(name, ps.rowsOf(name)) // a row is tried before it is taken: see check
		ps.read[name] = p
	}
	return p
}

// known reports whether there are rows about a program.
func (ps *programs) known(name string) bool {
	if ps == nil {
		return false
	}
	_, ok := ps.rows[name]
	return ok
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
		if parent := name[:i]; !ps.known(parent) {
			ps.rows[parent] = rowList{}
			if strings.IndexByte(parent, ' ') > 0 {
				ps.addRow(parent, "script 1") // one of which only some subcommands are known
			}
		}
		next := strings.IndexByte(name[i+1:], ' ')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	ps.addRow(name, row)
}

// About how many programs and subcommands the tables know, and by how many rows, so that nothing need grow.
const (
	knownPrograms = 1000
	knownRows     = 2000
)

// clone gives a copy to which rows can be added.
func (ps *programs) clone() *programs {
	out := &programs{rows: make(map[string]rowList, knownPrograms), cells: make([]cell, 0, knownRows), read: map[string]*program{}}
	if ps != nil {
		maps.Copy(out.rows, ps.rows)
		out.cells = append(out.cells, ps.cells...)
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
	return out, nil
}

// sets gives the places of the option sets of a program.
func (p *program) sets() []**optionSet {
	return []**optionSet{&p.inert, &p.globals, &p.options, &p.runs, &p.saves, &p.code, &p.changes, &p.help, &p.lookOnly}
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
