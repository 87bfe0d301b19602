package harness

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/ambit/tiers"
)

// Supervision is how closely a person watches this task: what an envelope's state asks of the hook (K33). The zero value
// is the closest.
type Supervision uint8

// The three ways, from the closest.
const (
	Escalate Supervision = iota // needsFullSupervision: everything asks, and what cannot ask is denied
	SignOff                     // checkBeforeCommitting: what changes something asks
	Act                         // fullyApproved, or no envelope named: the verdict stands
)

// Hook is what a hook needs to decide. The zero Hook has no protocol and the closest supervision: it asks or denies.
type Hook struct {
	Protocol    *tiers.Protocol
	Supervision Supervision
	AskNative   bool   // leave what is only unlisted to the agent's own rules (K32)
	Tier3Ask    bool   // tier3 asks instead of blocking (K19)
	Root        string // the project, when the event does not say
}

// Decide answers one event (K31 to K33). It is total. Shell commands go through the evaluator, with the tool that the
// protocol names as the agent; files that a tool would write are looked up among the control files and write paths, with
// links resolved as far as the path exists; any other tool is left to the agent, but for the closest supervision.
func (h Hook) Decide(e Event) Decision {
	if !e.Kind.blocks() {
		return Decision{Answer: NoOpinion}
	}
	switch e.Class {
	case Shell:
		return h.answer(e, h.judge(e))
	case Writer:
		return h.answer(e, h.judgeWrites(e))
	case UnknownShell:
		return h.answer(e, judged{decision: tiers.Ask, subject: e.Tool, why: "a shell that is not judged here"})
	}
	if h.Supervision == Escalate {
		return h.answer(e, judged{decision: tiers.Ask, subject: e.Tool, why: "every step of this task is supervised"})
	}
	return Decision{Answer: NoOpinion}
}

// judged is a verdict about an event, with what it is about.
type judged struct {
	decision  tiers.Decision
	subject   string
	why       string
	noOpinion bool // a write that no rule speaks of
}

func (h Hook) evaluator(e Event) tiers.Evaluator {
	ev := tiers.Evaluator{Protocol: h.Protocol, Tool: e.Harness.String(), Root: h.root(e), Dir: e.Dir}
	if h.Protocol != nil && !h.Protocol.HasTool(ev.Tool) {
		ev.Tool = ""
	}
	return ev
}

// root is the project of an event: what the hook was told, what the event says, or the folder that it comes from.
func (h Hook) root(e Event) string {
	for _, r := range []string{h.Root, e.Root, e.Dir} {
		if r != "" {
			return r
		}
	}
	return ""
}

func (h Hook) judge(e Event) judged {
	v := h.evaluator(e).Evaluate(e.Command)
	out := judged{decision: v.Decision, subject: e.Command, why: why(v)}
	if v.Allows() {
		for _, p := range v.Parts {
			if p.Reason == tiers.ReasonWritesFile && h.leaves(e, p) {
				return judged{decision: tiers.Ask, subject: p.Text, why: "a link on the way leads elsewhere"}
			}
		}
	}
	return out
}

// why names the parts that decided, each with its pattern or reason.
func why(v tiers.Verdict) string {
	var parts []string
	for _, p := range v.Deciding() {
		s := fmt.Sprintf("%s: %s", p.Text, p.Reason)
		if p.Pattern != "" {
			s = fmt.Sprintf("%s: %s %q", p.Text, p.Reason, p.Pattern)
		}
		if p.Detail != "" {
			s += " (" + p.Detail + ")"
		}
		if len(parts) == 4 {
			return strings.Join(parts, "; ") + "; and more"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

// judgeWrites judges the files that a tool would write as a redirect to each would be: control files first, then the
// write paths; of any other file this package has no opinion (K31). A path through links is judged as written and as
// resolved, and the stricter counts.
func (h Hook) judgeWrites(e Event) judged {
	out := judged{decision: tiers.Silent, noOpinion: true, subject: strings.Join(e.Paths, " ")}
	ev := h.evaluator(e)
	for _, p := range e.Paths {
		abs := p
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(e.Dir, p)
		}
		paths := []string{p}
		if real := resolveExisting(abs); real != filepath.Clean(abs) {
			paths = append(paths, real)
		}
		for _, path := range paths {
			v := ev.Evaluate(": > " + shellQuote(path))
			speaks := v.Decision != tiers.Ask || !onlyUncovered(v)
			if speaks && (out.noOpinion || v.Decision.Strictness() > out.decision.Strictness()) {
				out = judged{decision: v.Decision, subject: path, why: why(v)}
			} else if !speaks && !out.noOpinion && out.decision != tiers.Block {
				out = judged{noOpinion: true, subject: path} // one file is outside the write paths: all of it is for the agent's rules
				return h.controlOnly(e, out)
			}
		}
	}
	return out
}

// controlOnly looks for a control file among the paths again: it decides even where another path is of no opinion.
func (h Hook) controlOnly(e Event, otherwise judged) judged {
	ev := h.evaluator(e)
	for _, p := range e.Paths {
		abs := p
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(e.Dir, p)
		}
		for _, path := range []string{p, resolveExisting(abs)} {
			if v := ev.Evaluate(": > " + shellQuote(path)); v.Decision == tiers.Block || v.Decision == tiers.Ask && !onlyUncovered(v) {
				if otherwise.noOpinion || v.Decision.Strictness() > otherwise.decision.Strictness() {
					otherwise = judged{decision: v.Decision, subject: path, why: why(v)}
				}
			}
		}
	}
	return otherwise
}

// onlyUncovered reports whether a write asks for no other reason than that no write path covers it.
func onlyUncovered(v tiers.Verdict) bool {
	for _, p := range v.Deciding() {
		if p.Reason != tiers.ReasonWritesFile {
			return false
		}
	}
	return true
}

// resolveExisting follows the links of the deepest part of a path that exists (T34).
func resolveExisting(path string) string {
	path = filepath.Clean(path)
	rest := ""
	for p := path; ; {
		real, err := filepath.EvalSymlinks(p)
		if err == nil {
			return filepath.Join(real, rest)
		}
		if target, err := os.Readlink(p); err == nil { // a dangling link: the write makes its target
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(p), target)
			}
			return filepath.Join(target, rest)
		}
		parent := filepath.Dir(p)
		if parent == p {
			return path
		}
		rest = filepath.Join(filepath.Base(p), rest)
		p = parent
	}
}

var _ fs.FileInfo = nil
