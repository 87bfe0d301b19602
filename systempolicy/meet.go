package systempolicy

// Meet gives what both policies allow: outside it is whatever is outside a or outside b. Levels, limits and budgets are
// the lower, routes the common ones, gates required when either requires them, the undo window the longer, the engine
// the common one or none (O16). Windows of different zones are both kept, since only then is it exact at every instant;
// of one zone, a single window is kept where one says the same.
func Meet(a, b Policy) Policy {
	p := a
	p.level = min(a.level, b.level)
	if a.engine != b.engine {
		p.engine = ""
	}
	p.fix = a.fix && b.fix
	p.maxCriticality = min(a.maxCriticality, b.maxCriticality)
	p.maxFiles, p.maxLines = min(a.maxFiles, b.maxFiles), min(a.maxLines, b.maxLines)
	p.regressionTest, p.secondReview = a.regressionTest || b.regressionTest, a.secondReview || b.secondReview
	p.runsPerDay, p.mergesPerDay = min(a.runsPerDay, b.runsPerDay), min(a.mergesPerDay, b.mergesPerDay)
	p.perRun = PerRun{
		Minutes: min(a.perRun.Minutes, b.perRun.Minutes), Invocations: min(a.perRun.Invocations, b.perRun.Invocations),
		Reruns: min(a.perRun.Reruns, b.perRun.Reruns), Cost: min(a.perRun.Cost, b.perRun.Cost),
	}
	if b.undo.d > a.undo.d {
		p.undo = b.undo
	}
	windows := meetWindows(a.Windows(), b.Windows())
	p.window, p.also = windows[0], windows[1:]
	p.judged = a.judged & b.judged
	return p
}

// meetWindows keeps, per zone name, one window where one says the same as all of them, else all.
func meetWindows(a, b []Window) []Window {
	var out []Window
	for _, w := range append(a, b...) {
		out = addWindow(out, w)
	}
	return out
}

func addWindow(list []Window, w Window) []Window {
	for i, have := range list {
		if have.Timezone() != w.Timezone() {
			continue
		}
		if one, ok := both(have, w); ok {
			list[i] = one
			return list
		}
	}
	return append(list, w)
}

// both gives the one window that is open when two of a zone are, in the words of the one that lies within the other.
func both(a, b Window) (Window, bool) {
	wa, wb := weekOf(a), weekOf(b)
	switch {
	case wa.within(wb):
		return a, true
	case wb.within(wa):
		return b, true
	}
	common := wa.and(wb)
	return common.window(a.zone)
}

// DisplayWindows gives the windows with those left out that another, of whatever zone, lies within from 2026 to 2035.
// It is for showing; what is enforced keeps them all.
func (p Policy) DisplayWindows() []Window {
	var out []Window
next:
	for _, w := range p.Windows() {
		for i := 0; i < len(out); i++ {
			switch compareWindows([]Window{out[i]}, []Window{w}) {
			case Tighter:
				out = append(out[:i], out[i+1:]...)
				i--
			case Looser, Equal:
				continue next
			}
		}
		out = append(out, w)
	}
	return out
}
