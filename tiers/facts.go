package tiers

import (
	"path"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// later is what depends on the rest of the text: loops and functions run earlier lines again, and a text inside another
// sets the same variables and moves the same shell. It is settled when everything was judged.
type later struct {
	parts   []laterPart
	other   map[string]bool // names that are set to something other than an integer
	unset   map[string]bool // functions that are unset; "" is one whose name is not known
	moves   bool            // the shell may leave Root
	again   bool            // the same, in a loop or a function
	folders []string        // where it may go
}

// laterPart is a part of the verdict if something holds of the whole text.
type laterPart struct {
	part   Part
	call   string // if this function is unset
	name   string // if this variable is set to something other than an integer
	moves  bool   // if the shell moves
	again  bool   // if the shell moves in a loop or a function
	file   string // if this file, in a folder that the shell goes to, steers an agent or a program
	folder bool   // for file: or what is below it
}

// maxLater bounds the files that are looked at in every folder that the shell goes to.
const maxLater = 1000

// settle adds the parts that turned out to hold.
func (j *judge) settle() {
	crowded := false
	for _, l := range j.later.parts {
		holds := l.name != "" && j.later.other[l.name] || l.call != "" && (j.later.unset[l.call] || j.later.unset[""]) || l.moves && j.later.moves || l.again && j.later.again
		if l.file != "" && len(j.later.parts)*len(j.later.folders) > maxLater {
			holds, crowded = !crowded, true // too much to look at: once is enough
		} else if l.file != "" {
			for _, d := range j.later.folders {
				if w := j.steersText(path.Join(d, l.file), l.folder); w != nil && (!holds || w.decision == Block) {
					holds = true
					l.part.Decision, l.part.Tier, l.part.Pattern, l.part.Detail = w.decision, w.tier, w.pattern, w.detail
				}
			}
		}
		if holds {
			j.parts = append(j.parts, l.part)
		}
	}
	slices.SortStableFunc(j.parts, func(a, b Part) int { return a.Start - b.Start })
}

// whereLater notes a part that holds if the shell stands elsewhere when a loop or function runs it again.
func (r *walker) whereLater(start, end int, reason Reason, detail, file string, folder bool) {
	if r.inBody == 0 {
		return
	}
	l := laterPart{part: r.placed(Part{Start: start, End: end, Decision: Ask, Reason: reason, Detail: detail}), file: file, folder: folder}
	if file == "" {
		l.moves, l.again = r.inFunc > 0, true // a function runs wherever it is called
	}
	r.later.parts = append(r.later.parts, l)
}

// unsets notes that functions may be no more.
func (r *walker) unsets(names []arg) {
	if r.later.unset == nil {
		r.later.unset = map[string]bool{}
	}
	for _, a := range names {
		if a.known() {
			r.later.unset[a.text] = true
		} else {
			r.later.unset[""] = true
		}
	}
}

// moved notes that the shell may have left Root for the folders.
func (r *walker) moved(folders ...string) {
	r.later.moves = true
	r.later.again = r.later.again || r.inBody > 0
	for _, f := range folders {
		if !slices.Contains(r.later.folders, f) && len(r.later.folders) <= maxLater {
			r.later.folders = append(r.later.folders, f)
		}
	}
}

// setByBash are variables that bash itself sets, to texts that a command line can choose.
var setByBash = []string{"_", "REPLY", "MAPFILE", "PWD", "OLDPWD", "DIRSTACK", "FUNCNAME", "OPTARG", "COPROC"}

// isInt reports whether the variable holds an integer where n uses it, by what the text shows: this text set it before,
// to an integer. That it sets it to nothing else anywhere is settled later.
func (r *walker) isInt(n syntax.Node, name string, sc *scope) bool {
	if r.outer != nil || !slices.Contains(sc.ints, name) || slices.Contains(setByBash, name) {
		return false // what is around a text may set any name
	}
	start, end := r.at(n)
	p := r.placed(Part{Start: start, End: end, Decision: Ask, Reason: ReasonEvaluatedData, Detail: name + " may hold something other than an integer"})
	r.later.parts = append(r.later.parts, laterPart{part: p, name: name})
	return true
}

// setName judges a variable being set, by whatever means (T33, T33a), and notes whether it holds an integer.
func (r *walker) setName(n syntax.Node, name string, integer bool, sc *scope) {
	if !r.mayName(n, name) {
		return
	}
	if integer {
		if !slices.Contains(sc.ints, name) {
			sc.ints = append(sc.ints, name)
		}
		return
	}
	if r.later.other == nil {
		r.later.other = map[string]bool{}
	}
	r.later.other[name] = true
	if i := slices.Index(sc.ints, name); i >= 0 {
		sc.ints = slices.Delete(slices.Clone(sc.ints), i, i+1)
	}
}

// mayName judges the name of a variable that is set, or that a declaration names.
func (r *walker) mayName(n syntax.Node, name string) bool {
	switch {
	case !isName(name):
		r.askAt(n, ReasonEvaluatedData, "the name of a variable that is not plain")
	case r.k.evaluated.has(name):
		r.askAt(n, ReasonEvaluatedData, "bash evaluates what "+name+" is set to")
	case r.changesPrograms(name):
		r.askAt(n, ReasonEnvChangesProgram, name+" changes what programs do")
	default:
		return true
	}
	return false
}

// changesPrograms reports whether a variable of that name changes what programs do (T33).
func (r *walker) changesPrograms(name string) bool {
	return r.k.variables.has(name) && !r.k.harmless.has(name)
}
