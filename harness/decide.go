package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.com/ambit/internal/enum"
	"example.com/ambit/internal/oneline"
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

var supervisionNames = [...]string{"escalate", "signOff", "act"}

// String gives escalate, signOff or act.
func (s Supervision) String() string { return enum.Word(supervisionNames[:], s) }

// MarshalText gives String's text.
func (s Supervision) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads String's text; any other is an error that lists them.
func (s *Supervision) UnmarshalText(text []byte) (err error) {
	*s, err = enum.Parse[Supervision]("a supervision", supervisionNames[:], text)
	return err
}

// Hook is what a hook needs to decide. The zero Hook has no protocol and the closest supervision: it asks or denies.
type Hook struct {
	Protocol    *tiers.Protocol // nil lists nothing, so that everything asks
	Supervision Supervision     // of the agent's envelope; makes an answer stricter, never looser
	AskNative   bool            // leave what is only unlisted to the agent's own rules (K32)
	Tier3Ask    bool            // tier3 asks instead of blocking (K19)
	Root        string          // the project; "" is what the event says
}

// Decide answers one event (K31 to K33). It is total. Shell commands go through the evaluator, with the tool that the
// protocol names as the agent; files that a tool would write are looked up among the control files and write paths, with
// links resolved as far as the path exists; any other tool is left to the agent, but for the closest supervision.
func (h Hook) Decide(e Event) Decision {
	if !e.Kind.blocks() {
		return Decision{Answer: NoOpinion}
	}
	if h.Supervision > Act {
		h.Supervision = Escalate // no supervision that there is: the closest
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
	if _, declared := h.Protocol.Tool(ev.Tool); !declared {
		ev.Tool = "" // all of tier1 and tier2 (K31)
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

// judge judges a command in every folder that it may run in, with all that its tool's input sets besides: the strictest
// counts.
func (h Hook) judge(e Event) judged {
	out := h.judgeText(e, e.Command, e.Dir)
	stricter := func(w judged) {
		if w.rank() > out.rank() {
			out = w
		}
	}
	for _, text := range e.Also {
		stricter(h.judgeText(e, text, e.Dir))
	}
	for _, dir := range e.Places {
		for _, text := range append([]string{e.Command}, e.Also...) {
			stricter(h.judgeText(e, text, dir))
		}
	}
	if len(e.Paths) > 0 {
		stricter(h.judgeWrites(e))
	}
	return out
}

// judgeText judges one text in one folder.
func (h Hook) judgeText(e Event, text, dir string) judged {
	ev := h.evaluator(e)
	ev.Dir = dir
	v := ev.Evaluate(text)
	if v.Allows() {
		for _, file := range v.Writes {
			if !filepath.IsAbs(file) {
				file = filepath.Join(h.root(e), file)
			}
			if w := h.judgeWrite(e, file); w.rank() > rankNotify {
				return judged{decision: tiers.Ask, subject: e.Command, why: "a link on the way of " + file + " leads elsewhere"}
			}
		}
	}
	return judged{decision: v.Decision, subject: e.Command, why: why(v)}
}

// why names the parts that decided, each with its pattern or reason.
func why(v tiers.Verdict) string {
	var parts []string
	for _, p := range v.Deciding() {
		if len(parts) == maxWhy {
			parts = append(parts, "and more")
			break
		}
		s := fmt.Sprintf("%s: %s", p.Text, p.Reason)
		if p.Pattern != "" {
			s += fmt.Sprintf(" %q", p.Pattern)
		}
		if p.Detail != "" {
			s += " (" + p.Detail + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

// maxWhy is how many parts a reason names.
const maxWhy = 4

// The order in which judgements of several written files count: of a write that no rule speaks of, the agent's own rules
// decide, which is less than a notice and stricter than an allow.
const (
	rankSilent = iota
	rankNotify
	rankNoOpinion
	rankAsk
	rankBlock
)

func (w judged) rank() int {
	switch {
	case w.noOpinion:
		return rankNoOpinion
	case w.decision == tiers.Block:
		return rankBlock
	case w.decision == tiers.Notify:
		return rankNotify
	case w.decision == tiers.Silent:
		return rankSilent
	}
	return rankAsk
}

// judgeWrites judges the files that a tool would write: the strictest counts (K31).
func (h Hook) judgeWrites(e Event) judged {
	if len(e.Paths) == 0 {
		return judged{decision: tiers.Ask, subject: e.Tool, why: "it writes a file that is not named"}
	}
	out := judged{decision: tiers.Silent}
	for _, dir := range append([]string{e.Dir}, e.Places...) {
		for _, p := range e.Paths {
			if !filepath.IsAbs(p) {
				p = filepath.Join(dir, p)
			}
			if w := h.judgeWrite(e, p); w.rank() > out.rank() {
				out = w
			}
		}
	}
	return out
}

// judgeWrite judges a file as a redirect to it would be: control files first, then the write paths. A path through links
// is judged as written and as resolved, and the stricter counts (T34).
func (h Hook) judgeWrite(e Event, path string) judged {
	ev := h.evaluator(e)
	paths := []string{path}
	if real := resolveExisting(path); real != filepath.Clean(path) {
		paths = append(paths, real)
		if root := resolveExisting(ev.Root); root != ev.Root { // the project itself may lie behind a link
			if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) {
				paths[1] = filepath.Join(ev.Root, rel)
			}
		}
	}
	out := judged{decision: tiers.Silent}
	for _, p := range paths {
		v := ev.Evaluate(": > " + shellQuote(p))
		w := judged{decision: v.Decision, subject: path, why: why(v), noOpinion: v.Decision == tiers.Ask && onlyUncovered(v)}
		if w.rank() > out.rank() {
			out = w
		}
	}
	return out
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

// resolveExisting follows the links of the deepest part of a path that exists.
func resolveExisting(path string) string {
	path = filepath.Clean(path)
	rest := ""
	for p, hops := path, 0; hops < maxHops; hops++ {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			return filepath.Join(real, rest)
		}
		if target, err := os.Readlink(p); err == nil { // a dangling link: the write makes its target
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(p), target)
			}
			p = filepath.Clean(target)
			continue
		}
		parent := filepath.Dir(p)
		if parent == p {
			break
		}
		rest = filepath.Join(filepath.Base(p), rest)
		p = parent
	}
	return path
}

// maxHops bounds the links and folders that resolveExisting follows: a chain of links may be a ring.
const maxHops = 4096

// answer turns a judgement into what the hook says (K32, K33).
func (h Hook) answer(e Event, j judged) Decision {
	firm := false // the ask comes from supervision or tier3, so it must not fall back to the agent's own rules
	switch {
	case j.noOpinion && h.Supervision == Act:
		return Decision{Answer: NoOpinion}
	case j.noOpinion:
		j.decision, j.why, firm = tiers.Ask, "what changes something needs a sign-off in this task", true
	case j.decision == tiers.Block && h.Tier3Ask:
		j.decision, firm = tiers.Ask, true
	case j.decision == tiers.Ask && h.Supervision != Act:
		firm = true
	case h.Supervision == SignOff && j.decision == tiers.Notify, h.Supervision == Escalate && j.decision != tiers.Block:
		j.decision, firm = tiers.Ask, true
		j.why = "this task is supervised: " + j.why
	}
	if h.Supervision == Escalate {
		firm = true
	}
	note := tiers.Notification{Topic: e.Tool, Message: oneline.Cut(j.subject, maxSubject)}
	switch j.decision {
	case tiers.Silent:
		return Decision{Answer: Allow, Reason: "ambit: silent: " + j.why}
	case tiers.Notify:
		note.Level = tiers.LevelInfo
		return Decision{Answer: Allow, Reason: "ambit: notify: " + j.why, Message: note.Line()}
	case tiers.Block:
		note.Level = tiers.LevelBlock
		return Decision{Answer: Deny, Reason: note.Line() + " (" + j.why + ")"}
	}
	if h.AskNative && !firm {
		return Decision{Answer: NoOpinion}
	}
	return Decision{Answer: Ask, Firm: firm, Reason: "ambit: ask: " + j.why}
}

// maxSubject bounds what a line quotes of a command, in characters.
const maxSubject = 300
